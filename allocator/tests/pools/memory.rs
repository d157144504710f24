//! Memory of the system: how much a process takes first, and what a collection returns.

use std::fs::read_to_string;

use acedia::Pool;

use super::support::in_own_process;

/// In a mapping with room for a huge page, the first object would take 2 MiB where the system uses such pages for all memory.
#[test]
fn the_first_object_takes_no_huge_page() {
    in_own_process(|| {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        let at = std::ptr::from_ref(&*owner).addr();
        let maps = read_to_string("/proc/self/maps").unwrap();
        let number = |hex| usize::from_str_radix(hex, 16).unwrap();
        let ranges = maps.lines().filter_map(|line| line.split_once(' ')?.0.split_once('-'));
        let mut ranges = ranges.map(|(start, end)| number(start)..number(end));
        let mapping = ranges
            .find(|range| range.contains(&at))
            .expect("the object is in memory");
        assert!(mapping.len() < 2 << 20, "{mapping:x?}");
    });
}

/// The memory of this process, in pages.
fn resident() -> u64 {
    let numbers = read_to_string("/proc/self/statm").unwrap();
    numbers.split(' ').nth(1).unwrap().parse().unwrap()
}

/// The page faults of this process.
fn faults() -> u64 {
    let numbers = read_to_string("/proc/self/stat").unwrap();
    let after_name = numbers.rsplit_once(") ").unwrap().1;
    after_name.split(' ').nth(7).unwrap().parse().unwrap()
}

/// `count` pools that have had `objects` objects of a page each.
fn pools(count: usize, objects: usize) -> Vec<Pool<[[u64; 32]; 16]>> {
    let used = |pool: Pool<_>| {
        drop(pool.allocate_many(objects).collect::<Vec<_>>());
        pool
    };
    (0..count).map(|_| used(Pool::new())).collect()
}

/// Even with debug assertions, which record two source places for each slot.
#[test]
fn a_pool_of_one_object_takes_few_pages() {
    in_own_process(|| {
        let before = resident();
        let pools: Vec<Pool<u64>> = (0..1000).map(|_| Pool::new()).collect();
        let owners: Vec<_> = pools.iter().map(Pool::allocate).collect();
        let pages = resident() - before;
        assert!(pages < 20 * 1000, "{pages} pages");
        drop(owners);
    });
}

/// Chunks that no pool uses keep at most 4 MiB of pages.
#[test]
fn pools_that_come_and_go_touch_no_new_pages() {
    in_own_process(|| {
        drop(pools(1, 30));
        let before = faults();
        (0..100).for_each(|_| drop(pools(1, 30)));
        let new = faults() - before;
        assert!(new < 100, "{new} page faults");

        let before = resident();
        drop(pools(100, 30));
        // Small pools, in chunks that have the pages of large ones.
        let small = (0..10).map(|_| {
            drop(pools(30, 30));
            pools(30, 1)
        });
        drop(small.collect::<Vec<_>>());
        let after = resident();
        assert!(after < before + 1024 + 300, "{after} pages after {before}");
    });
}

/// A quarter of the objects stays alive, so no page of the pool itself is free.
#[test]
fn a_collection_returns_the_buffers_of_dropped_objects() {
    in_own_process(|| {
        let pool: Pool<Vec<u8>> = Pool::new();
        let filled = || pool.allocate_with(|buffer| buffer.resize(20_000, 7));
        let mut owners: Vec<_> = std::iter::repeat_with(filled).take(1000).collect();
        let mut place = 0;
        owners.retain(|_| {
            place += 1;
            place % 4 == 0
        });
        let before = resident();
        assert_eq!(pool.collect().objects, 750);
        let after = resident();
        // 750 buffers of 20,000 bytes are 3,600 pages.
        assert!(after + 3000 < before, "{after} of {before} pages");
    });
}
