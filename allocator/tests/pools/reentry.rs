//! User code that uses the pool it is called by: to allocate, free, read, collect, change the policy, and drop it.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acedia::{Guard, Handle, Owned, Pool, PoolPolicy, pin};

use super::support::{LAST_LIFE, POLICIES, alone, handles, hooks};

type Nodes = Pool<Node, Reentrant>;
type OwnedNode = Owned<Node, &'static Nodes>;

/// An object that may own others of its own pool.
#[derive(Default)]
struct Node {
    next: Option<OwnedNode>,
    number: u64,
}

impl Drop for Node {
    fn drop(&mut self) {
        act(Moment::Drop);
    }
}

fn make() -> Node {
    act(Moment::Make);
    Node::default()
}

fn begin(node: &mut Node) {
    assert_eq!(node.number, 0, "the last life was not ended");
    act(Moment::Begin);
}

hooks!(Reentrant: Node = make(), begin begin, end |node| {
    act(Moment::End);
    node.number = 0;
    // Frees others, of the same pool.
    node.next = None;
});

static POOLS: [Nodes; 4] = [
    Pool::with_hooks(),
    Pool::with_hooks().keep(PoolPolicy::KeepAtMost(2)),
    Pool::with_hooks().keep(PoolPolicy::KeepNone),
    Pool::with_hooks().bounded(64),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Make,
    Begin,
    Init,
    End,
    Drop,
}

/// An action of user code.
type Action = (&'static str, fn(&'static Nodes));

fn exposed(pool: &'static Nodes) -> OwnedNode {
    let owner = pool.allocate_with(|node| node.number = 7);
    let _ = owner.handle();
    owner
}

const ACTIONS: [Action; 14] = [
    ("allocate", |pool| drop(pool.allocate())),
    ("allocate with a handle", |pool| drop(exposed(pool))),
    ("allocate many", |pool| {
        drop((0..20).map(|_| exposed(pool)).collect::<Vec<_>>())
    }),
    ("free another", |_| drop(OTHERS.with_borrow_mut(Vec::pop))),
    ("free by handle", |pool| {
        let handle = exposed(pool).into_manual();
        pool.free(handle).unwrap();
        assert!(pool.free(handle).is_err());
    }),
    ("reserve", |pool| {
        drop(pool.reserve());
        drop(pool.reserve().fill(|node| node.number = 1));
    }),
    ("collect", |pool| _ = pool.collect()),
    ("pin", |pool| {
        let owner = exposed(pool);
        let handle = owner.handle();
        let pinned = pin();
        assert_eq!(pool.get(handle, &pinned).unwrap().number, 7);
        drop(owner);
        assert!(pool.get(handle, &pinned).is_none());
    }),
    ("guard", |pool| {
        let owner = exposed(pool);
        let guard = pool.guard(owner.handle()).unwrap();
        drop(owner);
        assert_eq!(guard.number, 7);
        // Its end comes later.
        GUARDS.with_borrow_mut(|guards| guards.push(guard));
    }),
    ("change exclusively", |pool| {
        _ = exposed(pool).exclusive(|node| node.next = Some(pool.allocate()))
    }),
    ("keep none", |pool| drop(pool.set_policy(PoolPolicy::KeepNone))),
    ("keep all", |pool| drop(pool.set_policy(PoolPolicy::KeepAll))),
    ("keep one, then all", |pool| {
        drop(pool.set_policy(PoolPolicy::KeepAtMost(1)));
        drop(pool.set_policy(PoolPolicy::KeepAll));
    }),
    ("wear a slot out", |pool| {
        let mut owner = pool.allocate();
        pool.skip_lives(&mut owner, LAST_LIFE);
        let _ = owner.handle();
    }),
];

thread_local! {
    static PLAN: Cell<Option<(Moment, Action, &'static Nodes)>> = const { Cell::new(None) };
    static OTHERS: RefCell<Vec<OwnedNode>> = const { RefCell::new(Vec::new()) };
    static GUARDS: RefCell<Vec<Guard<Node, &'static Nodes>>> = const { RefCell::new(Vec::new()) };
    static ACTED: Cell<usize> = const { Cell::new(0) };
}

fn act(now: Moment) {
    let plan = PLAN.try_with(Cell::get).ok().flatten();
    let Some((_, (_, action), pool)) = plan.filter(|(moment, ..)| *moment == now) else {
        return;
    };
    // User code that the action calls back does not act again.
    PLAN.set(None);
    ACTED.set(ACTED.get() + 1);
    action(pool);
    PLAN.set(plan);
}

/// Everything a program does, while user code acts at one moment.
fn scenario(pool: &'static Nodes) {
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
    let (of_a, of_b) = (a.handle(), b.handle());
    assert_eq!((a.number, b.number), (1, 2));
    drop(a);
    let pinned = pin();
    assert!(pool.get(of_a, &pinned).is_none());
    drop(b);
    assert!(pool.get(of_b, &pinned).is_none());
    drop(pinned);
    let owner = pool.allocate();
    let guard = pool.guard(owner.handle()).unwrap();
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
                let what = format!("{} at {moment:?}", action.0);
                ACTED.set(0);
                PLAN.set(Some((moment, action, pool)));
                scenario(pool);
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

type Holders = Pool<Holder, LettingGo>;

/// An object that keeps its own pool alive.
#[derive(Default)]
struct Holder {
    pool: Option<Arc<Holders>>,
    sign: Option<Arc<AtomicBool>>,
}

hooks!(LettingGo: Holder = Holder::default(), end |holder| {
    if let Some(sign) = holder.sign.take() {
        assert!(!sign.swap(true, Ordering::Relaxed), "ended twice");
    }
    holder.pool = None;
});

/// A manual object that holds its own pool, other objects, and the flag that its end sets.
fn self_held(policy: PoolPolicy) -> (Arc<Holders>, Handle<Holder>, Arc<AtomicBool>) {
    let pool = Arc::new(Holders::with_hooks().keep(policy));
    let sign = Arc::new(AtomicBool::new(false));
    let handle = pool
        .allocate_with(|holder| {
            holder.pool = Some(Arc::clone(&pool));
            holder.sign = Some(Arc::clone(&sign));
        })
        .into_manual();
    // Alive and free when the pool goes.
    let others: Vec<_> = pool.allocate_many(5).collect();
    handles(&others);
    drop(others);
    let _ = pool.allocate().into_manual();
    (pool, handle, sign)
}

/// A finalizer drops the last hold on its pool: at once, at the end of a pin, and on a thread that gives its guard back.
#[test]
fn a_finalizer_drops_the_last_hold_on_its_pool() {
    let _alone = alone();
    for (policy, way) in POLICIES
        .into_iter()
        .flat_map(|policy| [0, 1, 2].map(|way| (policy, way)))
    {
        let (pool, handle, sign) = self_held(policy);
        let weak = Arc::downgrade(&pool);
        let has_ended = || sign.load(Ordering::Relaxed);
        let pinned = (way == 1).then(pin);
        let guard = (way == 2).then(|| Guard::holding(&pool, |pool| pool, handle).unwrap());
        pool.free(handle).unwrap();
        drop(pool);
        assert_eq!((has_ended(), weak.upgrade().is_none()), (way == 0, way == 0));
        drop(pinned);
        std::thread::spawn(move || drop(guard)).join().unwrap();
        assert!(has_ended() && weak.upgrade().is_none());
    }
}

/// The finalizer of one pool's object drops another pool in which objects wait for the same pin.
#[test]
fn a_late_finalizer_drops_another_pool_that_waits() {
    hooks!(DropsOther: Option<Arc<Holders>> = None, end |pool| *pool = None);
    let _alone = alone();
    for first_is_other in [false, true] {
        let (other, handle, sign) = self_held(PoolPolicy::KeepAll);
        let weak = Arc::downgrade(&other);
        let pool: Pool<Option<Arc<Holders>>, DropsOther> = Pool::with_hooks();
        let owner = pool.allocate_with(|object| *object = Some(Arc::clone(&other)));
        let _ = owner.handle();
        let pinned = pin();
        if first_is_other {
            other.free(handle).unwrap();
        }
        drop(owner);
        if !first_is_other {
            other.free(handle).unwrap();
        }
        drop(other);
        drop(pinned);
        assert!(sign.load(Ordering::Relaxed));
        assert!(weak.upgrade().is_none());
        assert_eq!(pool.stats().live, 0);
    }
}
