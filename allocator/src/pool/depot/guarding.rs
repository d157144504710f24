//! How a pool learns of guards: only pools that have any are looked through for them.
//!
//! ```text
//! freeing: life = ended; nobody guards, or only this thread and the slot has no readers? → reuse
//!                        else FENCE, and look at the readers
//! guard:   be in the census; readers += 1; life == mine? → read …
//! ```
//!
//! A thread that freed before a [census](crate::pool::reading::census) changed has the end of the life in memory when the guard
//! looks for it. A thread sees its own guards without any fence, wherever they went since.

use crate::hint::likely;
use crate::pool::depot::depot::Depot;
use crate::pool::list::magazine::Magazine;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::census::Census;
use crate::pool::reading::flags::value;
use crate::pool::reading::who::Thread;
use crate::pool::reading::{barrier, mode};
use crate::sync::bug;

impl Census {
    /// Whether nobody guards `slot` of the pool, whose life this thread has ended. May say no for want of a fence.
    ///
    /// The caller has looked at the mode of reading in between ([`mode::is_solo`]), which keeps the compiler from
    /// asking before the life has ended.
    #[inline]
    pub(in crate::pool) fn is_unguarded(&self, thread: &Thread, slot: Slot) -> bool {
        likely(self.is_nobody())
            || (self.is_only(thread.id.get()) && (slot.readers().quiet() || bug("own_guards_ignored")))
    }
}

impl Depot {
    /// Makes sure that whoever frees an object of this pool looks for guards of this thread.
    #[inline]
    pub(in crate::pool) fn expect_guards(&self, thread: &Thread) {
        if !(self.guarding.is_many() || self.guarding.is_only(thread.id.get()) || bug("first_guard_unnoticed")) {
            self.enter(thread);
        }
    }

    /// Takes the slots that somebody guards out of a magazine. The caller has ended their lives and fenced since.
    pub(in crate::pool) fn take_guarded(&self, magazine: &mut Magazine) -> Option<Box<Magazine>> {
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

    /// Raises the pool's census of guards, and each thread's copy of it, so that it allows for this thread.
    #[cold]
    fn enter(&self, thread: &Thread) {
        let own = &self.guarding;
        mode::register_reader(thread);
        // The lock keeps others from changing the word, and copies from being added.
        let cold = self.cold.lock();
        if own.is_many() || own.is_only(thread.id.get()) {
            return;
        }
        let everywhere = |value| {
            cold.locals.iter().for_each(|local| local.guarding.set(value));
            own.set(value);
        };
        if own.is_nobody() {
            everywhere(thread.id.get());
            barrier::everywhere();
        } else {
            everywhere(value::CHANGING);
            barrier::everywhere();
            everywhere(value::MANY);
        }
    }
}
