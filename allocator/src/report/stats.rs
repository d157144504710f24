//! [`Stats`]: the numbers of a pool. [`Reclaimed`]: what a collection returned.

use std::fmt;

/// The numbers of one pool at one moment.
///
/// Always collected. Most numbers are lengths of lists, so counting costs nothing on the hot paths.
///
/// The numbers are exact if no other thread uses the pool at that moment. Otherwise the last operation of each other thread may be
/// missing, and so may the operations of a thread that is ending. A thread's numbers are complete once it has been joined. The end of
/// a `thread::scope` does not wait for the destructors of thread-locals.
///
/// `Display` prints one line: the number of living objects, and each other number of [`Statistic::ALL`](crate::Statistic::ALL) that
/// is not zero.
///
/// ```
/// use acedia::Pool;
///
/// let pool: Pool<u64> = Pool::new();
/// let owners = [pool.allocate(), pool.allocate()];
/// drop(owners);
/// let last = pool.allocate();
/// assert_eq!(pool.stats().to_string(), "live 1, kept 1, bytes 32");
/// # drop(last);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Objects alive now.
    pub live: u64,
    /// Free objects kept for reuse, including those that wait for readers.
    pub kept: u64,
    /// Freed objects that wait for readers: for pins (`Domain::pinned_threads` lists the threads) or for their last guard. Of
    /// the objects without a finalizer, up to 255 per thread are not counted: those that the thread freed last, because they
    /// may have no readers.
    ///
    /// The number falls:
    ///
    /// * for objects with a finalizer, a bound or an exact limit, when the pin or guard ends;
    /// * for other objects, after the last pin has ended: at the next allocation on a thread without free objects, or at a call
    ///   of [`settle`](crate::pool::Pool::settle) or [`collect`](crate::pool::Pool::collect).
    ///
    /// `stats` does not change the number, because it runs no user code.
    pub waiting: u64,
    /// Bytes of all objects that exist, alive or kept, with their life words. Memory that they own elsewhere is not
    /// counted.
    pub bytes: u64,
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
