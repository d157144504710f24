//! Layer 2: the threads that may be reading. It has no knowledge of slots and pools.
//!
//! It may use layer 1.
//!
//! ```text
//!        ┌───────────────── pins ──────────────────┐
//! pin ─► flag of this thread ─► mode: none, one thread, many
//!                 │                        │
//!                 ▼                        ▼
//!        oldest(): scan all flags   is_solo(): no scan needed
//! ```

pub(in crate::pool) mod barrier;
pub(in crate::pool) mod domain;
pub(in crate::pool) mod participant;
pub(in crate::pool) mod pins;

/// Disables the engine's use of the system call `membarrier`, for a process that will enter a sandbox that forbids it.
///
/// `false` if it is too late: a pool was already used and relies on the call. Call this first in `main`, or set
/// `ACEDIA_AVOID_MEMBARRIER=1` in the environment before the process starts. On Windows, which has a call
/// that no sandbox forbids, both only make frees slower; on other systems neither has an effect.
///
/// A process that is in its sandbox before it uses its first pool needs neither: if the call fails then, the engine goes
/// without it. But if a sandbox forbids the call later, the engine cannot continue safely. The process prints a message on
/// standard error and aborts as soon as another thread starts to read or to guard. If the sandbox ends the process at the
/// call, there is no message.
///
/// # Cost
///
/// For the rest of the process, the end of each pin costs a fence, and freed objects with keys are reused after a fence and a scan of the
/// pins: one for up to 255 objects, or one for each object with a finalizer.
///
/// ```
/// assert!(acedia::pool::avoid_membarrier());
/// ```
#[must_use = "a pool that was used before relies on the call"]
pub fn avoid_membarrier() -> bool {
    barrier::avoid()
}
