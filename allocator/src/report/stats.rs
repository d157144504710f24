//! [`Stats`]: the numbers of a pool. [`Reclaimed`]: those of a collection.

use std::fmt;

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
    pub worn: u64,
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

/// The objects and the memory that a collection gave back.
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
