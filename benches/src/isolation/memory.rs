//! Memory, and the time of collecting it.

#![allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]

use crate::{
    case::{Case, nanoseconds},
    resident,
    shuffle::{shuffle, shuffled},
};
use acedia::pool::{Owner, Pool};
use std::hint::black_box;

pub(super) fn collect() -> Vec<Case> {
    let of = |count: usize| {
        move || {
            let pool = Pool::<u64>::new();
            let owners: Vec<_> = (0..count).map(|_| pool.allocate()).collect();
            drop(owners);
            nanoseconds(|| assert_eq!(pool.collect().objects, count as u64)) / 1e6
        }
    };
    vec![
        Case::once("4 million free objects of 8 bytes", of(4_000_000)),
        Case::once("16 million free objects of 8 bytes", of(16_000_000)),
    ]
}

pub(super) fn pools() -> Vec<Case> {
    vec![Case::once("1,000,000 tried", || {
        let mut pools: Vec<Pool<u64>> = Vec::new();
        pools.resize_with(1_000_000, Pool::new);
        let owners: Vec<_> = pools.iter().map_while(|pool| pool.try_allocate().ok()).collect();
        owners.len() as f64 * 100.0 / pools.len() as f64
    })]
}

pub(super) fn objects() -> Vec<Case> {
    vec![Case::once("100,000,000 tried", || {
        const TRIED: u32 = 100_000_000;
        let mappings = || {
            let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux lists the mappings");
            let ends = maps.lines().filter_map(|line| line.split_once(' ')?.0.split_once('-'));
            let bytes = |end| u64::from_str_radix(end, 16).expect("an address");
            let sizes = ends.map(|(start, end)| bytes(end) - bytes(start));
            // Smaller ones are of the heap, from which the pool's lists are.
            let large = sizes.filter(|size| *size >= 1 << 20);
            large.fold((0, 0), |(count, sum), size| (count + 1, sum + size))
        };
        let before = mappings();
        let pool = Pool::<[u64; 2]>::new();
        // Without owners: they would take 8 bytes more for each object.
        let objects = (0..TRIED).map_while(|_| pool.try_allocate().ok().map(Owner::into_manual));
        let reached = objects.inspect(|key| _ = black_box(key)).count();
        let after = mappings();
        assert!(
            after.0 - before.0 <= ((after.1 - before.1) >> 26),
            "{before:?}, {after:?}"
        );
        reached as f64 * 100.0 / f64::from(TRIED)
    })]
}

pub(super) fn dropped() -> Vec<Case> {
    vec![Case::once("20,000 pools were dropped", || {
        let before = resident::bytes();
        let pools: Vec<Pool<u64>> = (0..20_000).map(|_| Pool::new()).collect();
        for pool in &pools {
            drop(black_box(pool.allocate()));
        }
        let peak = resident::bytes() - before;
        drop(pools);
        // A collection that returns memory also trims the heap of the C library, which keeps what was freed.
        let other = Pool::<u64>::new();
        drop((0..10_000).map(|_| other.allocate()).collect::<Vec<_>>());
        assert!(other.collect().bytes > 0);
        (resident::bytes() - before).max(0.0) * 100.0 / peak
    })]
}

pub(super) fn first() -> Vec<Case> {
    const POOLS: usize = 1000;
    vec![
        Case::once("sharded-slab", || {
            let mut slabs = Vec::with_capacity(POOLS);
            let time = nanoseconds(|| {
                for _ in 0..POOLS {
                    let slab = sharded_slab::Slab::<u64>::new();
                    black_box(slab.insert(7));
                    slabs.push(slab);
                }
            });
            time / POOLS as f64 / 1e3
        }),
        Case::once("acedia", || {
            let mut pools = Vec::with_capacity(POOLS);
            let time = nanoseconds(|| {
                for _ in 0..POOLS {
                    let pool = Pool::<u64>::new();
                    drop(black_box(pool.allocate()));
                    pools.push(pool);
                }
            });
            time / POOLS as f64 / 1e3
        }),
    ]
}

/// The part that stays if the objects that `lives` chooses stay alive.
fn stays(lives: impl Fn(usize) -> bool) -> f64 {
    const COUNT: usize = 1_000_000;
    let order = shuffled(COUNT);
    let pool = Pool::<[u64; 8]>::new();
    let mut owners = resident::room(COUNT as u64);
    let before = resident::bytes();
    owners.extend((0..COUNT).map(|_| Some(pool.allocate_with(|object| object[0] = 7))));
    let peak = resident::bytes() - before;
    for place in order.into_iter().filter(|&place| !lives(place)) {
        owners[place] = None;
    }
    pool.collect();
    (resident::bytes() - before).max(0.0) * 100.0 / peak
}

/// The part that stays of a million objects of 64 bytes, of which 100,000 remain. Then 10,000 of these are replaced in random order,
/// `rounds` times.
fn gathered(rounds: usize) -> f64 {
    const COUNT: usize = 1_000_000;
    let pool = Pool::<[u64; 8]>::new();
    let mut owners = resident::room(COUNT as u64);
    let before = resident::bytes();
    owners.extend((0..COUNT).map(|_| Some(pool.allocate_with(|object| object[0] = 7))));
    let peak = resident::bytes() - before;
    shuffle(&mut owners);
    owners.truncate(COUNT / 10);
    for _ in 0..rounds {
        shuffle(&mut owners);
        owners[..10_000].fill_with(|| None);
        owners[..10_000].fill_with(|| Some(pool.allocate_with(|object| object[0] = 7)));
    }
    pool.collect();
    (resident::bytes() - before).max(0.0) * 100.0 / peak
}

pub(super) fn fewer() -> Vec<Case> {
    vec![
        Case::once("10 % live, at random places", || gathered(0)),
        Case::once("10 % live, after 100 rounds", || gathered(100)),
    ]
}

pub(super) fn partly() -> Vec<Case> {
    vec![
        Case::once("1 % of the objects live, at random places", || {
            let mut lives = vec![false; 1_000_000];
            shuffled(lives.len())
                .into_iter()
                .take(10_000)
                .for_each(|at| lives[at] = true);
            stays(move |place| lives[place])
        }),
        Case::once("10 % live, in groups of 100 neighbours", || {
            stays(|place| place / 100 % 10 == 0)
        }),
    ]
}
