//! Operations on several pools at a time, and the naive model that says what each must give.
//!
//! The model knows nothing of slots and magazines. It keeps, for every key that was ever issued, the number of the life
//! it names and whether that life goes on and can be seen. The pools must agree, for any bits at all.

pub mod actors;
pub mod array_ref;
pub mod collections;
pub mod erased;
pub mod json;
pub mod markup;
pub mod text;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use acedia_allocator::pool::{Guard, Hooks, Key, OwnedGuard, Owner, Pinned, Plain, Pool, Reserved, pin};
use acedia_allocator::{LifeVersion, PoolPolicy, Reason};
use arbitrary::Arbitrary;

/// Pools `0..3` are of one type, two of them with limits; `3` is of another type, with a finalizer.
const POOLS: u8 = 4;
/// Stands for every pool that was dropped.
const GONE: u8 = u8::MAX;
/// No more than this is alive at a time.
const MOST: usize = 300;

/// One step. Numbers choose among what there is, modulo its count.
#[derive(Arbitrary, Clone, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Allocate { pool: u8, fresh: bool, expose: bool },
    AllocateMany { pool: u8, count: u8, expose: bool },
    Expose { owner: u8 },
    Clone { owner: u8 },
    Drop { owner: u8 },
    Free { owner: u8 },
    DropMany { count: u8 },
    Exclusive { owner: u8 },
    Mutate { owner: u8 },
    IntoManual { owner: u8 },
    FreeKey { pool: u8, key: u16 },
    Reclaim { pool: u8, key: u16 },
    Reserve { pool: u8 },
    Fill { reserved: u8 },
    DropReserved { reserved: u8 },
    Pin,
    Unpin,
    Read { pool: u8, key: u16 },
    Guard { pool: u8, key: u16 },
    CloneGuard { guard: u8 },
    DropGuard { guard: u8 },
    Bits { pool: u8, bits: u64 },
    Near { pool: u8, key: u16, index: i8, life: i8 },
    LastLife { pool: u8 },
    Collect { pool: u8 },
    Policy { pool: u8, limit: i8 },
    Print { pool: u8 },
    Another { pool: u8 },
    AllocateWaiting { pool: u8, expose: bool },
    GuardOwned { pool: u8, key: u16 },
    DropOwnedGuard { guard: u8 },
    Erased(erased::Op),
}

/// An object with inner memory and a mark that shows when it is used at the wrong time.
#[derive(Default)]
struct Object {
    number: u64,
    owned: Vec<u64>,
}

impl Object {
    fn fill(&mut self, number: u64) {
        self.number = number;
        self.owned.clear();
        self.owned.push(number);
    }

    fn read(&self) -> u64 {
        assert_eq!(self.owned, [self.number], "torn, or ended while visible");
        self.number
    }
}

/// The objects of the pool with a finalizer: another type, and larger, so that its chunks have fewer slots.
struct Ended {
    object: Object,
    _large: [u64; 200],
}

struct Ending;

impl Hooks<Ended> for Ending {
    fn make() -> Ended {
        Ended {
            object: Object::default(),
            _large: [0; 200],
        }
    }

    fn begin(ended: &mut Ended) {
        assert_eq!(ended.object.number, 0, "not ended, or in use");
    }

    const END: Option<fn(&mut Ended)> = Some(|ended| {
        assert_ne!(ended.object.number, 0, "ended twice");
        ended.object.number = 0;
        ended.object.owned.clear();
    });
}

/// What the driver needs of an object, whatever its type.
trait Numbered: Send + Sync + 'static {
    fn object(&self) -> &Object;
    fn object_mut(&mut self) -> &mut Object;
}

impl Numbered for Object {
    fn object(&self) -> &Object {
        self
    }

    fn object_mut(&mut self) -> &mut Object {
        self
    }
}

impl Numbered for Ended {
    fn object(&self) -> &Object {
        &self.object
    }

    fn object_mut(&mut self) -> &mut Object {
        &mut self.object
    }
}

/// How an object is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Usual,
    Fresh,
    Waiting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Promised to a reservation.
    Reserved,
    Alive,
    Dead,
}

/// What the model knows of a key.
#[derive(Clone, Copy, Debug)]
struct Known {
    pool: u8,
    number: u64,
    state: State,
    /// Owners, a manual share included.
    owners: usize,
    manual: bool,
}

/// Everything that was ever issued, in any pool.
#[derive(Default)]
struct Model {
    keys: HashMap<Key, Known>,
    list: Vec<Key>,
    next: u64,
    /// Alive in each pool, exposed or not.
    live: [u64; POOLS as usize],
}

impl Model {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn issue(&mut self, key: Key, known: Known) {
        let before = self.keys.insert(key, known);
        assert!(before.is_none(), "{key:?} was issued twice: {before:?}, {known:?}");
        self.list.push(key);
    }

    fn any(&self, choice: u16) -> Option<Key> {
        (!self.list.is_empty()).then(|| self.list[usize::from(choice) % self.list.len()])
    }

    fn known(&mut self, key: Key) -> &mut Known {
        self.keys.get_mut(&key).expect("a key that was issued")
    }

    /// The number that `key` must lead to in `pool`, if it must lead anywhere.
    fn resolve(&self, pool: u8, key: Key) -> Option<u64> {
        let known = self.keys.get(&key)?;
        (known.pool == pool && known.state == State::Alive).then_some(known.number)
    }
}

/// An owner, its number, and its key if it was made.
struct Owned<'p, T: Numbered, H: Hooks<T>> {
    owner: Owner<'p, T, H>,
    number: u64,
    key: Option<Key>,
}

/// One pool and everything that borrows it.
struct Driver<'p, T: Numbered, H: Hooks<T>> {
    id: u8,
    pool: &'p Arc<Pool<T, H>>,
    bounded: Option<u64>,
    owners: Vec<Owned<'p, T, H>>,
    guards: Vec<(Guard<'p, T>, u64)>,
    owned_guards: Vec<(OwnedGuard<T, H>, u64)>,
    reserved: Vec<(Reserved<'p, T, H>, Key, u64)>,
}

impl<'p, T: Numbered, H: Hooks<T>> Driver<'p, T, H> {
    fn new(id: u8, pool: &'p Arc<Pool<T, H>>, bounded: Option<u64>) -> Self {
        Self {
            id,
            pool,
            bounded,
            owners: Vec::new(),
            guards: Vec::new(),
            owned_guards: Vec::new(),
            reserved: Vec::new(),
        }
    }

    fn pick<X>(list: &[X], choice: u8) -> Option<usize> {
        (!list.is_empty()).then(|| usize::from(choice) % list.len())
    }

    fn allocate(&mut self, model: &mut Model, how: How, expose: bool) {
        if self.owners.len() >= MOST {
            return;
        }
        let number = model.number();
        let result = match how {
            How::Usual => self.pool.try_allocate_with(|object| object.object_mut().fill(number)),
            How::Fresh => self.pool.try_allocate_fresh(),
            // Whoever could make room is this thread.
            How::Waiting => self.pool.allocate_waiting(Some(Duration::ZERO)),
        };
        let Ok(mut owner) = result else {
            assert!(self.bounded.is_some(), "only a bounded pool refuses");
            return;
        };
        if how != How::Usual {
            let object = owner.get_mut().expect("nobody else can see it");
            object.object_mut().fill(number);
        }
        model.live[usize::from(self.id)] += 1;
        let bound = self.bounded.unwrap_or(u64::MAX);
        assert!(model.live[usize::from(self.id)] <= bound, "more than the bound");
        self.owners.push(Owned {
            owner,
            number,
            key: None,
        });
        if expose {
            self.expose(model, self.owners.len() - 1);
        }
    }

    fn expose(&mut self, model: &mut Model, at: usize) -> Key {
        let owned = &mut self.owners[at];
        let key = owned.owner.key();
        if let Some(before) = owned.key {
            assert_eq!(before, key, "one life, one key");
        } else {
            owned.key = Some(key);
            let known = Known {
                pool: self.id,
                number: owned.number,
                state: State::Alive,
                owners: 1,
                manual: false,
            };
            model.issue(key, known);
        }
        key
    }

    fn clone_owner(&mut self, model: &mut Model, at: usize) {
        let key = self.expose(model, at);
        let owned = &self.owners[at];
        let copy = Owned {
            owner: owned.owner.clone(),
            ..*owned
        };
        model.known(key).owners += 1;
        assert_eq!(copy.owner.owners(), model.known(key).owners);
        self.owners.push(copy);
    }

    fn drop_owner(&mut self, model: &mut Model, at: usize, by_call: bool) {
        let Owned { owner, number, key } = self.owners.swap_remove(at);
        assert_eq!(owner.object().read(), number);
        if by_call {
            owner.free();
        } else {
            drop(owner);
        }
        self.left(model, key);
    }

    /// An owner has left the object.
    fn left(&self, model: &mut Model, key: Option<Key>) {
        let last = key.is_none_or(|key| {
            let known = model.known(key);
            known.owners -= 1;
            if known.owners == 0 {
                known.state = State::Dead;
            }
            known.owners == 0
        });
        if last {
            model.live[usize::from(self.id)] -= 1;
        }
    }

    fn leave_manual(&mut self, model: &mut Model, at: usize) {
        let key = self.expose(model, at);
        let Owned { owner, .. } = self.owners.swap_remove(at);
        assert_eq!(owner.into_manual(), key);
        if std::mem::replace(&mut model.known(key).manual, true) {
            // There is one manual share; a second is dropped.
            self.left(model, Some(key));
        }
    }

    /// Whether `key` may be freed by key, and then is not.
    fn takes_manual(&self, model: &mut Model, key: Key) -> bool {
        if model.resolve(self.id, key).is_none() {
            return false;
        }
        std::mem::take(&mut model.known(key).manual)
    }

    fn free_key(&mut self, model: &mut Model, key: Key) {
        let alive = model.resolve(self.id, key).is_some();
        let allowed = self.takes_manual(model, key);
        match self.pool.free(key) {
            Ok(()) => {
                assert!(allowed, "freed {key:?} by key");
                self.left(model, Some(key));
            }
            Err(error) => {
                assert!(!allowed, "{error}");
                assert_eq!(error.reason() == Reason::Owned, alive, "{error:?}");
            }
        }
    }

    fn reclaim(&mut self, model: &mut Model, key: Key) {
        let allowed = self.takes_manual(model, key);
        match self.pool.reclaim(key) {
            Ok(owner) => {
                assert!(allowed, "reclaimed {key:?}");
                let number = model.known(key).number;
                assert_eq!(owner.object().read(), number);
                self.owners.push(Owned {
                    owner,
                    number,
                    key: Some(key),
                });
            }
            Err(error) => assert!(!allowed, "{error}"),
        }
    }

    fn reserve(&mut self, model: &mut Model) {
        if self.reserved.len() >= 20 {
            return;
        }
        let Ok(reserved) = self.pool.try_reserve() else {
            assert!(self.bounded.is_some());
            return;
        };
        let (key, number) = (reserved.key(), model.number());
        let known = Known {
            pool: self.id,
            number,
            state: State::Reserved,
            owners: 1,
            manual: false,
        };
        model.issue(key, known);
        model.live[usize::from(self.id)] += 1;
        self.reserved.push((reserved, key, number));
    }

    fn fill(&mut self, model: &mut Model, at: usize) {
        let (reserved, key, number) = self.reserved.swap_remove(at);
        let owner = reserved.fill(|object| object.object_mut().fill(number));
        model.known(key).state = State::Alive;
        self.owners.push(Owned {
            owner,
            number,
            key: Some(key),
        });
        self.expose(model, self.owners.len() - 1);
    }

    fn drop_reserved(&mut self, model: &mut Model, at: usize) {
        let (reserved, key, _) = self.reserved.swap_remove(at);
        drop(reserved);
        self.left(model, Some(key));
    }

    fn exclusive(&mut self, model: &mut Model, at: usize, pinned: bool) {
        let owned = &mut self.owners[at];
        let sole = owned.key.is_none_or(|key| model.known(key).owners == 1);
        let by_guards = self.guards.iter().map(|&(_, number)| number);
        let mut guarded = by_guards.chain(self.owned_guards.iter().map(|&(_, number)| number));
        let guarded = owned.key.is_some() && guarded.any(|number| number == owned.number);
        let pool = self.pool;
        let (key, number) = (owned.key, owned.number);
        let done = owned.owner.exclusive(|object| {
            assert_eq!(object.object().read(), number);
            if let Some(key) = key {
                assert!(!pool.contains(key), "in sight while it changes");
            }
            object.object_mut().fill(number);
        });
        let expected = sole && !guarded && !(pinned && key.is_some());
        assert_eq!(done.is_some(), expected, "exclusive access of {key:?}");
    }

    fn mutate(&mut self, at: usize) {
        let owned = &mut self.owners[at];
        let (unseen, number) = (owned.key.is_none(), owned.number);
        let object = owned.owner.get_mut();
        assert_eq!(object.is_some(), unseen);
        if let Some(object) = object {
            object.object_mut().fill(number);
        }
    }

    /// Every way to look `key` up gives what the model says.
    fn look(&self, model: &Model, key: Key, pinned: &Pinned) {
        let expected = model.resolve(self.id, key);
        let found = self.pool.get(key, pinned).map(|object| object.object().read());
        assert_eq!(found, expected, "{key:?} in pool {}", self.id);
        assert_eq!(self.pool.contains(key), expected.is_some());
        let reader = self.pool.reader(pinned);
        assert_eq!(reader.get(key).map(|object| object.object().read()), expected);
        let twice = [key; 2];
        let found = reader.get_many(&twice).map(|object| Some(object?.object().read()));
        assert!(found.eq([expected; 2]));
        if let Err(error) = self.pool.try_get(key, pinned) {
            let (reason, known) = (error.reason(), model.keys.get(&key));
            match known {
                Some(known) if known.pool == GONE => assert_ne!(reason, Reason::Owned),
                Some(known) if known.pool != self.id => assert_eq!(reason, Reason::Foreign),
                Some(Known {
                    state: State::Reserved, ..
                }) => assert_eq!(reason, Reason::Hidden),
                Some(_) => assert!(matches!(reason, Reason::Freed | Reason::Reused), "{error:?}"),
                // The next life of a slot looks like a reservation; a slot that was skipped ahead, like one that was used.
                None => assert_ne!(reason, Reason::Owned),
            }
            assert!(!error.to_string().is_empty());
        }
    }

    fn guard(&mut self, model: &Model, key: Key) {
        let guard = self.pool.try_guard(key);
        let expected = model.resolve(self.id, key);
        assert_eq!(guard.is_ok(), expected.is_some(), "{key:?} in pool {}", self.id);
        if let (Ok(guard), Some(number)) = (guard, expected) {
            assert_eq!(guard.object().read(), number);
            if self.guards.len() < 50 {
                self.guards.push((guard, number));
            }
        }
    }

    fn guard_owned(&mut self, model: &Model, key: Key) {
        let guard = self.pool.guard_owned(key);
        let expected = model.resolve(self.id, key);
        assert_eq!(guard.is_some(), expected.is_some(), "{key:?} in pool {}", self.id);
        if let (Some(guard), Some(number)) = (guard, expected) {
            assert!(Arc::ptr_eq(guard.pool(), self.pool));
            assert_eq!(guard.object().read(), number);
            if self.owned_guards.len() < 50 {
                self.owned_guards.push((guard, number));
            }
        }
    }

    fn last_life(&mut self, model: &mut Model) {
        let before = self.owners.len();
        self.allocate(model, How::Usual, false);
        if self.owners.len() > before {
            let at = self.owners.len() - 1;
            let next = LifeVersion::LAST;
            self.pool.skip_lives(&mut self.owners[at].owner, next);
            assert_eq!(self.expose(model, at).life(), next);
        }
    }

    /// The pool's numbers are right, and everything held reads as what it is.
    fn check(&self, model: &Model) {
        let stats = self.pool.stats();
        assert_eq!(stats.live, model.live[usize::from(self.id)], "{stats:?}");
        assert_eq!(
            (stats.panics, stats.lives),
            (0, stats.fresh + stats.reused),
            "{stats:?}"
        );
        assert_eq!(stats.fresh, stats.live + stats.kept + stats.dropped, "{stats:?}");
        for owned in &self.owners {
            assert_eq!(owned.owner.object().read(), owned.number);
        }
        for (guard, number) in &self.guards {
            assert_eq!(guard.object().read(), *number, "ended under a guard");
        }
        for (guard, number) in &self.owned_guards {
            assert_eq!(guard.object().read(), *number, "ended under an owned guard");
        }
    }

    fn step(&mut self, model: &mut Model, op: &Op, pins: &[Pinned]) {
        match *op {
            Op::Allocate { fresh, expose, .. } => {
                let how = if fresh { How::Fresh } else { How::Usual };
                self.allocate(model, how, expose);
            }
            Op::AllocateWaiting { expose, .. } => self.allocate(model, How::Waiting, expose),
            Op::AllocateMany { count, expose, .. } => {
                for _ in 0..count {
                    self.allocate(model, How::Usual, expose);
                }
            }
            Op::Reserve { .. } => self.reserve(model),
            Op::FreeKey { key, .. }
            | Op::Reclaim { key, .. }
            | Op::Read { key, .. }
            | Op::Guard { key, .. }
            | Op::GuardOwned { key, .. } => {
                if let Some(key) = model.any(key) {
                    self.step_key(model, op, key);
                }
            }
            Op::Bits { bits, .. } => {
                if let Some(key) = Key::from_bits(bits) {
                    assert_eq!(key.to_bits(), bits);
                    self.look(model, key, &pin());
                    self.guard(model, key);
                    self.free_key(model, key);
                }
            }
            Op::Near { key, index, life, .. } => {
                let Some(key) = model.any(key) else { return };
                let bits = key.to_bits().wrapping_add_signed(i64::from(index));
                let bits = bits.wrapping_add_signed(i64::from(life) << 32);
                if let Some(key) = Key::from_bits(bits) {
                    self.look(model, key, &pin());
                    self.guard(model, key);
                    self.reclaim(model, key);
                }
            }
            Op::LastLife { .. } => self.last_life(model),
            Op::Collect { .. } => drop(self.pool.collect()),
            Op::Policy { limit, .. } => drop(self.pool.set_policy(PoolPolicy::from_limit(limit.into()))),
            Op::Print { .. } => assert!(!format!("{:?}", self.pool).is_empty()),
            Op::Another { .. } | Op::Pin | Op::Unpin | Op::Erased(_) => {}
            Op::Expose { owner }
            | Op::Clone { owner }
            | Op::Drop { owner }
            | Op::Free { owner }
            | Op::Exclusive { owner }
            | Op::Mutate { owner }
            | Op::IntoManual { owner } => {
                if let Some(at) = Self::pick(&self.owners, owner) {
                    self.step_owner(model, op, at, !pins.is_empty());
                }
            }
            Op::DropMany { count } => {
                for _ in 0..usize::from(count).min(self.owners.len()) {
                    self.drop_owner(model, 0, false);
                }
            }
            Op::Fill { reserved } => {
                if let Some(at) = Self::pick(&self.reserved, reserved) {
                    self.fill(model, at);
                }
            }
            Op::DropReserved { reserved } => {
                if let Some(at) = Self::pick(&self.reserved, reserved) {
                    self.drop_reserved(model, at);
                }
            }
            Op::CloneGuard { guard } => {
                if let Some(at) = Self::pick(&self.guards, guard).filter(|_| self.guards.len() < 50) {
                    let (guard, number) = &self.guards[at];
                    let copy = (guard.clone(), *number);
                    self.guards.push(copy);
                }
            }
            Op::DropGuard { guard } => {
                if let Some(at) = Self::pick(&self.guards, guard) {
                    drop(self.guards.swap_remove(at));
                }
            }
            Op::DropOwnedGuard { guard } => {
                if let Some(at) = Self::pick(&self.owned_guards, guard) {
                    drop(self.owned_guards.swap_remove(at));
                }
            }
        }
    }

    fn step_key(&mut self, model: &mut Model, op: &Op, key: Key) {
        match op {
            Op::FreeKey { .. } => self.free_key(model, key),
            Op::Reclaim { .. } => self.reclaim(model, key),
            Op::Guard { .. } => self.guard(model, key),
            Op::GuardOwned { .. } => self.guard_owned(model, key),
            _ => self.look(model, key, &pin()),
        }
    }

    fn step_owner(&mut self, model: &mut Model, op: &Op, at: usize, pinned: bool) {
        match op {
            Op::Clone { .. } if self.owners.len() < MOST => self.clone_owner(model, at),
            Op::Drop { .. } => self.drop_owner(model, at, false),
            Op::Free { .. } => self.drop_owner(model, at, true),
            Op::Exclusive { .. } => self.exclusive(model, at, pinned),
            Op::Mutate { .. } => self.mutate(at),
            Op::IntoManual { .. } => self.leave_manual(model, at),
            _ => {
                self.expose(model, at);
            }
        }
    }

    /// Drops everything that borrows the pool, and finds it in order.
    fn finish(mut self, model: &mut Model) {
        self.guards.clear();
        self.owned_guards.clear();
        while !self.owners.is_empty() {
            self.drop_owner(model, 0, false);
        }
        while !self.reserved.is_empty() {
            self.drop_reserved(model, 0);
        }
        let manual: Vec<Key> = model
            .keys
            .iter()
            .filter(|(_, known)| known.pool == self.id && known.manual)
            .map(|(&key, _)| key)
            .collect();
        for key in manual {
            self.free_key(model, key);
        }
        self.check(model);
        assert_eq!(self.pool.stats().live, 0);
        let _ = self.pool.set_policy(PoolPolicy::KeepAll);
        let kept = self.pool.stats().kept;
        assert_eq!(self.pool.collect().objects, kept, "a free object was lost");
        assert_eq!(self.pool.stats().bytes, 0);
        for known in model.keys.values_mut().filter(|known| known.pool == self.id) {
            assert_eq!(known.state, State::Dead);
            known.pool = GONE;
        }
    }
}

/// The pool that `op` is about; what names none goes to the pool of its first number.
fn pool_of(op: &Op) -> u8 {
    let number = match *op {
        Op::Allocate { pool, .. }
        | Op::AllocateMany { pool, .. }
        | Op::FreeKey { pool, .. }
        | Op::Reclaim { pool, .. }
        | Op::Reserve { pool }
        | Op::Read { pool, .. }
        | Op::Guard { pool, .. }
        | Op::Bits { pool, .. }
        | Op::Near { pool, .. }
        | Op::LastLife { pool }
        | Op::Collect { pool }
        | Op::Policy { pool, .. }
        | Op::Print { pool }
        | Op::Another { pool }
        | Op::AllocateWaiting { pool, .. }
        | Op::GuardOwned { pool, .. } => pool,
        Op::Expose { owner: number }
        | Op::Clone { owner: number }
        | Op::Drop { owner: number }
        | Op::Free { owner: number }
        | Op::Exclusive { owner: number }
        | Op::Mutate { owner: number }
        | Op::IntoManual { owner: number }
        | Op::Fill { reserved: number }
        | Op::DropReserved { reserved: number }
        | Op::CloneGuard { guard: number }
        | Op::DropGuard { guard: number }
        | Op::DropOwnedGuard { guard: number }
        | Op::DropMany { count: number } => number,
        Op::Pin | Op::Unpin | Op::Erased(_) => 0,
    };
    number % POOLS
}

/// Does what `ops` say to pools and to the model.
///
/// # Panics
///
/// If they disagree.
pub fn run(ops: &[Op]) {
    let mut model = Model::default();
    // Keys of pools that are gone stay dead in those that come after.
    let (first, second) = ops.split_at(ops.len() / 2);
    let halves: &[&[Op]] = if ops.iter().any(|op| matches!(op, Op::Another { .. })) {
        &[first, second]
    } else {
        &[ops]
    };
    for half in halves {
        run_pools(half, &mut model);
    }
}

fn run_pools(ops: &[Op], model: &mut Model) {
    let plain: Arc<Pool<Object>> = Arc::new(Pool::new());
    let limited: Arc<Pool<Object>> = Arc::new(Pool::new().keep(PoolPolicy::KeepAtMost(3)));
    let bounded: Arc<Pool<Object>> = Arc::new(Pool::new().bounded(20));
    let ended: Arc<Pool<Ended, Ending>> = Arc::new(Pool::with_hooks());
    let mut erased = erased::Driver::default();
    let mut drivers: [Driver<'_, Object, Plain>; 3] = [
        Driver::new(0, &plain, None),
        Driver::new(1, &limited, None),
        Driver::new(2, &bounded, Some(20)),
    ];
    let mut ending = Driver::new(3, &ended, None);
    let mut pins = Vec::new();
    for op in ops {
        match op {
            Op::Pin if pins.len() < 5 => pins.push(pin()),
            Op::Unpin => drop(pins.pop()),
            Op::Erased(op) => erased.step(op),
            _ => match pool_of(op) {
                3 => ending.step(model, op, &pins),
                id => drivers[usize::from(id)].step(model, op, &pins),
            },
        }
    }
    for driver in &drivers {
        driver.check(model);
    }
    ending.check(model);
    let pinned = pin();
    for &key in &model.list {
        for driver in &drivers {
            driver.look(model, key, &pinned);
        }
        ending.look(model, key, &pinned);
    }
    drop(pinned);
    pins.clear();
    for driver in drivers {
        driver.finish(model);
    }
    ending.finish(model);
    erased.finish();
    [plain, limited, bounded].into_iter().for_each(outlive);
    outlive(ended);
}

/// A guard that owns its pool is the last that uses it.
fn outlive<T: Numbered, H: Hooks<T>>(pool: Arc<Pool<T, H>>) {
    let key = pool.allocate_with(|object| object.object_mut().fill(1)).into_manual();
    let guard = pool.guard_owned(key).expect("it is alive");
    drop(pool);
    assert_eq!(guard.object().read(), 1);
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use super::*;

    /// The model and the pools agree on bytes from a fixed sequence: the fuzzer's body as an ordinary test.
    #[test]
    fn fixed_bytes() {
        let mut state = 1_u64;
        for _ in 0..300 {
            let bytes: Vec<u8> = (0..600)
                .map(|_| {
                    state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                    state.to_be_bytes()[0]
                })
                .collect();
            let mut input = Unstructured::new(&bytes);
            let ops: Vec<Op> = (0..80).map_while(|_| input.arbitrary().ok()).collect();
            run(&ops);
        }
    }
}
