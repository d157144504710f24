//! [`PoolPolicy`]: how many free objects a pool keeps.
//!
//! A pool that does not keep all, or that is bounded, is *managed*: every operation goes through the depot, which enforces
//! the limit exactly, under a short lock. Far from [`PoolPolicy::KeepAtMost`] it is not.

use std::fmt;

/// How many free objects a pool keeps for reuse.
///
/// Further objects are finalized and then dropped. When such a slot is needed again, a new object is constructed in it.
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
    /// Every object. The default, and the fastest policy.
    #[default]
    KeepAll,
    /// At most this many. If they are at least 4,084 for each thread that uses the pool, the limit costs nothing until it is near.
    KeepAtMost(usize),
    /// None: every object is constructed anew.
    KeepNone,
    /// As many as together take at most this many bytes: their slots, and their
    /// [weights](crate::pool::Hooks::WEIGHT). Without weights it is `KeepAtMost` of as many slots; with them, each operation takes the pool's
    /// lock. An object that does not fit is [shrunk](crate::pool::Hooks::shrink), or dropped.
    KeepBytes(usize),
}

impl fmt::Display for PoolPolicy {
    /// `keeps all`, `keeps at most 500`, `keeps none`, `keeps at most 500 bytes`.
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

    /// The number of objects kept, or `None` if their number has no limit.
    #[must_use]
    pub fn limit(self) -> Option<usize> {
        match self {
            Self::KeepAll | Self::KeepBytes(_) => None,
            Self::KeepAtMost(n) => Some(n),
            Self::KeepNone => Some(0),
        }
    }
}
