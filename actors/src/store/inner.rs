//! [`Inner`]: the state of a level, and the storage of its actors.

use std::fmt;
use std::num::NonZeroU32;
use std::ptr;
use std::thread;

use acedia::__private::{FirstPanic, contain};

use super::clock::Clock;
use super::extra::{Connection, Extra, Extras};
use super::head::{Fact, Head};
use super::lives::Lives;
use super::log::Log;
use super::nesting::Nesting;
use super::net::NetDriver;
use super::sink::EventSink;
use super::ties::Ties;
use super::warning::Warning;
use crate::class::actor_class::ActorClass;
use crate::class::column::Column;
use crate::class::free_slots::FreeSlots;
use crate::class::state_index::StateIndex;
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::Properties;
use crate::value::rules::Rules;
use crate::value::sent::Sent;
use crate::value::settings::Settings;
use crate::value::world::collision_world::CollisionWorld;
use crate::value::world::grid::CylinderGrid;
use crate::value::world::zone_map::ZoneMap;

/// The engine's fields of one actor that are not in its head.
#[repr(align(64))]
pub(crate) struct Record {
    /// Its number in the order of creation of the level's actors.
    pub(crate) age: u64,
    pub(crate) base: Option<ActorRef>,
    pub(crate) instigator: Option<ActorRef>,
    pub(crate) zone: Option<ActorRef>,
    pub(crate) volume: Option<ActorRef>,
    pub(crate) location: Vector,
    pub(crate) rotation: Rotator,
}

const _: () = assert!(size_of::<Record>() == 64, "a cache line");

#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Inner {
    pub(crate) lives: Lives,
    pub(crate) rules: Rules,
    pub(crate) sent: Sent,
    pub(crate) settings: Settings,
    /// One per slot. Separate from the records, which keeps the heads dense for accesses.
    pub(crate) heads: Vec<Head>,
    pub(crate) records: Vec<Record>,
    free: FreeSlots,
    pub(crate) columns: Vec<Option<Column>>,
    pub(crate) extras: Extras,
    /// The actors, the oldest first. Dead ones stay until the list is swept.
    pub(crate) order: Vec<ActorRef>,
    /// The slots of dead actors that are not reclaimed yet.
    pub(crate) dead: Vec<usize>,
    pub(crate) living: usize,
    pub(crate) nesting: Nesting,
    pub(crate) begun: bool,
    /// Whether the warning about a tick or call before play was logged.
    pub(crate) told_not_begun: bool,
    /// Whether play is being started.
    pub(crate) starting: bool,
    pub(crate) ticking: bool,
    /// In a frame, the index into `order` after the place that the frame has reached.
    pub(crate) next: usize,
    /// The last actor that was taken from `waiting`: an owner that ticks before its place, or an actor that waited for its
    /// owner.
    pub(crate) early: Option<ActorRef>,
    /// The actors that wait in this frame for the ticks of their owners. The owner of each follows it.
    pub(crate) waiting: Vec<ActorRef>,
    pub(crate) clock: Clock,
    pub(crate) collecting: bool,
    /// Whether a head was [changed](Self::head_mut) since a frame last cleared this.
    pub(crate) has_changed: bool,
    /// The number of the next timer.
    pub(crate) next_timer: u64,
    pub(crate) next_age: u64,
    pub(crate) options: String,
    pub(crate) level_info: Option<ActorRef>,
    /// The class of the level's own actor. The name of its actors comes from the rules.
    level_class: Option<&'static ActorClass>,
    pub(crate) default_volume: Option<ActorRef>,
    pub(crate) game: Option<ActorRef>,
    pub(crate) mutators: Vec<ActorRef>,
    /// The question that the mutators are being asked.
    pub(crate) question: Question,
    pub(crate) notifiers: Vec<ActorRef>,
    pub(crate) notifying: bool,
    pub(crate) world: Box<dyn CollisionWorld>,
    /// Pairs that have ended, but whose first actor has not been sent `un_touch` yet.
    pub(crate) ending: Vec<(ActorRef, ActorRef)>,
    /// A list of neighbours whose memory the checks for collisions reuse.
    pub(crate) nearby: Vec<ActorRef>,
    /// The number of moves, and of entries into the collision hash. Lists of neighbours from before the last of them may be
    /// outdated.
    pub(crate) moves: u64,
    /// Without a map, actors stay in the level's own zone and volume.
    pub(crate) zones: Option<Box<dyn ZoneMap>>,
    pub(crate) net: Option<Box<dyn NetDriver>>,
    pub(crate) sink: Option<Box<dyn EventSink>>,
    pub(crate) log: Log,
}

impl Inner {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            lives: Lives::new(),
            sent: Sent::by(&rules),
            nesting: Nesting::new(&rules),
            rules,
            settings: Settings::default(),
            heads: Vec::new(),
            records: Vec::new(),
            free: FreeSlots::default(),
            columns: Vec::new(),
            extras: Extras::default(),
            order: Vec::new(),
            dead: Vec::new(),
            living: 0,
            begun: false,
            told_not_begun: false,
            starting: false,
            ticking: false,
            next: 0,
            early: None,
            waiting: Vec::new(),
            clock: Clock::default(),
            collecting: false,
            has_changed: false,
            next_timer: 0,
            next_age: 0,
            options: String::new(),
            level_info: None,
            level_class: None,
            default_volume: None,
            game: None,
            mutators: Vec::new(),
            question: Question::default(),
            notifiers: Vec::new(),
            notifying: false,
            world: Box::new(CylinderGrid::default()),
            ending: Vec::new(),
            nearby: Vec::new(),
            moves: 0,
            zones: None,
            net: None,
            sink: None,
            log: Log::default(),
        }
    }

    /// Adds the level's own actor, which is its own zone (P4).
    pub(crate) fn add_level_info(&mut self, class: &'static ActorClass) {
        self.set_level_class(class);
        self.level_info = self.add(class);
        if let Some(info) = self.level_info {
            self.records[info.index()].zone = Some(info);
        }
    }

    pub(crate) const fn set_level_class(&mut self, class: &'static ActorClass) {
        self.level_class = Some(class);
    }

    pub(crate) fn is_level_class(&self, class: &ActorClass) -> bool {
        self.level_class.is_some_and(|it| ptr::eq(it, class))
    }

    /// Adds the volume of all actors that are in no other volume, including the level's own actor.
    pub(crate) fn add_default_volume(&mut self, class: &'static ActorClass) {
        self.default_volume = self.add(class);
        if let Some(volume) = self.default_volume {
            for actor in [Some(volume), self.level_info].into_iter().flatten() {
                self.records[actor.index()].volume = Some(volume);
            }
            self.properties_mut(volume.index()).no_delete = true;
        }
    }

    /// Creates an actor with the defaults of its class, without events.
    pub(crate) fn add(&mut self, class: &'static ActorClass) -> Option<ActorRef> {
        let row = self.column(class)?.make()?;
        self.add_row(class, row)
    }

    pub(crate) fn add_copy(&mut self, template: usize) -> Option<ActorRef> {
        let (class, row) = (self.heads[template].class(), self.heads[template].row);
        let row = self.column(class)?.copy(row as usize)?;
        let own = self.own_properties(template);
        let actor = self.add_row(class, row)?;
        if let Some(own) = own {
            *self.properties_mut(actor.index()) = own.of_new(class);
        }
        Some(actor)
    }

    pub(crate) fn column(&mut self, class: &'static ActorClass) -> Option<&mut Column> {
        // For each actor, because a shutdown undoes the static construction.
        class.construct();
        if !matches!(self.columns.get(class.id), Some(Some(_))) {
            self.add_column(class);
        }
        self.columns.get_mut(class.id)?.as_mut()
    }

    #[cold]
    fn add_column(&mut self, class: &'static ActorClass) {
        if self.columns.len() <= class.id {
            self.columns.resize_with(class.id + 1, || None);
        }
        self.columns[class.id] = class.column();
    }

    pub(crate) fn add_row(&mut self, class: &'static ActorClass, row: usize) -> Option<ActorRef> {
        let age = self.next_age;
        self.next_age += 1;
        let row = u32::try_from(row).ok()?;
        let record = Record {
            age,
            base: None,
            instigator: None,
            zone: self.level_info,
            volume: self.default_volume,
            location: Vector::default(),
            rotation: Rotator::default(),
        };
        let index = if let Some(index) = self.free.pop() {
            // The slot's next life was chosen when its last actor was reclaimed.
            let head = &mut self.heads[index];
            *head = Head::new(class, head.life, row);
            self.records[index] = record;
            index
        } else {
            let life = self.lives.first()?.get();
            self.heads.push(Head::new(class, life, row));
            self.records.push(record);
            self.records.len() - 1
        };
        let actor = self.reference(index)?;
        self.order.push(actor);
        self.living += 1;
        Some(actor)
    }

    /// The slot of a living actor.
    #[inline]
    pub(crate) fn find<T>(&self, actor: ActorRef<T>) -> Option<usize> {
        self.head(actor).map(|_| actor.index())
    }

    /// The head of a living actor.
    #[inline]
    pub(crate) fn head<T>(&self, actor: ActorRef<T>) -> Option<&Head> {
        let head = self.heads.get(actor.index())?;
        (head.life == actor.life()).then_some(head)
    }

    /// The head in a slot, to change its life, owner, state, properties or waits. A running frame has read these fields of the
    /// next head already, so this marks a change.
    #[inline]
    pub(crate) fn head_mut(&mut self, slot: usize) -> &mut Head {
        self.has_changed = true;
        &mut self.heads[slot]
    }

    /// Sets the owner of the actor in a slot. No events.
    pub(crate) fn put_owner(&mut self, slot: usize, owner: Option<ActorRef>) {
        let age = self.records[slot].age;
        // An owner that a restore has not created yet is younger, too.
        let is_younger = owner.is_some_and(|owner| self.records.get(owner.index()).is_none_or(|it| it.age > age));
        self.head_mut(slot).set_owner(owner, is_younger);
    }

    /// The actor in a slot. If that is dead, the slot's next actor. `None` if the slot is worn out.
    #[inline]
    pub(crate) fn reference(&self, slot: usize) -> Option<ActorRef> {
        ActorRef::of(slot, NonZeroU32::new(self.heads[slot].life)?)
    }

    /// `actor`, if it is alive.
    pub(crate) fn living(&self, actor: Option<ActorRef>) -> Option<ActorRef> {
        actor.filter(|actor| self.find(*actor).is_some())
    }

    pub(crate) fn is_alive(&self, actor: ActorRef) -> bool {
        self.find(actor).is_some()
    }

    /// Whether an actor's part of the running frame is over. `false` between two frames.
    pub(crate) fn has_had_its_turn(&self, actor: ActorRef) -> bool {
        if !self.ticking {
            return false;
        }
        if self.heads[actor.index()].is(Fact::TickedEarly) {
            return self.early != Some(actor) && !self.waiting.contains(&actor);
        }
        let age = |actor: ActorRef| self.records[actor.index()].age;
        let reached = self.next.checked_sub(1).and_then(|place| self.order.get(place));
        reached.is_some_and(|reached| age(actor) < age(*reached))
    }

    pub(crate) fn is_level_info(&self, actor: ActorRef) -> bool {
        self.level_info == Some(actor)
    }

    /// Runs `command` on the actor that a script names. If the actor is dead, logs a warning and returns the null value.
    #[inline]
    pub(crate) fn command<T, R: Default>(
        &mut self,
        actor: ActorRef<T>,
        command: impl FnOnce(&mut Self, usize) -> R,
    ) -> R {
        let settled = Until(self, Self::settle);
        match settled.0.find(actor) {
            Some(slot) => command(settled.0, slot),
            None => settled.0.accessed_none(),
        }
    }

    /// Logs a warning about the access of a dead actor, and returns the null value.
    #[cold]
    pub(crate) fn accessed_none<R: Default>(&mut self) -> R {
        self.warn(Warning::AccessedNone);
        R::default()
    }

    /// Like `accessed_none`, but the reference may refer to a living actor of a class other than `wanted`.
    #[cold]
    pub(crate) fn accessed_no<T, R: Default>(&mut self, actor: ActorRef<T>, wanted: &'static ActorClass) -> R {
        match self.head(actor) {
            Some(head) => self.warn(Warning::OtherClass(head.class(), wanted)),
            None => self.warn(Warning::AccessedNone),
        }
        R::default()
    }

    /// The Rust value of the actor in a slot, alive or dead.
    #[inline]
    pub(crate) fn part<T: Send + 'static>(&self, slot: usize) -> Option<&T> {
        let head = self.heads.get(slot)?;
        self.value(head.place())
    }

    #[inline]
    pub(crate) fn part_mut<T: Send + 'static>(&mut self, slot: usize) -> Option<&mut T> {
        let head = self.heads.get(slot)?;
        let place = head.place();
        self.value_mut(place)
    }

    /// The Rust value at a [place](Head::place).
    #[inline]
    pub(crate) fn value<T: Send + 'static>(&self, (id, row): (usize, usize)) -> Option<&T> {
        self.columns.get(id)?.as_ref()?.part(row)
    }

    #[inline]
    pub(crate) fn value_mut<T: Send + 'static>(&mut self, (id, row): (usize, usize)) -> Option<&mut T> {
        self.columns.get_mut(id)?.as_mut()?.part_mut(row)
    }

    /// Ends an actor. From then on every reference to it resolves to `None`.
    pub(crate) fn end(&mut self, slot: usize) {
        let head = self.head_mut(slot);
        head.set(Fact::Dead, true);
        // At the end of a block this number is not a life. Reclaiming the actor replaces it.
        head.life += 1;
        if head.extra != Head::NO_EXTRA {
            self.extra_mut(slot).token = None;
        }
        self.living -= 1;
        self.dead.push(slot);
    }

    /// Reclaims the dead actors, unless a handler is running.
    #[inline]
    pub(crate) fn settle(&mut self) {
        let is_work = self.dead.len() > self.rules.min_dead || self.nesting.has_refused();
        if is_work && self.nesting.depth == 0 && !self.ticking && !self.starting {
            self.settle_now();
        }
    }

    fn settle_now(&mut self) {
        if self.nesting.has_refused() {
            self.nesting.forgive(&self.rules);
        }
        if self.dead.len() <= self.rules.min_dead {
            return;
        }
        if thread::panicking() {
            // A handler is panicking already, and a second panic would abort the process.
            contain(|| self.reclaim_dead());
        } else {
            self.reclaim_dead();
        }
    }

    fn reclaim_dead(&mut self) {
        if self.order.len() > 2 * self.living + 64 {
            // No handler is running, so no loop goes through these lists.
            let heads = &self.heads;
            let lives = |actor: &ActorRef| heads[actor.index()].life == actor.life();
            self.order.retain(lives);
            self.mutators.retain(lives);
            self.notifiers.retain(lives);
        }
        // Each finalizer runs last in its iteration, so its panic affects no other actor.
        while let Some(slot) = self.dead.pop() {
            let head = &mut self.heads[slot];
            head.life = self.lives.life(head.life);
            if head.life > 0 {
                self.free.insert(slot);
            }
            self.reclaim(slot);
        }
    }

    /// Finalizes every actor that is not reclaimed yet. If a finalizer panics, the others still run. Then the first panic
    /// continues.
    pub(crate) fn tear_down(&mut self) {
        let last = self.heads.iter().map(|head| head.life).max();
        self.lives.give_back(last.unwrap_or(0));
        let mut panics = FirstPanic::new();
        for slot in 0..self.heads.len() {
            panics.catch(|| self.reclaim(slot));
        }
        panics.resume();
    }

    fn reclaim(&mut self, slot: usize) {
        let head = &mut self.heads[slot];
        let row = std::mem::replace(&mut head.row, Head::NO_ROW);
        self.extras.release(head);
        if let Some(Some(column)) = self.columns.get_mut(head.reactions.id) {
            column.reclaim(row as usize);
        }
    }

    pub(crate) fn extra(&self, slot: usize) -> Option<&Extra> {
        self.extras.of(&self.heads[slot])
    }

    /// Adds rare fields if the actor has none.
    pub(crate) fn extra_mut(&mut self, slot: usize) -> &mut Extra {
        self.extras.of_mut(&mut self.heads[slot])
    }

    /// The actors that an actor touches. `None` if the actor never had rare fields.
    #[inline]
    pub(crate) fn contacts(&self, slot: usize) -> Option<&Ties<bool>> {
        self.extras.contacts(&self.heads[slot])
    }

    pub(crate) fn contacts_mut(&mut self, slot: usize) -> &mut Ties<bool> {
        self.extras.contacts_mut(&mut self.heads[slot])
    }

    /// An actor's own properties, or its class's.
    #[inline]
    pub(crate) fn properties(&self, slot: usize) -> &Properties {
        self.extras.properties(&self.heads[slot])
    }

    /// An actor's own properties, which it gets if it has none.
    pub(crate) fn properties_mut(&mut self, slot: usize) -> &mut Properties {
        self.has_changed = true;
        let head = &mut self.heads[slot];
        head.set(Fact::OwnProperties, true);
        head.set(Fact::OwnTicks, true);
        let initial = head.class().initial;
        self.extras.of_mut(head).properties.get_or_insert(initial)
    }

    pub(crate) fn own_properties(&self, slot: usize) -> Option<Properties> {
        self.extra(slot)?.properties
    }

    pub(crate) fn connection(&self, slot: usize) -> Connection {
        self.extra(slot).map_or(Connection::None, |extra| extra.connection)
    }

    pub(crate) fn paused(&self, slot: usize) -> &[StateIndex] {
        self.extra(slot).map_or(&[], |extra| &extra.paused)
    }

    /// The actors that an actor touches, in the order in which the contacts began.
    pub(crate) fn touched(&self, slot: usize) -> impl Iterator<Item = ActorRef> {
        self.contacts(slot).into_iter().flat_map(Ties::iter)
    }

    pub(crate) fn touching(&self, slot: usize) -> Vec<ActorRef> {
        self.touched(slot).collect()
    }

    pub(crate) fn attached(&self, slot: usize) -> Vec<ActorRef> {
        self.extra(slot).map_or_else(Vec::new, |extra| extra.attached.actors())
    }

    #[cold]
    pub(crate) fn warn(&mut self, warning: Warning) {
        #[cfg(feature = "tracing")]
        tracing::warn!(target: "acedia_actors", "{warning}");
        self.log.add(warning);
    }

    /// `Debug` under the name of the type that shows the level.
    pub(crate) fn show(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        f.debug_struct(name)
            .field("rules", &self.rules.generation)
            .field("has_begun", &self.begun)
            .field("actors", &self.living)
            .field("dead", &self.dead.len())
            .field("depth", &self.nesting.depth)
            .field("warnings", &self.log)
            .finish_non_exhaustive()
    }

    /// The name of an actor, even of a dead one that is not reclaimed yet.
    pub(crate) fn name(&self, actor: ActorRef) -> Option<String> {
        let head = self.heads.get(actor.index())?;
        let dead = head.is(Fact::Dead) && head.row != Head::NO_ROW;
        let named = head.life == actor.life() || (dead && head.life - 1 == actor.life());
        named.then(|| self.name_of_slot(actor.index()))
    }

    pub(crate) fn name_of_slot(&self, slot: usize) -> String {
        if let Some(given) = self.extra(slot).map(|extra| extra.name).filter(|name| !name.is_none()) {
            return given.to_string();
        }
        let own = self.heads[slot].class();
        let class = if self.is_level_class(own) {
            self.rules.level_name
        } else {
            own.short_name()
        };
        format!("{class}{}", self.records[slot].age)
    }

    pub(crate) fn state_name(&self, slot: usize) -> Name {
        let head = &self.heads[slot];
        head.class().state_name(head.state)
    }
}

/// The question to the mutators whether an actor may stay.
#[derive(Clone, Copy, Default)]
pub(crate) struct Question {
    /// The number of mutators that are asked.
    pub(crate) mutators: usize,
    /// Whether the last answer skips the game's own filters. In the engine, this is an out parameter.
    pub(crate) super_relevant: bool,
}

/// The level, and a closure that runs on it when this is dropped, even if a handler panics.
pub(crate) struct Until<'a, F: FnMut(&mut Inner)>(pub(crate) &'a mut Inner, pub(crate) F);

impl<F: FnMut(&mut Inner)> Drop for Until<'_, F> {
    #[inline]
    fn drop(&mut self) {
        (self.1)(self.0);
    }
}

#[cfg(test)]
mod tests;
