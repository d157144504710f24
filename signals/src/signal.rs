//! [`Signal`]: an event and its connected handlers.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use acedia::{Handle, Object, class};

use crate::connections::Connections;
use crate::slot::{Bind, Bound, Called, Slot};
use crate::{Connection, Rule, Terms};

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
/// An emission calls the handlers that are connected at its start, in the order of connection, unless [`Terms`] say otherwise. Before each call it checks that
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
    connections: Connections,
    /// Makes both types invariant, because they must be those of the stored handlers.
    handlers: PhantomData<fn(*mut A) -> *mut R>,
}

/// A signal without arguments and results, which is a class: `AcediaCore.SimpleSignal`.
///
/// ```
/// use acedia::{Object, allocate};
/// use acedia_signals::SimpleSignal;
///
/// let start = allocate::<SimpleSignal>();
/// start.emit(&());
/// ```
pub type SimpleSignal = Signal<(), ()>;

/// The handler of a slot.
type Binding<A, R> = Box<dyn for<'a> Bind<&'a A, <R as Rule>::Item>>;

impl Object for SimpleSignal {
    class!(SimpleSignal, "AcediaCore.SimpleSignal");

    const FINALIZER: Option<fn(&mut Self)> = Some(|signal| signal.disconnect_all());
}

impl<A: ?Sized, R> Signal<A, R> {
    /// A signal without handlers. Allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            connections: Connections::new(),
            handlers: PhantomData,
        }
    }
}

impl<A: ?Sized + 'static, R: Rule> Signal<A, R> {
    /// Connects a handler: from the next one on, emissions call it with `receiver` and their arguments, until the connection
    /// or the receiver's life ends.
    ///
    /// The handler runs on the emitting thread, and on several at once if several emit. It may connect, disconnect, emit this
    /// signal again, and free the receiver. It runs under a [pin](acedia::pin), so the receiver stays readable during
    /// the call, and memory freed meanwhile is not used again before its end: a handler should not sleep.
    ///
    /// `receiver` is a handle, from [`Owned::handle`](acedia::Owned::handle): a connection does not keep its receiver
    /// alive. A receiver may have any number of connections. If it is dead already, the handler is never called. While it is
    /// hidden ([`Owned::exclusive`](acedia::Owned::exclusive), or reserved and not filled), emissions skip it and the connection stays.
    ///
    /// The handler's captured values are dropped when the connection ends. If the receiver's life ends first, they stay until the
    /// next emission that comes to the handler, [`disconnect`](Connections::disconnect) for the receiver, a connection that finds more
    /// than 16 and twice as many as after the last sweep, or the end of the signal. To drop them at once, disconnect in the receiver's finalizer.
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
    /// If dropping the captured values of a dead connection's handler panics. A call removes dead connections when the list has
    /// doubled.
    ///
    /// # Cost
    ///
    /// An object of the pool, two small heap allocations, and the signal's lock. The first change during an emission copies the
    /// list, 32 bytes for each connection.
    #[doc(alias = "NewSlot")]
    #[inline]
    pub fn connect<T: Object>(
        &self,
        receiver: Handle<T>,
        handler: impl Fn(&T, &A) -> R::Item + Send + Sync + 'static,
    ) -> Connection {
        self.connect_with(Terms::default(), receiver, handler)
    }

    /// As [`connect`](Self::connect), for one call: the connection ends with it, and at the latest with the receiver's life.
    ///
    /// ```
    /// use acedia::allocate;
    /// use acedia_signals::{Signal, SimpleSignal, Sum};
    ///
    /// let (signal, receiver) = (Signal::<(), Sum<u32>>::new(), allocate::<SimpleSignal>());
    /// signal.connect_once(receiver.handle(), |_, ()| 1);
    /// assert_eq!((signal.emit(&()), signal.emit(&())), (1, 0));
    /// ```
    ///
    /// The connection has ended before the handler is called, so of several emissions at the same time, nested ones included, one
    /// calls it. A panic of the handler does not connect it again.
    ///
    /// # Panics
    ///
    /// As [`connect`](Self::connect).
    #[doc(alias = "once")]
    pub fn connect_once<T: Object>(
        &self,
        receiver: Handle<T>,
        handler: impl Fn(&T, &A) -> R::Item + Send + Sync + 'static,
    ) -> Connection {
        self.connect_with(Terms::ONCE, receiver, handler)
    }

    /// As [`connect`](Self::connect), with a priority, or for one call: see [`Terms`].
    ///
    /// # Panics
    ///
    /// As [`connect`](Self::connect).
    pub fn connect_with<T: Object>(
        &self,
        terms: Terms,
        receiver: Handle<T>,
        handler: impl Fn(&T, &A) -> R::Item + Send + Sync + 'static,
    ) -> Connection {
        let binding: Binding<A, R> = Box::new(Bound {
            receiver,
            handler,
            once: terms.once,
        });
        self.connections.add(terms.priority, receiver.as_any(), binding)
    }

    /// Calls the handlers, and returns their results, combined by the rule.
    ///
    /// ```
    /// use acedia::allocate;
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
        self.connections.emit::<R, _>(Self::calling(args))
    }

    /// As [`emit`](Self::emit), for a signal inside an object that a handler may free: a freed object calls no more handlers.
    ///
    /// `None` if the object is not alive at the start. If its life ends during the emission, later handlers are not called, and
    /// the results so far are combined. (`owner.get(&pinned)?.signal.emit(…)` would keep the object readable until the end of the
    /// emission, and call all handlers.)
    ///
    /// ```
    /// use acedia::{Object, allocate, class};
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
    /// As [`emit`](Self::emit), and if `signal` panics.
    pub fn emit_of<T: Object>(owner: Handle<T>, signal: impl Fn(&T) -> &Self, args: &A) -> Option<R::Output> {
        Connections::emit_of::<R, _, T>(owner, |it| &signal(it).connections, Self::calling(args))
    }

    fn calling(args: &A) -> impl FnMut(&Binding<A, R>, Handle<Slot>) -> Called<R::Item> {
        move |binding, me| binding.call(args, me)
    }
}

impl<A: ?Sized, R> Deref for Signal<A, R> {
    type Target = Connections;

    fn deref(&self) -> &Connections {
        &self.connections
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
        self.connections.fmt(f)
    }
}

impl<A: ?Sized, R> fmt::Debug for Signal<A, R> {
    /// `Signal(2 connections)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signal({self})")
    }
}
