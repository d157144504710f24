//! The spawn of an actor, row by row, in each generation where the row exists.

mod common;

use acedia_actors::world::CylinderGrid;
use acedia_actors::{
    Actor, ActorClass, ActorRef, AnyClass, DetailMode, Event, Generation, Level, Mutator, Name, NetMode, Pawn,
    PostBeginPlaySlot, Role, Rotator, Rules, Spawn, SpawnError, SpawnEx, Stage, Vector, Warning, actor,
};
use common::*;

fn spawn_ex<T: Actor>(level: &mut Level, request: &SpawnEx) -> Result<ActorRef, SpawnError> {
    level.spawn_ex(Some(T::class().into()), request)
}

fn no_fail() -> SpawnEx {
    SpawnEx {
        no_fail: true,
        ..SpawnEx::default()
    }
}

// 1.2 Pre-checks.

probe!(Fixed, "Test.Fixed", |class| class.defaults(|it| it.is_static = true));
probe!(Undying, "Test.Undying", |class| class
    .defaults(|it| it.no_delete = true));
probe!(Spark, "Test.Spark", |class| class.defaults(|it| it.high_detail = true));
probe!(Crate, "Test.Crate", |class| class
    .defaults(|it| it.collide_world = true));
probe!(Placed, "Test.Placed", |class| class
    .defaults(|it| it.collide_when_placing = true));
probe!(Slave, "Test.Slave", |class| class
    .defaults(|it| it.role = Role::Simulated));

/// A request that is checked before anything happens.
struct Check {
    generations: &'static str,
    class: fn() -> Option<AnyClass>,
    /// What is done to the level before.
    set: fn(&mut Level),
    request: fn() -> SpawnEx,
    outcome: fn() -> Result<(), SpawnError>,
    /// The warning of an actor that is spawned all the same.
    warned: fn() -> Vec<Warning>,
}

macro_rules! checks {
    ($($generations:literal $class:expr, $set:expr, $request:expr => $outcome:expr $(, $warned:expr)?;)+) => {
        [$(Check {
            generations: $generations,
            class: || $class,
            set: |level| {
                let set: fn(&mut Level) = $set;
                set(level);
            },
            request: || $request,
            outcome: || $outcome,
            warned: || vec![$($warned)?],
        }),+]
    };
}

#[test]
fn c1_to_c7_and_p7_are_checked_first() {
    use acedia::Object;
    #[allow(clippy::unnecessary_wraps, reason = "a request may lack its class")]
    fn class<T: Actor>() -> Option<AnyClass> {
        Some(T::class().into())
    }
    fn any() -> SpawnEx {
        SpawnEx::default()
    }
    fn at(x: f32, z: f32) -> SpawnEx {
        let spawn = Spawn::new().at(Vector::new(x, 0.0, z));
        SpawnEx { spawn, ..any() }
    }
    fn deep() -> SpawnEx {
        at(0.0, -500.0)
    }
    fn refused(warning: Warning) -> Result<(), SpawnError> {
        Err(SpawnError::Refused(warning))
    }
    fn nothing(_: &mut Level) {}
    fn editor(level: &mut Level) {
        level.settings_mut().editor = true;
    }
    fn rock(level: &mut Level) {
        level.set_world(ground());
    }
    let rows = checks! {
        "123" None, |it| it.set_collecting(true), no_fail() => Err(SpawnError::Collecting);
        "123" None, nothing, no_fail() => refused(Warning::NoClass);
        "123" Some(ActorClass::root().into()), nothing, no_fail() => refused(Warning::Abstract(ActorClass::root()));
        "123" Some(acedia_actors::NativeActorRef::class().into()), nothing, no_fail()
            => refused(Warning::NotAnActor("Acedia.NativeActorRef"));
        // Static classes spawn in the editor, and with no fail.
        "123" class::<Fixed>(), nothing, any() => refused(Warning::StaticOrNoDelete(Fixed::class()));
        "123" class::<Fixed>(), nothing, no_fail() => Ok(()), Warning::StaticOrNoDelete(Fixed::class());
        "123" class::<Fixed>(), editor, any() => Ok(());
        "123" class::<Undying>(), nothing, any() => refused(Warning::StaticOrNoDelete(Undying::class()));
        "123" class::<Undying>(), nothing, no_fail() => Ok(()), Warning::StaticOrNoDelete(Undying::class());
        "123" class::<Undying>(), editor, any() => Ok(());
        // Details are left out silently.
        "123" class::<Spark>(), nothing, any() => Ok(());
        "123" class::<Spark>(), |it| it.settings_mut().detail_mode = DetailMode::Low, any() => Err(SpawnError::Detail);
        "123" class::<Spark>(), |it| it.settings_mut().drop_detail = true, any() => Err(SpawnError::Detail);
        "123" class::<Spark>(), |it| it.settings_mut().drop_detail = true, no_fail() => Ok(());
        "123" class::<Spark>(), |it| { it.settings_mut().drop_detail = true; editor(it) }, any() => Ok(());
        "123" class::<Spark>(), |it| it.settings_mut().net_mode = NetMode::DedicatedServer, any() => Err(SpawnError::Detail);
        // There must be room, also with no fail and in the editor, but not with no collision fail.
        "12-" class::<Crate>(), rock, deep() => Err(SpawnError::NoRoom);
        "--3" class::<Crate>(), rock, deep() => refused(Warning::NoRoom(Crate::class()));
        "12-" class::<Crate>(), rock, SpawnEx { no_fail: true, ..deep() } => Err(SpawnError::NoRoom);
        "12-" class::<Crate>(), |it| { rock(it); editor(it) }, deep() => Err(SpawnError::NoRoom);
        "123" class::<Crate>(), rock, SpawnEx { spawn: deep().spawn.no_collision_fail(), ..any() } => Ok(());
        "123" class::<Thing>(), rock, deep() => Ok(());
        // Clients do not place.
        "12-" class::<Placed>(), rock, deep() => Err(SpawnError::NoRoom);
        "123" class::<Placed>(), |it| { rock(it); it.settings_mut().net_mode = NetMode::Client }, deep() => Ok(());
        "12-" class::<Crate>(), |it| { rock(it); it.settings_mut().net_mode = NetMode::Client }, deep()
            => Err(SpawnError::NoRoom);
        "123" class::<Slave>(), nothing, no_fail() => refused(Warning::NoAuthority(Slave::class()));
        "123" class::<Thing>(), nothing, at(f32::NAN, 0.0) => refused(Warning::NotFinite(Thing::class()));
        "123" class::<Thing>(), nothing, at(f32::INFINITY, 0.0) => refused(Warning::NotFinite(Thing::class()));
        "123" class::<Thing>(), nothing, at(0.0, f32::NEG_INFINITY) => refused(Warning::NotFinite(Thing::class()));
        "123" class::<Toucher>(), nothing, at(f32::MAX, f32::MIN) => Ok(());
    };
    for (number, row) in rows.iter().enumerate() {
        in_each(|level, recorder, generation| {
            if !is_of(generation, row.generations) {
                return;
            }
            (row.set)(level);
            let outcome = (row.outcome)();
            let spawned = level.spawn_ex((row.class)(), &(row.request)());
            assert_eq!(spawned.map(drop), outcome, "row {number} in {generation:?}");
            let warnings = match outcome {
                Err(SpawnError::Refused(warning)) => vec![warning],
                _ => (row.warned)(),
            };
            assert_eq!(level.take_warnings(), warnings, "row {number}");
            assert_eq!(
                steps(recorder).is_empty(),
                (row.outcome)().is_err(),
                "row {number}: nothing is sent"
            );
        });
    }
}

#[test]
fn c0_nothing_spawns_beyond_the_depth_limit() {
    for mut rules in all_rules() {
        rules.depth_limit = 0;
        let (mut level, recorder) = level(rules);
        let _start_up = level.take_warnings();
        let refused = Err(SpawnError::Refused(Warning::Recursion));
        assert_eq!(spawn_ex::<Thing>(&mut level, &no_fail()), refused);
        assert_eq!(level.warnings(), [Warning::Recursion]);
        assert!(steps(&recorder).is_empty());
    }
}

#[test]
fn c7_moves_the_actor_out_of_the_wall() {
    in_each(|level, _, _| {
        level.set_world(ground());
        let actor = level.spawn::<Crate>(Spawn::new()).unwrap();
        assert_eq!(level.location(actor), Some(Vector::new(0.0, 0.0, 22.0)));
    });
}

#[test]
fn c7_reads_the_template_and_c6_the_class() {
    in_each(|level, _, _| {
        level.set_world(ground());
        let deep = Vector::new(0.0, 0.0, -500.0);
        let copy = |level: &mut Level, class: &'static ActorClass, template: ActorRef, at| {
            let spawn = Spawn::new().template(template).at(at);
            let request = SpawnEx::from(spawn);
            level.spawn_ex(Some(class.into()), &request)
        };
        // The class needs no room, the template does; by either property.
        let template = level.place::<Mutator>(Spawn::new()).unwrap().any();
        assert!(copy(level, Mutator::class(), template, deep).is_ok());
        level.properties_mut(template).unwrap().collide_world = true;
        assert!(copy(level, Mutator::class(), template, deep).is_err());
        level.properties_mut(template).unwrap().collide_world = false;
        level.properties_mut(template).unwrap().collide_when_placing = true;
        assert!(copy(level, Mutator::class(), template, deep).is_err());
        // The room is that of the template's cylinder.
        level.properties_mut(template).unwrap().shape.half_height = 30.0;
        let raised = copy(level, Mutator::class(), template, Vector::default()).unwrap();
        assert_eq!(level.location(raised), Some(Vector::new(0.0, 0.0, 30.0)));
        // The class needs room, the template does not.
        let ghost = level.place::<Pawn>(Spawn::new()).unwrap().any();
        level.properties_mut(ghost).unwrap().collide_world = false;
        assert!(level.spawn::<Pawn>(Spawn::new().at(deep)).is_none());
        assert!(copy(level, Pawn::class(), ghost, deep).is_ok());
        // Details are those of the class.
        level.settings_mut().drop_detail = true;
        level.properties_mut(ghost).unwrap().high_detail = true;
        assert!(copy(level, Pawn::class(), ghost, deep).is_ok());
    });
}

// 1.3 First properties.

#[test]
fn p1_to_p15_are_set_before_the_first_event() {
    in_each(|level, _, generation| {
        let keeper = level.spawn::<Keeper>(Spawn::new()).unwrap();
        let seen = std::rc::Rc::new(std::cell::Cell::new(0));
        let count = seen.clone();
        script(move |hand, event, about| {
            if event != Event::GainedChild {
                return;
            }
            count.set(count.get() + 1);
            let child = about.unwrap();
            hand.others().goto_state(child, "Busy"); // P14: no effect, no event
            let others = hand.others();
            assert_eq!(others.actors().last(), Some(child)); // P1
            assert_eq!(others.properties(child).unwrap().tag, Name::new("Thing")); // P3
            assert_eq!(others.zone(child), others.level_info()); // P4
            assert_eq!(others.zone_number(child), Some(0));
            assert_eq!(others.properties(child).unwrap().brush, None); // P8
            assert_eq!(others.location(child), Some(Vector::new(1.0, 2.0, 3.0))); // P9
            assert_eq!(others.rotation(child), Some(Rotator::new(4, 5, 6))); // P10
            assert_eq!(others.volume(child).is_some(), generation != Generation::Ue1); // P12
            assert_eq!((others.base(child), others.instigator(child)), (None, None)); // P13
            assert_eq!(others.owner(child), Some(keeper.any())); // D6
            assert!(others.state(child).is_none() && !others.is_pending_delete(child)); // P14, P15
        });
        let spawn = Spawn::new()
            .at(Vector::new(1.0, 2.0, 3.0))
            .facing(Rotator::new(4, 5, 6))
            .owned_by(keeper);
        let actor = level.spawn::<Thing>(spawn).unwrap();
        assert_eq!(seen.get(), 1);
        assert_eq!(level.state(actor), Name::new("Idle"));
    });
}

#[test]
fn p7_p10_actors_from_the_net_exchange_roles_and_may_start_unturned() {
    in_each(|level, _, generation| {
        level.settings_mut().net_mode = NetMode::Client;
        let turned = Rotator::new(1, 2, 3);
        let actor = level.receive::<Thing>(Vector::default(), Some(turned)).unwrap();
        let properties = level.properties(actor).unwrap();
        assert_eq!((properties.role, properties.remote_role), (Role::Dumb, Role::Authority));
        let expected = if generation == Generation::Ue1 {
            turned
        } else {
            Rotator::default()
        };
        assert_eq!(level.rotation(actor), Some(expected));
    });
}

// 1.4 The sequence.

/// A spawn with everything: owner, mutator, zone, volume, an actor to touch, state, base.
fn whole_sequence(rules: Rules) -> Vec<String> {
    let (mut level, recorder, keeper) = furnished(rules);
    level
        .spawn::<Crew>(Spawn::new().owned_by(keeper).at(Vector::new(0.0, 0.0, 22.0)).tag("One"))
        .unwrap();
    steps(&recorder)
}

/// The generations, and the steps.
const WHOLE_SEQUENCE: &str = "
    123 P1 + Crew
    123 Q1 Keeper.GainedChild(Crew)
    -23 Q3 Crew.native InitPhysics()
    1-- Q5 Crew.Spawned()
    -2- Q5 Crew.native Spawned()
    123 Q6 Crew.PreBeginPlay()
    1-- 1.6 Game.IsRelevant(Crew)
    -2- 1.6 Judge.CheckRelevance(Crew)
    --3 1.6 Game.CheckRelevance(Crew)
    123 1.6 Judge.AlwaysKeep(Crew)
    123 1.6 Judge.CheckReplacement(Crew)
    1-- 1.6 Game.native PassesFilters(Crew)
    12- Q7 Crew.BeginPlay()
    12- Q8 LevelInfo.ActorLeaving(Crew)
    12- Q8 Crew.ZoneChange(Zone)
    12- Q8 Zone.ActorEntered(Crew)
    -23 Q8 Crew.PhysicsVolumeChange(Volume)
    -23 Q8 Volume.ActorEnteredVolume(Crew)
    123 Q9 Crew.Touch(Toucher)
    123 Q9 Toucher.Touch(Crew)
    12- Q10 Crew.PostBeginPlay()
    -23 Q10 Crew.native PostBeginPlay()
    123 Q11 Crew.SetInitialState()
    123 1.10 Crew.BeginState()
    123 Q12 Crew.BaseChange()
    12- Q14 Crew.PostNetBeginPlay()
    --3 Q14 Crew.PostBeginPlay()
    1-- Q15 Notify.SpawnNotification(Crew)";

#[test]
fn q1_to_q17() {
    for rules in all_rules() {
        let generation = rules.generation;
        assert_eq!(whole_sequence(rules), of(generation, WHOLE_SEQUENCE), "{generation:?}");
    }
}

#[test]
fn d1_the_slot_of_post_begin_play_is_a_rule() {
    let mut rules = Rules::ue3();
    rules.post_begin_play_slot = PostBeginPlaySlot::BeforeInitialState;
    let steps = whole_sequence(rules);
    let at = |wanted: &str| steps.iter().position(|step| step.ends_with(wanted)).unwrap();
    assert_eq!(at(".PostBeginPlay()") + 1, at(".SetInitialState()"));
}

#[test]
fn q1_a_dead_owner_is_no_owner_and_a_warning() {
    in_each(|level, recorder, _| {
        let keeper = level.spawn::<Keeper>(Spawn::new()).unwrap();
        level.destroy(keeper);
        let _ = recorder.take();
        let actor = level.spawn::<Thing>(Spawn::new().owned_by(keeper)).unwrap();
        assert_eq!(level.owner(actor), None);
        assert_eq!(level.warnings(), [Warning::AccessedNone]);
        assert!(!steps(recorder).iter().any(|step| step.contains("GainedChild")));
    });
}

#[test]
fn q2_the_instigator_and_the_place_are_the_spawners() {
    in_each(|level, _, _| {
        let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
        let place = Vector::new(7.0, 0.0, 0.0);
        let turned = Rotator::new(0, 16384, 0);
        let spawn = Spawn::new().at(place).facing(turned).owned_by(pawn);
        let maker = level.spawn::<Maker>(spawn).unwrap();
        level.set_instigator(maker, Some(pawn.any()));
        level.goto_state(maker, "Making");
        let made = std::mem::take(&mut level.get_mut(maker).unwrap().made);
        assert_eq!(made.len(), 4);
        for made in made {
            assert_eq!(level.instigator(made), Some(pawn.any()));
            assert_eq!(
                (level.location(made), level.rotation(made)),
                (Some(place), Some(turned))
            );
            assert_eq!(level.owner(made), None);
            assert_eq!(level.class(made), Some(Keeper::class()));
        }
        // The maker may be the owner, however the class is given.
        level.goto_state(maker, "Owning");
        let made = &level.get(maker).unwrap().made;
        assert!(made.len() == 4 && made.iter().all(|it| level.owner(*it) == Some(maker.any())));
    });
}

/// Spawns by a type and by classes that are known at run time.
#[derive(Default)]
struct Maker {
    made: Vec<ActorRef>,
}
impl Actor for Maker {
    actor!(Maker, "Test.Maker");
    fn describe(class: &mut acedia_actors::ClassBuilder<'_, Self>) {
        for (state, owns) in [("Making", false), ("Owning", true)] {
            class.state(state).begin_state(move |cx, _| {
                let spawn = if owns {
                    Spawn::new().owned_by(cx.me())
                } else {
                    Spawn::new()
                };
                cx.made = vec![
                    cx.spawn::<Keeper>(spawn).unwrap().any(),
                    cx.try_spawn::<Keeper>(spawn).unwrap().any(),
                    cx.spawn_of(Keeper::class(), spawn).unwrap(),
                    cx.spawn_by_name("Test.Keeper", spawn).unwrap(),
                ];
            });
        }
    }
}

#[test]
fn q11_initial_state_overrides_auto_and_marks_the_actor() {
    in_each(|level, _, generation| {
        script(|hand, event, _| {
            let me = hand.me();
            if event == Event::PreBeginPlay && hand.is("Thing") {
                hand.others().properties_mut(me).unwrap().initial_state = Name::new("Busy");
                assert!(!hand.others().is_script_initialized(me));
            }
        });
        let actor = level.spawn::<Thing>(Spawn::new()).unwrap();
        assert_eq!(level.state(actor), Name::new("Busy"));
        // The mark can be read from outside. The first generation has none.
        assert_eq!(level.is_script_initialized(actor), generation != Generation::Ue1);
        level.destroy(actor);
        assert!(!level.is_script_initialized(actor));
    });
}

#[test]
fn q16_the_tag_comes_last() {
    in_each(|level, _, _| {
        when(Event::SetInitialState, |hand, _| {
            let me = hand.me();
            let mut others = hand.others();
            let tag = &mut others.properties_mut(me).unwrap().tag;
            assert_eq!(*tag, Name::new("Thing"));
            *tag = Name::new("Mine");
        });
        let tagged = level.spawn::<Thing>(Spawn::new().tag("Given")).unwrap();
        let untagged = level.spawn::<Thing>(Spawn::new().tag("None")).unwrap();
        assert_eq!(level.properties(tagged).unwrap().tag, Name::new("Given"));
        assert_eq!(level.properties(untagged).unwrap().tag, Name::new("Mine"));
    });
}

// 1.5 Deletion tests.

#[test]
fn no_fail_gives_the_dead_actor() {
    in_each(|level, recorder, _| {
        when(Event::PreBeginPlay, |hand, _| _ = hand.destroy());
        let actor = spawn_ex::<Thing>(level, &no_fail()).unwrap();
        assert!(!level.is_alive(actor));
        assert!(steps(recorder).last().unwrap().starts_with("K9"));
    });
}

// 1.6 Relevancy.

fn with_game(level: &mut Level) -> ActorRef<Game> {
    let game = level.spawn::<Game>(Spawn::new()).unwrap();
    level.set_game(game);
    game
}

#[test]
fn relevancy_mutators_are_asked_in_order_and_the_first_answer_counts() {
    in_each(|level, recorder, _| {
        with_game(level);
        let judges = [0, 1].map(|_| level.spawn::<Judge>(Spawn::new()).unwrap());
        for judge in judges {
            level.add_mutator(judge);
        }
        let first = judges[0].any();
        let _ = recorder.take();
        script(move |hand, event, _| {
            if event == Event::CheckReplacement && hand.me() == first {
                hand.answer_yes();
            }
        });
        let asked = || {
            let mut asked = rows(recorder, "1.6 Judge.");
            asked.retain(|step| !step.contains("CheckRelevance"));
            asked
        };
        assert_eq!(level.try_spawn::<Thing>(Spawn::new()), Err(SpawnError::Destroyed));
        let always_keep = "1.6 Judge.AlwaysKeep(Thing)";
        assert_eq!(asked(), [always_keep, always_keep, "1.6 Judge.CheckReplacement(Thing)"]);
        script(|hand, event, _| {
            if event == Event::AlwaysKeep || event == Event::CheckReplacement {
                hand.answer_yes();
            }
        });
        let kept = level.spawn::<Thing>(Spawn::new()).is_some();
        assert!(kept && asked() == [always_keep], "before anybody could replace it");
    });
}

#[test]
fn relevancy_a_replacement_is_an_ordinary_nested_spawn() {
    in_each(|level, _, _| {
        with_game(level);
        let judge = level.spawn::<Judge>(Spawn::new()).unwrap();
        level.add_mutator(judge);
        script(|hand, event, about| {
            if event == Event::CheckReplacement
                && hand
                    .others()
                    .class(about.unwrap())
                    .is_some_and(|class| class.short_name() == "Thing")
            {
                assert!(hand.others().spawn::<Keeper>(Spawn::new()).is_some());
                hand.answer_yes();
            }
        });
        assert!(level.spawn::<Thing>(Spawn::new()).is_none());
        let last = level.actors().last().unwrap();
        assert_eq!(level.class(last).unwrap().short_name(), "Keeper");
    });
}

#[test]
fn relevancy_without_mutators_and_without_a_game() {
    in_each(|level, _, generation| {
        assert!(level.spawn::<Thing>(Spawn::new()).is_some(), "no game: not asked");
        with_game(level);
        let kept = level.spawn::<Thing>(Spawn::new()).is_some();
        assert_eq!(kept, generation == Generation::Ue3);
        assert_eq!(level.take_warnings().contains(&Warning::AccessedNone), !kept);
        level.settings_mut().net_mode = NetMode::Client;
        assert!(level.spawn::<Thing>(Spawn::new()).is_some(), "clients don't ask");
    });
    let mut rules = Rules::ue3();
    rules.no_game = acedia_actors::Missing::AccessedNone;
    let (mut strict, _) = level(rules);
    assert!(strict.spawn::<Thing>(Spawn::new()).is_none());
}

// 1.8 Collision check.

#[test]
fn encroachment_is_fatal_if_the_actor_says_so() {
    in_each(|level, recorder, _| {
        level.spawn::<Blocker>(Spawn::new()).unwrap();
        let _ = recorder.take();
        let second = level.spawn::<Blocker>(Spawn::new()).unwrap();
        let checked = rows(recorder, "Q9");
        assert_eq!(
            checked,
            ["Q9 Blocker.EncroachingOn(Blocker)", "Q9 Blocker.EncroachedBy(Blocker)"]
        );
        assert!(!level.is_touching(second, level.actors().last().unwrap()));
        when(Event::EncroachingOn, |hand, _| hand.answer_yes());
        let request = no_fail();
        assert_eq!(spawn_ex::<Blocker>(level, &request), Err(SpawnError::Encroached));
        let mut request = SpawnEx::default();
        request.spawn = request.spawn.no_collision_fail();
        assert!(spawn_ex::<Blocker>(level, &request).is_ok());
    });
}

#[test]
fn encroachment_is_fatal_even_to_what_cannot_be_deleted() {
    probe!(Pillar, "Test.Pillar", |class| class.defaults(|it| {
        it.collide_actors = true;
        it.block_actors = true;
        it.no_delete = true;
    }));
    in_each(|level, _, _| {
        level.spawn::<Blocker>(Spawn::new()).unwrap();
        when(Event::EncroachingOn, |hand, _| hand.answer_yes());
        let before = level.actors().count();
        assert_eq!(spawn_ex::<Pillar>(level, &no_fail()), Err(SpawnError::Encroached));
        assert_eq!(level.actors().count(), before);
    });
}

#[test]
fn encroachment_is_fatal_to_an_actor_from_the_net() {
    in_each(|level, _, _| {
        level.settings_mut().net_mode = NetMode::Client;
        level.spawn::<Blocker>(Spawn::new()).unwrap();
        when(Event::EncroachingOn, |hand, _| hand.answer_yes());
        let before = level.actors().count();
        let received = level.receive::<Blocker>(Vector::default(), None);
        assert_eq!(received, Err(SpawnError::Encroached));
        assert_eq!(level.actors().count(), before);
    });
}

#[test]
fn touching_is_limited_in_ue1() {
    in_each(|level, _, generation| {
        for _ in 0..7 {
            level.spawn::<Toucher>(Spawn::new()).unwrap();
        }
        let first = level
            .actors()
            .find(|actor| level.cast::<Toucher>(*actor).is_some())
            .unwrap();
        let touched = level.actors().filter(|other| level.is_touching(first, *other)).count();
        assert_eq!(touched, if generation == Generation::Ue1 { 4 } else { 6 });
    });
}

// 1.9 Delivery.

#[test]
fn before_play_everything_is_silent() {
    for rules in all_rules() {
        let (mut level, recorder) = unbegun(rules);
        script(|_, _, _| panic!("an event before play"));
        let game = level.spawn::<Game>(Spawn::new()).unwrap();
        assert_eq!(steps(&recorder), ["P1 + Game"]);
        assert!(level.is_alive(game));
    }
}

#[test]
fn a_state_ignores_events() {
    #[derive(Default)]
    struct Deaf {
        touched: bool,
    }
    impl Actor for Deaf {
        actor!(Deaf, "Test.Deaf");
        fn describe(class: &mut acedia_actors::ClassBuilder<'_, Self>) {
            class.base_change(|cx| cx.touched = true);
            class.state("Asleep").auto().ignore(Event::BaseChange);
        }
    }
    in_each(|level, _, _| {
        let (deaf, base) = (
            level.spawn::<Deaf>(Spawn::new()).unwrap(),
            level.spawn::<Thing>(Spawn::new()).unwrap(),
        );
        level.set_base(deaf, Some(base.any()));
        assert!(!level.get(deaf).unwrap().touched);
        level.goto_state(deaf, Name::NONE);
        level.set_base(deaf, None);
        assert!(level.get(deaf).unwrap().touched);
    });
}

#[test]
fn a_handler_that_panics_leaves_a_usable_level() {
    in_each(|level, _, _| {
        script(|hand, event, _| assert!(event != Event::PreBeginPlay || !hand.is("Thing"), "on purpose"));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| level.spawn::<Thing>(Spawn::new())));
        assert!(panicked.is_err());
        script(|_, _, _| ());
        let actor = level.spawn::<Thing>(Spawn::new()).unwrap();
        level.tick(0.1);
        assert!(level.destroy(actor));
    });
}

// 1.10 States.

#[test]
fn a_change_of_state_inside_end_state_wins() {
    in_each(|level, recorder, _| {
        let actor = level.spawn::<Thing>(Spawn::new()).unwrap();
        let _ = recorder.take();
        when(Event::EndState, |hand, _| hand.goto_state("None"));
        level.goto_state(actor, "Busy");
        assert!(level.state(actor).is_none());
        assert_eq!(steps(recorder).len(), 1, "one EndState, and no BeginState");
        level.goto_state(actor, "Unheard");
        assert_eq!(
            level.warnings(),
            [Warning::UnknownState(Thing::class(), Name::new("Unheard"))]
        );
    });
}

#[test]
fn ue3_tells_states_of_each_other() {
    let (mut level, recorder) = level(Rules::ue3());
    let actor = level.spawn::<Thing>(Spawn::new()).unwrap();
    let _ = recorder.take();
    level.goto_state(actor, "Busy");
    level.goto_state(actor, "Busy");
    assert_eq!(
        steps(&recorder),
        ["1.10 Thing.EndState(Busy)", "1.10 Thing.BeginState(Idle)"]
    );
}

// 1.11 Base.

#[test]
fn an_actor_finds_whom_it_stands_on() {
    in_each(|level, recorder, _| {
        let below = level.spawn::<Blocker>(Spawn::new()).unwrap();
        let _ = recorder.take();
        let rider = level
            .spawn::<Rider>(Spawn::new().at(Vector::new(0.0, 0.0, 44.0)))
            .unwrap();
        assert_eq!(level.base(rider), Some(below.any()));
        let based = rows(recorder, "Q12");
        assert_eq!(based, ["Q12 Blocker.Attach(Rider)", "Q12 Rider.BaseChange()"]);
    });
}

#[test]
fn bases_and_owners_make_no_circle() {
    in_each(|level, recorder, _| {
        let [a, b, c] = [0; 3].map(|_| level.spawn::<Thing>(Spawn::new()).unwrap().any());
        assert!(level.set_base(a, Some(b)) && level.set_base(b, Some(c)));
        assert!(level.set_owner(a, Some(b)) && level.set_owner(b, Some(c)));
        let _ = recorder.take();
        assert!(!level.set_base(c, Some(a)) && !level.set_base(a, Some(a)));
        assert!(!level.set_owner(c, Some(a)) && !level.set_owner(a, Some(a)));
        assert!(!level.set_base(a, Some(b)), "unchanged");
        assert!(steps(recorder).is_empty());
    });
}

// 1.12 Tick.

#[test]
fn static_actors_do_not_tick() {
    in_each(|level, recorder, _| {
        let fixed = level.place::<Fixed>(Spawn::new()).unwrap();
        let zone = level.place::<Zone>(Spawn::new()).unwrap();
        let actor = level.spawn::<Thing>(Spawn::new().owned_by(fixed)).unwrap();
        assert_eq!(level.owner(actor), Some(fixed.any()));
        let _ = recorder.take();
        for _ in 0..2 {
            level.tick(0.5);
            let mut ticked = steps(recorder);
            ticked.retain(|step| !step.contains("PhysicsVolume."));
            assert_eq!(ticked, ["1.12 Thing.Tick(.)"], "nor the level, and whom they own does");
        }
        assert!(level.is_alive(fixed) && level.is_alive(zone));
    });
}

// 1.13 SpawnNotify.

#[test]
fn spawn_notify_exchanges_the_result() {
    let (mut level, _) = level(Rules::ue1());
    level.spawn::<Notify>(Spawn::new()).unwrap();
    let substitute = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
    when(Event::SpawnNotification, move |hand, _| hand.give(Some(substitute)));
    let request = SpawnEx::from(Spawn::new().tag("Given"));
    assert_eq!(spawn_ex::<Thing>(&mut level, &request), Ok(substitute));
    assert_eq!(level.properties(substitute).unwrap().tag, Name::new("Given"));
    when(Event::SpawnNotification, |hand, _| hand.give(None));
    let before = level.actors().count();
    assert_eq!(spawn_ex::<Thing>(&mut level, &request), Err(SpawnError::Replaced));
    assert_eq!(level.actors().count(), before + 1, "the original stays");
}

// 1.14 Replication.

#[test]
fn an_actor_from_the_net_is_finished_later() {
    in_each(|level, recorder, generation| {
        level.settings_mut().net_mode = NetMode::Client;
        let actor = level.receive::<Netted>(Vector::default(), None).unwrap();
        assert!(
            !steps(recorder)
                .iter()
                .any(|step| step.starts_with("Q14") || step.starts_with("Q1 "))
        );
        assert!(level.finish_receive(actor, &[Name::new("Health")]));
        let table = "
            -2- 1.14 Netted.PostNetReceive()
            --3 1.14 Netted.ReplicatedEvent(Health)
            12- 1.14 Netted.PostNetBeginPlay()
            --3 1.14 Netted.PostBeginPlay()";
        let expected = of(generation, table);
        assert_eq!(steps(recorder), expected);
        // Play begins for it once, and not anew for an actor that was spawned here.
        let owner = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
        let _ = recorder.take();
        assert!(level.finish_receive(actor, &[Name::new("Health")]) && level.finish_receive(owner, &[]));
        assert_eq!(steps(recorder), expected[..expected.len() - 1]);
        assert!(level.receive_owner(actor, Some(owner)) && level.owner(actor) == Some(owner));
        assert!(!level.receive_owner(owner, Some(actor.any())), "a circle");
        assert!(level.receive_owner(actor, None) && steps(recorder).is_empty());
        assert!(!level.destroy(actor), "V4");
        assert!(level.lose_relevance(actor));
    });
}

#[test]
fn without_relevance_goes_what_is_neither_temporary_nor_torn_off() {
    in_each(|level, recorder, _| {
        level.settings_mut().net_mode = NetMode::Client;
        let [other, temporary, torn_off] = [0; 3].map(|_| level.receive::<Thing>(Vector::default(), None).unwrap());
        level.properties_mut(temporary).unwrap().net_temporary = true;
        assert!(level.tear_off(torn_off));
        let _ = recorder.take();
        for lasting in [temporary, torn_off] {
            assert!(!level.lose_relevance(lasting) && level.is_alive(lasting));
            assert!(!level.is_pending_delete(lasting) && steps(recorder).is_empty());
        }
        assert!(level.lose_relevance(other) && !level.is_alive(other));
        let sent = steps(recorder);
        assert_eq!(
            (sent.len(), &*sent[1], &*sent[2]),
            (3, "K3 Thing.Destroyed()", "K9 - Thing")
        );
        assert!(!level.lose_relevance(other) && level.warnings().is_empty());
    });
}

#[test]
fn an_actor_from_the_net_is_given_neither_owner_nor_instigator() {
    in_each(|level, recorder, generation| {
        let keeper = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
        let mut request = SpawnEx {
            spawn: Spawn::new().owned_by(keeper),
            instigator: Some(keeper),
            ..SpawnEx::default()
        };
        let own = spawn_ex::<Thing>(level, &request).unwrap();
        assert_eq!((level.owner(own), level.instigator(own)), (Some(keeper), Some(keeper)));
        request.remote_owned = true;
        for net_mode in [NetMode::Client, NetMode::ListenServer] {
            level.settings_mut().net_mode = net_mode;
            let _ = recorder.take();
            let theirs = spawn_ex::<Thing>(level, &request).unwrap();
            assert_eq!((level.owner(theirs), level.instigator(theirs)), (None, None));
            let sent = steps(recorder);
            assert!(
                !sent.iter().any(|step| step.contains("Keeper")),
                "{generation:?}: {sent:?}"
            );
            assert!(sent.iter().any(|step| step.ends_with("Thing.SetInitialState()")));
            assert_eq!(level.properties(theirs).unwrap().role, Role::Dumb);
        }
        assert!(level.warnings().is_empty());
    });
}

#[test]
fn what_was_received_before_play_begins_with_the_others() {
    for rules in all_rules() {
        let (mut level, recorder) = unbegun(rules);
        level.settings_mut().net_mode = NetMode::Client;
        let received = [0; 2].map(|_| level.receive::<Netted>(Vector::default(), None).unwrap());
        assert!(level.finish_receive(received[0], &[]));
        level.begin_play("");
        assert!(level.finish_receive(received[1], &[]));
        let sent = steps(&recorder);
        for event in ["Netted.PostBeginPlay()", "Netted.PostNetBeginPlay()"] {
            let count = sent.iter().filter(|step| step.ends_with(event)).count();
            assert!(count == 2 || count == 0, "{event} {count} times: {sent:?}");
        }
        assert!(sent.iter().any(|step| step.ends_with("Netted.PostBeginPlay()")));
    }
}

probe!(Netted, "Test.Netted", |class| class.defaults(|it| it.net_notify = true));

#[test]
fn autonomous_actors_are_simulated_for_others() {
    in_each(|level, _, _| {
        let [owner, viewer] = [0; 2].map(|_| level.spawn::<Thing>(Spawn::new()).unwrap());
        let actor = level.spawn::<Thing>(Spawn::new().owned_by(owner)).unwrap();
        level.properties_mut(actor).unwrap().remote_role = Role::Autonomous;
        assert_eq!(level.role_for(actor, owner), Some(Role::Autonomous));
        assert_eq!(level.role_for(actor, viewer), Some(Role::Simulated));
        level.properties_mut(actor).unwrap().remote_role = Role::None;
        assert_eq!(level.role_for(actor, owner), None);
    });
}

// 1.15 Start-up.

#[test]
fn ue1_initializes_actors_spawned_during_start_up_twice() {
    for rules in all_rules() {
        let generation = rules.generation;
        let (mut level, recorder) = unbegun(rules);
        level.place::<Thing>(Spawn::new()).unwrap();
        script(|hand, event, _| {
            if event == Event::PostBeginPlay && hand.is("Thing") {
                hand.others().spawn::<Keeper>(Spawn::new()).unwrap();
            }
        });
        level.begin_play("");
        let lines = steps(&recorder);
        let sent = lines
            .iter()
            .filter(|line| line.ends_with("Keeper.SetInitialState()"))
            .count();
        assert_eq!(sent, if generation == Generation::Ue1 { 2 } else { 1 });
    }
}

#[test]
fn another_world_knows_who_collides() {
    in_each(|level, _, _| {
        let first = level.spawn::<Toucher>(Spawn::new()).unwrap();
        level.set_world(CylinderGrid::new(10.0));
        let second = level.spawn::<Toucher>(Spawn::new()).unwrap();
        assert!(level.is_touching(first, second));
    });
}

#[test]
fn moving_ends_and_begins_touches() {
    in_each(|level, recorder, _| {
        let [one, other] = [0; 2].map(|_| level.spawn::<Toucher>(Spawn::new()).unwrap());
        let _ = recorder.take();
        let far = Vector::new(500.0, 0.0, 0.0);
        assert!(level.set_location(one, far) && !level.is_touching(one, other));
        assert!(level.set_location(other, far) && level.is_touching(one, other));
        assert!(!level.set_location(one, Vector::new(f32::NAN, 0.0, 0.0)));
        assert_eq!(level.location(one), Some(far));
        let mut sent = steps(recorder);
        sent.sort();
        assert_eq!(
            sent,
            [
                "1.8 Toucher.Touch(Toucher)",
                "1.8 Toucher.Touch(Toucher)",
                "1.8 Toucher.UnTouch(Toucher)",
                "1.8 Toucher.UnTouch(Toucher)",
            ]
        );
    });
}

#[test]
fn ran_into_whom_it_pushed_away() {
    for rules in all_rules() {
        let told = rules.ran_into;
        let (mut level, recorder) = level(rules);
        level.set_world(Pushy::default());
        let pushed = level.spawn::<Blocker>(Spawn::new()).unwrap();
        let _ = recorder.take();
        level.spawn::<Blocker>(Spawn::new()).unwrap();
        assert_eq!(level.location(pushed), Some(Vector::new(500.0, 0.0, 0.0)));
        let sent = rows(&recorder, "Q9");
        assert_eq!(
            sent,
            if told {
                vec!["Q9 Blocker.RanInto(Blocker)"]
            } else {
                vec![]
            }
        );
    }
}

#[test]
fn who_is_pushed_away_touches_whom_it_meets_there() {
    for rules in all_rules() {
        let (mut level, _) = level(rules);
        level.set_world(Pushy::default());
        let pushed = level.spawn::<Blocker>(Spawn::new()).unwrap();
        let there = Spawn::new().at(Vector::new(500.0, 0.0, 0.0));
        let there = level.spawn::<Toucher>(there).unwrap();
        assert!(!level.is_touching(pushed, there));
        level.spawn::<Blocker>(Spawn::new()).unwrap();
        assert!(level.is_touching(pushed, there) && level.is_touching(there, pushed));
    }
}

#[test]
fn l10_attach_tags_name_the_base() {
    for rules in all_rules() {
        script(|_, _, _| ());
        let mut level = Level::new(rules);
        level.set_world(ground());
        let on_the_ground = Spawn::new().at(Vector::new(0.0, 0.0, 22.0));
        let rider = level.place::<Thing>(Spawn::new()).unwrap();
        let lost = level.place::<Rider>(on_the_ground).unwrap();
        let untagged = level.place::<Rider>(on_the_ground).unwrap();
        let base = level.place::<Keeper>(Spawn::new().tag("Lift")).unwrap();
        level.properties_mut(rider).unwrap().attach_tag = Name::new("LIFT");
        level.properties_mut(lost).unwrap().attach_tag = Name::new("Nowhere");
        level.begin_play("?Difficulty=2");
        assert_eq!(level.base(rider), Some(base.any()));
        assert_eq!(level.base(untagged), level.level_info(), "there is ground below both");
        assert_eq!(level.base(lost), None, "nothing else is tried");
        assert_eq!(level.options(), "?Difficulty=2");
    }
}

#[test]
fn l10_the_attach_tag_may_be_the_name_of_the_base_and_the_oldest_is_taken() {
    for rules in all_rules() {
        script(|_, _, _| ());
        let mut level = Level::new(rules);
        let [by_name, by_either] = [0; 2].map(|_| level.place::<Thing>(Spawn::new()).unwrap());
        let named = |level: &mut Level, name| {
            let request = SpawnEx {
                name: Name::new(name),
                ..SpawnEx::default()
            };
            spawn_ex::<Keeper>(level, &request).unwrap()
        };
        let hoist = named(&mut level, "Hoist");
        let lift = named(&mut level, "Lift");
        level.place::<Keeper>(Spawn::new().tag("Lift")).unwrap();
        level.properties_mut(by_name).unwrap().attach_tag = Name::new("HOIST");
        level.properties_mut(by_either).unwrap().attach_tag = Name::new("Lift");
        level.begin_play("");
        assert_eq!(level.base(by_name), Some(hoist));
        assert_eq!(
            level.base(by_either),
            Some(lift),
            "its name is as good as a younger one's tag"
        );
    }
}

/// Notes which body of an event runs.
#[derive(Default)]
struct Animal {
    said: Vec<&'static str>,
}
impl Actor for Animal {
    actor!(Animal, "Test.Animal");
    fn describe(class: &mut acedia_actors::ClassBuilder<'_, Self>) {
        class.base_change(|cx| cx.said.push("animal"));
        class.state("Awake").base_change(|cx| {
            cx.said.push("awake animal");
            cx.inherited().base_change();
        });
    }
}
#[derive(Default)]
struct Dog {
    animal: Animal,
}
impl Actor for Dog {
    actor!(Dog, "Test.Dog", parent = Animal, in animal);
    fn describe(class: &mut acedia_actors::ClassBuilder<'_, Self>) {
        class.base_change(|cx| {
            cx.animal.said.push("dog");
            cx.inherited().base_change();
        });
        class.state("Awake").base_change(|cx| {
            cx.animal.said.push("awake dog");
            cx.inherited().base_change();
        });
        class.state("Hunting").extends("Awake");
    }
}

#[test]
fn a_state_extends_another_and_a_class_its_parent() {
    for rules in all_rules() {
        let (mut level, _) = level(rules);
        let dog = level.spawn::<Dog>(Spawn::new()).unwrap();
        let base = level.spawn::<Keeper>(Spawn::new()).unwrap();
        for (state, expected) in [
            ("None", &["dog", "animal"][..]),
            ("Awake", &["awake dog", "awake animal", "animal"]),
            ("Hunting", &["awake dog", "awake animal", "animal"]),
        ] {
            level.goto_state(dog, state);
            level.set_base(dog, Some(base.any()));
            level.get_mut(dog).unwrap().animal.said.clear();
            level.set_base(dog, None);
            assert_eq!(level.get(dog).unwrap().animal.said, expected, "{state}");
        }
    }
}
