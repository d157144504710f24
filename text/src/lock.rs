//! [`Lock`]: what holds a mutable text.

use acedia_allocator::__private as protocol;

/// A read-write lock that panics where waiting would have no end.
pub(crate) type Lock<T> = protocol::Lock<T, Text>;

/// What is locked.
pub(crate) struct Text;

impl protocol::Subject for Text {
    const NAME: &'static str = "a mutable text";
    const WAY_OUT: &'static str = "copy what is to be put into it before it is locked";
}
