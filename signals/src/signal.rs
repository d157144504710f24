//! [`Signal`]: an event and its connected handlers.

use std::fmt;
use std::marker::PhantomData;
use std::mem;

use acedia_allocator::__private::drop_all;
use acedia_allocator::{AnyHandle, Handle, Object, Owned, class, pin};
use parking_lot::Mutex;

use crate::list::List;
use crate::slot::{Called, Slot, is_over};
use crate::{Connection, Rule};

/// Calls handlers, each with its receiver, and combines their results.
///
/// `A` is the type of the arguments, `R` the [`Rule`] that combines the results.
///
/// ```
/// use acedia_allocator::{Object, class};
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
/// let (keen, lazy) = (Guard::allocate_with(|it| it.keen = true), Guard::allocate_with(|it| it.keen = false));
/// for guard in [&keen, &lazy] {
///     noise.connect(guard.handle(), |guard, place: &[f32; 2]| guard.keen && place[0] < 10.0);
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
/// An emission calls the handlers that are connected at its start, in the order of connection. Before each call it checks that
/// the connection and the receiver are still alive. A handler that is connected meanwhile waits for the next emission. No handler
/// is skipped because another one is disconnected. If a handler emits the same signal, that is a separate emission: it calls the
/// handlers connected at that time, and the outer emission then continues with its own list. Emissions on several threads are
/// independent in the same way.
///
/// # In a pooled object
///
/// A signal is a plain value: a field, a local variable or a `static`. Objects of the pool are not dropped when they are freed,
/// so a class with signals must disconnect them in its finalizer:
///
/// ```
/// use acedia_allocator::{Object, class};
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
/// For a signal that is an object itself, define a class with a signal as its field; [`SimpleSignal`] is a class already.
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
    /// Makes both types invariant, because they must be those of the stored handlers.
    handlers: PhantomData<fn(*mut A) -> *mut R>,
}

/// A signal without arguments and results, which is a class: `AcediaCore.SimpleSignal`.
///
/// ```
/// use acedia_allocator::{Object, allocate};
/// use acedia_signals::SimpleSignal;
///
/// let start = allocate::<SimpleSignal>();
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

    /// Ends all connections of `receiver`, alive or not, and returns their number.
    ///
    /// A running emission calls none of them any more.
    ///
    /// ```
    /// use acedia_allocator::allocate;
    /// use acedia_signals::{Signal, SimpleSignal};
    ///
    /// let (signal, receiver) = (Signal::<()>::new(), allocate::<SimpleSignal>());
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

    /// Ends all connections. A running emission calls no handler any more.
    ///
    /// # Panics
    ///
    /// As [`disconnect`](Self::disconnect).
    pub fn disconnect_all(&self) {
        let list = mem::replace(&mut *self.list.lock(), List::EMPTY);
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

    /// Removes connections that were not ended by the signal from the list.
    fn tidy(&self) {
        self.list.lock().remove(|connection| !connection.slot().is_allocated());
    }
}

impl<A: ?Sized + 'static, R: Rule> Signal<A, R> {
    /// Connects a handler: from the next one on, emissions call it with `receiver` and their arguments, until the connection
    /// or the receiver's life ends.
    ///
    /// The handler runs on the emitting thread, and on several at once if several emit. It may connect, disconnect, emit this
    /// signal again, and free the receiver. It runs under a [pin](acedia_allocator::pin), so the receiver stays readable during
    /// the call, and memory freed meanwhile is not used again before its end: a handler should not sleep.
    ///
    /// `receiver` is a handle, from [`Owned::handle`](acedia_allocator::Owned::handle): a connection does not keep its receiver
    /// alive. A receiver may have any number of connections. If it is dead already, the handler is never called. While it is
    /// hidden ([`Owned::exclusive`], or reserved and not filled), emissions skip it and the connection stays.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// use acedia_allocator::{Object, class};
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
    /// If dropping the captured values of a dead connection's handler panics. A call removes dead connections when the list has
    /// doubled.
    ///
    /// # Cost
    ///
    /// An object of the pool, two small heap allocations, and the signal's lock. The first change during an emission copies the
    /// list, 24 bytes for each connection.
    #[doc(alias = "NewSlot")]
    pub fn connect<T: Object>(
        &self,
        receiver: Handle<T>,
        handler: impl Fn(&T, &A) -> R::Item + Send + Sync + 'static,
    ) -> Connection {
        let connection = Connection::new(Slot::bind::<T, A, R>(receiver, handler), receiver.as_any());
        let crowded = self.list.lock().push(connection);
        if crowded {
            self.sweep();
        }
        connection
    }

    /// Calls the handlers, and returns their results, combined by the rule.
    ///
    /// ```
    /// use acedia_allocator::allocate;
    /// use acedia_signals::{Signal, SimpleSignal};
    ///
    /// let (signal, receiver) = (Signal::<u32, Vec<u32>>::new(), allocate::<SimpleSignal>());
    /// signal.connect(receiver.handle(), |_, number| number + 1);
    /// signal.connect(receiver.handle(), |_, number| number * 2);
    /// assert_eq!(signal.emit(&5), [6, 10]);
    /// ```
    ///
    /// # Panics
    ///
    /// If a handler or the rule panics, or the destructor of a captured value of a handler whose receiver has died. The emission
    /// ends there, later handlers are not called, and the signal stays usable.
    ///
    /// # Cost
    ///
    /// The signal's lock to clone a reference to the list, and for each handler a pin, the look-up of two handles and two
    /// indirect calls. No lock is held while a handler runs.
    #[doc(alias = "Emit")]
    pub fn emit(&self, args: &A) -> R::Output {
        let list = self.list.lock().snapshot();
        let emission = Emission::<R>::run(&list, args, || true);
        if emission.met_dead {
            self.tidy();
        }
        emission.rule.finish()
    }

    /// As [`emit`](Self::emit), for a signal inside an object that a handler may free: a freed object calls no more handlers.
    ///
    /// `None` if the object is not alive at the start. If its life ends during the emission, later handlers are not called, and
    /// the results so far are combined. (`owner.get(&pinned)?.signal.emit(…)` would keep the object readable until the end of the
    /// emission, and call all handlers.)
    ///
    /// ```
    /// use acedia_allocator::{Object, allocate, class};
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
    /// let (door, receiver) = (allocate::<Door>(), allocate::<SimpleSignal>());
    /// let door = door.into_manual();
    /// door.with(|it| it.opened.connect(receiver.handle(), |_, ()| 1));
    /// door.with(|it| it.opened.connect(receiver.handle(), move |_, ()| { door.free().unwrap(); 10 }));
    /// door.with(|it| it.opened.connect(receiver.handle(), |_, ()| 100));
    /// assert_eq!(Signal::emit_of(door, |it| &it.opened, &()), Some(11));
    /// assert_eq!(Signal::emit_of(door, |it| &it.opened, &()), None);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`emit`](Self::emit), and if `signal` panics.
    pub fn emit_of<T: Object>(owner: Handle<T>, signal: impl Fn(&T) -> &Self, args: &A) -> Option<R::Output> {
        let list = owner.with(|it| signal(it).list.lock().snapshot())?;
        let emission = Emission::<R>::run(&list, args, || !is_over(owner));
        if emission.met_dead {
            owner.with(|it| signal(it).tidy());
        }
        Some(emission.rule.finish())
    }

    /// Ends the connections whose receivers are dead.
    fn sweep(&self) {
        // The pin ends after the lock is released, because its end may run finalizers that use this signal.
        let pinned = pin();
        let dead = self.list.lock().sweep(|connection| {
            let slot = connection.slot().get(&pinned);
            slot.is_none_or(|slot| slot.is_over::<A, R>())
        });
        drop(pinned);
        end(&dead);
    }
}

/// The result of calling a list of handlers.
struct Emission<R> {
    rule: R,
    /// Whether a connection in the list has ended.
    met_dead: bool,
}

impl<R: Rule> Emission<R> {
    fn run<A: ?Sized + 'static>(list: &[Connection], args: &A, goes_on: impl Fn() -> bool) -> Self {
        let mut emission = Self {
            rule: R::default(),
            met_dead: false,
        };
        for connection in list {
            if !goes_on() {
                break;
            }
            let called = {
                let pinned = pin();
                let slot = connection.slot().get(&pinned);
                slot.map_or(Called::Over, |slot| slot.call::<A, R>(args))
            };
            match called {
                Called::Item(item) => {
                    if emission.rule.add(item).is_break() {
                        break;
                    }
                }
                Called::Hidden => {}
                Called::Over => {
                    connection.disconnect();
                    emission.met_dead = true;
                }
            }
        }
        emission
    }
}

/// Ends connections, and returns the number that had not ended. Call it without the lock, because it drops the captured values
/// of handlers.
fn end(connections: &[Connection]) -> usize {
    let slots = connections
        .iter()
        .filter_map(|connection| connection.slot().reclaim().ok());
    // All slots are taken back first and dropped then: if one drop panics, the others are dropped nevertheless.
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

impl<A: ?Sized, R> fmt::Display for Signal<A, R> {
    /// `2 connections`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len() {
            1 => f.pad("1 connection"),
            several => write!(f, "{several} connections"),
        }
    }
}

impl<A: ?Sized, R> fmt::Debug for Signal<A, R> {
    /// `Signal(2 connections)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signal({self})")
    }
}
