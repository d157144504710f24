//! [`Connections`]: the list of a signal, and emissions over it.

use std::fmt;
use std::mem;

use acedia::__private::drop_all;
use acedia::{AnyHandle, Handle, Object, Owned, pin};
use parking_lot::Mutex;

use crate::list::List;
use crate::slot::{Called, Receive, Slot, is_over};
use crate::{Connection, Rule};

/// The connections of a signal. [`Signal`](crate::Signal) and [`Relay`](crate::Relay) dereference to this type.
///
/// ```
/// use acedia::Object;
/// use acedia_signals::SimpleSignal;
///
/// let (signal, receiver) = (SimpleSignal::new(), SimpleSignal::allocate());
/// signal.connect(receiver.handle(), |_, ()| ());
/// assert_eq!((signal.len(), signal.is_empty()), (1, false));
/// signal.disconnect_all();
/// assert!(signal.is_empty());
/// ```
///
/// Dropping the signal ends all connections.
pub struct Connections {
    list: Mutex<List>,
}

impl Connections {
    pub(crate) const fn new() -> Self {
        Self {
            list: Mutex::new(List::EMPTY),
        }
    }

    /// Ends all connections of `receiver`, which may be dead, and returns their number.
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

    /// Ends all connections. A running emission calls no handler afterwards.
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

    /// Adds a connection. If the list has doubled, ends the connections whose receivers are dead. All bindings of the list are a
    /// `Box<B>`.
    pub(crate) fn add<B: Receive + Send + Sync + ?Sized + 'static>(
        &self,
        priority: i32,
        receiver: AnyHandle,
        binding: Box<B>,
    ) -> Connection {
        let connection = Connection::new(Slot::keep(binding), receiver, priority);
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

    /// Removes connections that have ended from the list.
    fn tidy(&self) {
        self.list.lock().sweep(|connection| !connection.slot().is_allocated());
    }

    /// Calls the handlers by `call`, and combines their results by `R`. All bindings of the list are a `B`.
    pub(crate) fn run<R: Rule, B: 'static>(&self, call: impl FnMut(&B, Handle<Slot>) -> Called<R::Item>) -> R::Output {
        let list = self.list.lock().snapshot();
        let emission = Emission::<R>::run(&list, call, || true);
        if emission.met_dead {
            self.tidy();
        }
        emission.rule.finish()
    }

    /// Like [`run`](Self::run), but only until the end of the life of the object that contains the connections.
    pub(crate) fn run_of<R: Rule, B: 'static, T: Object>(
        owner: Handle<T>,
        connections: impl Fn(&T) -> &Self,
        call: impl FnMut(&B, Handle<Slot>) -> Called<R::Item>,
    ) -> Option<R::Output> {
        let list = owner.with(|it| connections(it).list.lock().snapshot())?;
        let emission = Emission::<R>::run(&list, call, || !is_over(owner));
        if emission.met_dead {
            owner.with(|it| connections(it).tidy());
        }
        Some(emission.rule.finish())
    }
}

/// The result of calling a list of handlers.
struct Emission<R> {
    rule: R,
    /// Whether a connection in the list has ended.
    met_dead: bool,
}

impl<R: Rule> Emission<R> {
    fn run<B: 'static>(
        list: &[Connection],
        mut call: impl FnMut(&B, Handle<Slot>) -> Called<R::Item>,
        goes_on: impl Fn() -> bool,
    ) -> Self {
        let mut emission = Self {
            rule: R::default(),
            met_dead: false,
        };
        for connection in list {
            if !goes_on() {
                break;
            }
            // Pinned for this call only: the rule is user code, too, and need not hold back freed objects.
            let called = {
                let (pinned, me) = (pin(), connection.slot());
                let binding = me.get(&pinned).and_then(Slot::binding);
                binding.map_or(Called::Over, |binding| call(binding, me))
            };
            match called {
                Called::Item(item) => {
                    if emission.rule.add(item).is_break() {
                        break;
                    }
                }
                // Later emissions may find it, for instance a reserved receiver once it is filled.
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

impl Drop for Connections {
    fn drop(&mut self) {
        self.disconnect_all();
    }
}

impl fmt::Display for Connections {
    /// Prints `2 connections`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len() {
            1 => f.pad("1 connection"),
            several => write!(f, "{several} connections"),
        }
    }
}

impl fmt::Debug for Connections {
    /// Prints `Connections(2 connections)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connections({self})")
    }
}
