//! Magazines that wait for pins of a domain that no other test uses.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::MAGAZINE;
use crate::PoolPolicy;
use crate::pool::pins::GENERATIONS;
use crate::pool::{Domain, Hooks, Pool, Readers};
use crate::support::{Barrier, PinElsewhere, crew, elsewhere, handles, hooks};
use crate::sync::plain::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Allocates `count` objects, makes their handles, and frees them.
fn free_seen<T: Send + Sync + 'static, H: Hooks<T>>(pool: &Pool<T, H>, count: usize) {
    let owners: Vec<_> = (0..count).map(|_| pool.allocate()).collect();
    handles(&owners);
}

/// Makes objects and frees them under a pin of this thread, so that a full magazine waits.
fn with_a_waiting_magazine<H: Hooks<u64, Readers: Domain>>(pool: &Pool<u64, H>, work: impl FnOnce()) {
    let pinned = H::Readers::pin();
    free_seen(pool, MAGAZINE + 1);
    assert_eq!(pool.stats().waiting, MAGAZINE as u64);
    work();
    drop(pinned);
}

#[test]
fn a_limit_finds_magazines_that_wait() {
    crate::domain! { Limited }
    hooks!(Hooked: u64 = 0; Limited);
    let pool = Pool::<_, Hooked>::with_hooks();
    with_a_waiting_magazine(&pool, || {
        pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap();
        assert_eq!(pool.stats().kept, MAGAZINE as u64 + 1, "they wait");
    });
    // No allocation and no free comes between.
    let stats = pool.stats();
    assert_eq!((stats.waiting, stats.kept), (0, 1));
}

#[test]
fn a_collection_leaves_magazines_that_wait() {
    crate::domain! { Collected }
    hooks!(Hooked: u64 = 0; Collected);
    let pool = Pool::<_, Hooked>::with_hooks();
    with_a_waiting_magazine(&pool, || {
        assert_eq!(pool.collect().objects, 0);
        assert_eq!(pool.stats().waiting, MAGAZINE as u64 + 1);
    });
    assert_eq!(pool.collect().objects, MAGAZINE as u64 + 1);
    assert_eq!(pool.stats().waiting, 0);
}

#[test]
fn a_pool_ends_while_a_magazine_waits() {
    crate::domain! { Ended }
    hooks!(Witnesses: Option<Arc<()>> = None; Ended);
    let witness = Arc::new(());
    let pinned = Ended::pin();
    let pool = Pool::<_, Witnesses>::with_hooks();
    let make = |_| pool.allocate_with(|object| *object = Some(Arc::clone(&witness)));
    let owners: Vec<_> = (0..=MAGAZINE).map(make).collect();
    handles(&owners);
    drop(owners);
    assert_eq!(
        (pool.stats().waiting, Arc::strong_count(&witness)),
        (MAGAZINE as u64, MAGAZINE + 2)
    );
    drop(pool);
    assert_eq!(Arc::strong_count(&witness), 1);
    drop(pinned);
}

/// A late finalizer collects while another object of the same pool still waits to be finished.
#[test]
fn a_collection_takes_the_objects_that_it_finishes() {
    crate::domain! { Late }
    static POOL: Pool<u64, Collecting> = Pool::with_hooks();
    static COLLECTED: AtomicU64 = AtomicU64::new(0);
    hooks!(Collecting: u64 = 0, end |first| {
        if std::mem::take(first) == 1 {
            COLLECTED.store(POOL.collect().objects, Ordering::Relaxed);
        }
    }; Late);
    let pinned = Late::pin();
    let owners = [POOL.allocate_with(|first| *first = 1), POOL.allocate()];
    handles(&owners);
    drop(owners);
    assert_eq!(POOL.stats().waiting, 2);
    drop(pinned);
    assert_eq!(COLLECTED.load(Ordering::Relaxed), 1);
    assert_eq!((POOL.stats().waiting, POOL.stats().kept), (0, 1));
}

/// A finalizer whose pin ends leaves the objects that waited for it to the loop that runs the finalizer, and that loop leaves an
/// endless chain to the next pin.
#[test]
fn finalizers_that_pin_do_not_nest() {
    crate::domain! { Chained }
    static POOL: Pool<usize, Chain> = Pool::with_hooks();
    static FINISHED: AtomicUsize = AtomicUsize::new(0);
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    hooks!(Chain: usize = 0, end |left| {
        assert_eq!(RUNNING.fetch_add(1, Ordering::Relaxed), 0, "one finalizer runs in another");
        if *left > 0 {
            let _pinned = Chained::pin();
            let next = POOL.allocate_with(|next| *next = *left - 1);
            let _ = next.handle();
            drop(next);
        }
        RUNNING.fetch_sub(1, Ordering::Relaxed);
        FINISHED.fetch_add(1, Ordering::Relaxed);
    }; Chained);
    let pinned = Chained::pin();
    let first = POOL.allocate_with(|left| *left = 4 * GENERATIONS);
    let _ = first.handle();
    drop(first);
    drop(pinned);
    assert_eq!(FINISHED.load(Ordering::Relaxed), GENERATIONS);
    for _ in 0..4 {
        drop(Chained::pin());
    }
    assert_eq!(FINISHED.load(Ordering::Relaxed), 4 * GENERATIONS + 1);
    assert!(
        !Chained::pins().is_wait_over(),
        "each pin that ends looks for objects in vain"
    );
}

#[test]
fn a_pool_that_ends_first_is_not_looked_for() {
    crate::domain! { Ending }
    hooks!(Hooked: u64 = 0, end |_| (); Ending);
    let pool = Pool::<_, Hooked>::with_hooks();
    let pinned = Ending::pin();
    free_seen(&pool, 1);
    assert_eq!(pool.stats().waiting, 1);
    drop(pool);
    drop(pinned);
    assert!(
        !Ending::pins().is_wait_over(),
        "each pin that ends looks for objects in vain"
    );
}

/// The end of a pin finds what waits for it, though an object of the same pool waits for a later one.
#[test]
fn a_pool_waits_since_its_first_object() {
    crate::domain! { Early }
    hooks!(Hooked: u64 = 0, end |_| (); Early);
    let pool = Pool::<_, Hooked>::with_hooks();
    let earlier = PinElsewhere::new::<Early>();
    free_seen(&pool, 1);
    let later = Early::pin();
    free_seen(&pool, 1);
    assert_eq!(pool.stats().waiting, 2);
    drop(earlier);
    assert_eq!(pool.stats().waiting, 1);
    drop(later);
    assert_eq!(pool.stats().waiting, 0);
}

/// An object, alone or in a magazine, is not reused under a guard that outlasts the pins.
#[test]
fn guards_outlast_pins() {
    crate::domain! { Guarded }
    hooks!(Alone: Arc<()> = Arc::default(), end |it| *it = Arc::default(); Guarded);
    hooks!(Together: Arc<()> = Arc::default(); Guarded);
    fn outlast<H: Hooks<Arc<()>, Readers = Guarded>>() {
        let pool = Pool::<_, H>::with_hooks();
        let pinned = Guarded::pin();
        let owners: Vec<_> = (0..=MAGAZINE).map(|_| pool.allocate()).collect();
        let guards: Vec<_> = owners.iter().map(|owner| pool.guard(owner.handle()).unwrap()).collect();
        let seen: Vec<_> = guards.iter().map(|guard| Arc::as_ptr(guard)).collect();
        drop(owners);
        drop(pinned);
        let others: Vec<_> = (0..=2 * MAGAZINE).map(|_| pool.allocate()).collect();
        assert!(others.iter().all(|other| !seen.contains(&Arc::as_ptr(other))), "reused");
        assert!(guards.iter().map(|guard| Arc::as_ptr(guard)).eq(seen));
        drop(guards);
        assert_eq!(pool.stats().live, others.len() as u64);
    }
    outlast::<Together>();
    outlast::<Alone>();
}

/// A thread that has not seen the new limit ends: its magazine is placed under the limit when the pin ends, without another
/// operation.
#[test]
fn a_limit_finds_a_magazine_of_a_thread_that_ends() {
    crate::domain! { Leaving }
    hooks!(Witnesses: Option<Arc<()>> = None; Leaving);
    let pool = Pool::<_, Witnesses>::with_hooks();
    let witness = Arc::new(());
    let pinned = Leaving::pin();
    let (freed, limited) = (Barrier::new(2), Barrier::new(2));
    let work = |_| {
        let make = |_| pool.allocate_with(|object| *object = Some(Arc::clone(&witness)));
        let owners: Vec<_> = (0..MAGAZINE / 2).map(make).collect();
        handles(&owners);
        drop(owners);
        freed.wait();
        limited.wait();
    };
    crew([1], work, || {
        freed.wait();
        pool.set_policy(PoolPolicy::KeepNone).unwrap();
        limited.wait();
    });
    assert_eq!(Arc::strong_count(&witness), 1 + MAGAZINE / 2, "the pin is there");
    drop(pinned);
    assert_eq!(Arc::strong_count(&witness), 1);
}

/// A limit that another thread sets finds a pool in which only a magazine waits: the end of the pin applies the limit to it.
#[test]
fn a_limit_lists_a_pool_of_magazines() {
    crate::domain! { Counted }
    hooks!(Hooked: u64 = 0; Counted);
    let pool = Pool::<_, Hooked>::with_hooks();
    with_a_waiting_magazine(&pool, || {
        let has_single = || pool.untyped.depot.get().unwrap().limbo.has_single();
        assert!(!has_single());
        elsewhere(|| pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap());
        assert!(!has_single());
        // The end of a younger pin looks, and leaves the pool in the list.
        drop(PinElsewhere::new::<Counted>());
    });
    // No allocation and no free comes between.
    let stats = pool.stats();
    // One in the list of this thread, which has not seen the limit yet.
    assert_eq!((stats.waiting, stats.kept), (0, 1 + 1));
}

/// The end of a pin does not look for a pool in which, after the last single object, only magazines wait.
#[test]
fn magazines_alone_are_not_looked_for() {
    crate::domain! { Alone }
    hooks!(Hooked: u64 = 0; Alone);
    let pool = Pool::<_, Hooked>::with_hooks();
    let old = PinElsewhere::new::<Alone>();
    // Few slots of a thread that ends wait singly.
    elsewhere(|| free_seen(&pool, 1));
    let depot = pool.untyped.depot.get().unwrap();
    assert!(depot.limbo.has_single() && depot.is_listed.load(Ordering::Relaxed));
    let young = PinElsewhere::new::<Alone>();
    free_seen(&pool, MAGAZINE + 1);
    assert_eq!(pool.stats().waiting, MAGAZINE as u64 + 1);
    drop(old);
    assert_eq!(pool.stats().waiting, MAGAZINE as u64);
    assert!(!depot.is_listed.load(Ordering::Relaxed));
    drop(young);
    pool.settle();
    assert_eq!(pool.stats().waiting, 0);
}

/// Pools that end leave the list of their domain, a few at a time, and the others stay there.
#[test]
fn pools_that_end_leave_the_others_listed() {
    crate::domain! { Closing }
    hooks!(Hooked: u64 = 0, end |_| (); Closing);
    let others = [(); 2].map(|()| Pool::<_, Hooked>::with_hooks());
    let pinned = Closing::pin();
    free_seen(&others[0], 1);
    for _ in 0..1_000 {
        free_seen(&Pool::<_, Hooked>::with_hooks(), 1);
    }
    free_seen(&others[1], 1);
    assert!(Closing::pins().waiters() < 100, "{}", Closing::pins().waiters());
    drop(pinned);
    assert_eq!(others.map(|pool| pool.stats().waiting), [0, 0]);
}

/// A limit that falls drops each object of this thread's limbo, even if the drop of one panics.
#[test]
fn a_panic_in_a_drop_leaves_no_slot_of_the_limbo() {
    crate::domain! { Dropping }
    static DROPPED: AtomicU64 = AtomicU64::new(0);
    struct Fragile;
    impl Drop for Fragile {
        fn drop(&mut self) {
            assert_ne!(DROPPED.fetch_add(1, Ordering::Relaxed), 0, "the first drop panics");
        }
    }
    hooks!(Breaking: Fragile = Fragile; Dropping);
    // Two threads read, so that freed objects wait for a look at the pins.
    drop((PinElsewhere::new::<Dropping>(), Dropping::pin()));
    let pool = Pool::<_, Breaking>::with_hooks();
    free_seen(&pool, 3);
    let changed = catch_unwind(AssertUnwindSafe(|| pool.set_policy(PoolPolicy::KeepNone)));
    assert!(changed.is_err(), "the panic goes on");
    assert_eq!((DROPPED.load(Ordering::Relaxed), pool.stats().kept), (3, 0));
}

/// Finalizers that allocate from their own pool finish other objects of it, whose finalizers do the same. They do not nest without end.
#[test]
fn finalizers_that_allocate_do_not_nest() {
    crate::domain! { Nested }
    static POOL: Pool<u64, Allocating> = Pool::with_hooks();
    static FINISHED: AtomicUsize = AtomicUsize::new(0);
    hooks!(Allocating: u64 = 0, end |is_first| {
        if std::mem::take(is_first) == 1 {
            FINISHED.fetch_add(1, Ordering::Relaxed);
            drop(POOL.allocate());
        }
    }; Nested);
    const COUNT: usize = 100_000;
    let owners: Vec<_> = (0..COUNT)
        .map(|_| POOL.allocate_with(|is_first| *is_first = 1))
        .collect();
    handles(&owners);
    let pinned = Nested::pin();
    drop(owners);
    assert_eq!(POOL.stats().waiting, COUNT as u64);
    drop(pinned);
    POOL.settle();
    assert_eq!((FINISHED.load(Ordering::Relaxed), POOL.stats().waiting), (COUNT, 0));
}

/// A finalizer that runs within another one ends the last pin of a second domain. The objects that wait for that pin are not forgotten.
#[test]
fn a_nested_finalizer_ends_a_pin_of_another_domain() {
    crate::domain! { Outer }
    crate::domain! { Inner }
    static OUTER: Pool<u64, Allocating> = Pool::with_hooks();
    static INNER: Pool<u64, Counted> = Pool::with_hooks();
    static WAITED: AtomicBool = AtomicBool::new(false);
    static FINISHED: AtomicUsize = AtomicUsize::new(0);
    hooks!(Allocating: u64 = 0, end |step| match std::mem::take(step) {
        // Finishes the other object, within this finalizer.
        1 => drop(OUTER.allocate()),
        2 => {
            let owner = INNER.allocate();
            let _ = owner.handle();
            let pinned = Inner::pin();
            drop(owner);
            WAITED.store(INNER.stats().waiting == 1, Ordering::Relaxed);
            drop(pinned);
        }
        _ => {}
    }; Outer);
    hooks!(Counted: u64 = 0, end |_| _ = FINISHED.fetch_add(1, Ordering::Relaxed); Inner);
    let owners = [1, 2].map(|step| OUTER.allocate_with(|it| *it = step));
    handles(&owners);
    let pinned = Outer::pin();
    drop(owners);
    drop(pinned);
    assert!(WAITED.load(Ordering::Relaxed));
    drop(Inner::pin());
    assert_eq!(FINISHED.load(Ordering::Relaxed), 1);
}
