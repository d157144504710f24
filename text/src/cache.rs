//! [`CachedText`]: texts that are made once for a place in the program.

use std::ops::Deref;
use std::sync::OnceLock;

use acedia_allocator::Owned;

use crate::Text;

/// A text that is made when it is asked for first, and then stays: a constant that is an object.
///
/// ```
/// use acedia_text::{CachedText, Color};
///
/// static WARNING: CachedText = CachedText::formatted("{$red Mind the gap}");
///
/// assert_eq!(*WARNING, "Mind the gap");
/// assert_eq!(WARNING.format_at(0).color(), Color::named("red"));
/// assert!(WARNING.get().is_same(WARNING.get()));
/// ```
///
/// It is shared: who has it must not free it, nor can. A clone is an owner of the same object.
/// [`text!`](crate::text!), [`colored!`](crate::colored!) and [`formatted!`](crate::formatted!) make one where they
/// stand.
///
/// There is one object for each place. It lives as long as the process: the reference to it may be kept anywhere, so
/// [`shutdown`](acedia_allocator::shutdown) can't release it, as it releases nothing that is alive. To take it back, every use
/// would have to be an owner of its own, which costs more than making a short text anew.
///
/// # Cost
///
/// A load and a comparison, once it is made.
#[derive(Debug)]
#[doc(alias = "TextCache")]
pub struct CachedText {
    source: &'static str,
    make: fn(&str) -> Owned<Text>,
    text: OnceLock<Owned<Text>>,
}

impl CachedText {
    /// A plain text.
    #[must_use]
    #[doc(alias = "GetPlainText")]
    pub const fn plain(source: &'static str) -> Self {
        Self::new(source, |source| Text::from(source))
    }

    /// The text of a colored string: see [`BaseText::from_colored`](crate::BaseText::from_colored).
    #[must_use]
    #[doc(alias = "GetColoredText")]
    pub const fn colored(source: &'static str) -> Self {
        Self::new(source, Text::from_colored)
    }

    /// The text of a string with markup: see [`BaseText::from_markup`](crate::BaseText::from_markup).
    #[must_use]
    #[doc(alias = "GetFormattedText")]
    #[doc(alias = "GetIndexedText")]
    pub const fn formatted(source: &'static str) -> Self {
        Self::new(source, Text::from_markup)
    }

    const fn new(source: &'static str, make: fn(&str) -> Owned<Text>) -> Self {
        Self {
            source,
            make,
            text: OnceLock::new(),
        }
    }

    /// The object.
    #[inline]
    pub fn get(&self) -> &Owned<Text> {
        self.text.get_or_init(|| (self.make)(self.source))
    }
}

impl Deref for CachedText {
    type Target = Text;

    #[inline]
    fn deref(&self) -> &Text {
        self.get()
    }
}

/// A plain text that is made once for the place where this stands: `&'static Owned<Text>`.
///
/// ```
/// use acedia_text::text;
///
/// fn greeting() -> &'static acedia_allocator::Owned<acedia_text::Text> {
///     text!("hello")
/// }
/// assert_eq!(**greeting(), "hello");
/// assert!(greeting().is_same(greeting()));
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

/// The text of a colored string that is made once for the place where this stands: `&'static Owned<Text>`.
///
/// ```
/// use acedia_text::colored;
///
/// assert_eq!(**colored!("\u{1b}\u{ff}\u{1}\u{1}red"), "red");
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

/// The text of a string with markup that is made once for the place where this stands: `&'static Owned<Text>`.
///
/// ```
/// use acedia_text::formatted;
///
/// assert_eq!(**formatted!("{$red red}"), "red");
/// ```
///
/// See [`CachedText`].
#[macro_export]
#[doc(alias = "F")]
#[doc(alias = "T")]
macro_rules! formatted {
    ($source:expr) => {
        $crate::__cached!(formatted($source))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __cached {
    ($make:ident($source:expr)) => {{
        static CACHED: $crate::CachedText = $crate::CachedText::$make($source);
        CACHED.get()
    }};
}
