//! How whoever frees knows whether to look for guards: only in pools that have any.
//!
//! Nothing but a slot's reader word tells of a guard, and looking there in time takes a fence. So each pool has a
//! [census](super::census) of the threads that make guards:
//!
//! ```text
//! freeing: life = ended; nobody guards, or only this thread and the slot has no readers? → reuse
//!                        else FENCE, and look at the readers
//! guard:   be in the census; readers += 1; life == mine? → read …
//! ```
//!
//! A thread that freed before a census changed has the end of the life in memory when the guard looks for it. And a thread
//! sees its own guards without any fence, wherever they went since.

use super::census::Census;
use super::depot::Depot;
use super::magazine::Magazine;
use super::slot::Slot;
use super::thread::ThreadState;
use crate::hint::likely;
use crate::sync::bug;

impl Census {
    /// Whether nobody guards `slot` of the pool, whose life this thread has ended. May say no for want of a fence.
    ///
    /// The caller has looked at the mode of reading in between ([`super::pin::is_solo`]), which keeps the compiler from
    /// asking before the life has ended.
    #[inline]
    pub(super) fn is_unguarded(&self, thread: &ThreadState, slot: Slot) -> bool {
        likely(self.is_nobody()) || (self.is_only(thread) && (slot.readers().quiet() || bug("own_guards_ignored")))
    }
}

impl Depot {
    /// Makes sure that whoever frees an object of this pool looks for guards of this thread.
    #[inline]
    pub(super) fn expect_guards(&self, thread: &ThreadState) {
        if !(self.guarding.is_many() || self.guarding.is_only(thread) || bug("first_guard_unnoticed")) {
            self.enter(thread);
        }
    }

    /// Takes the slots that somebody guards out of a magazine. The caller has ended their lives and fenced since.
    pub(super) fn take_guarded(&self, magazine: &mut Magazine) -> Option<Box<Magazine>> {
        let mut guarded: Option<Box<Magazine>> = None;
        if !self.guarding.is_nobody() {
            magazine.retain(|slot| {
                let quiet = slot.readers().quiet();
                if !quiet {
                    guarded.get_or_insert_with(Magazine::empty).push(slot);
                }
                quiet
            });
        }
        guarded
    }
}
