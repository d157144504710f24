//! [`NameOwner`]: keeps a name in use.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem;
use std::ops::Deref;
use std::str::FromStr;

use acedia::Owned;

use super::entry::Entry;
use super::name::Name;
use super::table;
use crate::content::sealed::Sealed;
use crate::content::{Content, Piece};

/// Keeps a [`Name`] in use.
///
/// ```
/// use acedia_text::NameOwner;
///
/// let health = NameOwner::new("health");
/// assert_eq!(health.len(), 6); // a `&str`
/// let same = health.clone();
/// assert!(same == health && same == "health" && same.name() == health.name());
/// assert!(NameOwner::new("armor") < health);
/// ```
///
/// An owner dereferences to the text, without a pin. When the last owner of a name is dropped, the name ends: see
/// [`Name`](Name#life). An owner has the size of a pointer. Two owners are equal if their names are equal, which takes a
/// comparison of one word. They are ordered by their texts.
///
/// # Cost
///
/// A clone increments a counter. Dropping an owner takes one of 16 locks.
#[must_use = "a name without an owner ends at once"]
pub struct NameOwner(
    /// `None` while it is dropped.
    Option<Owned<Entry>>,
);

const _: () = assert!(size_of::<NameOwner>() == size_of::<usize>());

impl NameOwner {
    /// An owner of the name with this text. If no such name is in use, a new name is made.
    ///
    /// # Panics
    ///
    /// Like [`allocate`](acedia::allocate), but only if there is no such name yet.
    #[track_caller]
    pub fn new(text: impl Content) -> Self {
        Self::of(table::intern(string_of(&text, &mut [0; 4])))
    }

    fn of(entry: Owned<Entry>) -> Self {
        Self(Some(entry))
    }

    fn entry(&self) -> &Owned<Entry> {
        match &self.0 {
            Some(entry) => entry,
            None => unreachable!("only `drop` and `leak` take the entry, and both own it"),
        }
    }

    /// The name. It does not count as an owner.
    #[must_use]
    pub fn name(&self) -> Name {
        Name(self.entry().handle())
    }

    /// The number of owners of the name. Exact if no other thread is cloning or dropping an owner.
    #[must_use]
    pub fn owners(&self) -> usize {
        // The table is one of them.
        self.entry().owners() - 1
    }

    /// Keeps the name in use for the rest of the process.
    ///
    /// ```
    /// use std::sync::LazyLock;
    /// use acedia_text::{Name, NameOwner};
    ///
    /// static HEALTH: LazyLock<Name> = LazyLock::new(|| NameOwner::new("health").leak());
    /// assert_eq!(HEALTH.with(str::len), Some(6));
    /// ```
    #[must_use]
    pub fn leak(mut self) -> Name {
        let name = self.name();
        mem::forget(self.0.take());
        name
    }
}

impl Name {
    /// The name with this text, if it is in use. Allocates nothing.
    #[must_use]
    pub fn find(text: impl Content) -> Option<Self> {
        let entry = table::find(string_of(&text, &mut [0; 4]))?;
        Some(NameOwner::of(entry).name())
    }

    /// Another owner of the name, if the name is in use. The name then stays in use at least as long as this owner
    /// exists.
    ///
    /// ```
    /// use acedia_text::NameOwner;
    ///
    /// let first = NameOwner::new("health");
    /// let name = first.name();
    /// let second = name.owner().unwrap();
    /// drop(first);
    /// assert!(name.is_alive() && second == "health");
    /// drop(second);
    /// assert!(name.owner().is_none());
    /// ```
    #[must_use]
    pub fn owner(self) -> Option<NameOwner> {
        table::hold(self.0).map(NameOwner::of)
    }
}

/// The content as a string, for which a character needs `room`.
fn string_of<'a>(content: &'a impl Content, room: &'a mut [u8; 4]) -> &'a str {
    match content.piece() {
        Piece::Str(text) => text,
        Piece::Char(character) => character.code.encode_utf8(room),
        Piece::Text(text) => text.as_ref(),
    }
}

impl Drop for NameOwner {
    fn drop(&mut self) {
        if let Some(entry) = self.0.take() {
            table::release(entry);
        }
    }
}

impl Clone for NameOwner {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl Deref for NameOwner {
    type Target = str;

    fn deref(&self) -> &str {
        &self.entry().text
    }
}

impl AsRef<str> for NameOwner {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Sealed for NameOwner {
    fn piece(&self) -> Piece<'_> {
        Piece::Str(self)
    }
}

impl From<&str> for NameOwner {
    /// As [`NameOwner::new`].
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl FromStr for NameOwner {
    type Err = Infallible;

    /// As [`NameOwner::new`].
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::new(text))
    }
}

impl From<&NameOwner> for Name {
    fn from(owner: &NameOwner) -> Self {
        owner.name()
    }
}

impl PartialEq for NameOwner {
    fn eq(&self, other: &Self) -> bool {
        self.entry().is_same(other.entry())
    }
}

impl Eq for NameOwner {}

impl PartialEq<Name> for NameOwner {
    fn eq(&self, other: &Name) -> bool {
        self.name() == *other
    }
}

impl PartialEq<str> for NameOwner {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for NameOwner {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl Hash for NameOwner {
    /// Hashes as the [`Name`] does.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl PartialOrd for NameOwner {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NameOwner {
    /// Orders by the code points of the texts.
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl fmt::Display for NameOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for NameOwner {
    /// Prints `NameOwner("health")`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NameOwner").field(&&**self).finish()
    }
}
