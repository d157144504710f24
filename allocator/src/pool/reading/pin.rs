//! [`Pinned`]: a thread's announcement that it reads.
//!
//! A pin stores the current epoch in the thread's flag, with bit 0 set, and fences. From then on the thread reads lives
//! with plain loads. A freeing thread ends the life first, fences, and then scans every flag. If the pin's fence came
//! first, the scan sees the flag. If the other fence came first, the reader sees that the life has ended.
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

/// Marks a thread as reading: objects it can see are neither finalized nor reused before the pin is dropped.
///
/// Made by [`pin`]. One pin serves any number of reads of any pool. It stays on its thread; for a reference that
/// crosses threads or an `await`, take a [`Guard`](crate::pool::Guard).
///
/// Memory freed while any thread is pinned is not reused before that pin ends. So hold a pin for a burst of reads, not
/// for the life of a program: while it lasts, every pool makes new objects instead of reusing freed ones. A finalizer
/// that waits for pins runs when the last of them ends, on the thread that drops that pin (or on another thread that
/// pins, frees or collects at that moment).
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

/// Pins this thread. Cheap if the thread is already pinned; otherwise it costs one fence.
///
/// After a period without any pin, the first pin of a thread also interrupts every running thread of the process for a
/// moment (about 16 µs with one other core at work). In return, frees in that period needed no fence.
///
/// Works at any time, also in destructors of thread-locals, and for any number of threads.
#[inline]
pub fn pin() -> Pinned {
    who::with(|thread| {
        let depth = thread.depth.get();
        if depth == 0 {
            begin(thread);
        }
        // Cannot overflow: leaking 2^64 pins one by one is not feasible.
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
    // Relaxed: with an old epoch, other threads only wait slightly longer for this pin.
    let epoch = PINS.epoch.load(Ordering::Relaxed);
    // Release pairs with `oldest` (Acquire): the thread's reads under an older pin happen before.
    let order = if bug("relaxed_pin") {
        Ordering::Relaxed
    } else {
        Ordering::Release
    };
    if !bug("read_without_pin") {
        flag.value.store(epoch | 1, order);
    }
    if !bug("pin_without_fence") {
        // Pairs with the fence before `oldest`, and with the one in `quieten`: see the documentation of this module and
        // of [`super::mode`].
        fence(Ordering::SeqCst);
    }
    // Acquire pairs with `raise` (Release): a thread that reads `MANY` relies on a fence that came before the store.
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
        // Release pairs with `oldest` (Acquire): the reads under the pin happen before the reuse of the slots read.
        unsafe { flag.as_ref() }.value.store(0, order);
    }
    thread.restore_solo();
    if exit::is_gone() {
        release(thread);
    }
    if flags::is_wait_over() {
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

/// Releases the flag of this thread, which is ending, for another thread.
fn release(thread: &Thread) {
    // A leaked pin permits reads for the rest of the process: its flag stays up.
    if thread.depth.get() == 0 {
        thread.flag.take().into_iter().for_each(flags::give_back);
    }
}

/// Runs the finalizers that wait for pins. Set once, by the floor that has the list of waiting pools.
static FINISH_WAITING: OnceLock<fn()> = OnceLock::new();

/// Registers `finish`, which is called when an outermost pin ends while objects wait for pins.
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
