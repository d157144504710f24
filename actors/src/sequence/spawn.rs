//! Spawns: the checks, the properties, the events. Rows are those of the [crate](crate#steps).

use acedia::__private::FirstPanic;

use super::destroy::By;
use crate::class::actor_class::ActorClass;
use crate::class::errors::ActorClassError;
use crate::class::notify::SpawnNotify;
use crate::class::registry::load_actor_class;
use crate::class::request::{Spawn, SpawnEx};
use crate::store::head::Fact;
use crate::store::inner::{Inner, Until};
use crate::store::sink::Kind;
use crate::store::warning::{SpawnError, Warning};
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Message};
use crate::value::geometry::Vector;
use crate::value::properties::Role;
use crate::value::rules::PostBeginPlaySlot;
use crate::value::settings::{DetailMode, NetMode};

/// The event before states can be entered. Of these lists, only the events that the rules have are sent.
const BEFORE_STATES: [Message; 1] = [Message::new("Q3", Event::InitPhysics)];

/// Q5 to Q7.
const BEFORE_PLACE: [Message; 4] = [
    Message::new("Q5", Event::Spawned),
    Message::new("Q5", Event::NativeSpawned),
    Message::new("Q6", Event::PreBeginPlay),
    Message::new("Q7", Event::BeginPlay),
];

/// Q10 and Q11.
const BEHIND_PLACE: [Message; 3] = [
    Message::new("Q10", Event::PostBeginPlay),
    Message::new("Q10", Event::NativePostBeginPlay),
    Message::new("Q11", Event::SetInitialState),
];

/// Q10 and Q11 by rules that send `post_begin_play` in Q11 or Q14.
const BEHIND_PLACE_LATE: [Message; 3] = [
    Message::new("Q10", Event::NativePostBeginPlay),
    Message::new("Q11", Event::PostBeginPlay),
    Message::new("Q11", Event::SetInitialState),
];

/// Q14, or 1.14 for actors from the network. The presets send one of the two events.
pub(crate) const fn beginning(row: &'static str) -> [Message; 2] {
    [
        Message::new(row, Event::PostNetBeginPlay),
        Message::new(row, Event::PostBeginPlay),
    ]
}

impl Inner {
    /// UnrealScript's `Spawn`, called on the actor `spawner`, dead or alive, or on the level.
    pub(crate) fn spawn(
        &mut self,
        class: &'static ActorClass,
        spawner: Option<ActorRef>,
        spawn: Spawn,
    ) -> SpawnOutcome {
        let mut request = SpawnEx::from(spawn);
        if !self.rules.spawn_parameters {
            request.spawn.template = None;
            request.spawn.no_collision_fail = false;
        }
        // The new actor gets the spawner's instigator, and its location and rotation unless the request has others.
        if let Some(me) = spawner {
            let record = &self.records[me.index()];
            request.instigator = record.instigator;
            request.spawn.location.get_or_insert(record.location);
            request.spawn.rotation.get_or_insert(record.rotation);
        }
        self.spawn_ex(Some(class), &request)
    }

    /// The engine's `SpawnActor`.
    pub(crate) fn spawn_ex(&mut self, class: Option<&'static ActorClass>, request: &SpawnEx) -> SpawnOutcome {
        Until(self, Self::settle).0.spawn_now(class, request)
    }

    fn spawn_now(&mut self, class: Option<&'static ActorClass>, request: &SpawnEx) -> SpawnOutcome {
        let class = self.check_class(class, request)?;
        let (template, location) = self.check_place(class, request)?;
        let me = self.make(class, template, location, request)?;
        let result = self.bring_up(me, request)?;
        // Q16
        if !request.spawn.tag.is_none() {
            if let Some(slot) = self.find(result) {
                self.properties_mut(slot).tag = request.spawn.tag;
            }
        }
        Ok(result)
    }

    /// Logs a warning, and returns it as the error.
    pub(crate) fn refuse<T>(&mut self, warning: Warning) -> Result<T, SpawnError> {
        self.warn(warning.clone());
        Err(SpawnError::Refused(warning))
    }

    /// The class with this name. A class of objects is refused as a spawn refuses it.
    pub(crate) fn class_named(&mut self, name: &str) -> Result<&'static ActorClass, SpawnError> {
        match load_actor_class(name) {
            Ok(class) => Ok(class),
            Err(ActorClassError::NotAnActor(class)) => {
                self.check_level()?;
                self.refuse(Warning::NotAnActor(class.name())) // C4
            }
            Err(error) => self.refuse(Warning::UnknownClass(error)),
        }
    }

    /// C0, C1: whether any actor can be spawned now.
    #[inline]
    fn check_level(&mut self) -> Result<(), SpawnError> {
        if self.is_too_deep() || self.nesting.refuses_spawns() {
            self.nesting.refuse();
            return self.refuse(Warning::Recursion);
        }
        if self.collecting {
            return Err(SpawnError::Collecting);
        }
        Ok(())
    }

    /// C0 to C6.
    fn check_class(
        &mut self,
        class: Option<&'static ActorClass>,
        request: &SpawnEx,
    ) -> Result<&'static ActorClass, SpawnError> {
        self.check_level()?;
        // C2, C3. C4 is checked in `class_named`.
        let class = match class {
            None => return self.refuse(Warning::NoClass),
            Some(class) if class.is_abstract() => return self.refuse(Warning::Abstract(class)),
            Some(class) => class,
        };
        if !class.has_authority() {
            return self.refuse(Warning::NoAuthority(class)); // P7
        }
        if self.settings.editor {
            return Ok(class);
        }
        let defaults = class.properties();
        // C5
        if defaults.is_static || defaults.no_delete {
            let refused = self.refuse(Warning::StaticOrNoDelete(class));
            if !request.no_fail {
                return refused;
            }
        }
        // C6
        let no_details = self.settings.detail_mode == DetailMode::Low
            || self.settings.drop_detail
            || self.settings.net_mode == NetMode::DedicatedServer;
        if defaults.high_detail && no_details && !request.no_fail {
            return Err(SpawnError::Detail);
        }
        Ok(class)
    }

    /// C7: the template's slot, and the location, or a free one near it.
    fn check_place(
        &mut self,
        class: &'static ActorClass,
        request: &SpawnEx,
    ) -> Result<(Option<usize>, Vector), SpawnError> {
        let template = match request.spawn.template {
            None => None,
            Some(template) => match self.find(template) {
                // P7: the copy would have the template's role.
                Some(slot) if self.properties(slot).role != Role::Authority => {
                    return self.refuse(Warning::NoAuthority(class));
                }
                Some(slot) if self.heads[slot].class() == class => Some(slot),
                _ => return self.refuse(Warning::NoTemplate(class)),
            },
        };
        let location = request.spawn.location.unwrap_or_default();
        if !location.is_finite() {
            return self.refuse(Warning::NotFinite(class));
        }
        // The template's properties decide, not those of the class.
        let properties = template.map_or(&class.properties, |slot| self.properties(slot));
        let placed = properties.collide_when_placing && self.settings.net_mode != NetMode::Client;
        if !(properties.collide_world || placed) || request.spawn.no_collision_fail {
            return Ok((template, location));
        }
        let spot = self.world.find_spot(properties.shape, location);
        match spot.filter(|spot| spot.is_finite()) {
            Some(spot) => Ok((template, spot)),
            None if self.rules.warn_no_room => self.refuse(Warning::NoRoom(class)),
            None => Err(SpawnError::NoRoom),
        }
    }

    /// P1 to P15, except P11.
    #[allow(
        clippy::inline_always,
        reason = "a call takes 28 instructions of a spawn, most of them for its arguments"
    )]
    #[inline(always)]
    fn make(
        &mut self,
        class: &'static ActorClass,
        template: Option<usize>,
        location: Vector,
        request: &SpawnEx,
    ) -> SpawnOutcome {
        let me = match template {
            Some(template) => match self.add_copy(template) {
                Some(me) => me,
                None => return self.refuse(Warning::NoTemplate(class)),
            },
            None => self.add(class).ok_or(SpawnError::Full)?,
        };
        let slot = me.index();
        let unturned =
            self.rules.net_initial_rotation && request.remote_owned && !class.properties.net_initial_rotation;
        let record = &mut self.records[slot];
        record.location = location; // P9
        if !unturned {
            record.rotation = request.spawn.rotation.unwrap_or_default(); // P10
        }
        if request.remote_owned {
            let properties = self.properties_mut(slot);
            std::mem::swap(&mut properties.role, &mut properties.remote_role); // P7
            self.heads[slot].set(Fact::AwaitsVariables, true);
        }
        if !request.name.is_none() {
            self.extra_mut(slot).name = request.name;
        }
        Ok(me)
    }

    /// P11: enters the collision hash. Others find the actor from now on.
    fn appear(&mut self, me: ActorRef) {
        self.enter_hash(me);
        self.trace(self.nesting.depth, me, Kind::Made);
    }

    /// P11 to Q15. If a handler panics, no caller gets the actor, so it is destroyed before the panic continues (D31).
    fn bring_up(&mut self, me: ActorRef, request: &SpawnEx) -> SpawnOutcome {
        let mut panics = FirstPanic::new();
        let outcome = panics.catch(|| {
            self.appear(me);
            self.initialize(me, request)
        });
        if let Some(outcome) = outcome {
            return outcome;
        }
        if self.is_alive(me) {
            panics.catch(|| self.destroy_slot(me.index(), By::Spawn));
        }
        panics.resume();
        Err(SpawnError::Destroyed)
    }

    /// Q1 to Q15.
    ///
    /// Handlers may destroy the actor at any step. Every step skips a dead actor, and its slot is not reclaimed before
    /// this returns. So one test at the end serves all steps.
    fn initialize(&mut self, me: ActorRef, request: &SpawnEx) -> SpawnOutcome {
        // No handler can change the class, or whether the level is watched.
        let noticed = self.noticed(self.heads[me.index()].class());
        if !request.remote_owned {
            self.give_owner(me, request.spawn.owner); // Q1
            self.records[me.index()].instigator = request.instigator; // Q2
        }
        let mut wanted = noticed.and(self.sent.in_spawn);
        if request.remote_owned && self.sent.when_received.contains(Event::PostBeginPlay) {
            wanted.remove(Event::PostBeginPlay);
        }
        self.post_each(me, const { &BEFORE_STATES }, wanted);
        self.heads[me.index()].set(Fact::HasStates, true); // Q4
        self.post_each(me, const { &BEFORE_PLACE }, wanted);
        if self.begun {
            self.zone_step("Q8", me);
            self.volume_step("Q8", me);
            if !request.spawn.no_collision_fail {
                self.check_encroachment("Q9", me)?;
            }
        }
        let behind = match self.rules.post_begin_play_slot {
            PostBeginPlaySlot::AfterCollisionCheck => const { &BEHIND_PLACE },
            _ => const { &BEHIND_PLACE_LATE },
        };
        self.post_each(me, behind, wanted);
        self.find_base("Q12", me);
        // Q13: in a tick, the actor still ticks, because it is at the end of the list.
        if !request.remote_owned {
            self.post_each(me, const { &beginning("Q14") }, noticed.and(self.sent.at_last));
        }
        if !self.is_alive(me) {
            return if request.no_fail {
                Ok(me)
            } else {
                Err(SpawnError::Destroyed)
            };
        }
        let notified = self.rules.spawn_notify && (!request.remote_owned || self.rules.spawn_notify_received);
        if notified && self.begun {
            return self.notify_spawned(me);
        }
        Ok(me)
    }

    /// Q1: sets the owner, and sends it `gained_child`.
    fn give_owner(&mut self, me: ActorRef, owner: Option<ActorRef>) {
        let Some(owner) = owner else { return };
        if self.is_alive(owner) {
            self.put_owner(me.index(), Some(owner));
            self.tell("Q1", owner, Event::GainedChild, me);
        } else {
            self.warn(Warning::AccessedNone); // D22
        }
    }

    /// Adds the actor in a slot to the notifiers, unless it is one already.
    pub(crate) fn add_notifier(&mut self, slot: usize) {
        let actor = self.reference(slot);
        self.notifiers
            .extend(actor.filter(|actor| !self.notifiers.contains(actor)));
    }

    /// Q15: each notifier may replace the actor that the spawn returns.
    fn notify_spawned(&mut self, me: ActorRef) -> SpawnOutcome {
        let mut result = me;
        // Notifiers are not asked about an actor that a notifier spawns.
        if self.notifying {
            return Ok(result);
        }
        // By index: handlers may add notifiers.
        for index in 0..self.notifiers.len() {
            let notifier = self.notifiers[index];
            let Some(slot) = self.find(notifier) else { continue };
            let wanted = self.part::<SpawnNotify>(slot).and_then(|it| it.actor_class);
            if wanted.is_some_and(|wanted| !self.heads[result.index()].class().is_child_of(wanted)) {
                continue;
            }
            self.notifying = true;
            let asked = Until(self, |level| level.notifying = false);
            let answer = asked.0.tell("Q15", notifier, Event::SpawnNotification, result);
            drop(asked);
            match answer {
                Answer::Actor(Some(actor)) if self.is_alive(actor) => result = actor,
                Answer::Actor(_) => return Err(SpawnError::Replaced),
                // The notifier has no body.
                _ => {}
            }
        }
        if self.is_alive(result) {
            Ok(result)
        } else {
            Err(SpawnError::Destroyed)
        }
    }

    /// Creates an actor as if it were part of the map, without events.
    pub(crate) fn place(&mut self, class: &'static ActorClass, spawn: Spawn) -> SpawnOutcome {
        if class.is_abstract() {
            return self.refuse(Warning::Abstract(class));
        }
        if !class.has_authority() {
            return self.refuse(Warning::NoAuthority(class));
        }
        let location = spawn.location.unwrap_or_default();
        if !location.is_finite() {
            return self.refuse(Warning::NotFinite(class));
        }
        // No check for room, because the map ensures it. The start of play sends the events.
        let me = self.make(class, None, location, &spawn.into())?;
        self.appear(me);
        // No `gained_child`: actors of the map come with their owners.
        let owner = self.living(spawn.owner);
        self.heads[me.index()].set(Fact::HasStates, true);
        self.put_owner(me.index(), owner);
        if !spawn.tag.is_none() {
            self.properties_mut(me.index()).tag = spawn.tag;
        }
        Ok(me)
    }
}

/// A spawned actor, or the reason of the failure.
pub(crate) type SpawnOutcome = Result<ActorRef, SpawnError>;
