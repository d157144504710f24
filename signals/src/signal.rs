//! [`Signal`]: an event and its connected handlers.

use std::fmt;
use std::marker::PhantomData;
use std::mem;

use acedia::__private::drop_all;
use acedia::{AnyHandle, Handle, Object, Owned, class, pin};
use parking_lot::Mutex;

use crate::list::List;
use crate::slot::{Binding, Bound, Called, Slot, is_over};
use crate::{Connection, ReceiverHandle, Rule, Terms};

/// Calls handlers, each with its receiver, and combines their results.
///
/// `A` is the type of the arguments, `R` the [`Rule`] that combines the results.
///
/// ```
/// use acedia::{Object, class};
/// use acedia_signals::{Any, Signal};
///
/// #[derive(Default)]
/// struct Guard {
///     keen: bool,
/// }
/// impl Object for Guard {
///     class!(Guard, "Doc.Guard");
/// }
///
/// // A noise at a place; was it noticed?
/// let noise: Signal<[f32; 2], Any> = Signal::new();
/// let (keen, lazy) = (
///     Guard::allocate_with(|it| it.keen = true),
///     Guard::allocate_with(|it| it.keen = false),
/// );
/// for guard in [&keen, &lazy] {
///     noise
///         .connect(guard.handle(), |guard, place: &[f32; 2]| guard.keen && place[0] < 10.0);
/// }
/// assert!(noise.emit(&[3.0, 4.0]));
/// assert!(!noise.emit(&[30.0, 4.0]));
/// drop(keen); // ends its connection, too
/// assert!(!noise.emit(&[3.0, 4.0]));
/// assert_eq!(noise.len(), 1);
/// ```
///
/// # Emission
///
/// An emission calls the handlers that are connected at its start. It calls them in the order of connection, unless [`Terms`]
/// give them priorities. Before each call it checks that the connection and the receiver are still alive. A handler that is
/// connected during the emission is first called by the next one. If a handler is disconnected, the emission still calls all
/// others. If a handler emits the same signal, that is a separate emission: it calls the handlers that are connected at that
/// time. Then the outer emission continues with its own list. Emissions on several threads are independent in the same way.
///
/// # In a pooled object
///
/// A signal is a plain value: a field, a local variable or a `static`. A pooled object is not dropped when it is freed, so its
/// class must disconnect the object's signals in the finalizer:
///
/// ```
/// use acedia::{Object, class};
/// use acedia_signals::Signal;
///
/// #[derive(Default)]
/// struct Door {
///     opened: Signal,
/// }
/// impl Object for Door {
///     class!(Door, "Doc.Door");
///     const FINALIZER: Option<fn(&mut Self)> = Some(|door| door.opened.disconnect_all());
/// }
/// ```
///
/// If a signal has to be an object itself, define a class with the signal as its field. [`SimpleSignal`] is a class already.
///
/// A signal finds its handlers by the types of arguments and results, so it cannot be converted to another type of signal:
///
/// ```compile_fail,E0308
/// # use acedia_signals::Signal;
/// fn wide(signal: &Signal<fn(&'static u8)>) -> &Signal<for<'a> fn(&'a u8)> {
///     signal
/// }
/// ```
pub struct Signal<A: ?Sized = (), R = ()> {
    list: Mutex<List>,
    /// Makes `A` and `R` invariant, because the stored handlers have exactly these types.
    handlers: PhantomData<fn(*mut A) -> *mut R>,
}

/// A signal without arguments or results. It is itself a class, `AcediaCore.SimpleSignal`.
///
/// ```
/// use acedia::Object;
/// use acedia_signals::SimpleSignal;
///
/// let start = SimpleSignal::allocate();
/// start.emit(&());
/// ```
pub type SimpleSignal = Signal<(), ()>;

impl Object for SimpleSignal {
    class!(SimpleSignal, "AcediaCore.SimpleSignal");

    const FINALIZER: Option<fn(&mut Self)> = Some(|signal| signal.disconnect_all());
}

impl<A: ?Sized, R> Signal<A, R> {
    /// A signal without handlers. Allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            list: Mutex::new(List::EMPTY),
            handlers: PhantomData,
        }
    }

    /// Ends all connections of `receiver`, and returns their number. If the receiver is dead, the connections that were removed before
    /// do not count.
    ///
    /// A running emission calls none of these handlers afterwards.
    ///
    /// ```
    /// use acedia::Object;
    /// use acedia_signals::{Signal, SimpleSignal};
    ///
    /// let (signal, receiver) = (Signal::<()>::new(), SimpleSignal::allocate());
    /// let connections = [(); 2].map(|()| signal.connect(receiver.handle(), |_, ()| ()));
    /// assert_eq!(signal.disconnect(receiver.handle()), 2);
    /// assert!(connections.iter().all(|connection| !connection.is_connected()));
    /// ```
    ///
    /// # Panics
    ///
    /// If dropping a handler's captured values panics. All connections have ended nevertheless.
    ///
    /// # Cost
    ///
    /// Linear in all connections of the signal, under its lock.
    #[doc(alias = "Disconnect")]
    pub fn disconnect(&self, receiver: impl Into<AnyHandle>) -> usize {
        let receiver = receiver.into();
        let out = self.list.lock().remove(|connection| connection.receiver() == receiver);
        end(&out)
    }

    /// Ends all connections. A running emission calls no handler afterwards. Dropping the signal does the same.
    ///
    /// # Panics
    ///
    /// As [`disconnect`](Self::disconnect).
    pub fn disconnect_all(&self) {
        let mut list = mem::replace(&mut *self.list.lock(), List::EMPTY);
        end(&list.snapshot());
    }

    /// The number of handlers that an emission would call now. Linear in all connections.
    #[must_use]
    pub fn len(&self) -> usize {
        let list = self.list.lock().snapshot();
        list.iter().filter(|connection| connection.is_connected()).count()
    }

    /// Whether an emission would call no handler now. Linear in all connections.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes connections that have ended from the list.
    fn tidy(&self) {
        self.list.lock().sweep(|connection| !connection.slot().is_allocated());
    }
}

impl<A: ?Sized + 'static, R> Signal<A, R> {
    /// Connects a handler. Each later emission calls it with `receiver` and the emission's arguments, until the connection ends
    /// or the receiver dies.
    ///
    /// The handler runs on the thread that emits, and on several threads at once if several emit. It may connect, disconnect,
    /// emit this signal again, and free the receiver. It runs under a [pin](acedia::pin), so the receiver stays readable during
    /// the call. A handler should not sleep, because memory that is freed during the call is not reused before the call ends.
    ///
    /// `receiver` is a handle ([`Owned::handle`](acedia::Owned::handle)), because a connection does not keep its receiver alive.
    /// A receiver may have any number of connections. If the receiver is dead already, the handler is never called. While the
    /// receiver is hidden, emissions skip it, and the connection stays. An object is hidden while it is borrowed by
    /// [`Owned::exclusive`](acedia::Owned::exclusive), and while it is reserved but not filled.
    ///
    /// The handler's captured values are dropped when the connection ends. If the receiver dies first, they are dropped by the
    /// first of these events: an emission reaches the handler, the receiver is [disconnected](Self::disconnect), a call
    /// of `connect` sweeps the list, or the signal is dropped. `connect` sweeps when there are more than 16 connections and
    /// their number has doubled since the last sweep. To drop the values at once, disconnect in the receiver's finalizer.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// use acedia::{Object, class};
    /// use acedia_signals::Signal;
    ///
    /// #[derive(Default)]
    /// struct Pawn {
    ///     health: AtomicU32,
    /// }
    /// impl Object for Pawn {
    ///     class!(Pawn, "Doc.Pawn");
    /// }
    ///
    /// let explosion: Signal<u32> = Signal::new();
    /// let pawn = Pawn::allocate_with(|it| *it.health.get_mut() = 100);
    /// let connection = explosion.connect(pawn.handle(), |pawn, damage| {
    ///     pawn.health.fetch_sub(*damage, Relaxed);
    /// });
    /// explosion.emit(&30);
    /// connection.disconnect();
    /// explosion.emit(&30);
    /// assert_eq!(pawn.health.load(Relaxed), 70);
    /// ```
    ///
    /// # Panics
    ///
    /// If the call sweeps the list, and dropping the captured values of a dead connection's handler panics.
    ///
    /// # Cost
    ///
    /// One pooled object, two small heap allocations, and the signal's lock. The first change during an emission copies the
    /// list: 32 bytes for each connection. If a new connection has a higher priority than an existing one, the next emission
    /// sorts the list.
    #[doc(alias = "NewSlot")]
    #[inline]
    pub fn connect<H: ReceiverHandle>(
        &self,
        receiver: H,
        handler: impl Fn(&H::Object, &A) -> R::Item + Send + Sync + 'static,
    ) -> Connection
    where
        R: Rule,
    {
        self.connect_with(Terms::default(), receiver, handler)
    }

    /// Connects a handler with a priority, or for one call, or both: see [`Terms`].
    ///
    /// # Panics
    ///
    /// As [`connect`](Self::connect).
    pub fn connect_with<H: ReceiverHandle>(
        &self,
        terms: Terms,
        receiver: H,
        handler: impl Fn(&H::Object, &A) -> R::Item + Send + Sync + 'static,
    ) -> Connection
    where
        R: Rule,
    {
        let receiver = receiver.handle();
        let binding: Binding<A, R::Item> = Box::new(Bound {
            receiver,
            handler,
            once: terms.once,
        });
        let connection = Connection::new(Slot::keep(binding), receiver.to_any(), terms.priority);
        let is_crowded = self.list.lock().add(connection);
        if is_crowded {
            // Without the lock: receivers are looked up under pins, whose ends may run finalizers that use this signal.
            let list = self.list.lock().snapshot();
            let is_dead = |connection: &&Connection| connection.slot().with(Slot::is_over).unwrap_or(true);
            let dead: Vec<Connection> = list.iter().filter(is_dead).copied().collect();
            drop(list); // shared, it would be copied
            end(&dead);
            self.tidy();
        }
        connection
    }
}

impl<A: ?Sized + 'static, R: Rule> Signal<A, R> {
    /// Calls the handlers, and returns their results, combined by the rule.
    ///
    /// ```
    /// use acedia::Object;
    /// use acedia_signals::{Signal, SimpleSignal};
    ///
    /// let (signal, receiver) = (Signal::<u32, Vec<u32>>::new(), SimpleSignal::allocate());
    /// signal.connect(receiver.handle(), |_, number| number + 1);
    /// signal.connect(receiver.handle(), |_, number| number * 2);
    /// assert_eq!(signal.emit(&5), [6, 10]);
    /// ```
    ///
    /// # Panics
    ///
    /// If a handler or the rule panics. Also if a handler's receiver has died and dropping the values that the handler captured
    /// panics. The emission ends there: later handlers are not called. The signal stays usable.
    ///
    /// # Cost
    ///
    /// The signal's lock, to clone a reference to the list. For each handler: a pin, the look-up of two handles, and two indirect
    /// calls. No lock is held while a handler runs.
    #[doc(alias = "Emit")]
    pub fn emit(&self, args: &A) -> R::Output {
        let list = self.list.lock().snapshot();
        let (rule, met_dead) = Self::call(&list, args, || true);
        if met_dead {
            self.tidy();
        }
        rule.finish()
    }

    /// Like [`emit`](Self::emit), but for a signal inside an object that a handler may free. Once the object is freed, no more
    /// handlers are called.
    ///
    /// Returns `None` if the object is not alive at the start. If the object dies during the emission, the results of the
    /// handlers called so far are combined. In contrast, `handle.get(&pinned)?.signal.emit(…)` keeps the object readable until
    /// the end of the emission, and calls all handlers.
    ///
    /// ```
    /// use acedia::{Object, class};
    /// use acedia_signals::{Signal, SimpleSignal, Sum};
    ///
    /// #[derive(Default)]
    /// struct Door {
    ///     opened: Signal<(), Sum<u32>>,
    /// }
    /// impl Object for Door {
    ///     class!(Door, "Doc.Door");
    ///     const FINALIZER: Option<fn(&mut Self)> = Some(|door| door.opened.disconnect_all());
    /// }
    ///
    /// let (door, receiver) = (Door::allocate(), SimpleSignal::allocate());
    /// let door = door.into_manual();
    /// door.with(|it| it.opened.connect(receiver.handle(), |_, ()| 1));
    /// door.with(|it| {
    ///     it.opened.connect(receiver.handle(), move |_, ()| {
    ///         door.free().unwrap();
    ///         10
    ///     })
    /// });
    /// door.with(|it| it.opened.connect(receiver.handle(), |_, ()| 100));
    /// assert_eq!(Signal::emit_of(door, |it| &it.opened, &()), Some(11));
    /// assert_eq!(Signal::emit_of(door, |it| &it.opened, &()), None);
    /// ```
    ///
    /// # Panics
    ///
    /// Like [`emit`](Self::emit), and also if `signal` panics.
    pub fn emit_of<T: Object>(owner: Handle<T>, signal: impl Fn(&T) -> &Self, args: &A) -> Option<R::Output> {
        let list = owner.with(|it| signal(it).list.lock().snapshot())?;
        let (rule, met_dead) = Self::call(&list, args, || !is_over(owner));
        if met_dead {
            owner.with(|it| signal(it).tidy());
        }
        Some(rule.finish())
    }

    /// Calls the handlers until `goes_on` is false or the rule ends the emission. Returns the rule with all results, and whether a
    /// connection in the list has ended.
    fn call(list: &[Connection], args: &A, goes_on: impl Fn() -> bool) -> (R, bool) {
        let (mut rule, mut met_dead) = (R::default(), false);
        for connection in list {
            if !goes_on() {
                break;
            }
            // Pinned for this call only: the rule is user code, too, and should not delay the reuse of memory.
            let called = {
                let (pinned, me) = (pin(), connection.slot());
                let binding = me.get(&pinned).and_then(Slot::binding::<A, R::Item>);
                binding.map_or(Called::Over, |binding| binding.call(args, me))
            };
            match called {
                Called::Item(item) => {
                    if rule.add(item).is_break() {
                        break;
                    }
                }
                // Later emissions may find it: a reserved receiver may be filled.
                Called::Hidden => {}
                Called::Over => {
                    connection.disconnect();
                    met_dead = true;
                }
            }
        }
        (rule, met_dead)
    }
}

/// Ends connections, and returns the number that had not ended. Call it without the lock, because it drops the captured values
/// of handlers.
fn end(connections: &[Connection]) -> usize {
    let slots = connections
        .iter()
        .filter_map(|connection| connection.slot().reclaim().ok());
    // All slots are reclaimed before the first is dropped: if one drop panics, the others are dropped nevertheless.
    let slots: Vec<Owned<Slot>> = slots.collect();
    let count = slots.len();
    drop_all(slots.into_iter());
    count
}

impl<A: ?Sized, R> Drop for Signal<A, R> {
    fn drop(&mut self) {
        self.disconnect_all();
    }
}

impl<A: ?Sized, R> Default for Signal<A, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: ?Sized, R> fmt::Debug for Signal<A, R> {
    /// Prints `Signal(2 connections)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len() {
            1 => f.write_str("Signal(1 connection)"),
            several => write!(f, "Signal({several} connections)"),
        }
    }
}
