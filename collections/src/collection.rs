//! [`Collection`]: a list or a table inside another, and how deep ones are released without using up the stack.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use acedia_allocator::__private::{FirstPanic, drop_all};
use acedia_allocator::{AnyOwned, Pinned};

use crate::place::{Node, Place};
use crate::{ArrayList, HashTable, Item};

/// How long the search for circles waits for each collection that another thread is changing. Those who change one are done
/// long before; and two threads that would close a circle together, and so wait for each other, are refused after it.
const PATIENCE: Duration = Duration::from_millis(50);

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

    /// The collection that the item owns or watches: see [`Item::reach`].
    pub(crate) fn reach(item: &'a Item, pinned: &'a mut Option<Pinned>) -> Option<Self> {
        if let Some(object) = item.object() {
            return Self::of(object);
        }
        if item.is::<ArrayList>() {
            item.reach(pinned).map(Self::List)
        } else {
            item.reach(pinned).map(Self::Table)
        }
    }

    /// What `read` makes of the collection that the item owns or watches.
    pub(crate) fn with<R>(item: &Item, read: impl FnOnce(Collection<'_>) -> R) -> Option<R> {
        Collection::reach(item, &mut None).map(read)
    }

    pub(crate) fn place(self) -> &'a Place {
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
        let places = [self.place().address(), other.place().address()];
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

    /// Lets `visit` look at every object that the collection owns. `None` if it can't be read for long.
    fn owned(self, visit: &mut dyn FnMut(&AnyOwned)) -> Option<()> {
        match self {
            Self::List(list) => list
                .try_read_for(PATIENCE)?
                .iter()
                .filter_map(Item::object)
                .for_each(visit),
            Self::Table(table) => {
                let entries = table.try_read_for(PATIENCE)?;
                let both = entries.iter().flat_map(|(key, value)| [key, value]);
                both.filter_map(Item::object).for_each(visit);
            }
        }
        Some(())
    }
}

impl Node for AnyOwned {
    type Mark = AtomicBool;

    fn place(&self) -> Option<&Place> {
        Collection::of(self).map(Collection::place)
    }

    fn owned(&self, visit: &mut dyn FnMut(&Self)) -> Option<()> {
        Collection::of(self).map_or(Some(()), |collection| collection.owned(visit))
    }
}

/// What was taken out of a collection, and is released if nobody asks for it.
pub(crate) struct Taken<I: Iterator>(pub(crate) I);

impl<I: Iterator> Iterator for Taken<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Taken<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.0.next_back()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Taken<I> {}

impl<I: Iterator> Drop for Taken<I> {
    fn drop(&mut self) {
        drop_all(self.0.by_ref());
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
    /// One step deeper; back again, and with nothing left that waits, also when somebody's finalizer panics.
    struct Deeper(u32);
    impl Drop for Deeper {
        #[inline]
        fn drop(&mut self) {
            if self.0 == 0 {
                release_waiting();
            }
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
}

#[cold]
#[inline(never)]
fn put_off(contents: &mut impl Contents) {
    let mut items = Some(contents.take());
    // When the thread is ending there may be no list any more; then they are released right here.
    let _ = WAITING.try_with(|waiting| waiting.borrow_mut().extend(items.take()));
}

/// Releases what was put off, and what is put off meanwhile.
#[inline(never)]
fn release_waiting() {
    let mut panics = FirstPanic::new();
    while let Ok(Some(items)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
        panics.catch(|| drop_all(items.into_iter()));
    }
    panics.resume();
}
