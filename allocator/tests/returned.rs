//! The memory that objects own goes back to the system. This test is alone in its process.

use acedia::pool::Pool;

/// The memory of this process, in pages.
fn resident() -> u64 {
    let numbers = std::fs::read_to_string("/proc/self/statm").unwrap();
    numbers.split(' ').nth(1).unwrap().parse().unwrap()
}

/// A quarter of the objects stays alive, so no page of the pool itself is free.
#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_env = "gnu")),
    ignore = "the C library of GNU returns memory on request"
)]
#[cfg_attr(any(miri, acedia_heap), ignore = "reads /proc/self/statm")]
fn a_collection_returns_the_buffers_of_dropped_objects() {
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
    assert!(after < before / 2, "{after} of {before} pages");
}
