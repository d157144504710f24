//! User code that uses the pool it is called by: to allocate, free, read, collect, change the policy, and drop it.

mod support;

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use acedia::PoolPolicy;
use acedia::pool::{Guard, Handle, Hooks, Owned, Pool, pin};
use support::alone;

type Nodes = Pool<Node, Reentrant>;

/// An object that may own others of its own pool.
#[derive(Default)]
struct Node {
    next: Option<Owned<Node, &'static Pool<Node, Reentrant>>>,
    number: u64,
}

impl Drop for Node {
    fn drop(&mut self) {
        act(Moment::Drop);
    }
}

struct Reentrant;

impl Hooks<Node> for Reentrant {
    type Readers = acedia::pool::Global;

    fn make() -> Node {
        act(Moment::Make);
        Node::default()
    }

    fn begin(node: &mut Node) {
        assert_eq!(node.number, 0, "the last life was not ended");
        act(Moment::Begin);
    }

    const END: Option<fn(&mut Node)> = Some(|node| {
        act(Moment::End);
        node.number = 0;
        // Frees others, of the same pool.
        node.next = None;
    });
}

static POOLS: [Nodes; 5] = [
    Pool::with_hooks(),
    Pool::with_hooks().keep(PoolPolicy::KeepAtMost(2)),
    Pool::with_hooks().keep(PoolPolicy::KeepNone),
    Pool::with_hooks().bounded(64),
    Pool::with_hooks(),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Make,
    Begin,
    Init,
    End,
    Drop,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Allocate,
    AllocateKeyAndFree,
    AllocateMany,
    FreeAnother,
    Manual,
    Reserve,
    Collect,
    Pin,
    Guard,
    Exclusive,
    KeepNone,
    KeepAll,
    Shift,
    LastLife,
}

const ACTIONS: [Action; 14] = [
    Action::Allocate,
    Action::AllocateKeyAndFree,
    Action::AllocateMany,
    Action::FreeAnother,
    Action::Manual,
    Action::Reserve,
    Action::Collect,
    Action::Pin,
    Action::Guard,
    Action::Exclusive,
    Action::KeepNone,
    Action::KeepAll,
    Action::Shift,
    Action::LastLife,
];

thread_local! {
    static PLAN: Cell<Option<(Moment, Action, &'static Nodes)>> = const { Cell::new(None) };
    static OTHERS: RefCell<Vec<Owned<Node, &'static Pool<Node, Reentrant>>>> = const { RefCell::new(Vec::new()) };
    static GUARDS: RefCell<Vec<Guard<Node, &'static Nodes>>> = const { RefCell::new(Vec::new()) };
    static ACTED: Cell<usize> = const { Cell::new(0) };
}

fn act(now: Moment) {
    let Ok(Some((moment, action, pool))) = PLAN.try_with(Cell::get) else {
        return;
    };
    if moment != now {
        return;
    }
    // User code that the action calls back does not act again.
    PLAN.set(None);
    ACTED.set(ACTED.get() + 1);
    perform(action, pool);
    PLAN.set(Some((moment, action, pool)));
}

fn perform(action: Action, pool: &'static Nodes) {
    let exposed = || {
        let owner = pool.allocate_with(|node| node.number = 7);
        let _ = owner.handle();
        owner
    };
    match action {
        Action::Allocate => drop(pool.allocate()),
        Action::AllocateKeyAndFree => drop(exposed()),
        Action::AllocateMany => drop((0..20).map(|_| exposed()).collect::<Vec<_>>()),
        Action::FreeAnother => drop(OTHERS.with_borrow_mut(Vec::pop)),
        Action::Manual => {
            let key = exposed().into_manual();
            pool.free(key).unwrap();
            assert!(pool.free(key).is_err());
        }
        Action::Reserve => {
            drop(pool.reserve());
            drop(pool.reserve().fill(|node| node.number = 1));
        }
        Action::Collect => drop(pool.collect()),
        Action::Pin => {
            let owner = exposed();
            let key = owner.handle();
            let pinned = pin();
            assert_eq!(pool.get(key, &pinned).unwrap().number, 7);
            drop(owner);
            assert!(pool.get(key, &pinned).is_none());
        }
        Action::Guard => {
            let owner = exposed();
            let guard = pool.guard(owner.handle()).unwrap();
            drop(owner);
            assert_eq!(guard.number, 7);
            // Its end comes later.
            GUARDS.with_borrow_mut(|guards| guards.push(guard));
        }
        Action::Exclusive => {
            let mut owner = exposed();
            let _ = owner.exclusive(|node| node.next = Some(pool.allocate()));
        }
        Action::KeepNone => drop(pool.set_policy(PoolPolicy::KeepNone)),
        Action::KeepAll => drop(pool.set_policy(PoolPolicy::KeepAll)),
        Action::Shift => {
            drop(pool.set_policy(PoolPolicy::KeepAtMost(1)));
            drop(pool.set_policy(PoolPolicy::KeepAll));
        }
        Action::LastLife => {
            let mut owner = pool.allocate();
            pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
            let _ = owner.handle();
        }
    }
}

/// Everything a program does, while user code acts at one moment.
fn scenario(pool: &'static Nodes, key_of: impl Fn(&Owned<Node, &'static Pool<Node, Reentrant>>) -> Handle<Node>) {
    // An object in which user code acts, and others that it can free.
    let others: Vec<_> = (0..3).map(|_| pool.allocate()).collect();
    OTHERS.with_borrow_mut(|list| list.extend(others));
    let a = pool.allocate_with(|node| {
        act(Moment::Init);
        node.number = 1;
    });
    let b = pool.allocate_with(|node| {
        act(Moment::Init);
        node.number = 2;
        node.next = Some(pool.allocate_with(|inner| inner.number = 3));
    });
    let (key_a, key_b) = (key_of(&a), key_of(&b));
    assert_eq!((a.number, b.number), (1, 2));
    drop(a);
    let pinned = pin();
    assert!(pool.get(key_a, &pinned).is_none());
    drop(b);
    assert!(pool.get(key_b, &pinned).is_none());
    drop(pinned);
    let owner = pool.allocate();
    let guard = pool.guard(key_of(&owner)).unwrap();
    drop(owner);
    drop(guard);
    drop(pool.reserve().fill(|_| act(Moment::Init)));
    pool.collect();
    drop(pool.allocate());
    drop(OTHERS.take());
    drop(GUARDS.take());
    drop(OTHERS.take());
}

#[test]
fn every_action_at_every_moment() {
    let _alone = alone();
    let moments = [Moment::Make, Moment::Begin, Moment::Init, Moment::End, Moment::Drop];
    for pool in &POOLS {
        for moment in moments {
            for action in ACTIONS {
                let what = format!("{action:?} at {moment:?}");
                ACTED.set(0);
                PLAN.set(Some((moment, action, pool)));
                scenario(pool, Owned::handle);
                if moment == Moment::Drop {
                    pool.collect();
                }
                PLAN.set(None);
                assert!(ACTED.get() > 0, "{what} never happened");
                // Once more, for what the last actions left.
                drop(GUARDS.take());
                drop(OTHERS.take());
                let stats = pool.stats();
                assert_eq!(stats.live, 0, "{what}: {stats:?}");
                let _ = pool.set_policy(PoolPolicy::KeepAll);
                let kept = pool.stats().kept;
                assert_eq!(pool.collect().objects, kept, "{what}: an object was lost");
                assert_eq!(pool.stats().kept, 0, "{what}");
            }
        }
    }
}

/// A long chain is freed by its finalizers, each of which frees the next.
#[test]
fn a_chain_frees_itself() {
    static CHAIN: Nodes = Pool::with_hooks();
    let _alone = alone();
    let length: u64 = if cfg!(miri) { 20 } else { 1000 };
    for exposed in [false, true] {
        let mut head = None;
        for _ in 0..length {
            let next = head.take();
            let node = CHAIN.allocate_with(|node| node.next = next);
            if exposed {
                let _ = node.handle();
            }
            head = Some(node);
        }
        assert_eq!(CHAIN.stats().live, length);
        let pinned = pin();
        drop(head);
        drop(pinned);
        // Each finalizer frees the next, which waits for no pin.
        drop(CHAIN.allocate());
        assert_eq!(CHAIN.stats().live, 0);
        assert_eq!(CHAIN.stats().kept, length);
    }
    CHAIN.collect();
}

/// Two objects own each other's keys and free each other in their finalizers: one of them is faster.
#[test]
fn objects_free_each_other() {
    static PAIRS: Pool<Other, Freeing> = Pool::with_hooks();
    static FREED: AtomicUsize = AtomicUsize::new(0);
    struct Freeing;
    struct Other(Option<Handle<Other>>);
    impl Hooks<Other> for Freeing {
        type Readers = acedia::pool::Global;

        fn make() -> Other {
            Other(None)
        }
        const END: Option<fn(&mut Other)> = Some(|other| {
            if let Some(key) = other.0.take() {
                FREED.fetch_add(usize::from(PAIRS.free(key).is_ok()), Ordering::Relaxed);
            }
        });
    }
    let _alone = alone();
    for under_pin in [false, true] {
        FREED.store(0, Ordering::Relaxed);
        let (a, b) = (PAIRS.reserve(), PAIRS.reserve());
        let (key_a, key_b) = (a.handle(), b.handle());
        let a = a.fill(|other| other.0 = Some(key_b));
        let b = b.fill(|other| other.0 = Some(key_a));
        // One of itself, too.
        let c = PAIRS.reserve();
        let key_c = c.handle();
        let c = c.fill(|other| other.0 = Some(key_c));
        assert_eq!(
            (a.into_manual(), b.into_manual(), c.into_manual()),
            (key_a, key_b, key_c)
        );
        let pinned = under_pin.then(pin);
        PAIRS.free(key_a).unwrap();
        PAIRS.free(key_c).unwrap();
        drop(pinned);
        drop(pin());
        assert_eq!(PAIRS.stats().live, 0);
        assert_eq!(
            FREED.load(Ordering::Relaxed),
            1,
            "a freed b; b and c found themselves ended"
        );
    }
    PAIRS.collect();
}

type Holders = Pool<Holder, LettingGo>;

/// An object that keeps its own pool alive.
#[derive(Default)]
struct Holder {
    pool: Option<Arc<Holders>>,
    sign: Option<Arc<AtomicBool>>,
}

struct LettingGo;

impl Hooks<Holder> for LettingGo {
    type Readers = acedia::pool::Global;

    fn make() -> Holder {
        Holder::default()
    }

    const END: Option<fn(&mut Holder)> = Some(|holder| {
        if let Some(sign) = holder.sign.take() {
            assert!(!sign.swap(true, Ordering::Relaxed), "ended twice");
        }
        holder.pool = None;
    });
}

/// A manual object that holds its own pool, and others beside it; and the sign that its end sets.
fn self_held(policy: PoolPolicy) -> (Arc<Holders>, Handle<Holder>, Arc<AtomicBool>) {
    let pool = Arc::new(Holders::with_hooks().keep(policy));
    let sign = Arc::new(AtomicBool::new(false));
    let key = pool
        .allocate_with(|holder| {
            holder.pool = Some(Arc::clone(&pool));
            holder.sign = Some(Arc::clone(&sign));
        })
        .into_manual();
    // Alive and free when the pool goes.
    let others: Vec<_> = (0..5).map(|_| pool.allocate()).collect();
    for owner in &others {
        let _ = owner.handle();
    }
    drop(others);
    let _ = pool.allocate().into_manual();
    (pool, key, sign)
}

const POLICIES: [PoolPolicy; 3] = [PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(1), PoolPolicy::KeepNone];

#[test]
fn a_late_finalizer_drops_the_last_hold_on_its_pool() {
    let _alone = alone();
    for policy in POLICIES {
        let (pool, key, sign) = self_held(policy);
        let weak = Arc::downgrade(&pool);
        let pinned = pin();
        pool.free(key).unwrap();
        drop(pool);
        assert!(!sign.load(Ordering::Relaxed) && weak.upgrade().is_some());
        drop(pinned);
        assert!(sign.load(Ordering::Relaxed), "ran at the end of the pin");
        assert!(weak.upgrade().is_none(), "and took the pool with it");
    }
}

#[test]
fn a_late_finalizer_drops_its_pool_on_another_thread() {
    let _alone = alone();
    for policy in POLICIES {
        let (pool, key, sign) = self_held(policy);
        let guard = pool.guard_owned(key).unwrap();
        pool.free(key).unwrap();
        let weak = Arc::downgrade(&pool);
        drop(pool);
        let ended = std::thread::spawn(move || {
            assert_eq!(
                guard.sign.as_ref().map(|sign| sign.load(Ordering::Relaxed)),
                Some(false)
            );
            drop(guard);
        });
        ended.join().unwrap();
        assert!(sign.load(Ordering::Relaxed));
        assert!(weak.upgrade().is_none());
    }
}

#[test]
fn a_finalizer_drops_a_hold_on_its_pool_at_once() {
    let _alone = alone();
    for policy in POLICIES {
        let (pool, key, sign) = self_held(policy);
        let weak = Arc::downgrade(&pool);
        pool.free(key).unwrap();
        assert!(sign.load(Ordering::Relaxed));
        drop(pool);
        assert!(weak.upgrade().is_none());
    }
}

/// The finalizer of one pool's object drops another pool in which objects wait for the same pin.
#[test]
fn a_late_finalizer_drops_another_pool_that_waits() {
    struct DropsOther;
    impl Hooks<Option<Arc<Holders>>> for DropsOther {
        type Readers = acedia::pool::Global;

        fn make() -> Option<Arc<Holders>> {
            None
        }
        const END: Option<fn(&mut Option<Arc<Holders>>)> = Some(|pool| *pool = None);
    }
    let _alone = alone();
    for first_is_other in [false, true] {
        let (other, key, sign) = self_held(PoolPolicy::KeepAll);
        let weak = Arc::downgrade(&other);
        let pool: Pool<Option<Arc<Holders>>, DropsOther> = Pool::with_hooks();
        let owner = pool.allocate_with(|object| *object = Some(Arc::clone(&other)));
        let _ = owner.handle();
        let pinned = pin();
        if first_is_other {
            other.free(key).unwrap();
        }
        drop(owner);
        if !first_is_other {
            other.free(key).unwrap();
        }
        drop(other);
        drop(pinned);
        assert!(sign.load(Ordering::Relaxed));
        assert!(weak.upgrade().is_none());
        assert_eq!(pool.stats().live, 0);
    }
}
