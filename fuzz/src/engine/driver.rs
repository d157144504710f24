//! [`Driver`]: one pool, everything that borrows it, and each operation on both the pool and the model.

use std::sync::Arc;

use acedia::pool::{Global, Guard, Hooks, Pinned, Pool, Reserved};
use acedia::{Owned, Reason};

use super::model::{GONE, Known, Model, Name, State, retyped};
use super::object::Numbered;

/// The most owners at a time.
pub(super) const MOST: usize = 300;

/// How an object is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Usual,
    Fresh,
}

/// An owner, its number, and its handle if it was made.
pub(super) struct Held<'p, T: Numbered, H: Hooks<T>> {
    pub(super) owner: Owned<T, &'p Pool<T, H>>,
    pub(super) number: u64,
    pub(super) name: Option<Name>,
}

type GuardOf<'p, T, H> = Guard<T, &'p Pool<T, H>>;
type OwnedGuardOf<T, H> = Guard<T, Arc<Pool<T, H>>>;
type ReservedOf<'p, T, H> = Reserved<T, &'p Pool<T, H>>;

/// One pool and everything that borrows it.
pub(super) struct Driver<'p, T: Numbered, H: Hooks<T>> {
    pub(super) id: u8,
    pub(super) pool: &'p Arc<Pool<T, H>>,
    pub(super) bounded: Option<u64>,
    pub(super) owners: Vec<Held<'p, T, H>>,
    pub(super) guards: Vec<(GuardOf<'p, T, H>, u64)>,
    pub(super) owned_guards: Vec<(OwnedGuardOf<T, H>, u64)>,
    pub(super) reserved: Vec<(ReservedOf<'p, T, H>, Name, u64)>,
}

impl<'p, T: Numbered, H: Hooks<T, Readers = Global>> Driver<'p, T, H> {
    pub(super) fn new(id: u8, pool: &'p Arc<Pool<T, H>>, bounded: Option<u64>) -> Self {
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

    pub(super) fn pick<X>(list: &[X], choice: u8) -> Option<usize> {
        (!list.is_empty()).then(|| usize::from(choice) % list.len())
    }

    pub(super) fn allocate(&mut self, model: &mut Model, how: How, expose: bool) {
        if self.owners.len() >= MOST {
            return;
        }
        let number = model.number();
        let result = match how {
            How::Usual => self.pool.try_allocate_with(|object| object.object_mut().fill(number)),
            How::Fresh => self.pool.try_allocate_fresh(),
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
        self.owners.push(Held {
            owner,
            number,
            name: None,
        });
        if expose {
            self.expose(model, self.owners.len() - 1);
        }
    }

    pub(super) fn expose(&mut self, model: &mut Model, at: usize) -> Name {
        let owned = &mut self.owners[at];
        let name = retyped(owned.owner.handle());
        if let Some(before) = owned.name {
            assert_eq!(before, name, "one life, one handle");
        } else {
            owned.name = Some(name);
            let known = Known {
                pool: self.id,
                number: owned.number,
                state: State::Alive,
                owners: 1,
                manual: false,
            };
            model.issue(name, known);
        }
        name
    }

    pub(super) fn clone_owner(&mut self, model: &mut Model, at: usize) {
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

    pub(super) fn drop_owner(&mut self, model: &mut Model, at: usize, by_call: bool) {
        let Held { owner, number, name } = self.owners.swap_remove(at);
        assert_eq!(owner.object().read(), number);
        if by_call {
            owner.free();
        } else {
            drop(owner);
        }
        self.left(model, name);
    }

    /// An owner has left the object.
    pub(super) fn left(&self, model: &mut Model, name: Option<Name>) {
        let last = name.is_none_or(|name| {
            let known = model.known(name);
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

    pub(super) fn leave_manual(&mut self, model: &mut Model, at: usize) {
        let name = self.expose(model, at);
        let Held { owner, .. } = self.owners.swap_remove(at);
        assert_eq!(retyped(owner.into_manual()), name);
        if std::mem::replace(&mut model.known(name).manual, true) {
            // There is one manual share; a second is dropped.
            self.left(model, Some(name));
        }
    }

    /// Whether `name` may be freed by handle, and then is not.
    pub(super) fn takes_manual(&self, model: &mut Model, name: Name) -> bool {
        if model.resolve(self.id, name).is_none() {
            return false;
        }
        std::mem::take(&mut model.known(name).manual)
    }

    pub(super) fn free_by_handle(&mut self, model: &mut Model, name: Name) {
        let alive = model.resolve(self.id, name).is_some();
        let allowed = self.takes_manual(model, name);
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

    pub(super) fn reclaim(&mut self, model: &mut Model, name: Name) {
        let allowed = self.takes_manual(model, name);
        match self.pool.reclaim(retyped(name)) {
            Ok(owner) => {
                assert!(allowed, "reclaimed {name:?}");
                let number = model.known(name).number;
                assert_eq!(owner.object().read(), number);
                self.owners.push(Held {
                    owner,
                    number,
                    name: Some(name),
                });
            }
            Err(error) => assert!(!allowed, "{error}"),
        }
    }

    pub(super) fn reserve(&mut self, model: &mut Model) {
        if self.reserved.len() >= 20 {
            return;
        }
        let Ok(reserved) = self.pool.try_reserve() else {
            assert!(self.bounded.is_some());
            return;
        };
        let (name, number) = (retyped(reserved.handle()), model.number());
        let known = Known {
            pool: self.id,
            number,
            state: State::Reserved,
            owners: 1,
            manual: false,
        };
        model.issue(name, known);
        model.live[usize::from(self.id)] += 1;
        self.reserved.push((reserved, name, number));
    }

    pub(super) fn fill(&mut self, model: &mut Model, at: usize) {
        let (reserved, name, number) = self.reserved.swap_remove(at);
        let owner = reserved.fill(|object| object.object_mut().fill(number));
        model.known(name).state = State::Alive;
        self.owners.push(Held {
            owner,
            number,
            name: Some(name),
        });
        self.expose(model, self.owners.len() - 1);
    }

    pub(super) fn drop_reserved(&mut self, model: &mut Model, at: usize) {
        let (reserved, name, _) = self.reserved.swap_remove(at);
        drop(reserved);
        self.left(model, Some(name));
    }

    pub(super) fn exclusive(&mut self, model: &mut Model, at: usize, pinned: bool) {
        let owned = &mut self.owners[at];
        let sole = owned.name.is_none_or(|name| model.known(name).owners == 1);
        let by_guards = self.guards.iter().map(|&(_, number)| number);
        let mut guarded = by_guards.chain(self.owned_guards.iter().map(|&(_, number)| number));
        let guarded = owned.name.is_some() && guarded.any(|number| number == owned.number);
        let pool = self.pool;
        let (name, number) = (owned.name, owned.number);
        let done = owned.owner.exclusive(|object| {
            assert_eq!(object.object().read(), number);
            if let Some(name) = name {
                assert!(!pool.contains(retyped(name)), "in sight while it changes");
            }
            object.object_mut().fill(number);
        });
        let expected = sole && !guarded && !(pinned && name.is_some());
        assert_eq!(done.is_some(), expected, "exclusive access of {name:?}");
    }

    pub(super) fn mutate(&mut self, at: usize) {
        let owned = &mut self.owners[at];
        let (unseen, number) = (owned.name.is_none(), owned.number);
        let object = owned.owner.get_mut();
        assert_eq!(object.is_some(), unseen);
        if let Some(object) = object {
            object.object_mut().fill(number);
        }
    }

    /// Every way to look `name` up gives what the model says.
    pub(super) fn look(&self, model: &Model, name: Name, pinned: &Pinned) {
        let (expected, handle) = (model.resolve(self.id, name), retyped(name));
        let found = self.pool.get(handle, pinned).map(|object| object.object().read());
        assert_eq!(found, expected, "{name:?} in pool {}", self.id);
        assert_eq!(self.pool.contains(retyped(name)), expected.is_some());
        let reader = self.pool.reader(pinned);
        assert_eq!(reader.get(handle).map(|object| object.object().read()), expected);
        let twice = [handle; 2];
        let found = reader.get_many(&twice).map(|object| Some(object?.object().read()));
        assert!(found.eq([expected; 2]));
        if let Err(error) = self.pool.try_get(handle, pinned) {
            let (reason, known) = (error.reason(), model.names.get(&name));
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

    pub(super) fn guard(&mut self, model: &Model, name: Name) {
        let guard = self.pool.try_guard(retyped(name));
        let expected = model.resolve(self.id, name);
        assert_eq!(guard.is_ok(), expected.is_some(), "{name:?} in pool {}", self.id);
        if let (Ok(guard), Some(number)) = (guard, expected) {
            assert_eq!(guard.object().read(), number);
            if self.guards.len() < 50 {
                self.guards.push((guard, number));
            }
        }
    }

    pub(super) fn guard_owned(&mut self, model: &Model, name: Name) {
        let guard = self.pool.guard_owned(retyped(name));
        let expected = model.resolve(self.id, name);
        assert_eq!(guard.is_some(), expected.is_some(), "{name:?} in pool {}", self.id);
        if let (Some(guard), Some(number)) = (guard, expected) {
            assert!(Arc::ptr_eq(guard.holder(), self.pool));
            assert_eq!(guard.object().read(), number);
            if self.owned_guards.len() < 50 {
                self.owned_guards.push((guard, number));
            }
        }
    }

    pub(super) fn last_life(&mut self, model: &mut Model) {
        let before = self.owners.len();
        self.allocate(model, How::Usual, false);
        if self.owners.len() > before {
            let at = self.owners.len() - 1;
            let next = i32::MAX.unsigned_abs();
            self.pool.skip_lives(&mut self.owners[at].owner, next);
            assert_eq!(self.expose(model, at).life(), next);
        }
    }
}
