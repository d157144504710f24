use std::sync::Arc;

use super::TOGETHER;
use crate::pool::stock::MAGAZINE;
use crate::pool::{Domain, Global, Plain, Pool, pin, tables};
use crate::support::{LAST_LIFE, PinElsewhere, alone, elsewhere, handles, hooks};
use crate::sync::plain::{AtomicU32, Ordering};
use crate::{AllocateError, Owned};

hooks!(Ending: u64 = 0, end |_| ());

/// If a thread leaves few slots when it ends, they take no magazine.
#[test]
fn threads_that_free_little_leave_no_magazines() {
    const COUNT: usize = 300;
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let mut owners: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
    for at in 0..COUNT / 3 {
        // The slot that is freed last is in `top`, and the others are in a magazine.
        let three = owners.split_off(owners.len() - 3);
        // Half of the objects have a handle.
        if at % 2 == 0 {
            assert!(three.iter().all(|owner| pool.contains(owner.handle())));
        }
        let pinned = (at % 3 == 0).then(pin);
        elsewhere(move || drop(three));
        drop(pinned);
    }
    let depot = pool.untyped.depot.get().unwrap();
    depot.drain_limbo();
    assert_eq!(depot.limbo.len(), 0);
    assert_eq!((pool.stats().live, pool.stats().kept), (0, COUNT as u64));
    assert_eq!(depot.stock.recent_magazines(), 0);
    let again: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
    assert_eq!(pool.stats().live + pool.stats().kept, COUNT as u64);
    drop(again);
}

/// A thread that has slots for new objects takes each free object first, wherever it is.
#[test]
fn free_objects_come_before_new_ones() {
    const COUNT: usize = 300;
    type Owners<'p> = Vec<Owned<u64, &'p Pool<u64>>>;
    let _alone = alone();
    let of_this_thread = |owners: Owners| drop(owners);
    let of_any_thread = |owners: Owners| elsewhere(|| drop(owners));
    let waiting = |owners: Owners| {
        handles(&owners);
        let _pinned = pin();
        elsewhere(|| drop(owners));
    };
    for free in [of_this_thread as fn(Owners), of_any_thread, waiting] {
        let pool: Pool<u64> = Pool::new();
        free((0..COUNT).map(|_| pool.allocate()).collect());
        let _new = pool.allocate_fresh();
        let depot = pool.untyped.depot.get().unwrap();
        assert!(tables::with(|tables| tables.local(depot.tag).unwrap().has_fresh()));
        let _again: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
        assert_eq!((pool.stats().live, pool.stats().kept), (COUNT as u64 + 1, 0));
    }
}

/// Objects that wait for forgotten guards end with the pool, even in their last life.
#[test]
fn what_waits_for_forgotten_guards_ends_with_the_pool() {
    static ENDED: AtomicU32 = AtomicU32::new(0);
    hooks!(Counted: Arc<()> = Arc::default(), end |_| _ = ENDED.fetch_add(1, Ordering::Relaxed));
    let pool: Pool<Arc<()>, Counted> = Pool::with_hooks();
    let witness = Arc::new(());
    for last in [false, true] {
        let mut owner = pool.allocate();
        if last {
            pool.skip_lives(&mut owner, LAST_LIFE);
        }
        *owner.get_mut().unwrap() = Arc::clone(&witness);
        std::mem::forget(pool.guard(owner.handle()).unwrap());
    }
    drop(pool);
    assert_eq!((ENDED.load(Ordering::Relaxed), Arc::strong_count(&witness)), (2, 1));
}

/// A magazine (2 KB) for each slot would take 400 MB for 200,000 objects.
#[test]
fn what_strangers_finish_takes_no_magazines() {
    const COUNT: usize = 1000;
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks();
    let owners: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
    handles(&owners);
    let pinned = PinElsewhere::new::<Global>();
    drop(owners);
    drop(pinned);
    let depot = pool.untyped.depot.get().unwrap();
    assert_eq!(depot.limbo.len(), 0);
    assert_eq!((pool.stats().live, pool.stats().kept), (0, COUNT as u64));
    assert!(depot.stock.recent_magazines() < 10);
    // The slots are reused.
    let again: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
    assert_eq!(pool.stats().live + pool.stats().kept, COUNT as u64);
    drop(again);
}

/// Of many slots whose pins have ended, one allocation takes some.
#[test]
fn an_allocation_takes_a_few_of_those_that_wait() {
    crate::domain! { Slow }
    let pool: Pool<u64, Plain<Slow>> = Pool::with_hooks();
    let owners: Vec<_> = (0..20 * MAGAZINE).map(|_| pool.allocate()).collect();
    assert!(owners.iter().all(|owner| pool.contains(owner.handle())));
    let pinned = Slow::pin();
    drop(owners);
    let depot = pool.untyped.depot.get().unwrap();
    let before = depot.limbo.len();
    let _other = pool.allocate();
    assert_eq!(depot.limbo.len(), before, "the pin goes on");
    drop(pinned);
    let _owner = pool.allocate();
    assert!(before > TOGETHER);
    assert_eq!(before - depot.limbo.len(), TOGETHER);
}

/// While more freed objects wait for pins or guards than may, the pool makes no new ones.
#[test]
fn waiting_objects_hold_allocations_back() {
    crate::domain! { Slow }
    hooks!(Late: u64 = 0, end |_| (); Slow);
    // A thread takes 8 slots at a time: the number is checked when 0, 8 and 16 objects wait.
    let refused = |pool: &Pool<u64, Late>, by_guards: bool| {
        let mut guards = Vec::new();
        for _ in 0..100 {
            match pool.try_allocate() {
                Ok(owner) if by_guards => guards.push(pool.guard(owner.handle()).unwrap()),
                Ok(owner) => _ = owner.handle(),
                Err(AllocateError::HeldBack { waiting, most, .. }) => return (waiting, most),
                Err(error) => panic!("{error}"),
            }
        }
        panic!("no allocation is refused")
    };
    for (most, waiting) in [(7, 8), (8, 16)] {
        let pool = Pool::<_, Late>::with_hooks().waiting_at_most(most);
        let pinned = Slow::pin();
        assert_eq!(refused(&pool, false), (waiting, most));
        drop(pinned);
        assert_eq!(pool.stats().waiting, 0);
        assert!(pool.try_allocate().is_ok());
        let pool = Pool::<_, Late>::with_hooks().waiting_at_most(most);
        assert_eq!(refused(&pool, true), (waiting, most));
        assert_eq!(pool.stats().waiting, 0);
    }
}
