//! Allocating and freeing on one thread.

use std::hint::black_box;
use std::sync::Arc;

use crate::contenders::{Acedia, Bare, Boxed, Contender, Counted, Payload, Slab, Slots, Words, contenders};
use crate::measure::{ACEDIA, BARE, Case, nanoseconds, random};

/// Objects that stay alive during the measurement, as in any program. Without them each free would empty a page of mimalloc, which
/// costs extra.
pub(super) fn company<C: Contender>(contender: &mut C) -> Vec<C::Owner> {
    (0..10).map(|seed| contender.allocate(seed)).collect()
}

/// One object.
#[expect(clippy::inline_always, reason = "as in `contenders`")]
#[inline(always)]
pub(super) fn pair<C: Contender>(contender: &mut C, seed: u64) {
    let owner = contender.allocate(black_box(seed));
    black_box(&owner);
    contender.free(owner);
}

pub(super) fn pairs<P: Payload>() -> Vec<Case> {
    contenders!(pairs_of, P)
}

/// slotmap and sharded-slab always make a key.
pub(super) fn pairs_without_handles<P: Payload>() -> Vec<Case> {
    let mut cases = pairs::<P>();
    cases[0] = pairs_of::<Acedia<P, false>>();
    cases
}

pub(super) fn pairs_of<C: Contender>() -> Case {
    let mut contender = C::new();
    let mut company = company(&mut contender);
    Case::timed(C::NAME, move |n| {
        // Each run keeps one more object, so that the measured object has another address: some addresses alias in the processor.
        company.push(contender.allocate(n));
        black_box(&company);
        nanoseconds(|| (0..n).for_each(|seed| pair(&mut contender, seed)))
    })
}

pub(super) fn two_pools() -> Vec<Case> {
    contenders!(in_turns, Words<2>)
}

fn in_turns<C: Contender>() -> Case {
    pools::<C, 2>()
}

pub(super) fn thousand_pools() -> Vec<Case> {
    vec![
        pools::<Acedia<Words<2>>, 1000>(),
        pools::<Slots<Words<2>>, 1000>(),
        pools::<Slab<Words<2>>, 1000>(),
        pools::<Boxed<Words<2>>, 1000>(),
        pools::<Bare<Words<2>>, 1000>(),
    ]
}

/// Pairs in one pool after another. In each pool, ten other objects stay alive.
fn pools<C: Contender, const POOLS: usize>() -> Case {
    let mut pools: Vec<C> = (0..POOLS).map(|_| C::new()).collect();
    let company: Vec<_> = pools.iter_mut().map(company).collect();
    Case::batches(C::NAME, POOLS, move || {
        black_box(&company);
        for pool in &mut pools {
            pair(pool, 7);
        }
    })
}

/// 1,000 objects in eight pools. A random one is freed, and a new one is allocated in a random pool.
pub(super) fn random_pools() -> Vec<Case> {
    vec![
        scattered::<Acedia<Words<8>>>(),
        scattered::<Slots<Words<8>>>(),
        scattered::<Boxed<Words<8>>>(),
        scattered::<Bare<Words<8>>>(),
    ]
}

fn scattered<C: Contender>() -> Case {
    const ALIVE: usize = 1000;
    let mut pools: Vec<C> = (0..8).map(|_| C::new()).collect();
    let (mut pool, mut place) = (random(), random());
    let mut owners: Vec<_> = (0..ALIVE)
        .map(|_| {
            let at = pool(8);
            Some((at, pools[at].allocate(7)))
        })
        .collect();
    Case::each(C::NAME, move || {
        let owner = &mut owners[place(ALIVE)];
        let (at, old) = owner.take().expect("it is alive");
        pools[at].free(old);
        let at = pool(8);
        *owner = Some((at, pools[at].allocate(black_box(7))));
    })
}

/// A pair of a pool with a bound, and of one without.
pub(super) fn bounded() -> Vec<Case> {
    type Object = Words<2>;
    let pair = |name, pool: acedia::Pool<Object>| {
        Case::each(name, move || {
            drop(black_box(pool.allocate_with(|object| object.fill(7))));
        })
    };
    vec![
        pair(ACEDIA, acedia::Pool::new().bounded(1000)),
        pair("acedia without a bound", acedia::Pool::new()),
    ]
}

pub(super) fn bursts<P: Payload>() -> Vec<Case> {
    contenders!(burst, P)
}

/// Objects that are allocated, then freed in the same order.
fn burst<C: Contender>() -> Case {
    const SIZE: u64 = 2000;
    let mut contender = C::new();
    let mut owners = Vec::new();
    Case::batches(C::NAME, 2000, move || {
        owners.extend((0..SIZE).map(|seed| contender.allocate(black_box(seed))));
        owners.drain(..).for_each(|owner| contender.free(owner));
    })
}

pub(super) fn replacements<P: Payload, const ALIVE: usize>() -> Vec<Case> {
    contenders!(replacement, P, ALIVE)
}

/// Objects at random places are freed, and new ones take their places.
fn replacement<C: Contender>(alive: usize) -> Case {
    let mut contender = C::new();
    let mut owners: Vec<_> = (0..alive as u64).map(|seed| Some(contender.allocate(seed))).collect();
    let mut place = random();
    let mut replace = move |n| {
        for seed in 0..n {
            let owner = &mut owners[place(alive)];
            contender.free(owner.take().expect("it is alive"));
            *owner = Some(contender.allocate(black_box(seed)));
        }
    };
    // This scatters the slots as in a program that has run for a long time.
    replace(4 * alive as u64);
    Case::new(C::NAME, replace)
}

const GROWN: usize = 100_000;

pub(super) fn growth() -> Vec<Case> {
    let mut cases = contenders!(growing, Words<2>);
    // Acedia and sharded-slab do not run as contenders, which leak their pools: only their rounds would wait for new pages from the
    // system.
    cases[0] = Case::fixed(ACEDIA, GROWN, || {
        let pool = acedia::Pool::<Words<2>>::new();
        grown(|seed| {
            let owner = pool.allocate_with(|object| object.fill(seed));
            black_box(owner.handle());
            owner
        })
        .0
    });
    cases[2] = Case::fixed(Slab::<Words<2>>::NAME, GROWN, || {
        let pool = sharded_slab::Pool::<Words<2>>::new();
        grown(|seed| {
            pool.create_with(|object| object.fill(seed))
                .expect("the shard has room")
        })
        .0
    });
    cases
}

/// Only the allocations are measured, not the frees.
fn growing<C: Contender>() -> Case {
    Case::fixed(C::NAME, GROWN, || {
        let mut contender = C::new();
        let (total, owners) = grown(|seed| contender.allocate(seed));
        owners.into_iter().for_each(|owner| contender.free(owner));
        total
    })
}

fn grown<O>(mut allocate: impl FnMut(u64) -> O) -> (f64, Vec<O>) {
    let mut owners = Vec::with_capacity(GROWN);
    let total = nanoseconds(|| owners.extend((0..GROWN as u64).map(|seed| allocate(black_box(seed)))));
    (total, owners)
}

/// Creates a pool, allocates one object and drops both.
pub(super) fn small_pools() -> Vec<Case> {
    type Object = Words<2>;
    vec![
        Case::each(ACEDIA, || {
            let pool = acedia::Pool::<Object>::new();
            black_box(pool.allocate().handle());
        }),
        Case::each("slotmap", || {
            let mut map = slotmap::SlotMap::new();
            map.insert(Object::make(7));
            map
        }),
        Case::each("sharded-slab", || {
            let pool = sharded_slab::Pool::<Object>::new();
            black_box(pool.create_with(|object| object.fill(7)));
            pool
        }),
        Case::each(BARE, || vec![Box::new(Object::make(7))]),
    ]
}

pub(super) fn clones() -> Vec<Case> {
    let mut pool = Acedia::<Words<2>>::new();
    let (ours, theirs) = (pool.allocate(7), Counted::<Words<2>>::new().allocate(7));
    vec![
        Case::each(ACEDIA, move || drop(black_box(black_box(&ours).clone()))),
        Case::each("Arc", move || drop(black_box(Arc::clone(black_box(&theirs))))),
    ]
}
