//! [`Buffer`]: code points, each in the same number of bytes, and in as few as the widest of them needs.

use std::ops::Range;

use ascii::AsciiStr;

use crate::short::Short;
use crate::units::{Units, Width, four, read_four, read_two, two};

/// A recycled buffer of more bytes than this is given back, so that one long text doesn't make its slot large for ever.
const KEPT: usize = 4096;

/// Up to how many codes a buffer is rewritten whenever it can be narrower.
const SHORT: usize = 1024;

/// The code points of a text, in the narrowest width that holds them all, or held them a moment ago.
///
/// ```text
/// "cafe"   ASCII    63 61 66 65                 within the object, up to 64
/// "cafe…"  ASCII    63 61 66 65 …               more are a String, so that it is a `&str` for nothing, too
/// "café"   2 bytes  63 00 61 00 66 00 e9 00     one Vec<u8>: the wide forms and ASCII use the same memory in turns
/// "☕😀"   4 bytes  15 26 00 00 00 f6 01 00
/// ```
///
/// A text that was too long or too wide once is no [`Short`] again in this life: it would move to and fro.
///
/// A change that lets the first wide code in rewrites the whole buffer in place. So does one that takes the last one out, if
/// the buffer is short. A long one is [loose](Self::is_loose) then, until as many codes were put in and taken out as there
/// are: a code that goes in and out again and again must not cost the whole text each time. Buffers that are not loose, as
/// those of every [`Text`](crate::Text), are the same text if they are the same bytes.
#[derive(Clone, Debug, Default)]
#[repr(C)] // What a short text needs comes first.
pub(crate) struct Buffer {
    short: Short,
    /// The text, if it isn't short; else an empty one in ASCII, with memory for the next that isn't.
    store: Store,
    /// How many codes need the current width; once none does, how many were put in and taken out since, as a negative number.
    broad: isize,
}

#[derive(Clone, Debug)]
enum Store {
    Ascii(String),
    Two(Vec<u8>),
    Four(Vec<u8>),
}

impl Default for Store {
    fn default() -> Self {
        Self::Ascii(String::new())
    }
}

impl Store {
    #[inline]
    fn units(&self) -> Units<'_> {
        match self {
            Self::Ascii(text) => Units::Ascii(text),
            Self::Two(bytes) => Units::Two(bytes),
            Self::Four(bytes) => Units::Four(bytes),
        }
    }

    fn capacity(&self) -> usize {
        match self {
            Self::Ascii(text) => text.capacity(),
            Self::Two(bytes) | Self::Four(bytes) => bytes.capacity(),
        }
    }

    fn take_bytes(&mut self) -> Vec<u8> {
        match std::mem::take(self) {
            Self::Ascii(text) => text.into_bytes(),
            Self::Two(bytes) | Self::Four(bytes) => bytes,
        }
    }

    fn ascii(bytes: Vec<u8>) -> Self {
        Self::Ascii(String::from_utf8(bytes).expect("ASCII is UTF-8"))
    }

    /// Empties it and keeps its memory.
    fn clear(&mut self) {
        let mut bytes = self.take_bytes();
        bytes.clear();
        *self = Self::ascii(bytes);
    }
}

impl Buffer {
    #[inline]
    pub(crate) fn units(&self) -> Units<'_> {
        match self.short.as_str() {
            Some(text) => Units::Ascii(text),
            None => self.store.units(),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.units().len()
    }

    fn width(&self) -> Width {
        self.units().width()
    }

    /// Whether a narrower width would hold all codes.
    #[inline]
    pub(crate) fn is_loose(&self) -> bool {
        self.broad <= 0 && !matches!(self.store, Store::Ascii(_))
    }

    /// What `look` makes of the codes in the narrowest width: of a copy, if they are not.
    #[inline]
    pub(crate) fn with_narrowest<R>(&self, look: impl FnOnce(Units<'_>) -> R) -> R {
        if self.is_loose() {
            let mut narrowest = Self::default();
            narrowest.push_units(self.units());
            return look(narrowest.units());
        }
        look(self.units())
    }

    /// Makes the units as narrow as the widest of them allows.
    #[inline]
    pub(crate) fn tighten(&mut self) {
        if self.is_loose() {
            self.narrow();
        }
    }

    /// Notes that codes came which need the current width.
    fn add_broad(&mut self, count: usize) {
        if count > 0 {
            self.broad = self.broad.max(0).saturating_add_unsigned(count);
        }
    }

    #[cfg(test)]
    fn capacity(&self) -> usize {
        self.store.capacity()
    }

    /// Moves a short text to where there is more room.
    fn spill(&mut self) {
        if let (Some(text), Store::Ascii(own)) = (self.short.as_str(), &mut self.store) {
            own.push_str(text);
            self.short.leave();
        }
    }

    /// Empties the buffer and keeps its memory.
    pub(crate) fn clear(&mut self) {
        if self.short.is_here() {
            return self.short.clear();
        }
        self.broad = 0;
        self.store.clear();
    }

    /// Empties the buffer for the next life: keeps no more memory than [`KEPT`].
    #[inline]
    pub(crate) fn recycle(&mut self) {
        if !self.short.is_here() {
            self.recycle_store();
        }
        self.short.clear();
    }

    #[cold]
    #[inline(never)]
    fn recycle_store(&mut self) {
        self.clear();
        if self.store.capacity() > KEPT {
            self.store = Store::default();
        }
    }

    /// Makes room for `count` codes that are as wide as those that are there.
    pub(crate) fn reserve(&mut self, count: usize) {
        if self.short.has_room(count) {
            return;
        }
        self.spill();
        let width = self.width().bytes();
        match &mut self.store {
            Store::Ascii(text) => text.reserve(count),
            Store::Two(bytes) | Store::Four(bytes) => bytes.reserve(count.saturating_mul(width)),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        let utf8 = &mut [0; 4];
        if self.short.push_str(c.encode_utf8(utf8)) {
            return;
        }
        self.spill();
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
            _ => self.push_str_wide(c.encode_utf8(utf8)),
        }
    }

    /// Changes letters in place, if all is ASCII; whether it is. The same change, for each place where the text may be.
    pub(crate) fn change_ascii(&mut self, short: fn(&mut AsciiStr), long: fn(&mut str)) -> bool {
        match (self.short.as_ascii_mut(), &mut self.store) {
            (Some(text), _) => short(text),
            (None, Store::Ascii(text)) => long(text),
            _ => return false,
        }
        true
    }

    /// [Recycles](Self::recycle) the buffer and adds a text, if both are short; whether they are.
    #[inline]
    pub(crate) fn refill(&mut self, text: &str) -> bool {
        self.short.set(text)
    }

    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        if !self.short.push_str(text) {
            self.push_str_long(text);
        }
    }

    #[inline(never)]
    fn push_str_long(&mut self, text: &str) {
        self.spill();
        match &mut self.store {
            Store::Ascii(own) if is_ascii(text) => own.push_str(text),
            _ => self.push_str_wide(text),
        }
    }

    #[inline(never)]
    fn push_str_wide(&mut self, text: &str) {
        // Counting is a second pass over the text; where there is little to waste, the bytes say enough.
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
        if self.short.has_room(units.len()) && units.narrowest() == Width::One {
            return units.chars().for_each(|c| self.push(c));
        }
        self.spill();
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

    /// Adds codes that fit, at most so many.
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

    /// Puts `by` in the place of a range, which must lie inside.
    pub(crate) fn replace(&mut self, range: Range<usize>, by: Units<'_>) {
        self.spill();
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

    /// Replaces each code by another.
    pub(crate) fn map(&mut self, change: impl Fn(char) -> char) {
        let mut changed = Self::default();
        changed.reserve(self.len());
        self.units().chars().for_each(|c| changed.push(change(c)));
        *self = changed;
    }

    /// The codes as UTF-8; a string that is there is not copied.
    pub(crate) fn into_string(self) -> String {
        match (self.short.as_str(), self.store) {
            (Some(text), _) => text.to_owned(),
            (None, Store::Ascii(text)) => text,
            (None, store) => store.units().chars().collect(),
        }
    }

    /// Takes over a string's memory, if it is ASCII.
    pub(crate) fn from_string(text: String) -> Self {
        let mut buffer = Self::default();
        if is_ascii(&text) {
            buffer.store = Store::Ascii(text);
            buffer.short.leave();
        } else {
            buffer.push_str(&text);
        }
        buffer
    }

    /// Makes every unit at least this wide, from the last to the first, because they move to the back.
    fn widen(&mut self, to: Width) {
        let from = self.width();
        if to <= from {
            return;
        }
        let len = self.len();
        let mut bytes = self.store.take_bytes();
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
        // None needs the new width: that is for what comes next.
        self.broad = 0;
        self.store = match to {
            Width::Four => Store::Four(bytes),
            _ => Store::Two(bytes),
        };
    }

    fn narrow(&mut self) {
        let (from, to, len) = (self.width(), self.units().narrowest(), self.len());
        let mut bytes = self.store.take_bytes();
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
        self.broad = 0;
        if to == Width::One {
            self.store = Store::ascii(bytes);
            return;
        }
        self.store = Store::Two(bytes);
        self.add_broad(self.units().count_from(to));
    }
}

impl PartialEq for Buffer {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self.units(), other.units()) {
            (Units::Ascii(ours), Units::Ascii(theirs)) => ours == theirs,
            (Units::Two(ours), Units::Two(theirs)) | (Units::Four(ours), Units::Four(theirs)) => ours == theirs,
            _ => {
                (self.is_loose() || other.is_loose())
                    && self.len() == other.len()
                    && self.units().chars().eq(other.units().chars())
            }
        }
    }
}

impl Eq for Buffer {}

/// As the standard library has it, which takes the bytes behind the last whole block one by one; here are two blocks that
/// overlap.
fn is_ascii(text: &str) -> bool {
    const BLOCK: usize = 64;
    let bytes = text.as_bytes();
    match bytes.last_chunk::<BLOCK>() {
        Some(last) => last.is_ascii() && bytes[..bytes.len() / BLOCK * BLOCK].is_ascii(),
        None => bytes.is_ascii(),
    }
}

/// Adds codes of two bytes each, for a text whose codes fit; how many are no ASCII. What is ASCII is taken in fours.
fn extend_two(bytes: &mut Vec<u8>, text: &str) -> usize {
    let (mut rest, mut broad) = (text, 0);
    loop {
        let four = rest.as_bytes().first_chunk().map(|four| u32::from_le_bytes(*four));
        if let Some(four) = four.filter(|four| four & 0x8080_8080 == 0) {
            // Halves move apart, and then their halves.
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

/// Adds `count` bytes, and gives them.
fn grow(bytes: &mut Vec<u8>, count: usize) -> &mut [u8] {
    let start = bytes.len();
    bytes.resize(start + count, 0);
    &mut bytes[start..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::short;

    fn buffer(chars: &[char]) -> Buffer {
        let mut buffer = Buffer::default();
        for c in chars {
            buffer.push(*c);
        }
        buffer
    }

    #[test]
    fn the_width_follows_the_widest() {
        let mut buffer = Buffer::default();
        for (text, width) in [
            ("cafe", Width::One),
            ("é", Width::Two),
            ("x☕", Width::Two),
            ("😀", Width::Four),
        ] {
            buffer.push_str(text);
            assert_eq!(buffer.width(), width);
        }
        assert_eq!(buffer.units().chars().collect::<String>(), "cafeéx☕😀");
        for (range, width) in [(7..8, Width::Two), (6..7, Width::Two), (4..5, Width::One)] {
            buffer.replace(range, Units::Ascii("!"));
            assert_eq!(buffer.width(), width);
        }
        assert_eq!(buffer.units().chars().collect::<String>(), "cafe!x!!");
    }

    /// A long buffer is narrow again when as much has changed as it is long, and meanwhile equal to what is.
    #[test]
    fn long_buffers_wait_before_they_narrow() {
        for (wide, loose) in [('é', Width::Two), ('😀', Width::Four)] {
            let text = "a".repeat(SHORT + 10);
            let (mut buffer, narrow) = (Buffer::from_string(text.clone()), Buffer::from_string(text));
            let mut rewritten = 0;
            for _ in 0..SHORT {
                let len = buffer.len();
                if buffer.width() == Width::One {
                    rewritten += 1;
                }
                buffer.push(wide);
                assert!(buffer.width() == loose && !buffer.is_loose() && buffer != narrow);
                buffer.replace(len..len + 1, Units::Ascii(""));
                assert_eq!(buffer, narrow);
                buffer.with_narrowest(|units| assert_eq!(units.width(), Width::One));
            }
            assert_eq!(rewritten, 1, "each code that goes in makes the count begin again");
            for _ in 0..=SHORT / 2 {
                buffer.replace(0..1, Units::Ascii("a"));
            }
            buffer.replace(0..9, Units::Ascii("aaaaaaaaa"));
            assert!(buffer.width() == Width::One && buffer == narrow);

            buffer.push(wide);
            buffer.replace(buffer.len() - 1..buffer.len(), Units::Ascii(""));
            assert!(buffer.is_loose());
            buffer.tighten();
            assert_eq!(buffer.width(), Width::One);
            buffer.push(wide);
            buffer.replace(SHORT - 1..buffer.len(), Units::Ascii("a"));
            assert_eq!(buffer.width(), Width::One, "a short one does not wait");
        }
    }

    #[test]
    fn ascii_wherever_the_odd_one_stands() {
        for len in 0..200 {
            let ascii = "\u{7f}".repeat(len);
            assert!(is_ascii(&ascii));
            for at in 0..=len {
                let (before, after) = ascii.split_at(at);
                assert!(!is_ascii(&format!("{before}\u{80}{after}")), "{at} of {len}");
            }
        }
    }

    #[test]
    fn one_memory_for_all_widths() {
        let mut buffer = Buffer::default();
        buffer.push_str("four bytes 😀");
        let address = buffer.units().bytes().as_ptr();
        buffer.clear();
        buffer.push_str("ascii");
        assert_eq!(buffer.units().bytes().as_ptr(), address);
        buffer.push('é');
        assert_eq!(buffer.units().bytes().as_ptr(), address);
    }

    #[test]
    fn large_memory_is_not_kept() {
        for text in ["a", "é", "😀"] {
            let mut buffer = Buffer::from_string(text.repeat(KEPT + 1));
            buffer.recycle();
            assert_eq!(buffer.capacity(), 0);
            buffer.push_str(text);
            let capacity = buffer.capacity();
            buffer.recycle();
            assert_eq!((buffer.len(), buffer.capacity()), (0, capacity));
        }
    }

    fn chars() -> impl Strategy<Value = Vec<char>> {
        let c = |ascii| {
            prop_oneof![
                ascii => proptest::char::range('\0', '\u{7f}'),
                1 => proptest::char::range('\u{80}', '\u{ffff}'),
                1 => proptest::char::range('\u{1_0000}', char::MAX),
            ]
        };
        // Few, and about as many as stand in the object.
        let vec = proptest::collection::vec;
        prop_oneof![vec(c(4), 0..9), vec(c(100), short::MOST - 6..short::MOST + 6)]
    }

    proptest! {
        /// A part of one text in the place of a part of another, against a list, and as if it had always been there.
        #[test]
        fn as_a_list(mut model in chars(), other in chars(), [a, b, c, d] in [0..80usize, 0..80, 0..80, 0..80]) {
            let within = |len: usize, a: usize, b: usize| {
                let (a, b) = (a % (len + 1), b % (len + 1));
                a.min(b)..a.max(b)
            };
            let (range, part) = (within(model.len(), a, b), within(other.len(), c, d));
            let mut changed = buffer(&model);
            changed.replace(range.clone(), buffer(&other).units().slice(part.clone()));
            model.splice(range, other[part].iter().copied());
            prop_assert_eq!(&changed, &buffer(&model));
            prop_assert_eq!(&changed, &Buffer::from_string(model.iter().collect()));
            prop_assert_eq!(changed.len(), model.len());
            for (index, c) in model.iter().enumerate() {
                prop_assert_eq!(changed.units().get(index), Some(*c));
            }
            prop_assert_eq!(changed.units().get(model.len()), None);
            prop_assert_eq!(changed.into_string(), model.into_iter().collect::<String>());
        }
    }
}
