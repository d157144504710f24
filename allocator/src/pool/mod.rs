//! The engine: a pool of objects of one type, with handles that never dangle.
//!
//! A [`Pool`] is an ordinary value. It makes an object once per slot and recycles it in place, so the object keeps the
//! memory that it owns (such as the buffer of a `Vec`) from life to life. Each life of a slot has a number that never
//! repeats in that slot. A [`Handle`] is a generational index: a slot and a life in eight bytes. It resolves to the object
//! until that life ends, and to `None` afterwards, on every thread.
//!
//! | Type | Meaning | Cost |
//! |---|---|---|
//! | [`Owned`] | owns the object; reads it directly | no atomic read-modify-write to allocate or to free; one to clone, one to drop a clone |
//! | [`Handle`] | names a life; can be stored, copied and sent anywhere | nothing |
//! | [`Pinned`] | protects any number of reads of this thread, in all pools of its [`Domain`] | one fence; a read is four loads |
//! | [`Reader`] | a pool under a pin, for many reads | one load; then three loads per read |
//! | [`Guard`] | protects one object, across threads and `await` | two atomic read-modify-writes |
//! | [`Reserved`] | a handle whose life begins later | as an owner |

// How it works
//
// The rows are in reading order: a file imports only files of its own row and of the rows above, and no two files import each other.
//
// | Files | Contents |
// |---|---|
// | `handle`, `life` | the machine words and all their transitions: a handle, the life word of a slot, its counts of guards and owners |
// | `threads`, `pins` | the fence on all threads, and the exit of a thread; which threads may be reading, and the pins that users hold |
// | `arena`, `directory`, `chunk` | where slots are |
// | `stock`, `local` | containers of slots: a pool's free slots and its limbo; a thread's lists |
// | `depot`, `tables` | the record of a pool, with its limits; a thread's table of pools |
// | `hooks`, `recycle`, `collect` | the functions of a pool's objects; all steps of a slot from the end of a life to the next one; a collection, and the end of a pool |
// | `pool`, `lookup`, `owned`, `guard`, `allocate`, `erased`, `values` | the types that users hold |
//
// `Depot` has methods in three files: its record (`depot`), the steps of its slots (`recycle`), and its end (`collect`).
//
// ```text
//             allocate                                  free
//                ▲                                        │
//   ┌────────────┴── a thread's lists (local) ────────────▼────────────────┐
//   │ ready: last in, first out ◄─── no pin is left ─── limbo: may be read │
//   └─────▲──────────────┬──────────────────────────────────────┬──────────┘
//   empty │         full │                        full, pins remain
//   ┌─────┴──────────────▼──┐                     ┌─────────────▼────────┐
//   │ stock: free slots     │◄── pins are newer ──┤ limbo: with a stamp  │      no lock
//   └─────▲─────────────────┘                     └──────────────────────┘
//         │ made in an empty slot, dropped for a limit                           under the depot's lock
//   ┌─────┴─────────────────┐
//   │ empty: no object      │◄── chunks of the arena
//   └───────────────────────┘
// ```
//
// `recycle.rs` explains the steps from the end of a life to the next life of the slot, under pins and guards.
//
// In the terms of the literature, a [`Domain`] is a *collector*, a thread's record in it is a *participant*, and a
// stamp is an *epoch*.

mod allocate;
mod arena;
mod chunk;
mod collect;
mod depot;
mod directory;
mod erased;
mod guard;
mod handle;
mod hooks;
mod life;
mod local;
mod lookup;
#[cfg(all(test, acedia_loom))]
pub(crate) mod models;
mod owned;
mod pins;
#[allow(clippy::module_inception, reason = "the file of the type")]
mod pool;
mod recycle;
mod stock;
mod tables;
mod threads;
mod values;

pub use allocate::Reserved;
pub(crate) use erased::ErasedOwned;
pub use guard::Guard;
pub use handle::Handle;
pub use hooks::{Hooks, OfClass, Plain};
pub(crate) use lookup::Handles;
pub use lookup::Reader;
pub use owned::{Owned, PoolOf};
pub use pins::{Domain, Global, GuardsOnly, Pinned, Readers, pin};
#[doc(hidden)]
pub use pins::{Participant, Pins};
pub use pool::Pool;
pub(crate) use pool::Static;
pub(crate) use pool::Untyped;
pub use values::{Dropping, Values};

// Defined outside the engine, because they need none of its private items.
pub use crate::policy::PoolPolicy;
pub use crate::report::pinned_thread::PinnedThread;
pub use crate::report::stats::{Reclaimed, Stats};

/// Runs a thread's exit hooks, for models in other crates: loom does not run them.
#[doc(hidden)]
#[cfg(acedia_loom)]
pub fn exit_thread() {
    threads::end_thread();
}

/// Disables the engine's use of the system call `membarrier`, for a process that will enter a sandbox that forbids it.
///
/// Returns `false` if it is too late: a pool was already used and relies on the call. Call this first in
/// `main`, or set `ACEDIA_AVOID_MEMBARRIER=1` in the environment before the process starts. On Windows, no
/// sandbox forbids the corresponding call, so both only make frees slower. On systems other than Linux and
/// Windows neither has an effect.
///
/// A process that is in its sandbox before it uses its first pool needs neither: if the call fails then, the engine goes
/// without it. But if a sandbox forbids the call later, the engine cannot continue safely. The process prints a message on
/// standard error and aborts as soon as another thread starts to read or to guard. If the sandbox ends the process at the
/// call, there is no message.
///
/// # Cost
///
/// For the rest of the process, a freed object with a handle is reused only after a fence and a scan of the pins. Up to 255 objects share
/// one fence and scan; each object with a finalizer needs its own.
///
/// ```
/// assert!(acedia::pool::avoid_membarrier());
/// ```
#[must_use = "`false` means that a pool was used before and still relies on `membarrier`"]
pub fn avoid_membarrier() -> bool {
    threads::avoid()
}
