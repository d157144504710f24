//! What is brief: a key, and a value behind it, written in one room.

use acedia_text::Text;

use super::escape;
use super::number;
use super::sheet::BRIEF;
use crate::Item;
use crate::hash_table::shape::{KEY_ROOM, ShapeKey};
use crate::scalar::Scalar;

/// What is written before an item.
pub(super) trait Before {
    /// Writes it; how many bytes that are.
    fn write(self, room: &mut [u8; KEY_ROOM + BRIEF]) -> usize;
}

impl Before for () {
    #[inline]
    fn write(self, _: &mut [u8; KEY_ROOM + BRIEF]) -> usize {
        0
    }
}

impl Before for [u8; 1] {
    #[inline]
    fn write(self, room: &mut [u8; KEY_ROOM + BRIEF]) -> usize {
        room[0] = self[0];
        1
    }
}

/// A key of a shape that has room, with the brace or comma before it.
impl Before for (&ShapeKey, u8) {
    #[inline]
    fn write(self, room: &mut [u8; KEY_ROOM + BRIEF]) -> usize {
        let (key, before) = self;
        room[..KEY_ROOM].copy_from_slice(&key.json);
        room[0] = before;
        key.json_len.min(KEY_ROOM)
    }
}

/// What was written of an item.
pub(super) enum Written<'a> {
    /// All of it, so many bytes.
    Whole(usize),
    /// Nothing: it is a text that is not short, or has something to be escaped.
    Text(&'a Text),
    /// Nothing: it owns another object.
    Object,
    /// Nothing: it is something else.
    Other,
}

/// Writes what is brief.
#[inline]
pub(super) fn written<'a>(item: &'a Item, room: &mut [u8; BRIEF]) -> Written<'a> {
    let len = match (item.plain(), item.object()) {
        (Some(Scalar::Int(value)), _) => number::write(value.into(), room),
        (Some(Scalar::Long(value)), _) => number::write(value, room),
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

/// Writes a word. Its length.
#[inline]
fn put<const LEN: usize>(word: [u8; LEN], room: &mut [u8; BRIEF]) -> usize {
    room[..LEN].copy_from_slice(&word);
    LEN
}
