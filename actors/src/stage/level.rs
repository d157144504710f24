//! [`Level`]: the owner of its actors.

use std::fmt;

use super::access::Access;
use super::engine_classes::{LevelInfo, PhysicsVolume, PlayerController, PlayerPawn};
use super::stage::Stage;
use crate::class::actor::Actor;
use crate::class::actor_class::ActorClass;
use crate::class::request::Spawn;
use crate::store::extra::Connection;
use crate::store::inner::Inner;
use crate::store::log::Log;
use crate::store::net::NetDriver;
#[cfg(feature = "serde")]
use crate::store::saved_level::SavedLevel;
use crate::store::sink::EventSink;
use crate::store::warning::SpawnError;
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::rules::{PlayerClass, Rules};
#[cfg(feature = "serde")]
use crate::value::saved::error::SaveError;
use crate::value::world::collision_world::CollisionWorld;
use crate::value::world::zone_map::ZoneMap;

/// A level: the owner of its actors.
///
/// | To | Call |
/// |---|---|
/// | create a level, and begin play | [`new`](Self::new), [`place`](Self::place), [`start`](Self::start) |
/// | advance time | [`tick`](Self::tick) |
/// | spawn and destroy actors | [`Stage::spawn`], [`Stage::destroy`] |
/// | read and change an actor | [`Stage::get`], [`Stage::get_mut`], [`Stage::properties`] |
/// | visit actors | [`Stage::all_of`], [`Stage::children`], [`Stage::touching`] |
/// | change states and set timers | [`Stage::goto_state`], [`Stage::set_timer`] |
/// | connect the collisions and zones of an engine | [`set_world`](Self::set_world), [`set_zones`](Self::set_zones) |
/// | receive actors over the network | [`receive`](Self::receive), [`finish_receive`](Self::finish_receive) |
/// | see what happens | [`set_sink`](Self::set_sink), [`Stage::take_warnings`] |
/// | save and restore a level, with the feature `serde` | `save`, `restore` |
///
/// The operations on actors are in the trait [`Stage`], which handlers use, too. Dropping a level finalizes all actors without
/// sending events.
///
/// A level is `Send` but not `Sync`: one thread at a time uses it. Other threads can ask a
/// [`NativeActorRef`](crate::NativeActorRef) whether its actor is alive ([`is_none`](crate::NativeActorRef::is_none)).
///
/// ```
/// use acedia_actors::{Level, Pawn, Recorder, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue1());
/// let told = Recorder::default();
/// level.set_sink(told.clone());
/// let guard = level.place::<Pawn>(Spawn::new()).unwrap(); // the map has it
/// assert!(level.start(), "play begins once");
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
    /// The number of warnings that the log keeps. Older ones are dropped and [counted](Stage::dropped_warnings).
    pub const WARNINGS_KEPT: usize = Log::KEPT;

    /// An empty level in which play has not begun. No actor is sent an event before [`begin_play`](Self::begin_play).
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let mut inner = Inner::new(rules);
        inner.add_level_info(LevelInfo::class());
        if inner.rules.volumes {
            inner.add_default_volume(PhysicsVolume::class());
        }
        Self { inner }
    }

    /// The level as data: all living actors with their fields, states, timers, and references to each other. Serialize it in a
    /// format of `serde`: JSON, RON, CBOR, MessagePack and postcard are tested. TOML has no null, so most levels can't be written
    /// in it.
    ///
    /// In human-readable formats, a field has the shape that `serde_json` gives it, but a map whose keys are not all texts
    /// becomes a list of pairs.
    ///
    /// The description of each class must call [`saved`](crate::ClassBuilder::saved). The data does not include the rules, the
    /// world, the map of zones, the sink, the driver of connections, the log, or [`NativeActorRef`](crate::NativeActorRef)s.
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ActorRef, ClassBuilder, Level, Repeat, Rules, SavedLevel, Spawn, Stage, actor,
    /// };
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Default, Serialize, Deserialize)]
    /// struct Bomb { beeps: u32, planted_by: Option<ActorRef> }
    /// impl Actor for Bomb {
    ///     actor!(Bomb, "Doc.SavedBomb");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.saved();
    ///         class.timer(|cx| cx.beeps += 1);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let bomb = level.spawn::<Bomb>(Spawn::new().tag("First")).unwrap();
    /// level.set_timer(bomb, 1.0, Repeat::Looping);
    /// level.get_mut(bomb).unwrap().planted_by = Some(bomb.any());
    /// level.tick(1.75);
    ///
    /// let json = serde_json::to_string(&level.save().unwrap()).unwrap();
    /// let saved: SavedLevel = serde_json::from_str(&json).unwrap();
    /// let mut level = Level::restore(Rules::ue2(), &saved).unwrap();
    /// let bomb = level.all::<Bomb>().next(&level).unwrap();
    /// level.tick(0.25);
    /// let it = level.get(bomb).unwrap();
    /// assert_eq!((it.beeps, it.planted_by), (2, Some(bomb.any())));
    ///
    /// // An error names actor, class and field.
    /// let saved: SavedLevel =
    ///     serde_json::from_str(&json.replace("\"beeps\":1", "\"beeps\":\"x\"")).unwrap();
    /// let error = Level::restore(Rules::ue2(), &saved).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "actor SavedBomb2 of Doc.SavedBomb: field `beeps`: \
    ///      invalid type: string \"x\", expected u32"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// If the class of an actor is not saved, if a remote player is connected to an actor, or if a field can't be restored:
    ///
    /// * A number is infinite or NaN, in a field, a property, a timer or a `sleep`, because most formats lack such numbers. Use a
    ///   finite number or `None`, or skip the field by `#[serde(skip)]`.
    /// * A field is a `Some(None)`, or a `Some` of a type without data, because it would be restored as `None`. Use an enum.
    /// * An integer needs more than 64 bits. Use a text.
    /// * Lists, structs and maps are nested deeper than 60 levels. A map counts as two levels, and so does an enum variant with
    ///   several values.
    /// * The field's type can't read what it has written. For example, `skip_serializing_if` needs `default`, and a variant of an
    ///   `untagged` or internally tagged enum can't have a map with numbers as keys.
    ///
    /// # Cost
    ///
    /// The data is a copy of the fields of all actors. As a check, each actor's fields are also deserialized once.
    #[cfg(feature = "serde")]
    pub fn save(&self) -> Result<SavedLevel, SaveError> {
        self.inner.save()
    }

    /// Restores a level that was [saved](Self::save) under the same rules. The actors have the same names and the same order,
    /// and are sent no events. References kept outside the data are stale: find the actors anew, as in the example of `save`. Set
    /// the world and the zones again, because they are not saved. Until then the world contains only the actors.
    ///
    /// # Errors
    ///
    /// If the data names a class, state, function or field that this program does not have, or lacks a field that the program
    /// has; if a field has another type; or if a reference resolves to no actor. The error names the actor, its class and the
    /// field.
    #[cfg(feature = "serde")]
    pub fn restore(rules: Rules, saved: &SavedLevel) -> Result<Self, SaveError> {
        let mut level = Self {
            inner: Inner::new(rules),
        };
        level.inner.set_level_class(LevelInfo::class());
        level.inner.restore(saved)?;
        Ok(level)
    }

    /// Sets the collision world, which tells where an actor fits and which actors are near a location. The actors that collide
    /// are inserted without events.
    ///
    /// ```
    /// use acedia_actors::world::CylinderGrid;
    /// use acedia_actors::{Aabb, Level, Pawn, Rules, Spawn, SpawnError, Stage, Vector};
    ///
    /// let mut world = CylinderGrid::default();
    /// let corner = Vector::new(100.0, 100.0, 100.0);
    /// world.add_solid(Aabb::new(Vector::new(-100.0, -100.0, -100.0), corner)); // rock
    /// let mut level = Level::new(Rules::ue2());
    /// level.set_world(world);
    /// level.start();
    /// let inside = level.try_spawn::<Pawn>(Spawn::new().at(Vector::default()));
    /// assert_eq!(inside, Err(SpawnError::NoRoom));
    /// let above = Spawn::new().at(Vector::new(0.0, 0.0, 200.0));
    /// assert!(level.spawn::<Pawn>(above).is_some());
    /// ```
    #[doc(alias = "CheckEncroachment")]
    pub fn set_world(&mut self, world: impl CollisionWorld) {
        self.inner.world = Box::new(world);
        self.inner.fill_world();
    }

    /// Sets the map of zones and volumes.
    ///
    /// ```
    /// use acedia_actors::world::BoxZones;
    /// use acedia_actors::{Aabb, Level, Pawn, Rules, Spawn, Stage, Vector, ZoneInfo};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// let cellar = level.place::<ZoneInfo>(Spawn::new()).unwrap();
    /// let walls = Aabb::new(Vector::default(), Vector::new(100.0, 100.0, 100.0));
    /// let mut zones = BoxZones::default();
    /// zones.add_zone(cellar, walls, 0);
    /// level.set_zones(zones);
    /// level.start();
    /// let inside = Spawn::new().at(Vector::new(50.0, 50.0, 50.0));
    /// let rat = level.spawn::<Pawn>(inside).unwrap();
    /// assert_eq!(level.zone(rat), Some(cellar.any()));
    /// ```
    #[doc(alias = "SetZone")]
    pub fn set_zones(&mut self, zones: impl ZoneMap) {
        self.inner.zones = Some(Box::new(zones));
    }

    /// Sets the driver that closes the connections of players.
    ///
    /// ```
    /// use acedia_actors::{
    ///     ActorRef, Level, NetDriver, NetMode, PlayerController, Rules, Spawn, Stage,
    /// };
    /// use std::sync::mpsc::{Sender, channel};
    ///
    /// /// Tells the thread of the sockets which connection to close.
    /// struct Driver(Sender<ActorRef>);
    /// impl NetDriver for Driver {
    ///     fn close(&mut self, player: ActorRef) {
    ///         self.0.send(player).ok();
    ///     }
    /// }
    ///
    /// let mut server = Level::new(Rules::ue3());
    /// server.settings_mut().net_mode = NetMode::DedicatedServer;
    /// let (sender, closing) = channel();
    /// server.set_net(Driver(sender));
    /// server.start();
    /// let player = server.spawn::<PlayerController>(Spawn::new()).unwrap();
    /// server.connect(player);
    /// assert!(!server.destroy(player), "the connection is open");
    /// assert_eq!(closing.try_recv(), Ok(player.any()));
    /// ```
    pub fn set_net(&mut self, driver: impl NetDriver) {
        self.inner.net = Some(Box::new(driver));
    }

    /// Sets the sink that receives every step.
    pub fn set_sink(&mut self, sink: impl EventSink) {
        self.inner.sink = Some(Box::new(sink));
    }

    /// Creates an actor as if it were part of the map, without a check for room and without events.
    ///
    /// # Errors
    ///
    /// If the class is abstract, if its default [`role`](crate::Properties::role) is not `Authority`, if the location is not
    /// finite, or if the level is [full](SpawnError::Full).
    pub fn place<T: Actor>(&mut self, spawn: Spawn) -> Result<ActorRef<T>, SpawnError> {
        self.inner.place(T::class(), spawn).map(ActorRef::typed)
    }

    /// Starts play without options: [`begin_play`](Self::begin_play).
    ///
    /// # Panics
    ///
    /// As [`begin_play`](Self::begin_play).
    #[doc(alias = "BeginPlay")]
    pub fn start(&mut self) -> bool {
        self.begin_play("")
    }

    /// Starts play: initialises all actors, one phase after another. If play has begun already, does nothing and returns `false`.
    ///
    /// From then on, [`Stage::options`] returns `options`, the argument of `InitGame(Options)` in UnrealScript.
    ///
    /// ```
    /// use acedia_actors::{Level, Rules, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// assert!(level.begin_play("?Difficulty=4"));
    /// assert_eq!(level.options(), "?Difficulty=4");
    /// assert!(!level.begin_play("?Difficulty=7"), "play has begun");
    /// assert_eq!(level.options(), "?Difficulty=4");
    /// ```
    ///
    /// # Panics
    ///
    /// If a handler panics. All phases run for all actors, and play begins, before the first panic continues.
    pub fn begin_play(&mut self, options: &str) -> bool {
        self.inner.begin_play(options)
    }

    /// Runs one frame: each actor is sent `tick`, then runs the code of its state, and then its timers. An owner comes before
    /// the actors that it owns. Actors that are [static](crate::Properties::is_static) or [do not
    /// tick](crate::Properties::tick_is_disabled) are skipped.
    ///
    /// Before [`begin_play`](Self::begin_play) no actor ticks. The first tick or function call before it logs a
    /// [warning](crate::Warning::NotBegun), except in an [editor](crate::Settings::editor).
    ///
    /// An actor that is spawned during the frame ticks in the same frame, after all others (D15). If each tick of a class
    /// spawns another actor of that class, this call never returns.
    ///
    /// # Panics
    ///
    /// If a handler panics. All other actors tick before the first panic continues.
    #[doc(alias = "Tick")]
    pub fn tick(&mut self, seconds: f32) {
        self.inner.tick(seconds);
    }

    /// Sets whether the level is being garbage-collected. During a collection no actor can be spawned.
    pub fn set_collecting(&mut self, collecting: bool) {
        self.inner.collecting = collecting;
    }

    /// Spawns an actor that the server has sent. Call [`finish_receive`](Self::finish_receive) afterwards.
    ///
    /// ```
    /// use acedia_actors::{Level, NetMode, Rules, Stage, Vector, load_actor_class};
    ///
    /// let mut client = Level::new(Rules::ue2());
    /// client.settings_mut().net_mode = NetMode::Client;
    /// client.start();
    /// // The server has sent the name of the class.
    /// let class = load_actor_class("Engine.Pawn").unwrap();
    /// let pawn = client.receive(class, Vector::default(), None).unwrap();
    /// assert!(client.finish_receive(pawn, &[]));
    /// assert!(!client.destroy(pawn), "the client has no authority over it");
    /// assert!(client.lose_relevance(pawn) && !client.is_alive(pawn));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Stage::spawn_ex`].
    ///
    /// # Panics
    ///
    /// As [`Stage::spawn`].
    pub fn receive(
        &mut self,
        class: &'static ActorClass,
        location: Vector,
        rotation: Option<Rotator>,
    ) -> Result<ActorRef, SpawnError> {
        self.inner.receive(class, location, rotation)
    }

    /// Call this after writing the variables that the server sent for an actor. Sends the actor the event of
    /// [`Rules::net_event`], which may be one event for each of `variables`. Returns whether the actor is alive.
    ///
    /// The first call for a received actor also sends the last events of its spawn (Q14), unless the actor was received before
    /// play began.
    ///
    /// # Panics
    ///
    /// If a handler panics.
    pub fn finish_receive<T>(&mut self, actor: ActorRef<T>, variables: &[Name]) -> bool {
        self.inner.finish_receive(actor.any(), variables)
    }

    /// Sets the owner that the server sent, without events. Returns `false` if either actor is dead, or if the actor would own
    /// itself.
    ///
    /// ```
    /// use acedia_actors::{Actor, Level, NetMode, Pawn, Rules, Stage, Vector};
    ///
    /// let mut client = Level::new(Rules::ue2());
    /// client.settings_mut().net_mode = NetMode::Client;
    /// client.start();
    /// let [soldier, rifle] =
    ///     [(); 2].map(|()| client.receive(Pawn::class(), Vector::default(), None).unwrap());
    /// assert!(client.receive_owner(rifle, Some(soldier.any())));
    /// assert_eq!(client.owner(rifle), Some(soldier.any()));
    /// assert!(!client.receive_owner(soldier, Some(rifle.any())), "it would own itself");
    /// ```
    pub fn receive_owner<T>(&mut self, actor: ActorRef<T>, owner: Option<ActorRef>) -> bool {
        self.inner.receive_owner(actor.any(), owner)
    }

    /// Destroys an actor that the server no longer sends, unless it is [temporary](crate::Properties::net_temporary) or [torn
    /// off](Self::tear_off). Returns whether the actor was destroyed.
    ///
    /// # Panics
    ///
    /// As [`Stage::destroy`].
    pub fn lose_relevance<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner.lose_relevance(actor.any())
    }

    /// Makes an actor of a client independent of the server. The client has authority over the actor from now on. Returns
    /// `false` if the actor is dead.
    ///
    /// ```
    /// use acedia_actors::{Actor, Level, NetMode, Pawn, Rules, Stage, Vector};
    ///
    /// let mut client = Level::new(Rules::ue2());
    /// client.settings_mut().net_mode = NetMode::Client;
    /// client.start();
    /// let corpse = client.receive(Pawn::class(), Vector::default(), None).unwrap();
    /// assert!(client.tear_off(corpse));
    /// assert!(!client.lose_relevance(corpse), "it stays without the server");
    /// assert!(client.destroy(corpse), "the client decides");
    /// ```
    #[doc(alias = "bTearOff")]
    pub fn tear_off<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner.tear_off(actor.any())
    }

    /// Connects a remote player to `actor`. A server can't destroy the actor while the connection is open. Returns `false` if
    /// the actor is dead, or does not belong to the [class](Rules::player_class) that represents players.
    ///
    /// ```
    /// use acedia_actors::{Level, NetMode, PlayerController, Rules, Spawn, Stage};
    ///
    /// let mut server = Level::new(Rules::ue3());
    /// server.settings_mut().net_mode = NetMode::DedicatedServer;
    /// server.start();
    /// let player = server.spawn::<PlayerController>(Spawn::new()).unwrap();
    /// assert!(server.connect(player));
    /// assert!(!server.destroy(player), "the connection is open");
    /// assert!(server.disconnect(player) && !server.is_alive(player));
    /// ```
    pub fn connect<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner.connect(actor.any())
    }

    /// Closes the player's connection, which destroys the actor. Returns whether the actor was destroyed.
    ///
    /// # Panics
    ///
    /// As [`Stage::destroy`].
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
    /// Records that a remote player controls `actor` from now on.
    fn connect(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        let fit = self.rules.player_class.includes(self.heads[slot].class());
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
