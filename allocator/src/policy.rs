//! [`PoolPolicy`]: how many free objects a pool keeps.
//!
//! A pool that does not keep all free objects, or that is bounded, is *managed*: every operation goes through the depot,
//! which enforces the limit exactly, under a short lock. A pool with [`PoolPolicy::KeepAtMost`], or with
//! [`PoolPolicy::KeepBytes`] and without weights, is managed only near its limit.

use std::fmt;

/// How many free objects a pool keeps for reuse.
///
/// A freed object beyond the limit is finalized and then dropped. When its slot is needed again, a new object is
/// constructed in it.
///
/// ```
/// use acedia::PoolPolicy;
///
/// assert_eq!(PoolPolicy::from_limit(-1), PoolPolicy::KeepAll);
/// assert_eq!(PoolPolicy::from_limit(0), PoolPolicy::KeepNone);
/// assert_eq!(PoolPolicy::KeepAtMost(0).limit(), PoolPolicy::KeepNone.limit());
/// ```
#[doc(alias = "usesObjectPool")]
#[doc(alias = "defaultMaxPoolSize")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::enum_variant_names,
    reason = "the verb is the policy; `PoolPolicy::All` would not say what of all"
)]
#[non_exhaustive]
pub enum PoolPolicy {
    /// Keeps every free object. The default, and the fastest policy.
    #[default]
    KeepAll,
    /// Keeps at most this many free objects. A limit of at least 4,084 objects for each thread that uses the pool costs
    /// nothing until the number of free objects comes near it. Then each operation takes the pool's lock. The pool stops
    /// locking once fewer objects than half the limit are free, but only if the limit is at least 8,168 for each thread.
    KeepAtMost(usize),
    /// Keeps no free object: every life constructs a new object.
    KeepNone,
    /// Keeps free objects of at most this many bytes in total: their slots plus their [weights](crate::pool::Hooks::WEIGHT).
    /// For a class without weights, this is a limit on the number of slots, like `KeepAtMost`; for a class with weights, each
    /// operation takes the pool's lock. An object that does not fit is [shrunk](crate::pool::Hooks::shrink), or dropped.
    KeepBytes(usize),
}

impl fmt::Display for PoolPolicy {
    /// Prints `keeps all`, `keeps at most 500`, `keeps none` or `keeps at most 500 bytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeepAll => f.pad("keeps all"),
            Self::KeepAtMost(limit) => write!(f, "keeps at most {limit}"),
            Self::KeepNone => f.pad("keeps none"),
            Self::KeepBytes(limit) => write!(f, "keeps at most {limit} bytes"),
        }
    }
}

impl PoolPolicy {
    /// The policy for a configured limit: negative for no limit, 0 for no pooling.
    #[must_use]
    pub fn from_limit(limit: i64) -> Self {
        match usize::try_from(limit) {
            Ok(0) => Self::KeepNone,
            Ok(n) => Self::KeepAtMost(n),
            Err(_) if limit < 0 => Self::KeepAll,
            Err(_) => Self::KeepAtMost(usize::MAX),
        }
    }

    /// The greatest number of free objects that the pool keeps, or `None` if their number has no limit.
    #[must_use]
    pub fn limit(self) -> Option<usize> {
        match self {
            Self::KeepAll | Self::KeepBytes(_) => None,
            Self::KeepAtMost(n) => Some(n),
            Self::KeepNone => Some(0),
        }
    }
}
