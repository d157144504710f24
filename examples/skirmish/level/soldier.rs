//! [`Soldier`]: a pawn. Start reading here: this is how a Rust type becomes a class of actors.

use acedia::Owned;
use acedia::actors::{Actor, ActorRef, ClassBuilder, Cx, Pawn, Spawn, Stage, Vector, actor};
use acedia::boxes::IntRef;
use acedia::text::{IntoText, Template, Text};

use super::FIELD;
use super::game::{announce, score, spread};
use super::pickup::Medkit;
use super::rocket::Rocket;

const HEALTH: i32 = 100;
/// How far a soldier walks in a tick.
const STEP: f32 = 12.0;
/// Ticks from one shot to the next.
const RELOAD: u32 = 4;

/// Walks about, and fires ahead.
#[derive(Debug, Default)]
pub(crate) struct Soldier {
    /// What it has of its parent class. The parent's handlers run for soldiers too, where they have none of their own.
    base: Pawn,
    pub(super) health: i32,
    name: Option<Owned<Text>>,
    /// What it has collected. An object: whoever has an owner of it sees the same number.
    pub(super) gold: Option<Owned<IntRef>>,
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
        self.health = HEALTH;
        self.gold = Some(IntRef::new(0));
    }
}

impl Soldier {
    /// It is in the level, and the mutators have had their say.
    fn post_begin_play(cx: &mut Cx<'_, Self>) {
        let me = cx.me();
        let name = cx.others().name(me).unwrap_or_default();
        cx.name = Some(Text::from(name.as_str()));
        cx.heading = Vector::new(spread(&mut cx.others(), STEP), spread(&mut cx.others(), STEP), 0.0);
    }

    fn tick(cx: &mut Cx<'_, Self>, _seconds: f32) {
        cx.age += 1;
        let mut to = cx.location() + cx.heading;
        if to.x.abs() > FIELD || to.y.abs() > FIELD {
            cx.heading = cx.heading * -1.0;
            to = cx.location() + cx.heading;
        }
        let me = cx.me();
        // Whatever it walks into is told so before this returns, and may have killed it.
        cx.others().set_location(me, to);
        if !cx.is_deleted() && cx.age % RELOAD == 0 {
            Self::fire(cx);
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
        let gold = cx.gold.as_ref().map_or(0, |gold| gold.get());
        if let Some(name) = &cx.name {
            obituary.arg(name);
        }
        obituary.arg(gold.to_string().as_str());
        announce(&mut cx.others(), obituary.collect_formatted().into_text());
        score(&mut cx.others(), |it| it.deaths += 1);
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
