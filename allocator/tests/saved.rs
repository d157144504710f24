//! Keys and handles saved by one process and read by another.

mod support;

use acedia::pool::{Key, Pool};
use acedia::{Handle, Object, SavedKeyError, class};
use support::Rng;

#[derive(Default)]
struct Door;
impl Object for Door {
    class!(Door, "Saved.Door");
}

#[test]
fn bytes_of_this_process() {
    let door = Door::allocate();
    let saved = door.handle().to_saved();
    assert_eq!(Handle::<Door>::from_saved(saved), Ok(door.handle()));
    // Stale in the same process: the bytes are a handle's, whose life is over.
    let handle = door.handle();
    drop(door);
    let _next = Door::allocate();
    assert_eq!(Handle::<Door>::from_saved(saved), Ok(handle));
    assert!(!handle.is_allocated());
    // The session is right, the key is not.
    let mut impossible = saved;
    impossible[8..].fill(0);
    assert_eq!(Key::from_saved(impossible), Err(SavedKeyError::Impossible));
    // A foreign session: any changed bit of it.
    for bit in 0..64 {
        let mut foreign = saved;
        foreign[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(Key::from_saved(foreign), Err(SavedKeyError::Session), "{bit}");
    }
}

/// `ACEDIA_WORDS` is the number of random forms, 20,000 if unset.
#[test]
fn random_bytes_are_refused() {
    let words = std::env::var("ACEDIA_WORDS").map_or(20_000, |words| words.parse().expect("a number"));
    let mut rng = Rng(11);
    for _ in 0..words {
        let forged = u128::from(rng.next()) << 64 | u128::from(rng.next());
        assert_eq!(Key::from_saved(forged.to_be_bytes()), Err(SavedKeyError::Session));
    }
}

/// Each run allocates the same objects in the same order, so the keys of two runs are equal: only the session distinguishes
/// them.
#[cfg(not(any(miri, target_family = "wasm")))]
#[test]
fn a_later_run_refuses_what_an_earlier_one_saved() {
    const NAME: &str = "a_later_run_refuses_what_an_earlier_one_saved";
    if let Some(case) = support::case() {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        let saved = owner.key().to_saved();
        assert_eq!(Key::from_saved(saved), Ok(owner.key()));
        if let Some(earlier) = case.strip_prefix("read ") {
            let earlier = u128::from_str_radix(earlier, 16)
                .expect("what the first run printed")
                .to_be_bytes();
            // The same key: without the session, it would resolve to this run's object.
            assert_eq!(earlier[8..], saved[8..]);
            assert_eq!(Key::from_saved(earlier), Err(SavedKeyError::Session));
        }
        println!("bytes: {:032x} end", u128::from_be_bytes(saved));
        return;
    }
    let run = |case: &str| {
        let output = support::in_own_process(NAME, case);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{case}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let (_, saved) = text.split_once("bytes: ").expect("it prints its key");
        saved.split_once(' ').expect("32 digits").0.to_owned()
    };
    let first = run("save");
    let second = run(&format!("read {first}"));
    assert_ne!(first, second);
    let here = u128::from_str_radix(&first, 16).expect("32 digits").to_be_bytes();
    assert_eq!(Key::from_saved(here), Err(SavedKeyError::Session));
}
