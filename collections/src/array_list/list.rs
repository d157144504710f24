//! [`ArrayList`]: items by number, behind a lock.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use acedia_allocator::{Object, Owned, allocate_with, class};

use super::items::Items;
use crate::lock::Lock;
use crate::place::Place;
use crate::release::release;
use crate::stack::Stack;

/// Items by number, as an object: see [`Item`](crate::Item) for what can stand in it.
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
/// assert_eq!(items[4].as_list().unwrap().read()[0].as_int(), Some(5));
/// assert!(items[99].is_none());
/// ```
///
/// Equal to itself alone; [`Item::same_content`](crate::Item::same_content) compares what is in it.
///
/// # Threads
///
/// The items are behind a lock. [`read`](Self::read) and [`write`](Self::write) take it and give everything that
/// can be done; many operations in a row take it once. Who has what they gave sees the list as it is, and nobody can change
/// it under an iterator.
///
/// A thread that holds what [`write`](Self::write) gave cannot lock the same list again, and one that holds what
/// [`read`](Self::read) gave cannot change it: it would wait for itself, and panics instead. Objects that a change releases
/// are freed while the list is locked, so that goes for their finalizers, too. Nor may threads that hold one thing each want the
/// other's: the last one, which closes the circle, panics instead of waiting for ever. Mutable texts and refs of boxes count, too.
/// Who needs several takes them in one order.
///
/// Of what else a thread can wait for, nothing is known here, and these have no end:
///
/// * A circle that goes through a lock of another library, a channel, or a thread that is joined.
/// * A static constructor that locks a list, while another thread holds it and allocates, for which it waits for that very
///   constructor.
/// * What [`read`](Self::read) or [`write`](Self::write) gave, and was forgotten (`mem::forget`): it locks the list for as long as
///   this life goes on. A list that is no object and is moved then takes its lock along, and the thread that forgot it may be
///   told of a circle in vain at the place where it was.
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
/// A freed list releases its items at once, to any depth. Its memory stays for its next life, or until
/// [`collect_garbage`](acedia_allocator::collect_garbage). A list of up to four items that JSON was read into has them in
/// itself, and gives back what another life has left, until it is changed.
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

    /// The items, to be read. Others can read them at the same time; who wants to change them waits.
    ///
    /// Readers overtake who waits to change the list, so that a thread may read what it is reading already. Who forgets what
    /// this gives lets nobody change the list again in this life.
    ///
    /// # Panics
    ///
    /// If waiting would have no end: see [threads](Self#threads).
    #[track_caller]
    pub fn read(&self) -> impl Deref<Target = Items> + fmt::Debug + '_ {
        self.items.read()
    }

    /// What is in it, as a list that is no object. Leaves it empty.
    #[cfg(feature = "serde")]
    pub(crate) fn take(&self) -> Self {
        let mut taken = Self::default();
        std::mem::swap(taken.items.get_mut(), &mut self.items.write());
        taken
    }

    pub(crate) fn try_read(&self) -> Option<impl Deref<Target = Items> + '_> {
        self.items.try_read()
    }

    pub(crate) fn try_read_for(&self, patience: Duration) -> Option<impl Deref<Target = Items> + '_> {
        self.items.try_read_for(patience)
    }

    pub(crate) fn try_write(&self) -> Option<impl DerefMut<Target = Items> + '_> {
        self.items.try_write()
    }

    /// The items, without a lock: nobody else can reach them.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut Items {
        self.items.get_mut()
    }

    /// A list of the last of `items`: those from `start` on. The collections among them must be [marked](Place::mark).
    pub(crate) fn of_last(items: &mut Stack, start: usize) -> Owned<Self> {
        allocate_with(|list: &mut Self| list.items.get_mut().0.fill(items, start))
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }
}
