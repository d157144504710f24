//! Shutdown. In a process of its own, because a shutdown affects the whole process.

use std::sync::atomic::{AtomicBool, Ordering};

use acedia_allocator::{Object, shutdown};
use acedia_text::{CachedText, MutableText, Text, colored, formatted, text};

fn places() -> [&'static CachedText; 3] {
    [
        text!("plain"),
        colored!("\u{1b}\u{ff}\u{1}\u{1}colored"),
        formatted!("{$red formatted}"),
    ]
}

fn living() -> u64 {
    Text::class().stats().live + MutableText::class().stats().live
}

/// A single test, because each part shuts all classes down.
#[test]
fn nothing_is_alive_after_a_shutdown() {
    // A constant has no object before the first call of `owner`.
    assert!(places().map(|place| place.len()) == [5, 7, 9] && living() == 0);

    for _ in 0..3 {
        let owners = places().map(CachedText::owner);
        assert_eq!(living(), 3, "one object for each place, used before or not");
        assert!(
            places()
                .iter()
                .zip(&owners)
                .all(|(place, owner)| place.owner().is_same(owner))
        );
        drop(owners);
        assert_eq!(living(), 3, "the places keep theirs");
        assert!(shutdown());
        assert_eq!(living(), 0);
    }

    // An object with another owner lives on. The place makes a new one.
    let [kept, ..] = places().map(CachedText::owner);
    assert!(shutdown());
    assert_eq!((living(), kept.owners()), (1, 1));
    let [place, ..] = places();
    assert!(!place.owner().is_same(&kept) && place.owner() == kept);

    // Several threads use texts while another one shuts down: no thread hangs, and the last shutdown frees all objects.
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let users = [(); 3].map(|()| {
            scope.spawn(|| {
                let mut shared = 0_u32;
                for _ in 0..2000 {
                    for place in places() {
                        let (one, other) = (place.owner(), place.owner());
                        assert!(one == other && one.len() == place.len());
                        shared += u32::from(one.is_same(&other));
                    }
                }
                shared
            })
        });
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                shutdown();
            }
        });
        let shared = users.map(|user| user.join().unwrap());
        done.store(true, Ordering::Relaxed);
        assert!(shared.iter().all(|shared| *shared > 0));
    });
    drop(kept);
    assert!(shutdown());
    assert_eq!(living(), 0);
}
