//! [`ArrayList`]: items by number, behind a lock.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use acedia::{Object, Owned, allocate_with, class};

use super::items::Items;
use crate::Item;
use crate::lock::Lock;
use crate::place::Place;
use crate::release::release;
use crate::stack::Stack;

/// A pooled list of items: see [`Item`](crate::Item) for its elements.
///
/// ```
/// use acedia_collections::{ArrayList, Item};
///
/// let list = ArrayList::from([1, 2, 3]);
/// list.write().push("four").push(ArrayList::from([5])).set(0, 1.5);
/// let items = list.read();
/// assert_eq!(items.len(), 5);
/// assert_eq!((items[0].as_int(), items[1].as_int()), (Some(1), Some(2)));
/// assert_eq!(items[3].as_string().as_deref(), Some("four"));
/// assert_eq!(items[4].to_list().unwrap().read()[0].as_int(), Some(5));
/// assert!(items[99].is_none());
/// ```
///
/// A list is equal only to itself; [`Item::same_content`](crate::Item::same_content) compares contents.
///
/// # Threads
///
/// The items are behind a lock. [`read`](Self::read) and [`write`](Self::write) lock it, and their results have all
/// operations, so that a sequence of operations locks once. As long as such a result lives, no other thread can change
/// the list, so no iterator sees a change.
///
/// A thread that holds the result of [`write`](Self::write) cannot lock the same list again, and a thread that holds
/// the result of [`read`](Self::read) cannot change it: it would wait for itself, so it panics. Objects that a change
/// releases are freed while the list is locked, so their finalizers are bound by this rule too. If several threads each
/// hold one lock and wait for another's, the last one, which would close the circle, panics instead of waiting for
/// ever. The locks of mutable texts and of refs count too. To hold several locks, take them in the same order
/// everywhere.
///
/// Waiting for anything else is not tracked. The following waits never end:
///
/// * A circle through a lock of another library, a channel, or the join of a thread.
/// * A static constructor that locks a list, while another thread holds that list and allocates: the allocation waits
///   for the constructor.
/// * The lock of a list whose [`read`](Self::read) or [`write`](Self::write) result was forgotten (`mem::forget`), for
///   the rest of this life. If such a list is not a pooled object and is moved, its lock moves along, and the thread that
///   forgot the result may be reported as part of a circle at the old address.
///
/// ```should_panic
/// use acedia_collections::ArrayList;
///
/// let list = ArrayList::from([1]);
/// list.write().push(list.read()[0].clone()); // `write` comes first
/// ```
///
/// # Memory
///
/// A freed list releases its items at once, to any depth. It keeps its memory for its next life, or until
/// [`collect_garbage`](acedia::collect_garbage). A list of up to four items that was read from JSON keeps
/// them inline until it is changed, and frees the memory of an earlier life.
#[derive(Default)]
#[doc(alias = "DynamicArray")]
pub struct ArrayList {
    pub(super) items: Lock<Items>,
    pub(super) place: Place,
}

impl Object for ArrayList {
    class!(ArrayList, "AcediaCore.ArrayList");

    const FINALIZER: Option<fn(&mut Self)> = Some(|list| {
        release(list.items.get_mut());
        list.items.unlock();
    });

    #[inline]
    fn constructor(&mut self) {
        self.place.reset();
    }
}

impl ArrayList {
    /// An empty list.
    #[track_caller]
    #[doc(alias = "EmptyArrayList")]
    #[doc(alias = "EmptyDynamicArray")]
    pub fn new() -> Owned<Self> {
        Self::allocate()
    }

    /// Locks the items for reading. Other threads can read at the same time; a thread that changes the list
    /// waits.
    ///
    /// Readers overtake waiting writers, so a thread may read a list that it is already reading. If the result is
    /// forgotten (`mem::forget`), the list cannot be changed again in this life.
    ///
    /// # Panics
    ///
    /// If waiting would have no end: see [threads](Self#threads).
    #[track_caller]
    pub fn read(&self) -> impl Deref<Target = Items> + fmt::Debug + '_ {
        self.items.read()
    }

    /// A copy of the item at `index`, or nothing beyond the end. The list is locked only during this call, so a condition on it may
    /// change the list.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([5, 6]);
    /// if let Some(first) = list.get(0).as_int() {
    ///     list.write().push(first + 2);
    /// }
    /// assert_eq!((list.get(2).as_int(), list.len()), (Some(7), 3));
    /// assert!(list.get(3).is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// As [`read`](Self::read).
    ///
    /// # Cost
    ///
    /// A lock. The copy of an owning item is a new owner.
    #[must_use]
    #[track_caller]
    #[doc(alias = "GetItem")]
    pub fn get(&self, index: usize) -> Item {
        self.read()[index].clone()
    }

    /// The number of items, including those that are nothing. The list is locked only during this call.
    ///
    /// # Panics
    ///
    /// As [`read`](Self::read).
    #[must_use]
    #[track_caller]
    #[doc(alias = "GetLength")]
    #[expect(clippy::len_without_is_empty, reason = "the guard has both")]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Moves the items into a list that is not a pooled object, and leaves this one empty.
    #[cfg(feature = "serde")]
    pub(crate) fn take(&self) -> Self {
        let mut taken = Self::default();
        std::mem::swap(taken.items.get_mut(), &mut self.items.write());
        taken
    }

    #[inline]
    #[doc(hidden)]
    pub fn try_read(&self) -> Option<impl Deref<Target = Items> + '_> {
        self.items.try_read()
    }

    pub(crate) fn try_read_for(&self, patience: Duration) -> Option<impl Deref<Target = Items> + '_> {
        self.items.try_read_for(patience)
    }

    #[inline]
    #[doc(hidden)]
    pub fn try_write(&self) -> Option<impl DerefMut<Target = Items> + '_> {
        self.items.try_write()
    }

    /// The items, without a lock: `&mut` excludes all other access.
    #[inline]
    #[doc(hidden)]
    pub fn get_mut(&mut self) -> &mut Items {
        self.items.get_mut()
    }

    /// A list of the items on the stack from `start` on. Collections among them must be [marked](Place::mark).
    #[doc(hidden)]
    pub fn of_last(items: &mut Stack, start: usize) -> Owned<Self> {
        allocate_with(|list: &mut Self| list.items.get_mut().0.fill(items, start))
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }
}
