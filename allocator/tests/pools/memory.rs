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
