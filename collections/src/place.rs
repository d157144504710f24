//! [`Place`]: whether a collection is an item of another one, and the check that keeps a collection from owning itself.
//!
//! ```text
//! thread 1, changes A (locked)          thread 2, changes B (locked)
//!   mark B                                mark A                        each marks before it looks:
//!   is A marked? ── no: nothing to search   is B marked? ── yes ──┐     at least one sees a mark
//!   B is put into A                                               ▼
//!   unlock A                              search A: still locked (refused as busy), or B is found in it (refused as a cycle)
//! ```

use std::collections::HashSet;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering, fence};

use acedia_text::Keyed;

use crate::error::Reason;

/// Whether a collection was ever put into another one in this life.
#[derive(Debug, Default)]
pub(crate) struct Place<M = AtomicBool>(M);

/// The word of a [`Place`]. The models use loom's.
pub(crate) trait Mark: Sized {
    fn store(&self, value: bool, ordering: Ordering);
    fn load(&self, ordering: Ordering) -> bool;
    fn fence(ordering: Ordering);
}

impl Mark for AtomicBool {
    #[inline]
    fn store(&self, value: bool, ordering: Ordering) {
        self.store(value, ordering);
    }

    #[inline]
    fn load(&self, ordering: Ordering) -> bool {
        self.load(ordering)
    }

    #[inline]
    fn fence(ordering: Ordering) {
        fence(ordering);
    }
}

/// An object that may be a collection. The models use a smaller one.
pub(crate) trait Node: Clone {
    type Mark: Mark;

    /// `None` if it is not a collection.
    fn place(&self) -> Option<&Place<Self::Mark>>;

    /// Calls `visit` with everything that it owns. `None` if it stays locked.
    fn owned(&self, visit: &mut dyn FnMut(&Self)) -> Option<()>;
}

impl Place {
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    #[inline]
    pub(crate) fn reset(&mut self) {
        *self.0.get_mut() = false;
    }
}

impl<M> Place<M> {
    /// The address that identifies this collection.
    pub(crate) fn address(&self) -> usize {
        ptr::from_ref(self).addr()
    }
}

impl<M: Mark> Place<M> {
    /// Marks a new collection, which no other thread can reach yet, because it will be put into another one.
    #[inline]
    pub(crate) fn mark(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the collection of this place, which the caller has locked, may own `child`.
    ///
    /// A cycle can only close in a collection that is an item of another one. If this collection is not, there is
    /// nothing to search.
    ///
    /// If several threads would close a cycle together, at least one of them sees its own collection marked. That thread
    /// then finds a collection on the path locked, or finds its own collection in one that another thread has changed. No
    /// thread waits for a lock here longer than 50 ms, so no threads wait for each other forever.
    #[inline(never)]
    pub(crate) fn admit<N: Node<Mark = M>>(&self, child: &N) -> Result<(), Reason> {
        let Some(place) = child.place() else { return Ok(()) };
        if ptr::eq(self, place) {
            return Err(Reason::Cycle);
        }
        place.0.store(true, Ordering::Relaxed);
        // Pairs with itself: of several threads that each mark one collection and then load another one's mark, at
        // least one sees a mark.
        M::fence(Ordering::SeqCst);
        if self.0.load(Ordering::Relaxed) {
            self.search(child)
        } else {
            Ok(())
        }
    }

    /// Searches everything that `root` owns for this collection.
    fn search<N: Node<Mark = M>>(&self, root: &N) -> Result<(), Reason> {
        let mut open = vec![root.clone()];
        let mut seen = HashSet::with_hasher(Keyed);
        while let Some(node) = open.pop() {
            // The owned collections are noted and not entered, so only one lock is held at a time.
            let mut found = false;
            let read = node.owned(&mut |inner| {
                if let Some(place) = inner.place() {
                    found |= ptr::eq(self, place);
                    if !found && seen.insert(place.address()) {
                        open.push(inner.clone());
                    }
                }
            });
            match read {
                Some(()) if found => return Err(Reason::Cycle),
                Some(()) => {}
                // Its lock could not be taken, so a path to this collection may lead through it.
                None => return Err(Reason::Busy),
            }
        }
        Ok(())
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod models;
