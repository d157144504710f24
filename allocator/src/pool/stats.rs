//! Numbers about a pool: [`Stats`].

/// Numbers about one pool, at one moment.
///
/// Always on: a thread counts in its own memory, two additions per life (`benches/README.md` has the cost). Exact when
/// no other thread uses the pool at the moment of asking; otherwise each of the other threads may be an operation ahead.
/// `peak` is a sample: it is taken whenever a thread runs out of ready slots, when it makes an object, and when somebody
/// asks, so it may miss up to a magazine of 64 objects per thread.
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
    /// Finalizers that panicked where nobody could be told.
    pub panics: u64,
    /// Bytes of all objects that exist, alive or kept, with their slots' words. What they own elsewhere is not counted.
    pub bytes: u64,
}
