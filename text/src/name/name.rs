//! [`Name`]: an interned text in eight bytes.

use std::fmt;

use acedia::{Handle, Pinned};

use super::entry::Entry;

/// An interned text in eight bytes. It is `Copy`, is compared and hashed as one word, and is freed when its last owner
/// is dropped.
///
/// ```
/// use acedia_text::{Name, NameOwner};
///
/// let owner = NameOwner::new("health"); // keeps the name
/// let name: Name = owner.name(); // a plain value: copy it, store it, send it
/// assert_eq!(Name::find("health"), Some(name));
/// assert_eq!(NameOwner::new("health").name(), name);
/// assert_eq!(name.with(str::len), Some(6));
///
/// drop(owner);
/// assert!(!name.is_alive() && name.with(str::len).is_none());
/// assert_eq!(Name::find("health"), None);
/// ```
///
/// # Life
///
/// A name is *in use* as long as it has a [`NameOwner`](crate::NameOwner). A `Name` itself is not counted, since it is `Copy`: it is the
/// [`Handle`] of an object of the class `AcediaCore.Name`, and the owners are that object's. The rules:
///
/// * While a name is in use, it is the only name of its text in the whole process. So names in use are equal if and only
///   if their texts are equal.
/// * When its last owner is dropped, the name ends. From then on, it resolves to `None` on every thread. Its memory is reused, but
///   no other name ever equals it.
/// * If the text is interned again later, it gets a new name, which differs from the old one.
///
/// [`owner`](Self::owner) makes an owner of a name in use. [`NameOwner::leak`](crate::NameOwner::leak) keeps a name for the rest of the process.
///
/// A name is case-sensitive, and has no formats.
///
/// # Cost
///
/// Comparing and hashing read one word. Like a handle, [`get`](Self::get) takes four loads under a pin. [`find`](Self::find) and
/// [`NameOwner::new`](crate::NameOwner::new) compute a keyed hash of the text, take one of 16 locks, and search a table. A name
/// takes 8 bytes, and so does an `Option` of one.
///
/// Names are ordered by their words, not by their texts.
#[doc(alias = "FName")]
#[doc(alias = "interned")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub(super) Handle<Entry>);

const _: () = assert!(size_of::<Name>() == 8 && size_of::<Option<Name>>() == 8);

impl Name {
    /// The text, if the name is in use. It stays readable until the end of the pin, even if the name ends meanwhile.
    ///
    /// ```
    /// use acedia::pin;
    /// use acedia_text::NameOwner;
    ///
    /// let owner = NameOwner::new("health");
    /// assert_eq!(owner.name().get(&pin()), Some("health"));
    /// ```
    #[must_use]
    pub fn get(self, pinned: &Pinned) -> Option<&str> {
        Some(&self.0.get(pinned)?.text)
    }

    /// The result of `read` for the text, if the name is in use.
    pub fn with<R>(self, read: impl FnOnce(&str) -> R) -> Option<R> {
        self.0.with(|entry| read(&entry.text))
    }

    /// Whether the name is in use at this moment.
    ///
    /// ```
    /// use acedia_text::NameOwner;
    ///
    /// let owner = NameOwner::new("doc.speed");
    /// let name = owner.name();
    /// assert!(name.is_alive());
    /// drop(owner);
    /// assert!(!name.is_alive());
    /// ```
    #[must_use]
    pub fn is_alive(self) -> bool {
        self.0.is_allocated()
    }
}

impl fmt::Display for Name {
    /// Prints the text, or `<ended>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A copy, so that no user code runs under the pin.
        f.pad(self.with(str::to_owned).as_deref().unwrap_or("<ended>"))
    }
}

impl fmt::Debug for Name {
    /// Prints `Name("health")`, or `Name(<ended>, slot 3, life 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.with(str::to_owned) {
            Some(text) => f.debug_tuple("Name").field(&text).finish(),
            None => write!(f, "Name(<ended>, {})", self.0.key()),
        }
    }
}
