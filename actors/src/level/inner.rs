//! [`Inner`]: what a level is made of, and the storage of its actors.

use std::any::{Any, TypeId};
use std::num::NonZeroU32;

use acedia_allocator::Owned;

use super::free_slots::FreeSlots;
use crate::actor_ref::LevelNumber;
use crate::native_actor_ref::Life;
use crate::rare::RareFacts;
use crate::world::{CollisionWorld, CylinderGrid, Nowhere, ZoneMap};
use crate::{
    Actor, ActorClass, ActorRef, EventSink, LevelInfo, Name, NetDriver, PhysicsVolume, Properties, Rotator, Rules,
    Settings, Vector, Warning,
};

/// The actors of one class: what Rust owns of them.
pub(crate) trait Column: Send {
    /// A new actor, in the row that is returned.
    fn make(&mut self) -> usize;
    /// A copy of the actor in `row`, unless the class can't be copied.
    fn copy(&mut self, row: usize) -> Option<usize>;
    /// Finalizes and drops the actor.
    fn reclaim(&mut self, row: usize);
    fn part(&self, row: usize, wanted: TypeId) -> Option<&dyn Any>;
    fn part_mut(&mut self, row: usize, wanted: TypeId) -> Option<&mut dyn Any>;
}

pub(crate) struct Rows<T> {
    rows: Vec<Option<T>>,
    free: FreeSlots,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            free: FreeSlots::default(),
        }
    }
}

impl<T> Rows<T> {
    fn put(&mut self, actor: T) -> usize {
        if let Some(row) = self.free.pop() {
            self.rows[row] = Some(actor);
            row
        } else {
            self.rows.push(Some(actor));
            self.rows.len() - 1
        }
    }
}

impl<T: Actor> Column for Rows<T> {
    fn make(&mut self) -> usize {
        let mut actor = T::default();
        actor.constructor();
        self.put(actor)
    }

    fn copy(&mut self, row: usize) -> Option<usize> {
        let copy = self.rows.get(row)?.as_ref()?.duplicate()?;
        Some(self.put(copy))
    }

    fn reclaim(&mut self, row: usize) {
        if let Some(mut actor) = self.rows.get_mut(row).and_then(Option::take) {
            self.free.insert(row);
            actor.finalizer();
        }
    }

    fn part(&self, row: usize, wanted: TypeId) -> Option<&dyn Any> {
        self.rows.get(row)?.as_ref()?.part(wanted)
    }

    fn part_mut(&mut self, row: usize, wanted: TypeId) -> Option<&mut dyn Any> {
        self.rows.get_mut(row)?.as_mut()?.part_mut(wanted)
    }
}

/// One side of two actors that touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub(crate) other: ActorRef,
    /// Whether this side was sent `touch`.
    pub(crate) told: bool,
}

/// Whether a player is behind an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    None,
    Open,
    Closing,
}

/// What an access to an actor needs.
pub(crate) struct Head {
    pub(crate) class: &'static ActorClass,
    /// The life that references must name. It changes when the actor dies; 0 if the slot is retired.
    pub(crate) life: u32,
    /// Where the user's part is, or [`NO_ROW`] once it is reclaimed.
    row: u32,
}

const NO_ROW: u32 = u32::MAX;

/// What the engine keeps of one actor.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Record {
    /// When it was made, among all actors of the level.
    pub(crate) age: u64,
    pub(crate) dead: bool,
    pub(crate) pending: bool,
    pub(crate) script_initialized: bool,
    /// Whether `goto_state` works yet.
    pub(crate) has_states: bool,
    /// Whether it is in the middle of `end_state` because of a change of state.
    pub(crate) leaving: bool,
    pub(crate) in_hash: bool,
    pub(crate) ticked: bool,
    pub(crate) connection: Connection,
    pub(crate) state: Option<usize>,
    pub(crate) state_changes: u32,
    pub(crate) owner: Option<ActorRef>,
    pub(crate) base: Option<ActorRef>,
    pub(crate) instigator: Option<ActorRef>,
    pub(crate) zone: Option<ActorRef>,
    pub(crate) volume: Option<ActorRef>,
    pub(crate) location: Vector,
    pub(crate) rotation: Rotator,
    pub(crate) properties: Properties,
    pub(crate) touching: Vec<Contact>,
    pub(crate) attached: Vec<ActorRef>,
    /// What `NativeActorRef`s refer to; only if there is one.
    pub(crate) token: Option<Owned<Life>>,
}

#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Inner {
    /// In the references to its actors.
    pub(crate) number: LevelNumber,
    pub(crate) rules: Rules,
    pub(crate) settings: Settings,
    /// Of each slot; apart from the records, so that accesses find them close together.
    pub(crate) heads: Vec<Head>,
    pub(crate) records: Vec<Record>,
    free: FreeSlots,
    pub(crate) rare: RareFacts,
    columns: Vec<Option<Box<dyn Column>>>,
    /// The actors by age, among them dead ones until the list is swept.
    pub(crate) order: Vec<ActorRef>,
    /// Dead, not yet reclaimed.
    pub(crate) dead: Vec<usize>,
    pub(crate) living: usize,
    /// How many events are being handled.
    pub(crate) depth: u32,
    pub(crate) begun: bool,
    /// Whether the start of play goes on.
    pub(crate) starting: bool,
    pub(crate) ticking: bool,
    pub(crate) collecting: bool,
    pub(crate) tick_toggle: bool,
    next_age: u64,
    pub(crate) options: String,
    pub(crate) level_info: Option<ActorRef>,
    pub(crate) default_volume: Option<ActorRef>,
    pub(crate) game: Option<ActorRef>,
    pub(crate) mutators: Vec<ActorRef>,
    pub(crate) notifiers: Vec<ActorRef>,
    pub(crate) notifying: bool,
    pub(crate) world: Box<dyn CollisionWorld>,
    pub(crate) zones: Box<dyn ZoneMap>,
    pub(crate) net: Option<Box<dyn NetDriver>>,
    pub(crate) sink: Option<Box<dyn EventSink>>,
    pub(crate) warnings: Vec<Warning>,
}

impl Inner {
    pub(crate) fn new(rules: Rules) -> Self {
        let mut inner = Self {
            number: LevelNumber::next(),
            rules,
            settings: Settings::default(),
            heads: Vec::new(),
            records: Vec::new(),
            free: FreeSlots::default(),
            rare: RareFacts::default(),
            columns: Vec::new(),
            order: Vec::new(),
            dead: Vec::new(),
            living: 0,
            depth: 0,
            begun: false,
            starting: false,
            ticking: false,
            collecting: false,
            tick_toggle: false,
            next_age: 0,
            options: String::new(),
            level_info: None,
            default_volume: None,
            game: None,
            mutators: Vec::new(),
            notifiers: Vec::new(),
            notifying: false,
            world: Box::new(CylinderGrid::default()),
            zones: Box::new(Nowhere),
            net: None,
            sink: None,
            warnings: Vec::new(),
        };
        inner.level_info = inner.add(LevelInfo::class());
        if inner.rules.volumes {
            inner.default_volume = inner.add(PhysicsVolume::class());
            if let Some(volume) = inner.default_volume {
                inner.records[volume.index()].volume = Some(volume);
                inner.records[volume.index()].properties.no_delete = true;
            }
        }
        inner
    }

    /// A new actor of a class as the class describes it, at the end of the list. No events.
    pub(crate) fn add(&mut self, class: &'static ActorClass) -> Option<ActorRef> {
        let row = self.column(class)?.make();
        self.add_row(class, row, class.properties)
    }

    /// A new actor like the one in slot `template`.
    pub(crate) fn add_copy(&mut self, template: usize) -> Option<ActorRef> {
        let Head { class, row, .. } = self.heads[template];
        let row = self.column(class)?.copy(row as usize)?;
        let properties = self.records[template].properties;
        self.add_row(class, row, properties)
    }

    fn column(&mut self, class: &'static ActorClass) -> Option<&mut Box<dyn Column>> {
        class.construct();
        if self.columns.len() <= class.id {
            self.columns.resize_with(class.id + 1, || None);
        }
        let column = &mut self.columns[class.id];
        if column.is_none() {
            *column = class.column();
        }
        column.as_mut()
    }

    fn add_row(&mut self, class: &'static ActorClass, row: usize, properties: Properties) -> Option<ActorRef> {
        let age = self.next_age;
        self.next_age += 1;
        let row = u32::try_from(row).ok()?;
        let record = Record {
            age,
            dead: false,
            pending: false,
            script_initialized: false,
            has_states: false,
            leaving: false,
            in_hash: false,
            ticked: !self.tick_toggle,
            connection: Connection::None,
            state: None,
            state_changes: 0,
            owner: None,
            base: None,
            instigator: None,
            zone: self.level_info,
            volume: self.default_volume,
            location: Vector::default(),
            rotation: Rotator::default(),
            properties: Properties {
                tag: Name::new(class.short_name()),
                brush: None,
                ..properties
            },
            touching: Vec::new(),
            attached: Vec::new(),
            token: None,
        };
        let index = if let Some(index) = self.free.pop() {
            let head = &mut self.heads[index];
            (head.class, head.row) = (class, row);
            let old = &mut self.records[index];
            *old = Record {
                // Empty by now; their memory is used again.
                touching: std::mem::take(&mut old.touching),
                attached: std::mem::take(&mut old.attached),
                ..record
            };
            index
        } else {
            self.heads.push(Head { class, life: 1, row });
            self.records.push(record);
            self.records.len() - 1
        };
        let life = NonZeroU32::new(self.heads[index].life)?;
        let actor = self.number.reference(index, life)?;
        self.order.push(actor);
        self.living += 1;
        Some(actor)
    }

    /// The slot of a living actor.
    pub(crate) fn find<T>(&self, actor: ActorRef<T>) -> Option<usize> {
        let head = self.heads.get(actor.index())?;
        (head.life == actor.life() && self.number.gave(actor)).then_some(actor.index())
    }

    /// `actor`, as long as it lives.
    pub(crate) fn living(&self, actor: Option<ActorRef>) -> Option<ActorRef> {
        actor.filter(|actor| self.find(*actor).is_some())
    }

    pub(crate) fn is_alive(&self, actor: ActorRef) -> bool {
        self.find(actor).is_some()
    }

    pub(crate) fn is_level_info(&self, actor: ActorRef) -> bool {
        self.level_info == Some(actor)
    }

    /// The user's part of the actor in a slot, alive or dead.
    pub(crate) fn part<T: Actor>(&self, slot: usize) -> Option<&T> {
        let head = self.heads.get(slot)?;
        let column = self.columns.get(head.class.id)?.as_ref()?;
        column.part(head.row as usize, TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn part_mut<T: Actor>(&mut self, slot: usize) -> Option<&mut T> {
        let head = self.heads.get(slot)?;
        let column = self.columns.get_mut(head.class.id)?.as_mut()?;
        column.part_mut(head.row as usize, TypeId::of::<T>())?.downcast_mut()
    }

    /// The end of an actor: in this moment every reference to it turns to nothing.
    pub(crate) fn end(&mut self, slot: usize) {
        let record = &mut self.records[slot];
        record.dead = true;
        record.token = None;
        // Lives that are used up lead to 0, which no reference names.
        let head = &mut self.heads[slot];
        head.life = head.life.wrapping_add(1);
        self.living -= 1;
        self.dead.push(slot);
    }

    /// Reclaims the dead, unless a handler is running.
    pub(crate) fn settle(&mut self) {
        if self.depth > 0 || self.ticking || self.dead.len() <= self.rules.min_dead {
            return;
        }
        if self.order.len() > 2 * self.living + 64 {
            let heads = &self.heads;
            self.order.retain(|actor| heads[actor.index()].life == actor.life());
        }
        // Before each finalizer all is as after it, so one that panics harms nobody else.
        while let Some(slot) = self.dead.pop() {
            if self.heads[slot].life > 0 {
                self.free.insert(slot);
            }
            self.reclaim(slot);
        }
    }

    /// Finalizes every actor, dead or alive.
    pub(crate) fn tear_down(&mut self) {
        for slot in 0..self.records.len() {
            self.records[slot].token = None;
            self.reclaim(slot);
        }
    }

    fn reclaim(&mut self, slot: usize) {
        self.rare.forget(slot);
        let head = &mut self.heads[slot];
        let row = std::mem::replace(&mut head.row, NO_ROW);
        if let Some(Some(column)) = self.columns.get_mut(head.class.id) {
            column.reclaim(row as usize);
        }
    }

    /// The name of an actor, also of a dead one that is not yet reclaimed.
    pub(crate) fn name(&self, actor: ActorRef) -> Option<String> {
        let head = self.heads.get(actor.index()).filter(|_| self.number.gave(actor))?;
        let dead = self.records[actor.index()].dead && head.row != NO_ROW;
        let named = head.life == actor.life() || (dead && head.life == actor.life().wrapping_add(1));
        named.then(|| self.name_of_slot(actor.index()))
    }

    pub(crate) fn name_of_slot(&self, slot: usize) -> String {
        if let Some(given) = self.rare.of(slot).map(|rare| rare.name).filter(|name| !name.is_none()) {
            return given.to_string();
        }
        let own = self.heads[slot].class;
        let class = if own == LevelInfo::class() {
            self.rules.level_name
        } else {
            own.short_name()
        };
        format!("{class}{}", self.records[slot].age)
    }
}
