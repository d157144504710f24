//! [`configure`]: applies pool limits.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr;
use std::sync::OnceLock;

use super::class::Class;
use super::registry::{ClassError, load_class};
use crate::config::{Config, ConfigError};
use crate::panics::FirstPanic;
use crate::pool::PoolPolicy;
use crate::sync::plain::Mutex;

/// Limits for names that no class had when they were set. The names are in lower case.
static PENDING: Mutex<BTreeMap<String, Pending>> = Mutex::new(BTreeMap::new());
/// [`apply_pending`], once [`PENDING`] has entries. A pointer, so that a program without `configure` does not contain its code.
static APPLY: OnceLock<fn(&'static Class)> = OnceLock::new();

/// Applies the limits of a configuration. Free objects above a new limit are dropped at once.
///
/// Applies every entry that it can, and returns the others. An entry for an unknown class is kept, and applied when the
/// class appears. If a class has several entries, the first one applies. A later call replaces the limits that an earlier
/// call set for the same classes.
///
/// ```
/// use acedia::{Config, Object, PoolPolicy, class, configure};
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
/// # Ok::<(), acedia::ConfigError>(())
/// ```
///
/// A thread keeps up to 766 free objects of each class for itself. A new limit below 4,096 applies to them when that thread next
/// allocates or frees an object of the class, or ends.
///
/// # Panics
///
/// If the drop of a surplus object panics. The first panic continues after all other steps.
///
/// # Cost
///
/// One class look-up for each entry, and one pass over the free objects of each pool whose limit is set or removed.
#[doc(alias = "poolSizeOverwrite")]
#[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
pub fn configure(config: &Config) -> Vec<ConfigError> {
    let mut seen = BTreeSet::new();
    let mut unknown = BTreeMap::new();
    let mut not_applied = Vec::new();
    let mut panics = FirstPanic::new();
    for entry in config.entries() {
        let applied = match load_class(&entry.class) {
            Ok(class) if seen.insert(ptr::from_ref(class)) => panics.catch(|| apply(class, entry.policy)),
            Ok(_) => None,
            Err(error) => {
                if matches!(error, ClassError::Unknown { .. }) {
                    // The first entry for a name applies.
                    unknown.entry(entry.class.to_ascii_lowercase()).or_insert(entry.policy);
                }
                Some(Err(error.to_string()))
            }
        };
        if let Some(Err(message)) = applied {
            not_applied.push(ConfigError {
                line: entry.line,
                class: Some(entry.class.clone()),
                message,
            });
        }
    }
    remember(unknown);
    panics.resume();
    not_applied
}

fn apply(class: &'static Class, policy: PoolPolicy) -> Result<(), String> {
    if class.ops.declared == PoolPolicy::KeepNone {
        return Err(format!("`{class}` is never pooled, so its limit cannot be changed"));
    }
    class.pool().set_policy(policy).map_err(|error| error.to_string())
}

struct Pending {
    /// The number of the call of [`configure`].
    call: usize,
    policy: PoolPolicy,
}

/// Keeps limits for classes that may appear later, in place of earlier limits for the same names.
fn remember(unknown: BTreeMap<String, PoolPolicy>) {
    if unknown.is_empty() {
        return;
    }
    let mut pending = PENDING.lock();
    let call = 1 + pending.values().map(|one| one.call).max().unwrap_or(0);
    pending.extend(
        unknown
            .into_iter()
            .map(|(name, policy)| (name, Pending { call, policy })),
    );
    // A class whose first use runs at this moment may miss the limit.
    APPLY.get_or_init(|| apply_pending);
}

/// Applies the pending limit of a class, at its first use.
pub(super) fn at_first_use(class: &'static Class) {
    if let Some(apply) = APPLY.get() {
        apply(class);
    }
}

fn apply_pending(class: &'static Class) {
    let policy = {
        let pending = PENDING.lock();
        // In one call, the complete name has priority over the short name.
        let names = [class.short_name(), class.name()];
        let known = names
            .into_iter()
            .filter_map(|name| pending.get(&name.to_ascii_lowercase()));
        known.max_by_key(|one| one.call).map(|one| one.policy)
    };
    if let Some(policy) = policy {
        // `configure` has returned this entry already, so a refusal is not reported again.
        let _ = apply(class, policy);
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
