//! Resident memory after a million objects were freed and collected: at most a tenth of the peak.
//!
//! Only without debug assertions: with them, each slot remembers two places in the source, for as long as its pool lives.
//! And only the one test, because it measures whole processes.
#![cfg(all(target_os = "linux", not(any(debug_assertions, miri, acedia_heap))))]

mod support;

use acedia::pool::{Owner, Pool, pin};

const MILLION: usize = 1_000_000;

/// Bytes of this process that are in memory, counted now: the counters of `status` lag behind.
fn resident() -> usize {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux has it");
    let line = rollup.lines().find_map(|line| line.strip_prefix("Rss:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    kilobytes.expect("a line like `Rss: 1234 kB`") * 1024
}

fn most_is_given_back<T: Default + Send + Sync + 'static>(payload: &str, fill: impl Fn(&mut T)) {
    let pool: Pool<T> = Pool::new();
    let mut owners: Vec<Option<Owner<'_, T>>> = Vec::with_capacity(MILLION);
    // Or else the compiler asks for zeroed memory, which is not there before it is used.
    std::hint::black_box(&mut owners);
    owners.resize_with(MILLION, || None);
    // In memory from the start, as those of the owners are.
    let mut keys = vec![Pool::<u64>::new().allocate().key(); MILLION];
    let start = resident();
    for (owner, key) in owners.iter_mut().zip(&mut keys) {
        let allocated = pool.allocate_with(&fill);
        *key = allocated.key();
        *owner = Some(allocated);
    }
    let peak = resident() - start;
    {
        let pinned = pin();
        let mut objects = owners.iter().flatten().zip(&keys);
        let in_place = |(owner, &key): (&Owner<'_, T>, _)| {
            pool.get(key, &pinned)
                .is_some_and(|it| std::ptr::from_ref(it) == std::ptr::from_ref::<T>(owner))
        };
        assert!(objects.all(in_place), "{payload}: an object is elsewhere");
    }
    owners.iter_mut().for_each(|owner| drop(owner.take()));
    assert_eq!(pool.collect().objects, MILLION as u64);
    let after = resident().saturating_sub(start);
    println!("{payload}: {peak} bytes at the peak, {after} after");
    assert!(
        peak > MILLION * (size_of::<T>() + 4),
        "{payload}: a peak of {peak} bytes?"
    );
    assert!(after * 10 <= peak, "{payload}: {after} bytes of {peak} stay");
    let pinned = pin();
    assert!(keys.iter().all(|&key| pool.get(key, &pinned).is_none()));
}

/// Each in a process of its own, so that memory which the C library keeps for the other cases is not counted.
#[test]
fn at_most_a_tenth_stays() {
    const PAYLOADS: [&str; 3] = ["16 bytes", "64 bytes", "64 bytes of text"];
    match support::case().as_deref() {
        Some("16 bytes") => most_is_given_back::<[u64; 2]>(PAYLOADS[0], |object| object[0] = 7),
        Some("64 bytes") => most_is_given_back::<[u64; 8]>(PAYLOADS[1], |object| object[0] = 7),
        Some(_) => most_is_given_back::<String>(PAYLOADS[2], |text| text.push_str(&"x".repeat(64))),
        None => PAYLOADS
            .iter()
            .for_each(|payload| support::passes_in_own_process("at_most_a_tenth_stays", payload)),
    }
}
