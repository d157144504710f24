//! [`Connection`]: the connection of one handler to one signal.

use std::fmt;

use acedia::{AnyHandle, Handle};

use crate::slot::Slot;

/// Identifies one connection of a [`Signal`](crate::Signal). The result of [`connect`](crate::Signal::connect).
///
/// A plain value of 32 bytes. Dropping it does not end the connection. A connection ends when [`disconnect`](Self::disconnect) is
/// called, when its signal ends it, or when its receiver is freed.
///
/// ```
/// use acedia::{Object, class};
/// use acedia_signals::SimpleSignal;
///
/// #[derive(Default)]
/// struct Lamp;
/// impl Object for Lamp {
///     class!(Lamp, "Doc.Lamp");
/// }
///
/// let (dusk, lamp) = (SimpleSignal::new(), Lamp::allocate());
/// let connection = dusk.connect(lamp.handle(), |_, ()| ());
/// assert!(connection.is_connected());
/// assert_eq!(connection.receiver(), lamp.handle().to_any());
/// drop(lamp);
/// assert!(!connection.is_connected());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "Slot")]
#[doc(alias = "SimpleSlot")]
pub struct Connection {
    slot: Handle<Slot>,
    receiver: AnyHandle,
    priority: i32,
}

impl Connection {
    pub(crate) fn new(slot: Handle<Slot>, receiver: AnyHandle, priority: i32) -> Self {
        Self {
            slot,
            receiver,
            priority,
        }
    }

    pub(crate) fn slot(self) -> Handle<Slot> {
        self.slot
    }

    /// Whether the connection has not ended, and its receiver is alive. Costs a few loads.
    #[must_use]
    pub fn is_connected(self) -> bool {
        self.slot.is_allocated() && self.receiver.is_allocated()
    }

    /// Ends this connection. Other connections of the same receiver stay. Does nothing if this connection has ended
    /// already.
    ///
    /// A running emission does not call the handler afterwards, but a call that has begun runs to its end. The handler's captured
    /// values are dropped once no emission can be running the handler: usually in this call. Takes no lock.
    ///
    /// To end all connections that the receiver has with a signal:
    /// [`signal.disconnect(connection.receiver())`](crate::Signal::disconnect).
    ///
    /// # Panics
    ///
    /// If dropping the handler's captured values panics. The connection has ended nevertheless.
    #[doc(alias = "FreeSelf")]
    pub fn disconnect(self) {
        // An error means that the connection has ended already.
        let _ = self.slot.free();
    }

    /// The receiver, which may be dead already.
    pub fn receiver(self) -> AnyHandle {
        self.receiver
    }

    /// The priority of the connection's [`Terms`](crate::Terms).
    #[must_use]
    pub fn priority(self) -> i32 {
        self.priority
    }
}

impl fmt::Display for Connection {
    /// Prints `connection to Game.Lamp in slot 3, life 1`, followed by `, ended` once the connection has ended.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = if self.is_connected() { "" } else { ", ended" };
        write!(f, "connection to {}{ended}", self.receiver)
    }
}

impl fmt::Debug for Connection {
    /// Prints the receiver, the slot, the priority, and whether the connection has ended.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("receiver", &self.receiver)
            .field("slot", &self.slot)
            .field("priority", &self.priority)
            .field("is_connected", &self.is_connected())
            .finish()
    }
}
