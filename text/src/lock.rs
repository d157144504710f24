//! [`Lock`]: the lock of a mutable text.

use acedia_lock as protocol;

/// A read-write lock that panics instead of waiting forever.
pub(crate) type Lock<T> = protocol::Lock<T, Text>;

/// Names the locked thing in messages.
pub(crate) struct Text;

impl protocol::Subject for Text {
    const NAME: &'static str = "a mutable text";
    const WAY_OUT: &'static str = "copy the text to insert before you lock this one";
}
