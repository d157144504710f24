//! [`Collection`]: a list or a table inside another, and what must hold for them: no circles, and no end of the stack.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use acedia_allocator::AnyOwned;

use crate::error::Reason;
use crate::{ArrayList, HashTable, Item};

/// A collection of either class.
#[derive(Clone, Copy)]
pub(crate) enum Collection<'a> {
    List(&'a ArrayList),
    Table(&'a HashTable),
}

impl<'a> Collection<'a> {
    #[inline]
    pub(crate) fn of(object: &'a AnyOwned) -> Option<Self> {
        let list = object.downcast_ref().map(Self::List);
        list.or_else(|| object.downcast_ref().map(Self::Table))
    }

    /// What `read` makes of the collection that the item owns or watches.
    pub(crate) fn with<R>(item: &Item, read: impl FnOnce(Collection<'_>) -> R) -> Option<R> {
        if let Some(object) = item.object() {
            return Collection::of(object).map(read);
        }
        if item.is::<ArrayList>() {
            item.with(|list: &ArrayList| read(Collection::List(list)))
        } else if item.is::<HashTable>() {
            item.with(|table: &HashTable| read(Collection::Table(table)))
        } else {
            None
        }
    }

    fn place(self) -> &'a Place {
        match self {
            Self::List(list) => list.place(),
            Self::Table(table) => table.place(),
        }
    }

    pub(crate) fn is_same(self, other: Collection<'_>) -> bool {
        ptr::eq(self.place(), other.place())
    }

    /// Puts what must be equal, if both are to have the same content, on the list. `false` if they can't have.
    pub(crate) fn pair(
        self,
        other: Collection<'_>,
        open: &mut Vec<(Item, Item)>,
        seen: &mut HashSet<(usize, usize)>,
    ) -> bool {
        let places = [self.place(), other.place()].map(|place| ptr::from_ref(place).addr());
        if !seen.insert((places[0], places[1])) {
            return true;
        }
        match (self, other) {
            (Self::List(left), Collection::List(right)) => {
                let left: Vec<_> = left.read().iter().cloned().collect();
                let right = right.read();
                let same = left.len() == right.len();
                open.extend(left.into_iter().zip(right.iter().cloned()));
                same
            }
            (Self::Table(left), Collection::Table(right)) => {
                let left: Vec<_> = left
                    .read()
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect();
                let right = right.read();
                left.len() == right.len()
                    && left.into_iter().all(|(key, value)| {
                        let found = right.get_entry(&key).map(|(_, other)| (value, other.clone()));
                        found.map(|pair| open.push(pair)).is_some()
                    })
            }
            _ => false,
        }
    }

    /// Lets `visit` look at every object that the collection owns. `None`, if it can't be read without waiting.
    fn owned(self, visit: &mut dyn FnMut(&AnyOwned)) -> Option<()> {
        match self {
            Self::List(list) => list.try_read()?.iter().filter_map(Item::object).for_each(visit),
            Self::Table(table) => {
                let entries = table.try_read()?;
                let both = entries.iter().flat_map(|(key, value)| [key, value]);
                both.filter_map(Item::object).for_each(visit);
            }
        }
        Some(())
    }
}

/// Whether a collection was ever put into another one in this life. Its address is also what tells collections apart.
#[derive(Default)]
pub(crate) struct Place(AtomicBool);

impl Place {
    #[inline]
    pub(crate) fn reset(&mut self) {
        *self.0.get_mut() = false;
    }

    /// Says of a new collection, which nobody else knows yet, that it will stand in another one.
    #[inline]
    pub(crate) fn mark(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether `item` may become an owned item of the collection that this belongs to, which its caller has locked.
    ///
    /// A circle can only close in a collection that stands in another one already: in a new one, there is nothing to search.
    ///
    /// Of two threads that would close a circle together, at least one sees the other's collection marked, and then either
    /// finds it locked or finds in it what the other has put there. Nobody waits for a lock here, so nobody waits in a circle.
    #[inline]
    pub(crate) fn admit(&self, item: &Item) -> Result<(), Reason> {
        match item.object().and_then(Collection::of) {
            Some(child) => self.admit_collection(child),
            None => Ok(()),
        }
    }

    #[inline(never)]
    fn admit_collection(&self, child: Collection<'_>) -> Result<(), Reason> {
        if ptr::eq(self, child.place()) {
            return Err(Reason::Cycle);
        }
        // SeqCst here and below: of two threads that each mark one collection and then look at the other, one sees a mark.
        child.place().0.store(true, Ordering::SeqCst);
        if self.0.load(Ordering::SeqCst) {
            self.search(child)
        } else {
            Ok(())
        }
    }

    /// Looks for this collection in everything that `root` owns.
    fn search(&self, root: Collection<'_>) -> Result<(), Reason> {
        let mut open: Vec<AnyOwned> = Vec::new();
        let mut seen = HashSet::new();
        let mut found = false;
        let mut visit = |open: &mut Vec<AnyOwned>, collection: Collection<'_>| {
            collection.owned(&mut |object| {
                if let Some(inner) = Collection::of(object) {
                    found |= ptr::eq(self, inner.place());
                    if !found && seen.insert(object.index()) {
                        open.push(object.clone());
                    }
                }
            })?;
            Some(found)
        };
        let mut next = visit(&mut open, root);
        loop {
            match next {
                Some(false) => {}
                Some(true) => return Err(Reason::Cycle),
                None => return Err(Reason::Busy),
            }
            let Some(object) = open.pop() else { return Ok(()) };
            next = Collection::of(&object).map_or(Some(false), |inner| visit(&mut open, inner));
        }
    }
}

/// What a collection lets go of when its life ends.
pub(crate) trait Contents {
    /// Releases everything, and keeps some memory for the next life.
    fn release(&mut self);

    /// Everything, to be released later.
    fn take(&mut self) -> Vec<Item>;
}

/// How many collections are released inside each other before the rest has to wait.
const DEEPEST: u32 = 50;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<Vec<Item>>> = const { RefCell::new(Vec::new()) };
}

/// Releases what a collection has, in which there may be collections to any depth: those far down wait until the stack is
/// short again.
#[inline]
pub(crate) fn release(contents: &mut impl Contents) {
    /// One step deeper; back again also when somebody's finalizer panics.
    struct Deeper(u32);
    impl Drop for Deeper {
        fn drop(&mut self) {
            let _ = DEPTH.try_with(|depth| depth.set(self.0));
        }
    }
    let depth = DEPTH.try_with(|depth| depth.replace(depth.get() + 1)).unwrap_or(0);
    let _deeper = Deeper(depth);
    if depth < DEEPEST {
        contents.release();
    } else {
        put_off(contents);
    }
    if depth == 0 {
        release_waiting();
    }
}

#[cold]
#[inline(never)]
fn put_off(contents: &mut impl Contents) {
    let mut items = Some(contents.take());
    // When the thread is ending there may be no list any more; then they are released right here.
    let _ = WAITING.try_with(|waiting| waiting.borrow_mut().extend(items.take()));
}

#[inline(never)]
fn release_waiting() {
    while let Ok(Some(items)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
        drop(items);
    }
}
