//! [`Slot`]: a connected handler.

use std::any::Any;

use acedia_allocator::{Handle, Object, Reason, class};

use crate::Rule;

/// A connected handler. The slot's life is the connection.
///
/// Ending the connection frees the slot. So the pool handles several threads that end one connection, and a handler that ends
/// its own. The handler's captured values are dropped when no thread can be in the handler.
#[derive(Default)]
pub(crate) struct Slot {
    /// A `Binding<A, R>` of the slot's signal.
    binding: Option<Box<dyn Any + Send + Sync>>,
}

impl Object for Slot {
    class!(Slot, "AcediaCore.Slot");

    const FINALIZER: Option<fn(&mut Self)> = Some(|slot| slot.binding = None);
}

type Binding<A, R> = Box<dyn Bind<A, <R as Rule>::Item>>;

/// A handler and its receiver, of any class.
trait Bind<A: ?Sized, Item>: Send + Sync {
    fn call(&self, args: &A) -> Called<Item>;

    fn is_over(&self) -> bool;
}

struct Bound<T: Object, F> {
    receiver: Handle<T>,
    handler: F,
}

impl<T, A, Item, F> Bind<A, Item> for Bound<T, F>
where
    T: Object,
    A: ?Sized,
    F: Fn(&T, &A) -> Item + Send + Sync,
{
    fn call(&self, args: &A) -> Called<Item> {
        match self.receiver.with(|receiver| (self.handler)(receiver, args)) {
            Some(item) => Called::Item(item),
            None if self.is_over() => Called::Over,
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
    /// The receiver's life has ended.
    Over,
}

impl Slot {
    /// A slot that lives until it is freed through the handle.
    pub(crate) fn bind<T, A, R>(
        receiver: Handle<T>,
        handler: impl Fn(&T, &A) -> R::Item + Send + Sync + 'static,
    ) -> Handle<Self>
    where
        T: Object,
        A: ?Sized + 'static,
        R: Rule,
    {
        let binding: Binding<A, R> = Box::new(Bound { receiver, handler });
        Self::allocate_with(|slot| slot.binding = Some(Box::new(binding))).into_manual()
    }

    /// Calls the handler, if the receiver is alive.
    pub(crate) fn call<A: ?Sized + 'static, R: Rule>(&self, args: &A) -> Called<R::Item> {
        let binding = self.binding::<A, R>();
        binding.map_or(Called::Over, |binding| binding.call(args))
    }

    /// Whether the receiver's life has ended.
    pub(crate) fn is_over<A: ?Sized + 'static, R: Rule>(&self) -> bool {
        self.binding::<A, R>().is_none_or(|binding| binding.is_over())
    }

    fn binding<A: ?Sized + 'static, R: Rule>(&self) -> Option<&Binding<A, R>> {
        self.binding.as_ref()?.downcast_ref()
    }
}

/// Whether an object's life has ended. A hidden object is alive.
pub(crate) fn is_over<T: Object>(object: Handle<T>) -> bool {
    object
        .try_with(|_| ())
        .is_err_and(|error| error.reason() != Reason::Hidden)
}
