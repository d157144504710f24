//! [`Stats`]: the numbers of a pool, for users.

use std::fmt;

use crate::pool::depot::depot::{Depot, Locked};
use crate::pool::list::local::Local;
#[cfg(feature = "count-refused")]
use crate::pool::memory::directory;
use crate::pool::word::key::Key;
use crate::sync::plain::{AtomicBool, AtomicU64, Ordering};

/// The numbers of one pool at one moment.
///
/// Always on. Counting costs nothing: the count of lives shares a word with the length of the thread's list. The other numbers are
/// counted where slots move between threads and the pool. `stats()` of a pool that one thread uses takes 166 instructions
/// (`ci/instructions.sh`).
///
/// The numbers are exact if no other thread uses the pool at that moment. Otherwise the numbers may lack the last
/// operation of each other thread, and those of a thread that is ending. A thread's numbers are complete once it has
/// been joined: the end of a `thread::scope` alone does not wait for its thread-locals.
///
/// `Display` prints one line, without the numbers that are usually zero:
///
/// ```
/// use acedia::pool::Pool;
///
/// let pool: Pool<u64> = Pool::new();
/// let owners = [pool.allocate(), pool.allocate()];
/// drop(owners);
/// let last = pool.allocate();
/// let line = pool.stats().to_string();
/// assert!(
///     line.starts_with("1 live (peak 2), 1 kept, 3 lives (2 fresh, 1 reused), "),
///     "{line}"
/// );
/// # drop(last);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Objects alive now.
    pub live: u64,
    /// The most objects that existed at once, alive or kept: `fresh - dropped` at its highest. So it is the most that were alive
    /// at once, as long as no object was made while another was free: ahead, or while the free ones waited for readers or were
    /// kept by other threads.
    pub peak: u64,
    /// Lives begun since the pool was made: `fresh + reused`, unless objects were made ahead. A life whose `begin` or `init` panicked
    /// is counted.
    pub lives: u64,
    /// Objects made: for a life, or ahead by [`Pool::prewarm`](crate::pool::Pool::prewarm).
    pub fresh: u64,
    /// Lives that reused an object.
    pub reused: u64,
    /// Free objects kept for reuse, including those that wait for readers.
    pub kept: u64,
    /// Freed objects that wait for readers: for pins (`Domain::pinned_threads` lists the threads) or for their last guard.
    /// Up to 255 objects per thread without a finalizer, freed last, are not counted: they may have no readers.
    ///
    /// The number falls when a thread finishes the objects, and `kept` falls then if the policy drops them: objects with a
    /// finalizer, or under a limit, at the end of the pin or guard; the others, after the last pin has ended, when a thread next
    /// allocates and has no free object at hand, or calls [`settle`](crate::pool::Pool::settle) or
    /// [`collect`](crate::pool::Pool::collect). A call of `stats` finishes none, because it runs no user code.
    pub waiting: u64,
    /// Slots that reached their last life and are never used again.
    pub retired: u64,
    /// Free objects that were dropped instead of kept: by the policy, by a collection, or after a panic. A thread drops what it
    /// keeps itself above a new limit when it next uses the pool, or when it ends.
    pub dropped: u64,
    /// Panics of finalizers and drops that were not passed on to a caller.
    pub panics: u64,
    /// Reads by a key that led to a slot of this pool, and to no object: it was gone, or [out of sight](crate::Reason::Hidden). Counted with the feature
    /// `count-refused`; else 0.
    pub refused: u64,
    /// Bytes of all objects that exist, alive or kept, with their life words. Memory that they own elsewhere is not
    /// counted.
    pub bytes: u64,
    /// Bytes of the free objects. With the memory that they own, if the policy is [`KeepBytes`](crate::PoolPolicy::KeepBytes): an object
    /// is weighed when it becomes free.
    pub kept_bytes: u64,
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            live,
            peak,
            kept,
            lives,
            fresh,
            reused,
            bytes,
            ..
        } = self;
        write!(
            f,
            "{live} live (peak {peak}), {kept} kept, {lives} lives ({fresh} fresh, {reused} reused), {bytes} bytes"
        )?;
        let rare = [
            (self.waiting, "waiting for readers"),
            (self.dropped, "dropped"),
            (self.retired, "retired"),
            (self.panics, "panicked"),
            (self.refused, "reads refused"),
        ];
        let mut seen = rare.into_iter().filter(|(count, _)| *count > 0);
        seen.try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}

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
            retired: load(&self.counts.worn),
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

impl fmt::Debug for Depot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Depot")
            .field("shape", self.shape)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
