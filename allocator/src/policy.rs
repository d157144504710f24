//! [`PoolPolicy`]: how many free objects a pool keeps.

use std::fmt;

/// How many free objects a pool keeps for reuse.
///
/// A freed object beyond the limit is finalized and then dropped. When its slot is needed again, a new object is
/// constructed in it. Both steps take a lock.
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
#[doc(alias = "maxPoolSize")]
#[doc(alias = "forcedSize")]
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
    /// Keeps at most this many free objects.
    ///
    /// A limit below 4,096 is exact. All threads share the free objects, so each allocation and each free performs two atomic
    /// read-modify-writes or more. If the limit falls, the objects that were freed longest ago are dropped. A limit of 4,096 or more
    /// applies only to the free objects that all threads share: each thread may keep up to 766 more, and the pool is as fast as without
    /// a limit.
    KeepAtMost(usize),
    /// Keeps no free object: every life constructs a new object.
    KeepNone,
}

impl fmt::Display for PoolPolicy {
    /// Prints `keeps all`, `keeps at most 500` or `keeps none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeepAll => f.pad("keeps all"),
            Self::KeepAtMost(limit) => write!(f, "keeps at most {limit}"),
            Self::KeepNone => f.pad("keeps none"),
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

    /// The greatest number of free objects that the pool keeps, or `None` without a limit.
    #[must_use]
    pub fn limit(self) -> Option<usize> {
        match self {
            Self::KeepAll => None,
            Self::KeepAtMost(n) => Some(n),
            Self::KeepNone => Some(0),
        }
    }
}
