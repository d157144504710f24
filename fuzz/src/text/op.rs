//! [`Op`]: one step.

use arbitrary::Arbitrary;

/// One step: the number of the text, modulo their count, and what the driver names. Two `u16`s are a range, and the last number of a
/// search is its way to compare.
#[derive(Arbitrary, Clone, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Push(u8, char),
    AppendStr(u8, String, Option<u8>),
    AppendText(u8, u8, Option<u8>),
    AppendMany(u8, char, u8),
    Insert(u8, u16, u8),
    Prepend(u8, char, Option<u8>),
    Remove(u8, u16, u16),
    Slice(u8, u16, u16, u8),
    SetFormat(u8, u16, u16, Option<u8>),
    SetDefault(u8, Option<u8>),
    Lower(u8),
    Upper(u8),
    Trim(u8),
    Simplify(u8),
    Clear(u8),
    Replace(u8, u8, u8, u8),
    ReplacePart(u8, u16, u8, u8, u8),
    Find(u8, u8, u16, u16, u8),
    FindPart(u8, u16, u8, u16, u16, u8),
    Compare(u8, u8, u8),
    Split(u8, u16),
    Object(u8, bool),
    Utf8(u8, u8),
}
