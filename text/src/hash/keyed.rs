//! The keyed hash of a text.

#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use ahash::AHasher;

use super::short::{self, Secret, inexact};

/// A hash of a text as UTF-8, keyed by random numbers of the operating system, drawn once per process.
#[inline]
pub(crate) fn keyed(text: &str) -> u64 {
    exact_hash(text).unwrap_or_else(|| keyed_long(text))
}

/// The [`key_hash`](crate::key_hash) of a string if it is [exact](crate::is_exact), otherwise `None`. Tables use it for a fast
/// path.
///
/// ```
/// use acedia_text::{exact_hash, key_hash};
///
/// assert_eq!(exact_hash("name"), Some(key_hash("name")));
/// assert_eq!(exact_hash("a long name"), None);
/// ```
#[inline]
#[must_use]
pub fn exact_hash(text: &str) -> Option<u64> {
    // A long text is refused by its length, before the key of the process is read.
    if text.len() > short::MOST {
        return None;
    }
    short::hash(text.as_bytes(), &KEY.short)
}

/// The hash of a text without an exact hash. Not inlined, so that the path of short texts stays short.
#[inline(never)]
fn keyed_long(text: &str) -> u64 {
    let mut hasher = Keyed.build_hasher();
    hasher.write(text.as_bytes());
    inexact(hasher.finish())
}

/// The hasher of tables in this crate and its dependents, keyed once per process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyed;

impl BuildHasher for Keyed {
    type Hasher = AHasher;

    #[inline]
    fn build_hasher(&self) -> AHasher {
        KEY.long.build_hasher()
    }
}

static KEY: LazyLock<Key> = LazyLock::new(|| {
    let drawn = RandomState::new();
    let [one, two, three, four, first, second, third] = [0, 1, 2, 3, 4, 5, 6].map(|i| drawn.hash_one(i));
    Key {
        long: ahash::RandomState::with_seeds(one, two, three, four),
        short: Secret {
            first,
            second: second | 1,
            third: third | 1,
        },
    }
});

struct Key {
    long: ahash::RandomState,
    short: Secret,
}
