//! Limits of bytes, trimming, objects made ahead, and memory that must not be read again.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use acedia::pool::{Global, Hooks, Owner, Pool, pin};
use acedia::{Object, PoolPolicy, Pools, allocate, class, collect_garbage};
use support::{Rng, alone, sized};

/// Bytes of the heap in use.
static HEAP: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: as `System`, whose functions do the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HEAP.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HEAP.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const KILO: usize = 1000;
const MEGA: usize = 1000 * KILO;

/// Buffers that are shrunk to 4 kB if they are too heavy.
struct Buffers;

impl Hooks<Vec<u8>> for Buffers {
    type Readers = Global;

    fn make() -> Vec<u8> {
        Vec::new()
    }

    fn begin(buffer: &mut Vec<u8>) {
        buffer.clear();
    }

    const WEIGHT: Option<fn(&Vec<u8>) -> usize> = Some(Vec::capacity);

    fn shrink(buffer: &mut Vec<u8>, most: usize) {
        *buffer = Vec::with_capacity(most.min(4 * KILO));
    }
}

type BufferPool = Pool<Vec<u8>, Buffers>;

/// One life of 100 MB does not stay.
#[test]
fn one_great_life_does_not_stay() {
    let _alone = alone();
    let pool: BufferPool = Pool::with_hooks().keep(PoolPolicy::KeepBytes(MEGA));
    drop(pool.allocate_with(|buffer| buffer.reserve(100)));
    let before = HEAP.load(Ordering::Relaxed);
    let great = pool.allocate_with(|buffer| buffer.reserve(100 * MEGA));
    assert!(HEAP.load(Ordering::Relaxed) > before + 99 * MEGA);
    let guard = pool.guard(great.key()).unwrap();
    drop(great);
    drop(guard); // the last reader: only now is it free
    assert!(HEAP.load(Ordering::Relaxed) < before + 100 * KILO, "it stays");
    let stats = pool.stats();
    assert_eq!((stats.kept, stats.dropped), (1, 0), "shrunk, and kept");
    assert_eq!(pool.allocate().capacity(), 4 * KILO);
}

/// After each free, the free objects together are within the limit.
#[test]
fn the_limit_holds_after_each_free() {
    let _alone = alone();
    let mut rng = Rng(7);
    let pool: BufferPool = Pool::with_hooks().keep(PoolPolicy::KeepBytes(100 * KILO));
    let mut owners: Vec<Owner<'_, _, Buffers>> = Vec::new();
    let (mut most, mut reused) = (0, 0);
    for _ in 0..sized(2000, 20_000, 100) {
        if owners.is_empty() || rng.below(2) == 0 {
            let bytes = rng.below(30 * KILO);
            owners.push(pool.allocate_with(|buffer| buffer.reserve(bytes)));
        } else {
            drop(owners.swap_remove(rng.below(owners.len())));
        }
        let stats = pool.stats();
        assert!(stats.kept_bytes <= 100 * KILO as u64, "{stats:?}");
        assert_eq!(stats.kept == 0, stats.kept_bytes == 0, "{stats:?}");
        (most, reused) = (most.max(stats.kept_bytes), stats.reused);
    }
    assert!(most > 80 * KILO as u64 && reused > 0, "{most} bytes, {reused} reused");
    drop(owners);
    pool.set_policy(PoolPolicy::KeepBytes(5 * KILO)).unwrap();
    let stats = pool.stats();
    assert!(stats.kept_bytes <= 5 * KILO as u64 && stats.dropped > 0, "{stats:?}");
    // Objects that were free under a policy without weights are weighed.
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    drop([(); 10].map(|()| pool.allocate_with(|buffer| buffer.reserve(KILO))));
    assert_eq!(pool.stats().kept, 10);
    pool.set_policy(PoolPolicy::KeepBytes(3 * KILO)).unwrap();
    let stats = pool.stats();
    assert!((1..=3).contains(&stats.kept), "{stats:?}");
    pool.set_policy(PoolPolicy::KeepBytes(0)).unwrap();
    assert_eq!((pool.stats().kept, pool.stats().kept_bytes), (0, 0));
    assert_eq!(pool.collect().objects, 0);
}

/// Threads that free and allocate at the same time keep within the limit, too, and lose nothing.
#[test]
fn threads_share_the_limit() {
    let _alone = alone();
    let pool: BufferPool = Pool::with_hooks().keep(PoolPolicy::KeepBytes(50 * KILO));
    thread::scope(|scope| {
        for seed in [1, 2, 3] {
            let pool = &pool;
            scope.spawn(move || {
                let mut rng = Rng(seed);
                for _ in 0..sized(500, 5000, 20) {
                    let bytes = rng.below(20 * KILO);
                    let owners = [(); 3].map(|()| pool.allocate_with(|buffer| buffer.reserve(bytes)));
                    assert!(pool.get(owners[0].key(), &pin()).is_some());
                    drop(owners);
                    assert!(pool.stats().kept_bytes <= 50 * KILO as u64);
                }
            });
        }
    });
    pool.settle();
    let stats = pool.stats();
    assert_eq!(stats.live, 0, "{stats:?}");
    assert_eq!(pool.collect().objects, stats.kept);
}

/// A panic in `weight` or `shrink` costs the object, and is counted.
#[test]
fn hooks_of_weights_may_panic() {
    static PANICS: AtomicBool = AtomicBool::new(true);
    struct Panicking;
    impl Hooks<u64> for Panicking {
        type Readers = Global;
        fn make() -> u64 {
            0
        }
        const WEIGHT: Option<fn(&u64) -> usize> = Some(|object| {
            assert!(*object != 1 || !PANICS.load(Ordering::Relaxed), "weight");
            1
        });
        fn shrink(_: &mut u64, _: usize) {
            panic!("shrink");
        }
    }
    let _alone = alone();
    let pool: Pool<u64, Panicking> = Pool::with_hooks().keep(PoolPolicy::KeepBytes(KILO)).bounded(1);
    drop(pool.allocate_with(|object| *object = 1));
    assert_eq!((pool.stats().panics, pool.stats().dropped), (1, 1));
    PANICS.store(false, Ordering::Relaxed);
    drop(pool.allocate());
    assert_eq!((pool.stats().panics, pool.stats().kept), (1, 1));
    pool.set_policy(PoolPolicy::KeepBytes(16)).unwrap(); // the slot, and no byte more
    let stats = pool.stats();
    assert_eq!((stats.panics, stats.kept, stats.live), (2, 0, 0), "{stats:?}");
    drop(pool.try_allocate().expect("room was lost"));
}

/// A class of its own weight.
#[derive(Default)]
struct Page(Vec<u8>);

impl Object for Page {
    class!(Page, "Weight.Page");
    const POOL: PoolPolicy = PoolPolicy::KeepBytes(10 * KILO);
    const WEIGHT: Option<fn(&Self) -> usize> = Some(|page| page.0.capacity());
    fn shrink(&mut self, _: usize) {
        self.0 = Vec::new();
    }
}

#[test]
fn classes_have_weights() {
    let _alone = alone();
    drop(Page::allocate_with(|page| page.0.reserve(KILO)));
    assert!(Page::class().stats().kept_bytes > KILO as u64);
    drop(Page::allocate_with(|page| page.0.reserve(20 * KILO)));
    let stats = Page::class().stats();
    assert_eq!((stats.kept, stats.dropped), (1, 0), "{stats:?}");
    assert!(stats.kept_bytes < KILO as u64, "{stats:?}");
}

/// A trim drops the objects that nobody needed since the one before.
#[test]
fn a_trim_drops_what_was_not_needed() {
    let _alone = alone();
    for pool in [Pool::new().keep(PoolPolicy::KeepAtMost(1000)), Pool::<u64>::new()] {
        let allocate = |count| (0..count).map(|_| pool.allocate()).collect::<Vec<_>>();
        drop(allocate(5000));
        let kept = pool.stats().kept;
        pool.trim();
        assert!(
            pool.stats().kept + 1000 >= kept,
            "they were in use since the pool was made"
        );
        drop(allocate(700));
        pool.trim();
        let kept = pool.stats().kept;
        // A thread keeps up to 766 for itself, and whole magazines stay.
        assert!((700..=700 + 766 + 2 * 255).contains(&kept), "{kept}");
        let fresh = pool.stats().fresh;
        drop(allocate(700));
        assert_eq!(pool.stats().fresh, fresh, "the objects that are needed stay");
        assert_eq!(pool.stats().live, 0);
    }
}

/// Of a pool with a limit, exactly those.
#[test]
fn a_trim_of_a_limited_pool_is_exact() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new().bounded(100);
    let allocate = |count| (0..count).map(|_| pool.allocate()).collect::<Vec<_>>();
    drop(allocate(100));
    assert_eq!(pool.trim().objects, 0);
    let ten = allocate(10);
    assert_eq!(pool.trim().objects, 90);
    assert_eq!(pool.trim().objects, 0);
    drop(ten);
    assert_eq!((pool.trim().objects, pool.stats().kept), (0, 10));
    assert_eq!((pool.trim().objects, pool.stats().kept), (10, 0));
    drop(allocate(100));
    assert_eq!(pool.stats().live, 0);
}

#[derive(Default)]
struct Spark;
impl Object for Spark {
    class!(Spark, "Weight.Spark");
}

#[test]
fn all_classes_are_trimmed() {
    let _alone = alone();
    Spark::class().prewarm(2000).unwrap();
    let _used = (0..10).map(|_| allocate::<Spark>()).collect::<Vec<_>>();
    collect_garbage(Pools::Trim);
    assert!(collect_garbage(Pools::Trim).objects >= 1000);
}

/// Objects made ahead are free objects like any others, and on any thread.
#[test]
fn objects_are_made_ahead() {
    let _alone = alone();
    let pool: Pool<Vec<u8>, Buffers> = Pool::with_hooks();
    pool.prewarm(0).unwrap();
    pool.prewarm(1000).unwrap();
    let stats = pool.stats();
    assert_eq!((stats.live, stats.kept, stats.fresh, stats.lives), (0, 1000, 1000, 0));
    let owners: Vec<_> = (0..500).map(|_| pool.allocate()).collect();
    let keys: Vec<_> = owners.iter().map(Owner::key).collect();
    thread::scope(|scope| {
        let other = scope.spawn(|| (0..245).map(|_| pool.allocate()).collect::<Vec<_>>().len());
        assert_eq!(other.join().unwrap(), 245);
    });
    assert_eq!(pool.stats().fresh, 1000, "an object was made for a life");
    let pinned = pin();
    assert!(keys.iter().all(|&key| pool.get(key, &pinned).is_some()));
    drop(owners);
    // A limit of free objects holds, and a bound of those in use does not count them.
    let few: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(3)).bounded(1);
    few.prewarm(5).unwrap();
    let stats = few.stats();
    assert_eq!((stats.kept, stats.dropped, stats.live), (3, 2, 0), "{stats:?}");
    let only = few.allocate();
    few.prewarm(1).unwrap();
    assert!(few.try_allocate().is_err());
    drop(only);
    assert_eq!(few.stats().kept, 3);
}

/// A constructor that panics leaves those made before, and the slot.
#[test]
fn making_ahead_may_panic() {
    static LEFT: AtomicUsize = AtomicUsize::new(3);
    struct Few;
    impl Hooks<u64> for Few {
        type Readers = Global;
        fn make() -> u64 {
            let left = LEFT.load(Ordering::Relaxed);
            assert!(left > 0, "no more");
            LEFT.store(left - 1, Ordering::Relaxed);
            0
        }
    }
    let _alone = alone();
    let pool: Pool<u64, Few> = Pool::with_hooks().bounded(4);
    let made = std::panic::catch_unwind(|| pool.prewarm(5));
    assert!(made.is_err());
    assert_eq!((pool.stats().kept, pool.stats().live), (3, 0));
    LEFT.store(1, Ordering::Relaxed);
    let all = [(); 4].map(|()| pool.try_allocate().expect("room was lost"));
    assert!(pool.try_allocate().is_err());
    drop(all);
}

const SECRET: u64 = 0x5EC2_E75E_C2E7_5EC2;

/// A secret in the object, and one in its memory.
#[derive(Default)]
struct Key {
    here: u64,
    there: Box<[u64; 4]>,
}

/// Objects that were dropped with a secret. Some panics of a drop go no further, so this is counted.
static LEFT_BEHIND: AtomicUsize = AtomicUsize::new(0);

impl Drop for Key {
    fn drop(&mut self) {
        let has_secret = (self.here, *self.there) != (0, [0; 4]);
        LEFT_BEHIND.fetch_add(has_secret.into(), Ordering::Relaxed);
    }
}

struct Scrubbing;

impl Hooks<Key> for Scrubbing {
    type Readers = Global;

    fn make() -> Key {
        Key::default()
    }

    fn begin(key: &mut Key) {
        assert_eq!((key.here, *key.there), (0, [0; 4]), "reused with its secret");
    }

    const END: Option<fn(&mut Key)> = Some(|key| {
        assert!(key.here != 1, "a finalizer");
    });

    const SCRUB: Option<fn(&mut Key)> = Some(|key| {
        key.here = 0;
        *key.there = [0; 4];
        std::hint::black_box(key);
    });
}

fn fill(key: &mut Key, here: u64) {
    key.here = here;
    *key.there = [SECRET; 4];
}

/// The secret is gone at the end of each life, after the readers, and before each drop, panics included.
#[test]
fn secrets_are_overwritten() {
    let _alone = alone();
    for policy in [PoolPolicy::KeepAll, PoolPolicy::KeepNone, PoolPolicy::KeepAtMost(1)] {
        let pool: Pool<Key, Scrubbing> = Pool::with_hooks().keep(policy);
        // Ends of lives: at once, after a pin, and after a guard.
        drop(pool.allocate_with(|key| fill(key, SECRET)));
        let owner = pool.allocate_with(|key| fill(key, SECRET));
        let (handle, pinned) = (owner.key(), pin());
        let seen = pool.get(handle, &pinned).unwrap();
        drop(owner);
        assert_eq!(seen.here, SECRET, "not while it is read");
        drop(pinned);
        let owner = pool.allocate_with(|key| fill(key, SECRET));
        let guard = pool.guard(owner.key()).unwrap();
        drop(owner);
        assert_eq!(*guard.there, [SECRET; 4]);
        drop(guard);
        // Panics: of the code that fills it, and of its finalizer.
        let filled = std::panic::catch_unwind(|| {
            let _ = pool.allocate_with(|key| {
                fill(key, SECRET);
                panic!("filled");
            });
        });
        assert!(filled.is_err());
        let ended = std::panic::catch_unwind(|| drop(pool.allocate_with(|key| fill(key, 1))));
        assert!(ended.is_err());
        let all = [(); 3].map(|()| pool.allocate_with(|key| fill(key, SECRET)));
        drop(all);
        pool.collect();
        let stats = pool.stats();
        assert_eq!((stats.live, stats.panics), (0, 0), "{stats:?}");
        // The pool's end.
        let left = [pool.allocate_with(|key| fill(key, SECRET)), pool.allocate()];
        let _ = left.map(Owner::into_manual);
        drop(pool);
        assert_eq!(
            LEFT_BEHIND.load(Ordering::Relaxed),
            0,
            "dropped with its secret, {policy}"
        );
    }
}

/// After a drop, the bytes of the slot are 0.
#[test]
fn the_slot_of_a_dropped_object_is_overwritten() {
    struct Token([u64; 8]);
    struct Overwritten;
    impl Hooks<Token> for Overwritten {
        type Readers = Global;
        fn make() -> Token {
            Token([SECRET; 8])
        }
        const SCRUB: Option<fn(&mut Token)> = Some(|_| {}); // leaves it all to the pool
    }
    let _alone = alone();
    let pool: Pool<Token, Overwritten> = Pool::with_hooks().keep(PoolPolicy::KeepNone);
    let owner = pool.allocate();
    let place = std::ptr::from_ref(&owner.0).addr();
    drop(owner);
    // The process reads its own memory through the system, since no reference leads there.
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        use std::os::unix::fs::FileExt;
        let mut bytes = [1; 64];
        let memory = std::fs::File::open("/proc/self/mem").expect("Linux has it");
        memory
            .read_exact_at(&mut bytes, place as u64)
            .expect("the chunk is mapped");
        assert_eq!(bytes, [0; 64]);
    }
    let _ = place;
}

/// A class with a secret.
#[derive(Default)]
struct Password(String);

impl Object for Password {
    class!(Password, "Weight.Password");
    const SCRUB: Option<fn(&mut Self)> = Some(|password| password.0.clear());
}

#[test]
fn classes_are_scrubbed() {
    let _alone = alone();
    drop(Password::allocate_with(|password| password.0.push_str("sesame")));
    assert_eq!(Password::allocate().0, "");
}

/// A limit that is lifted while an object is weighed: the object is free like any other.
#[test]
fn a_limit_lifted_during_a_weighing() {
    static LIFTED: Pool<u64, Lifting> = Pool::with_hooks();
    struct Lifting;
    impl Hooks<u64> for Lifting {
        type Readers = Global;

        fn make() -> u64 {
            0
        }

        const WEIGHT: Option<fn(&u64) -> usize> = Some(|_| {
            LIFTED.set_policy(PoolPolicy::KeepAll).unwrap();
            0
        });
    }
    let _alone = alone();
    let owner = LIFTED.allocate();
    LIFTED.set_policy(PoolPolicy::KeepBytes(MEGA)).unwrap();
    drop(owner);
    let again = LIFTED.allocate();
    let stats = LIFTED.stats();
    assert_eq!(
        (stats.fresh, stats.kept),
        (1, 0),
        "the object that was weighed is not reused"
    );
    drop(again);
}
