//! [`Stats`]: the numbers of a pool. [`Reclaimed`]: what a collection returned.

use std::fmt;

/// The numbers of one pool at one moment.
///
/// Always on. Counting costs nothing: the count of lives shares a word with the length of the thread's list. The other numbers
/// are counted where slots move between threads and the pool. `stats()` of a pool that one thread uses takes 160 instructions
/// (`stats.one_thread`, `ci/instructions.sh`).
///
/// The numbers are exact if no other thread uses the pool at that moment. Otherwise the last operation of
/// each other thread may be missing, and so may the operations of a thread that is ending. A thread's numbers are complete once it has
/// been joined: the end of a `thread::scope` alone does not wait for its thread-locals.
///
/// `Display` prints one line: the number of living objects, and each other number of [`Statistic::ALL`](crate::Statistic::ALL) that
/// is not zero.
///
/// ```
/// use acedia::pool::Pool;
///
/// let pool: Pool<u64> = Pool::new();
/// let owners = [pool.allocate(), pool.allocate()];
/// drop(owners);
/// let last = pool.allocate();
/// assert_eq!(
///     pool.stats().to_string(),
///     "live 1, peak 2, fresh 2, reused 1, kept 1, kept_bytes 16, lives 3, bytes 32"
/// );
/// # drop(last);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Objects alive now.
    pub live: u64,
    /// The most objects that existed at once, alive or kept: `fresh - dropped` at its highest. Usually this is also
    /// the most objects that were alive at once. It is higher if the pool made new objects although it had free ones:
    /// [`prewarm`](crate::pool::Pool::prewarm) does so, and so does an allocation if the free objects wait for readers or belong
    /// to other threads.
    pub peak: u64,
    /// Lives begun since the pool was made. If no object was made in advance, this is `fresh + reused`. A life whose `begin` or
    /// `init` panicked is counted.
    pub lives: u64,
    /// New objects, made for an allocation or in advance by [`Pool::prewarm`](crate::pool::Pool::prewarm).
    pub fresh: u64,
    /// Lives that reused an object.
    pub reused: u64,
    /// Free objects kept for reuse, including those that wait for readers.
    pub kept: u64,
    /// Freed objects that wait for readers: for pins (`Domain::pinned_threads` lists the threads) or for their last guard. Up
    /// to 255 objects without a finalizer are not counted for each thread: those that it freed last, because they may have
    /// no readers.
    ///
    /// The number falls:
    ///
    /// * for objects with a finalizer or under a limit, when the pin or guard ends;
    /// * for other objects, after the last pin has ended: at the next allocation on a thread without free objects, or at a call
    ///   of [`settle`](crate::pool::Pool::settle) or [`collect`](crate::pool::Pool::collect).
    ///
    /// `kept` falls too if the policy drops the objects. A call of `stats` does not change the number, because it runs no user
    /// code.
    pub waiting: u64,
    /// Slots that reached their last life and are never used again.
    pub worn: u64,
    /// Free objects that were dropped instead of kept: by the policy, by a collection, or after a panic. If a new limit is
    /// lower, a thread drops its surplus objects when it next uses the pool, or when it ends.
    pub dropped: u64,
    /// Panics of finalizers and drops that were not passed on to a caller.
    pub panics: u64,
    /// Look-ups whose key named a slot of this pool, but no living object that is [visible](crate::Reason::Hidden). Counted
    /// with the feature `count-refused`; else 0.
    pub refused: u64,
    /// Bytes of all objects that exist, alive or kept, with their life words. Memory that they own elsewhere is not
    /// counted.
    pub bytes: u64,
    /// Bytes of the free objects. If the policy is [`KeepBytes`](crate::PoolPolicy::KeepBytes), this includes the memory that
    /// they own, measured when each became free.
    pub kept_bytes: u64,
}

/// The objects that a collection dropped, and the memory that it returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reclaimed {
    /// Free objects that were dropped, with all they owned.
    pub objects: u64,
    /// Bytes of the pools' own memory that were returned to the operating system: whole pages without objects. 0 on systems
    /// other than Linux.
    pub bytes: u64,
}

impl fmt::Display for Reclaimed {
    /// `12 objects, 4096 bytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { objects, bytes } = self;
        write!(f, "{objects} objects, {bytes} bytes")
    }
}

impl std::ops::AddAssign for Reclaimed {
    fn add_assign(&mut self, other: Self) {
        self.objects += other.objects;
        self.bytes += other.bytes;
    }
}
