//! [`ArrayList`]: items by index, behind a lock.

use acedia::{Object, Owned};

use super::items::Items;
use crate::Item;
use crate::lock::{Lock, locked_face};
use crate::place::Place;
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
/// assert_eq!(items[3].to_string().as_deref(), Some("four"));
/// assert_eq!(items[4].to_list().unwrap().read()[0].as_int(), Some(5));
/// assert!(items[99].is_none());
/// ```
///
/// A list is equal only to itself; [`Item::same_content`](crate::Item::same_content) compares contents.
///
/// # Threads
///
/// A lock protects the items of a list. [`read`](Self::read) and [`write`](Self::write) return a guard, which has all operations,
/// so that a sequence of operations locks once. While a guard exists, no other thread can change the list, so no iterator sees a
/// change.
///
/// A thread that holds the guard of [`write`](Self::write) must not lock the same list again, and a thread that holds the guard of
/// [`read`](Self::read) must not change it. Either call would deadlock, so it panics. Objects that a change releases are freed
/// while the list is locked, so their finalizers must not lock the list either. If threads wait for each other's locks in a cycle,
/// the last to wait panics. The locks of mutable texts and of refs count, too. To hold several locks, take them in the same order
/// everywhere.
///
/// Other deadlocks are not detected:
///
/// * A deadlock that involves a lock of another library, a channel, or the join of a thread.
/// * A static constructor that locks a list, while another thread holds that list and allocates: the allocation waits
///   for the constructor.
/// * A wait for a list whose guard was leaked (`mem::forget`): the list stays locked for the rest of this life. If such a list is
///   not a pooled object and is moved, a later panic may wrongly name the thread that leaked the guard as part of a deadlock.
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
/// [`collect_garbage`](acedia::collect_garbage). A list of up to four items that is read from JSON stores them inside its
/// object until it is changed, and frees the memory of its last life.
#[derive(Default)]
#[doc(alias = "DynamicArray")]
#[doc(alias = "CollectionsAPI")]
#[doc(alias = "EmptyArrayList")]
#[doc(alias = "EmptyDynamicArray")]
pub struct ArrayList {
    pub(crate) contents: Lock<Items>,
    pub(crate) place: Place,
}

impl ArrayList {
    /// A copy of the item at `index`, or none if `index` is beyond the end. The list is locked only during the call, so the body of
    /// an `if` on its result may change the list.
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
    /// One lock. A copy of an item that owns an object is a new owner.
    #[must_use]
    #[track_caller]
    #[doc(alias = "GetItem")]
    pub fn get(&self, index: usize) -> Item {
        self.read()[index].clone()
    }

    /// A list of the items on the stack from `start` on. Collections among them must be [marked](Place::mark).
    #[doc(hidden)]
    pub fn of_last(items: &mut Stack, start: usize) -> Owned<Self> {
        Self::allocate_with(|list| list.contents.get_mut().0.fill(items, start))
    }
}

locked_face!(ArrayList, "AcediaCore.ArrayList", Items, ListWriter { items }, "list");
