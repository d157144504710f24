//! Numbers about a pool: [`Stats`].

use std::fmt;

/// Numbers about one pool, at one moment.
///
/// Always on. The count of lives shares a word with the length of the thread's list, so whatever goes through the list counts
/// for nothing; the rest is counted where slots change hands.
///
/// | | counted | counting taken out |
/// |---|--:|--:|
/// | freeing and allocating in turns, which passes by the list | 36 instructions | 35 instructions |
/// | 64 at a time | 3.1 ns | 3.2 ns |
/// | asking for the numbers of a pool that one thread uses | 155 instructions, 14 ns | |
///
/// (`ci/instructions.sh` counts the instructions, as `allocate_free` and `stats`; the times are medians of 301 interleaved rounds on
/// one core. What was taken out are the lines of `Local::begin_ready` that add a life.)
///
/// Exact when no other thread uses the pool at the moment of asking; otherwise each of the other threads may be an
/// operation ahead, and a thread that is ending may be counted late. A thread's numbers are complete once it has been
/// joined: the end of a `thread::scope` alone does not wait for its thread-locals. `peak` is a sample, taken when objects
/// are made and when somebody asks; it may miss as many objects as the other threads have taken from what they keep, at most 766
/// each, and count as many that they have freed since.
///
/// Printed as one line, without what is zero as a rule:
///
/// ```
/// use acedia_allocator::pool::Pool;
///
/// let pool: Pool<u64> = Pool::new();
/// let owners = [pool.allocate(), pool.allocate()];
/// drop(owners);
/// let last = pool.allocate();
/// let line = pool.stats().to_string();
/// assert!(line.starts_with("1 live (peak 2), 1 kept, 3 lives (2 fresh, 1 reused), "), "{line}");
/// # drop(last);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Objects alive now.
    pub live: u64,
    /// The highest `live` that was seen.
    pub peak: u64,
    /// Lives begun since the pool was made: `fresh + reused`.
    pub lives: u64,
    /// Lives for which an object had to be made.
    pub fresh: u64,
    /// Lives that reused an object.
    pub reused: u64,
    /// Free objects kept for reuse, those included that wait for readers to leave.
    pub kept: u64,
    /// Slots that reached their last life and are never used again.
    pub retired: u64,
    /// Free objects that were dropped instead of kept: by the policy, by a collection, or after a panic.
    pub dropped: u64,
    /// Finalizers and drops that panicked where nobody could be told.
    pub panics: u64,
    /// Bytes of all objects that exist, alive or kept, with their life words. What they own elsewhere is not counted.
    pub bytes: u64,
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
            (self.dropped, "dropped"),
            (self.retired, "retired"),
            (self.panics, "panicked"),
        ];
        let mut seen = rare.into_iter().filter(|(count, _)| *count > 0);
        seen.try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}
