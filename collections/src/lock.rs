//! [`Lock`]: the lock around the items of a collection.

use acedia_lock as protocol;

pub(crate) use protocol::Writing;

/// A read-write lock that panics if waiting would have no end.
pub(crate) type Lock<T> = protocol::Lock<T, Collection>;

/// The words of the lock's panics.
pub(crate) struct Collection;

impl protocol::Subject for Collection {
    const NAME: &'static str = "a collection";
    const WAY_OUT: &'static str = "a guard in the head of `if let`, `match` or `for` lives to the end of the block: read a value with `get` before, or use the guard for both";
}
