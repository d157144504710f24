//! Counts at their maximum.

use std::os::unix::process::ExitStatusExt;

use super::COUNT;
use crate::pool::{Owned, Pool};
use crate::support::{again, case};
use crate::sync::Ordering;

const ABORTED: Option<i32> = Some(6);

/// Calls `one_more` twice. The first call must succeed, and the second must end the process.
fn last_and_one_more<T>(one_more: impl Fn() -> T) {
    let last = one_more();
    eprintln!("one is possible");
    std::mem::forget((last, one_more()));
    eprintln!("two are possible");
}

/// Sets the owner count to one below its maximum.
fn fill_owners(owner: &Owned<u64, &Pool<u64>>) {
    drop(owner.clone());
    let slot = owner.slot();
    let count = slot.more_owners(slot.chunk()).expect("it was cloned");
    count.0.store(i32::MAX.unsigned_abs(), Ordering::Relaxed);
}

fn overflow(case: &str) {
    let pool: Pool<u64> = Pool::new();
    let owner = pool.allocate();
    if case == "owners" {
        fill_owners(&owner);
        return last_and_one_more(|| owner.clone());
    }
    let guard = pool.guard(owner.handle()).expect("it is alive");
    owner.slot().guards().0.store(COUNT / 2, Ordering::Relaxed);
    if case == "guards" {
        last_and_one_more(|| pool.guard(owner.handle()));
    } else {
        last_and_one_more(|| guard.clone());
    }
}

/// A count that wrapped would free an object in use.
#[test]
fn counts_that_overflow_end_the_process() {
    if let Some(case) = case() {
        return overflow(&case);
    }
    for case in ["owners", "guards", "clones of guards"] {
        let output = again(|| (), case);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), ABORTED, "{case}: {said}");
        assert!(said.contains("one is possible"), "{case}: {said}");
        assert!(!said.contains("two are possible"), "{case}: {said}");
    }
}
