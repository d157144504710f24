//! [`Soldier`]: its fields, and the actions of others on it.

use acedia::Owned;
use acedia_actors::{ActorRef, Pawn, Stage, Vector};
use acedia_boxes::IntRef;
use acedia_collections::{ArrayList, HashTable, Nested};
use acedia_text::Text;
use serde::{Deserialize, Deserializer, Serialize};

/// Walks about, and fires ahead.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Soldier {
    /// The parent's part. The parent's handlers run for soldiers too, unless they have their own.
    pub(super) base: Pawn,
    pub(super) health: i32,
    pub(super) name: Option<Owned<Text>>,
    /// The collected things: `gold` is a number, and `things` a list of names.
    #[serde(deserialize_with = "saved_inventory")]
    pub(super) inventory: Option<Owned<HashTable>>,
    pub(super) heading: Vector,
    pub(super) age: u32,
}

impl Soldier {
    /// Puts something into the inventory.
    pub(super) fn take(&self, thing: &str, worth: i32) {
        if let Some(inventory) = &self.inventory {
            inventory.get_by("/gold").with(|gold: &IntRef| gold.fetch_add(worth));
            if let Some(things) = inventory.get_by("/things").to_list() {
                things.write().push(thing);
            }
        }
    }
}

/// An inventory with these things.
pub(super) fn inventory(gold: i32, things: Vec<String>) -> Owned<HashTable> {
    let inventory = HashTable::from([("things", ArrayList::from(things))]);
    // An object, so that all its owners see the same number.
    inventory.write().set("gold", IntRef::new(gold));
    inventory
}

/// The inventory of a saved level, in which the gold is a plain number.
fn saved_inventory<'de, D: Deserializer<'de>>(saved: D) -> Result<Option<Owned<HashTable>>, D::Error> {
    #[derive(Deserialize)]
    struct Inventory {
        gold: i32,
        things: Vec<String>,
    }
    let Inventory { gold, things } = Inventory::deserialize(saved)?;
    Ok(Some(inventory(gold, things)))
}

/// Takes some of a soldier's health, and maybe its life.
pub(super) fn hurt(stage: &mut impl Stage, soldier: ActorRef<Soldier>, damage: i32) {
    let left = stage.change_or_null(soldier, |it| {
        it.health = it.health.saturating_sub(damage);
        it.health
    });
    if left <= 0 {
        stage.destroy(soldier);
    }
}
