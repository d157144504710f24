//! A battle as collections: saving and restoring it.
//!
//! For each class there is a list with a table for each of its actors, so the whole prints as JSON directly:
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

/// The operations on all actors of a class.
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

/// The state of a level, between two ticks.
pub(super) fn save(level: &Level) -> Owned<HashTable> {
    let saved = HashTable::new();
    for kind in &KINDS {
        (kind.save)(level, &saved);
    }
    saved
}

/// Places the actors that are not on the map, before play begins.
///
/// It is an error if an actor cannot be at its place, or if there are more actors than allowed.
pub(super) fn place(level: &mut Level, saved: &Item) -> Result<(), String> {
    KINDS.iter().try_for_each(|kind| (kind.place)(level, saved))
}

/// Restores the fields of all actors, after the beginning of play, which initializes them like new ones.
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
        if let Some((actor, record)) = level.get_mut(actor).zip(record.to_table()) {
            actor.restore(&record.read());
        }
    }
}

/// The saved records of a class.
fn records<T: Actor>(saved: &Item) -> Vec<Item> {
    let list = saved.get_by(Pointer::from_iter([T::class().name()])).to_list();
    list.map_or_else(Vec::new, |list| list.read().iter().cloned().collect())
}

/// The actors of a class, by age.
fn all<T: Actor>(level: &Level) -> Vec<ActorRef<T>> {
    level.actors().filter_map(|actor| level.cast(actor)).collect()
}

/// The pointer to an actor's saved record: its class, and its index there.
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
