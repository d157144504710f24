//! [`configure`]: pool limits, put into force.

use std::error::Error;
use std::fmt;

use super::class::Class;
use super::registry::{ClassError, load_class};
use crate::config::{Config, PoolOverride};
use crate::error::AllocateError;
use crate::panics::FirstPanic;
use crate::pool::PoolPolicy;
use crate::sync::plain::{AtomicBool, Mutex, Ordering};

/// Limits for classes that were not there when they were set.
static PENDING: Mutex<Vec<PoolOverride>> = Mutex::new(Vec::new());
/// Whether there are any.
static ANY_PENDING: AtomicBool = AtomicBool::new(false);

/// Puts the limits of a configuration into force: what a pool keeps too much is dropped at once.
///
/// Gives back what could not be done, each as a sentence; the other limits are in force all the same. An entry for a class
/// that does not exist is remembered, and applies should the class appear later. Of several entries for one class the
/// first one counts. A later call replaces what an earlier one set for the same class.
///
/// ```
/// use acedia_allocator::{Config, Object, PoolPolicy, class, configure};
///
/// #[derive(Default)]
/// struct Spark;
/// impl Object for Spark {
///     class!(Spark, "Doc.Spark");
/// }
///
/// let config = Config::from_ini(
///     "[AcediaCore.AcediaObjectPool]
///      poolSizeOverwrite=(objectClass=Doc.Spark,maxPoolSize=10)
///      poolSizeOverwrite=(objectClass=Doc.Sparc,maxPoolSize=10)",
/// )?;
/// let not_applied = configure(&config);
/// assert_eq!(Spark::class().policy(), PoolPolicy::KeepAtMost(10));
/// assert_eq!(
///     not_applied[0].to_string(),
///     "line 3: no class is named `Doc.Sparc` (did you mean `Doc.Spark`?)"
/// );
/// # Ok::<(), acedia_allocator::ConfigError>(())
/// ```
///
/// Free objects in the magazines of another thread, at most 766, come under a new limit when that thread next allocates or
/// frees one of the class, or ends.
///
/// # Panics
///
/// If the drop of an object that there are too many of does: with the first panic, after everything else is done.
///
/// # Cost
///
/// A search for each entry, and for each pool that gets a limit or loses one a pass over its free objects.
#[doc(alias = "poolSizeOverwrite")]
#[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
pub fn configure(config: &Config) -> Vec<NotApplied> {
    let mut seen: Vec<&'static Class> = Vec::new();
    let mut not_applied = Vec::new();
    let mut panics = FirstPanic::new();
    for entry in config.overrides() {
        let class = match load_class(&entry.class) {
            Ok(class) => class,
            Err(error) => {
                if matches!(error, ClassError::Unknown { .. }) {
                    remember(PoolOverride {
                        // Here, too, the first entry for a name counts.
                        policy: config.policy_of(&entry.class).unwrap_or(entry.policy),
                        ..entry.clone()
                    });
                }
                not_applied.push(NotApplied::new(entry, Reason::Class(error)));
                continue;
            }
        };
        if !seen.contains(&class) {
            seen.push(class);
            if let Some(Err(reason)) = panics.catch(|| apply(class, entry.policy)) {
                not_applied.push(NotApplied::new(entry, reason));
            }
        }
    }
    panics.resume();
    not_applied
}

fn apply(class: &'static Class, policy: PoolPolicy) -> Result<(), Reason> {
    if class.ops.declared == PoolPolicy::KeepNone {
        return Err(Reason::NeverPooled(class));
    }
    (class.ops.set_policy)(policy).map_err(Reason::Pool)
}

/// Keeps `entry` for a class that may appear, in place of an earlier entry for the same name.
fn remember(entry: PoolOverride) {
    let mut pending = PENDING.lock();
    pending.retain(|one| !one.class.eq_ignore_ascii_case(&entry.class));
    pending.push(entry);
    // Relaxed: who misses it is using the class at this very moment.
    ANY_PENDING.store(true, Ordering::Relaxed);
}

/// At the first use of a class: applies what was remembered for it.
pub(super) fn apply_pending(class: &'static Class) {
    if !ANY_PENDING.load(Ordering::Relaxed) {
        return;
    }
    let policy = {
        let pending = PENDING.lock();
        let mut entries = pending.iter();
        let names = [class.name(), class.short_name()];
        entries
            .find(|entry| names.iter().any(|name| entry.class.eq_ignore_ascii_case(name)))
            .map(|entry| entry.policy)
    };
    if let Some(policy) = policy {
        // A refusal was reported when the entry was; there is nobody to tell here.
        let _ = apply(class, policy);
    }
}

/// An entry of a configuration that could not be put into force, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplied {
    entry: PoolOverride,
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    Class(ClassError),
    NeverPooled(&'static Class),
    Pool(AllocateError),
}

impl NotApplied {
    fn new(entry: &PoolOverride, reason: Reason) -> Self {
        Self {
            entry: entry.clone(),
            reason,
        }
    }

    /// The entry.
    #[must_use]
    pub fn entry(&self) -> &PoolOverride {
        &self.entry
    }

    /// What is wrong with the class's name, if that is why. An unknown class is remembered, in case it appears later.
    #[must_use]
    pub fn class_error(&self) -> Option<&ClassError> {
        match &self.reason {
            Reason::Class(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for NotApplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.entry.line > 0 {
            write!(f, "line {}: ", self.entry.line)?;
        }
        match &self.reason {
            Reason::Class(error) => error.fmt(f),
            Reason::NeverPooled(class) => write!(f, "`{class}` is never pooled, so its limit cannot be changed"),
            Reason::Pool(error) => error.fmt(f),
        }
    }
}

impl Error for NotApplied {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.reason {
            Reason::Class(error) => Some(error),
            Reason::NeverPooled(_) => None,
            Reason::Pool(error) => Some(error),
        }
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
