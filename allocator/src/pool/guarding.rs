//! How a pool knows who guards its objects, so that only pools with guards pay for them.
//!
//! Nothing but a slot's reader word tells of a guard, and looking there in time takes a fence. So each pool has a word that
//! says whose guards there may be at all, with a copy in every chunk, where whoever frees finds it beside the tag:
//!
//! ```text
//!         first guard            guard of another thread
//!   NONE ─────────────► a thread ──────────► CHANGING ──► MANY
//!
//! freeing: life = ended; guarding is NONE, or is me and no readers? → reuse
//!                        else FENCE, and look at the readers
//! guard:   guarding is MANY, or is me? else change it; readers += 1; life == mine? → read …
//! ```
//!
//! Whoever changes the word asks the operating system for a fence on every running thread before its guard looks at the
//! life. A thread that freed by the old value has the end of the life in memory by then, and the guard is refused; every
//! later one sees the new value. Others trust `MANY` without a fence of their own, so it is stored when that one is through.
//! A thread sees its own guards without any fence, wherever they went since.
//!
//! The word only rises: a guard may be anywhere. Where there is no such fence, it is `MANY` from the start.

use super::barrier;
use super::chunk::Slot;
use super::depot::Depot;
use super::magazine::Magazine;
use super::pin::{self, who};
use super::thread::ThreadState;
use crate::sync::bug;
use crate::sync::plain::{AtomicU64, Ordering};

/// Who may hold guards of a pool's objects: see the [module](self). One of [`who`].
#[derive(Debug)]
pub(super) struct Guarding(AtomicU64);

impl Guarding {
    /// For a pool without guards.
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(if barrier::is_available() {
            who::NONE
        } else {
            who::MANY
        }))
    }

    pub(super) fn copy(&self) -> Self {
        Self(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }

    /// Whether there may be guards. The caller has fenced since the lives ended for which it asks, and looks at the readers
    /// of each slot if so.
    pub(super) fn is_any(&self) -> bool {
        // Relaxed: a guard that this does not see came after it, and sees the ends of the lives.
        self.0.load(Ordering::Relaxed) != who::NONE
    }

    /// Whether nobody guards `slot`, whose life this thread has ended. May say no for want of a fence.
    #[inline]
    pub(super) fn is_off(&self, thread: &ThreadState, slot: Slot) -> bool {
        // Relaxed: the caller has looked at the mode of reading in between (`pin::is_solo`), which keeps the compiler from
        // asking before the life has ended; as to the processor, see the module's documentation.
        let guarding = self.0.load(Ordering::Relaxed);
        guarding == who::NONE || (guarding == thread.id.get() && (slot.readers().quiet() || bug("own_guards_ignored")))
    }

    /// Whether a guard made by this thread is expected.
    #[inline]
    fn expects(&self, thread: &ThreadState) -> bool {
        // Acquire pairs with `expect_guards` (Release): who finds `MANY` relies on a fence that came before it.
        let guarding = self.0.load(Ordering::Acquire);
        guarding == who::MANY || guarding == thread.id.get()
    }

    /// Makes sure that whoever frees `slot` looks for guards of this thread.
    #[inline]
    pub(super) fn expect(&self, thread: &ThreadState, slot: Slot) {
        if !self.expects(thread) {
            slot.depot().expect_guards(thread);
        }
    }
}

impl Depot {
    /// Takes the slots that somebody guards out of a magazine. The caller has ended their lives and fenced since.
    pub(super) fn take_guarded(&self, magazine: &mut Magazine) -> Option<Box<Magazine>> {
        let mut guarded: Option<Box<Magazine>> = None;
        if self.guarding.is_any() {
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

    /// Changes the word so that it allows for guards of this thread.
    #[cold]
    fn expect_guards(&self, thread: &ThreadState) {
        if bug("first_guard_unnoticed") {
            return;
        }
        pin::register_reader(thread);
        // The lock keeps chunks from being added meanwhile.
        let cold = self.cold.lock();
        if self.guarding.expects(thread) {
            return;
        }
        let everywhere = |value| {
            let of_chunks = cold.chunks.iter().map(|chunk| {
                // SAFETY: the depot owns its chunks.
                &unsafe { chunk.as_ref() }.guarding
            });
            // Release pairs with `expects` (Acquire).
            of_chunks
                .chain([&self.guarding])
                .for_each(|guarding| guarding.0.store(value, Ordering::Release));
        };
        let first = !self.guarding.is_any();
        everywhere(if first { thread.id.get() } else { who::CHANGING });
        barrier::everywhere();
        if !first {
            everywhere(who::MANY);
        }
    }
}
