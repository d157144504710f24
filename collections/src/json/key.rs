//! Keys of tables as JSON writes them.

use acedia_text::{BaseText, MutableText, Text};

use super::number;
use super::reach::Reach;
use super::sheet::BRIEF;
use crate::Item;
use crate::hash_table::entries::ByShape;
use crate::item::simple::Simple;

/// The entries in the order of their keys.
pub(super) fn sorted<'a, R: Reach>(
    entries: ByShape<'a, impl Iterator<Item = R>, impl Iterator<Item = (&'a Item, R)>>,
) -> Vec<(&'a Item, R)> {
    let mut sorted: Vec<_> = match entries {
        ByShape::Shaped(shape, values) => shape.keys().iter().map(|key| &key.item).zip(values).collect(),
        ByShape::Other(entries) => entries.collect(),
    };
    sorted.sort_by_cached_key(|(key, _)| key.with(|text: &Text| text.to_string().into()).or_else(|| spelled(key)));
    sorted
}

/// A key that is a number, a `bool` or a boxed string, as a text. Nothing for other keys: mutable texts must not be waited for.
#[cold]
pub(super) fn spelled(key: &Item) -> Option<BaseText> {
    if key.is::<MutableText>() {
        return None;
    }
    let string = match Simple::of(key) {
        Simple::String(string) => string,
        Simple::Bool(value) => value.to_string(),
        Simple::Integer(value) => value.to_string(),
        Simple::Unsigned(value) => value.to_string(),
        Simple::Float(value) if value.is_finite() => digits(|room| number::write_float(value, room)),
        Simple::Double(value) if value.is_finite() => digits(|room| number::write_double(value, room)),
        _ => return None,
    };
    Some(string.into())
}

/// The ASCII that `write` writes.
fn digits(write: impl FnOnce(&mut [u8; BRIEF]) -> usize) -> String {
    let mut room = [0; BRIEF];
    let len = write(&mut room);
    room[..len].iter().copied().map(char::from).collect()
}
