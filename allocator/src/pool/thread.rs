//! What a thread keeps of the pools it uses: one record without a destructor, and an exit hook beside it.
//!
//! The record is constant-initialised and has no destructor, so it works before anything else on a thread and after
//! everything, in destructors of other thread-locals too. The exit hook is armed on the first slow path; once it has
//! run, the thread keeps nothing any more and goes through the depot for every object.

use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use super::depot::Depot;
use super::local::Local;
use super::pin::{self, Flag, NOT_SOLO};
use super::shared::Shared;
use super::tag;
use crate::sync::thread_static;

/// One thread's record.
pub(super) struct ThreadState {
    /// By place of the pool (see [`tag`]).
    table: UnsafeCell<ManuallyDrop<Vec<Entry>>>,
    /// Pins that are alive on this thread. Of 64 bits everywhere, so that leaking pins one by one never makes it 0.
    pub(super) depth: Cell<u64>,
    pub(super) flag: Cell<Option<NonNull<Flag>>>,
    /// Identity among the threads that pin, make guards or count owners; 0 before this one first does.
    pub(super) id: Cell<u64>,
    /// `id` while the thread holds no pin, else [`NOT_SOLO`]: one comparison in the hot path.
    pub(super) solo: Cell<u64>,
    /// Objects freed since this thread last tried to make the mode fall (see `pin`).
    pub(super) calm: Cell<u32>,
    /// Running what waited for pins.
    pub(super) finishing: Cell<bool>,
    stage: Cell<Stage>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No exit hook yet.
    New,
    /// The exit hook will run.
    Armed,
    /// The exit hook has run, or the thread is too late for one.
    Gone,
}

/// A pool's magazines on this thread. The tag tells whether the place still belongs to that pool.
struct Entry {
    tag: u64,
    local: Option<Shared<Local>>,
}

/// The pools a thread used last: the way in for the hot paths. A tag never comes back, so that of a pool that is gone never
/// matches.
///
/// Tags and magazines are apart, so that the one is compared and the other loaded in an instruction each. Apart from the
/// record, and all zero, it costs a thread no memory before it is used.
struct Recent {
    tags: [Cell<u64>; RECENT],
    locals: [Cell<*mut Local>; RECENT],
}

/// As many as a byte tells, so that finding a place takes one instruction.
const RECENT: usize = if cfg!(acedia_loom) { 4 } else { 1 << u8::BITS };

impl Recent {
    const fn new() -> Self {
        Self {
            tags: [const { Cell::new(0) }; RECENT],
            locals: [const { Cell::new(std::ptr::null_mut()) }; RECENT],
        }
    }

    /// The magazines for the pool of `tag`, if they are what was entered last under `at`.
    #[inline]
    fn get(&self, at: usize, tag: u64) -> Option<NonNull<Local>> {
        // SAFETY: where there is a tag there are magazines.
        (self.tags[at].get() == tag).then(|| unsafe { NonNull::new_unchecked(self.locals[at].get()) })
    }

    fn set(&self, at: usize, tag: u64, local: &Local) {
        self.locals[at].set(std::ptr::from_ref(local).cast_mut());
        self.tags[at].set(tag);
    }

    fn clear(&self) {
        self.tags.iter().for_each(|tag| tag.set(0));
    }
}

thread_static! {
    /// By the low bits of the pool's place.
    static BY_PLACE: Recent = Recent::new();
}

thread_static! {
    static THREAD: ThreadState = ThreadState {
        table: UnsafeCell::new(ManuallyDrop::new(Vec::new())),
        depth: Cell::new(0),
        flag: Cell::new(None),
        id: Cell::new(0),
        solo: Cell::new(NOT_SOLO),
        calm: Cell::new(0),
        finishing: Cell::new(false),
        stage: Cell::new(Stage::New),
    };
}

/// Runs `f` with this thread's record.
#[inline]
pub(super) fn with<R>(f: impl FnOnce(&ThreadState) -> R) -> R {
    THREAD.with(f)
}

impl ThreadState {
    /// This thread's magazines for the pool of `tag`, if it used that pool lately. Nothing for a tag with a mark.
    #[expect(clippy::unused_self, reason = "what this gives is borrowed from the thread's record")]
    #[inline]
    pub(super) fn recent(&self, tag: u64) -> Option<&Local> {
        let local = BY_PLACE.with(|recent| recent.get(tag::place(tag) as usize % RECENT, tag))?;
        // SAFETY: the table keeps them alive until the thread or the pool ends; an ending thread clears the tag, and the
        // caller has the pool.
        Some(unsafe { local.as_ref() })
    }

    /// This thread's magazines for the pool of `tag`, if it has any.
    pub(super) fn local(&self, tag: u64) -> Option<&Local> {
        self.recent(tag).or_else(|| self.local_in_table(tag))
    }

    #[cold]
    fn local_in_table(&self, tag: u64) -> Option<&Local> {
        // SAFETY: only this thread touches the table, and nothing below runs while it changes (`join`, `exit`).
        let table: &Vec<Entry> = unsafe { &*self.table.get() };
        let entry = table.get(tag::place(tag) as usize).filter(|entry| entry.tag == tag)?;
        let local = &**entry.local.as_ref()?;
        BY_PLACE.with(|recent| recent.set(tag::place(tag) as usize % RECENT, tag, local));
        Some(local)
    }

    /// As [`local`](Self::local), making them if need be. `None` on a thread that has ended, and without memory for them.
    #[cold]
    pub(super) fn join(&self, depot: &Shared<Depot>) -> Option<&Local> {
        if self.local(depot.tag).is_some() {
            return self.local(depot.tag);
        }
        if !self.arm() {
            return None;
        }
        let place = tag::place(depot.tag) as usize;
        {
            // SAFETY: only this thread touches the table; no reference into it is alive, and nothing of the user's runs
            // before the end of this block.
            let table: &mut Vec<Entry> = unsafe { &mut *self.table.get() };
            table.try_reserve((place + 1).saturating_sub(table.len())).ok()?;
        }
        let local = Local::try_new(depot)?;
        if !depot.add_local(&local) {
            return None;
        }
        let old = {
            // SAFETY: only this thread touches the table; no reference into it is alive, and nothing of the user's runs
            // before the end of this block.
            let table: &mut Vec<Entry> = unsafe { &mut *self.table.get() };
            while table.len() <= place {
                table.push(Entry {
                    tag: tag::NONE,
                    local: None,
                });
            }
            std::mem::replace(
                &mut table[place],
                Entry {
                    tag: depot.tag,
                    local: Some(local),
                },
            )
        };
        drop(old);
        self.local(depot.tag)
    }

    /// Makes sure that the exit hook will run. `false` if it has.
    fn arm(&self) -> bool {
        if self.stage.get() == Stage::New {
            self.stage.set(if arm_exit() { Stage::Armed } else { Stage::Gone });
        }
        self.stage.get() == Stage::Armed
    }

    /// Whether the thread keeps nothing any more.
    pub(super) fn is_gone(&self) -> bool {
        self.stage.get() == Stage::Gone || !self.arm()
    }

    /// Sets [`solo`](Self::solo) after a change of what it is made of.
    #[inline]
    pub(super) fn restore_solo(&self) {
        let solo = self.depth.get() == 0 && self.id.get() != 0;
        self.solo.set(if solo { self.id.get() } else { NOT_SOLO });
    }

    /// Hands everything back. What comes after goes through the depot.
    #[cfg_attr(acedia_loom, allow(dead_code, reason = "models call it"))]
    pub(super) fn exit(&self) {
        self.stage.set(Stage::Gone);
        BY_PLACE.with(Recent::clear);
        let table = {
            // SAFETY: only this thread touches the table; no reference into it is alive.
            let table: &mut Vec<Entry> = unsafe { &mut *self.table.get() };
            std::mem::take(table)
        };
        for entry in table {
            // A pool that was dropped in the meantime has nothing to take back.
            let Some(local) = entry.local else { continue };
            if let Some(depot) = local.depot() {
                depot.remove_local(&local);
            }
        }
        pin::release_flag(self);
    }
}

#[cfg(not(acedia_loom))]
struct ExitHook;

#[cfg(not(acedia_loom))]
impl Drop for ExitHook {
    fn drop(&mut self) {
        THREAD.with(ThreadState::exit);
    }
}

#[cfg(not(acedia_loom))]
fn arm_exit() -> bool {
    std::thread_local! { static EXIT: ExitHook = const { ExitHook }; }
    EXIT.try_with(|_| ()).is_ok()
}

/// loom takes all of a thread's values away before it drops the first, and after others have joined the thread, so each
/// model calls `exit` itself (see `models`).
#[cfg(acedia_loom)]
fn arm_exit() -> bool {
    true
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! Threads that end.

    use crate::pool::models::{BEGUN, Beginning, both, model, saw};
    use crate::pool::{Pool, pin};

    /// What a thread kept comes back when it ends, but not under the eyes of a reader.
    #[test]
    fn exit_hands_everything_back() {
        model(&["live", "stale", "reused", "not reused"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let owner = pool.allocate();
            let key = owner.key();
            both(
                || {
                    let pinned = pin();
                    if let Some(object) = pool.get(key, &pinned) {
                        // Takes what the other thread left, as far as it may.
                        drop([(); 2].map(|()| pool.allocate_with(|next| next.write(1))));
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    } else {
                        saw("stale");
                    }
                    drop(pinned);
                    // One of its own, the other thread's that nobody saw, and the one that waited.
                    let next = [(); 3].map(|()| pool.allocate());
                    let reused = next.iter().any(|owner| owner.index() == key.index());
                    saw(if reused { "reused" } else { "not reused" });
                },
                // Frees one that was seen and one that was not, and ends.
                || {
                    drop(pool.allocate());
                    drop(owner);
                },
            );
            let stats = pool.stats();
            assert_eq!((stats.live, stats.kept), (0, stats.fresh));
            let all: Vec<_> = (0..stats.fresh).map(|_| pool.allocate()).collect();
            assert_eq!(pool.stats().fresh, stats.fresh, "slots were lost");
            drop(all);
        });
    }
}
