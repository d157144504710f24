//! Pools in WebAssembly whose threads share one memory, without a system below them: `ci/portable.sh threads` builds this as a module, and
//! `ci/wasm_threads.py` calls it from threads of its own.

use std::sync::Mutex;

use acedia::pool::{Key, Pool, pin};

static POOL: Pool<[u64; 4]> = Pool::new();
static KEYS: Mutex<Vec<Key>> = Mutex::new(Vec::new());

/// Begins lives, reads them and those of other threads by pins and guards, and ends its own, some of them under its pin. The result is the
/// number of reads of other threads' objects, or -1 if an object was not whole.
#[unsafe(no_mangle)]
extern "C" fn work(thread: u64, rounds: u32) -> i32 {
    let (mut read, mut whole) = (0, true);
    let mut before = Vec::new();
    for round in 0..u64::from(rounds) {
        let owners: Vec<_> = (0..10)
            .map(|n| POOL.allocate_with(|object| *object = [thread << 32 | round + n; 4]))
            .collect();
        let keys = {
            let mut keys = KEYS.lock().unwrap();
            keys.extend(owners.iter().map(|owner| owner.key()));
            let old = keys.len().saturating_sub(40);
            keys.drain(..old);
            keys.clone()
        };
        let mut see = |object: &[u64; 4]| {
            read += i32::from(object[0] >> 32 != thread);
            whole &= object.iter().all(|n| *n == object[0]);
        };
        let pinned = pin();
        keys.iter().filter_map(|key| POOL.get(*key, &pinned)).for_each(&mut see);
        keys.iter()
            .filter_map(|key| POOL.guard(*key))
            .for_each(|guard| see(&guard));
        if round % 2 == 0 {
            drop(pinned);
        }
        before = owners; // ends the lives of the round before
    }
    drop(before);
    if whole { read } else { -1 }
}

/// The living objects.
#[unsafe(no_mangle)]
extern "C" fn living() -> u64 {
    POOL.stats().live
}

/// The end of so many bytes, for the stack of a thread or its thread-locals.
#[unsafe(no_mangle)]
extern "C" fn memory(bytes: usize) -> usize {
    let bytes = vec![[0_u64; 16]; bytes.div_ceil(128)].leak();
    bytes.as_ptr_range().end.addr()
}
