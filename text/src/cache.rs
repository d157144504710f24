//! [`CachedText`]: texts that are made once for a place in the source.

use std::ops::Deref;
use std::sync::OnceLock;

use acedia::Owned;

use crate::places::Kept;
use crate::{BaseText, Text};

/// A constant text, made at its first use and kept for the rest of the process.
///
/// ```
/// use acedia_text::{CachedText, Color};
///
/// static WARNING: CachedText = CachedText::formatted("{$red Mind the gap}");
///
/// assert_eq!(WARNING, "Mind the gap");
/// assert_eq!(WARNING.format_at(0).color(), Color::named("red"));
/// ```
///
/// It is read through a plain reference, without a pool, a lock or a reference count. Its hashes are computed once.
/// [`text!`](crate::text!), [`colored!`](crate::colored!) and [`formatted!`](crate::formatted!) declare one in place.
///
/// [`owner`](Self::owner) returns the same text as an object. Each place has one object, which all its owners share until a
/// [`shutdown`](acedia::shutdown) releases it.
///
/// # Cost
///
/// One load and one comparison, after the first use.
///
/// For strings that are not constants, [`TextCache`](crate::TextCache) keeps one object for each string.
pub struct CachedText {
    source: &'static str,
    make: fn(&str) -> BaseText,
    text: OnceLock<Text>,
    object: Kept<Option<Owned<Text>>>,
}

impl CachedText {
    /// A plain text.
    #[must_use]
    #[doc(alias = "GetPlainText")]
    pub const fn plain(source: &'static str) -> Self {
        Self::new(source, |source| BaseText::from(source))
    }

    /// The text of a colored string: see [`BaseText::from_colored`](crate::BaseText::from_colored).
    #[must_use]
    #[doc(alias = "GetColoredText")]
    pub const fn colored(source: &'static str) -> Self {
        Self::new(source, BaseText::from_colored)
    }

    /// The text of a string with markup: see [`BaseText::from_markup`](crate::BaseText::from_markup).
    #[must_use]
    #[doc(alias("GetFormattedText", "GetIndexedText"))]
    pub const fn formatted(source: &'static str) -> Self {
        Self::new(source, BaseText::from_markup)
    }

    const fn new(source: &'static str, make: fn(&str) -> BaseText) -> Self {
        Self {
            source,
            make,
            text: OnceLock::new(),
            object: Kept::new(),
        }
    }

    /// An owner of the object of this place: the same object at each call, until a [`shutdown`](acedia::shutdown).
    ///
    /// ```
    /// use acedia_text::{Text, text};
    ///
    /// let greeting = || text!("hello").owner();
    /// assert!(greeting().is_same(&greeting()));
    /// assert!(greeting() == Text::new("hello"));
    /// ```
    ///
    /// The shutdown drops the place's own owner. The object lives on if it has other owners, and the next call makes another
    /// object. A call on another thread during the shutdown may return a separate object.
    ///
    /// # Panics
    ///
    /// Like [`allocate`](acedia::Object::allocate), but only if there is no object yet.
    ///
    /// # Cost
    ///
    /// One lock and one clone of an owner. Making a new short text costs less, but sharing saves memory and the
    /// computation of the hash.
    #[doc(alias("GetPlainText", "GetColoredText", "GetFormattedText"))]
    pub fn owner(&'static self) -> Owned<Text> {
        self.object.get(
            Option::clone,
            || Text::new(&**self),
            |object, made| object.get_or_insert_with(|| made.clone()).clone(),
        )
    }
}

impl Deref for CachedText {
    type Target = Text;

    #[inline]
    fn deref(&self) -> &Text {
        self.text.get_or_init(|| Text::of((self.make)(self.source)))
    }
}

impl PartialEq for CachedText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for CachedText {}

/// A plain text that is made once for this place in the source: `&'static CachedText`.
///
/// ```
/// use acedia_text::{Text, text};
///
/// fn greeting() -> &'static Text {
///     text!("hello")
/// }
/// assert_eq!(*greeting(), "hello");
/// assert!(std::ptr::eq(greeting(), greeting()));
/// ```
///
/// See [`CachedText`].
#[macro_export]
#[doc(alias = "P")]
macro_rules! text {
    ($source:expr) => {
        $crate::__cached!(plain($source))
    };
}

/// The text of a colored string that is made once for this place in the source: `&'static CachedText`.
///
/// ```
/// use acedia_text::colored;
///
/// assert_eq!(*colored!("\u{1b}\u{ff}\u{1}\u{1}red"), "red");
/// ```
///
/// See [`CachedText`].
#[macro_export]
#[doc(alias = "C")]
macro_rules! colored {
    ($source:expr) => {
        $crate::__cached!(colored($source))
    };
}

/// The text of a string with markup that is made once for this place in the source: `&'static CachedText`.
///
/// ```
/// use acedia_text::formatted;
///
/// assert_eq!(*formatted!("{$red red}"), "red");
/// ```
///
/// See [`CachedText`].
#[macro_export]
#[doc(alias("F", "T"))]
macro_rules! formatted {
    ($source:expr) => {
        $crate::__cached!(formatted($source))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __cached {
    ($make:ident($source:expr)) => {{
        // `$source` may name a constant of the caller, which a static of the same name would shadow.
        static __ACEDIA_CACHED: $crate::CachedText = $crate::CachedText::$make($source);
        &__ACEDIA_CACHED
    }};
}
