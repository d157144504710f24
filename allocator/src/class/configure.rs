//! [`configure`]: applies pool limits.

use std::collections::BTreeSet;
use std::ptr;

use super::class::Class;
use super::registry::load_class;
use crate::config::{Config, ConfigError};
use crate::panics::FirstPanic;
use crate::pool::PoolPolicy;

/// Applies the limits of a configuration. Free objects above a new limit are dropped at once.
///
/// Applies every entry that it can, and returns the others. If a class has several entries, the first one applies. A later call
/// replaces the limits that an earlier call set for the same classes.
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
/// A thread keeps up to 766 free objects for itself. A new limit below 4,096 applies to them when that thread next allocates or
/// frees an object of the class, or ends.
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
    let mut not_applied = Vec::new();
    let mut panics = FirstPanic::new();
    for entry in config.entries() {
        let applied = match load_class(&entry.class) {
            Ok(class) if seen.insert(ptr::from_ref(class)) => panics.catch(|| apply(class, entry.policy)),
            Ok(_) => None,
            Err(error) => Some(Err(error.to_string())),
        };
        if let Some(Err(message)) = applied {
            not_applied.push(ConfigError {
                line: entry.line,
                class: Some(entry.class.clone()),
                message,
            });
        }
    }
    panics.resume();
    not_applied
}

fn apply(class: &'static Class, policy: PoolPolicy) -> Result<(), String> {
    if class.ops.declared == PoolPolicy::KeepNone {
        return Err(format!("`{class}` is never pooled, so its limit cannot be changed"));
    }
    class.pool().set_policy(policy).map_err(|error| error.to_string())
}
