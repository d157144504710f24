//! A battle as collections: what is saved, and how it is restored.
//!
//! For each class there is a list with a table for each of its actors, so the whole is JSON without further ado:
//!
//! ```json
//! {"Skirmish.Soldier": [{"at": [8.0, -3.5, 0.0], "owner": "/Skirmish.Match/0", "health": 75,
//!   "inventory": {"gold": 5, "things": ["Skirmish.Medkit"]}}]}
//! ```

use acedia::Owned;
use acedia::actors::{Actor, ActorRef, Level, Spawn, Stage};
use acedia::collections::{ArrayList, HashTable, Item, Nested, Pointer};

use super::body::Soldier;
use super::game::Swap;
use super::gate::Vault;
use super::herald::Herald;
use super::pickup::{Bomb, Medkit};
use super::rocket::Rocket;
use super::rules::Match;
use super::saved::{Saved, to_vector, vector};

/// Actors that a level may be restored with.
const MOST: usize = 10_000;

/// What is done with all actors of a class.
struct Kind {
    save: fn(&Level, &HashTable),
    place: fn(&mut Level, &Item) -> Result<(), String>,
    restore: fn(&mut Level, &Item),
}

/// The classes, owners before what they own.
const KINDS: [Kind; 8] = [
    kind::<Match>(),
    kind::<Swap>(),
    kind::<Herald>(),
    kind::<Vault>(),
    kind::<Soldier>(),
    kind::<Rocket>(),
    kind::<Medkit>(),
    kind::<Bomb>(),
];

const fn kind<T: Saved>() -> Kind {
    Kind {
        save: save_all::<T>,
        place: place_all::<T>,
        restore: restore_all::<T>,
    }
}

/// Everything that matters in a level, between two ticks.
pub(super) fn save(level: &Level) -> Owned<HashTable> {
    let saved = HashTable::new();
    for kind in &KINDS {
        (kind.save)(level, &saved);
    }
    saved
}

/// Puts the actors that come and go into a level, before play.
///
/// An error is a place where nothing can be, or more actors than there is room for.
pub(super) fn place(level: &mut Level, saved: &Item) -> Result<(), String> {
    KINDS.iter().try_for_each(|kind| (kind.place)(level, saved))
}

/// Makes of all actors what they were, after the beginning of play, which made of them what new ones are.
pub(super) fn restore(level: &mut Level, saved: &Item) {
    for kind in &KINDS {
        (kind.restore)(level, saved);
    }
}

fn save_all<T: Saved>(level: &Level, saved: &HashTable) {
    let records = ArrayList::new();
    for actor in all::<T>(level) {
        let record = HashTable::new();
        {
            let mut record = record.write();
            if let Some(at) = level.location(actor) {
                record.set("at", vector(at));
            }
            if let Some(owner) = level.owner(actor) {
                record.set("owner", pointer(level, owner).to_string());
            }
            if let Some(actor) = level.get(actor) {
                actor.save(&mut record);
            }
        }
        records.write().push(record);
    }
    saved.write().set(T::class().name(), records);
}

fn place_all<T: Saved>(level: &mut Level, saved: &Item) -> Result<(), String> {
    if T::IS_ON_THE_MAP {
        return Ok(());
    }
    for record in records::<T>(saved) {
        if level.actors().count() >= MOST {
            return Err(format!("more than {MOST} actors"));
        }
        let mut spawn = Spawn::new().at(to_vector(&record.get_by("/at")));
        let owner = record.get_by("/owner").as_string();
        if let Some(owner) = owner.and_then(|owner| find(level, &Pointer::from(&*owner))) {
            spawn = spawn.owned_by(owner);
        }
        let placed = level.place::<T>(spawn);
        placed.map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn restore_all<T: Saved>(level: &mut Level, saved: &Item) {
    for (actor, record) in all::<T>(level).into_iter().zip(records::<T>(saved)) {
        if let Some((actor, record)) = level.get_mut(actor).zip(record.as_table()) {
            actor.restore(&record.read());
        }
    }
}

/// What was saved of a class.
fn records<T: Actor>(saved: &Item) -> Vec<Item> {
    let list = saved.get_by(Pointer::from_iter([T::class().name()])).as_list();
    list.map_or_else(Vec::new, |list| list.read().iter().cloned().collect())
}

/// The actors of a class, by age.
fn all<T: Actor>(level: &Level) -> Vec<ActorRef<T>> {
    level.actors().filter_map(|actor| level.cast(actor)).collect()
}

/// The way to an actor's record in what is saved: its class, and its number in it.
fn pointer(level: &Level, actor: ActorRef) -> Pointer {
    let mut pointer = Pointer::new();
    if let Some(class) = level.class(actor) {
        let older = level.actors().take_while(|other| *other != actor);
        let number = older.filter(|other| level.class(*other) == Some(class)).count();
        pointer.push(class.name()).push_number(number);
    }
    pointer
}

/// The actor to whose record a pointer leads.
fn find(level: &Level, pointer: &Pointer) -> Option<ActorRef> {
    let (class, number) = (pointer.component(0)?, pointer.number(1)?);
    let mut of_class = level
        .actors()
        .filter(|actor| level.class(*actor).is_some_and(|it| it.name() == class));
    of_class.nth(number)
}
