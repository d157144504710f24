//! [`Slot`]: what a signal calls.

use std::any::Any;

use acedia_allocator::{Handle, Object, Pinned, Reason, class};

use crate::Rule;

/// A handler as long as it is connected: the slot's life is the connection.
///
/// Whoever ends the connection frees a life of the engine's. So several that do it at the same time, and a handler that
/// ends its own, need no arrangement of ours; and what a handler owns is dropped as soon as nobody can be in it.
#[derive(Default)]
pub(crate) struct Slot(Option<Content>);

struct Content {
    /// A `Handler<A, R>` of the slot's signal.
    handler: Box<dyn Any + Send + Sync>,
    is_over: Box<dyn Fn(&Pinned) -> bool + Send + Sync>,
}

impl Object for Slot {
    class!(Slot, "AcediaCore.Slot");

    const FINALIZER: Option<fn(&mut Self)> = Some(|slot| slot.0 = None);
}

/// What came of a call.
pub(crate) enum Called<Item> {
    /// The handler has run.
    Item(Item),
    /// The receiver is out of sight for the moment.
    Hidden,
    /// The receiver's life has ended.
    Over,
}

type Handler<A, R> = Box<dyn Fn(&A, &Pinned) -> Called<<R as Rule>::Item> + Send + Sync>;

impl Slot {
    /// A slot that lives until somebody frees it through the handle.
    pub(crate) fn bind<T, A, R>(
        receiver: Handle<T>,
        handler: impl Fn(&T, &A) -> R::Item + Send + Sync + 'static,
    ) -> Handle<Self>
    where
        T: Object,
        A: ?Sized + 'static,
        R: Rule,
    {
        let handler: Handler<A, R> = Box::new(move |args, pinned| match receiver.get(pinned) {
            Some(receiver) => Called::Item(handler(receiver, args)),
            None if is_over(receiver, pinned) => Called::Over,
            None => Called::Hidden,
        });
        let content = Content {
            handler: Box::new(handler),
            is_over: Box::new(move |pinned| is_over(receiver, pinned)),
        };
        Self::allocate_with(|slot| slot.0 = Some(content)).into_manual()
    }

    /// Calls the handler, if the receiver's life goes on.
    pub(crate) fn call<A: ?Sized + 'static, R: Rule>(&self, args: &A, pinned: &Pinned) -> Called<R::Item> {
        let handler = self
            .0
            .as_ref()
            .and_then(|it| it.handler.downcast_ref::<Handler<A, R>>());
        handler.map_or(Called::Over, |handler| handler(args, pinned))
    }

    /// Whether the receiver's life has ended.
    pub(crate) fn is_over(&self, pinned: &Pinned) -> bool {
        self.0.as_ref().is_none_or(|it| (it.is_over)(pinned))
    }
}

/// Whether an object's life has ended, and is not merely out of sight.
pub(crate) fn is_over<T: Object>(object: Handle<T>, pinned: &Pinned) -> bool {
    object
        .try_get(pinned)
        .is_err_and(|error| error.reason() != Reason::Hidden)
}
