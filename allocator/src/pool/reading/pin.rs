//! [`Pinned`]: how a thread says that it reads.
//!
//! A pin stores the current epoch in the thread's flag, with bit 0 set, and fences; from then on the thread reads lives with
//! plain loads. A thread that frees ends the life first, fences, and looks at every flag. Either the pin's fence came first, and
//! the flag is seen; or the other fence came first, and the reader sees that the life has ended.
//!
//! ```text
//! reader:  flag = epoch|1; FENCE; life == mine? → read …; flag = 0
//! freeing: life = ended;   FENCE; every flag 0? → reuse
//!                                 else: stamp = epoch; epoch += 2; wait until every flag is 0 or above stamp|1
//! ```
//!
//! While at most one thread reads, neither fence is needed: see [`super::mode`].

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::pool::reading::flags::{self, Flag, PINS, value};
use crate::pool::reading::who::{self, NOT_SOLO, Thread};
use crate::pool::reading::{exit, mode};
use crate::sync::{Ordering, bug, fence};

/// A thread's promise that it is reading: objects it can see are neither finalized nor reused before it is dropped.
///
/// Made by [`pin`]. Any number of reads of any pool go through one pin. It stays on its thread; for a reference that
/// crosses threads or an `await`, take a [`Guard`](crate::pool::Guard).
///
/// Memory freed while any thread is pinned is not reused before that pin ends, so a pin is for a burst of reads, not for
/// the life of a program: while it lasts, every pool makes new objects instead of reusing freed ones. When the last pin that an
/// object's finalizer waited for ends, the finalizer runs on the thread that drops it (or on another that pins, frees or
/// collects at that moment).
///
/// ```
/// use acedia_allocator::pool::{Pool, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let owner = pool.allocate_with(|n| *n = 7);
/// let key = owner.key();
/// let pinned = pin();
/// let seen = pool.get(key, &pinned).unwrap();
/// drop(owner);
/// assert_eq!(*seen, 7, "still there for who is looking");
/// assert!(pool.get(key, &pinned).is_none(), "and gone for who asks now");
/// ```
#[must_use = "reads are allowed only while the pin lives"]
pub struct Pinned {
    /// A pin belongs to the thread that made it.
    not_send: PhantomData<*mut ()>,
}

/// Starts reading on this thread. Cheap when the thread is pinned already; otherwise one fence.
///
/// After a while in which nobody was pinned, the first pin of a thread also interrupts every running thread of the process
/// for a moment (about 16 µs with one other core at work): in return whoever freed in that time did so without a fence.
///
/// Works at any time, in destructors of thread-locals too, and for any number of threads.
#[inline]
pub fn pin() -> Pinned {
    who::with(|thread| {
        let depth = thread.depth.get();
        if depth == 0 {
            begin(thread);
        }
        // Cannot overflow: 2^64 pins cannot be leaked one by one.
        thread.depth.set(depth + 1);
    });
    Pinned { not_send: PhantomData }
}

impl Drop for Pinned {
    #[inline]
    fn drop(&mut self) {
        who::with(|thread| {
            let depth = thread.depth.get() - 1;
            thread.depth.set(depth);
            if depth == 0 {
                end(thread);
            }
        });
    }
}

impl fmt::Debug for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pinned")
    }
}

#[inline]
fn begin(thread: &Thread) {
    let flag = match thread.flag.get() {
        Some(flag) => flag,
        None => register(thread),
    };
    // SAFETY: flags are never freed.
    let flag = unsafe { flag.as_ref() };
    if !bug("own_pin_forgotten") {
        thread.solo.set(NOT_SOLO);
    }
    // Relaxed: an old epoch only makes others wait for this pin a little longer.
    let epoch = PINS.epoch.load(Ordering::Relaxed);
    // Release pairs with `oldest` (Acquire): what the thread read before, under an older pin, is done.
    let order = if bug("relaxed_pin") {
        Ordering::Relaxed
    } else {
        Ordering::Release
    };
    if !bug("read_without_pin") {
        flag.value.store(epoch | 1, order);
    }
    if !bug("pin_without_fence") {
        // Pairs with the fence before `oldest`, and with the one in `quieten`: see the documentation of this module and of [`super::mode`].
        fence(Ordering::SeqCst);
    }
    // Acquire pairs with `raise` (Release): who finds `MANY` relies on a fence that came before it.
    let mode = PINS.mode.load(Ordering::Acquire);
    if mode != value::MANY && mode != thread.id.get() {
        mode::announce(thread);
    }
}

#[inline]
fn end(thread: &Thread) {
    if let Some(flag) = thread.flag.get() {
        let order = if bug("relaxed_unpin") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        // SAFETY: flags are never freed.
        // Release pairs with `oldest` (Acquire): the reads under the pin come before the reuse of what was read.
        unsafe { flag.as_ref() }.value.store(0, order);
    }
    thread.restore_solo();
    if exit::is_gone() {
        release(thread);
    }
    // Relaxed: a miss leaves the object to the next thread that unpins, frees or collects.
    if PINS.pending.load(Ordering::Relaxed) != 0 {
        finish_waiting();
    }
}

/// Gives this thread an identity and a flag.
#[cold]
fn register(thread: &Thread) -> NonNull<Flag> {
    mode::register_reader(thread);
    exit::release_with(|| who::with(release));
    let flag = flags::borrow();
    thread.flag.set(Some(flag));
    flag
}

/// Lets another thread use the flag of this one, which is ending.
fn release(thread: &Thread) {
    // A leaked pin may be read under for ever: its flag stays up.
    if thread.depth.get() == 0 {
        thread.flag.take().into_iter().for_each(flags::give_back);
    }
}

/// Runs what waits for pins; set once, by the floor that has the list of waiting pools.
static FINISH_WAITING: OnceLock<fn()> = OnceLock::new();

/// Has `finish` called when an outermost pin ends while objects wait for one.
pub(in crate::pool) fn finish_waiting_with(finish: fn()) {
    FINISH_WAITING.get_or_init(|| finish);
}

#[cold]
fn finish_waiting() {
    if let Some(finish) = FINISH_WAITING.get() {
        finish();
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
