//! Which way a branch goes most of the time.
//!
//! The processor finds the next instructions fastest where they follow each other, and a life takes some twenty
//! instructions to begin and as many to end. So the commonest way through the hot paths is laid out without jumps.

/// Marks the branch it stands in as uncommon.
#[cold]
#[inline]
pub const fn uncommon() {}

/// Asks for the cache line at `place`, which may be anywhere, ahead of its use. Nothing where the processor is another one.
#[inline]
pub(crate) fn prefetch<T>(place: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint; of an address that is not mapped, nothing comes. Every processor of this architecture has it.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(place.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

/// `condition`, which holds most of the time.
#[inline]
pub(crate) const fn likely(condition: bool) -> bool {
    if !condition {
        uncommon();
    }
    condition
}

/// `condition`, which fails most of the time.
#[inline]
pub(crate) const fn unlikely(condition: bool) -> bool {
    if condition {
        uncommon();
    }
    condition
}
