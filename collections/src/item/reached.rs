//! [`OwnedOrGuard`]: an object that an item owns or watches, to be kept and used.

use std::fmt;
use std::ops::Deref;

use acedia::{Guard, Handle, Object, Owned};

use super::{Item, Repr};

/// An object that an item owns or watches: the result of [`to_list`](Item::to_list), [`to_table`](Item::to_table) and
/// [`to_mutable_text`](Item::to_mutable_text).
///
/// ```
/// use acedia_collections::{HashTable, Item, OwnedOrGuard};
///
/// let table = HashTable::from([("a", 1)]);
/// let [owned, watched] = [Item::from(&table), table.handle().into()];
/// for item in [&owned, &watched] {
///     item.to_table().unwrap().write().set("a", 2);
///     assert_eq!(table.get("a").as_int(), Some(2));
///     assert!(Item::from(&item.to_table().unwrap()) == *item);
/// }
/// assert!(matches!(owned.to_table(), Some(OwnedOrGuard::Owned(_))));
///
/// // A guard is no owner: the life of the table ends with its last owner.
/// let guard = watched.to_table().unwrap();
/// drop((table, owned));
/// assert!(watched.is_none() && guard.get("a").as_int() == Some(2));
/// ```
#[expect(clippy::exhaustive_enums, reason = "an item owns an object or watches it")]
#[must_use = "it is dropped at once"]
pub enum OwnedOrGuard<T: Object> {
    /// A new owner of the object that the item owns.
    Owned(Owned<T>),
    /// A guard of the object that the item watches, and its handle.
    Guard(Guard<T>, Handle<T>),
}

impl Item {
    /// An owner of the object, if it is an owned `T`, or a guard, if it is a watched `T`.
    pub(crate) fn owned_or_guard<T: Object>(&self) -> Option<OwnedOrGuard<T>> {
        if let Repr::Watched(watch) = &self.0 {
            let handle = watch.handle()?.downcast()?;
            return Some(OwnedOrGuard::Guard(handle.guard()?, handle));
        }
        self.to_owned_as().map(OwnedOrGuard::Owned)
    }
}

impl<T: Object> Deref for OwnedOrGuard<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Owned(owned) => owned,
            Self::Guard(guard, _) => guard,
        }
    }
}

impl<T: Object + fmt::Debug> fmt::Debug for OwnedOrGuard<T> {
    /// Prints the object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Object> From<&OwnedOrGuard<T>> for Item {
    /// Becomes an item that owns the object, or one that watches it.
    fn from(object: &OwnedOrGuard<T>) -> Self {
        match object {
            OwnedOrGuard::Owned(owned) => owned.into(),
            OwnedOrGuard::Guard(_, handle) => (*handle).into(),
        }
    }
}
