//! The hot paths, and the loop beside each.

use std::hint::black_box;
use std::sync::Arc;

use acedia::pool::{Owner, Pool};

use crate::bare::Magazine;
use crate::rounds::{Loop, Path};

type Small = [u64; 2];
type Large = [u64; 8];

/// How many times as long as a bare loop a path of the engine may take: 1.5 where the figure was recorded, and wide, because processors
/// differ and CI is noisy. A chain of dependent loads in a pair makes it 1.8 (Zen 5) to 3.2 (Emerald Rapids) times as long.
const BARE: f64 = 2.0;
/// How many times as long as the allocator. Recorded: 0.6 to 0.8.
const ALLOCATOR: f64 = 1.2;
/// The same with pools in turns. Recorded: 0.9 to 1.75; a chain made it 2.8 and 3.4.
const TURNS: f64 = 2.2;
/// How many times as long as `Arc`. Recorded: 1.03.
const ARC: f64 = 1.3;

pub(crate) fn all() -> Vec<Path> {
    let path = |name, ours, beside, theirs, limit| Path {
        name,
        ours,
        beside,
        theirs,
        limit,
    };
    vec![
        path(
            "pair, 16 B",
            pairs::<Small>(false),
            "magazine with lives",
            magazine::<Small>(),
            BARE,
        ),
        path(
            "pair with a key, 16 B",
            pairs::<Small>(true),
            "magazine with lives",
            magazine::<Small>(),
            BARE,
        ),
        path(
            "pair with a key, 64 B",
            pairs::<Large>(true),
            "magazine with lives",
            magazine::<Large>(),
            BARE,
        ),
        path(
            "pair with a key, 16 B",
            pairs::<Small>(true),
            "Box, mimalloc",
            boxes::<Small>(),
            ALLOCATOR,
        ),
        path(
            "pair with a key, 64 B",
            pairs::<Large>(true),
            "Box, mimalloc",
            boxes::<Large>(),
            ALLOCATOR,
        ),
        path(
            "pairs in 2 pools in turns, 16 B",
            turns::<Small>(2),
            "Box, mimalloc",
            boxes::<Small>(),
            TURNS,
        ),
        path(
            "pairs in 4 pools in turns, 16 B",
            turns::<Small>(4),
            "Box, mimalloc",
            boxes::<Small>(),
            TURNS,
        ),
        path(
            "pairs in 16 pools in turns, 16 B",
            turns::<Small>(16),
            "Box, mimalloc",
            boxes::<Small>(),
            TURNS,
        ),
        path("owner cloned and dropped, 16 B", clones(), "Arc", arcs(), ARC),
    ]
}

/// A value that the compiler does not foresee.
trait Value: Copy + Default + Send + Sync + 'static {
    fn of(seed: u64) -> Self;
}

impl<const N: usize> Value for [u64; N]
where
    Self: Default,
{
    #[inline]
    fn of(seed: u64) -> Self {
        [black_box(seed); N]
    }
}

/// A pool with some objects that stay alive, as in any program.
fn pool<T: Value>() -> &'static Pool<T> {
    let pool: &'static Pool<T> = Box::leak(Box::new(Pool::new()));
    for _ in 0..10 {
        std::mem::forget(pool.allocate());
    }
    pool
}

#[inline]
fn pair<T: Value>(pool: &'static Pool<T>, seed: u64, key: bool) {
    let owner = pool.allocate_with(|object| *object = T::of(seed));
    if key {
        black_box(owner.key());
    }
    drop(black_box(owner));
}

fn pairs<T: Value>(key: bool) -> Loop {
    let pool = pool::<T>();
    if key {
        Box::new(move |count| (0..count).for_each(|seed| pair(pool, seed, true)))
    } else {
        Box::new(move |count| (0..count).for_each(|seed| pair(pool, seed, false)))
    }
}

fn turns<T: Value>(pools: usize) -> Loop {
    let pools: Vec<_> = (0..pools).map(|_| pool::<T>()).collect();
    Box::new(move |count| {
        let rounds = count / pools.len() as u64;
        for seed in 0..rounds {
            for pool in &pools {
                pair(pool, seed, true);
            }
        }
    })
}

fn magazine<T: Value>() -> Loop {
    let magazine = Magazine::new();
    Box::new(move |count| (0..count).for_each(|seed| magazine.pair(T::of(seed))))
}

/// With company: mimalloc has more to do when the last block of a page is freed.
fn boxes<T: Value>() -> Loop {
    let company: Vec<_> = (0..10).map(|seed| Box::new(T::of(seed))).collect();
    Box::new(move |count| {
        black_box(&company);
        (0..count).for_each(|seed| drop(black_box(Box::new(T::of(seed)))));
    })
}

fn clones() -> Loop {
    let owner: Owner<'static, Small> = pool::<Small>().allocate();
    Box::new(move |count| (0..count).for_each(|_| drop(black_box(owner.clone()))))
}

fn arcs() -> Loop {
    let owner = Arc::new(Small::default());
    Box::new(move |count| (0..count).for_each(|_| drop(black_box(Arc::clone(&owner)))))
}
