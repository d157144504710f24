//! [`Long`]: any code points, all in the width that the widest of them needs.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::OnceLock;

use crate::units::{Units, Width, four, read_four, read_two, two};

/// A recycled buffer of more bytes than this is given back, so that one long text does not make its slot large for ever.
const KEPT: usize = 4096;

/// A buffer of up to this many codes is rewritten whenever it can be narrower.
const SHORT: usize = 1024;

/// The code points of a text, in the narrowest width that holds them all, or that held them before the last changes.
///
/// ```text
/// "cafe"   ASCII    63 61 66 65                 a String, which is a `&str` without a conversion
/// "café"   2 bytes  63 00 61 00 66 00 e9 00     one Vec<u8>: ASCII and the wide forms use the same memory
/// "☕😀"   4 bytes  15 26 00 00 00 f6 01 00
/// ```
///
/// Most wide texts are only stored, compared, and written out again. A wide string that is the whole text is therefore
/// [kept](Kept) in UTF-8 until its codes change. Reading its codes before that converts a copy.
///
/// Adding the first wide code rewrites the whole buffer in place. Removing the last one does so too if the buffer is short. A
/// long buffer becomes [loose](Self::is_loose) instead, until the number of codes added and removed reaches its length: adding
/// and removing one wide code repeatedly must not rewrite the whole text each time. Two buffers that are not loose hold the
/// same text if and only if their bytes are equal. The buffer of a [`Text`](crate::Text) is never loose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Long {
    store: Store,
    /// The whole text, if it is kept as a string. `store` is empty then.
    kept: Option<Kept>,
    /// The text of `store` in UTF-8, if that is wide, made at the first request.
    utf8: OnceLock<Box<str>>,
    /// The number of codes that need the current width. Once none does: the negated number of codes added and removed since.
    broad: isize,
}

#[derive(Clone, Debug)]
enum Store {
    Ascii(String),
    Two(Vec<u8>),
    Four(Vec<u8>),
}

/// A string that is not all ASCII, unchanged.
#[derive(Clone, Debug)]
struct Kept {
    text: String,
    /// The number of codes, computed at the first request.
    len: OnceLock<usize>,
    /// The same text by codes, made at the first request.
    codes: OnceLock<Box<Long>>,
}

impl Kept {
    fn new(text: String) -> Self {
        Self {
            text,
            len: OnceLock::new(),
            codes: OnceLock::new(),
        }
    }

    fn len(&self) -> usize {
        *self.len.get_or_init(|| self.text.chars().count())
    }

    fn codes(&self) -> &Long {
        self.codes.get_or_init(|| Box::new(Long::of_codes(&self.text)))
    }
}

impl Default for Store {
    fn default() -> Self {
        Self::Ascii(String::new())
    }
}

impl Long {
    #[inline]
    pub(crate) fn units(&self) -> Units<'_> {
        if let Some(kept) = &self.kept {
            return kept.codes().units();
        }
        match &self.store {
            Store::Ascii(text) => Units::Ascii(text),
            Store::Two(bytes) => Units::Two(bytes),
            Store::Four(bytes) => Units::Four(bytes),
        }
    }

    /// The text as a string, if it is stored as one.
    #[inline]
    pub(crate) fn as_str(&self) -> Option<&str> {
        match (&self.kept, &self.store) {
            (Some(Kept { text, .. }), _) | (None, Store::Ascii(text)) => Some(text),
            (None, Store::Two(_) | Store::Four(_)) => None,
        }
    }

    /// The text as a string, which is made and kept if there is none.
    pub(crate) fn to_str(&self) -> &str {
        self.as_str().unwrap_or_else(|| {
            let made = self.utf8.get_or_init(|| self.units().chars().collect());
            &**made
        })
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        match &self.kept {
            Some(kept) => kept.len(),
            None => self.units().len(),
        }
    }

    fn width(&self) -> Width {
        self.units().width()
    }

    /// Whether a narrower width would hold all codes.
    #[inline]
    pub(crate) fn is_loose(&self) -> bool {
        self.broad <= 0 && !matches!(self.store, Store::Ascii(_))
    }

    /// Makes the units as narrow as the widest of them allows.
    #[inline]
    pub(crate) fn tighten(&mut self) {
        if self.is_loose() {
            self.narrow();
        }
    }

    /// Converts the kept string to codes, which are about to change.
    fn settle(&mut self) {
        self.forget_utf8();
        if let Some(kept) = self.kept.take() {
            *self = match kept.codes.into_inner() {
                Some(codes) => *codes,
                None => Self::of_codes(&kept.text),
            };
        }
    }

    fn forget_utf8(&mut self) {
        if self.utf8.get().is_some() {
            self.utf8 = OnceLock::new();
        }
    }

    /// Counts added codes that need the current width.
    fn add_broad(&mut self, count: usize) {
        if count > 0 {
            self.broad = self.broad.max(0).saturating_add_unsigned(count);
        }
    }

    fn capacity(&self) -> usize {
        match (&self.kept, &self.store) {
            (Some(Kept { text, .. }), _) | (None, Store::Ascii(text)) => text.capacity(),
            (None, Store::Two(bytes) | Store::Four(bytes)) => bytes.capacity(),
        }
    }

    /// Empties the buffer and keeps its memory.
    pub(crate) fn clear(&mut self) {
        let mut bytes = self.take_bytes();
        bytes.clear();
        self.set_ascii(bytes);
    }

    /// As [`clear`](Self::clear), for the next life: keeps no more memory than [`KEPT`].
    pub(crate) fn recycle(&mut self) {
        self.clear();
        if self.capacity() > KEPT {
            *self = Self::default();
        }
    }

    /// Makes room for `count` codes of the current width.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.settle();
        let width = self.width().bytes();
        match &mut self.store {
            Store::Ascii(text) => text.reserve(count),
            Store::Two(bytes) | Store::Four(bytes) => bytes.reserve(count.saturating_mul(width)),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        self.settle();
        match (&mut self.store, Width::of(c)) {
            (Store::Ascii(text), Width::One) => text.push(c),
            (Store::Two(bytes), Width::One | Width::Two) => {
                bytes.extend_from_slice(&two(c as u32));
                self.add_broad(usize::from(!c.is_ascii()));
            }
            (Store::Four(bytes), width) => {
                bytes.extend_from_slice(&four(c as u32));
                self.add_broad(usize::from(width == Width::Four));
            }
            _ => self.push_str_wide(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// The text, if it is ASCII, to change letters in place.
    pub(crate) fn as_ascii_mut(&mut self) -> Option<&mut str> {
        self.settle();
        match &mut self.store {
            Store::Ascii(text) => Some(text),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        self.settle();
        match &mut self.store {
            Store::Ascii(own) if is_ascii(text) => own.push_str(text),
            _ => self.push_str_wide(text),
        }
    }

    /// Puts a whole string into an empty buffer. A text made of several pieces is stored by codes at once, since the next piece
    /// changes it.
    pub(crate) fn fill(&mut self, text: &str) {
        debug_assert_eq!(self.len(), 0);
        let mut own = String::from_utf8(self.take_bytes()).expect("nothing is UTF-8");
        own.push_str(text);
        *self = Self::of_string(own);
    }

    /// A text by codes.
    #[cold]
    fn of_codes(text: &str) -> Self {
        let mut codes = Self::default();
        codes.push_str_wide(text);
        codes
    }

    #[inline(never)]
    fn push_str_wide(&mut self, text: &str) {
        // Counting is a second pass over the text. For a short one the number of bytes is a sufficient bound.
        const LITTLE: usize = 256;
        self.widen(Width::of_str(text));
        let most = if text.len() <= LITTLE {
            text.len()
        } else {
            text.chars().count()
        };
        if let Store::Two(bytes) = &mut self.store {
            bytes.reserve(most * 2);
            let broad = extend_two(bytes, text);
            return self.add_broad(broad);
        }
        self.extend(most, text.chars());
    }

    pub(crate) fn push_units(&mut self, units: Units<'_>) {
        self.settle();
        self.widen(units.narrowest());
        match (&mut self.store, units) {
            (Store::Ascii(own), Units::Ascii(text)) => own.push_str(text),
            (Store::Two(own), Units::Two(bytes)) | (Store::Four(own), Units::Four(bytes)) => {
                own.extend_from_slice(bytes);
                self.add_broad(units.count_from(self.width()));
            }
            _ => self.extend(units.len(), units.chars()),
        }
    }

    /// Adds at most `most` codes, which fit the current width.
    fn extend(&mut self, most: usize, chars: impl Iterator<Item = char>) {
        let smallest = self.width().smallest();
        let (mut count, mut broad) = (0, 0);
        let mut next = |c: char| {
            count += 1;
            broad += usize::from(c as u32 >= smallest);
            c as u32
        };
        match &mut self.store {
            Store::Ascii(text) => return text.extend(chars),
            Store::Two(bytes) => {
                let len = bytes.len();
                for (unit, c) in grow(bytes, most * 2).chunks_exact_mut(2).zip(chars) {
                    unit.copy_from_slice(&two(next(c)));
                }
                bytes.truncate(len + count * 2);
            }
            Store::Four(bytes) => {
                let len = bytes.len();
                for (unit, c) in grow(bytes, most * 4).chunks_exact_mut(4).zip(chars) {
                    unit.copy_from_slice(&four(next(c)));
                }
                bytes.truncate(len + count * 4);
            }
        }
        self.add_broad(broad);
    }

    /// Replaces a range, which must lie inside, by `by`.
    pub(crate) fn replace(&mut self, range: Range<usize>, by: Units<'_>) {
        self.settle();
        if let (Store::Ascii(own), Units::Ascii(by)) = (&mut self.store, by) {
            return own.replace_range(range, by);
        }
        let (len, count) = (self.len(), by.len());
        self.push_units(by);
        let units = self.units();
        let (size, removed) = (
            units.width().bytes(),
            units.slice(range.clone()).count_from(units.width()),
        );
        self.broad = self.broad.saturating_sub_unsigned(removed);
        match &mut self.store {
            Store::Ascii(own) => {
                let added = own.split_off(len);
                own.replace_range(range, &added);
            }
            Store::Two(bytes) | Store::Four(bytes) => {
                bytes.drain(range.start * size..range.end * size);
                bytes[range.start * size..].rotate_right(count * size);
                if self.is_loose() {
                    self.broad = self.broad.saturating_sub_unsigned(range.len() + count);
                    let len = self.len();
                    if len <= SHORT || self.broad.unsigned_abs() >= len {
                        self.narrow();
                    }
                }
            }
        }
    }

    /// The codes as UTF-8; a string is not copied.
    pub(crate) fn into_string(self) -> String {
        match (self.kept, self.store) {
            (Some(Kept { text, .. }), _) | (None, Store::Ascii(text)) => text,
            (None, Store::Two(bytes)) => Units::Two(&bytes).chars().collect(),
            (None, Store::Four(bytes)) => Units::Four(&bytes).chars().collect(),
        }
    }

    /// Takes over the memory of a string.
    pub(crate) fn of_string(text: String) -> Self {
        if is_ascii(&text) {
            let store = Store::Ascii(text);
            return Self {
                store,
                ..Self::default()
            };
        }
        let kept = Some(Kept::new(text));
        Self {
            kept,
            ..Self::default()
        }
    }

    /// Makes every unit at least this wide. Goes from the last to the first, since units move towards the end.
    fn widen(&mut self, to: Width) {
        let from = self.width();
        if to <= from {
            return;
        }
        let len = self.len();
        let mut bytes = self.take_bytes();
        bytes.resize(len * to.bytes(), 0);
        for index in (0..len).rev() {
            let code = match from {
                Width::One => u32::from(bytes[index]),
                _ => read_two(&bytes[index * 2..]),
            };
            match to {
                Width::Four => bytes[index * 4..][..4].copy_from_slice(&four(code)),
                _ => bytes[index * 2..][..2].copy_from_slice(&two(code)),
            }
        }
        // No code needs the new width yet. The next one does.
        self.broad = 0;
        self.store = match to {
            Width::Four => Store::Four(bytes),
            _ => Store::Two(bytes),
        };
    }

    fn narrow(&mut self) {
        let (from, to, len) = (self.width(), self.units().narrowest(), self.len());
        let mut bytes = self.take_bytes();
        for index in 0..len {
            let code = match from {
                Width::Four => read_four(&bytes[index * 4..]),
                _ => read_two(&bytes[index * 2..]),
            };
            match to {
                Width::One => bytes[index] = code.to_le_bytes()[0],
                _ => bytes[index * 2..][..2].copy_from_slice(&two(code)),
            }
        }
        bytes.truncate(len * to.bytes());
        if to == Width::One {
            return self.set_ascii(bytes);
        }
        self.store = Store::Two(bytes);
        self.broad = 0;
        self.add_broad(self.units().count_from(to));
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        self.forget_utf8();
        if let Some(kept) = self.kept.take() {
            return kept.text.into_bytes();
        }
        match std::mem::take(&mut self.store) {
            Store::Ascii(text) => text.into_bytes(),
            Store::Two(bytes) | Store::Four(bytes) => bytes,
        }
    }

    fn set_ascii(&mut self, bytes: Vec<u8>) {
        self.broad = 0;
        self.store = Store::Ascii(String::from_utf8(bytes).expect("ASCII is UTF-8"));
    }
}

/// As `str::is_ascii`. That checks the bytes after the last whole block one by one; this checks two blocks that overlap.
fn is_ascii(text: &str) -> bool {
    const BLOCK: usize = 64;
    let bytes = text.as_bytes();
    match bytes.last_chunk::<BLOCK>() {
        Some(last) => last.is_ascii() && bytes[..bytes.len() / BLOCK * BLOCK].is_ascii(),
        None => bytes.is_ascii(),
    }
}

/// Adds the codes of a text, two bytes each, which they must fit. Returns the number that are not ASCII. Four ASCII codes are
/// converted at a time.
fn extend_two(bytes: &mut Vec<u8>, text: &str) -> usize {
    let (mut rest, mut broad) = (text, 0);
    loop {
        let four = rest.as_bytes().first_chunk().map(|four| u32::from_le_bytes(*four));
        if let Some(four) = four.filter(|four| four & 0x8080_8080 == 0) {
            // First the 16-bit halves move apart, then the bytes of each.
            let pairs = (u64::from(four) | u64::from(four) << 16) & 0x0000_ffff_0000_ffff;
            let codes = (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff;
            bytes.extend_from_slice(&codes.to_le_bytes());
            rest = &rest[4..];
            continue;
        }
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { return broad };
        bytes.extend_from_slice(&two(c as u32));
        broad += usize::from(!c.is_ascii());
        rest = chars.as_str();
    }
}

/// Adds `count` bytes and returns them.
fn grow(bytes: &mut Vec<u8>, count: usize) -> &mut [u8] {
    let start = bytes.len();
    bytes.resize(start + count, 0);
    &mut bytes[start..]
}
