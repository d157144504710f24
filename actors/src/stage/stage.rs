//! [`Stage`]: the operations on actors.

use super::access::Access;
use super::cursor::Cursor;
use super::shared::{shared_methods, stage_methods};
use crate::class::actor::Actor;
use crate::class::actor_class::ActorClass;
use crate::class::function::Function;
use crate::class::request::{Spawn, SpawnEx};
use crate::sequence::destroy::By;
use crate::sequence::timers::target_of;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::values::Values;
use crate::store::waits::TimerTarget;
use crate::store::warning::{SpawnError, Warning};
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Cylinder, Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::{Properties, Role};
use crate::value::settings::Settings;
use crate::value::timer::{Repeat, Timer};

/// The operations on actors, from outside ([`Level`](crate::Level)) and in handlers ([`Others`](crate::Others)). A `&mut` to a
/// stage is a stage, too.
///
/// A reference to a dead actor is not an error. Queries about it return the null value (the `Default` of the type), such as
/// `None`. Commands to it do nothing, return the null value, such as `false`, and log a [warning](Warning::AccessedNone), as
/// the Unreal engine does when a script accesses `None`.
///
/// | To | Call |
/// |---|---|
/// | spawn and destroy | [`spawn`](Self::spawn), [`try_spawn`](Self::try_spawn), [`spawn_of`](Self::spawn_of), [`spawn_by_name`](Self::spawn_by_name), [`spawn_ex`](Self::spawn_ex), [`destroy`](Self::destroy) |
/// | read and change an actor | [`get`](Self::get), [`get_mut`](Self::get_mut), [`value_or_null`](Self::value_or_null), [`change_or_null`](Self::change_or_null), [`properties_mut`](Self::properties_mut), [`cast`](Self::cast) |
/// | query an actor | [`is_alive`](Self::is_alive), [`class`](Self::class), [`name`](Self::name), [`is_pending_delete`](Self::is_pending_delete), [`is_script_initialized`](Self::is_script_initialized) |
/// | call functions | [`call`](Self::call), [`call_all`](Self::call_all), [`trigger`](Self::trigger) |
/// | change states | [`goto_state`](Self::goto_state), [`force_state`](Self::force_state), [`push_state`](Self::push_state), [`pop_state`](Self::pop_state), [`goto_label`](Self::goto_label) |
/// | set timers | [`set_timer`](Self::set_timer), [`set_timer_of`](Self::set_timer_of), [`pause_timer`](Self::pause_timer), [`timer`](Self::timer), [`clear_timers`](Self::clear_timers) |
/// | set owners, bases and instigators | [`set_owner`](Self::set_owner), [`children`](Self::children), [`set_base`](Self::set_base), [`attached`](Self::attached), [`set_instigator`](Self::set_instigator) |
/// | move and locate actors | [`location`](Self::location), [`set_location`](Self::set_location), [`rotation`](Self::rotation), [`zone`](Self::zone), [`volume`](Self::volume), [`touching`](Self::touching), [`overlapping`](Self::overlapping) |
/// | visit actors | [`actors`](Self::actors), [`all`](Self::all), [`all_of`](Self::all_of), [`user_actors`](Self::user_actors) |
/// | query and configure the level | [`has_begun`](Self::has_begun), [`level_info`](Self::level_info), [`game`](Self::game), [`set_game`](Self::set_game), [`add_mutator`](Self::add_mutator), [`options`](Self::options), [`settings`](Self::settings) |
/// | read the log of refused requests | [`warnings`](Self::warnings), [`take_warnings`](Self::take_warnings) |
///
/// ```
/// use acedia_actors::{
///     Actor, ActorRef, Level, Name, Pawn, PhysicsVolume, Rules, Spawn, Stage, Vector,
/// };
///
/// let mut level = Level::new(Rules::ue2());
/// level.begin_play("map?difficulty=2");
/// assert!(level.has_begun() && level.options().ends_with("2"));
/// let tank = level.spawn::<Pawn>(Spawn::new().at(Vector::new(1.0, 0.0, 0.0))).unwrap();
/// let driver = level.try_spawn::<Pawn>(Spawn::new().owned_by(tank)).unwrap();
///
/// // Class and name.
/// let someone: ActorRef = driver.any();
/// assert_eq!(level.cast::<Pawn>(someone), Some(driver));
/// assert_eq!(level.cast::<PhysicsVolume>(someone), None);
/// assert_eq!(level.class(driver), Some(Pawn::class()));
/// assert!(level.name(driver).unwrap().starts_with("Pawn"));
///
/// // Place, and ties to others.
/// assert_eq!(level.location(tank), Some(Vector::new(1.0, 0.0, 0.0)));
/// assert!(
///     level.set_location(driver, Vector::new(2.0, 0.0, 0.0))
///         && level.rotation(driver).is_some()
/// );
/// assert!(!level.is_touching(driver, tank));
/// assert_eq!(level.owner(driver), Some(tank.any()));
/// assert!(
///     level.set_base(driver, Some(tank.any())) && level.base(driver) == Some(tank.any())
/// );
/// assert!(
///     level.set_instigator(tank, Some(driver.any()))
///         && level.instigator(tank) == Some(driver.any())
/// );
/// level.properties_mut(tank).unwrap().tag = Name::new("Heavy");
/// assert_eq!(level.properties(tank).unwrap().tag, Name::new("Heavy"));
/// assert_eq!(level.state(tank), Name::NONE);
///
/// // All actors.
/// assert_eq!(level.actors().filter(|it| level.cast::<Pawn>(*it).is_some()).count(), 2);
/// assert!(level.game().is_none() && level.level_info().is_some() && !level.is_starting());
/// assert!(!level.settings().net_mode.is_server() && !level.is_pending_delete(tank));
/// let (mut drivers, mut cursor) = (0, level.all::<Pawn>());
/// while let Some(pawn) = cursor.next(&level) {
///     drivers += u32::from(level.owner(pawn).is_some()); // the level may change here
/// }
/// assert_eq!(drivers, 1);
/// assert!(level.zone(tank).is_some() && level.volume(tank).is_some());
///
/// // Its end empties every reference: commands do nothing, questions return `None`.
/// assert!(level.destroy(tank) && !level.is_alive(tank));
/// assert_eq!(
///     (level.location(tank), level.base(driver), level.instigator(driver)),
///     (None, None, None)
/// );
/// assert!(level.set_owner(driver, None) || level.owner(driver).is_none());
/// ```
#[allow(private_bounds, reason = "only levels are stages")]
pub trait Stage: Access {
    /// Spawns an actor, and runs the whole sequence of its events before this returns. Returns `None` if the spawn fails; the log
    /// of warnings may have the reason.
    ///
    /// Under rules with [`spawn_notify`](crate::Rules::spawn_notify) (the first generation), the returned actor may belong to a
    /// class other than `T`: see [`try_spawn`](Self::try_spawn).
    ///
    /// # Panics
    ///
    /// If a handler panics during the sequence, on this actor or on another. No caller gets the new actor, so it is
    /// [destroyed](Self::destroy), with all events, before the panic continues. The same holds for all other ways to spawn.
    #[doc(alias = "Spawn")]
    fn spawn<T: Actor>(&mut self, spawn: Spawn) -> Option<ActorRef<T>> {
        self.try_spawn(spawn).ok()
    }

    /// Like [`spawn`](Self::spawn), but returns the reason of a failure.
    ///
    /// Under rules with [`spawn_notify`](crate::Rules::spawn_notify), a [`SpawnNotify`](crate::SpawnNotify) may replace the
    /// actor with an actor of any class, as in the Unreal engine. Then the returned reference refers to the other actor, and
    /// [`get`](Self::get) returns `None` unless that actor is a `T`. Ask for its [`class`](Self::class), or
    /// [`cast`](Self::cast) the reference:
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ActorRef, ClassBuilder, Level, Pawn, Rules, Spawn, SpawnNotify, Stage, actor,
    /// };
    ///
    /// #[derive(Default)]
    /// struct Crate;
    /// impl Actor for Crate {
    ///     actor!(Crate, "Doc.Crate");
    /// }
    ///
    /// /// Returns its pawn instead of every crate, once it has one.
    /// #[derive(Default)]
    /// struct Swap { base: SpawnNotify, pawn: Option<ActorRef> }
    /// impl Actor for Swap {
    ///     actor!(Swap, "Doc.Swap", parent = SpawnNotify, in base);
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.spawn_notification(|cx, it| cx.pawn.or(Some(it)));
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue1());
    /// level.start();
    /// let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
    /// let swap = level.spawn::<Swap>(Spawn::new()).unwrap();
    /// let notifier = level.get_mut(swap).unwrap();
    /// notifier.base.actor_class = Some(Crate::class());
    /// notifier.pawn = Some(pawn.any());
    ///
    /// let given = level.try_spawn::<Crate>(Spawn::new()).unwrap();
    /// assert!(level.is_alive(given) && level.get(given).is_none()); // no crate
    /// assert_eq!(level.class(given), Some(Pawn::class()));
    /// assert_eq!(level.cast::<Crate>(given.any()), None);
    /// assert_eq!(level.cast::<Pawn>(given.any()), Some(pawn));
    /// ```
    ///
    /// # Errors
    ///
    /// If a check fails, if the actor is destroyed during its spawn, or if a notifier answers `None`.
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    fn try_spawn<T: Actor>(&mut self, spawn: Spawn) -> Result<ActorRef<T>, SpawnError> {
        let spawned = self.inner_mut().spawn(T::class(), None, spawn);
        spawned.map(ActorRef::typed)
    }

    /// Like [`try_spawn`](Self::try_spawn), but for a class that is known only at run time.
    ///
    /// ```
    /// use acedia_actors::{Actor, Level, Pawn, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let class = Pawn::class();
    /// let pawn = level.spawn_of(class, Spawn::new().tag("Guard")).unwrap();
    /// assert_eq!(level.class(pawn), Some(class));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`try_spawn`](Self::try_spawn).
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    #[doc(alias = "Spawn")]
    fn spawn_of(&mut self, class: &'static ActorClass, spawn: Spawn) -> Result<ActorRef, SpawnError> {
        self.inner_mut().spawn(class, None, spawn)
    }

    /// Like [`try_spawn`](Self::try_spawn), but for the class with this [name](crate::load_actor_class).
    ///
    /// ```
    /// use acedia_actors::{Level, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// assert!(level.spawn_by_name("Engine.Pawn", Spawn::new()).is_ok());
    /// let error = |level: &mut Level, name| {
    ///     level.spawn_by_name(name, Spawn::new()).unwrap_err().to_string()
    /// };
    /// assert_eq!(
    ///     error(&mut level, "Engine.Pown"),
    ///     "spawn failed because no class of actors is named `Engine.Pown` \
    ///      (did you mean `Engine.Pawn`?)"
    /// );
    /// let sentence =
    ///     "spawn failed because class Engine.Actor is abstract; spawn a child class";
    /// assert_eq!(error(&mut level, "Engine.Actor"), sentence);
    /// assert_eq!(
    ///     error(&mut level, "Acedia.NativeActorRef"),
    ///     "spawn failed because Acedia.NativeActorRef is not an actor class"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_spawn`](Self::try_spawn), and also if no class has the name, or if several classes have it.
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    fn spawn_by_name(&mut self, name: &str, spawn: Spawn) -> Result<ActorRef, SpawnError> {
        let class = self.inner_mut().class_named(name)?;
        self.inner_mut().spawn(class, None, spawn)
    }

    /// Spawns an actor with all parameters of the Unreal engine's `SpawnActor`. The class may be known only at run time.
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ActorClass, Level, Pawn, Rules, SpawnEx, SpawnError, Stage, Warning,
    /// };
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// assert!(level.spawn_ex(Some(Pawn::class().into()), &SpawnEx::default()).is_ok());
    /// let nothing = level.spawn_ex(None, &SpawnEx::default());
    /// assert_eq!(nothing, Err(SpawnError::Refused(Warning::NoClass)));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`try_spawn`](Self::try_spawn).
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    #[doc(alias = "SpawnActor")]
    fn spawn_ex(&mut self, class: Option<&'static ActorClass>, request: &SpawnEx) -> Result<ActorRef, SpawnError> {
        self.inner_mut().spawn_ex(class, request)
    }

    /// Destroys an actor, and runs the whole sequence of its events before this returns. From then on, every reference to it
    /// resolves to `None`.
    ///
    /// Returns `false` and leaves the actor alive if it is [static](Properties::is_static), [can't be
    /// deleted](Properties::no_delete), or is under a server's authority while this level is a client. A server does the same
    /// if the actor has a player, and starts to close the player's connection.
    ///
    /// # Panics
    ///
    /// If a handler panics during the sequence. All other events are sent and the actor dies before the first panic continues.
    #[doc(alias = "Destroy")]
    #[doc(alias = "DestroyActor")]
    fn destroy<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner_mut().destroy(actor, By::Script)
    }

    /// The fields of an actor. `None` if the actor is dead, or if its class is neither `T` nor a descendant of `T`.
    #[inline]
    fn get<T: Actor>(&self, actor: ActorRef<T>) -> Option<&T> {
        let inner = self.inner();
        inner.part(inner.find(actor)?)
    }

    /// Like [`get`](Self::get), but mutable.
    #[inline]
    fn get_mut<T: Actor>(&mut self, actor: ActorRef<T>) -> Option<&mut T> {
        let slot = self.inner().find(actor)?;
        self.inner_mut().part_mut(slot)
    }

    /// The result of `read` for an actor, as a script would read it. If there is no such actor, logs a warning and returns the
    /// null value.
    ///
    /// The warning is [`OtherClass`](Warning::OtherClass) if the actor is alive but belongs to another class, as after a
    /// replacement by a notifier. Otherwise it is [`AccessedNone`](Warning::AccessedNone).
    ///
    /// ```
    /// use acedia_actors::{Actor, Level, Rules, Spawn, Stage, Warning, actor};
    ///
    /// #[derive(Default)]
    /// struct Well { depth: i32 }
    /// impl Actor for Well {
    ///     actor!(Well, "Doc.Well");
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let well = level.spawn::<Well>(Spawn::new()).unwrap();
    /// level.change_or_null(well, |it| it.depth = 12);
    /// assert_eq!(level.value_or_null(well, |it| it.depth), 12);
    /// level.destroy(well);
    /// level.change_or_null(well, |it| it.depth = 13);
    /// assert_eq!(level.value_or_null(well, |it| it.depth), 0);
    /// assert_eq!(level.warnings(), [Warning::AccessedNone, Warning::AccessedNone]);
    /// ```
    #[doc(alias = "Accessed None")]
    fn value_or_null<T: Actor, R: Default>(&mut self, actor: ActorRef<T>, read: impl FnOnce(&T) -> R) -> R {
        if let Some(actor) = self.get(actor) {
            return read(actor);
        }
        self.inner_mut().accessed_no(actor, T::class())
    }

    /// Like [`value_or_null`](Self::value_or_null), but `change` may change the actor. If there is no such actor, `change` is not
    /// called.
    #[doc(alias = "Accessed None")]
    fn change_or_null<T: Actor, R: Default>(&mut self, actor: ActorRef<T>, change: impl FnOnce(&mut T) -> R) -> R {
        if let Some(actor) = self.get_mut(actor) {
            return change(actor);
        }
        self.inner_mut().accessed_no(actor, T::class())
    }

    /// The same reference with the type `T`, if the actor is alive and its class is `T` or a descendant of `T`.
    fn cast<T: Actor>(&self, actor: ActorRef) -> Option<ActorRef<T>> {
        self.get::<T>(actor.typed()).map(|_| actor.typed())
    }

    shared_methods!(stage_methods);

    /// Calls a function on each living actor whose class has the function, the oldest first. Actors that are spawned during the
    /// call are skipped. Returns the number of calls.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Function, Level, Rules, Spawn, Stage, actor};
    ///
    /// static ALARM: Function<Guard, u32> = Function::new("Alarm");
    /// #[derive(Default)]
    /// struct Guard { alarms: u32 }
    /// impl Actor for Guard {
    ///     actor!(Guard, "Doc.Guard");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.function(&ALARM, |cx, alarms| cx.alarms += alarms);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let [first, second] =
    ///     ["East", "West"].map(|tag| level.spawn::<Guard>(Spawn::new().tag(tag)).unwrap());
    /// assert_eq!(level.call_all(&ALARM, 1), 2);
    /// assert_eq!(level.trigger("West", &ALARM, 5), 1);
    /// assert_eq!((level.get(first).unwrap().alarms, level.get(second).unwrap().alarms), (1, 6));
    /// ```
    ///
    /// # Panics
    ///
    /// If a body panics. The function is not called on the remaining actors.
    #[doc(alias = "AllActors")]
    fn call_all<D: Actor, A: Clone + 'static, R: Default + 'static>(
        &mut self,
        function: &'static Function<D, A, R>,
        argument: A,
    ) -> usize
    where
        Self: Sized,
    {
        self.all::<D>().call_each(self.inner_mut(), function, &argument, None)
    }

    /// Like [`call_all`](Self::call_all), but only on the actors with this [tag](Properties::tag).
    ///
    /// # Panics
    ///
    /// As [`call_all`](Self::call_all).
    #[doc(alias = "TriggerEvent")]
    fn trigger<D: Actor, A: Clone + 'static, R: Default + 'static>(
        &mut self,
        tag: impl Into<Name>,
        function: &'static Function<D, A, R>,
        argument: A,
    ) -> usize
    where
        Self: Sized,
    {
        let tag = tag.into();
        self.all::<D>()
            .call_each(self.inner_mut(), function, &argument, Some(tag))
    }

    /// Whether an actor is alive. It may be [about to be destroyed](Self::is_pending_delete).
    fn is_alive<T>(&self, actor: ActorRef<T>) -> bool {
        self.inner().find(actor).is_some()
    }

    /// The name of an actor. A dead actor keeps its name until its slot is reclaimed.
    #[doc(alias = "Name")]
    fn name<T>(&self, actor: ActorRef<T>) -> Option<String> {
        self.inner().name(actor.any())
    }

    /// Like [`properties`](Self::properties), but mutable. The collision world is updated at the actor's next move.
    fn properties_mut<T>(&mut self, actor: ActorRef<T>) -> Option<&mut Properties> {
        let slot = self.inner().find(actor)?;
        Some(self.inner_mut().properties_mut(slot))
    }

    /// Sets the instigator of an actor. If `actor` is dead, logs a warning and returns `false`.
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let [shooter, shot] = [(); 2].map(|()| level.spawn::<Pawn>(Spawn::new()).unwrap());
    /// assert!(level.set_instigator(shot, Some(shooter.any())));
    /// assert_eq!(level.instigator(shot), Some(shooter.any()));
    /// level.destroy(shooter);
    /// assert_eq!(level.instigator(shot), None);
    /// ```
    fn set_instigator<T>(&mut self, actor: ActorRef<T>, instigator: Option<ActorRef>) -> bool {
        self.inner_mut().command(actor, |inner, slot| {
            inner.records[slot].instigator = instigator;
            true
        })
    }

    /// The [number](crate::world::ZoneMap::zone_number) of an actor's zone, or 0 if its zone is the level itself.
    /// `None` if the actor or the zone is dead.
    ///
    /// ```
    /// use acedia_actors::world::BoxZones;
    /// use acedia_actors::{Aabb, Level, Pawn, Rules, Spawn, Stage, Vector, ZoneInfo};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// let [attic, cellar] = [(); 2].map(|()| level.place::<ZoneInfo>(Spawn::new()).unwrap());
    /// let mut zones = BoxZones::default();
    /// let size = Vector::new(100.0, 100.0, 100.0);
    /// zones.add_zone(attic, Aabb::new(Vector::default(), size), 0);
    /// let below = Vector::new(-100.0, -100.0, -100.0);
    /// zones.add_zone(cellar, Aabb::new(below, Vector::default()), 0);
    /// level.set_zones(zones);
    /// level.start();
    /// let mut number_at = |height: f32| {
    ///     let at = Vector::new(height, height, height);
    ///     let rat = level.spawn::<Pawn>(Spawn::new().at(at)).unwrap();
    ///     level.zone_number(rat)
    /// };
    /// assert_eq!([50.0, -50.0, 500.0].map(&mut number_at), [Some(1), Some(2), Some(0)]);
    /// ```
    #[doc(alias = "Region.ZoneNumber")]
    fn zone_number<T>(&self, actor: ActorRef<T>) -> Option<u32> {
        let zone = self.zone(actor)?;
        let inner = self.inner();
        let map = inner.zones.as_ref().filter(|_| !inner.is_level_info(zone));
        Some(map.map_or(0, |map| map.zone_number(zone)))
    }

    /// Whether two actors touch.
    fn is_touching<T, U>(&self, one: ActorRef<T>, other: ActorRef<U>) -> bool {
        let inner = self.inner();
        let other = other.any();
        inner.contact(one.any(), other).is_some()
    }

    /// The actors in the [collision world](crate::world::CollisionWorld) that overlap `shape` at `at`, the oldest first. The
    /// world contains the actors that [collide](Properties::collide_actors), except an actor whose own collision check is
    /// running. If `at` is not finite, the list is empty.
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ClassBuilder, Cylinder, Level, Pawn, Rules, Spawn, Stage, Vector, actor,
    /// };
    ///
    /// #[derive(Default)]
    /// struct Mine;
    /// impl Actor for Mine {
    ///     actor!(Mine, "Doc.Mine");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.defaults(|it| it.collide_actors = true);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let at = |x| Vector::new(x, 0.0, 0.0);
    /// let [near, far] =
    ///     [50.0, 500.0].map(|x| level.spawn::<Mine>(Spawn::new().at(at(x))).unwrap().any());
    /// let blast = |radius| Cylinder { radius, half_height: 100.0 };
    /// assert_eq!(level.overlapping(blast(100.0), Vector::default()), [near]);
    /// assert_eq!(level.overlapping(blast(1000.0), Vector::default()), [near, far]);
    /// ```
    ///
    /// # Cost
    ///
    /// As much as [`CollisionWorld::overlaps`](crate::world::CollisionWorld::overlaps), plus the time to sort its result.
    #[doc(alias = "CollidingActors")]
    fn overlapping(&self, shape: Cylinder, at: Vector) -> Vec<ActorRef> {
        let mut found = Vec::new();
        if at.is_finite() {
            self.inner().overlapping(shape, at, None, &mut found);
        }
        found
    }

    /// The living actors that were placed or spawned, the oldest first. These are all actors except those that the level
    /// creates itself: its [`LevelInfo`](crate::LevelInfo), and under rules with [volumes](crate::Rules::volumes) its default
    /// [`PhysicsVolume`](crate::PhysicsVolume).
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// assert_eq!((level.actors().count(), level.user_actors().count()), (2, 0));
    /// let pawn = level.place::<Pawn>(Spawn::new()).unwrap();
    /// assert!(level.user_actors().eq([pawn.any()]));
    /// ```
    fn user_actors(&self) -> impl Iterator<Item = ActorRef>
    where
        Self: Sized,
    {
        let inner = self.inner();
        let own = [inner.level_info, inner.default_volume];
        self.actors().filter(move |actor| !own.contains(&Some(*actor)))
    }

    /// All living actors, the oldest first.
    #[doc(alias = "AllActors")]
    fn actors(&self) -> impl Iterator<Item = ActorRef>
    where
        Self: Sized,
    {
        let inner = self.inner();
        inner.order.iter().copied().filter(|actor| inner.is_alive(*actor))
    }

    /// A cursor over the actors of a class and its descendants, the oldest first. You can change the level while you use the
    /// cursor.
    ///
    /// A cursor is not an iterator, because an iterator would borrow the level:
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// level.spawn::<Pawn>(Spawn::new());
    /// let mut pawns = level.all::<Pawn>();
    /// while let Some(pawn) = pawns.next(&level) {
    ///     level.destroy(pawn);
    /// }
    /// ```
    ///
    /// If you do not change the level, use [`values`](Self::values).
    #[doc(alias = "AllActors")]
    #[doc(alias = "FindActorInstance")]
    fn all<T: Actor>(&self) -> Cursor<T> {
        Cursor::new(T::class())
    }

    /// The fields of all living actors of a class and its descendants, with references to the actors, the oldest first.
    ///
    /// ```
    /// use acedia_actors::{Actor, Level, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Coin { worth: u32 }
    /// impl Actor for Coin {
    ///     actor!(Coin, "Doc.Coin");
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let [copper, gold] = [1, 100].map(|worth| {
    ///     let coin = level.spawn::<Coin>(Spawn::new()).unwrap();
    ///     level.get_mut(coin).unwrap().worth = worth;
    ///     coin
    /// });
    /// assert_eq!(level.values::<Coin>().map(|(_, coin)| coin.worth).sum::<u32>(), 101);
    /// level.destroy(copper);
    /// assert!(level.values::<Coin>().map(|(coin, _)| coin).eq([gold]));
    /// ```
    #[doc(alias = "AllActors")]
    fn values<T: Actor>(&self) -> impl Iterator<Item = (ActorRef<T>, &T)>
    where
        Self: Sized,
    {
        Values::new(self.inner(), T::class())
    }

    /// Like [`all`](Self::all), but for a class that is known only at run time.
    fn all_of(&self, class: &'static ActorClass) -> Cursor {
        Cursor::new(class)
    }

    /// Whether play has begun. Before that, no event is sent.
    #[doc(alias = "bBegunPlay")]
    fn has_begun(&self) -> bool {
        self.inner().begun
    }

    /// Whether play is being started.
    #[doc(alias = "bStartup")]
    fn is_starting(&self) -> bool {
        self.inner().starting
    }

    /// The level's own actor.
    #[doc(alias = "GetLevelInfo")]
    fn level_info(&self) -> Option<ActorRef> {
        self.inner().level_info
    }

    /// The actor that is the game. `None` if the level has no game, or if the game was destroyed.
    #[doc(alias = "Game")]
    #[doc(alias = "GetGameType")]
    fn game(&self) -> Option<ActorRef> {
        self.inner().living(self.inner().game)
    }

    /// Sets the actor that is the game. With a game, the level asks whether new actors may stay, as
    /// [`Rules::relevancy`](crate::Rules::relevancy) says, but not about the game itself. See the example of
    /// [`add_mutator`](Self::add_mutator).
    fn set_game<T>(&mut self, game: ActorRef<T>) {
        let set = |inner: &mut Inner, _| inner.game = Some(game.any());
        self.inner_mut().command(game, set);
    }

    /// Adds a mutator. While the level has a [game](Self::set_game), the mutator is asked about new actors, after the mutators that
    /// were added before it. Does nothing if the mutator was added already.
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ClassBuilder, GameInfo, Level, Mutator, Rules, Spawn, Stage, Verdict, actor,
    /// };
    ///
    /// #[derive(Default)]
    /// struct Refuser { mutator: Mutator }
    /// impl Actor for Refuser {
    ///     actor!(Refuser, "Doc.Refuser", parent = Mutator, in mutator);
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.check_replacement(|_cx, _actor| Verdict::REMOVE);
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Crate;
    /// impl Actor for Crate {
    ///     actor!(Crate, "Doc.RefusedCrate");
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let game = level.spawn::<GameInfo>(Spawn::new()).unwrap();
    /// let refuser = level.spawn::<Refuser>(Spawn::new()).unwrap();
    /// level.add_mutator(refuser);
    /// assert!(level.spawn::<Crate>(Spawn::new()).is_some()); // there is no game
    /// level.set_game(game);
    /// assert!(level.spawn::<Crate>(Spawn::new()).is_none());
    /// assert_eq!(level.game(), Some(game.any()));
    /// ```
    fn add_mutator<T>(&mut self, mutator: ActorRef<T>) {
        self.inner_mut().command(mutator, Inner::add_mutator);
    }

    /// Adds a notifier. Under rules with [`spawn_notify`](crate::Rules::spawn_notify), it is asked about every spawned actor. A
    /// [`SpawnNotify`](crate::SpawnNotify) adds itself. Does nothing if the notifier was added already.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Pawn, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Herald { announced: u32 }
    /// impl Actor for Herald {
    ///     actor!(Herald, "Doc.Herald");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.spawn_notification(|cx, actor| {
    ///             cx.announced += 1;
    ///             Some(actor) // stays; another actor would replace it
    ///         });
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue1());
    /// level.start();
    /// let herald = level.spawn::<Herald>(Spawn::new()).unwrap();
    /// level.add_notifier(herald);
    /// level.spawn::<Pawn>(Spawn::new());
    /// assert_eq!(level.get(herald).unwrap().announced, 1);
    /// ```
    fn add_notifier<T>(&mut self, notifier: ActorRef<T>) {
        self.inner_mut().command(notifier, Inner::add_notifier);
    }

    /// The options with which play began.
    fn options(&self) -> &str {
        &self.inner().options
    }

    /// The settings of the game.
    fn settings(&self) -> &Settings {
        &self.inner().settings
    }

    /// Like [`settings`](Self::settings), but mutable.
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.inner_mut().settings
    }

    /// The role of `actor` on the machine of the player `viewer`. `None` if the actor is not sent there.
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Role, Rules, Spawn, Stage};
    ///
    /// let mut server = Level::new(Rules::ue2());
    /// server.start();
    /// let [anna, bert] = [(); 2].map(|()| server.spawn::<Pawn>(Spawn::new()).unwrap());
    /// let car = server.spawn::<Pawn>(Spawn::new().owned_by(anna)).unwrap();
    /// // Its owner's machine may move it, ahead of the server.
    /// server.properties_mut(car).unwrap().remote_role = Role::Autonomous;
    /// assert_eq!(server.role_for(car, anna), Some(Role::Autonomous));
    /// assert_eq!(server.role_for(car, bert), Some(Role::Simulated));
    /// ```
    fn role_for<T, U>(&self, actor: ActorRef<T>, viewer: ActorRef<U>) -> Option<Role> {
        self.inner().role_for(actor.any(), viewer.any())
    }

    /// The log of warnings, which keeps the last [`Level::WARNINGS_KEPT`](crate::Level::WARNINGS_KEPT). With the feature
    /// `tracing`, each warning is also an event of the crate `tracing`, with the target `acedia_actors`.
    fn warnings(&self) -> &[Warning] {
        self.inner().log.kept()
    }

    /// The number of warnings that the log has dropped since it was last [taken](Self::take_warnings).
    fn dropped_warnings(&self) -> usize {
        self.inner().log.dropped()
    }

    /// Returns the log of warnings, and empties it.
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage, Vector, Warning};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// assert!(level.spawn::<Pawn>(Spawn::new().at(Vector::new(f32::NAN, 0.0, 0.0))).is_none());
    /// assert!(matches!(level.warnings(), [Warning::NotFinite(_)]));
    /// assert_eq!((level.take_warnings().len(), level.dropped_warnings()), (1, 0));
    /// assert!(level.warnings().is_empty());
    /// ```
    fn take_warnings(&mut self) -> Vec<Warning> {
        self.inner_mut().log.take()
    }
}

impl<S: Stage> Stage for &mut S {}

impl<T> Cursor<T> {
    /// The next living actor of the class or of a descendant. Pass the same level each time. In another level, the cursor
    /// continues with the actors that are younger than the last one.
    #[allow(clippy::should_implement_trait, reason = "an iterator would borrow the level")]
    pub fn next(&mut self, stage: &impl Stage) -> Option<ActorRef<T>> {
        self.step(stage.inner())
    }
}
