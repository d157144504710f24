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
use super::chunk::Slot;
use super::depot::{Cold, Depot};
use super::magazine::Magazine;
use super::pin::{self, who};
use super::thread::ThreadState;
use crate::hint::likely;
use crate::sync::bug;
use crate::sync::plain::{AtomicU64, Ordering};

/// A copy of a pool's census, in a thread's magazines: [`who::NONE`], or any other word with all its bits turned over.
///
/// So it equals the mode of reading only if nobody reads and nobody guards: one comparison for both.
pub(super) struct Guarding(AtomicU64);

impl Guarding {
    /// For new magazines: nobody, as far as it can be told.
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(Self::turned(Census::new().value())))
    }

    /// Takes over what the census says. The caller holds the pool's lock.
    pub(super) fn set(&self, value: u64) {
        // Relaxed: a fence for everybody follows before anybody relies on it.
        self.0.store(Self::turned(value), Ordering::Relaxed);
    }

    fn turned(value: u64) -> u64 {
        if value == who::NONE { value } else { !value }
    }

    /// Whether nobody may be looking at the object in `slot` of the pool, whose life this thread has ended: it may be reused at
    /// once. May say no for want of a fence.
    #[inline]
    pub(super) fn nobody_looks(&self, thread: &ThreadState, slot: Slot) -> bool {
        let mode = pin::mode_after_end();
        // Relaxed: who comes later has everything in sight that this thread did before the look.
        let guarding = self.0.load(Ordering::Relaxed);
        likely(mode == guarding) || {
            let unguarded = guarding == who::NONE
                || (guarding == !thread.id.get() && (slot.readers().quiet() || bug("own_guards_ignored")));
            pin::allows(mode, thread) && unguarded
        }
    }
}

impl Depot {
    /// Makes sure that whoever frees an object of this pool looks for guards of this thread.
    #[inline]
    pub(super) fn expect_guards(&self, thread: &ThreadState) {
        if !(self.guarding.is_many() || self.guarding.is_only(thread) || bug("first_guard_unnoticed")) {
            let copies = |cold: &Cold, value| cold.locals.iter().for_each(|local| local.guarding.set(value));
            self.enter(thread, &self.guarding, copies, || ());
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
