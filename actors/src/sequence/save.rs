//! Saving a level, and restoring it. No events.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;

use serde::Serialize;

use crate::class::actor_class::ActorClass;
use crate::class::registry::load_actor_class;
use crate::class::state_index::StateIndex;
use crate::store::extra::Connection;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::saved_level::{SaveError, SavedActor, SavedLevel, SavedTimer};
use crate::store::waits::{RunningTimer, TimerTarget, Wait};
use crate::value::actor_ref::ActorRef;
use crate::value::keyed::Keyed;
use crate::value::name::Name;
use crate::value::saved::error::TreeError;
use crate::value::saved::references::{Current, References};
use crate::value::saved::writer::Writer;

/// The facts that are saved.
const FACTS: [Fact; 6] = [
    Fact::ScriptInitialized,
    Fact::HasStates,
    Fact::HadBase,
    Fact::InHash,
    Fact::Ticked,
    Fact::AwaitsVariables,
];

/// The places of the living actors among those that are saved.
struct Places(HashMap<ActorRef, u32, Keyed>);

impl Places {
    fn of(&self, actor: Option<ActorRef>) -> Option<u32> {
        self.0.get(&actor?).copied()
    }

    fn of_all(&self, actors: &[ActorRef]) -> Vec<u32> {
        actors.iter().filter_map(|actor| self.of(Some(*actor))).collect()
    }
}

/// Returns an error of a field of an actor that is being restored.
macro_rules! refuse {
    ($saved:expr, $field:expr, $($reason:tt)+) => {
        return Err(wrong($saved, $field, format!($($reason)+)))
    };
}

impl Inner {
    pub(crate) fn save(&self) -> Result<SavedLevel, SaveError> {
        // References are saved as places among the living actors, because slots and lives differ after a restore.
        let living: Vec<_> = self
            .order
            .iter()
            .copied()
            .filter(|actor| self.is_alive(*actor))
            .collect();
        let numbered = living.iter().copied().zip(0..);
        let places = Places(numbered.collect());
        let _current = Current::new(References::Saving {
            places: places.0.clone(),
            dead: HashMap::default(),
        });
        let actors: Result<Vec<_>, _> = living.iter().map(|actor| self.save_actor(*actor, &places)).collect();
        let actors = actors?;
        self.check_that_they_are_read(&living, &actors)?;
        Ok(SavedLevel {
            version: SavedLevel::VERSION,
            rules: self.rules.generation,
            settings: self.settings.clone(),
            options: self.options.clone(),
            begun: self.begun,
            ticks: self.tick_toggle,
            next_age: self.next_age,
            level_info: places.of(self.level_info),
            default_volume: places.of(self.default_volume),
            game: places.of(self.game),
            mutators: places.of_all(&self.mutators),
            notifiers: places.of_all(&self.notifiers),
            actors,
        })
    }

    /// Not all that was written can be read: a type may skip a field without a default for it, and a class whose name another
    /// class has is not found. An error at a restore would come when the level is gone.
    fn check_that_they_are_read(&self, living: &[ActorRef], actors: &[SavedActor]) -> Result<(), SaveError> {
        let count = u32::try_from(actors.len()).unwrap_or(u32::MAX);
        let _current = Current::new(References::Restoring(NonZeroU32::MIN, count));
        let mut found = HashSet::with_hasher(Keyed);
        for (actor, saved) in living.iter().zip(actors) {
            let class = self.heads[actor.index()].class();
            let Some(saving) = class.saving else { continue };
            if found.insert(class.id) {
                load_actor_class(class.name()).map_err(|error| wrong(saved, "", error.to_string()))?;
            }
            let is_read = saving.check(&saved.fields);
            is_read.map_err(|error| {
                let reason = format!("it could not be restored: {}", error.message());
                wrong(saved, &error.field(), reason)
            })?;
        }
        Ok(())
    }

    fn save_actor(&self, actor: ActorRef, places: &Places) -> Result<SavedActor, SaveError> {
        let slot = actor.index();
        let (head, record) = (&self.heads[slot], &self.records[slot]);
        let class = head.class();
        let wrong = |field: String, reason: String| SaveError {
            actor: self.name_of_slot(slot),
            class: class.name().to_owned(),
            field,
            reason,
        };
        if self.connection(slot) != Connection::None {
            return Err(wrong(
                String::new(),
                "it has a player who is connected over the network".into(),
            ));
        }
        let Some(saving) = class.saving else {
            let reason = "its class is not saved: call `class.saved()` in `describe`";
            return Err(wrong(String::new(), reason.into()));
        };
        // An error names the field, from the fields of the actor to those of the engine.
        let fields = self.write_fields(slot, saving);
        let fields = fields.map_err(|error| wrong(error.field(), error.message().into()))?;
        let extra = self.extra(slot);
        // States and functions are saved by name, because their numbers may differ in another program.
        let paused = extra.map_or_else(Vec::new, |extra| {
            let names = extra.paused.iter().map(|state| class.state_name(*state));
            names.zip(extra.waits.paused.iter().copied()).collect()
        });
        // Only living actors have places.
        let touching = extra.map_or_else(Vec::new, |extra| {
            let told = |other: ActorRef| Some((places.of(Some(other))?, extra.touching.get(other)?));
            extra.touching.actors().into_iter().filter_map(told).collect()
        });
        let timers = extra.map_or_else(Vec::new, |extra| {
            let saved = |timer: &RunningTimer| SavedTimer {
                function: match timer.target {
                    TimerTarget::Event => None,
                    TimerTarget::Function(place, id) => class.functions.entry(place, id).map(|it| it.name.to_owned()),
                },
                // With the seconds that a sleeping timer has not counted yet.
                wait: self.counted(slot, timer).wait,
                repeat: timer.repeat,
                is_paused: timer.is_paused,
            };
            extra.waits.timers.iter().map(saved).collect()
        });
        let code = extra.and_then(|extra| extra.waits.code);
        let own = self.own_properties(slot);
        // Here the actor is known, so the error can name it.
        check_numbers("location", &record.location)
            .and_then(|()| check_numbers("properties", &own))
            .and_then(|()| check_numbers("paused", &paused))
            .and_then(|()| check_numbers("code", &code))
            .and_then(|()| check_numbers("timers", &timers))
            .map_err(|error| wrong(error.field(), error.message().into()))?;
        Ok(SavedActor {
            class: class.name().to_owned(),
            age: record.age,
            name: extra.map_or(Name::NONE, |extra| extra.name),
            state: class.state_name(head.state),
            facts: FACTS.into_iter().filter(|fact| head.is(*fact)).collect(),
            location: record.location,
            rotation: record.rotation,
            owner: places.of(head.owner),
            base: places.of(self.base_of(actor)),
            instigator: places.of(record.instigator),
            zone: places.of(record.zone),
            volume: places.of(record.volume),
            properties: own,
            touching,
            attached: places.of_all(&self.attached(slot)),
            paused,
            code,
            timers,
            fields,
        })
    }

    /// Puts the actors of a saved level into this one, which has none yet.
    pub(crate) fn restore(&mut self, saved: &SavedLevel) -> Result<(), SaveError> {
        if saved.version != SavedLevel::VERSION {
            let reason = format!(
                "the level was saved in version {} of the format, but this program reads version {}",
                saved.version,
                SavedLevel::VERSION
            );
            return Err(SaveError::of_level(reason));
        }
        if saved.rules != self.rules.generation {
            let reason = format!(
                "the level was saved with the rules {0}, but restored with {1}; pass the rules {0}",
                saved.rules, self.rules.generation
            );
            return Err(SaveError::of_level(reason));
        }
        // So that the ages of new actors do not overflow.
        if saved.next_age > u64::MAX / 2 {
            return Err(SaveError::of_level(format!(
                "`next_age`: {} is too large for a level",
                saved.next_age
            )));
        }
        let count =
            u32::try_from(saved.actors.len()).map_err(|_| SaveError::of_level("more than 4,294,967,295 actors"))?;
        // The actor at each place will be in the slot of that number, in its first life. So a reference can be read before its actor.
        let first = self.lives.first();
        let first = first.ok_or_else(|| SaveError::of_level("the level has no slot number left for actors"))?;
        let _current = Current::new(References::Restoring(first, count));
        // First all actors with their own fields, so that each reference has its target. Ties come after them.
        let mut placed = Vec::new();
        for (place, actor) in saved.actors.iter().enumerate() {
            if place > 0 && saved.actors[place - 1].age >= actor.age || actor.age >= saved.next_age {
                refuse!(
                    actor,
                    "age",
                    "the actors are not in the order of their ages, or not below `next_age`"
                );
            }
            placed.push(self.restore_fields(actor)?);
        }
        // After the actors, each of which has taken an age and a tick mark from the level.
        self.settings.clone_from(&saved.settings);
        self.options.clone_from(&saved.options);
        self.begun = saved.begun;
        self.tick_toggle = saved.ticks;
        self.next_age = saved.next_age;
        let one = |place: Option<u32>| match place {
            None => Ok(None),
            Some(place) => match placed.get(place as usize) {
                Some(actor) => Ok(Some(*actor)),
                None => Err(SaveError::of_level(format!(
                    "no actor {place}: the level has {count} actors"
                ))),
            },
        };
        let all = |places: &[u32]| -> Result<Vec<_>, _> {
            let found: Result<Vec<_>, _> = places.iter().map(|place| one(Some(*place))).collect();
            Ok(found?.into_iter().flatten().collect())
        };
        self.level_info = one(saved.level_info)?;
        self.default_volume = one(saved.default_volume)?;
        self.game = one(saved.game)?;
        self.mutators = all(&saved.mutators)?;
        self.notifiers = all(&saved.notifiers)?;
        // The engine relies on the classes of its own actors.
        let class_of = |actor: ActorRef| self.heads[actor.index()].class();
        if self.level_info.is_some_and(|it| !self.is_level_class(class_of(it))) {
            return Err(SaveError::of_level("`level_info`: an actor of another class"));
        }
        if self.default_volume.is_some_and(|it| !class_of(it).kin.volume) {
            return Err(SaveError::of_level("`default_volume`: an actor that is not a volume"));
        }
        // Data from outside: in a circle of owners or bases, the sequences would never end.
        check_ties(saved)?;
        for (actor, its) in placed.iter().zip(&saved.actors) {
            let slot = actor.index();
            self.heads[slot].owner = one(its.owner)?;
            let record = &mut self.records[slot];
            record.base = one(its.base)?;
            record.instigator = one(its.instigator)?;
            record.zone = one(its.zone)?;
            record.volume = one(its.volume)?;
            for rider in all(&its.attached)? {
                self.extra_mut(slot).attached.push(rider, ());
            }
            for (other, told) in &its.touching {
                if let Some(other) = one(Some(*other))? {
                    self.extra_mut(slot).touching.push(other, *told);
                }
            }
            self.restore_waits(slot, its)?;
        }
        // Last, when each actor has its place and shape.
        self.fill_world();
        Ok(())
    }

    /// Makes an actor with its fields, at the next slot.
    fn restore_fields(&mut self, saved: &SavedActor) -> Result<ActorRef, SaveError> {
        let class = load_actor_class(&saved.class).map_err(|error| wrong(saved, "", error.to_string()))?;
        let Some(saving) = class.saving else {
            let reason = "its class is not saved: call `class.saved()` in `describe`";
            return Err(wrong(saved, "", reason));
        };
        let made = self.read_fields(class, saving, &saved.fields);
        let made = made.map_err(|error| wrong(saved, &error.field(), error.message()))?;
        let Some(actor) = made else {
            refuse!(saved, "", "the level has no slot number left for another actor");
        };
        let slot = actor.index();
        if !saved.location.is_finite() {
            refuse!(saved, "location", "the place is not finite");
        }
        let state = state_of(class, saved, saved.state)?;
        // Set directly, without the steps that lead there, because these send events.
        let head = &mut self.heads[slot];
        head.enter(state);
        for fact in FACTS {
            head.set(fact, saved.facts.contains(&fact));
        }
        let record = &mut self.records[slot];
        record.age = saved.age;
        record.location = saved.location;
        record.rotation = saved.rotation;
        if let Some(properties) = saved.properties {
            *self.properties_mut(slot) = properties;
        }
        if !saved.name.is_none() {
            self.extra_mut(slot).name = saved.name;
        }
        Ok(actor)
    }

    /// Timers, code, paused states.
    fn restore_waits(&mut self, slot: usize, saved: &SavedActor) -> Result<(), SaveError> {
        let class = self.heads[slot].class();
        // The code may be another one than that which was saved. The place behind the last step is its end.
        if let Some(position) = saved.code {
            let code = self.heads[slot].reactions.code;
            if code.is_none_or(|code| position.step > code.steps.len()) {
                refuse!(saved, "code", "the code of the state has no step {}", position.step);
            }
            self.extra_mut(slot).waits.code = Some(position);
            self.wait(slot);
        }
        for (name, position) in &saved.paused {
            let state = state_of(class, saved, *name)?;
            let extra = self.extra_mut(slot);
            extra.paused.push(state);
            extra.waits.paused.push(*position);
        }
        for timer in &saved.timers {
            // As `set_timer` allows. Other numbers would ring without end, or never.
            let Wait {
                seconds: rate,
                passed: count,
            } = timer.wait;
            if !(rate > 0.0 && rate.is_finite() && count > -f64::from(rate) && count.is_finite()) {
                refuse!(
                    saved,
                    "timers",
                    "the rate {rate} or the count {count} of a timer is invalid"
                );
            }
            let target = match &timer.function {
                None => TimerTarget::Event,
                Some(name) => match class.functions.named(name) {
                    Some((place, entry)) => TimerTarget::Function(place, entry.id),
                    None => refuse!(saved, "timers", "the class has no function {name}"),
                },
            };
            let number = self.next_timer;
            self.next_timer += 1;
            let running = RunningTimer {
                number,
                target,
                wait: timer.wait,
                repeat: timer.repeat,
                is_paused: timer.is_paused,
            };
            self.extra_mut(slot).waits.timers.push(running);
            self.wait(slot);
        }
        Ok(())
    }
}

/// Whether owners and bases have no cycles, and both sides of a tie know each other. The sequences rely on this.
fn check_ties(saved: &SavedLevel) -> Result<(), SaveError> {
    let actors = &saved.actors;
    check_circles(actors, "owner", |it| it.owner)?;
    check_circles(actors, "base", |it| it.base)?;
    // First one side of each tie, then the other: each list names an actor once, and each entry has its counterpart.
    let (mut attached, mut touching) = (HashSet::with_hasher(Keyed), HashSet::with_hasher(Keyed));
    for (its, place) in actors.iter().zip(0..) {
        for other in &its.attached {
            let stands = actors.get(*other as usize).is_some_and(|it| it.base == Some(place));
            if !stands || !attached.insert(*other) {
                refuse!(
                    its,
                    "attached",
                    "actor {other} is not based on this actor, or is listed twice"
                );
            }
        }
        for (other, _) in &its.touching {
            if *other == place || !touching.insert((place, *other)) {
                refuse!(its, "touching", "actor {other} touches itself, or is listed twice");
            }
        }
    }
    for (its, place) in actors.iter().zip(0..) {
        // The level's own actor has no list of those that are based on it.
        if let Some(base) = its.base.filter(|base| Some(*base) != saved.level_info) {
            if !attached.contains(&place) {
                refuse!(its, "base", "actor {base} does not list this actor as attached");
            }
        }
        for (other, _) in &its.touching {
            if !touching.contains(&(*other, place)) {
                refuse!(its, "touching", "actor {other} does not list this actor as touching");
            }
        }
    }
    Ok(())
}

/// Whether no chain of links comes back to an actor. Each actor is visited once.
fn check_circles(
    actors: &[SavedActor],
    field: &str,
    link: impl Fn(&SavedActor) -> Option<u32>,
) -> Result<(), SaveError> {
    // The actor from which each was reached first.
    let mut reached = vec![None; actors.len()];
    for start in 0..actors.len() {
        let mut next = Some(start);
        while let Some((place, its)) = next.and_then(|place| Some((place, actors.get(place)?))) {
            match reached[place] {
                Some(from) if from == start => {
                    refuse!(its, field, "following `{field}` from actor to actor leads back here");
                }
                Some(_) => break,
                None => reached[place] = Some(start),
            }
            next = link(its).map(|place| place as usize);
        }
    }
    Ok(())
}

/// Whether all numbers of a field can be written.
fn check_numbers(field: &str, its: &impl Serialize) -> Result<(), TreeError> {
    let written = its.serialize(Writer::new());
    written.map(drop).map_err(|error| error.inside(field))
}

fn state_of(class: &ActorClass, saved: &SavedActor, name: Name) -> Result<StateIndex, SaveError> {
    if name.is_none() {
        return Ok(StateIndex::NONE);
    }
    let state = class.state_index(name);
    state.ok_or_else(|| wrong(saved, "state", format!("the class has no state {name}")))
}

/// An error of a field of an actor that is being restored.
fn wrong(saved: &SavedActor, field: &str, reason: impl Into<String>) -> SaveError {
    let name = if saved.name.is_none() { "" } else { saved.name.as_str() };
    SaveError::of_actor(&saved.class, &saved.age.to_string(), name, field.to_owned(), reason)
}
