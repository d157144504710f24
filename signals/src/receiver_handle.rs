//! [`ReceiverHandle`]: the argument of `connect` that names the receiver.

use acedia::{Handle, Object};

/// A [`Handle`] of the receiver of a connection. An owner is not accepted, because a connection does not keep its receiver alive.
///
/// The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "the receiver of a connection is a handle of a class, not `{Self}`",
    label = "pass `owner.handle()`, of a type with `#[derive(Object)]` or `class!`",
    note = "the connection does not keep the receiver alive: keep its owner"
)]
pub trait ReceiverHandle: sealed::Sealed {
    /// The class of the receiver.
    type Object: Object;

    #[doc(hidden)]
    fn handle(self) -> Handle<Self::Object>;
}

#[diagnostic::do_not_recommend]
impl<T: Object> ReceiverHandle for Handle<T> {
    type Object = T;

    fn handle(self) -> Self {
        self
    }
}

mod sealed {
    pub trait Sealed {}
    impl<T: acedia::Object> Sealed for acedia::Handle<T> {}
}
