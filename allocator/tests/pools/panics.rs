//! Panics in user code: at the nth callback, for every n, in every operation that runs any.
//!
//! After each of them the pool counts what exists, gives every slot out again, hands none out twice, and drops each
//! object exactly once.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};

use acedia::pool::{Global, Hooks};
use acedia::{Class, Config, Handle, Owned, Pool, PoolPolicy, Values, class, configure, pin};

use super::support::{Barrier, LAST_LIFE, POLICIES, alone, crew, hooks};

/// The events of one run's objects. Each test stays on one thread, so each has a ledger of its own.
#[derive(Default)]
struct Ledger {
    /// How often each object was dropped, by its number.
    drops: Vec<u32>,
    issued: HashSet<Handle<Object>>,
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
    match FUSE.get() {
        usize::MAX => {}
        0 => {
            FUSE.set(usize::MAX);
            LEDGER.with_borrow_mut(|ledger| ledger.fired = true);
            resume_unwind(Box::new(what.to_owned()));
        }
        left => FUSE.set(left - 1),
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

impl<const ENDS: bool> Hooks<Object> for Panicking<ENDS> {
    type Readers = Global;

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

type Objects<const ENDS: bool = true> = Pool<Object, Panicking<ENDS>>;

/// Notes a handle that a pool has issued for a new life.
fn issued(handle: Handle<Object>) -> Handle<Object> {
    LEDGER.with_borrow_mut(|ledger| assert!(ledger.issued.insert(handle), "{handle:?} was issued twice"));
    handle
}

fn left_manual(handle: Handle<Object>) -> Handle<Object> {
    LEDGER.with_borrow_mut(|ledger| ledger.manual.push(handle));
    issued(handle)
}

/// An object in the last life of its slot.
fn last_of_its_slot<const ENDS: bool>(pool: &Objects<ENDS>) -> Owned<Object, &Objects<ENDS>> {
    let mut owner = pool.allocate();
    pool.skip_lives(&mut owner, LAST_LIFE);
    owner
}

fn existing() -> u64 {
    LEDGER.with_borrow(|ledger| ledger.drops.iter().filter(|&&drops| drops == 0).count() as u64)
}

/// The pool counts right, works, and has lost no slot.
fn check<const ENDS: bool>(pool: &Objects<ENDS>, bounded: bool, what: &str) {
    for handle in LEDGER.with_borrow_mut(|ledger| std::mem::take(&mut ledger.manual)) {
        let _ = pool.free(handle);
    }
    let stats = pool.stats();
    assert_eq!((stats.live, stats.kept), (0, existing()), "{what}: {stats:?}");
    for _ in 0..2 {
        let is_last = |handle: &&Handle<Object>| handle.life() == LAST_LIFE;
        let worn = LEDGER.with_borrow(|ledger| ledger.issued.iter().filter(is_last).count());
        let usable = if bounded { 8 } else { SLOTS - worn };
        let owners: Vec<_> = (0..usable).map(|_| pool.try_allocate().unwrap()).collect();
        let mut indices = HashSet::new();
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
    let drops = LEDGER.with_borrow(|ledger| ledger.drops.clone());
    assert!(drops.iter().all(|&drops| drops == 1), "{what}: {drops:?}");
}

/// Runs `scenario` with a panic at its first callback, at its second, and so on until it gets through.
fn at_each<const ENDS: bool>(name: &str, scenario: impl Fn(&Objects<ENDS>)) {
    for (policy, bounded) in POLICIES
        .map(|policy| (policy, false))
        .into_iter()
        .chain([(PoolPolicy::KeepAll, true)])
    {
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

/// A test of a scenario, for objects with a finalizer and without.
macro_rules! in_each {
    ($($(#[$meta:meta])* $name:ident: |$pool:ident| $scenario:block)+) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            fn scenario<const ENDS: bool>($pool: &Objects<ENDS>) $scenario
            let _alone = alone();
            at_each::<true>(stringify!($name), scenario);
            at_each::<false>(stringify!($name), scenario);
        }
    )+};
}

in_each! {
    in_allocate_and_free: |pool| {
        let a = pool.allocate_with(|_| callback("init"));
        let b = pool.try_allocate_with(|_| callback("init")).unwrap();
        let handle = issued(b.handle());
        drop(b);
        assert!(pool.get(handle, &pin()).is_none());
        let c = pool.allocate();
        drop(a);
        let d = pool.try_allocate_fresh().unwrap();
        issued(d.handle());
        let e = pool.try_allocate().unwrap();
        issued(e.handle());
        drop((c, d, e));
    }

    in_what_waits_for_a_pin: |pool| {
        let owners: Vec<_> = (0..4).map(|_| pool.allocate()).collect();
        let stale: Vec<_> = owners[1..].iter().map(|owner| issued(owner.handle())).collect();
        let pinned = pin();
        drop(owners);
        assert!(stale.iter().all(|&handle| pool.get(handle, &pinned).is_none()));
        let during = pool.allocate();
        issued(during.handle());
        drop(pinned);
        drop(during);
        drop(pool.allocate());
    }

    in_what_waits_for_a_guard: |pool| {
        let owner = pool.allocate();
        let handle = issued(owner.handle());
        let guard = pool.guard(handle).unwrap();
        let other = guard.clone();
        drop(owner);
        assert!(pool.guard(handle).is_none());
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

    in_reservations: |pool| {
        let a = pool.reserve();
        let b = pool.try_reserve().unwrap();
        let handles = (issued(a.handle()), issued(b.handle()));
        let filled = a.fill(|_| callback("fill"));
        assert_eq!(filled.handle(), handles.0);
        drop(b);
        assert!(!pool.contains(handles.1));
        drop(filled);
        let again = pool.reserve();
        issued(again.handle());
        drop(again.fill(|_| callback("fill")));
    }

    in_manual_frees: |pool| {
        let handle = left_manual(pool.allocate().into_manual());
        let other = left_manual(pool.allocate().into_manual());
        pool.free(handle).unwrap();
        assert!(pool.free(handle).is_err());
        let owner = pool.reclaim(other).unwrap();
        let shared = owner.clone();
        drop(owner);
        let pinned = pin();
        assert_eq!(shared.into_manual(), other);
        pool.free(other).unwrap();
        drop(pinned);
    }

    in_collections: |pool| {
        free_seven(pool);
        pool.collect();
        let owner = pool.allocate();
        issued(owner.handle());
        let pinned = pin();
        drop(owner);
        pool.collect();
        drop(pinned);
        pool.collect();
    }

    in_changes_of_the_policy: |pool| {
        use PoolPolicy::{KeepAll, KeepAtMost, KeepNone};
        for policy in [KeepAll, KeepAtMost(3), KeepAtMost(1), KeepAll, KeepNone] {
            pool.set_policy(policy).unwrap();
            free_seven(pool);
        }
    }

    in_the_last_life: |pool| {
        for read in 0..3 {
            let owner = last_of_its_slot(pool);
            let handle = issued(owner.handle());
            let pinned = (read == 1).then(pin);
            let guard = (read == 2).then(|| pool.guard(handle).unwrap());
            drop(owner);
            drop((pinned, guard));
            assert_eq!(pool.stats().kept, 0);
        }
    }

    in_a_reservation_of_the_last_life: |pool| {
        let index = last_of_its_slot(pool).index();
        let reserved = pool.reserve();
        if issued(reserved.handle()).index() == index {
            assert_eq!(reserved.handle().life(), LAST_LIFE);
        }
        let owner = reserved.fill(|_| callback("fill"));
        assert!(pool.contains(owner.handle()));
    }

    in_exclusive_access: |pool| {
        let mut owner = pool.allocate();
        let handle = issued(owner.handle());
        let result = catch_unwind(AssertUnwindSafe(|| owner.exclusive(|_| callback("change"))));
        assert!(pool.contains(handle), "visible again, also after a panic");
        if let Err(panic) = result {
            resume_unwind(panic);
        }
    }
}

/// Seven objects, four of which have a handle.
fn free_seven<const ENDS: bool>(pool: &Objects<ENDS>) {
    let owners: Vec<_> = (0..7).map(|_| pool.allocate()).collect();
    owners.iter().step_by(2).for_each(|owner| _ = issued(owner.handle()));
}

/// A slot is worn however its last life ends.
#[test]
fn a_slot_is_worn_after_a_panic_in_its_last_life() {
    let _alone = alone();
    for nth in 0..2 {
        LEDGER.set(Ledger::default());
        let pool = Objects::<true>::with_hooks();
        let owner = last_of_its_slot(&pool);
        let worn = issued(owner.handle()).index();
        FUSE.set(nth);
        assert!(catch_unwind(AssertUnwindSafe(|| drop(owner))).is_err());
        FUSE.set(usize::MAX);
        assert_eq!((pool.stats().live, pool.stats().kept), (0, 0), "{nth}");
        let others: Vec<_> = (0..SLOTS).map(|_| pool.allocate()).collect();
        assert!(others.iter().all(|other| other.index() != worn), "{nth}: used again");
        drop(others);
        drop(pool);
        all_dropped_once("last life");
    }
}

/// A panic in the drop of a pool does not stop the end of other objects: free ones, ones that nobody owns, ones that wait for a
/// pin, even in their last life. Then the drop passes the panic on.
#[test]
fn in_the_drop_of_the_pool() {
    let _alone = alone();
    for nth in 0.. {
        let what = format!("pool drop, panic at callback {nth}");
        LEDGER.set(Ledger::default());
        let pool = Objects::<true>::with_hooks();
        let kept: Vec<_> = (0..4).map(|_| pool.allocate()).collect();
        let manual: Vec<_> = (0..3).map(|_| pool.allocate().into_manual()).collect();
        let last = last_of_its_slot(&pool);
        issued(last.handle());
        drop(kept);
        let pinned = pin();
        pool.free(manual[0]).unwrap();
        drop(last);
        let before = LEDGER.with_borrow(|ledger| ledger.callbacks);
        FUSE.set(nth);
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(pool)));
        FUSE.set(usize::MAX);
        drop(pinned);
        let (fired, after) = LEDGER.with_borrow(|ledger| (ledger.fired, ledger.callbacks));
        assert_eq!(dropped.is_err(), fired, "{what}");
        // Four ends, and the drops of eight objects.
        assert_eq!(after - before, 4 + 8, "{what}");
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
            panic_any(self.0);
        }
    }
    let _alone = alone();
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
        panic_any("outer");
    });
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"outer"));
}

/// A panic of a read closure under a pin ends the pin.
#[test]
fn while_pinned() {
    let _alone = alone();
    LEDGER.set(Ledger::default());
    let pool = Objects::<true>::with_hooks();
    let owner = pool.allocate();
    let handle = issued(owner.handle());
    let result = catch_unwind(AssertUnwindSafe(|| {
        let pinned = pin();
        let guard = pool.guard(handle).unwrap();
        guard.check();
        pool.get(handle, &pinned).unwrap().check();
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

/// A panic whose payload panics in its drop loses no slot either.
#[test]
fn with_a_payload_that_panics() {
    struct Payload;
    impl Drop for Payload {
        fn drop(&mut self) {
            resume_unwind(Box::new("payload"));
        }
    }
    hooks!(Wild: u64 = 0, end |n| if std::mem::take(n) == 1 { resume_unwind(Box::new(Payload)) });
    let _alone = alone();
    let pool: Pool<u64, Wild> = Pool::with_hooks();
    let owners = [pool.allocate_with(|n| *n = 1), pool.allocate(), pool.allocate()];
    owners.iter().for_each(|owner| _ = owner.handle());
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
    let work = |_| {
        drop(pool.allocate_with(|bomb| bomb.0 = true));
        freed.wait();
        limited.wait();
        // A pool is unwind safe.
        let next = catch_unwind(|| pool.try_allocate().map(drop));
        assert!(next.expect("no panic of another object").is_ok());
    };
    crew([1], work, || {
        freed.wait();
        pool.set_policy(PoolPolicy::KeepNone).unwrap();
        limited.wait();
    });
    assert_eq!((pool.stats().kept, pool.stats().live), (0, 0));
}

/// Limits of several classes: each is applied, even if drops of surplus objects panic.
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
    let config = ["Panics.Explosive", "Panics.Calm"].into_iter();
    let config = config.fold(Config::new(), |config, name| config.with(name, PoolPolicy::KeepNone));
    assert!(catch_unwind(AssertUnwindSafe(|| configure(&config))).is_err());
    for class in [Class::of::<Explosive>(), Class::of::<Calm>()] {
        assert_eq!(
            (class.policy(), class.stats().kept),
            (PoolPolicy::KeepNone, 0),
            "{class}"
        );
    }
}

/// A second panic of a finalizer aborts the process, as in every destructor: see the documentation of finalizers.
#[test]
#[cfg(unix)]
fn a_second_panic_aborts() {
    use super::support::{again, case};
    use std::os::unix::process::ExitStatusExt;

    hooks!(Failing: u64 = 0, end |_| panic!("the finalizer"));
    let pool: Pool<u64, Failing> = Pool::with_hooks();
    let some = |count| (0..count).map(|_| pool.allocate()).collect::<Vec<_>>();
    match case().as_deref() {
        Some("one") => assert!(catch_unwind(AssertUnwindSafe(|| drop(some(1)))).is_err()),
        Some("two in a vector") => drop(catch_unwind(AssertUnwindSafe(|| drop(some(2))))),
        Some(_) => drop(catch_unwind(AssertUnwindSafe(|| {
            let _owner = pool.allocate();
            panic!("of the function");
        }))),
        None => {
            const SIGABRT: i32 = 6;
            for (case, signal) in [
                ("one", None),
                ("two in a vector", Some(SIGABRT)),
                ("while unwinding", Some(SIGABRT)),
            ] {
                assert_eq!(again(|| (), case).status.signal(), signal, "{case}");
            }
        }
    }
}
