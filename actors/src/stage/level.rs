//! [`Level`]: the owner of its actors, and what only the owner can do.

use std::fmt;

use super::access::Access;
use super::engine_classes::{LevelInfo, PhysicsVolume, PlayerController, PlayerPawn};
use super::stage::Stage;
use crate::class::actor::Actor;
use crate::class::actor_class::ActorClass;
use crate::class::request::{AnyClass, Spawn};
use crate::store::extra::Connection;
use crate::store::inner::Inner;
use crate::store::log::Log;
use crate::store::net::NetDriver;
use crate::store::warning::SpawnError;
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::rules::{PlayerClass, Rules};
use crate::value::trace::EventSink;
use crate::value::world::collision_world::CollisionWorld;
use crate::value::world::zone_map::ZoneMap;

/// A level: the owner of its actors.
///
/// What can be done with actors is in [`Stage`], which is also what handlers have of the level. Dropping a level finalizes
/// all actors, without events.
///
/// `Send`, and not shared: one thread at a time has it. [`NativeActorRef`](crate::NativeActorRef) is how other threads see
/// whether an actor lives.
///
/// ```
/// use acedia_actors::{Level, Pawn, Recorder, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue1());
/// let told = Recorder::default();
/// level.set_sink(told.clone());
/// let guard = level.place::<Pawn>(Spawn::new()).unwrap(); // the map has it
/// assert!(level.begin_play(""), "play begins once");
/// level.tick(0.1);
/// assert!(told.lines().iter().any(|line| line.contains("Tick")));
/// assert!(level.is_alive(guard));
/// ```
pub struct Level {
    inner: Inner,
}

const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Level>();
};

impl Level {
    /// How many warnings the log keeps. When there are more, the oldest go, and are
    /// [counted](Stage::dropped_warnings).
    pub const WARNINGS_KEPT: usize = Log::KEPT;

    /// An empty level, before play: until [`begin_play`](Self::begin_play), no actor is sent any event.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let mut inner = Inner::new(rules);
        inner.add_level_info(LevelInfo::class());
        if inner.rules.volumes {
            inner.add_default_volume(PhysicsVolume::class());
        }
        Self { inner }
    }

    /// Where room and neighbours are looked for. Actors that collide are inserted, without events.
    pub fn set_world(&mut self, world: impl CollisionWorld) {
        self.inner.world = Box::new(world);
        self.inner.fill_world();
    }

    /// Where zones and volumes are looked for.
    pub fn set_zones(&mut self, zones: impl ZoneMap) {
        self.inner.zones = Some(Box::new(zones));
    }

    /// Who closes the connections of players.
    pub fn set_net(&mut self, driver: impl NetDriver) {
        self.inner.net = Some(Box::new(driver));
    }

    /// Who is told of everything that happens.
    pub fn set_sink(&mut self, sink: impl EventSink) {
        self.inner.sink = Some(Box::new(sink));
    }

    /// Makes an actor as if the map had it: without checks for room, and without events.
    ///
    /// # Errors
    ///
    /// The class is abstract or not its own authority, or the place is not finite.
    pub fn place<T: Actor>(&mut self, spawn: Spawn) -> Result<ActorRef<T>, SpawnError> {
        self.inner.place(T::class(), spawn).map(ActorRef::typed)
    }

    /// Starts play: all actors are initialised, phase by phase. `false`, and nothing done, if it has begun.
    ///
    /// `options` is what [`Stage::options`] gives from then on.
    ///
    /// # Panics
    ///
    /// If a handler does; not before all phases are over for all actors. The first panic goes on then, and play has begun.
    pub fn begin_play(&mut self, options: &str) -> bool {
        self.inner.begin_play(options)
    }

    /// Lets time go on: every actor is sent `tick`, owners before what they own; all but the
    /// [static](crate::Properties::is_static) ones, to which time does nothing.
    ///
    /// Before [`begin_play`](Self::begin_play) nobody ticks. The first time, there is a [warning](Warning::NotBegun), but not in
    /// an [editor](Settings::editor).
    ///
    /// Who is spawned meanwhile ticks in the same frame, after all others (D15). So a handler that spawns its own class in each
    /// of its ticks keeps this from ever returning: no limit of depth ends it, because these ticks come one after the other.
    ///
    /// # Panics
    ///
    /// If a handler does; not before all other actors have had their tick. The first panic goes on then.
    #[doc(alias = "Tick")]
    pub fn tick(&mut self, seconds: f32) {
        self.inner.tick(seconds);
    }

    /// Marks the level as being garbage-collected, or not: meanwhile nothing can be spawned.
    pub fn set_collecting(&mut self, collecting: bool) {
        self.inner.collecting = collecting;
    }

    /// An actor that the server has sent. To be followed by [`finish_receive`](Self::finish_receive).
    ///
    /// # Errors
    ///
    /// As [`Stage::spawn_ex`].
    pub fn receive<T: Actor>(
        &mut self,
        location: Vector,
        rotation: Option<Rotator>,
    ) -> Result<ActorRef<T>, SpawnError> {
        self.receive_any(T::class().into(), location, rotation)
            .map(ActorRef::typed)
    }

    /// As [`receive`](Self::receive), of a class that is only known at run time.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn receive_any(
        &mut self,
        class: AnyClass,
        location: Vector,
        rotation: Option<Rotator>,
    ) -> Result<ActorRef, SpawnError> {
        self.inner.receive(class, location, rotation)
    }

    /// Variables of a received actor have been written; `variables` want an event. Whether it lives.
    ///
    /// The first time, play begins for it, too: what comes last in a spawn (Q14) was left for now. Never for an actor that
    /// was not received, or that was there when play began.
    pub fn finish_receive<T>(&mut self, actor: ActorRef<T>, variables: &[Name]) -> bool {
        self.inner.finish_receive(actor.any(), variables)
    }

    /// The server says who owns an actor that it has sent: no events. `false` if either is dead, or if it would own itself.
    pub fn receive_owner<T>(&mut self, actor: ActorRef<T>, owner: Option<ActorRef>) -> bool {
        self.inner.receive_owner(actor.any(), owner)
    }

    /// The server sends an actor no longer. Destroys it, unless it is temporary or torn off.
    pub fn lose_relevance<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner.lose_relevance(actor.any())
    }

    /// A client's actor lives on by itself from now on, and is its own authority. `false` if it is dead.
    #[doc(alias = "bTearOff")]
    pub fn tear_off<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner.tear_off(actor.any())
    }

    /// A player is behind `actor` from now on: a server can't destroy it while the connection is there.
    /// `false` if it is dead, or not of the [class](Rules::player_class) that can have one.
    pub fn connect<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner.connect(actor.any())
    }

    /// The player's connection is closed: the actor is destroyed.
    pub fn disconnect<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner.disconnect(actor.any())
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        self.inner.tear_down();
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.show(f, "Level")
    }
}

impl PlayerClass {
    fn includes(self, class: &ActorClass) -> bool {
        class.is_child_of(match self {
            Self::PlayerPawn => PlayerPawn::class(),
            Self::PlayerController => PlayerController::class(),
        })
    }
}

impl Inner {
    /// A player is behind `actor` from now on.
    fn connect(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        let fit = self.rules.player_class.includes(self.heads[slot].class);
        if fit {
            self.extra_mut(slot).connection = Connection::Open;
        }
        fit
    }
}

impl Access for Level {
    fn inner(&self) -> &Inner {
        &self.inner
    }

    fn inner_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

impl Stage for Level {}
