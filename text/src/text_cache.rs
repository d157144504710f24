//! [`TextCache`]: one object for each string.

use std::collections::HashMap;
use std::fmt;
use std::mem;

use acedia::Owned;

use crate::Text;
use crate::hash::Keyed;
use crate::places::{Kept, Objects};

/// Keeps one text object for each string and notation, for strings that are known only at run time.
///
/// ```
/// use acedia_text::TextCache;
///
/// static TITLES: TextCache = TextCache::new();
///
/// let level = 7;
/// let title = || TITLES.formatted(&format!("{{$red Level {level}}}"));
/// assert!(title().is_same(&title()));
/// assert_eq!(title(), "Level 7");
///
/// // Each notation has objects of its own.
/// assert!(!TITLES.plain("exit").is_same(&TITLES.formatted("exit")));
/// assert_eq!(TITLES.len(), 3);
/// ```
///
/// In Acedia, each class has one cache; here, declare a cache as a `static` wherever you need one. For constants,
/// [`text!`](crate::text!), [`colored!`](crate::colored!) and [`formatted!`](crate::formatted!) need no look-up. An array of
/// constants, such as `static TEXTS: [CachedText; 3]`, replaces Acedia's numbered texts.
///
/// # Life
///
/// The cache owns its texts until [`clear`](Self::clear) or a [`shutdown`](acedia::shutdown). Afterwards an object lives on while
/// it has other owners, but the next call for its string makes another object. A call on another thread during the shutdown may
/// return an object that the cache does not keep.
///
/// A cache drops no text by itself, so an attacker who chooses the strings can exhaust the memory. Check [`len`](Self::len), and
/// [clear](Self::clear) the cache.
///
/// # Cost
///
/// One lock, one look-up by a keyed hash, and one clone of an owner. Making a new short text costs less, but sharing saves memory,
/// the parsing of markup, and the computation of the hash.
#[derive(Default)]
pub struct TextCache {
    texts: Kept<Texts>,
}

/// For each notation, the objects by the strings that they were made of.
#[derive(Default)]
struct Texts([HashMap<Box<str>, Owned<Text>, Keyed>; 3]);

#[derive(Clone, Copy)]
enum Notation {
    Plain,
    Colored,
    Formatted,
}

impl TextCache {
    /// An empty cache. Allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { texts: Kept::new() }
    }

    /// The object of a plain text.
    ///
    /// # Panics
    ///
    /// Like [`allocate`](acedia::Object::allocate), but only if there is no object yet.
    #[doc(alias("GetPlainText", "P"))]
    pub fn plain(&'static self, text: &str) -> Owned<Text> {
        self.get(Notation::Plain, text, |text| Text::new(text))
    }

    /// The object of a colored string: see [`BaseText::from_colored`](crate::BaseText::from_colored).
    ///
    /// ```
    /// use acedia_text::TextCache;
    ///
    /// static TEXTS: TextCache = TextCache::new();
    /// let warning = || TEXTS.colored("\u{1b}\u{ff}\u{1}\u{1}stop");
    /// assert_eq!(warning(), "stop");
    /// assert!(warning().is_same(&warning()));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`plain`](Self::plain).
    #[doc(alias("GetColoredText", "C"))]
    pub fn colored(&'static self, text: &str) -> Owned<Text> {
        self.get(Notation::Colored, text, Text::from_colored)
    }

    /// The object of a string with markup: see [`BaseText::from_markup`](crate::BaseText::from_markup).
    ///
    /// # Panics
    ///
    /// As [`plain`](Self::plain).
    #[doc(alias("GetFormattedText", "F", "AddIndexedText"))]
    pub fn formatted(&'static self, text: &str) -> Owned<Text> {
        self.get(Notation::Formatted, text, Text::from_markup)
    }

    fn get(&'static self, notation: Notation, source: &str, make: fn(&str) -> Owned<Text>) -> Owned<Text> {
        self.texts.get(
            |texts| texts.0[notation as usize].get(source).cloned(),
            || make(source),
            |texts, made| {
                let of_notation = &mut texts.0[notation as usize];
                of_notation.entry(source.into()).or_insert_with(|| made.clone()).clone()
            },
        )
    }

    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        match &*self.texts.lock() {
            Some(texts) => texts.0.iter().map(HashMap::len).sum(),
            None => 0,
        }
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops the cache's owners of all texts, and frees its memory.
    ///
    /// ```
    /// use acedia_text::TextCache;
    ///
    /// static NAMES: TextCache = TextCache::new();
    ///
    /// let (kept, freed) = (NAMES.plain("Bob"), NAMES.plain("Eve").handle());
    /// NAMES.clear();
    /// assert!(NAMES.is_empty() && !freed.is_allocated());
    /// assert!(kept == "Bob" && !NAMES.plain("Bob").is_same(&kept));
    /// ```
    pub fn clear(&self) {
        // Dropped after the lock is released.
        let texts = self.texts.lock().as_mut().map(mem::take);
        drop(texts);
    }
}

impl Objects for Texts {
    fn each(&self, each: &mut dyn FnMut(&Owned<Text>)) {
        self.0.iter().flat_map(HashMap::values).for_each(each);
    }
}

impl fmt::Debug for TextCache {
    /// Prints `TextCache(3 texts)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len() {
            1 => f.write_str("TextCache(1 text)"),
            len => write!(f, "TextCache({len} texts)"),
        }
    }
}
