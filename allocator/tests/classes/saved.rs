//! Handles saved by one process and read by another.

use acedia::{Handle, HandleError, Object, Pool, class};

use super::support::{again, alone, case, passed};

#[derive(Default)]
struct Door;
impl Object for Door {
    class!(Door, "Saved.Door");
}

#[test]
fn bytes_of_this_process() {
    let _alone = alone();
    let door = Door::allocate();
    let saved = door.handle().to_saved();
    assert_eq!(Handle::<Door>::from_saved(saved), Ok(door.handle()));
    // Stale in the same process: the bytes are a handle's, whose life is over.
    let handle = door.handle();
    drop(door);
    let _next = Door::allocate();
    assert_eq!(Handle::<Door>::from_saved(saved), Ok(handle));
    assert!(!handle.is_allocated());
    // The session is right, the handle is not.
    let mut impossible = saved;
    impossible[8..].fill(0);
    assert_eq!(Handle::<u64>::from_saved(impossible), Err(HandleError::Impossible));
    // A foreign session: any changed bit of it.
    for bit in 0..64 {
        let mut foreign = saved;
        foreign[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(Handle::<Door>::from_saved(foreign), Err(HandleError::Session), "{bit}");
    }
}

/// Each run allocates the same objects in the same order, so the handles of two runs are equal: only the session distinguishes
/// them.
#[cfg(not(any(miri, target_family = "wasm")))]
#[test]
fn a_later_run_refuses_what_an_earlier_one_saved() {
    let number = |digits: &str| u128::from_str_radix(digits, 16).expect("32 digits").to_be_bytes();
    if let Some(case) = case() {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        let saved = owner.handle().to_saved();
        assert_eq!(Handle::from_saved(saved), Ok(owner.handle()));
        if let Some(earlier) = case.strip_prefix("read ").map(number) {
            // The same handle: without the session, it would resolve to this run's object.
            assert_eq!(earlier[8..], saved[8..]);
            assert_eq!(Handle::<u64>::from_saved(earlier), Err(HandleError::Session));
        }
        return println!("bytes: {:032x} end", u128::from_be_bytes(saved));
    }
    let run = |case: &str| {
        let printed = passed(&again(|| (), case));
        let (_, saved) = printed.split_once("bytes: ").expect("it prints its handle");
        saved[..32].to_owned()
    };
    let first = run("save");
    assert_ne!(first, run(&format!("read {first}")));
    assert_eq!(Handle::<u64>::from_saved(number(&first)), Err(HandleError::Session));
}
