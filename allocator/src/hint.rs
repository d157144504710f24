//! Branch hints: which way a branch goes most of the time.
//!
//! Beginning a life takes about twenty instructions, and so does ending one. The compiler lays out the likely path through them
//! without taken jumps.

/// Marks the branch that calls it as uncommon.
#[cold]
#[inline]
pub const fn uncommon() {}

/// Returns `condition`, which is mostly true.
#[inline]
pub(crate) const fn likely(condition: bool) -> bool {
    if !condition {
        uncommon();
    }
    condition
}

/// Returns `condition`, which is mostly false.
#[inline]
pub(crate) const fn unlikely(condition: bool) -> bool {
    if condition {
        uncommon();
    }
    condition
}
