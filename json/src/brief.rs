//! Short values: a key and the value behind it, written into one buffer of fixed length.

use acedia_text::Text;

use super::escape;
use super::number;
use super::sheet::BRIEF;
use acedia_collections::__private::Scalar;
use acedia_collections::__private::{KEY_ROOM, ShapeKey};
use acedia_collections::Item;

/// Enough bytes for a key of up to 32 bytes, the bytes around it, and a short value.
pub(super) type Room = [u8; 2 * BRIEF];

/// Writes a key of a shape that fits, with the brace or comma before it, and returns their length.
#[inline]
pub(super) fn shape_key(key: &ShapeKey, before: u8, room: &mut Room) -> usize {
    room[..KEY_ROOM].copy_from_slice(&key.json);
    room[0] = before;
    key.json_len.min(KEY_ROOM)
}

/// How much of an item was written.
pub(super) enum Written<'a> {
    /// The whole item, which has this number of bytes.
    Whole(usize),
    /// Nothing, because the item is a long text, or a text that needs escapes.
    Text(&'a Text),
    /// Nothing, because the item owns another object.
    Object,
    /// Nothing, because the item is anything else.
    Other,
}

/// Writes an item, if it is short.
#[inline]
pub(super) fn written<'a>(item: &'a Item, room: &mut [u8; BRIEF]) -> Written<'a> {
    let len = match (item.plain(), item.object()) {
        (Some(Scalar::Int(value)), _) => number::write(value, room),
        (Some(Scalar::Double(value)), _) if value.is_finite() => number::write_double(value, room),
        (Some(Scalar::Bool(false)), _) => put(*b"false", room),
        (Some(Scalar::Bool(true)), _) => put(*b"true", room),
        (None, None) if !item.has_object() => put(*b"null", room),
        (None, Some(object)) => match object.downcast_ref::<Text>() {
            Some(text) => return escape::brief(text, room).map_or(Written::Text(text), Written::Whole),
            None => return Written::Object,
        },
        _ => return Written::Other,
    };
    Written::Whole(len)
}

/// Writes a word, and returns its length.
#[inline]
fn put<const LEN: usize>(word: [u8; LEN], room: &mut [u8; BRIEF]) -> usize {
    room[..LEN].copy_from_slice(&word);
    LEN
}
