//! Keys and handles saved by one process and read by another.

mod support;

use acedia::pool::Pool;
use acedia::{Handle, HandleError, Object, class};
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
    assert_eq!(Handle::<u64>::from_saved(impossible), Err(HandleError::Impossible));
    // A foreign session: any changed bit of it.
    for bit in 0..64 {
        let mut foreign = saved;
        foreign[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(Handle::<Door>::from_saved(foreign), Err(HandleError::Session), "{bit}");
    }
}

/// Random bytes have another session. With the session of this process, a random word makes the key of these bits or none, and leads
/// to no object but that of its very key. `ACEDIA_WORDS` is the number of words, 20,000 if unset.
#[test]
fn random_bytes_are_refused() {
    let words = std::env::var("ACEDIA_WORDS").map_or(20_000, |words| words.parse().expect("a number"));
    let pool: Pool<u64> = Pool::new();
    let owner = pool.allocate();
    let saved = owner.handle().to_saved();
    let mut rng = Rng(11);
    let mut possible = 0;
    for n in 0..words {
        let word = rng.next();
        if n % 2 == 0 {
            let forged = u128::from(rng.next()) << 64 | u128::from(word);
            assert_eq!(
                Handle::<u64>::from_saved(forged.to_be_bytes()),
                Err(HandleError::Session)
            );
            continue;
        }
        // Any word, or one near that of the living object.
        let word = if n % 4 == 1 {
            word
        } else {
            owner.handle().to_bits() ^ (word & 7) << (word >> 3 & 63)
        };
        let mut forged = saved;
        forged[8..].copy_from_slice(&word.to_be_bytes());
        let key = Handle::from_saved(forged);
        assert_eq!(key, Handle::from_bits(word).ok_or(HandleError::Impossible), "{word:#x}");
        if let Ok(key) = key {
            possible += 1;
            assert_eq!(
                (key.to_saved(), pool.contains(key)),
                (forged, key == owner.handle()),
                "{word:#x}"
            );
        }
    }
    assert!(possible > 0 && possible < words / 2, "{possible} of {words}");
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
        let saved = owner.handle().to_saved();
        assert_eq!(Handle::from_saved(saved), Ok(owner.handle()));
        if let Some(earlier) = case.strip_prefix("read ") {
            let earlier = u128::from_str_radix(earlier, 16)
                .expect("what the first run printed")
                .to_be_bytes();
            // The same key: without the session, it would resolve to this run's object.
            assert_eq!(earlier[8..], saved[8..]);
            assert_eq!(Handle::<u64>::from_saved(earlier), Err(HandleError::Session));
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
    assert_eq!(Handle::<u64>::from_saved(here), Err(HandleError::Session));
}
