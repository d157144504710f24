//! [`Untyped`]: the parts of a pool that need no type of objects: settings, numbers and depot.

use std::sync::OnceLock;

use crate::AllocateError;
use crate::policy::PoolPolicy;
use crate::pool::depot::depot::{ApplyLimit, Depot};
use crate::pool::depot::held::MostWaiting;
use crate::pool::memory::directory;
use crate::pool::memory::shape::Shape;
use crate::pool::memory::shared::Shared;
use crate::pool::watch_forks;
use crate::pool::word::tag;
use crate::report::pinned_thread::PinnedThread;
use crate::report::stats::{Reclaimed, Stats};
use crate::sync::plain::{AtomicU32, AtomicU64, Mutex, Ordering};

/// Held while a pool gets its depot.
static FIRST: Mutex<()> = Mutex::new(());

/// A pool without the type of its objects. So this code is in a program once, and only if the program calls it, although each class
/// has a pointer to its pool.
pub(crate) struct Untyped {
    /// The pool's number in the directory; [`directory::NOBODY`] until the pool has a depot.
    number: AtomicU32,
    /// The depot's tag, marked while a limit is in force; [`tag::NONE`] until there is a depot.
    marked_tag: AtomicU64,
    pub(in crate::pool) shape: &'static Shape,
    pub(in crate::pool) depot: OnceLock<Shared<Depot>>,
    policy: PoolPolicy,
    apply: Option<ApplyLimit>,
    pub(crate) capacity: Option<usize>,
    pub(in crate::pool) most_waiting: Option<MostWaiting>,
}

impl Drop for Untyped {
    fn drop(&mut self) {
        if let Some(depot) = self.depot.take() {
            depot.drop_after(|depot| depot.is_dropped_by_its_pool = true);
        }
    }
}

impl Untyped {
    pub(in crate::pool) const fn new(shape: &'static Shape) -> Self {
        Self {
            number: AtomicU32::new(directory::NOBODY),
            marked_tag: AtomicU64::new(tag::NONE),
            shape,
            depot: OnceLock::new(),
            policy: PoolPolicy::KeepAll,
            apply: None,
            capacity: None,
            most_waiting: None,
        }
    }

    /// The most freed objects that may wait while the pool makes more.
    pub(crate) const fn wait_within(&mut self, most: usize) {
        self.most_waiting = Some(MostWaiting::new(most));
    }

    /// The policy of the pool from its beginning.
    pub(crate) const fn keep(&mut self, policy: PoolPolicy) {
        self.policy = policy;
        self.apply = match policy {
            PoolPolicy::KeepAll => None,
            _ => Some(Depot::apply_limit),
        };
    }

    #[inline]
    pub(in crate::pool) fn number(&self) -> u32 {
        self.number.load(directory::finding())
    }

    /// The depot of a pool that may have none yet.
    #[cold]
    #[track_caller]
    pub(in crate::pool) fn first_depot(&self) -> &Depot {
        match self.depot() {
            Ok(depot) => depot,
            Err(error) => refuse(&error),
        }
    }

    #[inline]
    pub(in crate::pool) fn marked_tag(&self) -> u64 {
        // Relaxed: a tag is never issued twice, and each thread has its own table. A change of the policy takes effect
        // at each thread's next load.
        self.marked_tag.load(Ordering::Relaxed)
    }

    #[inline]
    pub(in crate::pool) fn depot(&self) -> Result<&Shared<Depot>, AllocateError> {
        match self.depot.get() {
            Some(depot) => Ok(depot),
            None => self.make_depot(),
        }
    }

    #[cold]
    fn make_depot(&self) -> Result<&Shared<Depot>, AllocateError> {
        watch_forks();
        let fresh = Depot::create(self.shape, (self.policy, self.apply), self.capacity, self.most_waiting)?;
        // One thread at a time, because a forked process can wait for this lock with an end, and not for the `OnceLock`.
        let _one = FIRST.lock();
        Ok(self.depot.get_or_init(|| {
            // Stored before any key exists. The policy cannot change before this is over.
            self.number.store(tag::place(fresh.tag), directory::publishing());
            self.marked_tag.store(fresh.marked_tag(), Ordering::Relaxed);
            fresh
        }))
    }

    pub(crate) fn stats(&self) -> Stats {
        self.depot.get().map_or_else(Stats::default, |depot| depot.stats())
    }

    pub(crate) fn set_policy(&self, policy: PoolPolicy) -> Result<(), AllocateError> {
        let mark = |tag| self.marked_tag.store(tag, Ordering::Relaxed);
        self.depot()?.set_policy(policy, mark);
        Ok(())
    }

    /// Corrects the marked tag, if a limit has come near or gone far since.
    pub(in crate::pool) fn follow_limit(&self, depot: &Depot) {
        if depot.marked_tag() != self.marked_tag() {
            let _locked = depot.locked.lock();
            self.marked_tag.store(depot.marked_tag(), Ordering::Relaxed);
        }
    }

    pub(crate) fn policy(&self) -> PoolPolicy {
        self.depot.get().map_or(self.policy, |depot| depot.locked.lock().policy)
    }

    pub(crate) fn collect(&self) -> Reclaimed {
        self.depot
            .get()
            .map_or_else(Reclaimed::default, |depot| depot.collect())
    }

    pub(crate) fn trim(&self) -> Reclaimed {
        self.depot.get().map_or_else(Reclaimed::default, |depot| depot.trim())
    }

    pub(crate) fn pinned_threads(&self) -> Vec<PinnedThread> {
        (self.shape.pins)().pinned_threads().collect()
    }

    pub(crate) fn settle(&self) {
        if let Some(depot) = self.depot.get() {
            depot.drain_limbo();
        }
    }
}

#[cold]
#[track_caller]
pub(crate) fn refuse(error: &AllocateError) -> ! {
    if let AllocateError::Memory { bytes, .. } = error {
        if let Ok(layout) = std::alloc::Layout::from_size_align(*bytes, 16) {
            std::alloc::handle_alloc_error(layout);
        }
    }
    panic!("{error}");
}
