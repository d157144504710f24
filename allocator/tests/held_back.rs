//! A thread that hangs under a pin: the report of the freed objects that wait for it, and the limit of their number.
#![allow(
    clippy::items_after_statements,
    reason = "a test's own types stand where they are used"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use acedia::pool::{Domain, GuardsOnly, Hooks, Plain, Pool, Readers};
use acedia::{AllocateError, HeldPool, Object, PoolPolicy, domain, held_back};

const MOST: usize = 1000;
/// A magazine, as the thread's own slots in limbo fill it.
const MAGAZINE: u64 = 255;
/// The free objects that a thread keeps for itself, and one that it is making.
const A_THREAD: u64 = 767;

/// Runs `work` while the thread `sleeper` holds a pin of `D`.
fn beside_a_sleeper<D: Domain, R>(work: impl FnOnce() -> R) -> R {
    let (pinned, wake) = (mpsc::channel(), mpsc::channel::<()>());
    let sleeper = thread::Builder::new().name("sleeper".to_owned());
    let sleeper = sleeper.spawn(move || {
        let pin = D::pin();
        pinned.0.send(()).unwrap();
        let _ = wake.1.recv();
        drop(pin);
    });
    pinned.1.recv().unwrap();
    let result = work();
    drop(wake.0);
    sleeper.unwrap().join().unwrap();
    result
}

/// Allocates and frees, each time with a key, until the pool refuses.
fn until_refused<T: Send + Sync + 'static, H: Hooks<T>>(pool: &Pool<T, H>) -> AllocateError {
    loop {
        match pool.try_allocate() {
            Ok(owner) => {
                let _ = owner.key();
                owner.free();
            }
            Err(error) => return error,
        }
        assert!(
            pool.stats().fresh < 100_000,
            "the limit has no effect: {}",
            pool.stats()
        );
    }
}

fn assert_blames_the_sleeper(error: &AllocateError, expected: u64) {
    let AllocateError::HeldBack { waiting, most, pin, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((*waiting, *most), (expected, MOST));
    let pin = pin.as_ref().expect("there is a pin");
    assert_eq!(pin.name(), Some("sleeper"));
    assert_eq!(pin.place().is_some(), cfg!(debug_assertions));
    let text = error.to_string();
    let start = format!("readers hold back {waiting} freed objects of ");
    assert!(text.starts_with(&start), "{text}");
    assert!(
        text.contains("while they hold back more than 1000; oldest pin: thread 'sleeper', pinned for "),
        "{text}"
    );
}

/// Objects of `D` with a finalizer: they wait one by one.
struct Ending<D>(std::marker::PhantomData<fn() -> D>);

impl<D: Readers> Hooks<u64> for Ending<D> {
    type Readers = D;

    fn make() -> u64 {
        0
    }

    const END: Option<fn(&mut u64)> = Some(|_| ());
}

/// `exact`: objects wait one by one, and not by the magazine.
fn a_pool_goes_on_after_the_pin<D: Domain, H: Hooks<u64, Readers = D>>(pool: &Pool<u64, H>, exact: bool) {
    let expected = if exact { MOST as u64 + 1 } else { 4 * MAGAZINE };
    let kept = beside_a_sleeper::<D, _>(|| {
        let kept = pool.allocate();
        assert_blames_the_sleeper(&until_refused(pool), expected);
        assert!(pool.stats().fresh <= MOST as u64 + A_THREAD, "{}", pool.stats());
        // Again, and without reuse.
        assert_blames_the_sleeper(&pool.try_allocate().unwrap_err(), expected);
        assert_blames_the_sleeper(&pool.try_allocate_fresh().unwrap_err(), expected);
        assert_blames_the_sleeper(
            &pool.allocate_waiting(Some(Duration::from_secs(600))).unwrap_err(),
            expected,
        );
        let panic = catch_unwind(AssertUnwindSafe(|| drop(pool.allocate()))).unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("'sleeper'"));
        kept
    });
    let fresh = pool.stats().fresh;
    // The pin is gone, and with it the reason.
    drop(pool.try_allocate_fresh().unwrap());
    let fresh = fresh + 1;
    let owners: Vec<_> = (0..MOST).map(|_| pool.try_allocate().unwrap()).collect();
    if pool.policy() == PoolPolicy::KeepAll {
        assert_eq!(pool.stats().fresh, fresh);
    }
    drop((owners, kept));
    pool.settle();
    assert_eq!((pool.stats().live, pool.stats().waiting), (0, 0));
}

#[test]
fn a_sleeping_pin_holds_back_a_bounded_number() {
    domain! { Slept }
    a_pool_goes_on_after_the_pin(&Pool::<_, Plain<Slept>>::with_hooks().waiting_at_most(MOST), false);
}

#[test]
fn a_sleeping_pin_holds_back_a_bounded_number_of_finalizers() {
    domain! { Ended }
    a_pool_goes_on_after_the_pin(&Pool::<_, Ending<Ended>>::with_hooks().waiting_at_most(MOST), true);
}

#[test]
fn a_sleeping_pin_holds_back_a_bounded_number_under_other_limits() {
    domain! { Limited }
    let pool = || Pool::<_, Plain<Limited>>::with_hooks().waiting_at_most(MOST);
    a_pool_goes_on_after_the_pin(&pool().bounded(100_000), true);
    a_pool_goes_on_after_the_pin(&pool().keep(PoolPolicy::KeepNone), true);
    a_pool_goes_on_after_the_pin(&pool().keep(PoolPolicy::KeepAtMost(10)), true);
}

/// Several threads, each with objects in use, never exceed the bound that the documentation gives.
#[test]
fn the_bound_holds_for_several_threads() {
    domain! { Shared }
    const THREADS: u64 = 4;
    const EACH: usize = 300;
    let pool = Pool::<u64, Plain<Shared>>::with_hooks().waiting_at_most(MOST);
    let refusals = AtomicU64::new(0);
    beside_a_sleeper::<Shared, _>(|| {
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let mut owners = Vec::new();
                        for _ in 0..EACH {
                            match pool.try_allocate() {
                                Ok(owner) => owners.push(owner),
                                Err(AllocateError::HeldBack { .. }) => _ = refusals.fetch_add(1, Relaxed),
                                Err(error) => panic!("{error}"),
                            }
                        }
                        for owner in &owners {
                            let _ = owner.key();
                        }
                    }
                });
            }
        });
    });
    assert!(refusals.into_inner() > 0);
    let most = THREADS * (EACH as u64 + A_THREAD) + MOST as u64;
    assert!(pool.stats().fresh <= most, "{} > {most}", pool.stats().fresh);
}

/// A free object is given out however many wait.
#[test]
fn a_free_object_is_not_refused() {
    domain! { Free }
    let pool = Pool::<u64, Plain<Free>>::with_hooks().waiting_at_most(0);
    let unseen = pool.allocate();
    beside_a_sleeper::<Free, _>(|| {
        until_refused(&pool);
        drop(unseen); // it has no key, so it waits for no reader
        let reused = pool.try_allocate().unwrap();
        assert!(pool.try_allocate().is_err());
        drop(reused);
    });
}

#[test]
fn guards_are_to_blame_without_a_pin() {
    let pool = Pool::<_, Ending<GuardsOnly>>::with_hooks().waiting_at_most(2);
    let owners: Vec<_> = (0..3).map(|_| pool.allocate()).collect();
    let guards: Vec<_> = owners.iter().map(|owner| pool.guard(owner.key()).unwrap()).collect();
    drop(owners);
    let error = pool.try_allocate().unwrap_err();
    assert_eq!(
        error.to_string(),
        "readers hold back 3 freed objects of u64, and the pool makes no new object while they hold back more than 2; no \
         thread holds a pin, so guards hold the objects back"
    );
    drop(guards);
    assert!(pool.try_allocate().is_ok());
}

#[derive(Default, Object)]
#[object(name = "HeldBack.Sonar", waiting_at_most = MOST, readers = Diving)]
struct Sonar;

domain! { Diving }

#[test]
fn a_class_names_itself_and_the_sleeper() {
    let report = |name: &str| {
        let report = held_back();
        report.pools().iter().find(|pool| pool.name() == name).cloned()
    };
    assert!(report("HeldBack.Sonar").is_none());
    beside_a_sleeper::<Diving, _>(|| {
        let error = loop {
            match Sonar::try_allocate() {
                Ok(owner) => _ = owner.handle(),
                Err(error) => break error,
            }
        };
        assert_blames_the_sleeper(&error, 4 * MAGAZINE);
        assert!(
            error.to_string().contains(" of HeldBack.Sonar, and the pool "),
            "{error}"
        );
        let panic = std::panic::catch_unwind(Sonar::allocate).map(drop).unwrap_err();
        let message = panic.downcast::<String>().unwrap();
        assert!(message.contains(" of HeldBack.Sonar, and the pool "), "{message}");
        let held: HeldPool = report("HeldBack.Sonar").unwrap();
        assert_eq!(held.class(), Some(Sonar::class()));
        let stats = Sonar::class().stats();
        assert_eq!(held.objects(), stats.waiting);
        assert_eq!(held.bytes(), held.objects() * (stats.bytes / stats.fresh));
        assert_eq!(held.oldest_pin().and_then(|pin| pin.name()), Some("sleeper"));
    });
    Sonar::class().collect();
    assert!(report("HeldBack.Sonar").is_none());
}

/// The report of a pool that has ended, and of one whose readers are guards.
#[test]
fn the_report_follows_the_pools() {
    struct Buoy;
    struct Floats;
    impl Hooks<Buoy> for Floats {
        type Readers = GuardsOnly;

        fn make() -> Buoy {
            Buoy
        }

        const END: Option<fn(&mut Buoy)> = Some(|_| ());
    }
    let name = std::any::type_name::<Buoy>();
    let report = || held_back().pools().iter().find(|pool| pool.name() == name).cloned();
    for _ in 0..100 {
        let pool = Pool::<Buoy, Floats>::with_hooks();
        let owner = pool.allocate();
        let guard = pool.guard(owner.key()).unwrap();
        drop(owner);
        let held = report().unwrap();
        assert_eq!((held.objects(), held.class(), held.oldest_pin()), (1, None, None));
        assert!(
            held.to_string()
                .ends_with("oldest pin: none; they become free when a guard ends, or at the next allocation")
        );
        let text = held_back().to_string();
        assert!(text.starts_with("readers hold back "), "{text}");
        assert!(text.contains(name), "{text}");
        // One that ends while an object waits.
        let other = Pool::<Buoy, Floats>::with_hooks();
        std::mem::forget(other.guard(other.allocate().key()));
        assert_eq!(other.stats().waiting, 1);
        drop(other);
        drop(guard);
        assert!(report().is_none());
    }
}
