//! Panics in user code: at the nth callback, for every n, in every operation that runs any.
//!
//! After each of them the pool counts what exists, gives every slot out again, hands none out twice, and drops each
//! object exactly once.
#![allow(
    clippy::many_single_char_names,
    reason = "a test's own types and numbers stand where they are used"
)]

mod support;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::thread;

use acedia::pool::{Handle, Hooks, Pool, Values, pin};
use acedia::{Class, Config, PoolPolicy, class, configure};
use support::alone;

/// The events of one run's objects. Each test stays on one thread, so each has a ledger of its own.
#[derive(Default)]
struct Ledger {
    /// How often each object was dropped, by its number.
    drops: Vec<u32>,
    keys: HashSet<Handle<Object>>,
    manual: Vec<Handle<Object>>,
    fired: bool,
    callbacks: usize,
}

thread_local! {
    static LEDGER: RefCell<Ledger> = RefCell::default();
    /// Callbacks until one panics.
    static FUSE: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Every piece of user code calls this once; one of them panics.
fn callback(what: &str) {
    LEDGER.with_borrow_mut(|ledger| ledger.callbacks += 1);
    let left = FUSE.get();
    if left == 0 {
        FUSE.set(usize::MAX);
        LEDGER.with_borrow_mut(|ledger| ledger.fired = true);
        std::panic::resume_unwind(Box::new(what.to_owned()));
    }
    if left != usize::MAX {
        FUSE.set(left - 1);
    }
}

/// Large, so that a part of a chunk has 16 slots and a lost one is noticed.
struct Object {
    number: usize,
    owned: Box<usize>,
    _large: [u64; 1200],
}

const SLOTS: usize = 16;

impl Object {
    fn make() -> Self {
        callback("make");
        let number = LEDGER.with_borrow_mut(|ledger| {
            ledger.drops.push(0);
            ledger.drops.len() - 1
        });
        Self {
            number,
            owned: Box::new(number),
            _large: [0; 1200],
        }
    }

    fn check(&self) {
        assert_eq!(*self.owned, self.number);
        LEDGER.with_borrow(|ledger| assert_eq!(ledger.drops[self.number], 0, "used after its drop"));
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        LEDGER.with_borrow_mut(|ledger| ledger.drops[self.number] += 1);
        callback("drop");
    }
}

/// Hooks that panic when [`callback`] says so, with a finalizer or without one.
struct Panicking<const ENDS: bool>;

type Ending = Panicking<true>;
type Unending = Panicking<false>;

impl<const ENDS: bool> Hooks<Object> for Panicking<ENDS> {
    type Readers = acedia::pool::Global;

    fn make() -> Object {
        Object::make()
    }

    fn begin(object: &mut Object) {
        object.check();
        callback("begin");
    }

    const END: Option<fn(&mut Object)> = if ENDS {
        Some(|object| {
            object.check();
            callback("end");
        })
    } else {
        None
    };
}

/// Notes a key that a pool has issued for a new life.
fn issued(key: Handle<Object>) -> Handle<Object> {
    LEDGER.with_borrow_mut(|ledger| assert!(ledger.keys.insert(key), "{key:?} was issued twice"));
    key
}

fn left_manual(key: Handle<Object>) -> Handle<Object> {
    LEDGER.with_borrow_mut(|ledger| ledger.manual.push(key));
    issued(key)
}

fn existing() -> u64 {
    LEDGER.with_borrow(|ledger| ledger.drops.iter().filter(|&&drops| drops == 0).count() as u64)
}

/// The pool counts right, works, and has lost no slot.
fn check<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>, bounded: bool, what: &str) {
    for key in LEDGER.with_borrow_mut(|ledger| std::mem::take(&mut ledger.manual)) {
        let _ = pool.free(key);
    }
    let stats = pool.stats();
    assert_eq!(stats.live, 0, "{what}: {stats:?}");
    assert_eq!(stats.kept, existing(), "{what}: {stats:?}");
    for _ in 0..2 {
        let is_last = |key: &&Handle<Object>| key.life() == i32::MAX.unsigned_abs();
        let worn = LEDGER.with_borrow(|ledger| ledger.keys.iter().filter(is_last).count());
        let usable = SLOTS - worn;
        let mut indices = HashSet::new();
        let owners: Vec<_> = (0..if bounded { 8 } else { usable })
            .map(|_| pool.try_allocate().unwrap())
            .collect();
        for owner in &owners {
            owner.check();
            assert!(indices.insert(owner.index()), "{what}: a slot was handed out twice");
            issued(owner.handle());
        }
        let parts: HashSet<_> = indices.iter().map(|index| index >> 12).collect();
        assert_eq!(parts.len(), 1, "{what}: a slot was lost");
        assert_eq!(pool.stats().live, owners.len() as u64, "{what}");
    }
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    pool.collect();
    let stats = pool.stats();
    assert_eq!((stats.live, stats.kept, existing()), (0, 0, 0), "{what}: {stats:?}");
}

fn all_dropped_once(what: &str) {
    LEDGER.with_borrow(|ledger| {
        assert!(
            ledger.drops.iter().all(|&drops| drops == 1),
            "{what}: {:?}",
            ledger.drops
        );
    });
}

/// Runs `scenario` with a panic at its first callback, at its second, and so on until it gets through.
fn at_each<H: Hooks<Object, Readers = acedia::pool::Global>>(name: &str, scenario: impl Fn(&Pool<Object, H>)) {
    let _alone = alone();
    let policies = [PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(2), PoolPolicy::KeepNone];
    for (case, policy) in policies.into_iter().chain([PoolPolicy::KeepAll]).enumerate() {
        let bounded = case == 3;
        for nth in 0.. {
            let what = format!("{name}, {policy:?}, bounded {bounded}, panic at callback {nth}");
            LEDGER.set(Ledger::default());
            let mut pool = Pool::with_hooks().keep(policy);
            if bounded {
                pool = pool.bounded(8);
            }
            FUSE.set(nth);
            let result = catch_unwind(AssertUnwindSafe(|| scenario(&pool)));
            FUSE.set(usize::MAX);
            let fired = LEDGER.with_borrow(|ledger| ledger.fired);
            if let Err(panic) = result {
                assert!(fired, "{what}: {:?}", panic.downcast_ref::<String>());
            }
            check(&pool, bounded, &what);
            drop(pool);
            all_dropped_once(&what);
            if !fired {
                assert!(nth > 0, "{what}: no callback at all");
                break;
            }
        }
    }
}

fn allocate<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let a = pool.allocate_with(|_| callback("init"));
    let b = pool.try_allocate_with(|_| callback("init")).unwrap();
    let key = issued(b.handle());
    drop(b);
    assert!(pool.get(key, &pin()).is_none());
    let c = pool.allocate();
    drop(a);
    let d = pool.try_allocate_fresh().unwrap();
    issued(d.handle());
    let e = pool.try_allocate().unwrap();
    issued(e.handle());
    drop((c, d, e));
}

#[test]
fn in_allocate_and_free() {
    at_each::<Ending>("allocate", allocate);
    at_each::<Unending>("allocate", allocate);
}

fn under_a_pin<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let owners: Vec<_> = (0..4).map(|_| pool.allocate()).collect();
    let keys: Vec<_> = owners[1..].iter().map(|owner| issued(owner.handle())).collect();
    let pinned = pin();
    drop(owners);
    for &key in &keys {
        assert!(pool.get(key, &pinned).is_none());
    }
    let during = pool.allocate();
    issued(during.handle());
    drop(pinned);
    drop(during);
    drop(pool.allocate());
}

#[test]
fn in_what_waits_for_a_pin() {
    at_each::<Ending>("under a pin", under_a_pin);
    at_each::<Unending>("under a pin", under_a_pin);
}

fn under_guards<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let owner = pool.allocate();
    let key = issued(owner.handle());
    let guard = pool.guard(key).unwrap();
    let other = guard.clone();
    drop(owner);
    assert!(pool.guard(key).is_none());
    drop(guard);
    other.check();
    // Objects that wait for a pin and a guard.
    let owner = pool.allocate();
    let guard = pool.guard(issued(owner.handle())).unwrap();
    let pinned = pin();
    drop(owner);
    drop(pinned);
    guard.check();
    drop(guard);
    drop(other);
}

#[test]
fn in_what_waits_for_a_guard() {
    at_each::<Ending>("under guards", under_guards);
    at_each::<Unending>("under guards", under_guards);
}

fn reserve<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let a = pool.reserve();
    let b = pool.try_reserve().unwrap();
    let (key_a, key_b) = (issued(a.handle()), issued(b.handle()));
    let filled = a.fill(|_| callback("fill"));
    assert_eq!(filled.handle(), key_a);
    drop(b);
    assert!(!pool.contains(key_b));
    drop(filled);
    let again = pool.reserve();
    issued(again.handle());
    drop(again.fill(|_| callback("fill")));
}

#[test]
fn in_reservations() {
    at_each::<Ending>("reserve", reserve);
    at_each::<Unending>("reserve", reserve);
}

fn manual<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let key = left_manual(pool.allocate().into_manual());
    let other = left_manual(pool.allocate().into_manual());
    pool.free(key).unwrap();
    assert!(pool.free(key).is_err());
    let owner = pool.reclaim(other).unwrap();
    let shared = owner.clone();
    drop(owner);
    let pinned = pin();
    assert_eq!(shared.into_manual(), other);
    pool.free(other).unwrap();
    drop(pinned);
}

#[test]
fn in_manual_frees() {
    at_each::<Ending>("manual", manual);
    at_each::<Unending>("manual", manual);
}

fn collect<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let owners: Vec<_> = (0..7).map(|_| pool.allocate()).collect();
    owners.iter().step_by(2).for_each(|owner| {
        issued(owner.handle());
    });
    drop(owners);
    pool.collect();
    let owner = pool.allocate();
    issued(owner.handle());
    let pinned = pin();
    drop(owner);
    pool.collect();
    drop(pinned);
    pool.collect();
}

#[test]
fn in_collections() {
    at_each::<Ending>("collect", collect);
    at_each::<Unending>("collect", collect);
}

fn change_policy<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let fill = || {
        let owners: Vec<_> = (0..7).map(|_| pool.allocate()).collect();
        owners.iter().step_by(2).for_each(|owner| {
            issued(owner.handle());
        });
    };
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    fill();
    pool.set_policy(PoolPolicy::KeepAtMost(3)).unwrap();
    fill();
    pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap();
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    fill();
    pool.set_policy(PoolPolicy::KeepNone).unwrap();
    fill();
}

#[test]
fn in_changes_of_the_policy() {
    at_each::<Ending>("policy", change_policy);
    at_each::<Unending>("policy", change_policy);
}

fn last_life<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>, read: u8) {
    let mut owner = pool.allocate();
    pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
    let key = issued(owner.handle());
    let pinned = (read == 1).then(pin);
    let guard = (read == 2).then(|| pool.guard(key).unwrap());
    drop(owner);
    drop((pinned, guard));
    assert_eq!(pool.stats().kept, 0);
}

#[test]
fn in_the_last_life() {
    for read in 0..3 {
        at_each::<Ending>(&format!("last life {read}"), |pool| last_life(pool, read));
        at_each::<Unending>(&format!("last life {read}"), |pool| last_life(pool, read));
    }
}

fn reserve_the_last_life<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let mut owner = pool.allocate();
    pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
    let index = owner.index();
    drop(owner);
    let reserved = pool.reserve();
    if issued(reserved.handle()).index() == index {
        assert_eq!(reserved.handle().life(), i32::MAX.unsigned_abs());
    }
    let owner = reserved.fill(|_| callback("fill"));
    assert!(pool.contains(owner.handle()));
}

#[test]
fn in_a_reservation_of_the_last_life() {
    at_each::<Ending>("reserve the last life", reserve_the_last_life);
    at_each::<Unending>("reserve the last life", reserve_the_last_life);
}

/// A slot is worn however its last life ends.
#[test]
fn a_slot_is_worn_after_a_panic_in_its_last_life() {
    let _alone = alone();
    for nth in 0..2 {
        LEDGER.set(Ledger::default());
        let pool: Pool<Object, Ending> = Pool::with_hooks();
        let mut owner = pool.allocate();
        pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
        let worn = issued(owner.handle()).index();
        FUSE.set(nth);
        assert!(catch_unwind(AssertUnwindSafe(|| drop(owner))).is_err());
        FUSE.set(usize::MAX);
        let stats = pool.stats();
        assert_eq!((stats.live, stats.kept), (0, 0), "{nth}: {stats:?}");
        let others: Vec<_> = (0..SLOTS).map(|_| pool.allocate()).collect();
        assert!(others.iter().all(|other| other.index() != worn), "{nth}: used again");
        drop(others);
        drop(pool);
        all_dropped_once("last life");
    }
}

fn exclusive<H: Hooks<Object, Readers = acedia::pool::Global>>(pool: &Pool<Object, H>) {
    let mut owner = pool.allocate();
    let key = issued(owner.handle());
    let result = catch_unwind(AssertUnwindSafe(|| owner.exclusive(|_| callback("change"))));
    assert!(pool.contains(key), "visible again, also after a panic");
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn in_exclusive_access() {
    at_each::<Ending>("exclusive", exclusive);
    at_each::<Unending>("exclusive", exclusive);
}

/// A panic while a pool is dropped keeps no other object from its end. Then the drop passes it on.
#[test]
fn in_the_drop_of_the_pool() {
    let _alone = alone();
    for nth in 0.. {
        let what = format!("pool drop, panic at callback {nth}");
        LEDGER.set(Ledger::default());
        let pool: Pool<Object, Ending> = Pool::with_hooks();
        let kept: Vec<_> = (0..4).map(|_| pool.allocate()).collect();
        let manual: Vec<_> = (0..3).map(|_| pool.allocate().into_manual()).collect();
        drop(kept);
        let pinned = pin();
        pool.free(manual[0]).unwrap();
        let before = LEDGER.with_borrow(|ledger| ledger.callbacks);
        FUSE.set(nth);
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(pool)));
        FUSE.set(usize::MAX);
        drop(pinned);
        let (fired, after) = LEDGER.with_borrow(|ledger| (ledger.fired, ledger.callbacks));
        assert_eq!(dropped.is_err(), fired, "{what}");
        // Three ends, and the drops of seven objects.
        assert_eq!(after - before, 3 + 7, "{what}");
        all_dropped_once(&what);
        if !fired {
            break;
        }
    }
}

/// The drop of a pool passes on the first of several panics, and none while the thread is panicking already: that would abort
/// the process.
#[test]
fn several_in_the_drop_of_the_pool() {
    struct Bomb(&'static str);
    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any(self.0);
        }
    }
    let armed = || {
        let pool: Values<Bomb> = Values::new();
        for name in ["first", "second"] {
            let _ = pool.insert(Bomb(name)).into_manual();
        }
        pool
    };
    let pool = armed();
    let panic = catch_unwind(AssertUnwindSafe(|| drop(pool))).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"first"));
    let panic = catch_unwind(|| {
        let _pool = armed();
        std::panic::panic_any("outer");
    });
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"outer"));
}

/// An object in its slot's last life that still waits for a pin when the pool is dropped.
#[test]
fn a_pool_is_dropped_while_a_last_life_waits() {
    let _alone = alone();
    LEDGER.set(Ledger::default());
    let pool: Pool<Object, Ending> = Pool::with_hooks();
    let mut owner = pool.allocate();
    pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
    issued(owner.handle());
    let pinned = pin();
    drop(owner);
    drop(pool);
    drop(pinned);
    all_dropped_once("last life waiting");
}

/// A panic of a read closure under a pin ends the pin.
#[test]
fn while_pinned() {
    let _alone = alone();
    LEDGER.set(Ledger::default());
    let pool: Pool<Object, Ending> = Pool::with_hooks();
    let owner = pool.allocate();
    let key = issued(owner.handle());
    let result = catch_unwind(AssertUnwindSafe(|| {
        let pinned = pin();
        let guard = pool.guard(key).unwrap();
        guard.check();
        pool.get(key, &pinned).unwrap().check();
        drop(owner);
        FUSE.set(0);
        callback("read");
    }));
    assert!(result.is_err());
    // Begun and ended: nothing waits any more.
    assert_eq!((pool.stats().live, pool.stats().kept), (0, 1));
    assert_eq!(pool.collect().objects, 1);
    drop(pool);
    all_dropped_once("while pinned");
}

/// A panic with a value whose own drop panics loses no slot either.
#[test]
fn with_a_payload_that_panics() {
    struct Payload;
    impl Drop for Payload {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new("payload"));
        }
    }
    struct Wild;
    impl Hooks<u64> for Wild {
        type Readers = acedia::pool::Global;

        fn make() -> u64 {
            0
        }
        const END: Option<fn(&mut u64)> = Some(|n| {
            if *n == 1 {
                *n = 0;
                std::panic::resume_unwind(Box::new(Payload));
            }
        });
    }
    let _alone = alone();
    let pool: Pool<u64, Wild> = Pool::with_hooks();
    let owners = [pool.allocate_with(|n| *n = 1), pool.allocate(), pool.allocate()];
    for owner in &owners {
        let _ = owner.handle();
    }
    let pinned = pin();
    drop(owners);
    let _ = catch_unwind(AssertUnwindSafe(|| drop(pinned)));
    // The next pin of this thread still finishes what waits.
    let owner = pool.allocate();
    let _ = owner.handle();
    let pinned = pin();
    drop(owner);
    drop(pinned);
    let stats = pool.stats();
    // The object whose finalizer has panicked was dropped.
    assert_eq!((stats.live, stats.kept), (0, 2), "{stats:?}");
    assert_eq!(pool.collect().objects, 2, "a slot was lost: {stats:?}");
}

/// A thread's next allocation drops surplus objects for a limit that another thread has set. Panics of these drops do not
/// reach the allocating code.
#[test]
fn of_what_is_dropped_for_a_limit() {
    #[derive(Default)]
    struct Bomb(bool);

    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(!self.0, "the drop of another object");
        }
    }

    let _alone = alone();
    let pool: Pool<Bomb> = Pool::new();
    let (freed, limited) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            drop(pool.allocate_with(|bomb| bomb.0 = true));
            freed.wait();
            limited.wait();
            // A pool is unwind safe.
            let next = catch_unwind(|| pool.try_allocate().map(drop));
            assert!(next.expect("no panic of another object").is_ok());
        });
        freed.wait();
        pool.set_policy(PoolPolicy::KeepNone).unwrap();
        limited.wait();
    });
    assert_eq!((pool.stats().kept, pool.stats().live), (0, 0));
}

/// Limits of several classes: each is applied, also if drops of surplus objects panic.
#[test]
fn of_what_is_dropped_for_several_limits() {
    #[derive(Default)]
    struct Explosive;
    impl acedia::Object for Explosive {
        class!(Explosive, "Panics.Explosive");
    }
    impl Drop for Explosive {
        fn drop(&mut self) {
            panic!("the drop of an object");
        }
    }
    #[derive(Default)]
    struct Calm;
    impl acedia::Object for Calm {
        class!(Calm, "Panics.Calm");
    }

    let _alone = alone();
    let many: Vec<_> = (0..300).map(|_| <Explosive as acedia::Object>::allocate()).collect();
    drop(many);
    drop(<Calm as acedia::Object>::allocate());
    let config = Config::from_ini(
        "[AcediaCore.AcediaObjectPool]
        poolSizeOverwrite=(objectClass=Panics.Explosive,maxPoolSize=0)
        poolSizeOverwrite=(objectClass=Panics.Calm,maxPoolSize=0)",
    );
    let config = config.expect("settings");
    assert!(catch_unwind(AssertUnwindSafe(|| configure(&config))).is_err());
    for class in [Class::of::<Explosive>(), Class::of::<Calm>()] {
        assert_eq!(
            (class.policy(), class.stats().kept),
            (PoolPolicy::KeepNone, 0),
            "{class}"
        );
    }
}

/// A second panic of a finalizer aborts the process, as that of every destructor: see the documentation of finalizers.
#[test]
#[cfg(unix)]
fn a_second_panic_aborts() {
    use std::os::unix::process::ExitStatusExt;
    use support::{case, in_own_process};

    struct Failing;
    impl Hooks<u64> for Failing {
        type Readers = acedia::pool::Global;

        fn make() -> u64 {
            0
        }

        const END: Option<fn(&mut u64)> = Some(|_| panic!("the finalizer"));
    }

    const NAME: &str = "a_second_panic_aborts";
    let pool: Pool<u64, Failing> = Pool::with_hooks();
    let two = || vec![pool.allocate(), pool.allocate()];
    match case().as_deref() {
        Some("one") => assert!(catch_unwind(AssertUnwindSafe(|| drop(vec![pool.allocate()]))).is_err()),
        Some("two in a vector") => drop(catch_unwind(AssertUnwindSafe(|| drop(two())))),
        Some("while unwinding") => drop(catch_unwind(AssertUnwindSafe(|| {
            let _owner = pool.allocate();
            panic!("of the function");
        }))),
        Some(other) => panic!("no such case: {other}"),
        None => {
            assert!(in_own_process(NAME, "one").status.success());
            for case in ["two in a vector", "while unwinding"] {
                let status = in_own_process(NAME, case).status;
                // SIGABRT.
                assert_eq!(status.signal(), Some(6), "{case}: {status}");
            }
        }
    }
}
