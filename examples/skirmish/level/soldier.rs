//! [`Soldier`]: a pawn. Start reading here: this is how a Rust type becomes a class of actors.

use acedia::Owned;
use acedia::actors::{Actor, ActorRef, ClassBuilder, Cx, Pawn, Spawn, Stage, Vector, actor};
use acedia::boxes::IntRef;
use acedia::collections::{ArrayList, Entries, HashTable, Nested, TableWriter};
use acedia::text::{IntoText, Template, Text};

use super::FIELD;
use super::game::{announce, rule, score, spread};
use super::pickup::Medkit;
use super::rocket::Rocket;
use super::saved::{Saved, number, to_number, to_vector, vector};

/// What no saved soldier exceeds.
const FITTEST: i32 = 1_000_000;
const OLDEST: u32 = 1 << 31;
/// How far a soldier walks in a tick.
const STEP: f32 = 12.0;

/// Walks about, and fires ahead.
#[derive(Debug, Default)]
pub(crate) struct Soldier {
    /// What it has of its parent class. The parent's handlers run for soldiers too, where they have none of their own.
    base: Pawn,
    pub(super) health: i32,
    name: Option<Owned<Text>>,
    /// What it has collected: `gold` is a number, and `things` a list of names.
    inventory: Option<Owned<HashTable>>,
    heading: Vector,
    age: u32,
}

impl Actor for Soldier {
    actor!(Soldier, "Skirmish.Soldier", parent = Pawn, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.post_begin_play(Self::post_begin_play);
        class.tick(Self::tick);
        class.destroyed(Self::destroyed);
    }

    // Before the first event. What is set here is dropped when the actor is reclaimed, so the objects go back to their
    // pools: some time after its destruction, when no handler runs any more.
    fn constructor(&mut self) {
        let inventory = HashTable::from([("things", ArrayList::new())]);
        // An object: whoever has an owner of it sees the same number.
        inventory.write().set("gold", IntRef::new(0));
        self.inventory = Some(inventory);
    }
}

impl Soldier {
    /// It is in the level, and the mutators have had their say.
    fn post_begin_play(cx: &mut Cx<'_, Self>) {
        cx.name = Some(Text::from(cx.name().as_str()));
        cx.health = rule(&cx.others(), "health");
        cx.heading = Vector::new(spread(&mut cx.others(), STEP), spread(&mut cx.others(), STEP), 0.0);
    }

    fn tick(cx: &mut Cx<'_, Self>, _seconds: f32) {
        cx.age += 1;
        let mut to = cx.location() + cx.heading;
        if to.x.abs() > FIELD || to.y.abs() > FIELD {
            cx.heading = cx.heading * -1.0;
            to = cx.location() + cx.heading;
        }
        // Whatever it walks into is told so before this returns, and may have killed it.
        cx.set_location(to);
        let reload = rule(&cx.others(), "reload").unsigned_abs();
        if !cx.is_deleted() && cx.age % reload == 0 {
            Self::fire(cx);
        }
    }

    /// Puts something into the inventory.
    pub(super) fn take(&self, thing: &str, worth: i32) {
        if let Some(inventory) = &self.inventory {
            inventory.get_by("/gold").with(|gold: &IntRef| gold.fetch_add(worth));
            if let Some(things) = inventory.get_by("/things").as_list() {
                things.write().push(thing);
            }
        }
    }

    fn fire(cx: &mut Cx<'_, Self>) {
        let heading = cx.heading;
        if let Some(rocket) = cx.spawn::<Rocket>(Spawn::new().owned()) {
            cx.others().change_or_null(rocket, |it| it.heading = heading * 2.0);
        }
        score(&mut cx.others(), |it| it.shots += 1);
    }

    /// It dies. Its fields, its place and its owner are still there.
    fn destroyed(cx: &mut Cx<'_, Self>) {
        cx.spawn::<Medkit>(Spawn::new());
        let mut obituary = Template::new("{$red %1} is gone, and %2 gold with it");
        let gold = cx.inventory.as_ref().and_then(|it| it.read()["gold"].as_int());
        if let Some(name) = &cx.name {
            obituary.arg(name);
        }
        obituary.arg(gold.unwrap_or(0).to_string().as_str());
        announce(&mut cx.others(), obituary.collect_formatted().into_text());
        score(&mut cx.others(), |it| it.deaths += 1);
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
        self.name = record["name"].as_text();
        self.health = record["health"].as_int().unwrap_or(self.health).clamp(1, FITTEST);
        self.heading = to_vector(&record["heading"]);
        self.age = to_number::<u32>(&record["age"]).min(OLDEST);
        if let (Some(inventory), Some(saved)) = (&self.inventory, record["inventory"].as_table()) {
            // What was printed is a number; here it is an object again.
            let gold = saved.read()["gold"].as_int().unwrap_or(0);
            inventory.write().set("gold", IntRef::new(gold));
            if let Some(things) = saved.read()["things"].as_list() {
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
