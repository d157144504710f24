//! Values of scripts as items, and items as values.

use acedia::{AnyHandle, Object};
use acedia_actors::NativeActorRef;
use acedia_boxes::DoubleBox;
use acedia_collections::{ArrayList, HashTable, Item, View};
use rhai::{Array, Dynamic, FLOAT, INT, ImmutableString, Map};

use crate::actors::ScriptActor;
use crate::collection::Collection;
use crate::world::{Failure, World};

/// A value of a script, to be put into a collection. Arrays and maps become new lists and tables.
pub(crate) fn to_item(world: &World, value: &Dynamic) -> Result<Item, Failure> {
    if value.is_unit() {
        return Ok(Item::NONE);
    }
    if let Ok(value) = value.as_bool() {
        return Ok(value.into());
    }
    if let Ok(value) = value.as_int() {
        return Ok(value.into());
    }
    if let Ok(value) = value.as_float() {
        return Ok(value.into());
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Ok(text.as_str().into());
    }
    if let Some(values) = value.read_lock::<Array>() {
        let items = values.iter().map(|value| to_item(world, value));
        return Ok(ArrayList::from(items.collect::<Result<Vec<_>, _>>()?).into());
    }
    if let Some(values) = value.read_lock::<Map>() {
        let entries = values
            .iter()
            .map(|(key, value)| Ok((key.as_str(), to_item(world, value)?)));
        return Ok(HashTable::from(entries.collect::<Result<Vec<_>, Failure>>()?).into());
    }
    if let Some(list) = value.read_lock::<Collection<ArrayList>>() {
        return list.to_item();
    }
    if let Some(table) = value.read_lock::<Collection<HashTable>>() {
        return table.to_item();
    }
    if let Some(actor) = value.read_lock::<ScriptActor>() {
        actor.check()?;
        let mut level = world.level_mut();
        return Ok(NativeActorRef::new(&mut *level, Some(actor.reference())).into());
    }
    Err(format!("a collection can't keep a value of the type {}", value.type_name()).into())
}

/// Whether this writes a watched object back to the place it came from. rhai does so with the receiver of a method:
/// after `table.key.push(x)` it stores the list into the table again.
pub(crate) fn is_written_back(before: &Item, item: &Item) -> bool {
    !item.is_owned() && item.handle().is_some_and(|object| before.handle() == Some(object))
}

/// The value of an item that stays in its collection: collections are watched.
pub(crate) fn of_item(world: &World, item: &Item) -> Dynamic {
    match item.view() {
        View::None => Dynamic::UNIT,
        View::Bool(value) => value.into(),
        View::Byte(value) => INT::from(value).into(),
        View::Int(value) => INT::from(value).into(),
        View::Long(value) => value.into(),
        View::Float(value) => FLOAT::from(value).into(),
        View::Double(value) => value.into(),
        View::Owned(object) => of_object(world, item, object.handle()),
        View::Watched(handle) => of_object(world, item, handle),
        _ => Dynamic::from(format!("{item:?}")),
    }
}

/// The value of an item that was taken out: the script owns the collections that it owned.
pub(crate) fn of_taken(world: &World, item: &Item) -> Dynamic {
    if let Some(list) = item.to_owned_as::<ArrayList>() {
        Dynamic::from(Collection::owned(world, list))
    } else if let Some(table) = item.to_owned_as::<HashTable>() {
        Dynamic::from(Collection::owned(world, table))
    } else {
        of_item(world, item)
    }
}

fn of_object(world: &World, item: &Item, object: AnyHandle) -> Dynamic {
    if let Some(list) = object.downcast::<ArrayList>() {
        return Dynamic::from(Collection::watched(world, list));
    }
    if let Some(table) = object.downcast::<HashTable>() {
        return Dynamic::from(Collection::watched(world, table));
    }
    if object.is::<NativeActorRef>() {
        let actor = item.with(NativeActorRef::get).flatten();
        let actor = actor.and_then(|actor| world.actor(actor));
        return actor.map_or(Dynamic::UNIT, Dynamic::from);
    }
    let number = if object.class() == DoubleBox::class() {
        item.as_double().map(Dynamic::from)
    } else {
        item.as_long().map(Dynamic::from)
    };
    let text = || item.as_string().map(Dynamic::from);
    number
        .or_else(text)
        .unwrap_or_else(|| Dynamic::from(format!("{item:?}")))
}
