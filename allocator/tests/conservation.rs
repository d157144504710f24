//! Several threads at random against a naive model: no key is issued twice, no stale key leads anywhere, nothing is lost.
//!
//! The model is a function from keys to numbers. Each life writes a number of its own into its object before another thread
//! can see it. A thread that resolves a key must find that very number, whole, as long as its pin or guard lasts.
#![allow(clippy::too_many_lines, reason = "one run, from start to end")]

mod support;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;

use acedia::PoolPolicy;
use acedia::pool::{Guard, Handle, Hooks, Owned, Pool, pin};
use support::{Rng, alone, existing, sized};

/// The number of a life, four times in four ways, so that a torn or half-made object shows.
#[derive(Default)]
struct Body {
    number: u64,
    inverse: u64,
    owned: Vec<u64>,
    mark: u64,
}

const KINDS: usize = 2;
static MADE: [AtomicU64; KINDS] = [const { AtomicU64::new(0) }; KINDS];
static DROPPED: [AtomicU64; KINDS] = [const { AtomicU64::new(0) }; KINDS];
static BEGUN: AtomicU64 = AtomicU64::new(0);
static ENDED: AtomicU64 = AtomicU64::new(0);
static NUMBERS: AtomicU64 = AtomicU64::new(1);

impl Body {
    fn fill(&mut self, number: u64) {
        assert_eq!(self.mark, 0, "handed out while alive");
        self.number = number;
        self.inverse = !number;
        self.owned.clear();
        self.owned.extend([number, number ^ 1, number ^ 2]);
        self.mark = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    }

    fn clear(&mut self) {
        self.mark = 0;
        self.number = 0;
        self.inverse = 0;
    }

    /// The number, if the object is whole.
    #[track_caller]
    fn read(&self) -> u64 {
        let number = self.number;
        assert_eq!(self.inverse, !number, "torn, or ended while visible");
        assert_eq!(self.owned, [number, number ^ 1, number ^ 2], "torn");
        assert_eq!(
            self.mark,
            number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            "ended while visible"
        );
        number
    }
}

/// An object of a pool of kind `N`, counted.
#[derive(Default)]
struct Object<const N: usize>(Body);

impl<const N: usize> Drop for Object<N> {
    fn drop(&mut self) {
        DROPPED[N].fetch_add(1, Ordering::Relaxed);
    }
}

/// With a finalizer: kind 0.
struct Ending;

impl Hooks<Object<0>> for Ending {
    type Readers = acedia::pool::Global;

    fn make() -> Object<0> {
        MADE[0].fetch_add(1, Ordering::Relaxed);
        Object::default()
    }

    fn begin(_: &mut Object<0>) {
        BEGUN.fetch_add(1, Ordering::Relaxed);
    }

    const END: Option<fn(&mut Object<0>)> = Some(|object| {
        ENDED.fetch_add(1, Ordering::Relaxed);
        object.0.clear();
    });
}

/// Without: kind 1.
struct Unending;

impl Hooks<Object<1>> for Unending {
    type Readers = acedia::pool::Global;

    fn make() -> Object<1> {
        MADE[1].fetch_add(1, Ordering::Relaxed);
        Object::default()
    }

    fn begin(object: &mut Object<1>) {
        object.0.clear();
    }
}

type Known<const N: usize> = (Handle<Object<N>>, u64);

/// Keys that threads have told each other of; many are stale.
struct Board<const N: usize>(Mutex<Vec<Known<N>>>);

impl<const N: usize> Board<N> {
    fn post(&self, known: Known<N>, rng: &mut Rng) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if list.len() < 256 {
            list.push(known);
        } else {
            list[rng.below(256)] = known;
        }
    }

    fn any(&self, rng: &mut Rng) -> Option<Known<N>> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (!list.is_empty()).then(|| list[rng.below(list.len())])
    }
}

type Mine<'p, const N: usize, H> = Owned<Object<N>, &'p Pool<Object<N>, H>>;
type Guarded<'p, const N: usize, H> = Guard<Object<N>, &'p Pool<Object<N>, H>>;

/// One thread's part of a run.
struct Worker<'p, const N: usize, H: Hooks<Object<N>, Readers = acedia::pool::Global>> {
    pool: &'p Pool<Object<N>, H>,
    board: &'p Board<N>,
    manual: &'p Board<N>,
    rng: Rng,
    owners: Vec<(Mine<'p, N, H>, Option<Known<N>>, u64)>,
    guards: Vec<(Guarded<'p, N, H>, u64)>,
    issued: Vec<Known<N>>,
    /// Keys of lives that this thread ended itself.
    stale: Vec<Handle<Object<N>>>,
    /// Reservations dropped without an object in them.
    resolved: u64,
    refused: u64,
}

impl<const N: usize, H: Hooks<Object<N>, Readers = acedia::pool::Global>> Worker<'_, N, H> {
    fn number() -> u64 {
        NUMBERS.fetch_add(1, Ordering::Relaxed)
    }

    fn allocate(&mut self) {
        let number = Self::number();
        if let Ok(owner) = self.pool.try_allocate_with(|object| object.0.fill(number)) {
            self.owners.push((owner, None, number));
        }
    }

    fn reserve(&mut self) {
        let Ok(reserved) = self.pool.try_reserve() else { return };
        let number = Self::number();
        let key = reserved.handle();
        self.issued.push((key, number));
        self.board.post((key, number), &mut self.rng);
        assert!(!self.pool.contains(key), "visible before it is filled");
        if self.rng.below(4) == 0 {
            drop(reserved);
            self.stale.push(key);
        } else {
            let owner = reserved.fill(|object| object.0.fill(number));
            assert_eq!(owner.handle(), key);
            self.owners.push((owner, Some((key, number)), number));
        }
    }

    /// The key of an owned object, which is issued now or was before.
    fn expose(&mut self, at: usize) -> Known<N> {
        let (owner, known, number) = &mut self.owners[at];
        let key = owner.handle();
        if let Some((before, _)) = *known {
            assert_eq!(before, key, "one life, one key");
        } else {
            *known = Some((key, *number));
            self.issued.push((key, *number));
        }
        (key, *number)
    }

    fn free_one(&mut self) {
        if self.owners.is_empty() {
            return;
        }
        let at = self.rng.below(self.owners.len());
        let (owner, known, number) = self.owners.swap_remove(at);
        assert_eq!(owner.0.read(), number);
        let shared = owner.owners() > 1;
        owner.free();
        if let (Some((key, _)), false) = (known, shared) {
            assert!(self.pool.get(key, &pin()).is_none(), "alive after the end of its life");
            self.stale.push(key);
        }
    }

    fn read(&mut self) {
        let pinned = pin();
        for _ in 0..4 {
            let Some((key, number)) = self.board.any(&mut self.rng) else {
                return;
            };
            match self.pool.get(key, &pinned) {
                Some(object) => {
                    self.resolved += 1;
                    assert_eq!(object.0.read(), number, "{key:?} leads to another life");
                    if self.rng.below(8) == 0 {
                        thread::yield_now();
                        assert_eq!(object.0.read(), number, "{key:?} ended under a pin");
                    }
                }
                None => self.refused += 1,
            }
        }
        if !self.stale.is_empty() {
            let key = self.stale[self.rng.below(self.stale.len())];
            assert!(self.pool.get(key, &pinned).is_none(), "a stale key came back");
            assert!(self.pool.guard(key).is_none());
        }
    }

    fn guard(&mut self) {
        if self.guards.len() > 3 || self.rng.below(3) == 0 {
            if let Some((guard, number)) = self.guards.pop() {
                assert_eq!(guard.0.read(), number, "ended under a guard");
            }
        } else if let Some((key, number)) = self.board.any(&mut self.rng) {
            if let Some(guard) = self.pool.guard(key) {
                self.resolved += 1;
                assert_eq!(guard.0.read(), number, "{key:?} leads to another life");
                if self.rng.below(4) == 0 {
                    self.guards.push((guard.clone(), number));
                }
                self.guards.push((guard, number));
            } else {
                self.refused += 1;
            }
        }
    }

    fn step(&mut self) {
        match self.rng.below(32) {
            0..8 if self.owners.len() < 40 => self.allocate(),
            8..10 if self.owners.len() < 40 => self.reserve(),
            0..14 => self.free_one(),
            14..17 if !self.owners.is_empty() => {
                let at = self.rng.below(self.owners.len());
                let known = self.expose(at);
                self.board.post(known, &mut self.rng);
            }
            23..26 => self.guard(),
            26 if !self.owners.is_empty() => {
                // Another owner, here.
                let at = self.rng.below(self.owners.len());
                let known = self.expose(at);
                let (owner, number) = (self.owners[at].0.clone(), self.owners[at].2);
                self.owners.push((owner, Some(known), number));
            }
            27 if !self.owners.is_empty() => {
                // The first thread that frees it by key succeeds.
                let at = self.rng.below(self.owners.len());
                let known = self.expose(at);
                let (owner, ..) = self.owners.swap_remove(at);
                assert_eq!(owner.into_manual(), known.0);
                self.board.post(known, &mut self.rng);
                self.manual.0.lock().unwrap_or_else(PoisonError::into_inner).push(known);
            }
            28 => self.free_by_key(),
            29 if !self.owners.is_empty() => {
                let at = self.rng.below(self.owners.len());
                let (owner, _, number) = &mut self.owners[at];
                let number = *number;
                let _ = owner.exclusive(|object| {
                    assert_eq!(object.0.read(), number);
                    // Out of sight: no other thread may see this.
                    object.0.clear();
                    object.0.fill(number);
                });
                if let Some(object) = owner.get_mut() {
                    object.0.clear();
                    object.0.fill(number);
                }
            }
            30 if self.rng.below(64) == 0 => drop(self.pool.collect()),
            31 if self.rng.below(64) == 0 => self.wear_out(),
            _ => self.read(),
        }
    }

    /// Frees by key what others race for: one of them succeeds.
    fn free_by_key(&mut self) {
        let Some((key, number)) = self.manual.any(&mut self.rng) else {
            return;
        };
        if let Ok(owner) = self.pool.reclaim(key) {
            assert_eq!(owner.0.read(), number, "freed another life");
            if self.rng.below(4) == 0 {
                let known = Some((key, number));
                self.owners.push((owner, known, number));
            }
        }
    }

    /// Brings a slot to its last life.
    fn wear_out(&mut self) {
        let number = Self::number();
        if let Ok(mut owner) = self.pool.try_allocate_with(|object| object.0.fill(number)) {
            self.pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
            self.owners.push((owner, None, number));
            let at = self.owners.len() - 1;
            let known = self.expose(at);
            self.board.post(known, &mut self.rng);
        }
    }
}

/// Options of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    seed: u64,
    bound: Option<usize>,
    policy: PoolPolicy,
    shifting: bool,
    /// Threads end and start again in between.
    generations: usize,
}

fn run<const N: usize, H: Hooks<Object<N>, Readers = acedia::pool::Global>>(run: Run) {
    let _alone = alone();
    let threads = 3;
    let steps = sized(12_000, 100_000, 60) / run.generations.max(1);
    for counters in [&MADE, &DROPPED] {
        counters[N].store(0, Ordering::Relaxed);
    }
    BEGUN.store(0, Ordering::Relaxed);
    ENDED.store(0, Ordering::Relaxed);
    let mut pool: Pool<Object<N>, H> = Pool::with_hooks().keep(run.policy);
    if let Some(bound) = run.bound {
        pool = pool.bounded(bound);
    }
    let pool = pool;
    let (board, manual) = (Board(Mutex::default()), Board(Mutex::default()));
    let mut all: HashMap<Handle<Object<N>>, u64> = HashMap::new();
    let (mut resolved, mut refused) = (0, 0);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let shifter = run.shifting.then(|| {
            scope.spawn(|| {
                let policies = [PoolPolicy::KeepNone, PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(5)];
                for policy in policies.into_iter().cycle() {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    pool.set_policy(policy).unwrap();
                    thread::yield_now();
                }
            })
        });
        for generation in 0..run.generations.max(1) {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    let (pool, board, manual) = (&pool, &board, &manual);
                    scope.spawn(move || {
                        let mut worker = Worker {
                            pool,
                            board,
                            manual,
                            rng: Rng(run.seed ^ (generation as u64) << 32 ^ thread << 48),
                            owners: Vec::new(),
                            guards: Vec::new(),
                            issued: Vec::new(),
                            stale: Vec::new(),
                            resolved: 0,
                            refused: 0,
                        };
                        for _ in 0..steps {
                            worker.step();
                        }
                        (worker.issued, worker.resolved, worker.refused)
                    })
                })
                .collect();
            for worker in workers {
                let (issued, saw, missed) = worker.join().unwrap();
                resolved += saw;
                refused += missed;
                for (key, number) in issued {
                    let before = all.insert(key, number);
                    assert!(
                        before.is_none(),
                        "{key:?} was issued twice, for {before:?} and {number}"
                    );
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
        if let Some(shifter) = shifter {
            shifter.join().unwrap();
        }
    });
    for &(key, _) in &*manual.0.lock().unwrap() {
        let _ = pool.free(key);
    }
    drop(pin());
    let what = format!("{run:?}");
    assert!(
        cfg!(miri) || (resolved > 100 && refused > 100),
        "{what}: {resolved}, {refused}"
    );
    let (made, dropped) = (MADE[N].load(Ordering::Relaxed), DROPPED[N].load(Ordering::Relaxed));
    let stats = pool.stats();
    assert_eq!((stats.live, stats.kept), (0, made - dropped), "{what}: {stats:?}");
    if H::END.is_some() {
        let (begun, ended) = (BEGUN.load(Ordering::Relaxed), ENDED.load(Ordering::Relaxed));
        assert_eq!(begun, ended, "{what}: {stats:?}");
    }
    for &key in all.keys() {
        assert!(!pool.contains(key), "{what}: alive without an owner");
    }
    // Every slot that is not worn can be had again: as many as are kept come without a new one.
    let again: Vec<_> = if run.bound.is_none() && !run.shifting && run.policy == PoolPolicy::KeepAll {
        (0..stats.kept).map(|_| pool.allocate()).collect()
    } else {
        Vec::new()
    };
    assert_eq!(MADE[N].load(Ordering::Relaxed), made, "{what}: a free object was lost");
    for owner in again {
        assert!(all.insert(owner.handle(), 0).is_none(), "{what}: issued twice");
    }
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    pool.collect();
    assert_eq!(pool.stats().kept, 0, "{what}: a collection missed some");
    assert_eq!(DROPPED[N].load(Ordering::Relaxed), made, "{what}");
    drop(pool);
    assert_eq!(DROPPED[N].load(Ordering::Relaxed), made, "{what}: dropped twice");
}

#[test]
fn keeping_all() {
    for seed in 1..=3 {
        let quiet = Run { seed, ..Run::default() };
        run::<0, Ending>(quiet);
        run::<1, Unending>(quiet);
    }
}

#[test]
fn on_threads_that_come_and_go() {
    let changing = Run {
        seed: 10,
        generations: 20,
        ..Run::default()
    };
    run::<0, Ending>(changing);
    run::<1, Unending>(changing);
}

#[test]
fn under_limits() {
    for policy in [PoolPolicy::KeepAtMost(7), PoolPolicy::KeepNone] {
        let limited = Run {
            seed: 20,
            policy,
            ..Run::default()
        };
        run::<0, Ending>(limited);
        run::<1, Unending>(limited);
    }
    let bounded = Run {
        seed: 21,
        bound: Some(60),
        ..Run::default()
    };
    run::<0, Ending>(bounded);
    run::<1, Unending>(bounded);
}

#[test]
fn while_the_policy_changes() {
    let shifting = Run {
        seed: 30,
        shifting: true,
        ..Run::default()
    };
    run::<0, Ending>(shifting);
    run::<1, Unending>(shifting);
}

/// Allocates and frees at random, and wears some slots out. Notes all slots, and those that are worn.
fn wear_out<'p>(
    pool: &'p Pool<u64>,
    owners: &mut Vec<Owned<u64, &'p Pool<u64>>>,
    seen: &mut [HashSet<u32>; 2],
    rng: &mut Rng,
) {
    for _ in 0..sized(300, 3000, 10) {
        owners.truncate(rng.below(100));
        for _ in 0..rng.below(30) {
            let mut owner = pool.allocate();
            seen[0].insert(owner.index());
            match rng.below(8) {
                0 => {
                    pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
                    let _ = owner.handle();
                    assert!(seen[1].insert(owner.index()), "used again after its last life");
                }
                1..4 => drop(pool.guard(owner.handle())),
                _ => (),
            }
            owners.push(owner);
        }
    }
}

/// While slots wear out on several threads, each slot that there is is free, alive or worn, and none is two of them.
#[test]
fn free_and_alive_and_worn_are_all() {
    const THREADS: usize = 3;
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let (middle, go_on) = (Barrier::new(THREADS + 1), Barrier::new(THREADS + 1));
    let (mut seen, mut worn) = (HashSet::new(), HashSet::new());
    thread::scope(|scope| {
        let workers: Vec<_> = (1..=THREADS as u64)
            .map(|thread| {
                let (pool, middle, go_on) = (&pool, &middle, &go_on);
                scope.spawn(move || {
                    let mut rng = Rng(thread);
                    let (mut owners, mut seen) = (Vec::new(), [HashSet::new(), HashSet::new()]);
                    wear_out(pool, &mut owners, &mut seen, &mut rng);
                    middle.wait();
                    go_on.wait();
                    wear_out(pool, &mut owners, &mut seen, &mut rng);
                    drop(owners);
                    seen
                })
            })
            .collect();
        middle.wait();
        let stats = pool.stats();
        assert!(cfg!(miri) || stats.live > 0, "{stats:?}");
        go_on.wait();
        for worker in workers {
            let [here, worn_here] = worker.join().unwrap();
            seen.extend(here);
            let so_far = worn.len();
            worn.extend(&worn_here);
            assert_eq!(
                worn.len(),
                so_far + worn_here.len(),
                "two threads had the last life of a slot"
            );
        }
    });
    pool.settle();
    let stats = pool.stats();
    assert!(cfg!(miri) || worn.len() > 100, "{stats:?}");
    assert_eq!(
        (stats.live, stats.kept),
        (0, (seen.len() - worn.len()) as u64),
        "{stats:?}"
    );
    // Those that are free are just those that did not wear out.
    let all: Vec<_> = (0..stats.kept).map(|_| pool.allocate()).collect();
    let again: HashSet<_> = all.iter().map(Owned::index).collect();
    assert_eq!(again, &seen - &worn);
    assert_ne!(pool.allocate().index(), all[0].index());
}

/// Magazines full to the brim while another thread takes the limit away and gives it back.
#[test]
fn full_magazines_while_the_policy_changes() {
    let _alone = alone();
    let rounds = sized(3_000, 30_000, 5);
    let pool: Pool<u64> = Pool::new();
    let stop = AtomicBool::new(false);
    // Idle threads with magazines: the more there are, the longer a change of the policy takes.
    let idle = sized(64, 64, 2);
    let (joined, done) = (Barrier::new(idle + 1), Barrier::new(idle + 1));
    thread::scope(|scope| {
        let sleepers: Vec<_> = (0..idle)
            .map(|_| {
                scope.spawn(|| {
                    drop(pool.allocate());
                    joined.wait();
                    done.wait();
                })
            })
            .collect();
        joined.wait();
        let shifter = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                pool.set_policy(PoolPolicy::KeepAtMost(1 << 20)).unwrap();
                pool.set_policy(PoolPolicy::KeepAll).unwrap();
            }
        });
        let workers: Vec<_> = (0..2_u64)
            .map(|thread| {
                let pool = &pool;
                scope.spawn(move || {
                    let mut rng = Rng(thread);
                    let mut owners = Vec::new();
                    for _ in 0..rounds {
                        for _ in 0..rng.below(200) {
                            let owner = pool.allocate();
                            if rng.below(2) == 0 {
                                let _ = owner.handle();
                            }
                            owners.push(owner);
                        }
                        let guard = owners.last().and_then(|owner| pool.guard(owner.handle()));
                        owners.truncate(rng.below(100));
                        drop(guard);
                    }
                })
            })
            .collect();
        let results: Vec<_> = workers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        stop.store(true, Ordering::Relaxed);
        shifter.join().unwrap();
        done.wait();
        for sleeper in sleepers {
            sleeper.join().unwrap();
        }
        for result in results {
            result.unwrap();
        }
    });
    let stats = pool.stats();
    assert_eq!(stats.live, 0);
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    assert_eq!(pool.collect().objects, stats.kept, "an object was lost");
}

/// A thread that goes from pool to pool, more of them than any cache of it holds, with full magazines in each.
#[test]
fn one_thread_and_many_pools() {
    let _alone = alone();
    let pools: Vec<Pool<u64>> = (0..40).map(|_| Pool::new()).collect();
    let mut rng = Rng(40);
    let mut owners: Vec<Vec<Owned<u64, &Pool<u64>>>> = pools.iter().map(|_| Vec::new()).collect();
    for _ in 0..sized(60_000, 600_000, 300) {
        let at = rng.below(pools.len());
        if owners[at].len() > 100 {
            let unseen = rng.below(100);
            owners[at].truncate(unseen);
        } else if rng.below(20) == 0 {
            owners[at].clear();
        } else {
            let owner = pools[at].allocate();
            if rng.below(2) == 0 {
                let _ = owner.handle();
            }
            owners[at].push(owner);
        }
    }
    for (pool, owners) in pools.iter().zip(owners) {
        assert_eq!(pool.stats().live, owners.len() as u64, "an object was lost");
        assert!(existing(pool.stats()) <= 300, "{:?}", pool.stats());
        drop(owners);
        let kept = pool.stats().kept;
        assert_eq!(pool.collect().objects, kept, "an object was lost");
    }
}
