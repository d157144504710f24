//! [`Lock`]: what is not in an atomic.

use acedia_allocator::__private as protocol;

/// A read-write lock that panics where waiting would have no end. Who runs no user code while holding it takes it briefly.
pub(crate) type Lock<T> = protocol::Lock<T, Ref>;

/// What is locked.
#[derive(Debug)]
pub struct Ref;

impl protocol::Subject for Ref {
    const NAME: &'static str = "a ref";
    const WAY_OUT: &'static str = "inside `with`, `with_mut` and `update`, go through the closure's argument";
}
