//! The memory of a process's first object. This test is alone in its process.

use acedia::pool::Pool;

/// In a mapping with room for a huge page, the first object would take 2 MiB where the system uses such pages for all memory.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc/self/maps")]
#[cfg_attr(any(miri, acedia_heap), ignore = "without mappings")]
fn takes_no_huge_page() {
    let pool: Pool<u64> = Pool::new();
    let owner = pool.allocate();
    let at = std::ptr::from_ref(&*owner).addr();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let ranges = maps.lines().filter_map(|line| line.split_once(' ')?.0.split_once('-'));
    let number = |hex| usize::from_str_radix(hex, 16).unwrap();
    let mut ranges = ranges.map(|(start, end)| number(start)..number(end));
    let mapping = ranges
        .find(|range| range.contains(&at))
        .expect("the object is in memory");
    assert!(mapping.len() < 2 << 20, "{mapping:x?}");
}
