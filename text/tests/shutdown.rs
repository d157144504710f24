//! Shutdown. In its own process, because a shutdown affects the whole process.

use std::sync::atomic::{AtomicBool, Ordering};

use acedia::{Object, assert_no_leaks, leaks, shutdown};
use acedia_text::{CachedText, MutableText, Text, TextCache, colored, formatted, text};

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
        let _visible = owners[0].handle();
        drop(owners);
        assert_eq!(living(), 3, "the places keep theirs");
        assert_no_leaks();
        assert!(shutdown());
        assert_eq!(living(), 0);
    }

    // An object with another owner lives on, and the place makes a new one.
    let [kept, ..] = places().map(CachedText::owner);
    assert_eq!(leaks().objects(), 1);
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

    caches_release_their_texts();
}

fn caches_release_their_texts() {
    static CACHE: TextCache = TextCache::new();
    static OTHER: TextCache = TextCache::new();
    let all = || {
        let mut found = Vec::new();
        for source in ["^rred", "^rRed"] {
            found.extend([CACHE.plain(source), CACHE.colored(source), CACHE.formatted(source)]);
            found.push(OTHER.formatted(source));
        }
        found
    };
    let (first, second) = (all(), all());
    assert!(first.iter().zip(&second).all(|(one, other)| one.is_same(other)));
    assert_eq!(
        (living(), CACHE.len(), OTHER.len()),
        (8, 6, 2),
        "one object for each string and notation"
    );
    assert!(first[0] == "^rred" && first[2] == "red" && first[2].format_at(0).color().is_some());
    drop((first, second));
    assert_no_leaks();
    OTHER.clear();
    assert_eq!((living(), OTHER.is_empty()), (6, true));
    // Used again before and after a shutdown.
    for _ in 0..2 {
        drop(all());
        assert_eq!(living(), 8);
        assert!(shutdown());
        assert_eq!((living(), CACHE.len(), OTHER.len()), (0, 0, 0));
    }
    // Threads share objects of a cache while another one shuts down and clears.
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let users = [(); 2].map(|()| {
            scope.spawn(|| {
                for number in 0..2000 {
                    let source = format!("{{$red {}}}", number % 7);
                    assert_eq!(CACHE.formatted(&source).to_string(), (number % 7).to_string());
                }
            })
        });
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                shutdown();
                CACHE.clear();
            }
        });
        let users = users.map(std::thread::ScopedJoinHandle::join);
        done.store(true, Ordering::Relaxed);
        assert!(users.iter().all(Result::is_ok));
    });
    assert!(shutdown());
    assert_eq!((living(), CACHE.len()), (0, 0));
}
