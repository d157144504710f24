//! [`MutableText`]: a text as an object that can be changed through any reference.

use std::convert::Infallible;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use acedia::{Object, Owned, class};

use crate::content::Content;
use crate::lock::Lock;
use crate::{BaseText, Matching};

/// A text as an object that changes. All its owners and handles see the same text. It is equal only to itself.
///
/// ```
/// use acedia_text::{Matching, MutableText};
///
/// let log = MutableText::new("started");
/// let same = log.clone();
/// same.write().append(", stopped").make_uppercase();
/// assert_eq!(*log.read(), "STARTED, STOPPED");
/// assert!(log == same);
///
/// let other = MutableText::new("STARTED, STOPPED");
/// assert!(log != other);
/// assert!(log.compare(&*other.read(), Matching::EXACT));
/// ```
///
/// The content is a [`BaseText`] behind a lock, which [`read`](Self::read) and [`write`](Self::write) take. Building a text on
/// one thread needs neither a lock nor an object: use a `BaseText`, and convert it with [`IntoText`](crate::IntoText).
///
/// # Deadlocks
///
/// Locks of texts, collections and refs of boxes panic, with a message, instead of deadlocking. The guards of
/// [`read`](Self::read) and [`write`](Self::write) hold the lock until they are dropped. A thread that holds a write guard must
/// not lock the same text again, and a thread that holds a read guard must not lock the text for writing. Two threads must not
/// each hold one text and lock the text that the other thread holds. To avoid this, copy first:
/// [`append_copy`](Self::append_copy) never holds two locks. A thread may read a text that it is already reading.
///
/// Deadlocks through locks of other libraries, channels or static constructors are not detected. For example, a static
/// constructor locks a text, while the thread that holds the text allocates the first object of the constructor's class. A leaked
/// guard (`mem::forget`) locks the text until its object is freed.
///
/// ```should_panic
/// # use acedia_text::MutableText;
/// let text = MutableText::new("self");
/// text.write().append(&*text.read());
/// ```
///
/// Only a thread that waits for such a lock while it holds one checks for deadlocks.
#[derive(Default)]
pub struct MutableText(Lock<BaseText>);

impl Object for MutableText {
    class!(MutableText, "AcediaCore.MutableText");

    #[inline]
    fn constructor(&mut self) {
        self.0.get_mut().recycle();
        self.0.unlock();
    }
}

impl MutableText {
    /// An empty text.
    #[track_caller]
    #[doc(alias = "Empty")]
    pub fn empty() -> Owned<Self> {
        Self::allocate()
    }

    /// A text with this content. A text is copied with its formats; strings and characters are plain.
    #[track_caller]
    #[doc(alias = "FromStringM")]
    pub fn new(content: impl Content) -> Owned<Self> {
        Self::with(|text| {
            text.append(content);
        })
    }

    /// A text outside of the pool.
    pub(crate) fn of(mut base: BaseText) -> Self {
        let mut text = Self::default();
        std::mem::swap(text.get_mut(), &mut base);
        text
    }

    /// A text that `init` fills.
    #[track_caller]
    pub(crate) fn with(init: impl FnOnce(&mut BaseText)) -> Owned<Self> {
        Self::allocate_with(|text| init(text.0.get_mut()))
    }

    /// Locks the text to read it. Other threads can read it at the same time; writers wait.
    ///
    /// Readers overtake waiting writers, so that a thread may read a text that it is already reading. A leaked guard prevents all
    /// changes until the object is freed.
    ///
    /// # Panics
    ///
    /// If the call would deadlock: see [deadlocks](Self#deadlocks).
    #[track_caller]
    pub fn read(&self) -> impl Deref<Target = BaseText> + fmt::Debug + '_ {
        self.0.read()
    }

    /// Locks the text to change it. Waits until there is no other guard, which may take long if other threads read all the time:
    /// see [`read`](Self::read). A leaked guard leaves the text locked until its object is freed.
    ///
    /// ```
    /// use std::fmt::Write;
    ///
    /// use acedia_text::MutableText;
    ///
    /// let log = MutableText::new("lives: ");
    /// write!(log.write(), "{} of {}", 3, 5)?;
    /// assert_eq!(*log.read(), "lives: 3 of 5");
    /// # Ok::<(), std::fmt::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the call would deadlock: see [deadlocks](Self#deadlocks).
    #[track_caller]
    pub fn write(&self) -> impl DerefMut<Target = BaseText> + fmt::Debug + '_ {
        self.0.write()
    }

    /// Adds a copy of another mutable text, or of this one, with its formats. Two texts are never locked at once, and adding
    /// a text to itself is one change.
    ///
    /// ```
    /// use acedia_text::MutableText;
    ///
    /// let text = MutableText::new("ha");
    /// text.append_copy(&text).append_copy(&MutableText::new("!"));
    /// assert_eq!(*text.read(), "haha!");
    /// ```
    ///
    /// # Panics
    ///
    /// If the call would deadlock, because this thread holds a guard of one of the texts: see
    /// [deadlocks](Self#deadlocks).
    pub fn append_copy(&self, other: &Self) -> &Self {
        if std::ptr::eq(self, other) {
            let mut text = self.write();
            let copy = text.clone();
            text.append(&copy);
        } else {
            let copy = other.read().clone();
            self.write().append(&copy);
        }
        self
    }

    /// The text, through an exclusive reference. Takes no lock.
    pub fn get_mut(&mut self) -> &mut BaseText {
        self.0.get_mut()
    }

    /// Whether the text has this content now, under `matching`: [`BaseText::compare`].
    #[must_use]
    #[doc(alias = "Compare")]
    pub fn compare(&self, other: impl Content, matching: Matching) -> bool {
        self.read().compare(other, matching)
    }
}

impl fmt::Write for &MutableText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write().write_str(text)
    }
}

/// Adds all items at once, as one change. The text is not locked while the iterator runs.
impl<C: Content> Extend<C> for &MutableText {
    fn extend<I: IntoIterator<Item = C>>(&mut self, contents: I) {
        let added: BaseText = contents.into_iter().collect();
        self.write().append(&added);
    }
}

/// Makes a plain Rust value outside of the pool. For an object, parse an [`Owned`] text, or use
/// [`MutableText::new`].
impl FromStr for MutableText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::of(BaseText::from(text)))
    }
}

impl fmt::Display for MutableText {
    /// Waits as [`read`](MutableText::read) does, and prints a copy, so that the formatter may lock the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.read().clone();
        text.fmt(f)
    }
}

impl fmt::Debug for MutableText {
    /// Does not wait: prints `<locked>` if the text cannot be locked at once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The copy is printed without the lock, as by `Display`.
        let copy = self.0.try_read().map(|text| text.clone());
        match copy {
            Some(text) => f.debug_tuple("MutableText").field(&text).finish(),
            None => f.write_str("MutableText(<locked>)"),
        }
    }
}
