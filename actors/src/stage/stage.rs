//! [`Stage`]: the operations on actors.

use super::access::Access;
use super::cursor::Cursor;
use crate::class::actor::Actor;
use crate::class::actor_class::ActorClass;
use crate::class::function::Function;
use crate::class::request::{AnyClass, Spawn, SpawnEx};
use crate::sequence::destroy::By;
use crate::sequence::timers::target_of;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::waits::TimerTarget;
use crate::store::warning::{SpawnError, Warning};
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Cylinder, Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::{Properties, Role};
use crate::value::settings::Settings;
use crate::value::timer::{Repeat, Timer};

/// The operations on actors, from outside ([`Level`](crate::Level)) and in handlers ([`Others`](crate::Others)).
///
/// A reference that resolves to `None` is not an error. A question returns `None`. A command does nothing, returns `false`,
/// and logs a [warning](Warning::AccessedNone), as the engine does when a script accesses none.
///
/// | To | Call |
/// |---|---|
/// | spawn and destroy | [`spawn`](Self::spawn), [`try_spawn`](Self::try_spawn), [`spawn_of`](Self::spawn_of), [`spawn_by_name`](Self::spawn_by_name), [`spawn_ex`](Self::spawn_ex), [`destroy`](Self::destroy) |
/// | read and change an actor | [`get`](Self::get), [`get_mut`](Self::get_mut), [`value_or_null`](Self::value_or_null), [`change_or_null`](Self::change_or_null), [`properties_mut`](Self::properties_mut), [`cast`](Self::cast) |
/// | ask about it | [`is_alive`](Self::is_alive), [`class`](Self::class), [`name`](Self::name), [`is_pending_delete`](Self::is_pending_delete), [`is_script_initialized`](Self::is_script_initialized) |
/// | call functions | [`call`](Self::call), [`call_all`](Self::call_all), [`trigger`](Self::trigger) |
/// | change states | [`goto_state`](Self::goto_state), [`force_state`](Self::force_state), [`push_state`](Self::push_state), [`pop_state`](Self::pop_state), [`goto_label`](Self::goto_label) |
/// | set timers | [`set_timer`](Self::set_timer), [`set_timer_of`](Self::set_timer_of), [`pause_timer`](Self::pause_timer), [`timer`](Self::timer), [`clear_timers`](Self::clear_timers) |
/// | tie actors | [`set_owner`](Self::set_owner), [`children`](Self::children), [`set_base`](Self::set_base), [`attached`](Self::attached), [`set_instigator`](Self::set_instigator) |
/// | place them | [`location`](Self::location), [`set_location`](Self::set_location), [`rotation`](Self::rotation), [`zone`](Self::zone), [`volume`](Self::volume), [`touching`](Self::touching), [`overlapping`](Self::overlapping) |
/// | visit them | [`actors`](Self::actors), [`all`](Self::all), [`all_of`](Self::all_of), [`user_actors`](Self::user_actors) |
/// | know the level | [`has_begun`](Self::has_begun), [`level_info`](Self::level_info), [`game`](Self::game), [`set_game`](Self::set_game), [`add_mutator`](Self::add_mutator), [`options`](Self::options), [`settings`](Self::settings) |
/// | see what was refused | [`warnings`](Self::warnings), [`take_warnings`](Self::take_warnings) |
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
    /// Spawns an actor. Its whole sequence runs before this returns. `None` if it fails; the log may say why.
    ///
    /// By rules with [`spawn_notify`](crate::Rules::spawn_notify), those of the first generation, the actor may be no
    /// `T`: see [`try_spawn`](Self::try_spawn).
    ///
    /// # Panics
    ///
    /// If a handler in the sequence does, of any actor. No caller gets the new actor, so it is
    /// [destroyed](Self::destroy) first, with all events; then the panic goes on. The same holds for all other ways to
    /// spawn.
    #[doc(alias = "Spawn")]
    fn spawn<T: Actor>(&mut self, spawn: Spawn) -> Option<ActorRef<T>> {
        self.try_spawn(spawn).ok()
    }

    /// As [`spawn`](Self::spawn), with the reason of a failure.
    ///
    /// By rules with [`spawn_notify`](crate::Rules::spawn_notify), a [`SpawnNotify`](crate::SpawnNotify) may exchange
    /// the actor for another one, of any class, as in the engine. The reference then refers to that one, and
    /// [`get`](Self::get) is `None` unless it is a `T`. Ask for its [`class`](Self::class), or [`cast`](Self::cast) the
    /// reference:
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
    /// A check failed, the actor was destroyed in its spawn, or a notifier exchanged it for none.
    fn try_spawn<T: Actor>(&mut self, spawn: Spawn) -> Result<ActorRef<T>, SpawnError> {
        let spawned = self.inner_mut().spawn(AnyClass::Actor(T::class()), None, spawn);
        spawned.map(ActorRef::typed)
    }

    /// As [`try_spawn`](Self::try_spawn), of a class that is known at run time only.
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
    /// As there.
    #[doc(alias = "Spawn")]
    fn spawn_of(&mut self, class: impl Into<AnyClass>, spawn: Spawn) -> Result<ActorRef, SpawnError>
    where
        Self: Sized,
    {
        self.inner_mut().spawn(class.into(), None, spawn)
    }

    /// As [`try_spawn`](Self::try_spawn), of the class with this [name](crate::load_actor_class).
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
    ///     "spawn failed: no class of actors is named `Engine.Pown` \
    ///      (did you mean `Engine.Pawn`?)"
    /// );
    /// let sentence =
    ///     "spawn failed because class Engine.Actor is abstract; spawn a class below it";
    /// assert_eq!(error(&mut level, "Engine.Actor"), sentence);
    /// assert_eq!(
    ///     error(&mut level, "Acedia.NativeActorRef"),
    ///     "spawn failed because Acedia.NativeActorRef is not an actor class"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// As [`try_spawn`](Self::try_spawn), and if no class has the name, or several have it.
    fn spawn_by_name(&mut self, name: &str, spawn: Spawn) -> Result<ActorRef, SpawnError> {
        let class = self.inner_mut().class_named(name)?;
        self.inner_mut().spawn(class, None, spawn)
    }

    /// The engine's own function, with all its parameters; for a class that is known at run time only.
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
    #[doc(alias = "SpawnActor")]
    fn spawn_ex(&mut self, class: Option<AnyClass>, request: &SpawnEx) -> Result<ActorRef, SpawnError> {
        self.inner_mut().spawn_ex(class, request)
    }

    /// Destroys an actor. Its whole sequence runs before this returns; then every reference resolves to `None`.
    ///
    /// `false` if that is not possible: there is no such actor (a warning), it is static or can't be deleted, this is a
    /// client without authority over it, or it has a player, whose connection then starts to close.
    ///
    /// # Panics
    ///
    /// If a handler in the sequence does. First all other events are sent and the actor dies; then the first panic goes
    /// on.
    #[doc(alias = "Destroy")]
    fn destroy<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner_mut().destroy(actor, By::Script)
    }

    /// An actor, if it is alive and of that class or below it.
    #[inline]
    fn get<T: Actor>(&self, actor: ActorRef<T>) -> Option<&T> {
        let inner = self.inner();
        inner.part(inner.find(actor)?)
    }

    /// As [`get`](Self::get), to change.
    #[inline]
    fn get_mut<T: Actor>(&mut self, actor: ActorRef<T>) -> Option<&mut T> {
        let slot = self.inner().find(actor)?;
        self.inner_mut().part_mut(slot)
    }

    /// The result of `read` for an actor; if there is none, a warning and the null value.
    ///
    /// If the reference refers to a living actor of another class, the warning is
    /// [`OtherClass`](Warning::OtherClass): a notifier may have exchanged it. Otherwise
    /// [`AccessedNone`](Warning::AccessedNone).
    ///
    /// This is how a script reads. To learn whether there is an actor, use [`get`](Self::get).
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

    /// As [`value_or_null`](Self::value_or_null), to write or to call. If there is no actor: a warning and the null
    /// value, and `change` is not called; its captures have been evaluated.
    #[doc(alias = "Accessed None")]
    fn change_or_null<T: Actor, R: Default>(&mut self, actor: ActorRef<T>, change: impl FnOnce(&mut T) -> R) -> R {
        if let Some(actor) = self.get_mut(actor) {
            return change(actor);
        }
        self.inner_mut().accessed_no(actor, T::class())
    }

    /// The reference with a type, if the actor is alive and of that class or below it.
    fn cast<T: Actor>(&self, actor: ActorRef) -> Option<ActorRef<T>> {
        self.get::<T>(actor.typed()).map(|_| actor.typed())
    }

    /// Calls a function of an actor. If it is dead: a warning and the null value.
    ///
    /// If the actor's state ignores the function, the result is the null value. If its class does not have the function: that and
    /// a [warning](Warning::NoFunction). Before play no function runs. The example is at [`Function`].
    ///
    /// # Panics
    ///
    /// If the body does.
    ///
    /// # Cost
    ///
    /// A look-up in the table of class and state, and a call through one pointer.
    fn call<U, D, A: 'static, R: Default + 'static>(
        &mut self,
        actor: ActorRef<U>,
        function: &'static Function<D, A, R>,
        argument: A,
    ) -> R {
        let me = actor.any();
        self.inner_mut()
            .command(actor, |inner, slot| inner.call(slot, me, function, argument))
    }

    /// Calls a function of each living actor of its class or a child class, the oldest first. Actors that are spawned
    /// during the call are left out. Returns the number of calls.
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
    /// If a body does. The remaining actors are not called.
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

    /// As [`call_all`](Self::call_all), of the actors with this [tag](Properties::tag).
    ///
    /// # Panics
    ///
    /// As there.
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

    /// Whether an actor has set its initial state. By rules with
    /// [`script_initialized`](crate::Rules::script_initialized), the start of play then skips it.
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// let placed = level.place::<Pawn>(Spawn::new()).unwrap();
    /// assert!(!level.is_script_initialized(placed));
    /// level.start();
    /// assert!(level.is_script_initialized(placed));
    /// ```
    #[doc(alias = "bScriptInitialized")]
    fn is_script_initialized<T>(&self, actor: ActorRef<T>) -> bool {
        let inner = self.inner();
        let head = inner.head(actor);
        head.is_some_and(|head| head.is(Fact::ScriptInitialized))
    }

    /// Whether an actor is alive. It may be [about to be destroyed](Self::is_pending_delete).
    fn is_alive<T>(&self, actor: ActorRef<T>) -> bool {
        self.inner().find(actor).is_some()
    }

    /// Whether an actor's destruction has begun.
    #[doc(alias = "bPendingDelete")]
    fn is_pending_delete<T>(&self, actor: ActorRef<T>) -> bool {
        let inner = self.inner();
        inner
            .find(actor)
            .is_some_and(|slot| inner.heads[slot].is(Fact::Pending))
    }

    /// The class of an actor.
    fn class<T>(&self, actor: ActorRef<T>) -> Option<&'static ActorClass> {
        let inner = self.inner();
        inner.find(actor).map(|slot| inner.heads[slot].class())
    }

    /// The name of an actor; also of a dead one, until it is reclaimed.
    #[doc(alias = "Name")]
    fn name<T>(&self, actor: ActorRef<T>) -> Option<String> {
        self.inner().name(actor.any())
    }

    /// The engine's fields of an actor.
    fn properties<T>(&self, actor: ActorRef<T>) -> Option<&Properties> {
        let inner = self.inner();
        inner.find(actor).map(|slot| inner.properties(slot))
    }

    /// As [`properties`](Self::properties), to change. A change does not reach the collision world.
    fn properties_mut<T>(&mut self, actor: ActorRef<T>) -> Option<&mut Properties> {
        let slot = self.inner().find(actor)?;
        Some(self.inner_mut().properties_mut(slot))
    }

    /// The state of an actor; none, if it is in no state.
    fn state<T>(&self, actor: ActorRef<T>) -> Name {
        let inner = self.inner();
        inner.find(actor).map_or(Name::NONE, |slot| inner.state_name(slot))
    }

    /// Changes the state of an actor: `end_state` in the old one, `begin_state` in the new one, both before this
    /// returns.
    ///
    /// Nothing happens if the actor is in that state, is dead, has no states yet, or its class lacks the state (a
    /// warning). No name leaves all states.
    #[doc(alias = "GotoState")]
    fn goto_state<T>(&mut self, actor: ActorRef<T>, state: impl Into<Name>) {
        let state = state.into();
        self.inner_mut()
            .command(actor, |inner, slot| inner.goto_state(slot, state));
    }

    /// As [`goto_state`](Self::goto_state), but sends both events even if the actor is in that state. By rules without
    /// [`forced_states`](crate::Rules::forced_states) there is no difference.
    #[doc(alias = "GotoState")]
    #[doc(alias = "bForceEvents")]
    fn force_state<T>(&mut self, actor: ActorRef<T>, state: impl Into<Name>) {
        let state = state.into();
        self.inner_mut()
            .command(actor, |inner, slot| inner.force_state(slot, state));
    }

    /// As [`goto_state`](Self::goto_state), to a label of the state's [code](crate::CodeBuilder). In that state
    /// already, only its code goes on at the label, without events. A label that does not exist ends the code, with a
    /// [warning](Warning::UnknownLabel).
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Name, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Door { opened: u32, closed: u32 }
    /// impl Actor for Door {
    ///     actor!(Door, "Doc.Door");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.state("Moving").code(|code| {
    ///             code.run(|cx| cx.opened += 1).sleep(4.0);
    ///             code.label("Close").run(|cx| cx.closed += 1);
    ///         });
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let door = level.spawn::<Door>(Spawn::new()).unwrap();
    /// level.goto_label(door, "Moving", "Close");
    /// level.tick(0.1);
    /// assert_eq!((level.get(door).unwrap().opened, level.get(door).unwrap().closed), (0, 1));
    /// ```
    #[doc(alias = "GotoState")]
    fn goto_label<T>(&mut self, actor: ActorRef<T>, state: impl Into<Name>, label: impl Into<Name>)
    where
        Self: Sized,
    {
        let (state, label) = (state.into(), label.into());
        self.inner_mut()
            .command(actor, |inner, slot| inner.goto_label(slot, state, label));
    }

    /// Sets the timer of the event `timer` anew, from zero. Zero seconds, or none that are positive and finite, clear it. Returns
    /// whether it runs.
    ///
    /// Timers go on in an actor's frame, behind its `tick` and the code of its state. So one that is set in a `tick` counts
    /// that frame's seconds; one that is set by a timer begins in the next frame. A looping timer that has run out several times in
    /// a frame is sent so many events, at most 100. An actor that does not tick has no running timers. They end with their actor.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Repeat, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Clock { ticks: u32 }
    /// impl Actor for Clock {
    ///     actor!(Clock, "Doc.Clock");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.post_begin_play(|cx| _ = cx.set_timer(0.5, Repeat::Looping));
    ///         class.timer(|cx| cx.ticks += 1);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
    /// level.tick(0.75);
    /// assert_eq!(level.get(clock).unwrap().ticks, 1);
    /// let timer = level.timer(clock).unwrap();
    /// assert_eq!((timer.rate, timer.count, timer.repeat), (0.5, 0.25, Repeat::Looping));
    /// level.tick(1.25);
    /// assert_eq!(level.get(clock).unwrap().ticks, 4);
    /// assert!(!level.set_timer(clock, 0.0, Repeat::Once) && level.timer(clock).is_none());
    /// ```
    #[doc(alias = "SetTimer")]
    fn set_timer<T>(&mut self, actor: ActorRef<T>, seconds: f32, repeat: Repeat) -> bool {
        self.inner_mut().command(actor, |inner, slot| {
            inner.set_timer(slot, TimerTarget::Event, seconds, repeat)
        })
    }

    /// As [`set_timer`](Self::set_timer), with a function that is called instead of the event; one timer for each function. By
    /// rules without [`named_timers`](crate::Rules::named_timers), `false`.
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ClassBuilder, Function, Level, Repeat, Rules, Spawn, Stage, actor,
    /// };
    ///
    /// static BEEP: Function<Bomb> = Function::new("Beep");
    /// static EXPLODE: Function<Bomb> = Function::new("Explode");
    /// #[derive(Default)]
    /// struct Bomb { beeps: u32 }
    /// impl Actor for Bomb {
    ///     actor!(Bomb, "Doc.Bomb");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.function(&BEEP, |cx, ()| cx.beeps += 1);
    ///         class.function(&EXPLODE, |cx, ()| _ = cx.destroy());
    ///         class.post_begin_play(|cx| {
    ///             cx.set_timer_of(&BEEP, 0.25, Repeat::Looping);
    ///             cx.set_timer_of(&EXPLODE, 1.0, Repeat::Once);
    ///         });
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue3());
    /// level.start();
    /// let bomb = level.spawn::<Bomb>(Spawn::new()).unwrap();
    /// level.tick(0.75);
    /// assert_eq!(level.get(bomb).unwrap().beeps, 3);
    /// assert!(level.pause_timer_of(bomb, &EXPLODE, true));
    /// level.tick(0.5);
    /// assert_eq!(
    ///     (level.get(bomb).unwrap().beeps, level.timer_of(bomb, &EXPLODE).unwrap().count),
    ///     (5, 0.75)
    /// );
    /// level.pause_timer_of(bomb, &EXPLODE, false);
    /// level.tick(0.5);
    /// assert!(!level.is_alive(bomb));
    /// ```
    #[doc(alias = "SetTimer")]
    #[doc(alias = "ClearTimer")]
    fn set_timer_of<T, D>(
        &mut self,
        actor: ActorRef<T>,
        function: &'static Function<D>,
        seconds: f32,
        repeat: Repeat,
    ) -> bool {
        self.inner_mut()
            .command(actor, |inner, slot| inner.set_timer_of(slot, function, seconds, repeat))
    }

    /// Clears all timers of an actor, those of functions too. A dead actor gives a warning.
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Repeat, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
    /// level.set_timer(pawn, 1.0, Repeat::Once);
    /// level.clear_timers(pawn);
    /// assert!(!level.pause_timer(pawn, true)); // there is no timer any more
    /// ```
    #[doc(alias = "ClearAllTimers")]
    fn clear_timers<T>(&mut self, actor: ActorRef<T>) {
        self.inner_mut().command(actor, Inner::clear_timers);
    }

    /// Pauses an actor's timer of the event `timer`, or resumes it. `false` if there is none.
    #[doc(alias = "PauseTimer")]
    fn pause_timer<T>(&mut self, actor: ActorRef<T>, is_paused: bool) -> bool {
        self.inner_mut().command(actor, |inner, slot| {
            inner.pause_timer(slot, TimerTarget::Event, is_paused)
        })
    }

    /// As [`pause_timer`](Self::pause_timer), of a function's timer.
    #[doc(alias = "PauseTimer")]
    fn pause_timer_of<T, D>(&mut self, actor: ActorRef<T>, function: &'static Function<D>, is_paused: bool) -> bool {
        self.inner_mut().command(actor, |inner, slot| {
            inner.pause_timer(slot, target_of(function), is_paused)
        })
    }

    /// An actor's timer of the event `timer`, if it runs.
    #[doc(alias = "IsTimerActive")]
    #[doc(alias = "GetTimerRate")]
    #[doc(alias = "GetTimerCount")]
    fn timer<T>(&self, actor: ActorRef<T>) -> Option<Timer> {
        let inner = self.inner();
        inner.timer(inner.find(actor)?, TimerTarget::Event)
    }

    /// An actor's timer of a function, if it runs.
    #[doc(alias = "IsTimerActive")]
    #[doc(alias = "GetTimerRate")]
    #[doc(alias = "GetTimerCount")]
    fn timer_of<T, D>(&self, actor: ActorRef<T>, function: &'static Function<D>) -> Option<Timer> {
        let inner = self.inner();
        inner.timer(inner.find(actor)?, target_of(function))
    }

    /// Pushes a state on top of the actor's state: `paused_state` in the old one, `pushed_state` in the new one. The
    /// states below are kept until they are [popped](Self::pop_state), or [`goto_state`](Self::goto_state) forgets
    /// them.
    ///
    /// `false`, and no event, if the actor is dead, has no states yet or no such state (a warning), is in that state or
    /// has it below, or by rules without [`state_stack`](crate::Rules::state_stack).
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Name, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Guard;
    /// impl Actor for Guard {
    ///     actor!(Guard, "Doc.Guard");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.state("Patrolling").auto();
    ///         class.state("Stunned");
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue3());
    /// level.start();
    /// let guard = level.spawn::<Guard>(Spawn::new()).unwrap();
    /// assert!(level.push_state(guard, "Stunned"));
    /// assert_eq!(level.paused_states(guard), [Name::new("Patrolling")]);
    /// assert!(level.pop_state(guard));
    /// assert_eq!(level.state(guard), Name::new("Patrolling"));
    /// assert!(!level.pop_state(guard), "there is nothing below");
    /// ```
    #[doc(alias = "PushState")]
    fn push_state<T>(&mut self, actor: ActorRef<T>, state: impl Into<Name>) -> bool {
        let state = state.into();
        self.inner_mut()
            .command(actor, |inner, slot| inner.push_state(slot, state))
    }

    /// Pops the uppermost state: `popped_state` in it, `continued_state` in the one below. `false`, and no event, if
    /// there is none below.
    #[doc(alias = "PopState")]
    fn pop_state<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner_mut().command(actor, Inner::pop_state)
    }

    /// As [`pop_state`](Self::pop_state), down to the lowest state; only that one is sent `continued_state`.
    #[doc(alias = "PopState")]
    #[doc(alias = "bPopAll")]
    fn pop_all_states<T>(&mut self, actor: ActorRef<T>) -> bool {
        self.inner_mut().command(actor, Inner::pop_all_states)
    }

    /// The states below an actor's state, the uppermost first; no name stands for no state.
    #[doc(alias = "DumpStateStack")]
    fn paused_states<T>(&self, actor: ActorRef<T>) -> Vec<Name> {
        let inner = self.inner();
        inner
            .find(actor)
            .map_or_else(Vec::new, |slot| inner.paused_states(slot))
    }

    /// The owner of an actor.
    fn owner<T>(&self, actor: ActorRef<T>) -> Option<ActorRef> {
        let inner = self.inner();
        inner.living(inner.heads[inner.find(actor)?].owner)
    }

    /// Changes the owner: `lost_child` on the old one, `gained_child` on the new one. `false`, and no event, if that
    /// changes nothing or would make an actor own itself.
    #[doc(alias = "SetOwner")]
    fn set_owner<T>(&mut self, actor: ActorRef<T>, owner: Option<ActorRef>) -> bool {
        self.inner_mut()
            .command(actor, |inner, _| inner.set_owner(actor.any(), owner))
    }

    /// The actors that one owns, by age. A copy, so the level may change while you go through it.
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let tank = level.spawn::<Pawn>(Spawn::new()).unwrap();
    /// let crew =
    ///     [0; 2].map(|_| level.spawn::<Pawn>(Spawn::new().owned_by(tank)).unwrap().any());
    /// assert_eq!(level.children(tank), crew);
    /// for member in level.children(tank) {
    ///     level.destroy(member);
    /// }
    /// assert!(level.children(tank).is_empty());
    /// ```
    ///
    /// # Cost
    ///
    /// Looks at each actor of the level.
    #[doc(alias = "ChildActors")]
    fn children<T>(&self, actor: ActorRef<T>) -> Vec<ActorRef> {
        self.inner().children(actor.any())
    }

    /// The base of an actor.
    fn base<T>(&self, actor: ActorRef<T>) -> Option<ActorRef> {
        self.inner().base_of(actor.any())
    }

    /// The actors based on one, in the order in which they came; on the level's own actor, by age. A copy, so the level
    /// may change while you go through it.
    ///
    /// ```
    /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let [lift, first, second] =
    ///     [0; 3].map(|_| level.spawn::<Pawn>(Spawn::new()).unwrap().any());
    /// assert!(level.set_base(second, Some(lift)) && level.set_base(first, Some(lift)));
    /// assert_eq!(level.attached(lift), [second, first]);
    /// assert!(level.attached(first).is_empty());
    /// ```
    ///
    /// # Cost
    ///
    /// A copy of a list that is kept; of the level's own actor, a look at each actor.
    #[doc(alias = "Attached")]
    #[doc(alias = "BasedActors")]
    fn attached<T>(&self, actor: ActorRef<T>) -> Vec<ActorRef> {
        let inner = self.inner();
        inner.find(actor).map_or_else(Vec::new, |_| inner.riders(actor.any()))
    }

    /// Changes the base: `detach` on the old one, `attach` on the new one, `base_change` on the actor. `false`, and no
    /// event, if that changes nothing or would make an actor stand on itself.
    #[doc(alias = "SetBase")]
    fn set_base<T>(&mut self, actor: ActorRef<T>, base: Option<ActorRef>) -> bool {
        self.inner_mut()
            .command(actor, |inner, _| inner.set_base("1.11", actor.any(), base))
    }

    /// The instigator of an actor: the actor that is responsible for it. `None` if there is none, or either is dead.
    fn instigator<T>(&self, actor: ActorRef<T>) -> Option<ActorRef> {
        let inner = self.inner();
        inner.living(inner.records[inner.find(actor)?].instigator)
    }

    /// Sets the instigator of an actor. `false`, with a warning, if `actor` is dead.
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

    /// The zone of an actor; the level's own actor, if it is in no other.
    #[doc(alias = "Region")]
    fn zone<T>(&self, actor: ActorRef<T>) -> Option<ActorRef> {
        let inner = self.inner();
        inner.living(inner.records[inner.find(actor)?].zone)
    }

    /// The [number](crate::world::ZoneMap::zone_number) of an actor's zone, or 0 if its zone is the level itself.
    /// `None` if the actor or the zone is dead.
    #[doc(alias = "Region.ZoneNumber")]
    fn zone_number<T>(&self, actor: ActorRef<T>) -> Option<u32> {
        let zone = self.zone(actor)?;
        let inner = self.inner();
        let map = inner.zones.as_ref().filter(|_| !inner.is_level_info(zone));
        Some(map.map_or(0, |map| map.zone_number(zone)))
    }

    /// The physics volume of an actor.
    fn volume<T>(&self, actor: ActorRef<T>) -> Option<ActorRef> {
        let inner = self.inner();
        inner.living(inner.records[inner.find(actor)?].volume)
    }

    /// The location of an actor.
    fn location<T>(&self, actor: ActorRef<T>) -> Option<Vector> {
        let inner = self.inner();
        inner.find(actor).map(|slot| inner.records[slot].location)
    }

    /// The rotation of an actor.
    fn rotation<T>(&self, actor: ActorRef<T>) -> Option<Rotator> {
        let inner = self.inner();
        inner.find(actor).map(|slot| inner.records[slot].rotation)
    }

    /// Moves an actor, without collisions on the way, with the events of touches and zones. `false` if it is dead or
    /// the place is not finite.
    #[doc(alias = "SetLocation")]
    fn set_location<T>(&mut self, actor: ActorRef<T>, location: Vector) -> bool {
        self.inner_mut()
            .command(actor, |inner, _| inner.set_location(actor.any(), location))
    }

    /// Whether two actors touch.
    fn is_touching<T, U>(&self, one: ActorRef<T>, other: ActorRef<U>) -> bool {
        let inner = self.inner();
        let other = other.any();
        inner.contact(one.any(), other).is_some()
    }

    /// The actors that one touches, in the order in which the contacts began. A copy, so the level may change while you
    /// go through it.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Rules, Spawn, Stage, Vector, actor};
    ///
    /// #[derive(Default)]
    /// struct Barrel;
    /// impl Actor for Barrel {
    ///     actor!(Barrel, "Doc.Barrel");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.defaults(|it| it.collide_actors = true);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let [first, second, third] =
    ///     [0; 3].map(|_| level.spawn::<Barrel>(Spawn::new()).unwrap().any());
    /// assert_eq!(level.touching(third), [first, second]);
    /// level.set_location(first, Vector::new(1000.0, 0.0, 0.0));
    /// assert_eq!(level.touching(third), [second]);
    /// ```
    ///
    /// # Cost
    ///
    /// A copy of a list that is kept.
    #[doc(alias = "Touching")]
    #[doc(alias = "TouchingActors")]
    fn touching<T>(&self, actor: ActorRef<T>) -> Vec<ActorRef> {
        self.inner().living_touched(actor.any())
    }

    /// The actors in the [collision world](crate::world::CollisionWorld) that overlap `shape` at `at`, by age. The
    /// world has the actors that [collide](Properties::collide_actors), except one whose own collision check is
    /// running. None, if the place is not finite.
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
    /// As [`CollisionWorld::overlaps`](crate::world::CollisionWorld::overlaps), plus sorting its result.
    #[doc(alias = "CollidingActors")]
    fn overlapping(&self, shape: Cylinder, at: Vector) -> Vec<ActorRef> {
        if at.is_finite() {
            self.inner().overlapping(shape, at)
        } else {
            Vec::new()
        }
    }

    /// The living actors that were placed or spawned, by age: all but the level's own two, its
    /// [`LevelInfo`](crate::LevelInfo) and, by rules with [volumes](crate::Rules::volumes), its default
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

    /// The living actors, by age, the level's own two among them: [`user_actors`](Self::user_actors) leaves these out.
    #[doc(alias = "AllActors")]
    fn actors(&self) -> impl Iterator<Item = ActorRef>
    where
        Self: Sized,
    {
        let inner = self.inner();
        inner.order.iter().copied().filter(|actor| inner.is_alive(*actor))
    }

    /// A cursor over the actors of a class and below it, by age. The level may change meanwhile.
    ///
    /// No iterator, because an iterator would borrow the level, which could not be changed meanwhile:
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
    /// To look only, filter the iterator [`actors`](Self::actors): `level.actors().filter_map(|it|
    /// level.cast::<Pawn>(it))`.
    #[doc(alias = "AllActors")]
    fn all<T: Actor>(&self) -> Cursor<T> {
        Cursor::new(T::class())
    }

    /// As [`all`](Self::all), of a class that is only known at run time.
    fn all_of(&self, class: &'static ActorClass) -> Cursor {
        Cursor::new(class)
    }

    /// Whether play has begun: before that, no event is sent.
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
    fn level_info(&self) -> Option<ActorRef> {
        self.inner().level_info
    }

    /// The actor that is the game. `None` if the level has no game, or it was destroyed.
    #[doc(alias = "Game")]
    fn game(&self) -> Option<ActorRef> {
        self.inner().living(self.inner().game)
    }

    /// Sets the actor that is the game. Mutators are not asked about a game, and it is asked about other actors.
    fn set_game<T>(&mut self, game: ActorRef<T>) {
        let set = |inner: &mut Inner, _| inner.game = Some(game.any());
        self.inner_mut().command(game, set);
    }

    /// Adds a mutator, which is asked about every new actor, after the mutators before it. Nothing happens if it was
    /// added already.
    fn add_mutator<T>(&mut self, mutator: ActorRef<T>) {
        self.inner_mut().command(mutator, Inner::add_mutator);
    }

    /// Adds a notifier, which is asked about every spawned actor. A [`SpawnNotify`](crate::SpawnNotify) adds itself.
    /// Nothing happens if it was added already.
    fn add_notifier<T>(&mut self, notifier: ActorRef<T>) {
        self.inner_mut().command(notifier, Inner::add_notifier);
    }

    /// The options that play began with.
    fn options(&self) -> &str {
        &self.inner().options
    }

    /// The settings of the game.
    fn settings(&self) -> &Settings {
        &self.inner().settings
    }

    /// As [`settings`](Self::settings), to change.
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.inner_mut().settings
    }

    /// The role of `actor` on the machine of `viewer`; `None` if it is not sent there.
    fn role_for<T, U>(&self, actor: ActorRef<T>, viewer: ActorRef<U>) -> Option<Role> {
        self.inner().role_for(actor.any(), viewer.any())
    }

    /// The log: the last warnings, at most [`Level::WARNINGS_KEPT`](crate::Level::WARNINGS_KEPT). With the feature
    /// `tracing`, each is also an event of that crate, with the target `acedia_actors`.
    fn warnings(&self) -> &[Warning] {
        self.inner().log.kept()
    }

    /// The number of warnings that the log has dropped since it was last [taken](Self::take_warnings).
    fn dropped_warnings(&self) -> usize {
        self.inner().log.dropped()
    }

    /// Takes the log, and leaves it empty.
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

impl<T> Cursor<T> {
    /// The next living actor of the class or below it. Must be given the same level each time; in another one it goes
    /// through those that are younger than the last.
    #[allow(clippy::should_implement_trait, reason = "an iterator would borrow the level")]
    pub fn next(&mut self, stage: &impl Stage) -> Option<ActorRef<T>> {
        self.step(stage.inner())
    }
}
