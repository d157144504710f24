//! The printed forms of the public types: helpful, and never made by touching an object that may be gone.

mod support;

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use acedia::pool::{Handle, Hooks, Owned, Plain, Pool, Reclaimed, Stats, pin};
use acedia::{AllocateError, PoolPolicy, Reason};
use support::{alone, sized};

/// Counts how often it is printed: an object must be, by its owner and guards only.
#[derive(Default)]
struct Shy(u64);

static PRINTED: AtomicBool = AtomicBool::new(false);

impl fmt::Debug for Shy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PRINTED.store(true, Ordering::Relaxed);
        write!(f, "Shy {}", self.0)
    }
}

fn printed() -> bool {
    PRINTED.swap(false, Ordering::Relaxed)
}

#[test]
fn what_they_say() {
    let _alone = alone();
    printed();
    let pool: Arc<Pool<Shy>> = Arc::new(Pool::new());
    assert!(format!("{pool:?}").contains("Shy"), "an empty pool names its type");
    let owner = pool.allocate_with(|shy| shy.0 = 7);
    let key = owner.handle();
    let text = format!("{pool:?} {pool:#?}");
    assert!(text.contains("Shy") && text.contains("live: 1"), "{text}");
    let text = format!("{key:?}");
    assert!(
        text.contains(&key.index().to_string()) && text.contains(&key.life().to_string()),
        "{text}"
    );
    let reserved = pool.reserve();
    assert!(format!("{reserved:?}").contains(&reserved.handle().index().to_string()));
    let pinned = pin();
    assert_eq!(format!("{pinned:?}"), "Pinned");
    assert!(!printed(), "none of these looks at an object");

    assert!(format!("{owner:?}").contains("Shy 7"));
    assert!(format!("{:?}", pool.guard(key).unwrap()).contains("Shy 7"));
    assert!(format!("{:?}", pool.guard_owned(key).unwrap()).contains("Shy 7"));
    assert!(printed());
    drop(pinned);

    drop(reserved);
    owner.free();
    // Of a key that is stale, of a pool whose object is gone, and of the reason.
    let error = pool.try_get(key, &pin()).unwrap_err();
    let text = format!("{key:?} {pool:?} {error:?} {error}");
    assert!(
        text.contains("Freed") && text.contains("was freed") && text.contains("live: 0"),
        "{text}"
    );
    assert!(!printed(), "dead objects are not looked at");
    if cfg!(debug_assertions) {
        assert!(text.contains("debug.rs"), "where it was allocated and freed: {text}");
        let (allocated, freed) = (error.allocated_at().unwrap(), error.freed_at().unwrap());
        assert!(
            allocated.file().ends_with("debug.rs") && freed.file().ends_with("debug.rs"),
            "{text}"
        );
        assert!(allocated.line() < freed.line(), "{text}");

        let (line, owner) = (line!(), pool.allocate());
        let error = pool.free(owner.handle()).unwrap_err();
        assert_eq!(
            (error.reason(), error.allocated_at().unwrap().line()),
            (Reason::Owned, line)
        );
        assert!(!error.to_string().contains("; freed"), "{error}");
        drop(owner);

        let (line, key) = (line!(), pool.allocate().into_manual());
        pool.free(key).unwrap();
        let error = pool.free(key).unwrap_err();
        let (allocated, freed) = (error.allocated_at().unwrap(), error.freed_at().unwrap());
        assert_eq!((allocated.file(), allocated.line()), (file!(), line));
        assert_eq!((freed.file(), freed.line()), (file!(), line + 1));

        let key = pool.allocate().handle();
        let error = pool.try_get(key, &pin()).unwrap_err();
        assert!(
            error.allocated_at().is_some() && error.freed_at().is_none(),
            "dropped, and not freed by a call"
        );
        assert!(error.to_string().ends_with("freed by a drop"), "{error}");
    }
    drop(pool);
    assert!(format!("{key:?}").starts_with("Handle"), "a handle needs no pool");
    assert!(!printed());
}

/// The places of a life outlast the slot's next one, and are never taken for those of another.
#[test]
#[cfg(debug_assertions)]
fn places_of_a_slot_that_was_used_again() {
    let _alone = alone();
    let pool: Pool<Shy> = Pool::new();
    // After several threads have read, a slot is reused only when enough others were freed.
    let again = |slot: Option<u32>| {
        let mut others = Vec::new();
        loop {
            assert!(others.len() < 10_000, "the slot never comes round");
            let owner = pool.allocate();
            if slot.is_none_or(|slot| slot == owner.index()) {
                return (owner, line!() - 2);
            }
            others.push(owner);
        }
    };
    let life = |slot: Option<u32>| {
        let (owner, line) = again(slot);
        let key = owner.handle();
        owner.free();
        (key, (Some(line), Some(line!() - 1)))
    };
    let places = |key: Handle<Shy>| {
        let error = pool.try_get(key, &pin()).unwrap_err();
        let here =
            |at: Option<&std::panic::Location>| at.filter(|at| at.file() == file!()).map(std::panic::Location::line);
        (error.reason(), here(error.allocated_at()), here(error.freed_at()))
    };
    let (first, freed) = life(None);
    let slot = Some(first.index());
    assert_eq!(places(first), (Reason::Freed, freed.0, freed.1));
    // A life without a handle is not recorded.
    for _ in 0..3 {
        let (unseen, _) = again(slot);
        assert_eq!(places(first), (Reason::Freed, freed.0, freed.1));
        unseen.free();
    }
    let (second, _) = life(slot);
    assert_eq!(places(first), (Reason::Reused, freed.0, freed.1));
    assert_eq!(places(second), (Reason::Freed, freed.0, freed.1));
    let text = pool.try_get(first, &pin()).unwrap_err().to_string();
    assert!(
        text.contains("reused since; allocated at") && text.contains("; freed at"),
        "{text}"
    );
    let _ = life(slot);
    assert_eq!(places(first), (Reason::Reused, None, None), "forgotten");
    assert_eq!(places(second), (Reason::Reused, freed.0, freed.1));
    // Memory that was given back does not take them along.
    assert!(pool.collect().objects > 0);
    assert_eq!(places(second), (Reason::Reused, freed.0, freed.1));
}

#[test]
fn plain_values() {
    let _alone = support::alone();
    let text = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        Stats::default(),
        Reclaimed::default(),
        PoolPolicy::KeepAtMost(3),
        i32::MAX.unsigned_abs(),
        Reason::Foreign,
        Plain::<acedia::pool::Global>::default()
    );
    for word in ["live", "objects", "KeepAtMost(3)", "2147483647", "Foreign", "Plain"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let pool: Pool<Shy> = Pool::new().bounded(0);
    let error = pool.try_allocate().unwrap_err();
    assert!(matches!(error, AllocateError::Full { capacity: 0, .. }));
    let text = error.to_string();
    assert!(text.contains("Shy") && text.contains("full"), "{text}");
    assert!((&error as &dyn Error).source().is_none());
    let text = format!("{error:?}");
    assert!(text.contains("Full"), "{text}");
}

/// Each reason has a sentence of its own, with the type, the slot and the life.
#[test]
fn sentences() {
    let _alone = alone();
    let (pool, other): (Pool<Shy>, Pool<Shy>) = (Pool::new(), Pool::new());
    let foreign = other.allocate().handle();
    let owner = pool.allocate();
    let key = owner.handle();
    let reserved = pool.reserve();
    let made_up = Handle::from_bits(key.to_bits() + (9 << 32)).unwrap();
    let mut errors = vec![
        pool.try_get(foreign, &pin()).unwrap_err(),
        pool.try_get(made_up, &pin()).unwrap_err(),
        pool.try_get(reserved.handle(), &pin()).unwrap_err(),
        pool.free(key).unwrap_err(),
    ];
    drop(owner);
    errors.push(pool.free(key).unwrap_err());
    drop(reserved);
    // More than a thread takes before it looks at what it has freed.
    let owners: Vec<_> = (0..1000).map(|_| pool.allocate()).collect();
    let now = owners.iter().map(Owned::handle).find(|now| now.index() == key.index());
    let error = pool.free(key).unwrap_err();
    assert_eq!(error.current_life(), Some(now.expect("the slot comes round").life()));
    errors.push(error);
    let mut sentences: Vec<_> = errors.iter().map(ToString::to_string).collect();
    for (sentence, error) in sentences.iter().zip(&errors) {
        assert!(sentence.contains("Shy"), "{sentence}");
        assert!(
            sentence.contains(&format!("slot {}", error.bits() & u64::from(u32::MAX))),
            "{sentence}"
        );
        assert!(sentence.contains(&format!("life {}", error.bits() >> 32)), "{sentence}");
    }
    sentences.sort();
    sentences.dedup();
    assert_eq!(sentences.len(), errors.len(), "{sentences:#?}");
}

/// Printing a pool while others allocate, read and free in it.
#[test]
fn under_load() {
    struct Ending;
    impl Hooks<Shy> for Ending {
        type Readers = acedia::pool::Global;

        fn make() -> Shy {
            Shy(0)
        }
        const END: Option<fn(&mut Shy)> = Some(|shy| shy.0 = 0);
    }
    let _alone = alone();
    printed();
    let pool: Pool<Shy, Ending> = Pool::with_hooks();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        let owners: Vec<_> = (0..70).map(|n| pool.allocate_with(|shy| shy.0 = n)).collect();
                        let keys: Vec<_> = owners.iter().map(Owned::handle).collect();
                        let pinned = pin();
                        drop(owners);
                        let text = format!("{keys:?} {:?}", pool.try_guard(keys[0]).err());
                        assert!(text.contains("Handle"));
                        drop(pinned);
                    }
                })
            })
            .collect();
        let texts: Vec<_> = (0..sized(300, 3000, 3)).map(|_| format!("{pool:?}")).collect();
        stop.store(true, Ordering::Relaxed);
        assert!(texts.iter().all(|text| text.contains("Shy")));
        for worker in workers {
            worker.join().unwrap();
        }
    });
    assert!(!printed(), "a pool prints numbers, no objects");
    let stats = pool.stats();
    assert_eq!(stats.live, 0, "{stats:?}");
}
