//! [`Lock`]: the lock of a content that does not fit an atomic.

use acedia_lock as protocol;

/// A read-write lock that panics instead of waiting forever. Without user code under the lock, use the `_briefly` methods.
pub(crate) type Lock<T> = protocol::Lock<T, Ref>;

/// Names the locked value in messages.
#[derive(Debug)]
pub struct Ref;

impl protocol::Subject for Ref {
    const NAME: &'static str = "a ref";
    const WAY_OUT: &'static str = "inside `with`, `with_mut` and `update`, use the closure's argument";
}
