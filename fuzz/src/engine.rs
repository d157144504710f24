//! Operations on several pools at a time, compared with a naive model.
//!
//! The model has no slots and no magazines. For every handle ever issued, it keeps the number of the life that the handle
//! names, and whether that life goes on and is visible. The pools must agree with it for every handle, issued or not.

use std::collections::HashMap;
use std::sync::Arc;

use acedia::pool::{Global, Hooks, Plain};
use acedia::{Guard, Handle, Owned, Pinned, Pool, PoolPolicy, Reason, Reserved, pin};
use arbitrary::Arbitrary;

/// One step of a pool. Numbers choose among the existing things, modulo their count.
#[derive(Arbitrary, Clone, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    /// Whether the object is fresh, and whether it gets a handle.
    Allocate(bool, bool),
    AllocateMany(u8, bool),
    Expose(u8),
    Clone(u8),
    Drop(u8),
    Free(u8),
    DropMany(u8),
    Exclusive(u8),
    Mutate(u8),
    IntoManual(u8),
    FreeByHandle(u16),
    Reclaim(u16),
    Reserve,
    Fill(u8),
    DropReserved(u8),
    Pin,
    Unpin,
    Read(u16),
    Guard(u16),
    CloneGuard(u8),
    DropGuard(u8),
    Bits(u64),
    /// Bits of another slot and another life.
    Near(u16, i8, i8),
    LastLife,
    Collect,
    Policy(i8),
    Print,
    Another,
    GuardHolding(u16),
    DropHoldingGuard(u8),
}

/// An object that shows when it is used at the wrong time. Chunks of large objects have fewer slots.
struct Object<const N: usize> {
    number: u64,
    owned: Vec<u64>,
    _large: [u64; N],
}

impl<const N: usize> Default for Object<N> {
    fn default() -> Self {
        Self {
            number: 0,
            owned: Vec::new(),
            _large: [0; N],
        }
    }
}

impl<const N: usize> Object<N> {
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

struct Ending;

impl Hooks<Object<200>> for Ending {
    type Readers = Global;

    fn make() -> Object<200> {
        Object::default()
    }

    fn begin(object: &mut Object<200>) {
        assert_eq!(object.number, 0, "not ended, or in use");
    }

    const END: Option<fn(&mut Object<200>)> = Some(|object| {
        assert_ne!(object.number, 0, "ended twice");
        object.number = 0;
        object.owned.clear();
    });
}

/// A handle of a pool of any type.
type Name = Handle<()>;

/// The same handle, for a pool of another type.
fn retyped<T, U>(handle: Handle<T>) -> Handle<U> {
    Handle::from_bits(handle.to_bits()).expect("the bits of a handle")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Promised to a reservation.
    Reserved,
    Alive,
    Dead,
}

/// The model of a handle.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// `None` if the pool was dropped.
    pool: Option<u8>,
    number: u64,
    state: State,
    /// Owners, a manual share included.
    owners: usize,
    manual: bool,
}

/// Every handle that was ever issued, in any pool.
#[derive(Default)]
struct Model {
    names: HashMap<Name, Known>,
    list: Vec<Name>,
    next: u64,
}

impl Model {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn issue(&mut self, name: Name, pool: u8, number: u64, state: State) {
        let known = Known {
            pool: Some(pool),
            number,
            state,
            owners: 1,
            manual: false,
        };
        let before = self.names.insert(name, known);
        assert!(before.is_none(), "{name:?} was issued twice: {before:?}, {known:?}");
        self.list.push(name);
    }

    fn any(&self, choice: u16) -> Option<Name> {
        // Mostly one of the last few, so that several steps meet at one object.
        let last = if choice % 4 == 0 { usize::MAX } else { 8 };
        let some = &self.list[self.list.len().saturating_sub(last)..];
        pick(some, choice / 4).map(|at| some[at])
    }

    fn known(&mut self, name: Name) -> &mut Known {
        self.names.get_mut(&name).expect("a handle that was issued")
    }

    /// The number of the object that `name` must resolve to in `pool`, if there must be one.
    fn resolve(&self, pool: u8, name: Name) -> Option<u64> {
        let known = self.names.get(&name)?;
        (known.pool == Some(pool) && known.state == State::Alive).then_some(known.number)
    }
}

fn pick<X>(list: &[X], choice: impl Into<usize>) -> Option<usize> {
    (!list.is_empty()).then(|| choice.into() % list.len())
}

/// Applies each operation to the pool of its number, and to the model.
///
/// # Panics
///
/// If they disagree.
pub fn run(ops: &[(u8, Op)]) {
    let mut model = Model::default();
    // Handles of dropped pools stay dead in later pools.
    let is_split = ops.iter().any(|(_, op)| matches!(op, Op::Another));
    let (first, second) = ops.split_at(if is_split { ops.len() / 2 } else { 0 });
    run_pools(first, &mut model);
    run_pools(second, &mut model);
}

fn run_pools(ops: &[(u8, Op)], model: &mut Model) {
    let small = [
        Pool::new(),
        Pool::new().keep(PoolPolicy::KeepAtMost(3)),
        Pool::new().bounded(20),
    ]
    .map(Arc::new);
    let large: Arc<Pool<Object<200>, Ending>> = Arc::new(Pool::with_hooks());
    let mut drivers: [Driver<'_, 1, Plain>; 3] = [0, 1, 2].map(|id| Driver::new(id, &small[usize::from(id)]));
    drivers[2].bounded = Some(20);
    let mut ending = Driver::new(3, &large);
    let mut pins = Vec::new();
    for (pool, op) in ops {
        match op {
            Op::Pin if pins.len() < 5 => pins.push(pin()),
            Op::Unpin => drop(pins.pop()),
            _ => match pool % 4 {
                3 => ending.step(model, op, !pins.is_empty()),
                id => drivers[usize::from(id)].step(model, op, !pins.is_empty()),
            },
        }
    }
    let pinned = pin();
    for &name in &model.list {
        drivers.iter().for_each(|driver| driver.look(model, name, &pinned));
        ending.look(model, name, &pinned);
    }
    drop(pinned);
    pins.clear();
    drivers.into_iter().for_each(|driver| driver.finish(model));
    ending.finish(model);
    small.into_iter().for_each(outlive);
    outlive(large);
}

/// A guard that owns its pool may be the last user of it.
fn outlive<const N: usize, H: Hooks<Object<N>, Readers = Global>>(pool: Arc<Pool<Object<N>, H>>) {
    let handle = pool.allocate_with(|object| object.fill(1)).into_manual();
    let guard = Guard::holding(&pool, |pool| pool, handle).expect("it is alive");
    drop(pool);
    assert_eq!(guard.read(), 1);
}

/// The most owners at a time.
const MOST: usize = 300;

type PoolOf<const N: usize, H> = Pool<Object<N>, H>;
type GuardOf<const N: usize, P> = Guard<Object<N>, P>;
type ReservedOf<'p, const N: usize, H> = Reserved<Object<N>, &'p PoolOf<N, H>>;

/// An owner, its number, and its handle if it was made.
struct Held<'p, const N: usize, H: Hooks<Object<N>>> {
    owner: Owned<Object<N>, &'p PoolOf<N, H>>,
    number: u64,
    name: Option<Name>,
}

/// One pool, everything that borrows it, and each operation on both the pool and the model.
struct Driver<'p, const N: usize, H: Hooks<Object<N>>> {
    id: u8,
    pool: &'p Arc<PoolOf<N, H>>,
    bounded: Option<u64>,
    /// Objects that are alive, exposed or not.
    live: u64,
    owners: Vec<Held<'p, N, H>>,
    guards: Vec<(GuardOf<N, &'p PoolOf<N, H>>, u64)>,
    holding_guards: Vec<(GuardOf<N, Arc<PoolOf<N, H>>>, u64)>,
    reserved: Vec<(ReservedOf<'p, N, H>, Name, u64)>,
}

impl<'p, const N: usize, H: Hooks<Object<N>, Readers = Global>> Driver<'p, N, H> {
    fn new(id: u8, pool: &'p Arc<PoolOf<N, H>>) -> Self {
        let (owners, guards, holding_guards, reserved) = Default::default();
        Self {
            id,
            pool,
            bounded: None,
            live: 0,
            owners,
            guards,
            holding_guards,
            reserved,
        }
    }

    fn step(&mut self, model: &mut Model, op: &Op, pinned: bool) {
        match *op {
            Op::Allocate(fresh, expose) => self.allocate(model, fresh, expose),
            Op::AllocateMany(count, expose) => (0..count).for_each(|_| self.allocate(model, false, expose)),
            Op::Reserve => self.reserve(model),
            Op::FreeByHandle(at) | Op::Reclaim(at) | Op::Read(at) | Op::Guard(at) | Op::GuardHolding(at) => {
                let Some(name) = model.any(at) else { return };
                match op {
                    Op::FreeByHandle(_) => self.free_by_handle(model, name),
                    Op::Reclaim(_) => self.reclaim(model, name),
                    Op::Read(_) => self.look(model, name, &pin()),
                    _ => self.guard(model, name, matches!(op, Op::GuardHolding(_))),
                }
            }
            Op::Bits(bits) => self.any_bits(model, bits),
            Op::Near(at, index, life) => {
                let Some(name) = model.any(at) else { return };
                let bits = name.to_bits().wrapping_add_signed(i64::from(index));
                self.any_bits(model, bits.wrapping_add_signed(i64::from(life) << 32));
            }
            Op::LastLife => {
                let before = self.owners.len();
                self.allocate(model, false, false);
                if let Some(last) = self.owners.get_mut(before) {
                    let life = i32::MAX.unsigned_abs();
                    self.pool.skip_lives(&mut last.owner, life);
                    assert_eq!(self.expose(model, before).life(), life);
                }
            }
            Op::Collect => drop(self.pool.collect()),
            Op::Policy(limit) => drop(self.pool.set_policy(PoolPolicy::from_limit(limit.into()))),
            Op::Print => assert!(!format!("{:?}", self.pool).is_empty()),
            Op::Another | Op::Pin | Op::Unpin => {}
            Op::DropMany(count) => {
                (0..self.owners.len().min(count.into())).for_each(|_| self.drop_owner(model, 0, drop));
            }
            Op::Fill(at) => self.fill(model, at),
            Op::DropReserved(at) => self.drop_reserved(model, at),
            Op::CloneGuard(at) => {
                let copy = pick(&self.guards, at).map(|at| (self.guards[at].0.clone(), self.guards[at].1));
                self.guards.extend(copy.filter(|_| self.guards.len() < 50));
            }
            Op::DropGuard(at) => drop(pick(&self.guards, at).map(|at| self.guards.swap_remove(at))),
            Op::DropHoldingGuard(at) => {
                drop(pick(&self.holding_guards, at).map(|at| self.holding_guards.swap_remove(at)));
            }
            Op::Expose(at)
            | Op::Clone(at)
            | Op::Drop(at)
            | Op::Free(at)
            | Op::Exclusive(at)
            | Op::Mutate(at)
            | Op::IntoManual(at) => {
                let Some(at) = pick(&self.owners, at) else { return };
                match op {
                    Op::Clone(_) if self.owners.len() < MOST => self.clone_owner(model, at),
                    Op::Drop(_) => self.drop_owner(model, at, drop),
                    Op::Free(_) => self.drop_owner(model, at, Owned::free),
                    Op::Exclusive(_) => self.exclusive(model, at, pinned),
                    Op::Mutate(_) => self.mutate(at),
                    Op::IntoManual(_) => self.leave_manual(model, at),
                    _ => _ = self.expose(model, at),
                }
            }
        }
    }

    fn hold(&mut self, owner: Owned<Object<N>, &'p PoolOf<N, H>>, number: u64, name: Option<Name>) {
        self.owners.push(Held { owner, number, name });
    }

    fn fill(&mut self, model: &mut Model, at: u8) {
        if let Some(at) = pick(&self.reserved, at) {
            let (reserved, name, number) = self.reserved.swap_remove(at);
            let owner = reserved.fill(|object| object.fill(number));
            model.known(name).state = State::Alive;
            self.hold(owner, number, Some(name));
            self.expose(model, self.owners.len() - 1);
        }
    }

    fn drop_reserved(&mut self, model: &mut Model, at: u8) {
        if let Some(at) = pick(&self.reserved, at) {
            let (reserved, name, _) = self.reserved.swap_remove(at);
            drop(reserved);
            self.left(model, Some(name));
        }
    }

    fn allocate(&mut self, model: &mut Model, fresh: bool, expose: bool) {
        if self.owners.len() >= MOST {
            return;
        }
        let number = model.number();
        let result = if fresh {
            self.pool.try_allocate_fresh()
        } else {
            self.pool.try_allocate_with(|object| object.fill(number))
        };
        let Ok(mut owner) = result else {
            assert!(self.bounded.is_some(), "only a bounded pool refuses");
            return;
        };
        if fresh {
            owner.get_mut().expect("nobody else can see it").fill(number);
        }
        self.live += 1;
        assert!(self.live <= self.bounded.unwrap_or(u64::MAX), "more than the bound");
        self.hold(owner, number, None);
        if expose {
            self.expose(model, self.owners.len() - 1);
        }
    }

    fn expose(&mut self, model: &mut Model, at: usize) -> Name {
        let owned = &mut self.owners[at];
        let name = retyped(owned.owner.handle());
        match owned.name.replace(name) {
            Some(before) => assert_eq!(before, name, "one life, one handle"),
            None => model.issue(name, self.id, owned.number, State::Alive),
        }
        name
    }

    fn clone_owner(&mut self, model: &mut Model, at: usize) {
        let name = self.expose(model, at);
        let owned = &self.owners[at];
        let copy = Held {
            owner: owned.owner.clone(),
            ..*owned
        };
        model.known(name).owners += 1;
        assert_eq!(copy.owner.owners(), model.known(name).owners);
        self.owners.push(copy);
    }

    fn drop_owner(&mut self, model: &mut Model, at: usize, leave: fn(Owned<Object<N>, &'p PoolOf<N, H>>)) {
        let Held { owner, number, name } = self.owners.swap_remove(at);
        assert_eq!(owner.read(), number);
        leave(owner);
        self.left(model, name);
    }

    /// An owner has left the object.
    fn left(&mut self, model: &mut Model, name: Option<Name>) {
        let last = name.is_none_or(|name| {
            let known = model.known(name);
            known.owners -= 1;
            if known.owners == 0 {
                known.state = State::Dead;
            }
            known.owners == 0
        });
        self.live -= u64::from(last);
    }

    fn leave_manual(&mut self, model: &mut Model, at: usize) {
        let name = self.expose(model, at);
        let Held { owner, .. } = self.owners.swap_remove(at);
        assert_eq!(retyped(owner.into_manual()), name);
        if std::mem::replace(&mut model.known(name).manual, true) {
            // There is one manual share; a second is dropped.
            self.left(model, Some(name));
        }
    }

    /// Whether `name` has a manual share in this pool, which is taken.
    fn takes_manual(&self, model: &mut Model, name: Name) -> bool {
        model.resolve(self.id, name).is_some() && std::mem::take(&mut model.known(name).manual)
    }

    fn free_by_handle(&mut self, model: &mut Model, name: Name) {
        let alive = model.resolve(self.id, name).is_some();
        let allowed = alive && model.known(name).owners == 1 && self.takes_manual(model, name);
        match self.pool.free(retyped(name)) {
            Ok(()) => {
                assert!(allowed, "freed {name:?} by handle");
                self.left(model, Some(name));
            }
            Err(error) => {
                assert!(!allowed, "{error}");
                assert_eq!(error.reason() == Reason::Owned, alive, "{error:?}");
            }
        }
    }

    fn reclaim(&mut self, model: &mut Model, name: Name) {
        let allowed = self.takes_manual(model, name);
        match self.pool.reclaim(retyped(name)) {
            Ok(owner) => {
                assert!(allowed, "reclaimed {name:?}");
                let number = model.known(name).number;
                assert_eq!(owner.read(), number);
                self.hold(owner, number, Some(name));
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
        let (name, number) = (retyped(reserved.handle()), model.number());
        model.issue(name, self.id, number, State::Reserved);
        self.live += 1;
        self.reserved.push((reserved, name, number));
    }

    fn exclusive(&mut self, model: &mut Model, at: usize, pinned: bool) {
        let Held { owner, number, name } = &mut self.owners[at];
        let sole = name.is_none_or(|name| model.known(name).owners == 1);
        let by_guards = self.guards.iter().map(|&(_, number)| number);
        let mut guarded = by_guards.chain(self.holding_guards.iter().map(|&(_, number)| number));
        let guarded = guarded.any(|guarded| guarded == *number);
        let done = owner.exclusive(|object| {
            assert_eq!(object.read(), *number);
            let is_hidden = name.is_none_or(|name| !self.pool.contains(retyped(name)));
            assert!(is_hidden, "in sight while it changes");
            object.fill(*number);
        });
        let expected = sole && (name.is_none() || !guarded && !pinned);
        assert_eq!(done.is_some(), expected, "exclusive access of {name:?}");
    }

    fn mutate(&mut self, at: usize) {
        let Held { owner, number, name } = &mut self.owners[at];
        let object = owner.get_mut();
        assert_eq!(object.is_some(), name.is_none());
        if let Some(object) = object {
            object.fill(*number);
        }
    }

    /// Every use of bits that may be a handle.
    fn any_bits(&mut self, model: &mut Model, bits: u64) {
        let Some(name) = Name::from_bits(bits) else { return };
        assert_eq!(name.to_bits(), bits);
        self.look(model, name, &pin());
        self.guard(model, name, false);
        if bits % 2 == 0 {
            self.free_by_handle(model, name);
        } else {
            self.reclaim(model, name);
        }
    }

    /// Every way to look `name` up gives what the model says.
    fn look(&self, model: &Model, name: Name, pinned: &Pinned) {
        let (expected, handle) = (model.resolve(self.id, name), retyped(name));
        let found = self.pool.get(handle, pinned).map(Object::read);
        assert_eq!(found, expected, "{name:?} in pool {}", self.id);
        assert_eq!(self.pool.contains(handle), expected.is_some());
        let reader = self.pool.reader(pinned);
        assert_eq!(reader.get(handle).map(Object::read), expected);
        let twice = [handle; 2];
        assert!(
            reader
                .get_many(&twice)
                .map(|object| Some(object?.read()))
                .eq([expected; 2])
        );
        let Err(error) = self.pool.try_get(handle, pinned) else {
            return;
        };
        let (reason, known) = (error.reason(), model.names.get(&name));
        match known.filter(|known| known.pool.is_some()) {
            Some(known) if known.pool != Some(self.id) => assert_eq!(reason, Reason::Foreign),
            Some(known) if known.state == State::Reserved => assert_eq!(reason, Reason::Hidden),
            Some(_) => assert!(matches!(reason, Reason::Freed | Reason::Reused), "{error:?}"),
            // The next life of a slot looks like a reservation. A skipped slot looks like a used one.
            None => assert_ne!(reason, Reason::Owned),
        }
        assert!(!error.to_string().is_empty());
    }

    fn guard(&mut self, model: &Model, name: Name, owned: bool) {
        let expected = model.resolve(self.id, name);
        let found = if owned {
            let guard = Guard::holding(self.pool, |pool| pool, retyped(name));
            let number = guard.as_ref().map(|guard| guard.read());
            self.holding_guards
                .extend(guard.zip(number).filter(|_| self.holding_guards.len() < 50));
            number
        } else {
            let guard = self.pool.try_guard(retyped(name)).ok();
            let number = guard.as_ref().map(|guard| guard.read());
            self.guards.extend(guard.zip(number).filter(|_| self.guards.len() < 50));
            number
        };
        assert_eq!(found, expected, "{name:?} in pool {}", self.id);
    }

    /// Drops everything that borrows the pool, and finds it in order.
    fn finish(mut self, model: &mut Model) {
        self.check();
        self.guards.clear();
        self.holding_guards.clear();
        (0..self.owners.len()).for_each(|_| self.drop_owner(model, 0, drop));
        (0..self.reserved.len()).for_each(|_| self.drop_reserved(model, 0));
        for name in model.list.clone() {
            let known = *model.known(name);
            if known.pool == Some(self.id) && known.manual {
                self.free_by_handle(model, name);
            }
        }
        self.check();
        assert_eq!(self.live, 0);
        let _ = self.pool.set_policy(PoolPolicy::KeepAll);
        let kept = self.pool.stats().kept;
        assert_eq!(self.pool.collect().objects, kept, "a free object was lost");
        assert_eq!(self.pool.stats().bytes, 0);
        for known in model.names.values_mut().filter(|known| known.pool == Some(self.id)) {
            assert_eq!(known.state, State::Dead);
            known.pool = None;
        }
    }

    /// The pool's numbers are right, and everything held has its value.
    fn check(&self) {
        assert_eq!(self.pool.stats().live, self.live);
        assert!(self.owners.iter().all(|owned| owned.owner.read() == owned.number));
        assert!(
            self.guards.iter().all(|(guard, number)| guard.read() == *number),
            "ended under a guard"
        );
        assert!(
            self.holding_guards
                .iter()
                .all(|(guard, number)| guard.read() == *number),
            "ended under a guard"
        );
    }
}
