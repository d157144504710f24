//! [`Shared`]: an `Arc` that reports a failed allocation instead of aborting the process.

use std::alloc::{Layout, alloc, dealloc};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::sync::{AtomicUsize, Ordering};

/// Memory for a `T`, or `None` if the allocation fails.
pub(in crate::pool) fn allocate<T>() -> Option<NonNull<T>> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: not of size 0.
    NonNull::new(unsafe { alloc(Layout::new::<T>()) }.cast())
}

/// One of several owners of a value. The last one drops it.
pub(in crate::pool) struct Shared<T> {
    inner: NonNull<Inner<T>>,
    value: PhantomData<Inner<T>>,
}

/// A weak reference. It leads to the value while the value has an owner.
pub(in crate::pool) struct WeakShared<T> {
    inner: NonNull<Inner<T>>,
}

struct Inner<T> {
    /// Owners of the value.
    strong: AtomicUsize,
    /// The number of weak references, plus one for all owners together.
    weak: AtomicUsize,
    /// Initialised while there are owners.
    value: T,
}

// SAFETY: an owner gives `&T` to its thread (needs `T: Sync`), and drops the `T` there (needs `T: Send`).
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above; clones and drops change atomic counts.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}
// SAFETY: as for an owner, which `upgrade` can make of it.
unsafe impl<T: Send + Sync> Send for WeakShared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for WeakShared<T> {}

impl<T> Shared<T> {
    /// A value that may hold a weak reference to itself. Returns `no_memory` if the allocation fails.
    pub(in crate::pool) fn try_cyclic<E>(
        no_memory: E,
        make: impl FnOnce(&WeakShared<T>) -> Result<T, E>,
    ) -> Result<Self, E> {
        let Some(inner) = allocate::<Inner<T>>() else {
            return Err(no_memory);
        };
        let at = inner.as_ptr();
        // SAFETY: within memory that no other code uses yet.
        let strong = unsafe { &raw mut (*at).strong };
        // SAFETY: as above.
        unsafe { strong.write(AtomicUsize::new(0)) };
        // SAFETY: as above.
        let weak = unsafe { &raw mut (*at).weak };
        // SAFETY: as above.
        unsafe { weak.write(AtomicUsize::new(1)) };
        // Frees the memory if no value is made.
        let weak = WeakShared { inner };
        let content = make(&weak)?;
        // SAFETY: as above.
        let value = unsafe { &raw mut (*at).value };
        // SAFETY: as above. The value is not read yet: there is no owner.
        unsafe { value.write(content) };
        // Release pairs with `upgrade` (Acquire): a new owner sees the value.
        weak.strong().store(1, Ordering::Release);
        // From now on this weak reference is the one that all owners share.
        std::mem::forget(weak);
        Ok(Self {
            inner,
            value: PhantomData,
        })
    }

    /// A value, or `None` if the allocation fails.
    pub(in crate::pool) fn try_new(make: impl FnOnce() -> T) -> Option<Self> {
        Self::try_cyclic((), |_| Ok(make())).ok()
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn ptr_eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    pub(in crate::pool) fn downgrade(&self) -> WeakShared<T> {
        WeakShared::clone(&self.as_weak())
    }

    /// The weak reference that all owners share, not to be dropped.
    fn as_weak(&self) -> std::mem::ManuallyDrop<WeakShared<T>> {
        std::mem::ManuallyDrop::new(WeakShared { inner: self.inner })
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the value exists while it has an owner.
        unsafe { &self.inner.as_ref().value }
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        // Relaxed: the new owner comes from an existing one.
        count_one_more(self.as_weak().strong().fetch_add(1, Ordering::Relaxed));
        Self {
            inner: self.inner,
            value: PhantomData,
        }
    }
}

impl<T> Shared<T> {
    /// Drops this owner. If it is the last one, calls `before` on the value before the value is dropped.
    pub(in crate::pool) fn drop_after(self, before: impl FnOnce(&mut T)) {
        std::mem::ManuallyDrop::new(self).release(before);
    }

    /// Ends this owner, which is not used afterwards.
    fn release(&self, before: impl FnOnce(&mut T)) {
        // AcqRel: every owner's accesses happen before the drop. It is not a fence, because ThreadSanitizer does not
        // model fences.
        if self.as_weak().strong().fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: within the memory, which the last owner keeps.
            let value = unsafe { &raw mut (*self.inner.as_ptr()).value };
            // SAFETY: this is the last owner; no owner is made when there is none.
            before(unsafe { &mut *value });
            self.end();
        }
    }

    /// Drops the value and frees its memory. For the last owner.
    #[inline(never)]
    fn end(&self) {
        // Freed after the value is dropped, also if that panics.
        let _memory = WeakShared { inner: self.inner };
        // SAFETY: within the memory, which `_memory` keeps.
        let value = unsafe { &raw mut (*self.inner.as_ptr()).value };
        // SAFETY: as above.
        unsafe { value.drop_in_place() };
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        self.release(|_| {});
    }
}

impl<T> WeakShared<T> {
    /// An owner, if one still exists.
    pub(in crate::pool) fn upgrade(&self) -> Option<Shared<T>> {
        let more = |owners| (owners != 0).then(|| count_one_more(owners) + 1);
        // Acquire pairs with `try_cyclic` (Release).
        let upgraded = self.strong().fetch_update(Ordering::Acquire, Ordering::Relaxed, more);
        upgraded.ok().map(|_| Shared {
            inner: self.inner,
            value: PhantomData,
        })
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn ptr_eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    /// Whether no owner exists. None will: an owner comes from another one.
    pub(in crate::pool) fn has_ended(&self) -> bool {
        // Relaxed: 0 is the last value.
        self.strong().load(Ordering::Relaxed) == 0
    }

    // Not through a reference to the whole `Inner`: its value may already be dropped.

    fn strong(&self) -> &AtomicUsize {
        // SAFETY: the memory exists while there is a reference to it.
        unsafe { &(*self.inner.as_ptr()).strong }
    }

    fn weak(&self) -> &AtomicUsize {
        // SAFETY: as above.
        unsafe { &(*self.inner.as_ptr()).weak }
    }

    /// loom panics if an access to a count is not ordered before the end of the memory.
    #[cfg(acedia_loom)]
    fn end_counts(&mut self) {
        let inner = self.inner.as_ptr();
        // SAFETY: within the memory. Not through a reference to the whole `Inner`: its value is dropped.
        let strong = unsafe { &raw mut (*inner).strong };
        // SAFETY: as above.
        let weak = unsafe { &raw mut (*inner).weak };
        for count in [strong, weak] {
            // SAFETY: this was the last reference.
            unsafe { &mut *count }.end();
        }
    }
}

impl<T> WeakShared<T> {
    /// The address. Two existing values have different addresses.
    pub(in crate::pool) fn address(&self) -> usize {
        self.inner.addr().get()
    }
}

impl<T> Clone for WeakShared<T> {
    fn clone(&self) -> Self {
        // Relaxed: as for owners.
        count_one_more(self.weak().fetch_add(1, Ordering::Relaxed));
        Self { inner: self.inner }
    }
}

impl<T> Drop for WeakShared<T> {
    fn drop(&mut self) {
        // AcqRel: as for owners.
        if self.weak().fetch_sub(1, Ordering::AcqRel) == 1 {
            #[cfg(acedia_loom)]
            self.end_counts();
            // SAFETY: from `allocate` with this layout; this was the last reference, and the value is dropped.
            unsafe { dealloc(self.inner.as_ptr().cast(), Layout::new::<Inner<T>>()) };
        }
    }
}

/// As in `Arc`: a count that wrapped would free a value in use.
fn count_one_more(before: usize) -> usize {
    if before > isize::MAX.unsigned_abs() {
        std::process::abort();
    }
    before
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;

#[cfg(all(test, acedia_loom))]
mod models;
