//! Saves and restores a level, without events.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;

use crate::class::actor_class::ActorClass;
use crate::class::registry::load_actor_class;
use crate::class::state_index::StateIndex;
use crate::store::extra::Connection;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::saved_level::{ActorData, LevelData, SavedActor, SavedLevel, SavedTimer};
use crate::store::waits::{RunningTimer, TimerTarget, Wait};
use crate::value::actor_ref::ActorRef;
use crate::value::keyed::Keyed;
use crate::value::name::Name;
use crate::value::saved::error::SaveError;
use crate::value::saved::references::{Current, References, Restoring};
use crate::value::saved::tree::{Tree, read, write};

/// The facts that are saved.
const FACTS: [Fact; 5] = [
    Fact::ScriptInitialized,
    Fact::HasStates,
    Fact::HadBase,
    Fact::InHash,
    Fact::AwaitsVariables,
];

/// Returns an error about a field of an actor that is being restored.
macro_rules! refuse {
    ($saved:expr, $field:expr, $($reason:tt)+) => {
        return Err($saved.wrong(SaveError::new(format_args!($($reason)+)).at($field)))
    };
}

const NOT_SAVED: &str = "its class is not saved: call `class.saved()` in `describe`";

impl SavedActor {
    fn wrong(&self, error: SaveError) -> SaveError {
        error.of(&self.name, &self.class)
    }
}

impl Inner {
    pub(crate) fn save(&self) -> Result<SavedLevel, SaveError> {
        // References are saved as places among the living actors, because slots and lives differ after a restore.
        let living = self.order.iter().copied().filter(|actor| self.is_alive(*actor));
        let living: Vec<_> = living.collect();
        let current = Current::new(References::Saving {
            places: living.iter().copied().zip(0..).collect(),
            dead: HashMap::default(),
        });
        let save = |actor: &ActorRef| {
            let (slot, class) = (actor.index(), self.heads[actor.index()].class().name());
            let saved = self.save_actor(slot);
            saved.map_err(|error| error.of(&self.name_of_slot(slot), class))
        };
        let actors: Result<Vec<_>, _> = living.iter().map(save).collect();
        let (actors, lives) = (actors?, |actor: &ActorRef| self.is_alive(*actor));
        let level = LevelData {
            settings: self.settings.clone(),
            options: self.options.clone(),
            begun: self.begun,
            next_age: self.next_age,
            level_info: self.living(self.level_info),
            default_volume: self.living(self.default_volume),
            game: self.living(self.game),
            mutators: self.mutators.iter().copied().filter(lives).collect(),
            notifiers: self.notifiers.iter().copied().filter(lives).collect(),
        };
        let level = write(&level)?;
        drop(current);
        self.check_that_they_are_read(&living, &actors)?;
        Ok(SavedLevel {
            version: SavedLevel::VERSION,
            rules: self.rules.generation,
            level,
            actors,
        })
    }

    /// Reads the saved fields back, because an error at a restore would come too late. For example, a type may skip a field
    /// that has no default, or two classes may have the same name.
    fn check_that_they_are_read(&self, living: &[ActorRef], actors: &[SavedActor]) -> Result<(), SaveError> {
        let _current = Current::new(References::Restoring(Restoring {
            life: NonZeroU32::MIN,
            count: u32::try_from(actors.len()).unwrap_or(u32::MAX),
            may_be_dead: true,
        }));
        let mut found = HashSet::with_hasher(Keyed);
        for (actor, saved) in living.iter().zip(actors) {
            let class = self.heads[actor.index()].class();
            let Some(saving) = class.saving else { continue };
            if found.insert(class.id) {
                load_actor_class(class.name()).map_err(|error| saved.wrong(SaveError::new(error)))?;
            }
            let is_read = (saving.check)(&saved.fields);
            is_read.map_err(|error| saved.wrong(error.in_trial()))?;
        }
        Ok(())
    }

    fn save_actor(&self, slot: usize) -> Result<SavedActor, SaveError> {
        let (head, record, extra) = (&self.heads[slot], &self.records[slot], self.extra(slot));
        let class = head.class();
        if self.connection(slot) != Connection::None {
            return Err(SaveError::new("it has a player who is connected over the network"));
        }
        let saving = class.saving.ok_or_else(|| SaveError::new(NOT_SAVED))?;
        let column = self.columns.get(class.id).and_then(Option::as_ref);
        let fields = column.map_or(Ok(Tree::Null), |column| (saving.write)(column, head.row as usize))?;
        // States and functions are saved by name, because their numbers may differ in another program.
        let paused = extra.map_or_else(Vec::new, |extra| {
            let names = extra.paused.iter().map(|state| class.state_name(*state));
            names.zip(extra.waits.paused.iter().copied()).collect()
        });
        let told = |other: &ActorRef| Some((*other, self.contacts(slot)?.get(*other)?));
        let timers = extra.map_or_else(Vec::new, |extra| {
            let saved = |timer: &RunningTimer| SavedTimer {
                function: match timer.target {
                    TimerTarget::Event => None,
                    TimerTarget::Function(place, id) => class.functions.entry(place, id).map(|it| it.name.to_owned()),
                },
                // Includes the seconds that a sleeping timer has not counted yet.
                wait: self.counted(slot, timer).wait,
                repeat: timer.repeat,
                is_paused: timer.is_paused,
            };
            extra.waits.timers.iter().map(saved).collect()
        });
        let lives = |actor: &ActorRef| self.is_alive(*actor);
        let data = ActorData {
            age: record.age,
            name: extra.map_or(Name::NONE, |extra| extra.name),
            state: class.state_name(head.state),
            facts: FACTS.into_iter().filter(|fact| head.is(*fact)).collect(),
            location: record.location,
            rotation: record.rotation,
            owner: self.living(head.owner()),
            base: self.living(record.base).filter(|_| head.is(Fact::HadBase)),
            instigator: self.living(record.instigator),
            zone: self.living(record.zone),
            volume: self.living(record.volume),
            properties: self.own_properties(slot),
            touching: self.touched(slot).filter(lives).filter_map(|it| told(&it)).collect(),
            attached: self.attached(slot).into_iter().filter(lives).collect(),
            paused,
            code: extra.and_then(|extra| extra.waits.code),
            timers,
        };
        Ok(SavedActor {
            class: class.name().to_owned(),
            name: self.name_of_slot(slot),
            engine: write(&data)?,
            fields,
        })
    }

    /// Puts the actors of a saved level into this level, which has none yet.
    pub(crate) fn restore(&mut self, saved: &SavedLevel) -> Result<(), SaveError> {
        if saved.version != SavedLevel::VERSION {
            return Err(SaveError::new(format_args!(
                "the level was saved in version {} of the format, but this program reads version {}",
                saved.version,
                SavedLevel::VERSION
            )));
        }
        if saved.rules != self.rules.generation {
            return Err(SaveError::new(format_args!(
                "the level was saved with the rules {0}, but restored with {1}; pass the rules {0}",
                saved.rules, self.rules.generation
            )));
        }
        let first = self.lives.first();
        // The actor at each place will have the slot of that number, in the slot's first life. So a reference can be read
        // before its actor.
        let restoring = Restoring {
            life: first.ok_or_else(|| SaveError::new("the level has no slot number left for actors"))?,
            count: u32::try_from(saved.actors.len()).map_err(|_| SaveError::new("more than 4,294,967,295 actors"))?,
            may_be_dead: false,
        };
        let current = Current::new(References::Restoring(restoring));
        let level = read::<LevelData>(&saved.level)?;
        let engine = |actor: &SavedActor| read::<ActorData>(&actor.engine).map_err(|it| actor.wrong(it));
        let data: Result<Vec<_>, _> = saved.actors.iter().map(engine).collect();
        let data = data?;
        drop(current);
        // The ages of new actors must not overflow.
        if level.next_age > u64::MAX / 2 {
            let error = SaveError::new(format_args!("the age {} is too large", level.next_age));
            return Err(error.at("next_age"));
        }
        // The data may be hostile: with a cycle of owners or bases, the sequences would never end.
        check_ties(&saved.actors, &data, level.level_info)?;
        let _current = Current::new(References::Restoring(Restoring {
            may_be_dead: true,
            ..restoring
        }));
        let mut age = None;
        for (actor, its) in saved.actors.iter().zip(data) {
            if age >= Some(its.age) || its.age >= level.next_age {
                refuse!(
                    actor,
                    "age",
                    "the ages must increase from actor to actor, and be less than `next_age`"
                );
            }
            age = Some(its.age);
            self.restore_actor(actor, its)?;
        }
        // Set after the actors, each of which has taken an age from the level.
        self.settings = level.settings;
        self.options = level.options;
        self.begun = level.begun;
        self.next_age = level.next_age;
        self.level_info = level.level_info;
        self.default_volume = level.default_volume;
        self.game = level.game;
        self.mutators = level.mutators;
        self.notifiers = level.notifiers;
        // The engine relies on the classes of its own actors.
        let class_of = |actor: ActorRef| self.heads[actor.index()].class();
        if self.level_info.is_some_and(|it| !self.is_level_class(class_of(it))) {
            return Err(SaveError::new("expected an actor of the class Engine.LevelInfo").at("level_info"));
        }
        if self.default_volume.is_some_and(|it| !class_of(it).kin.volume) {
            return Err(SaveError::new("expected a physics volume").at("default_volume"));
        }
        // Last, when each actor has its location and shape.
        self.fill_world();
        Ok(())
    }

    fn restore_actor(&mut self, saved: &SavedActor, its: ActorData) -> Result<(), SaveError> {
        let class = load_actor_class(&saved.class).map_err(|error| saved.wrong(SaveError::new(error)))?;
        let Some(saving) = class.saving else {
            return Err(saved.wrong(SaveError::new(NOT_SAVED)));
        };
        let column = self.column(class);
        let row = column.map_or(Ok(None), |column| (saving.read)(column, &saved.fields));
        let row = row.map_err(|error| saved.wrong(error))?;
        let Some(actor) = row.and_then(|row| self.add_row(class, row)) else {
            refuse!(saved, "", "the level has no slot number left for another actor");
        };
        let slot = actor.index();
        let state = state_of(class, saved, its.state)?;
        // Set directly, because the steps of a change of state send events.
        let head = &mut self.heads[slot];
        head.enter(state);
        for fact in FACTS {
            head.set(fact, its.facts.contains(&fact));
        }
        let record = &mut self.records[slot];
        record.age = its.age; // needed by `put_owner`
        record.location = its.location;
        record.rotation = its.rotation;
        record.base = its.base;
        record.instigator = its.instigator;
        record.zone = its.zone;
        record.volume = its.volume;
        self.put_owner(slot, its.owner);
        if let Some(properties) = its.properties {
            *self.properties_mut(slot) = properties;
        }
        if !its.name.is_none() {
            self.extra_mut(slot).name = its.name;
        }
        for rider in its.attached {
            self.extra_mut(slot).attached.push(rider, ());
        }
        for (other, told) in its.touching {
            self.contacts_mut(slot).push(other, told);
        }
        // The program's code may differ from the saved one. The place after the last step is the end of the code.
        if let Some(position) = its.code {
            let code = self.heads[slot].reactions.code;
            if code.is_none_or(|code| position.step > code.steps.len()) {
                refuse!(saved, "code", "the code of the state has no step {}", position.step);
            }
            self.extra_mut(slot).waits.code = Some(position);
            self.wait(slot);
        }
        for (name, position) in its.paused {
            let state = state_of(class, saved, name)?;
            let extra = self.extra_mut(slot);
            extra.paused.push(state);
            extra.waits.paused.push(position);
        }
        for timer in its.timers {
            self.restore_timer(slot, saved, &timer)?;
        }
        Ok(())
    }

    fn restore_timer(&mut self, slot: usize, saved: &SavedActor, timer: &SavedTimer) -> Result<(), SaveError> {
        // The same limits as in `set_timer`. Other numbers would make a timer run out endlessly, or never.
        let Wait {
            seconds: rate,
            passed: count,
        } = timer.wait;
        if !(rate > 0.0 && rate.is_finite() && count > -f64::from(rate) && count.is_finite()) {
            refuse!(
                saved,
                "timers",
                "invalid timer: {rate} seconds, of which {count} have passed"
            );
        }
        let functions = &self.heads[slot].class().functions;
        let target = match &timer.function {
            None => TimerTarget::Event,
            Some(name) => match functions.named(name) {
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
        Ok(())
    }
}

/// Checks that owners and bases have no cycles, and that each tie is listed on both sides. The sequences rely on this.
fn check_ties(actors: &[SavedActor], data: &[ActorData], level_info: Option<ActorRef>) -> Result<(), SaveError> {
    check_circles(actors, data, "owner", |it| it.owner)?;
    check_circles(actors, data, "base", |it| it.base)?;
    // First one side of each tie, then the other. Each list must name an actor only once, and each entry must have its
    // counterpart.
    let (mut attached, mut touching) = (HashSet::with_hasher(Keyed), HashSet::with_hasher(Keyed));
    for (place, its) in data.iter().enumerate() {
        for other in its.attached.iter().map(|other| other.index()) {
            let stands = data[other].base.is_some_and(|base| base.index() == place);
            if !stands || !attached.insert(other) {
                refuse!(
                    actors[place],
                    "attached",
                    "actor {other} is not based on this actor, or is listed twice"
                );
            }
        }
        for other in its.touching.iter().map(|(other, _)| other.index()) {
            if other == place || !touching.insert((place, other)) {
                refuse!(
                    actors[place],
                    "touching",
                    "actor {other} touches itself, or is listed twice"
                );
            }
        }
    }
    for (place, its) in data.iter().enumerate() {
        // The level's own actor has no list of the actors based on it.
        if let Some(base) = its.base.filter(|base| Some(*base) != level_info) {
            if !attached.contains(&place) {
                refuse!(
                    actors[place],
                    "base",
                    "actor {} does not list this actor as attached",
                    base.index()
                );
            }
        }
        for other in its.touching.iter().map(|(other, _)| other.index()) {
            if !touching.contains(&(other, place)) {
                refuse!(
                    actors[place],
                    "touching",
                    "actor {other} does not list this actor as touching"
                );
            }
        }
    }
    Ok(())
}

/// Checks that no chain of links has a cycle. Each actor is visited once.
fn check_circles(
    actors: &[SavedActor],
    data: &[ActorData],
    field: &str,
    link: impl Fn(&ActorData) -> Option<ActorRef>,
) -> Result<(), SaveError> {
    // For each actor, the start of the chain that reached it first.
    let mut reached = vec![None; data.len()];
    for start in 0..data.len() {
        let mut next = Some(start);
        while let Some(place) = next {
            match reached[place] {
                Some(from) if from == start => {
                    refuse!(
                        actors[place],
                        field,
                        "following `{field}` from actor to actor leads back here"
                    );
                }
                Some(_) => break,
                None => reached[place] = Some(start),
            }
            next = link(&data[place]).map(ActorRef::index);
        }
    }
    Ok(())
}

fn state_of(class: &ActorClass, saved: &SavedActor, name: Name) -> Result<StateIndex, SaveError> {
    if name.is_none() {
        return Ok(StateIndex::NONE);
    }
    match class.state_index(name) {
        Some(state) => Ok(state),
        None => refuse!(saved, "state", "the class has no state {name}"),
    }
}
