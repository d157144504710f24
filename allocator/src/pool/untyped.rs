//! [`Untyped`]: the parts of a pool that need no type of objects: settings, numbers and depot.

use std::sync::{Arc, OnceLock};

use crate::AllocateError;
use crate::policy::PoolPolicy;
use crate::pool::chunk::Shape;
use crate::pool::depot::{Depot, Settings};
use crate::pool::{directory, tag};
use crate::report::pinned_thread::PinnedThread;
use crate::report::stats::{Reclaimed, Stats};
use crate::sync::plain::{AtomicU32, AtomicU64, Ordering};
use crate::sync::thread_token;

/// A pool without the type of its objects. So this code is in a program once, and only if the program calls it, although each class
/// has a pointer to its pool.
pub(crate) struct Untyped {
    /// The pool's number in the directory; [`directory::NOBODY`] until the pool has a depot.
    number: AtomicU32,
    /// The depot's tag, marked while the pool is counted; [`tag::NONE`] until there is a depot.
    marked_tag: AtomicU64,
    pub(super) shape: &'static Shape,
    pub(super) depot: OnceLock<Arc<Depot>>,
    pub(crate) settings: Settings,
}

impl Drop for Untyped {
    fn drop(&mut self) {
        if let Some(depot) = self.depot.take() {
            // Relaxed: the drop of the last `Arc` of the depot orders it.
            depot.dropped_on.store(thread_token(), Ordering::Relaxed);
        }
    }
}

impl Untyped {
    pub(super) const fn new(shape: &'static Shape) -> Self {
        Self {
            number: AtomicU32::new(directory::NOBODY),
            marked_tag: AtomicU64::new(tag::NONE),
            shape,
            depot: OnceLock::new(),
            settings: Settings {
                policy: PoolPolicy::KeepAll,
                bound: None,
                most_waiting: None,
            },
        }
    }

    #[inline]
    pub(super) fn number(&self) -> u32 {
        self.number.load(directory::finding())
    }

    /// The depot of a pool that may have none yet.
    #[cold]
    #[track_caller]
    pub(super) fn first_depot(&self) -> &Depot {
        match self.depot() {
            Ok(depot) => depot,
            Err(error) => refuse(&error),
        }
    }

    #[inline]
    pub(super) fn marked_tag(&self) -> u64 {
        // Relaxed: a tag is never issued twice, and each thread has its own table. A change of the policy takes effect
        // at each thread's next load.
        self.marked_tag.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn depot(&self) -> Result<&Arc<Depot>, AllocateError> {
        match self.depot.get() {
            Some(depot) => Ok(depot),
            None => self.make_depot(),
        }
    }

    #[cold]
    fn make_depot(&self) -> Result<&Arc<Depot>, AllocateError> {
        let fresh = Depot::create(self.shape, self.settings)?;
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

    pub(crate) fn policy(&self) -> PoolPolicy {
        self.depot
            .get()
            .map_or(self.settings.policy, |depot| depot.locked.lock().policy)
    }

    pub(crate) fn collect(&self) -> Reclaimed {
        self.depot
            .get()
            .map_or_else(Reclaimed::default, |depot| depot.collect())
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
