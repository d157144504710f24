//! [`Place`]: where a collection stands, and why it never comes to stand in itself, however far down.
//!
//! ```text
//! thread 1, changes A (locked)          thread 2, changes B (locked)
//!   mark B                                mark A                        each marks, and then looks:
//!   is A marked? ── no: nothing to search   is B marked? ── yes ──┐     one of them sees a mark
//!   B stands in A                                                 ▼
//!   unlock A                              search A: locked for long (refused as busy), or B is found in it (refused as a circle)
//! ```

use std::collections::HashSet;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering, fence};

use crate::error::Reason;

/// Whether a collection was ever put into another one in this life. Its address is also what tells collections apart.
#[derive(Default)]
pub(crate) struct Place<M = AtomicBool>(M);

/// The word of a [`Place`]. In models it is loom's.
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

/// An object that may be a collection. In models it is less.
pub(crate) trait Node: Clone {
    type Mark: Mark;

    /// `None` if it is no collection.
    fn place(&self) -> Option<&Place<Self::Mark>>;

    /// Lets `visit` look at everything that it owns. `None` if it can't be read for long.
    fn owned(&self, visit: &mut dyn FnMut(&Self)) -> Option<()>;
}

impl Place {
    #[inline]
    pub(crate) fn reset(&mut self) {
        *self.0.get_mut() = false;
    }
}

impl<M> Place<M> {
    /// What tells this collection from all others.
    pub(crate) fn address(&self) -> usize {
        ptr::from_ref(self).addr()
    }
}

impl<M: Mark> Place<M> {
    /// Says of a new collection, which nobody else knows yet, that it will stand in another one.
    #[inline]
    pub(crate) fn mark(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether `child` may become something that the collection of this place owns, which its caller has locked.
    ///
    /// A circle can only close in a collection that stands in another one already: in a new one, there is nothing to search.
    ///
    /// Of any threads that would close a circle together, at least one sees its own collection marked, and then either
    /// finds one on the way locked, or finds in it what another thread has put there. Nobody waits for a lock here for longer
    /// than a moment, so nobody waits in a circle for ever.
    #[inline(never)]
    pub(crate) fn admit<N: Node<Mark = M>>(&self, child: &N) -> Result<(), Reason> {
        let Some(place) = child.place() else { return Ok(()) };
        if ptr::eq(self, place) {
            return Err(Reason::Cycle);
        }
        place.0.store(true, Ordering::Relaxed);
        // Pairs with itself: of threads that each mark one collection and then look at another, one sees a mark.
        M::fence(Ordering::SeqCst);
        if self.0.load(Ordering::Relaxed) {
            self.search(child)
        } else {
            Ok(())
        }
    }

    /// Looks for this collection in everything that `root` owns.
    fn search<N: Node<Mark = M>>(&self, root: &N) -> Result<(), Reason> {
        let mut open = vec![root.clone()];
        let mut seen = HashSet::new();
        while let Some(node) = open.pop() {
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
                None => return Err(Reason::Busy),
            }
        }
        Ok(())
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod models;
