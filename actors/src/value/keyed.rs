//! [`Keyed`]: the hasher of all hash tables.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use ahash::AHasher;

/// Seeded by the operating system, once per process, because a hostile saved level can choose keys of the tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keyed;

impl BuildHasher for Keyed {
    type Hasher = AHasher;

    #[inline]
    fn build_hasher(&self) -> AHasher {
        static KEY: LazyLock<ahash::RandomState> = LazyLock::new(|| {
            let drawn = RandomState::new();
            let [one, two, three, four] = [0, 1, 2, 3].map(|i| drawn.hash_one(i));
            ahash::RandomState::with_seeds(one, two, three, four)
        });
        KEY.build_hasher()
    }
}
