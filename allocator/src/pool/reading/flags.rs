//! The flags of the threads that read in a domain, and the epochs by which freed slots wait for them.
//!
//! Each reading thread has one flag in the domain's list: 0, or the epoch at which the thread pinned. Slots that wait for
//! pins get the current epoch as their stamp. A wait is over when every flag is 0 or above the stamp.

use std::ptr::NonNull;

use crate::pool::reading::barrier;
use crate::pool::reading::pinned_thread::{Holder, PinnedThread};
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Ordering, const_fn, fence};

/// A flag on its own cache line (two lines, because of the adjacent-line prefetcher).
#[repr(align(128))]
pub(in crate::pool) struct Flag {
    /// 0, or the epoch at which the thread pinned, with bit 0 set.
    pub(in crate::pool) value: AtomicU64,
    in_use: AtomicBool,
    next: AtomicPtr<Flag>,
    pub(in crate::pool) holder: Holder,
}

/// The flags and the epoch of one domain.
pub(in crate::pool) struct Flags {
    /// Flags are added and reused, never removed. There are as many as threads ever read at the same time.
    head: AtomicPtr<Flag>,
    /// Even. Advances whenever freed slots start to wait for pins.
    epoch: AtomicU64,
    /// The stamp of the object that has waited longest for pins, in any pool of the domain; [`NO_WAIT`] or [`FENCED`] if
    /// there is none.
    first_wait: AtomicU64,
}

/// No stamp. A pin that ends need not fence before it looks for one, because [`fence_ends_of_pins`] does it.
const NO_WAIT: u64 = u64::MAX;

/// No stamp, on systems without the asymmetric fence: a pin that ends fences and looks again.
const FENCED: u64 = u64::MAX - 1;

impl Flags {
    const_fn! {
        pub(in crate::pool) const fn new() -> Self {
            Self {
                head: AtomicPtr::new(std::ptr::null_mut()),
                epoch: AtomicU64::new(2),
                first_wait: AtomicU64::new(FENCED),
            }
        }
    }

    /// All flags.
    #[inline]
    fn all(&self) -> impl Iterator<Item = &'static Flag> + use<> {
        let mut next = self.head.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: flags are never freed.
            let flag: &'static Flag = unsafe { NonNull::new(next)?.as_ref() };
            next = flag.next.load(Ordering::Relaxed);
            Some(flag)
        })
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn count(&self) -> usize {
        self.all().count()
    }

    /// A flag that no thread uses.
    #[cold]
    pub(in crate::pool) fn claim_flag(&self) -> NonNull<Flag> {
        for flag in self.all() {
            // Acquire pairs with `return_flag` (Release).
            if !flag.in_use.swap(true, Ordering::Acquire) {
                return NonNull::from(flag);
            }
        }
        let fresh = NonNull::from(Box::leak(Box::new(Flag {
            value: AtomicU64::new(0),
            in_use: AtomicBool::new(true),
            next: AtomicPtr::new(std::ptr::null_mut()),
            holder: Holder::default(),
        })));
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            // SAFETY: flags are never freed.
            unsafe { fresh.as_ref() }.next.store(head, Ordering::Relaxed);
            // Release pairs with the Acquire loads of `head`, also for the flags further down the list: the exchanges are
            // one release sequence. The pin that follows fences, so a scan that must see the flag sees the list that
            // contains it.
            match self
                .head
                .compare_exchange(head, fresh.as_ptr(), Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return fresh,
                Err(now) => head = now,
            }
        }
    }

    /// The epoch word of the oldest pin, or `u64::MAX` if no thread is pinned.
    ///
    /// The caller has fenced (`SeqCst`) after the ends of the lives in question, or another thread has, under a lock that the caller took
    /// since.
    #[inline]
    pub(in crate::pool) fn oldest(&self) -> u64 {
        let mut oldest = u64::MAX;
        for flag in self.all() {
            // Acquire pairs with `begin` and `end` (Release).
            let value = flag.value.load(Ordering::Acquire);
            if value != 0 {
                oldest = oldest.min(value);
            }
        }
        oldest
    }

    /// Starts a wait: every later pin is newer than the stamp. The caller has fenced (`SeqCst`) since the lives ended.
    pub(in crate::pool) fn stamp(&self) -> Epoch {
        // Relaxed: the caller's fence comes before the load. A pin that reads a later epoch has its own fence after that
        // load, and so sees that the lives have ended.
        let stamp = self.epoch.load(Ordering::Relaxed);
        // On failure another wait has advanced the epoch, which is equivalent.
        let _ = self
            .epoch
            .compare_exchange(stamp, stamp + 2, Ordering::Relaxed, Ordering::Relaxed);
        Epoch(stamp)
    }

    /// The epoch for a new pin, with bit 0 set.
    #[inline]
    pub(in crate::pool) fn up(&self) -> u64 {
        // Relaxed: with an old epoch, other threads only wait slightly longer for this pin.
        self.epoch.load(Ordering::Relaxed) | 1
    }

    /// The stamp that a wait would get now.
    pub(in crate::pool) fn now(&self) -> Epoch {
        // Relaxed: it only limits the work of one thread.
        Epoch(self.epoch.load(Ordering::Relaxed))
    }

    /// Records the pins that exist now, for [`pinned_threads`](Self::pinned_threads). The caller has a new stamp, so later
    /// pins have other values.
    pub(in crate::pool) fn note_pins(&self) {
        for flag in self.all() {
            // Relaxed: for users only.
            let value = flag.value.load(Ordering::Relaxed);
            if value != 0 {
                flag.holder.note(value, None);
            }
        }
    }

    /// The threads that hold a pin.
    pub(in crate::pool) fn pinned_threads(&self) -> Vec<PinnedThread> {
        self.stamp();
        self.note_pins();
        self.all()
            .filter(|flag| flag.value.load(Ordering::Relaxed) != 0)
            .filter_map(|flag| flag.holder.pinned())
            .collect()
    }

    /// Determines, before the first pin, whether a pin that ends has to fence.
    pub(in crate::pool) fn prepare(&self) {
        if barrier::is_available() {
            // Relaxed: as below. On failure an object waits already.
            let _ = self
                .first_wait
                .compare_exchange(FENCED, NO_WAIT, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// As [`note_first_wait`](Self::note_first_wait) for an object that has waited since then, unless another has waited longer.
    pub(in crate::pool) fn note_wait(&self, since: Epoch) {
        // Relaxed: changed under one lock.
        if since.0 < self.first_wait.load(Ordering::Relaxed) {
            self.note_first_wait(Some(since));
        }
    }

    /// Publishes the stamp of the object that has waited longest, for pins that end.
    pub(in crate::pool) fn note_first_wait(&self, first: Option<Epoch>) {
        let none = if barrier::is_available() { NO_WAIT } else { FENCED };
        // Relaxed: after a miss, the next thread that unpins, frees or collects finishes the object. Callers who can't wait
        // for that use `fence_ends_of_pins`.
        self.first_wait
            .store(first.map_or(none, |stamp| stamp.0), Ordering::Relaxed);
    }

    /// Whether the pins that the first finalizer waits for have ended, as far as a check without a lock can tell.
    #[inline]
    pub(in crate::pool) fn is_wait_over(&self) -> bool {
        // The flag went down before this load in program order: the light side of `fence_ends_of_pins`.
        barrier::here();
        // Relaxed: as above.
        self.first_wait.load(Ordering::Relaxed) != NO_WAIT && self.has_first_wait_passed()
    }

    #[cold]
    fn has_first_wait_passed(&self) -> bool {
        // Pairs with itself: of two pins that end at the same time, one sees that the other has ended. Without the
        // asymmetric fence, also with the one in `fence_ends_of_pins`.
        fence(Ordering::SeqCst);
        // Relaxed: as above.
        let first = self.first_wait.load(Ordering::Relaxed);
        first < FENCED && Epoch(first).has_passed(self.oldest())
    }
}

/// Makes a flag, which is down, available to another thread.
pub(in crate::pool) fn return_flag(flag: NonNull<Flag>) {
    // SAFETY: flags are never freed.
    // Release pairs with the swap in `claim_flag` (Acquire).
    unsafe { flag.as_ref() }.in_use.store(false, Ordering::Release);
}

/// The fence between the ends of lives and [`Flags::oldest`] or [`Flags::stamp`].
#[inline]
pub(in crate::pool) fn fence_before_look() {
    // Pairs with the fence in `begin` and with `Guards::enter` / `Life::confirm`.
    fence(Ordering::SeqCst);
}

/// The heavy side of a fence between the list of waiting pools and the ends of pins. Either a pin that ends finds a pool that
/// the caller knows to be in the list; or the caller, which looks after this, sees that the pin has ended.
#[cold]
pub(in crate::pool) fn fence_ends_of_pins() {
    // For systems without the asymmetric fence: pairs with the fence in `has_first_wait_passed`.
    fence(Ordering::SeqCst);
    barrier::everywhere();
}

/// The epoch at which slots started to wait for pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pool) struct Epoch(u64);

impl Epoch {
    /// No wait has an older one.
    pub(in crate::pool) const FIRST: Self = Self(0);

    /// Whether every pin is newer than the stamp, given one scan ([`Flags::oldest`]) made after the stamp.
    #[inline]
    pub(in crate::pool) fn has_passed(self, oldest: u64) -> bool {
        oldest > self.0 | 1
    }
}

#[cfg(acedia_loom)]
impl Drop for Flags {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // Each execution of a model has its own list.
        // SAFETY: the execution's other threads have ended.
        let mut next = unsafe { self.head.inner().unsync_load() };
        while !next.is_null() {
            // SAFETY: leaked by `claim_flag`; the execution's threads have ended.
            let flag = unsafe { Box::from_raw(next) };
            // SAFETY: as above.
            next = unsafe { flag.next.inner().unsync_load() };
        }
    }
}
