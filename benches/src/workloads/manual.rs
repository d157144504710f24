//! Values that only a key names: a program inserts a value of 64 bytes and removes it by its key.

use std::hint::black_box;

use acedia::pool::Pool;
use slotmap::SlotMap;

use crate::case::Case;
use crate::workload::ACEDIA;

/// The pairs of one batch.
const SIZE: usize = 1000;

fn slotmap() -> Case {
    let mut map = SlotMap::new();
    Case::batches("slotmap", SIZE, move || {
        for n in 0..SIZE as u64 {
            let key = map.insert([black_box(n); 8]);
            black_box(map.remove(black_box(key)));
        }
    })
}

/// `free`, which needs `&` only.
pub(super) fn free() -> Vec<Case> {
    let pool = Pool::values();
    let ours = Case::batches(ACEDIA, SIZE, move || {
        for n in 0..SIZE as u64 {
            let key = pool.insert([black_box(n); 8]).into_manual();
            pool.free(black_box(key)).expect("manual");
        }
    });
    vec![ours, slotmap()]
}

/// `take`, which needs `&` only.
pub(super) fn take() -> Vec<Case> {
    let pool = Pool::values();
    let ours = Case::batches(ACEDIA, SIZE, move || {
        for n in 0..SIZE as u64 {
            let key = pool.insert([black_box(n); 8]).into_manual();
            black_box(pool.take(black_box(key)).expect("manual"));
        }
    });
    vec![ours, slotmap()]
}

/// `Values::add` and `remove`, which need `&mut`.
pub(super) fn remove() -> Vec<Case> {
    let mut pool = Pool::values();
    let ours = Case::batches(ACEDIA, SIZE, move || {
        for n in 0..SIZE as u64 {
            let key = pool.add([black_box(n); 8]);
            black_box(pool.remove(black_box(key)).expect("manual"));
        }
    });
    vec![ours, slotmap()]
}
