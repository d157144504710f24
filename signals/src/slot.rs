//! [`Slot`]: a connected handler.

use std::any::Any;

use acedia::__private::{KeptObjects, inventory};
use acedia::{Handle, Object, Reason, class};

/// A connected handler. The slot's life is the connection.
///
/// Ending the connection frees the slot, which happens once, even if several threads or the handler itself end it. The handler's
/// captured values are dropped when no thread can be in the handler.
#[derive(Default)]
pub(crate) struct Slot {
    connected: Option<Connected>,
}

struct Connected {
    /// A [`Binding`] of the slot's signal.
    binding: Box<dyn Any + Send + Sync>,
    is_over: fn(&dyn Any) -> bool,
}

impl Object for Slot {
    class!(Slot, "AcediaCore.Slot");

    const FINALIZER: Option<fn(&mut Self)> = Some(|slot| slot.connected = None);
}

// Not leaks: the slots of a freed receiver stay in the signal's list until the next emission.
inventory::submit! {
    KeptObjects {
        class: Slot::class,
        indices: || {
            let slots = Slot::pool().handles();
            let over = slots.filter(|slot| slot.with(Slot::is_over) == Some(true));
            over.map(Handle::index).collect()
        },
    }
}

impl Slot {
    /// A slot that lives until it is freed through the handle.
    pub(crate) fn keep<A: ?Sized + 'static, Item: 'static>(binding: Binding<A, Item>) -> Handle<Self> {
        let connected = Connected {
            binding: Box::new(binding),
            is_over: |binding| binding.downcast_ref::<Binding<A, Item>>().is_none_or(|it| it.is_over()),
        };
        Self::allocate_with(|slot| slot.connected = Some(connected)).into_manual()
    }

    /// The binding, if the slot's signal is of these types. `None` after the end of the life.
    pub(crate) fn binding<A: ?Sized + 'static, Item: 'static>(&self) -> Option<&Binding<A, Item>> {
        self.connected.as_ref()?.binding.downcast_ref()
    }

    /// Whether the life of the slot or of the receiver has ended.
    pub(crate) fn is_over(&self) -> bool {
        let connected = self.connected.as_ref();
        connected.is_none_or(|connected| (connected.is_over)(&*connected.binding))
    }
}

/// A handler and its receiver, of any class.
pub(crate) trait Bind<A: ?Sized, Item>: Send + Sync {
    /// Calls the handler of the slot `me`, if the receiver is alive.
    fn call(&self, args: &A, me: Handle<Slot>) -> Called<Item>;

    /// Whether the receiver's life has ended.
    fn is_over(&self) -> bool;
}

pub(crate) type Binding<A, Item> = Box<dyn Bind<A, Item>>;

pub(crate) struct Bound<T: Object, F> {
    pub(crate) receiver: Handle<T>,
    pub(crate) handler: F,
    /// Whether the connection ends with the first call.
    pub(crate) once: bool,
}

impl<T, A, Item, F> Bind<A, Item> for Bound<T, F>
where
    T: Object,
    A: ?Sized,
    F: Fn(&T, &A) -> Item + Send + Sync,
{
    fn call(&self, args: &A, me: Handle<Slot>) -> Called<Item> {
        let called = self.receiver.with(|receiver| {
            // A life is freed only once, so one of several emissions calls the handler. Its pin keeps the slot.
            if self.once && me.free().is_err() {
                return Called::Over;
            }
            Called::Item((self.handler)(receiver, args))
        });
        match called {
            Some(called) => called,
            None if is_over(self.receiver) => Called::Over,
            None => Called::Hidden,
        }
    }

    fn is_over(&self) -> bool {
        is_over(self.receiver)
    }
}

/// The result of a call.
pub(crate) enum Called<Item> {
    /// The handler has run.
    Item(Item),
    /// The receiver is hidden at the moment.
    Hidden,
    /// The receiver's life or the connection has ended.
    Over,
}

/// Whether an object's life has ended. A hidden object is alive.
pub(crate) fn is_over<T: Object>(object: Handle<T>) -> bool {
    object
        .try_with(|_| ())
        .is_err_and(|error| error.reason() != Reason::Hidden)
}
