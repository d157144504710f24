//! [`Soldier`]: its fields, and the actions of others on it.

use acedia::Owned;
use acedia::actors::{ActorRef, Pawn, Stage, Vector};
use acedia::boxes::IntRef;
use acedia::collections::{Entries, HashTable, Nested, TableWriter};
use acedia::text::Text;

use super::saved::{Saved, number, to_number, to_vector, vector};

/// Upper limits for a restored soldier.
const FITTEST: i32 = 1_000_000;
const OLDEST: u32 = 1 << 31;

/// Walks about, and fires ahead.
#[derive(Debug, Default)]
pub(crate) struct Soldier {
    /// The parent's part. The parent's handlers run for soldiers too, unless they have their own.
    pub(super) base: Pawn,
    pub(super) health: i32,
    pub(super) name: Option<Owned<Text>>,
    /// The collected things: `gold` is a number, and `things` a list of names.
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

impl Saved for Soldier {
    const IS_ON_THE_MAP: bool = false;

    fn save(&self, record: &mut TableWriter<'_>) {
        record
            .set("name", self.name.clone())
            .set("health", self.health)
            .set("heading", vector(self.heading))
            .set("age", number(self.age.into()))
            .set("inventory", self.inventory.clone());
    }

    fn restore(&mut self, record: &Entries) {
        self.name = record["name"].to_text();
        self.health = record["health"].as_int().unwrap_or(self.health).clamp(1, FITTEST);
        self.heading = to_vector(&record["heading"]);
        self.age = to_number::<u32>(&record["age"]).min(OLDEST);
        if let (Some(inventory), Some(saved)) = (&self.inventory, record["inventory"].to_table()) {
            // JSON has a plain number; here it becomes an object again.
            let gold = saved.read()["gold"].as_int().unwrap_or(0);
            inventory.write().set("gold", IntRef::new(gold));
            if let Some(things) = saved.read()["things"].to_list() {
                inventory.write().set("things", things);
            }
        }
    }
}

/// Takes some of a soldier's health, and maybe its life.
pub(super) fn hurt(stage: &mut impl Stage, soldier: ActorRef<Soldier>, damage: i32) {
    let left = stage.change_or_null(soldier, |it| {
        it.health -= damage;
        it.health
    });
    if left <= 0 {
        stage.destroy(soldier);
    }
}
