//! [`CachedText`]: texts that are made once for a place in the program.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use acedia_allocator::Owned;
use parking_lot::Mutex;

use crate::content::Piece;
use crate::content::sealed::Sealed;
use crate::{BaseText, Text};

/// A constant text: made when it is asked for first, and then always there.
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
/// Reading it, through a plain reference, takes no pool, no lock and no count. Its hashes are computed once.
/// [`text!`](crate::text!), [`colored!`](crate::colored!) and [`formatted!`](crate::formatted!) make one where they stand.
///
/// [`owner`](Self::owner) gives the same text as an object, for who keeps it among objects: one object for each place, however
/// many have it, until a [`shutdown`](acedia_allocator::shutdown) releases it.
///
/// # Cost
///
/// A load and a comparison, once it is made.
#[doc(alias = "TextCache")]
pub struct CachedText {
    source: &'static str,
    make: fn(&str) -> BaseText,
    text: OnceLock<Text>,
    object: Mutex<Option<Owned<Text>>>,
}

/// The places that have an object: all of them, if the class [`Text`] is in use, that is constructed; else none.
static WITH_OBJECT: Mutex<Option<Vec<&CachedText>>> = Mutex::new(None);

/// Lets places have objects.
pub(crate) fn begin() {
    WITH_OBJECT.lock().get_or_insert_default();
}

/// Gives up the objects of all places. Who has an owner of one keeps it.
pub(crate) fn end() {
    let places = WITH_OBJECT.lock().take();
    for place in places.into_iter().flatten() {
        // Freed when the lock is free again.
        let object = place.object.lock().take();
        drop(object);
    }
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
    #[doc(alias = "GetFormattedText")]
    #[doc(alias = "GetIndexedText")]
    pub const fn formatted(source: &'static str) -> Self {
        Self::new(source, BaseText::from_markup)
    }

    const fn new(source: &'static str, make: fn(&str) -> BaseText) -> Self {
        Self {
            source,
            make,
            text: OnceLock::new(),
            object: Mutex::new(None),
        }
    }

    /// An owner of the object that this place has: the same one each time, until a [`shutdown`](acedia_allocator::shutdown).
    ///
    /// ```
    /// use acedia_text::{Text, text};
    ///
    /// let greeting = || text!("hello").owner();
    /// assert!(greeting().is_same(&greeting()));
    /// assert!(greeting() == Text::from("hello"));
    /// ```
    ///
    /// The shutdown gives up the place's own share; who still has an owner keeps the object, and the next call makes another
    /// one. What is asked for on another thread while that goes on may be an object by itself.
    ///
    /// # Panics
    ///
    /// As [`allocate`](acedia_allocator::allocate), if there is no object yet.
    ///
    /// # Cost
    ///
    /// A lock and an owner more. A short text is made anew in less; sharing one saves memory, and the hash.
    #[doc(alias = "GetPlainText")]
    #[doc(alias = "GetColoredText")]
    #[doc(alias = "GetFormattedText")]
    pub fn owner(&'static self) -> Owned<Text> {
        if let Some(object) = &*self.object.lock() {
            return object.clone();
        }
        // Made without a lock, since the first text of all waits for static constructors and finalizers.
        let made = Text::from(&**self);
        let mut places = WITH_OBJECT.lock();
        let Some(places) = &mut *places else {
            // A shutdown has passed by on another thread.
            return made;
        };
        let mut object = self.object.lock();
        if let Some(object) = &*object {
            return object.clone(); // `made` is freed when the locks are
        }
        places.push(self);
        *object = Some(made.clone());
        made
    }
}

impl Sealed for CachedText {
    fn piece(&self) -> Piece<'_> {
        Piece::Text(self)
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

impl PartialEq<str> for CachedText {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for CachedText {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl fmt::Display for CachedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl fmt::Debug for CachedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// A plain text that is made once for the place where this stands: `&'static CachedText`.
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

/// The text of a colored string that is made once for the place where this stands: `&'static CachedText`.
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

/// The text of a string with markup that is made once for the place where this stands: `&'static CachedText`.
///
/// ```
/// use acedia_text::formatted;
///
/// assert_eq!(*formatted!("{$red red}"), "red");
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
        &CACHED
    }};
}
