//! How much memory this process has resident.

use std::{fs, hint::black_box, mem::MaybeUninit};

/// Resident bytes of this process's own memory, exact at the time of asking: without the pages of the program's file, which it
/// reads in as it goes on, some 300 KB in a first run through a contender.
///
/// `smaps_rollup` walks the page tables; the counters in `statm` lag behind by some pages for each thread.
pub(crate) fn bytes() -> f64 {
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").expect("Linux says what is resident");
    let kilobytes = rollup
        .lines()
        .find_map(|line| {
            line.strip_prefix("Anonymous:")?
                .trim()
                .strip_suffix(" kB")?
                .parse::<u32>()
                .ok()
        })
        .expect("the line `Anonymous: … kB`");
    f64::from(kilobytes) * 1024.0
}

/// An empty vector with room for `capacity` elements that is resident already.
pub(crate) fn room<T>(capacity: u64) -> Vec<T> {
    let capacity = usize::try_from(capacity).expect("the count fits the address space");
    let mut vector: Vec<T> = Vec::with_capacity(capacity);
    for place in vector.spare_capacity_mut() {
        *black_box(place) = MaybeUninit::zeroed();
    }
    vector
}
