//! The handlers of a [`Soldier`]. Start reading here: this is how a Rust type becomes a class of actors.

use acedia_actors::{Actor, ClassBuilder, Cx, Pawn, Spawn, Stage, Vector, actor};
use acedia_text::{IntoText, Template, Text};

use super::body::{Soldier, inventory};
use super::pickup::Medkit;
use super::rocket::Rocket;
use super::rules::{FIELD, announce, rules, score, spread};

/// How far a soldier walks in a tick.
const STEP: f32 = 12.0;

impl Actor for Soldier {
    actor!(Soldier, "Skirmish.Soldier", parent = Pawn, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        // All fields are saved with the level, by `serde`.
        class.saved();
        class.post_begin_play(Self::post_begin_play);
        class.tick(Self::tick);
        class.destroyed(Self::destroyed);
    }

    // Runs before the first event. The fields set here are dropped when the actor is reclaimed: some time after its
    // destruction, when none of its handlers runs any more. Then their objects go back to their pools.
    fn constructor(&mut self) {
        self.inventory = Some(inventory(0, Vec::new()));
    }
}

impl Soldier {
    /// Runs when it is in the level and no mutator has rejected it.
    fn post_begin_play(cx: &mut Cx<'_, Self>) {
        cx.name = Some(Text::new(cx.name().as_str()));
        cx.health = rules(&cx.others).health.get().into();
        cx.heading = Vector::new(spread(&mut cx.others, STEP), spread(&mut cx.others, STEP), 0.0);
    }

    fn tick(cx: &mut Cx<'_, Self>, _seconds: f32) {
        cx.age = cx.age.wrapping_add(1);
        let mut to = cx.location() + cx.heading;
        if to.x.abs() > FIELD || to.y.abs() > FIELD {
            cx.heading = cx.heading * -1.0;
            to = cx.location() + cx.heading;
        }
        // Actors that it walks into get their events before this returns, and may have killed it.
        cx.set_location(to);
        let reload = u32::from(rules(&cx.others).reload.get());
        if !cx.is_deleted() && cx.age % reload == 0 {
            Self::fire(cx);
        }
    }

    fn fire(cx: &mut Cx<'_, Self>) {
        let heading = cx.heading;
        if let Some(rocket) = cx.spawn::<Rocket>(Spawn::new().owned_by(cx.me())) {
            cx.others.change_or_null(rocket, |it| it.heading = heading * 2.0);
        }
        score(&mut cx.others, |it| it.shots += 1);
    }

    /// Runs when it dies. Its fields, its place and its owner are still there.
    fn destroyed(cx: &mut Cx<'_, Self>) {
        cx.spawn::<Medkit>(Spawn::new());
        let mut obituary = Template::new("{$red %1} is gone, and %2 gold with it");
        let gold = cx.inventory.as_ref().and_then(|it| it.read()["gold"].as_int());
        if let Some(name) = &cx.name {
            obituary.arg(name);
        }
        obituary.arg(gold.unwrap_or(0).to_string().as_str());
        announce(&mut cx.others, obituary.collect_formatted().into_text());
        score(&mut cx.others, |it| it.deaths += 1);
    }
}
