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
//! | [`Reserved`] | a handle whose object is made later | that of an owner |

// How it works
//
// Each file is one noun. A file imports only files of its own row and of the rows above, and no two files import each other. This is an order for
// reading:
//
// | Files | Contents |
// |---|---|
// | `handle`, `life` | every transition of a machine word: a handle, the life word of a slot, its counts of guards and owners |
// | `threads`, `pins` | a fence on all threads, and a thread's end; which threads may be reading, and the pins that users hold |
// | `arena`, `directory`, `chunk` | where slots are |
// | `stock`, `local` | containers of slots: a pool's, free or waiting for pins; a thread's |
// | `depot`, `tables`, `recycle`, `collect` | the record of a pool, with its limits; each thread's table of pools; the steps that move slots between the containers |
// | `hooks`, `pool`, `lookup`, `owned`, `guard`, `allocate`, `erased`, `values` | the types that users hold; the hot paths |
//
// `Depot` has methods in three files: its record (`depot`), the steps from the end of a life to the next, with its limits (`recycle`), and
// collections and its end (`collect`).
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
// A free under a pin
//
// A thread drops the last owner of an object that has a handle, while another thread holds a pin. These are the steps from this drop to the
// next life of the slot. A function without a file is in the file at the head of its step:
//
// 1. `recycle.rs`: `free`, which the drop of the owner calls, finds this thread's lists for the pool by the tag in the chunk
//    (`Tables::last` in `tables.rs`), ends the life (step 2), and calls `finish_in`, which asks whether another thread may be reading
//    (step 3). `free` calls `drop_share` instead if the thread's last allocation was in another pool, or if the tag is marked (`SHARED`
//    and `COUNTED` in `chunk.rs`). If owners were cloned in the chunk, `drop_share` first asks the owner count. It ends the life, and `finish`
//    finds the lists in the thread's table and calls `finish_in`. In a counted pool, or on a thread that has no lists for the pool, it
//    calls `end_slowly`, which makes the lists if there are none (`lists`).
// 2. `life.rs`: `Life::end` stores the number of the next life in the slot. Step 5 has a fence and a scan of all flags. Under a pin whose
//    fence comes after that fence, every handle of this object is stale. The scan sees each pin whose fence came before.
// 3. `pins.rs`: `is_unpinned` returns `false`, because another thread has pinned (the mode, `Threads`). If it returns `true`, `finish_in`
//    also asks `Depot::is_unguarded` (in `depot.rs`): has another thread made a guard in this pool (the census)? The beginning of a pin is
//    `announce`, which calls `Pins::begin`.
// 4. `local.rs`: `push_limbo` adds the slot to the thread's limbo, a magazine of up to 255 slots that may have readers. The drop of the
//    owner returns. If the thread has no such magazine yet, `finish_in` calls `end_slowly`, and `quarantine` adds one (all in
//    `recycle.rs`).
// 5. `recycle.rs`: the thread looks for pins when an allocation has no ready slot (while it has fresh slots, only from `look_at` slots in
//    limbo on), or when a free finds the limbo full. The allocation (`Untyped::acquire` in `allocate.rs`) calls `find_free`,
//    `find_recycled` and `refill`. The free calls `end_slowly`, `quarantine` and `empty_limbo`. Both `refill` and `empty_limbo` call
//    `Pins::may_read` (in `pins.rs`), which executes the fence and scans the flags. If no thread is pinned, the slots become ready, or go
//    to the stock if there is no room (`give`). Otherwise `refill` leaves them in the limbo, and `empty_limbo` moves the full limbo to the
//    pool's limbo (`defer_together`). Once the pins have ended, an allocation, a collection, or the end of a pin that comes for a single
//    slot moves the slots to the stock (`drain`, `drain_within`, `release_together`). The end of a pin stores 0 in its flag (`Flag::end` in
//    `pins.rs`, Release), and the scan loads the flag (Acquire). So every read under the pin happens before the reuse.
// 6. `stock.rs`: `Limbo::push`, which `defer_together` (in `recycle.rs`) calls, stamps the slots with the epoch of the domain, and advances
//    the epoch (`Pins::stamp` in `pins.rs`). `Limbo::take`, which `drain_within` (in `recycle.rs`) calls, returns slots whose stamp is
//    older than every pin. `release_together` (in `recycle.rs`) puts them into the stock (`Stock::push`), for any thread. If
//    the thread ends before its limbo is full, `detach` calls `empty_local` (both in `recycle.rs`), which moves the slots to
//    the pool's limbo with a stamp: together, or fewer than `SMALL` singly, and those only if a thread is pinned.
// 7. `allocate.rs`: `prepare` begins the next life, in a slot that `take_ready` took from the thread's ready ones. If it found none, it is
//    one that `find_recycled` (in `recycle.rs`) found: ready by now, or in a magazine from the stock. It makes the life visible only if
//    `H::VISIBLE`. Otherwise the first handle makes it visible (`Owned::handle` in `owned.rs`).
//
// If the pool has a finalizer, `finish_in` skips steps 4 and 5, and calls `end_slowly`, which calls `finalize_or_wait` (this paragraph:
// `recycle.rs`). It looks for pins at once, and `defer` puts the slot into the pool's limbo, without others, and lists the pool in its
// domain (`list`). The end of a pin is `withdraw` (in `pins.rs`). The thread that ends the last older pin finds the pool in the list (if it
// was added at the same moment, it may miss it, see `Pins::is_wait_over`; then the next end of a pin, a collection, or an allocation
// without a ready slot finds it, and runs the finalizer). `withdraw` calls `finish_generations`, this calls
// `Pins::finish_waiting` (both in `pins.rs`), and this calls `drain_passed` of each pool in the list. There `drain_within` takes the slot, and
// `finalize_unguarded` runs the finalizer. Then `put_away` keeps the slot for the thread's own allocations, or puts it into the stock if
// the thread has no lists. In a counted pool, a slot without a finalizer goes this way, too, from `end_slowly` on.
//
// A guard begins in `Guard::of_found` (`guard.rs`): it joins the census (`Depot::expect_guards`), counts itself (`Guards::enter` in
// `life.rs`), and then compares the life (`Life::confirm`). If a guard of the object is left when the pins have ended, `leave_to_guards` (a
// magazine) or `finalize_unguarded` (a single slot; both in `recycle.rs`) sets the bit CLOSED in the guard word (`Guards::close` in
// `life.rs`). The slot is then on no list, and still counts as waiting. If there is no pin at the free, `leave_to_guards` does this at
// once. The drop of the last guard (`guard.rs`) finds the bit (`Guards::leave` in `life.rs`). It runs the finalizer and puts the slot away
// in the same way (`finalize_contained` in `recycle.rs`). If the guard ends before the pins, nothing is left to it, and the thread that
// finds the pins ended finishes the slot.
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
pub(crate) use erased::ErasedOwner;
pub use guard::Guard;
pub use handle::Handle;
pub(crate) use handle::Key;
pub use hooks::{Hooks, OfClass, Plain};
pub(crate) use lookup::Keys;
pub use lookup::Reader;
pub use owned::{Owned, PoolOf};
pub use pins::{Domain, Global, GuardsOnly, Pinned, Readers, pin};
#[doc(hidden)]
pub use pins::{Participant, Pins};
pub use pool::Pool;
pub(crate) use pool::Static;
pub(crate) use pool::Untyped;
pub use values::{Dropping, Values};

// Files that know nothing of slots stand below the engine, and files that need no private word of it above.
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
/// For the rest of the process, the end of each pin costs a fence, and freed objects with handles are reused after a fence and a scan of the
/// pins: one for up to 255 objects, or one for each object with a finalizer.
///
/// ```
/// assert!(acedia::pool::avoid_membarrier());
/// ```
#[must_use = "a pool that was used before relies on the call"]
pub fn avoid_membarrier() -> bool {
    threads::avoid()
}
