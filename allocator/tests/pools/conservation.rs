//! Several threads at random against a naive model: no handle is issued twice, no stale handle resolves, nothing is lost.
//!
//! The model is a function from handles to numbers. Each life writes a number of its own into its object before another thread
//! can see it. A thread that resolves a handle must find that very number, whole, as long as its pin or guard lasts.
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use acedia::pool::{Global, Hooks};
use acedia::{Guard, Handle, Owned, Pool, PoolPolicy, pin};

use super::support::{Barrier, LAST_LIFE, Rng, alone, beside, crew, existing, hooks, sized, together};

/// The number of a life in three ways, so that a torn or half-made object shows.
#[derive(Default)]
struct Body {
    number: u64,
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
        self.owned.clear();
        self.owned.extend([number, number ^ 1, number ^ 2]);
        self.mark = !number;
    }

    fn clear(&mut self) {
        self.mark = 0;
        self.number = 0;
    }

    /// The number, if the object is whole.
    #[track_caller]
    fn read(&self) -> u64 {
        let number = self.number;
        assert_eq!(self.owned, [number, number ^ 1, number ^ 2], "torn");
        assert_eq!(self.mark, !number, "torn, or ended while visible");
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

impl<const N: usize> Object<N> {
    fn make() -> Self {
        MADE[N].fetch_add(1, Ordering::Relaxed);
        Self::default()
    }
}

// With a finalizer: kind 0; without: kind 1.
hooks!(Ending: Object<0> = Object::make(), begin |_| _ = BEGUN.fetch_add(1, Ordering::Relaxed), end |object| {
    ENDED.fetch_add(1, Ordering::Relaxed);
    object.0.clear();
});
hooks!(Unending: Object<1> = Object::make(), begin |object| object.0.clear());

type Known<const N: usize> = (Handle<Object<N>>, u64);

/// Handles that threads have told each other of; many are stale.
struct Board<const N: usize>(Mutex<Vec<Known<N>>>);

impl<const N: usize> Board<N> {
    fn list(&self) -> std::sync::MutexGuard<'_, Vec<Known<N>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, known: Known<N>, rng: &mut Rng) {
        let mut list = self.list();
        if list.len() < 256 {
            list.push(known);
        } else {
            list[rng.below(256)] = known;
        }
    }

    fn any(&self, rng: &mut Rng) -> Option<Known<N>> {
        let list = self.list();
        (!list.is_empty()).then(|| list[rng.below(list.len())])
    }
}

type Mine<'p, const N: usize, H> = Owned<Object<N>, &'p Pool<Object<N>, H>>;
type Guarded<'p, const N: usize, H> = Guard<Object<N>, &'p Pool<Object<N>, H>>;

/// One thread's part of a run.
struct Worker<'p, const N: usize, H: Hooks<Object<N>, Readers = Global>> {
    pool: &'p Pool<Object<N>, H>,
    board: &'p Board<N>,
    manual: &'p Board<N>,
    rng: Rng,
    owners: Vec<(Mine<'p, N, H>, Option<Known<N>>, u64)>,
    guards: Vec<(Guarded<'p, N, H>, u64)>,
    issued: Vec<Known<N>>,
    /// Handles of lives that this thread ended itself.
    stale: Vec<Handle<Object<N>>>,
    resolved: u64,
    refused: u64,
}

impl<const N: usize, H: Hooks<Object<N>, Readers = Global>> Worker<'_, N, H> {
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
        let handle = reserved.handle();
        self.issued.push((handle, number));
        self.board.post((handle, number), &mut self.rng);
        assert!(!self.pool.contains(handle), "visible before it is filled");
        if self.rng.below(4) == 0 {
            drop(reserved);
            self.stale.push(handle);
        } else {
            let owner = reserved.fill(|object| object.0.fill(number));
            assert_eq!(owner.handle(), handle);
            self.owners.push((owner, Some((handle, number)), number));
        }
    }

    /// The handle of an owned object, which is issued now or was before.
    fn expose(&mut self, at: usize) -> Known<N> {
        let (owner, known, number) = &mut self.owners[at];
        let handle = owner.handle();
        if let Some((before, _)) = *known {
            assert_eq!(before, handle, "one life, one handle");
        } else {
            *known = Some((handle, *number));
            self.issued.push((handle, *number));
        }
        (handle, *number)
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
        if let (Some((handle, _)), false) = (known, shared) {
            assert!(
                self.pool.get(handle, &pin()).is_none(),
                "alive after the end of its life"
            );
            self.stale.push(handle);
        }
    }

    fn read(&mut self) {
        let pinned = pin();
        for _ in 0..4 {
            let Some((handle, number)) = self.board.any(&mut self.rng) else {
                return;
            };
            let Some(object) = self.pool.get(handle, &pinned) else {
                self.refused += 1;
                continue;
            };
            self.resolved += 1;
            assert_eq!(object.0.read(), number, "{handle:?} leads to another life");
            if self.rng.below(8) == 0 {
                thread::yield_now();
                assert_eq!(object.0.read(), number, "{handle:?} ended under a pin");
            }
        }
        if !self.stale.is_empty() {
            let handle = self.stale[self.rng.below(self.stale.len())];
            assert!(self.pool.get(handle, &pinned).is_none(), "a stale handle came back");
            assert!(self.pool.guard(handle).is_none());
        }
    }

    fn guard(&mut self) {
        if self.guards.len() > 3 || self.rng.below(3) == 0 {
            if let Some((guard, number)) = self.guards.pop() {
                assert_eq!(guard.0.read(), number, "ended under a guard");
            }
        } else if let Some((handle, number)) = self.board.any(&mut self.rng) {
            if let Some(guard) = self.pool.guard(handle) {
                self.resolved += 1;
                assert_eq!(guard.0.read(), number, "{handle:?} leads to another life");
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
        let choice = self.rng.below(32);
        let at = self.rng.below(self.owners.len().max(1));
        match choice {
            0..8 if self.owners.len() < 40 => self.allocate(),
            8..10 if self.owners.len() < 40 => self.reserve(),
            0..14 => self.free_one(),
            28 => self.free_by_handle(),
            30 if self.rng.below(64) == 0 => drop(self.pool.collect()),
            31 if self.rng.below(64) == 0 => self.wear_out(),
            23..26 => self.guard(),
            14..17 | 26 | 27 | 29 if self.owners.is_empty() => {}
            14..17 => {
                let known = self.expose(at);
                self.board.post(known, &mut self.rng);
            }
            26 => {
                // Another owner on this thread.
                let known = self.expose(at);
                let (owner, number) = (self.owners[at].0.clone(), self.owners[at].2);
                self.owners.push((owner, Some(known), number));
            }
            27 => {
                // The first thread that frees it by handle succeeds.
                let known = self.expose(at);
                let (owner, ..) = self.owners.swap_remove(at);
                assert_eq!(owner.into_manual(), known.0);
                self.board.post(known, &mut self.rng);
                self.manual.list().push(known);
            }
            29 => {
                let (owner, _, number) = &mut self.owners[at];
                let write_again = |object: &mut Object<N>| {
                    assert_eq!(object.0.read(), *number);
                    // Hidden meanwhile: no other thread may see this.
                    object.0.clear();
                    object.0.fill(*number);
                };
                let _ = owner.exclusive(write_again);
                owner.get_mut().map(write_again);
            }
            _ => self.read(),
        }
    }

    /// Frees an object by handle while others try the same: one of them succeeds.
    fn free_by_handle(&mut self) {
        let Some((handle, number)) = self.manual.any(&mut self.rng) else {
            return;
        };
        if let Ok(owner) = self.pool.reclaim(handle) {
            assert_eq!(owner.0.read(), number, "freed another life");
            if self.rng.below(4) == 0 {
                let known = Some((handle, number));
                self.owners.push((owner, known, number));
            }
        }
    }

    /// Brings a slot to its last life.
    fn wear_out(&mut self) {
        let number = Self::number();
        if let Ok(mut owner) = self.pool.try_allocate_with(|object| object.0.fill(number)) {
            self.pool.skip_lives(&mut owner, LAST_LIFE);
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

impl Run {
    fn of(seed: u64, options: impl FnOnce(&mut Self)) -> Self {
        let mut run = Self {
            seed,
            ..Self::default()
        };
        options(&mut run);
        run
    }
}

fn run<const N: usize, H: Hooks<Object<N>, Readers = Global>>(run: Run) {
    let _alone = alone();
    let threads = 3_u64;
    let generations = run.generations.max(1);
    let steps = sized(12_000, 100_000, 60) / generations;
    for counter in [&MADE[N], &DROPPED[N], &BEGUN, &ENDED] {
        counter.store(0, Ordering::Relaxed);
    }
    let mut pool: Pool<Object<N>, H> = Pool::with_hooks().keep(run.policy);
    if let Some(bound) = run.bound {
        pool = pool.bounded(bound);
    }
    let pool = pool;
    let (board, manual) = (Board(Mutex::default()), Board(Mutex::default()));
    let mut all: HashMap<Handle<Object<N>>, u64> = HashMap::new();
    let (mut resolved, mut refused) = (0, 0);
    let work = |seed| {
        let mut worker = Worker {
            pool: &pool,
            board: &board,
            manual: &manual,
            rng: Rng(seed),
            owners: Vec::new(),
            guards: Vec::new(),
            issued: Vec::new(),
            stale: Vec::new(),
            resolved: 0,
            refused: 0,
        };
        (0..steps).for_each(|_| worker.step());
        (worker.issued, worker.resolved, worker.refused)
    };
    let round = AtomicUsize::new(0);
    let shift = || {
        let policies = [PoolPolicy::KeepNone, PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(5)];
        pool.set_policy(policies[round.fetch_add(1, Ordering::Relaxed) % 3])
            .unwrap();
        thread::yield_now();
    };
    beside(usize::from(run.shifting), shift, || {
        for generation in 0..generations as u64 {
            let seeds = (0..threads).map(|thread| run.seed ^ generation << 32 ^ thread << 48);
            for (issued, saw, missed) in together(seeds, work) {
                resolved += saw;
                refused += missed;
                for (handle, number) in issued {
                    let before = all.insert(handle, number);
                    assert!(
                        before.is_none(),
                        "{handle:?} was issued twice, for {before:?} and {number}"
                    );
                }
            }
        }
    });
    for &(handle, _) in &*manual.list() {
        let _ = pool.free(handle);
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
    for &handle in all.keys() {
        assert!(!pool.contains(handle), "{what}: alive without an owner");
    }
    // Every slot that is not worn can be allocated again: the kept ones come before a new one.
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

/// Runs with objects with a finalizer, and without.
fn run_both(options: Run) {
    run::<0, Ending>(options);
    run::<1, Unending>(options);
}

#[test]
fn keeping_all() {
    (1..=3).for_each(|seed| run_both(Run::of(seed, |_| ())));
}

#[test]
fn on_threads_that_come_and_go() {
    run_both(Run::of(10, |run| run.generations = 20));
}

#[test]
fn under_limits() {
    for policy in [PoolPolicy::KeepAtMost(7), PoolPolicy::KeepNone] {
        run_both(Run::of(20, |run| run.policy = policy));
    }
    run_both(Run::of(21, |run| run.bound = Some(60)));
}

#[test]
fn while_the_policy_changes() {
    run_both(Run::of(30, |run| run.shifting = true));
}

/// Full magazines while another thread removes the limit and sets it again.
#[test]
fn full_magazines_while_the_policy_changes() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let work = |seed| {
        let (mut rng, mut owners) = (Rng(seed), Vec::new());
        for _ in 0..sized(2_000, 30_000, 5) {
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
    };
    // Idle threads with magazines: the more there are, the longer a change of the policy takes.
    let idle = sized(64, 64, 2);
    let (joined, done) = (Barrier::new(idle + 1), Barrier::new(idle + 1));
    let rest = |_| {
        drop(pool.allocate());
        joined.wait();
        done.wait();
    };
    let shift = || {
        pool.set_policy(PoolPolicy::KeepAtMost(1 << 20)).unwrap();
        pool.set_policy(PoolPolicy::KeepAll).unwrap();
    };
    crew(0..idle, rest, || {
        joined.wait();
        beside(1, shift, || together([0, 1], work));
        done.wait();
    });
    let stats = pool.stats();
    assert_eq!(stats.live, 0);
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    let _all: Vec<_> = (0..stats.kept).map(|_| pool.allocate()).collect();
    assert_eq!(pool.stats().kept, 0, "free objects are out of reach");
}

/// A thread that uses more pools than any cache of it holds, with full magazines in each.
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
