//! Classes whose handlers do what the test says, and levels that record every step.
#![allow(dead_code, reason = "not every test needs everything")]

use std::cell::RefCell;
use std::rc::Rc;

use acedia_actors::world::{BoxZones, CollisionWorld, CylinderGrid, Floor};
use acedia_actors::{
    Aabb, Actor, ActorRef, ClassBuilder, Cx, Cylinder, Event, GameInfo, Generation, Level, Mutator, Pawn,
    PhysicsVolume, Recorder, Rules, Spawn, SpawnNotify, Stage, Vector, Verdict, ZoneInfo,
};

/// The body of every handler of the classes here. The actor's class is `cx.class_name()`.
type Script = Rc<dyn Fn(&mut dyn Hand, Event, Option<ActorRef>)>;

thread_local! {
    static SCRIPT: RefCell<Option<Script>> = const { RefCell::new(None) };
}

/// From now on, handlers do this.
pub(crate) fn script(script: impl Fn(&mut dyn Hand, Event, Option<ActorRef>) + 'static) {
    SCRIPT.with(|it| *it.borrow_mut() = Some(Rc::new(script)));
}

/// From now on, handlers of this event do this, and all others nothing.
pub(crate) fn when(wanted: Event, deed: impl Fn(&mut dyn Hand, Option<ActorRef>) + 'static) {
    script(move |hand, event, about| {
        if event == wanted {
            deed(hand, about);
        }
    });
}

/// The operations of a script, on the context of any class.
pub(crate) trait Hand {
    fn me(&self) -> ActorRef;
    fn is(&self, class: &str) -> bool;
    fn destroy(&mut self) -> bool;
    fn goto_state(&mut self, state: &'static str);
    fn is_deleted(&self) -> bool;
    fn is_pending(&self) -> bool;
    fn others(&mut self) -> acedia_actors::Others<'_>;
    fn answer_yes(&mut self);
    fn give(&mut self, actor: Option<ActorRef>);
}

/// The answers that handlers give.
#[derive(Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Answers {
    pub(crate) yes: bool,
    /// The actor given instead; `Some(None)` gives none.
    #[allow(
        clippy::option_option,
        reason = "not to answer and to answer with nothing are two things"
    )]
    pub(crate) give: Option<Option<ActorRef>>,
}

/// A class that is under test.
pub(crate) trait Probe: Actor {
    fn answers(&mut self) -> &mut Answers;
    fn probe(class: &mut ClassBuilder<'_, Self>) {
        macro_rules! plain {
            ($($method:ident $event:ident)+) => { $(class.$method(|cx| run(cx, Event::$event, None));)+ };
        }
        macro_rules! about {
            ($($method:ident $event:ident)+) => { $(class.$method(|cx, it| run(cx, Event::$event, Some(it)));)+ };
        }
        plain! {
            spawned Spawned native_spawned NativeSpawned init_physics InitPhysics begin_play BeginPlay
            post_begin_play PostBeginPlay native_post_begin_play NativePostBeginPlay
            post_net_begin_play PostNetBeginPlay base_change BaseChange destroyed Destroyed shut_down ShutDown
            paused_state PausedState pushed_state PushedState popped_state PoppedState
            continued_state ContinuedState init_game InitGame
        }
        class.pre_begin_play(|cx| {
            cx.inherited().pre_begin_play();
            run(cx, Event::PreBeginPlay, None);
        });
        class.set_initial_state(|cx| {
            cx.inherited().set_initial_state();
            run(cx, Event::SetInitialState, None);
        });
        class.tick(|cx, _| run(cx, Event::Tick, None));
        about! {
            gained_child GainedChild lost_child LostChild actor_leaving ActorLeaving actor_entered ActorEntered
            zone_change ZoneChange physics_volume_change PhysicsVolumeChange
            actor_entered_volume ActorEnteredVolume pawn_entered_volume PawnEnteredVolume
            head_volume_change HeadVolumeChange ran_into RanInto encroached_by EncroachedBy touch Touch
            un_touch UnTouch attach Attach detach Detach
        }
        class.encroaching_on(|cx, other| {
            run(cx, Event::EncroachingOn, Some(other));
            std::mem::take(&mut cx.answers().yes)
        });
        class.begin_state(|cx, _| run(cx, Event::BeginState, None));
        class.end_state(|cx, _| run(cx, Event::EndState, None));
        class.always_keep(|cx, actor| {
            run(cx, Event::AlwaysKeep, Some(actor));
            std::mem::take(&mut cx.answers().yes)
        });
        class.check_replacement(|cx, actor| {
            run(cx, Event::CheckReplacement, Some(actor));
            if std::mem::take(&mut cx.answers().yes) {
                Verdict::REMOVE
            } else {
                Verdict::KEEP
            }
        });
        class.spawn_notification(|cx, actor| {
            run(cx, Event::SpawnNotification, Some(actor));
            cx.answers().give.take().unwrap_or(Some(actor))
        });
    }
}

pub(crate) fn run<T: Probe>(cx: &mut Cx<'_, T>, event: Event, about: Option<ActorRef>) {
    let script = SCRIPT.with(|it| it.borrow().clone());
    if let Some(script) = script {
        script(cx, event, about);
    }
}

impl<T: Probe> Hand for Cx<'_, T> {
    fn me(&self) -> ActorRef {
        Cx::me(self).any()
    }
    fn is(&self, class: &str) -> bool {
        T::class().short_name() == class
    }
    fn destroy(&mut self) -> bool {
        Cx::destroy(self)
    }
    fn goto_state(&mut self, state: &'static str) {
        Cx::goto_state(self, state);
    }
    fn is_deleted(&self) -> bool {
        Cx::is_deleted(self)
    }
    fn is_pending(&self) -> bool {
        self.is_pending_delete()
    }
    fn others(&mut self) -> acedia_actors::Others<'_> {
        self.others.reborrow()
    }
    fn answer_yes(&mut self) {
        self.answers().yes = true;
    }
    fn give(&mut self, actor: Option<ActorRef>) {
        self.answers().give = Some(actor);
    }
}

/// A class with a description, and its other functions behind a `;`.
#[allow(unused_macros, reason = "not every test has classes of its own")]
macro_rules! define {
    ($(#[$meta:meta])* $type:ident $name:literal $($parent:ident in $base:ident)? { $($fields:tt)* }
        $(|$class:ident| $describe:block)? $(; $($more:tt)*)?) => {
        $(#[$meta])*
        #[derive(Default)]
        struct $type {
            $($fields)*
        }
        impl acedia_actors::Actor for $type {
            acedia_actors::actor!($type, $name $(, parent = $parent, in $base)?);
            $(fn describe($class: &mut acedia_actors::ClassBuilder<'_, Self>) $describe)?
            $($($more)*)?
        }
    };
}
#[allow(unused_imports, reason = "not every test has classes of its own")]
pub(crate) use define;

macro_rules! probe {
    ($type:ident, $name:literal, |$class:ident| $describe:expr $(, parent = $parent:ident)?) => {
        #[derive(Default, serde::Serialize, serde::Deserialize)]
        pub(crate) struct $type {
            $(pub(crate) base: $parent,)?
            pub(crate) answers: Answers,
        }
        impl Probe for $type {
            fn answers(&mut self) -> &mut Answers {
                &mut self.answers
            }
        }
        impl acedia_actors::Actor for $type {
            acedia_actors::actor!($type, $name $(, parent = $parent, in base)?);
            fn describe($class: &mut acedia_actors::ClassBuilder<'_, Self>) {
                Self::probe($class);
                $class.saved();
                let _ = $describe;
            }
        }
    };
}
#[allow(unused_imports, reason = "not every test has classes of its own")]
pub(crate) use probe;

probe!(Thing, "Test.Thing", |class| {
    class.state("Idle").auto();
    class.state("Busy");
});
probe!(Keeper, "Test.Keeper", |class| class);
probe!(Crew, "Test.Crew", |class| {
    class.defaults(|it| {
        it.collide_actors = true;
        it.collide_world = true;
        it.should_base_at_startup = true;
    });
    class.state("Ready").auto();
});
probe!(Toucher, "Test.Toucher", |class| class
    .defaults(|it| it.collide_actors = true));
probe!(Blocker, "Test.Blocker", |class| class.defaults(|it| {
    it.collide_actors = true;
    it.block_actors = true;
}));
probe!(Rider, "Test.Rider", |class| class.defaults(|it| {
    it.collide_world = true;
    it.should_base_at_startup = true;
}));
probe!(Judge, "Test.Judge", |class| class, parent = Mutator);
probe!(Zone, "Test.Zone", |class| class, parent = ZoneInfo);
probe!(Volume, "Test.Volume", |class| class, parent = PhysicsVolume);
probe!(Game, "Test.Game", |class| class, parent = GameInfo);
probe!(Soldier, "Test.Soldier", |class| class, parent = Pawn);
probe!(
    Notify,
    "Test.Notify",
    |class| class.post_begin_play(|cx| {
        let me = cx.me();
        cx.others.add_notifier(me);
    }),
    parent = SpawnNotify
);

/// A level before play, and its recorder.
pub(crate) fn unbegun(rules: Rules) -> (Level, Recorder) {
    script(|_, _, _| ());
    let mut level = Level::new(rules);
    let recorder = Recorder::default();
    level.set_sink(recorder.clone());
    (level, recorder)
}

/// A level in play, and its recorder.
pub(crate) fn level(rules: Rules) -> (Level, Recorder) {
    let (mut level, recorder) = unbegun(rules);
    level.begin_play("");
    let _ = recorder.take();
    (level, recorder)
}

/// Ground, and a zone and a volume in the middle.
pub(crate) fn furnish(level: &mut Level) {
    let zone = level.place::<Zone>(Spawn::new()).unwrap();
    let volume = level.place::<Volume>(Spawn::new()).unwrap();
    set_places(level, zone, volume);
}

/// A world that is solid below 0.
pub(crate) fn ground() -> CylinderGrid {
    let mut world = CylinderGrid::default();
    world.add_solid(Aabb::new(Vector::new(-1e4, -1e4, -1e4), Vector::new(1e4, 1e4, 0.0)));
    world
}

/// The ground, and the places of a zone and a volume.
pub(crate) fn set_places(level: &mut Level, zone: ActorRef<Zone>, volume: ActorRef<Volume>) {
    level.set_world(ground());
    let mut zones = BoxZones::default();
    let here = Aabb::new(Vector::new(-10.0, -10.0, -10.0), Vector::new(10.0, 10.0, 99.0));
    zones.add_zone(zone, here, 0).add_volume(volume, here, 0);
    level.set_zones(zones);
}

/// A level with everything that a spawn near its middle can meet: ground, a zone, a volume, a game with a mutator, a notifier, an
/// actor to touch. It returns an owner.
pub(crate) fn furnished(rules: Rules) -> (Level, Recorder, ActorRef<Keeper>) {
    let (mut level, recorder) = level(rules);
    furnish(&mut level);
    let aside = Spawn::new().at(Vector::new(99.0, 0.0, 0.0));
    let game = level.spawn::<Game>(aside).unwrap();
    level.set_game(game);
    let judge = level.spawn::<Judge>(aside).unwrap();
    level.add_mutator(judge);
    level.spawn::<Notify>(aside).unwrap();
    let keeper = level.spawn::<Keeper>(aside).unwrap();
    level
        .spawn::<Toucher>(Spawn::new().at(Vector::new(30.0, 0.0, 22.0)))
        .unwrap();
    let _ = recorder.take();
    (level, recorder, keeper)
}

/// A world in which everything can be pushed aside.
#[derive(Default)]
pub(crate) struct Pushy(CylinderGrid);

impl CollisionWorld for Pushy {
    fn find_spot(&self, shape: Cylinder, at: Vector) -> Option<Vector> {
        self.0.find_spot(shape, at)
    }
    fn insert(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) {
        self.0.insert(actor, shape, at);
    }
    fn remove(&mut self, actor: ActorRef) {
        self.0.remove(actor);
    }
    fn overlaps(&self, shape: Cylinder, at: Vector, found: &mut Vec<ActorRef>) {
        self.0.overlaps(shape, at, found);
    }
    fn push_away(&mut self, _: ActorRef, _: Cylinder, at: Vector) -> Option<Vector> {
        Some(at + Vector::new(500.0, 0.0, 0.0))
    }
    fn floor(&self, actor: ActorRef, shape: Cylinder, at: Vector) -> Floor {
        self.0.floor(actor, shape, at)
    }
}

/// The recorded lines, with rows and without the numbers of names.
pub(crate) fn steps(recorder: &Recorder) -> Vec<String> {
    let lines = recorder.lines();
    let number = |c: char| c.is_ascii_digit();
    lines
        .iter()
        .map(|line| {
            let (row, rest) = line.split_once(' ').unwrap();
            let rest: String = rest.chars().filter(|c| !number(*c)).collect();
            format!("{row} {rest}")
        })
        .collect()
}

/// The recorded [steps] whose row begins with `row`.
pub(crate) fn rows(recorder: &Recorder, row: &str) -> Vec<String> {
    let mut steps = steps(recorder);
    steps.retain(|step| step.starts_with(row));
    steps
}

/// Whether `numbers` has the number of this generation.
pub(crate) fn is_of(generation: Generation, numbers: &str) -> bool {
    numbers.contains(match generation {
        Generation::Ue1 => '1',
        Generation::Ue2 => '2',
        Generation::Ue3 => '3',
        other => panic!("no column for {other:?}"),
    })
}

/// A level of each generation, in play.
pub(crate) fn in_each(test: impl Fn(&mut Level, &Recorder, Generation)) {
    for rules in all_rules() {
        let generation = rules.generation;
        let (mut level, recorder) = level(rules);
        test(&mut level, &recorder, generation);
    }
}

pub(crate) fn all_rules() -> [Rules; 3] {
    [Rules::ue1(), Rules::ue2(), Rules::ue3()]
}
