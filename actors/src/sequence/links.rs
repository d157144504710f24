//! Owners and bases. Contacts are in `contact.rs`.

use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::Event;
use crate::value::properties::Physics;
use crate::value::world::collision_world::Floor;

impl Inner {
    // Owners.

    /// Whether `owner` is `actor`, or owns it directly or through other actors.
    pub(crate) fn is_owned_by(&self, actor: ActorRef, owner: ActorRef) -> bool {
        self.leads_to(actor, owner, |inner, slot| inner.heads[slot].owner())
    }

    /// Whether the chain of links from `actor` reaches `target`.
    fn leads_to(&self, actor: ActorRef, target: ActorRef, link: impl Fn(&Self, usize) -> Option<ActorRef>) -> bool {
        let mut at = Some(actor);
        while let Some(slot) = self.living(at).map(ActorRef::index) {
            if at == Some(target) {
                return true;
            }
            at = link(self, slot);
        }
        false
    }

    /// Changes the owner. Returns `false`, and sends no event, if the owner stays the same, if an actor is dead (with a warning
    /// if the owner is), or if the actor would own itself.
    pub(crate) fn set_owner(&mut self, actor: ActorRef, owner: Option<ActorRef>) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        if owner.is_some() && self.living(owner).is_none() {
            return self.accessed_none();
        }
        let old = self.living(self.heads[slot].owner());
        if owner == old || owner.is_some_and(|owner| self.is_owned_by(owner, actor)) {
            return false;
        }
        // The old owner gets its event first, while it is still the owner.
        if let Some(old) = old {
            self.tell("1.4", old, Event::LostChild, actor);
        }
        // If the handler set another owner, that one stays. If it destroyed the new owner, the actor has none.
        let current = self.living(self.heads[slot].owner());
        if !self.is_alive(actor) || (current.is_some() && current != old) {
            return true;
        }
        let owner = self.living(owner).filter(|owner| !self.is_owned_by(*owner, actor));
        self.put_owner(slot, owner);
        if let Some(owner) = owner {
            self.tell("1.4", owner, Event::GainedChild, actor);
        }
        true
    }

    /// The actors that an actor owns, the oldest first. Empty if the actor is dead.
    pub(crate) fn children(&self, actor: ActorRef) -> Vec<ActorRef> {
        if !self.is_alive(actor) {
            return Vec::new();
        }
        let owned = |child: &ActorRef| self.head(*child).is_some_and(|head| head.owner() == Some(actor));
        self.order.iter().copied().filter(owned).collect()
    }

    // Bases.

    pub(crate) fn base_of(&self, actor: ActorRef) -> Option<ActorRef> {
        let slot = self.find(actor)?;
        if !self.heads[slot].is(Fact::HadBase) {
            return None;
        }
        self.living(self.records[slot].base)
    }

    /// The actors based on an actor.
    pub(crate) fn riders(&self, base: ActorRef) -> Vec<ActorRef> {
        if !self.is_level_info(base) {
            return self.attached(base.index());
        }
        let rides = |actor: &ActorRef| self.base_of(*actor) == Some(base);
        self.order.iter().copied().filter(rides).collect()
    }

    /// Removes an actor from its base, without events.
    pub(crate) fn cut_base(&mut self, actor: ActorRef, base: ActorRef) {
        if !self.is_level_info(base) {
            self.extra_mut(base.index()).attached.remove(actor);
        }
        self.records[actor.index()].base = None;
    }

    /// Sends `detach` to the base, then removes the actor from it, unless the handler has changed the base.
    pub(crate) fn leave_base(&mut self, row: &'static str, actor: ActorRef, base: ActorRef) {
        if !self.is_level_info(base) {
            self.tell(row, base, Event::Detach, actor);
        }
        if self.base_of(actor) == Some(base) {
            self.cut_base(actor, base);
        }
    }

    /// Changes the base. Returns `false` in the same cases as `set_owner`.
    pub(crate) fn set_base(&mut self, row: &'static str, actor: ActorRef, base: Option<ActorRef>) -> bool {
        if !self.is_alive(actor) {
            return false;
        }
        if base.is_some() && self.living(base).is_none() {
            return self.accessed_none();
        }
        let old = self.base_of(actor);
        let link = |inner: &Self, slot: usize| inner.records[slot].base;
        if base == old || base.is_some_and(|base| self.leads_to(base, actor, link)) {
            return false;
        }
        // During `detach`, `base` is the old base; during `base_change`, it is the new one.
        if let Some(old) = old {
            self.leave_base(row, actor, old);
        }
        // As in `set_owner`.
        if !self.is_alive(actor) || self.base_of(actor).is_some() {
            return true;
        }
        let base = self.living(base).filter(|base| !self.leads_to(*base, actor, link));
        if let Some(base) = base {
            self.records[actor.index()].base = Some(base);
            self.heads[actor.index()].set(Fact::HadBase, true);
            // The level's own actor may be the base of very many actors, and is sent no event about them, so it keeps no list.
            if !self.is_level_info(base) {
                self.extra_mut(base.index()).attached.push(actor, ());
                self.tell(row, base, Event::Attach, actor);
            }
        }
        self.notify(row, actor, Event::BaseChange);
        true
    }

    /// Looks for a base, if the actor should have one.
    #[inline]
    pub(crate) fn find_base(&mut self, row: &'static str, actor: ActorRef) {
        let Some(slot) = self.find(actor) else { return };
        let properties = self.properties(slot);
        if properties.collide_world && properties.should_base_at_startup {
            self.look_below(row, actor, slot);
        }
    }

    #[inline(never)]
    fn look_below(&mut self, row: &'static str, actor: ActorRef, slot: usize) {
        let properties = self.properties(slot);
        let stands = matches!(properties.physics, Physics::None | Physics::Rotating);
        let record = &self.records[slot];
        if !stands || self.settings.editor || !self.begun || self.living(record.base).is_some() {
            return;
        }
        let base = match self.world.floor(actor, properties.shape, record.location) {
            Floor::None => None,
            Floor::World => self.level_info,
            // The world is user code, and may return a dead actor.
            Floor::Actor(base) => self.living(Some(base)),
        };
        if base.is_some() {
            self.set_base(row, actor, base);
        }
    }
}
