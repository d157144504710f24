//! The engine: a pool of objects of one type, with keys that never dangle.
//!
//! A [`Pool`] is an ordinary value. It makes an object once per slot and recycles it in place, so the object keeps the
//! memory that it owns (such as the buffer of a `Vec`) from life to life. Each life of a slot has a number that never
//! repeats in that slot. A [`Key`] is a generational index: a slot and a life in eight bytes. It resolves to the object
//! until that life ends, and to `None` afterwards, on every thread.
//!
//! | Type | Meaning | Cost |
//! |---|---|---|
//! | [`Owner`] | owns the object; reads it directly | no atomic read-modify-write to allocate or to free; one to clone, one to drop a clone |
//! | [`Key`] | names a life; can be stored, copied and sent anywhere | nothing |
//! | [`Pinned`] | protects any number of reads of this thread, in all pools of its [`Domain`] | one fence; a read is four loads |
//! | [`Reader`] | a pool under a pin, for many reads | one load; then three loads per read |
//! | [`Guard`] | protects one object, across threads and `await` | two atomic read-modify-writes |
//! | [`Reserved`] | a key whose object is made later | that of an owner |
//!
//! # How it works
//!
//! The engine has seven layers. A file imports only its own layer and lower ones
//! (ARCHITECTURE.md). Each layer's `mod.rs` describes it.
//!
//! ```text
//! 7 face     Pool, Owner, Guard, Reader …: the public types; the hot paths
//! 6 flow     how slots move between containers
//! 5 depot    the record of one pool, and each thread's table of pools
//! 4 list     containers of free slots
//! 3 memory   chunks, slots, and the directory that finds them
//! 2 reading  which threads may be reading: flags, epochs, modes
//! 1 word     key, life word, guard word, owner count
//! ```
//!
//! # A free under a pin
//!
//! A thread drops the last owner of an object that has a key, while another thread holds a pin. These are the steps from this
//! drop to the next life of the slot:
//!
//! 1. `face/free.rs`: `free` finds this thread's lists for the pool and ends the life (step 2), and `finish_in` asks whether
//!    another thread may be reading (step 3). If owners were cloned in the chunk, or if the pool is not in the thread's cache,
//!    `drop_share` finds the lists instead.
//! 2. `word/life.rs`: `Life::end` stores the number of the next life in the slot. Step 5 has a fence and a scan of all flags.
//!    Under a pin whose fence comes after that fence, every key of this object is stale. The scan sees each pin whose fence
//!    came before.
//! 3. `reading/pins.rs`: `is_solo` returns `false`, because another thread has pinned. The same file has the beginning and the
//!    end of a pin, `Pins::begin` and `Flag::end`.
//! 4. `list/local.rs`: `push_limbo` adds the slot to the thread's limbo, a magazine of up to 255 slots that may have readers.
//!    The drop of the owner returns. (If the thread has no such magazine yet, `flow/recycle.rs` adds one.)
//! 5. `flow/recycle.rs`: the thread looks for pins when an allocation has no ready slot, or when a free finds the limbo full.
//!    The allocation calls `find_made`. This calls `refill` if the limbo has at least 31 slots, or if the thread has no new
//!    slot at hand. The free calls `make_room`. Both functions call `Pins::may_read`, which executes the fence and scans the
//!    flags. If no thread is pinned, the slots become ready. Otherwise `refill` leaves them in the limbo, and `make_room` moves
//!    the full limbo to the pool's limbo (`defer_together`). Once the pins have ended, `drain` moves the slots to the stock.
//!    The end of a pin stores 0 in its flag (Release), and the scan loads the flag (Acquire). So every read under the pin
//!    happens before the reuse.
//! 6. `list/stock.rs` has the pool's limbo and the stock. `Limbo::push` stamps the slots with the epoch of the domain, and
//!    advances the epoch. `Limbo::pop` returns the slots whose stamp is older than every pin. `Stock` keeps them for any
//!    thread.
//! 7. `face/allocate.rs`: `prepare` begins the next life, in a slot that `find_made` took from the thread's ready ones, or with a
//!    magazine from the stock. It makes the life visible only if `H::VISIBLE`. Otherwise the first key makes it visible.
//!
//! If the pool has a finalizer, the free looks for pins at once (`finalize_or_wait` in `flow/recycle.rs`), and `defer` puts the
//! slot into the pool's limbo, without others. The thread that ends the last older pin finds the pool (`flow/wait.rs`) and runs
//! the finalizer. Then it keeps the slot for its own allocations, or puts it into the stock (`flow/place.rs`).
//!
//! In the terms of the literature, a [`Domain`] is a *collector*, a thread's record in it is a *participant*, and a
//! stamp is an *epoch*.

mod depot;
mod face;
mod flow;
mod list;
mod memory;
#[cfg(all(test, acedia_loom))]
pub(crate) mod models;
mod reading;
mod word;

pub(crate) use depot::held::holding;
pub use face::erased::ErasedOwner;
pub use face::guard::Guard;
pub use face::hooks::{Hooks, Plain};
pub use face::living::Keys;
pub use face::owner::Owner;
pub use face::pin::{Domain, Pinned, pin};
pub use face::pool::Pool;
pub use face::reader::Reader;
pub(crate) use face::statics::Static;
pub(crate) use face::untyped::Untyped;
pub(crate) use face::untyped::refuse;
pub(crate) use memory::fork::watch_forks;
#[cfg(feature = "plain")]
pub(crate) use memory::twin::Home;
pub use reading::avoid_membarrier;
#[cfg(feature = "plain")]
pub(crate) use reading::domain::Copies;
pub use reading::domain::{Global, GuardsOnly, Readers};
#[doc(hidden)]
pub use reading::{participant::Participant, pins::Pins};
pub use word::key::Key;

// Files that know nothing of slots stand below the engine, and files that need no private word of it above.
pub use crate::over::key_forms::ParseKeyError;
pub use crate::over::owned_guard::OwnedGuard;
#[cfg(feature = "plain")]
pub use crate::over::plain::{Contended, Field, NoClass, PlainHooks, PlainOwner, PlainPool};
pub use crate::over::reserved::Reserved;
pub use crate::over::values::{Dropping, Value, Values};
pub use crate::policy::PoolPolicy;
pub use crate::report::pinned_thread::PinnedThread;
pub use crate::report::stats::{Reclaimed, Stats};

/// Runs a thread's exit hooks, for models in other crates: loom does not run them.
#[doc(hidden)]
#[cfg(acedia_loom)]
pub fn exit_thread() {
    flow::exit::run();
}
