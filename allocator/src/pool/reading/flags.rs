//! The flags of the threads that read, and the epochs by which freed slots wait for them.
//!
//! Each reading thread has one flag in a process-wide list: 0, or the epoch at which the thread pinned. Slots that wait
//! for pins get the current epoch as their stamp. A wait is over when every flag is 0 or above the stamp.

use std::ptr::NonNull;

use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Ordering, bug, fence, plain, process_static};

/// A flag on its own cache line (two lines, because of the adjacent-line prefetcher).
#[repr(align(128))]
pub(in crate::pool) struct Flag {
    /// 0, or the epoch at which the thread pinned, with bit 0 set.
    pub(in crate::pool) value: AtomicU64,
    in_use: AtomicBool,
    next: plain::AtomicPtr<Flag>,
}

pub(in crate::pool) struct Pins {
    /// Flags are added and reused, never removed. There are as many as threads ever read at the same time.
    pub(in crate::pool) head: AtomicPtr<Flag>,
    /// Even. Advances whenever freed slots start to wait for pins.
    pub(in crate::pool) epoch: AtomicU64,
    /// The threads that may be reading through handles: see [`value`].
    pub(in crate::pool) mode: AtomicU64,
    /// The stamp of the finalizer that has waited longest for pins, in any pool; [`NO_WAIT`] if there is none.
    pub(in crate::pool) first_wait: AtomicU64,
}

/// No stamp.
const NO_WAIT: u64 = u64::MAX;

/// Values of [`Pins::mode`] and of the census of guards. A value from `FIRST_ID` on is the identity of the only thread.
pub(in crate::pool) mod value {
    pub(in crate::pool) const UNKNOWN: u64 = 0;
    pub(in crate::pool) const NONE: u64 = 1;
    pub(in crate::pool) const MANY: u64 = 2;
    pub(in crate::pool) const CHANGING: u64 = 3;
    pub(in crate::pool) const FIRST_ID: u64 = 4;
}

process_static! {
    pub(in crate::pool) static PINS: Pins = Pins {
        head: AtomicPtr::new(std::ptr::null_mut()),
        epoch: AtomicU64::new(2),
        mode: AtomicU64::new(value::UNKNOWN),
        first_wait: AtomicU64::new(NO_WAIT),
    };
}

/// All flags.
#[inline]
fn flags() -> impl Iterator<Item = &'static Flag> {
    let mut next = PINS.head.load(Ordering::Acquire);
    std::iter::from_fn(move || {
        // SAFETY: flags are never freed.
        let flag: &'static Flag = unsafe { NonNull::new(next)?.as_ref() };
        next = flag.next.load(Ordering::Relaxed);
        Some(flag)
    })
}

/// A flag that no thread uses.
#[cold]
pub(in crate::pool) fn borrow() -> NonNull<Flag> {
    for flag in flags() {
        // Acquire pairs with `give_back` (Release).
        let order = if bug("relaxed_flag_reuse") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        if !flag.in_use.swap(true, order) {
            return NonNull::from(flag);
        }
    }
    let fresh = NonNull::from(Box::leak(Box::new(Flag {
        value: AtomicU64::new(0),
        in_use: AtomicBool::new(true),
        next: plain::AtomicPtr::new(std::ptr::null_mut()),
    })));
    let mut head = PINS.head.load(Ordering::Relaxed);
    loop {
        // SAFETY: flags are never freed.
        unsafe { fresh.as_ref() }.next.store(head, Ordering::Relaxed);
        // Release pairs with the Acquire loads of `head`. The pin that follows fences, so a scan that must see the flag
        // sees the list that contains it.
        match PINS
            .head
            .compare_exchange(head, fresh.as_ptr(), Ordering::AcqRel, Ordering::Relaxed)
        {
            Ok(_) => return fresh,
            Err(now) => head = now,
        }
    }
}

/// Makes a flag, which is down, available to another thread.
pub(in crate::pool) fn give_back(flag: NonNull<Flag>) {
    // SAFETY: flags are never freed.
    // Release pairs with the swap in `borrow` (Acquire).
    unsafe { flag.as_ref() }.in_use.store(false, Ordering::Release);
}

#[cfg(acedia_loom)]
impl Drop for Pins {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // Each execution of a model has its own list.
        // SAFETY: the execution's other threads have ended.
        let mut next = unsafe { self.head.inner().unsync_load() };
        while !next.is_null() {
            // SAFETY: leaked by `borrow`; the execution's threads have ended.
            let flag = unsafe { Box::from_raw(next) };
            next = flag.next.load(Ordering::Relaxed);
        }
    }
}

/// The epoch word of the oldest pin, or `u64::MAX` if no thread is pinned.
///
/// The caller has fenced (`SeqCst`) after the ends of the lives in question.
#[inline]
pub(in crate::pool) fn oldest() -> u64 {
    let order = if bug("relaxed_scan") {
        Ordering::Relaxed
    } else {
        Ordering::Acquire
    };
    let mut oldest = u64::MAX;
    for flag in flags() {
        // Acquire pairs with `begin` and `end` (Release).
        let value = flag.value.load(order);
        if value != 0 {
            oldest = oldest.min(value);
        }
    }
    if bug("scan_skipped") { u64::MAX } else { oldest }
}

/// The fence between the ends of lives and [`oldest`].
#[inline]
pub(in crate::pool) fn fence_before_look() {
    if !bug("refill_without_fence") {
        // Pairs with the fence in `begin` and with `Readers::enter` / `Life::confirm`.
        fence(Ordering::SeqCst);
    }
}

/// The epoch at which slots started to wait for pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pool) struct Stamp(u64);

/// Starts a wait: every later pin is newer than the stamp. The caller has fenced since the lives ended.
pub(in crate::pool) fn stamp() -> Stamp {
    // Relaxed: only the uniqueness of the step matters. The flags carry the ordering.
    let stamp = PINS.epoch.load(Ordering::Relaxed);
    if !bug("epoch_stands_still") {
        // On failure another wait has advanced the epoch, which is equivalent.
        let _ = PINS
            .epoch
            .compare_exchange(stamp, stamp + 2, Ordering::Relaxed, Ordering::Relaxed);
    }
    Stamp(stamp)
}

impl Stamp {
    /// Whether every pin is newer than the stamp, given one scan ([`oldest`]) made after the stamp.
    #[inline]
    pub(in crate::pool) fn has_passed(self, oldest: u64) -> bool {
        if bug("stamp_off_by_one") {
            oldest >= self.0 | 1
        } else {
            oldest > self.0 | 1
        }
    }
}

/// The stamp that a wait would get now.
pub(in crate::pool) fn now() -> Stamp {
    // Relaxed: it only limits the work of one thread.
    Stamp(PINS.epoch.load(Ordering::Relaxed))
}

/// Publishes the stamp of the finalizer that has waited longest, for pins that end.
pub(in crate::pool) fn note_first_wait(first: Option<Stamp>) {
    // Relaxed: after a miss, the next thread that unpins, frees or collects finishes the object.
    PINS.first_wait
        .store(first.map_or(NO_WAIT, |stamp| stamp.0), Ordering::Relaxed);
}

/// Whether the pins that the first finalizer waits for have ended, as far as a check without a lock can tell.
#[inline]
pub(in crate::pool) fn is_wait_over() -> bool {
    // Relaxed: as above.
    let first = PINS.first_wait.load(Ordering::Relaxed);
    first != NO_WAIT && Stamp(first).has_passed(oldest())
}
