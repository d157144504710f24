//! [`Op`]: one step.

use arbitrary::Arbitrary;

/// One step. Numbers choose among what there is, modulo its count.
#[derive(Arbitrary, Clone, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Push {
        text: u8,
        c: char,
    },
    AppendStr {
        text: u8,
        content: String,
        color: Option<u8>,
    },
    AppendText {
        text: u8,
        other: u8,
        color: Option<u8>,
    },
    AppendMany {
        text: u8,
        c: char,
        count: u8,
    },
    Insert {
        text: u8,
        at: u16,
        other: u8,
    },
    Prepend {
        text: u8,
        c: char,
        color: Option<u8>,
    },
    Remove {
        text: u8,
        from: u16,
        to: u16,
    },
    Slice {
        text: u8,
        from: u16,
        to: u16,
        target: u8,
    },
    SetFormat {
        text: u8,
        from: u16,
        to: u16,
        color: Option<u8>,
    },
    SetDefault {
        text: u8,
        color: Option<u8>,
    },
    Lower {
        text: u8,
    },
    Upper {
        text: u8,
    },
    Trim {
        text: u8,
    },
    Simplify {
        text: u8,
    },
    Clear {
        text: u8,
    },
    Replace {
        text: u8,
        before: u8,
        after: u8,
        how: u8,
    },
    ReplacePart {
        text: u8,
        from: u16,
        len: u8,
        after: u8,
        how: u8,
    },
    Find {
        text: u8,
        other: u8,
        from: u16,
        to: u16,
        how: u8,
    },
    FindPart {
        text: u8,
        at: u16,
        len: u8,
        from: u16,
        to: u16,
        how: u8,
    },
    Compare {
        text: u8,
        other: u8,
        how: u8,
    },
    Split {
        text: u8,
        at: u16,
    },
    Object {
        text: u8,
        shared: bool,
    },
    Utf8 {
        text: u8,
        piece: u8,
    },
}
