//! The cases in `scenarios/`: the rows of the documentation, and what happens between two actors.

mod common;
mod scenario;

use acedia_actors::{Actor, ActorClass, Event, Mutator, Pawn, Physics, PlayerController, PlayerPawn, Role, Stage};
use common::*;
use scenario::{Verb, kinds, play};

probe!(Fixed, "Test.Fixed", |class| class.defaults(|it| it.is_static = true));
probe!(Static, "Test.Static", |class| class.defaults(|it| it.is_static = true));
probe!(Undying, "Test.Undying", |class| class
    .defaults(|it| it.no_delete = true));
probe!(Spark, "Test.Spark", |class| class.defaults(|it| it.high_detail = true));
probe!(Crate, "Test.Crate", |class| class
    .defaults(|it| it.collide_world = true));
probe!(Placed, "Test.Placed", |class| class
    .defaults(|it| it.collide_when_placing = true));
probe!(Slave, "Test.Slave", |class| class
    .defaults(|it| it.role = Role::Simulated));
probe!(Netted, "Test.Netted", |class| class.defaults(|it| it.net_notify = true));
probe!(Wanted, "Test.Wanted", |class| class
    .defaults(|it| it.game_relevant = true));
probe!(Pillar, "Test.Pillar", |class| class.defaults(|it| {
    it.collide_actors = true;
    it.block_actors = true;
    it.no_delete = true;
}));
probe!(Victim, "Test.Victim", |class| {
    class.defaults(|it| it.collide_actors = true);
    class.state("Living").auto();
});
probe!(Deaf, "Test.Deaf", |class| class
    .state("Asleep")
    .auto()
    .ignore(Event::BaseChange));
probe!(Worker, "Test.Worker", |class| {
    class.state("Idle").auto();
    class.state("Busy");
    class.state("Stunned");
});
probe!(HumanPawn, "Test.HumanPawn", |class| class, parent = PlayerPawn);
probe!(
    HumanControl,
    "Test.HumanControl",
    |class| class,
    parent = PlayerController
);

// Its body of `pre_begin_play` does not call the inherited one.
define! { Rebel "Test.Rebel" {} |class| { class.pre_begin_play(|_| ()); } }

// Overrides no event.
define! { Boulder "Test.Boulder" {} |class| {
    class.defaults(|it| {
        it.collide_actors = true;
        it.no_delete = true;
        it.physics = Physics::Falling;
    });
} }

const KINDS: &[scenario::Kind] = kinds!(
    Blocker Boulder Crate Crew Deaf Fixed Game HumanControl HumanPawn Judge Keeper Mutator Netted Notify Pawn Pillar Placed Rebel Rider
    Slave Soldier Spark Static Thing Toucher Undying Victim Volume Wanted Worker Zone
);

const VERBS: &[Verb] = &[("filter", |level, words| {
    let notifier = level.cast::<Notify>(words.actor()).unwrap();
    level.get_mut(notifier).unwrap().base.actor_class = match &*words.word() {
        "Thing" => Some(Thing::class()),
        "Actor" => Some(ActorClass::root()),
        _ => None,
    };
    "yes".into()
})];

macro_rules! files {
    ($($name:ident)+) => {
        $(#[test]
        fn $name() {
            play(stringify!($name), include_str!(concat!("scenarios/", stringify!($name), ".txt")), KINDS, VERBS);
        })+
    };
}
files! { bad_input destroy places spawn start states }
