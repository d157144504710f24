//! One step of a [`Driver`], and its end.

use acedia::PoolPolicy;
use acedia::pool::{Global, Hooks, Pinned, pin};

use super::driver::{Driver, How, MOST};
use super::model::{GONE, Model, Name, State};
use super::object::Numbered;
use super::op::Op;

impl<T: Numbered, H: Hooks<T, Readers = Global>> Driver<'_, T, H> {
    /// The pool's numbers are right, and everything held reads as what it is.
    pub(super) fn check(&self, model: &Model) {
        let stats = self.pool.stats();
        assert_eq!(stats.live, model.live[usize::from(self.id)], "{stats:?}");
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

    pub(super) fn step(&mut self, model: &mut Model, op: &Op, pins: &[Pinned]) {
        match *op {
            Op::Allocate { fresh, expose } => {
                let how = if fresh { How::Fresh } else { How::Usual };
                self.allocate(model, how, expose);
            }
            Op::AllocateMany { count, expose } => {
                for _ in 0..count {
                    self.allocate(model, How::Usual, expose);
                }
            }
            Op::Reserve => self.reserve(model),
            Op::FreeByHandle { handle }
            | Op::Reclaim { handle }
            | Op::Read { handle }
            | Op::Guard { handle }
            | Op::GuardOwned { handle } => {
                if let Some(name) = model.any(handle) {
                    self.step_handle(model, op, name);
                }
            }
            Op::Bits { bits } => {
                if let Some(name) = Name::from_bits(bits) {
                    assert_eq!(name.to_bits(), bits);
                    self.look(model, name, &pin());
                    self.guard(model, name);
                    self.free_by_handle(model, name);
                }
            }
            Op::Near { handle, index, life } => {
                let Some(name) = model.any(handle) else { return };
                let bits = name.to_bits().wrapping_add_signed(i64::from(index));
                let bits = bits.wrapping_add_signed(i64::from(life) << 32);
                if let Some(name) = Name::from_bits(bits) {
                    self.look(model, name, &pin());
                    self.guard(model, name);
                    self.reclaim(model, name);
                }
            }
            Op::LastLife => self.last_life(model),
            Op::Collect => drop(self.pool.collect()),
            Op::Policy { limit } => drop(self.pool.set_policy(PoolPolicy::from_limit(limit.into()))),
            Op::Print => assert!(!format!("{:?}", self.pool).is_empty()),
            Op::Another | Op::Pin | Op::Unpin | Op::Any(_) => {}
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

    pub(super) fn step_handle(&mut self, model: &mut Model, op: &Op, name: Name) {
        match op {
            Op::FreeByHandle { .. } => self.free_by_handle(model, name),
            Op::Reclaim { .. } => self.reclaim(model, name),
            Op::Guard { .. } => self.guard(model, name),
            Op::GuardOwned { .. } => self.guard_owned(model, name),
            _ => self.look(model, name, &pin()),
        }
    }

    pub(super) fn step_owner(&mut self, model: &mut Model, op: &Op, at: usize, pinned: bool) {
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
    pub(super) fn finish(mut self, model: &mut Model) {
        self.guards.clear();
        self.owned_guards.clear();
        while !self.owners.is_empty() {
            self.drop_owner(model, 0, false);
        }
        while !self.reserved.is_empty() {
            self.drop_reserved(model, 0);
        }
        let manual: Vec<Name> = model
            .names
            .iter()
            .filter(|(_, known)| known.pool == self.id && known.manual)
            .map(|(&name, _)| name)
            .collect();
        for name in manual {
            self.free_by_handle(model, name);
        }
        self.check(model);
        assert_eq!(self.pool.stats().live, 0);
        let _ = self.pool.set_policy(PoolPolicy::KeepAll);
        let kept = self.pool.stats().kept;
        assert_eq!(self.pool.collect().objects, kept, "a free object was lost");
        assert_eq!(self.pool.stats().bytes, 0);
        for known in model.names.values_mut().filter(|known| known.pool == self.id) {
            assert_eq!(known.state, State::Dead);
            known.pool = GONE;
        }
    }
}
