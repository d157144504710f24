//! [`Connection`]: one handler of one signal, by name.

use std::fmt;

use acedia_allocator::{AnyHandle, Handle};

use crate::slot::Slot;

/// Names one connection of a [`Signal`](crate::Signal): what [`connect`](crate::Signal::connect) returns.
///
/// A plain value of 24 bytes. Dropping it changes nothing; a connection lasts until it is ended here, by its signal, or by
/// the end of its receiver's life.
///
/// ```
/// use acedia_allocator::{Object, class};
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
/// assert_eq!(connection.receiver(), lamp.handle().as_any());
/// drop(lamp);
/// assert!(!connection.is_connected());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "Slot")]
#[doc(alias = "SimpleSlot")]
pub struct Connection {
    slot: Handle<Slot>,
    receiver: AnyHandle,
}

impl Connection {
    pub(crate) fn new(slot: Handle<Slot>, receiver: AnyHandle) -> Self {
        Self { slot, receiver }
    }

    pub(crate) fn slot(self) -> Handle<Slot> {
        self.slot
    }

    /// Whether the handler will be called by the next emission, as far as one can know now. A few loads.
    #[must_use]
    pub fn is_connected(self) -> bool {
        self.slot.is_allocated() && self.receiver.is_allocated()
    }

    /// Ends this connection, and no other of the same receiver. Nothing happens if it has ended already.
    ///
    /// An emission that is under way does not call the handler any more; a call that has begun is not broken off. What the
    /// handler owns is dropped as soon as no emission can be in it, here as a rule. No lock is taken.
    ///
    /// To end all connections that the receiver has with a signal:
    /// [`signal.disconnect(connection.receiver())`](crate::Signal::disconnect).
    ///
    /// # Panics
    ///
    /// If dropping what the handler owns does. The connection has ended all the same.
    #[doc(alias = "FreeSelf")]
    pub fn disconnect(self) {
        // Refused if somebody else has ended it.
        let _ = self.slot.free();
    }

    /// The object whose life bounds the connection, alive or not.
    pub fn receiver(self) -> AnyHandle {
        self.receiver
    }
}

impl fmt::Display for Connection {
    /// `connection to Game.Lamp in slot 3, life 1`, and `, ended` behind it once it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = if self.is_connected() { "" } else { ", ended" };
        write!(f, "connection to {}{ended}", self.receiver)
    }
}

impl fmt::Debug for Connection {
    /// Of whom it is, and whether it lasts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("receiver", &self.receiver)
            .field("slot", &self.slot)
            .field("is_connected", &self.is_connected())
            .finish()
    }
}
