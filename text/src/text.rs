//! [`Text`]: text as an object that never changes.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;

use acedia::__private::reuse_with;
use acedia::kind::{HashedAsOwned, ValueHash};
use acedia::{Object, Owned, class};

use crate::content::{Content, Piece};
use crate::{BaseText, hash, places};

/// A text as an object that never changes. Texts with the same code points are equal, and each computes its hash once.
///
/// ```
/// use acedia_text::Text;
///
/// let (a, b) = (Text::new("hello"), Text::new("hello"));
/// assert!(a == b && !a.is_same(&b));
/// assert_eq!(a.hash_code(), 261_238_937);
/// assert_eq!(a.to_uppercase(..).to_string(), "HELLO");
/// ```
///
/// A text dereferences to [`BaseText`], which has the methods that read a text. Equality and hash ignore formats;
/// [`compare`](BaseText::compare) can compare them.
///
/// # Cost
///
/// Up to 28 bytes of UTF-8 are stored in the object, so making such a text only allocates a slot and copies the bytes. A longer
/// text is a `String`. The next long text in the slot reuses the memory of that `String`, and does not call the system's
/// allocator if it fits. A `String` with a capacity of more than 4 KiB is dropped when the object is reused, or by
/// [`collect_garbage`](acedia::collect_garbage).
#[derive(Default)]
#[repr(C)] // The fields that every new text writes are next to each other.
pub struct Text {
    /// With bit 32 set, so that it is never 0.
    hash_code: hash::Once,
    key_hash: hash::Once,
    pub(crate) base: BaseText,
}

/// The static constructor lets [cached texts](crate::CachedText) and [caches](crate::TextCache) keep objects, and the static
/// finalizer releases these.
impl Object for Text {
    class!(Text, "AcediaCore.Text", kind = Value);

    #[inline]
    fn constructor(&mut self) {
        self.empty();
    }

    fn static_constructor() {
        places::begin();
    }

    fn static_finalizer() {
        places::end();
    }
}

impl Text {
    /// A text with this content. A text is copied with its formats; strings and characters are plain.
    ///
    /// ```
    /// use acedia_text::{BaseText, Text};
    ///
    /// let text = Text::new("Ĝis!");
    /// assert_eq!((text.len(), text.char_at(0)), (4, Some('Ĝ')));
    /// ```
    ///
    /// [`IntoText`](crate::IntoText) converts owned values, without a copy if possible.
    ///
    /// # Panics
    ///
    /// As [`Object::allocate`].
    #[track_caller]
    #[inline]
    #[doc(alias("FromString", "FromCharacter"))]
    pub fn new(content: impl Content) -> Owned<Self> {
        match content.piece() {
            Piece::Str(text) => Self::of_str(text),
            _ => Self::with(|text| {
                text.append(content);
            }),
        }
    }

    /// A text of a string. The common path fills the object that this thread freed last.
    #[track_caller]
    #[inline]
    fn of_str(text: &str) -> Owned<Self> {
        let refill = |last: &mut Self| {
            last.forget_hashes();
            last.base.refill(text);
        };
        match reuse_with(refill) {
            Some((filled, ())) => filled,
            None => Self::anew(text),
        }
    }

    /// Like [`new`](Self::new), but with its [`key_hash`](fn@key_hash), which the caller has computed.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    pub fn hashed(text: &str, key_hash: u64) -> Owned<Self> {
        debug_assert_eq!(key_hash, hash::keyed(text));
        let made = Self::of_str(text);
        made.key_hash.note(key_hash);
        made
    }

    #[track_caller]
    #[cold]
    #[inline(never)]
    fn anew(text: &str) -> Owned<Self> {
        Self::with(|base| base.refill(text))
    }

    /// Removes the content of the last life.
    #[inline]
    fn empty(&mut self) {
        self.forget_hashes();
        self.base.recycle();
    }

    #[inline]
    fn forget_hashes(&mut self) {
        self.hash_code.reset();
        self.key_hash.reset();
    }

    /// A text that is not an object.
    pub(crate) fn of(base: BaseText) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    #[track_caller]
    #[inline]
    pub(crate) fn with(init: impl FnOnce(&mut BaseText)) -> Owned<Self> {
        Self::allocate_with(|text| init(&mut text.base))
    }

    /// Like [`BaseText::hash_code`], but computed once in the object's life.
    ///
    /// ```
    /// use acedia_text::Text;
    ///
    /// let hash = |text: &Text| text.hash_code();
    /// assert_eq!(hash(&Text::new("hello")), 261_238_937);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "GetHashCode")]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the hash is the lower half"
    )]
    pub fn hash_code(&self) -> i32 {
        const COMPUTED: u64 = 1 << 32;
        self.hash_code
            .get_or(|| u64::from(self.base.hash_code() as u32) | COMPUTED) as i32
    }

    /// Like [`BaseText::key_hash`], but computed once in the object's life.
    ///
    /// `Hash` of an [`Owned`] text uses this hash. It does not use the public [`hash_code`](BaseText::hash_code), for which an
    /// attacker can choose colliding texts.
    #[inline]
    #[must_use]
    pub fn key_hash(&self) -> u64 {
        self.key_hash.get_or(|| self.base.key_hash())
    }

    /// The [`key_hash`](Self::key_hash), if it is [exact](crate::is_exact) and was computed before, otherwise `None`. Tables use
    /// it for a fast path.
    ///
    /// ```
    /// use acedia_text::Text;
    ///
    /// let text = Text::new("name");
    /// assert_eq!(text.known_exact_hash(), None);
    /// assert_eq!(Some(text.key_hash()), text.known_exact_hash());
    /// ```
    #[inline]
    #[must_use]
    pub fn known_exact_hash(&self) -> Option<u64> {
        let hash = self.key_hash.known();
        hash::is_exact(hash).then_some(hash)
    }
}

/// The [`Text::key_hash`] of a text with this content.
///
/// ```
/// use acedia_text::{Text, key_hash};
///
/// assert_eq!(key_hash("name"), Text::new("name").key_hash());
/// ```
#[inline]
#[must_use]
pub fn key_hash(content: impl Content) -> u64 {
    match content.piece() {
        Piece::Text(text) => text.key_hash(),
        Piece::Str(text) => hash::keyed(text),
        Piece::Char(character) => hash::keyed(character.code.encode_utf8(&mut [0; 4])),
    }
}

impl Deref for Text {
    type Target = BaseText;

    #[inline]
    fn deref(&self) -> &BaseText {
        &self.base
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base
    }
}

impl Eq for Text {}

impl ValueHash for Text {
    // A text keeps its hash itself.
    const CACHED: bool = false;

    fn value_hash(&self) -> i32 {
        self.hash_code()
    }

    // DJB2 would let an attacker who chooses the texts flood a table.
    #[inline]
    fn table_hash(&self) -> Option<u64> {
        Some(self.key_hash())
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    /// Orders by code points, as strings are ordered.
    fn cmp(&self, other: &Self) -> Ordering {
        self.base.cmp(&other.base)
    }
}

/// Hashes as an [`Owned`] text does, by [`key_hash`](Text::key_hash).
impl Hash for Text {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key_hash());
    }
}

/// A `std` map whose keys are owned texts can be searched by a plain reference, such as a [`text!`](crate::text!).
///
/// ```
/// use std::collections::{BTreeMap, HashMap};
/// use acedia_text::{Text, text};
///
/// let ages = HashMap::from([(Text::new("Zoë"), 7)]);
/// assert_eq!(ages.get(&**text!("Zoë")), Some(&7));
/// let sorted: BTreeMap<_, _> = ages.into_iter().collect();
/// assert_eq!(sorted.get(&**text!("Zoë")), Some(&7));
/// ```
impl HashedAsOwned for Text {}

/// Makes a plain Rust value outside of the pool. For an object, parse an [`Owned`] text, or use [`Text::new`].
///
/// ```
/// use acedia::Owned;
/// use acedia_text::Text;
///
/// let text: Owned<Text> = "hello".parse()?;
/// assert_eq!(text, "hello");
/// # Ok::<(), std::convert::Infallible>(())
/// ```
impl FromStr for Text {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::of(BaseText::from(text)))
    }
}
