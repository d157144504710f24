//! A pool's counts, and the [`Stats`] made of them.

use crate::pool::depot::depot::{Depot, Locked};
use crate::pool::list::local::Local;
#[cfg(feature = "count-refused")]
use crate::pool::memory::directory;
use crate::pool::word::key::Key;
use crate::report::stats::Stats;
use crate::sync::plain::{AtomicBool, AtomicU64, Ordering};

/// A pool's counts beyond those of its threads.
#[derive(Default)]
pub(in crate::pool) struct Counts {
    /// Lives begun by threads that have ended or keep no lists.
    pub(in crate::pool) begun: AtomicU64,
    pub(in crate::pool) fresh: AtomicU64,
    /// The most objects that existed before one was dropped.
    pub(in crate::pool) peak: AtomicU64,
    /// Whether an object was made since the last note of `peak`.
    pub(in crate::pool) has_grown: AtomicBool,
    pub(in crate::pool) worn: AtomicU64,
    pub(in crate::pool) dropped: AtomicU64,
    pub(in crate::pool) panics: AtomicU64,
    #[cfg(feature = "count-refused")]
    pub(in crate::pool) refused: AtomicU64,
}

/// Counts, with the feature `count-refused`, a read by a key whose slot was found and that led to nothing.
#[inline]
pub(in crate::pool) fn note_refused(key: Key) {
    #[cfg(feature = "count-refused")]
    count_refused(key);
    let _ = key;
}

#[cfg(feature = "count-refused")]
#[cold]
#[inline(never)]
fn count_refused(key: Key) {
    // SAFETY: the key was found, so the chunk belongs to a living pool.
    let chunk = unsafe { directory::chunk_of(key.index()).as_ref() };
    chunk.depot().counts.refused.fetch_add(1, Ordering::Relaxed);
}

impl Depot {
    /// Counts a life that begins in a slot that was on none of the thread's lists.
    pub(in crate::pool) fn count_begun(&self, local: Option<&Local>) {
        match local {
            Some(local) => local.count_begun(),
            None => {
                self.counts.begun.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Counts an object that was made in an empty slot.
    pub(in crate::pool) fn count_made(&self, local: Option<&Local>) {
        match local {
            Some(local) => local.count_made(),
            None => {
                self.counts.fresh.fetch_add(1, Ordering::Relaxed);
            }
        }
        // Loaded first, so that threads that make objects at the same time do not write to the same cache line.
        if !self.counts.has_grown.load(Ordering::Relaxed) {
            self.counts.has_grown.store(true, Ordering::Relaxed);
        }
    }

    /// Counts an object that is about to be dropped. Between two drops the number of objects only rises, so the peak is noted
    /// here, and not for each object that is made.
    pub(in crate::pool) fn count_dropped(&self) {
        if self.counts.has_grown.load(Ordering::Relaxed) && self.counts.has_grown.swap(false, Ordering::Relaxed) {
            let exist = self.made(&self.locked.lock()).1;
            self.counts.peak.fetch_max(exist, Ordering::Relaxed);
        }
        self.counts.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Objects made, and objects that exist.
    fn made(&self, locked: &Locked) -> (u64, u64) {
        let on_threads: u64 = locked.locals.iter().map(|local| local.made()).sum();
        let fresh = on_threads + self.counts.fresh.load(Ordering::Relaxed);
        (fresh, fresh.saturating_sub(self.counts.dropped.load(Ordering::Relaxed)))
    }

    /// Objects whose life has ended.
    fn kept(&self, locked: &Locked, waiting: u64) -> u64 {
        let on_threads: u64 = locked.locals.iter().map(|local| local.kept()).sum();
        on_threads + self.stock.slots() + waiting + locked.kept.len() as u64
    }

    pub(in crate::pool) fn stats(&self) -> Stats {
        let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let locked = self.locked.lock();
        let begun: u64 = locked.locals.iter().map(|local| local.begun()).sum();
        let lives = load(&self.counts.begun) + begun;
        let waiting = self.held.count();
        let kept = self.kept(&locked, waiting);
        let (fresh, made) = self.made(&locked);
        let live = made.saturating_sub(kept);
        let size = self.shape.stride as u64;
        Stats {
            live,
            peak: made.max(load(&self.counts.peak)),
            lives,
            fresh,
            reused: lives.saturating_sub(fresh),
            kept: kept.min(made),
            waiting,
            worn: load(&self.counts.worn),
            dropped: load(&self.counts.dropped),
            panics: load(&self.counts.panics),
            #[cfg(feature = "count-refused")]
            refused: load(&self.counts.refused),
            #[cfg(not(feature = "count-refused"))]
            refused: 0,
            bytes: made * size,
            kept_bytes: (kept.min(made) * size).max(locked.kept.bytes() as u64),
        }
    }
}
