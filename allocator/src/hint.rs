//! Which way a branch goes most of the time.
//!
//! The processor finds the next instructions fastest where they follow each other, and a life takes some twenty
//! instructions to begin and as many to end. So the commonest way through the hot paths is laid out without jumps.

/// Marks the branch it stands in as uncommon.
#[cold]
#[inline]
pub const fn uncommon() {}

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
