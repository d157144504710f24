//! [`Cx`]: the context of a handler.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::inherited::{Bodies, Inherited, Running};
use super::others::Others;
use super::shared::{cx_methods, shared_methods};
#[cfg(doc)]
use super::stage::Stage;
use crate::class::actor::Actor;
use crate::class::actor_class::ActorClass;
use crate::class::function::Function;
use crate::class::request::Spawn;
use crate::sequence::destroy::By;
use crate::sequence::timers::target_of;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::waits::TimerTarget;
use crate::store::warning::SpawnError;
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::Properties;
use crate::value::timer::{Repeat, Timer};

/// The context of a handler: the actor that it runs for.
///
/// A context dereferences to the actor's own fields. The field [`others`](Self#structfield.others) gives access to all other
/// actors. A spawn or a destruction runs its whole sequence before the call returns. Handlers in that sequence may do anything,
/// even to this actor.
///
/// A method of the context is the counterpart of a call on `Self` in UnrealScript. It works until the handler returns, even if
/// the actor has been destroyed, so [`location`](Self::location) and [`class`](Self::class) return no `Option`. A method of
/// [`Stage`] takes a reference, which can be [`me`](Self::me). Once the actor is destroyed, that method fails as for any dead
/// actor.
///
/// | To | Call |
/// |---|---|
/// | identify the actor | [`me`](Self::me), [`name`](Self::name), [`owner`](Self::owner), [`state`](Self::state), [`properties`](Self::properties) |
/// | spawn and destroy | [`spawn`](Self::spawn), [`try_spawn`](Self::try_spawn), [`spawn_of`](Self::spawn_of), [`spawn_by_name`](Self::spawn_by_name), [`destroy`](Self::destroy) |
/// | call functions and inherited bodies | [`call`](Self::call), [`inherited`](Self::inherited), [`inherited_from`](Self::inherited_from), [`global`](Self::global) |
/// | access other actors | [`others`](Self#structfield.others), [`children`](Self::children), [`touching`](Self::touching) |
/// | move the actor; set its base and owner | [`set_location`](Self::set_location), [`set_base`](Self::set_base), [`set_owner`](Self::set_owner) |
/// | change states | [`goto_state`](Self::goto_state), [`push_state`](Self::push_state), [`pop_state`](Self::pop_state), [`goto_label`](Self::goto_label) |
/// | set timers | [`set_timer`](Self::set_timer), [`set_timer_of`](Self::set_timer_of), [`clear_timers`](Self::clear_timers), [`timer`](Self::timer) |
/// | access the fields of a parent class | [`part`](Self::part), [`part_mut`](Self::part_mut) |
///
/// The first access to a field of the actor takes about 25 instructions to find the actor. Each later access takes 8. For many
/// fields, borrow it once: `let it: &mut Self = cx;`.
///
/// A borrow of a field must end before the next call on the context. So no borrow of an actor is alive while other handlers run:
///
/// ```compile_fail
/// # use acedia_actors::{Actor, ClassBuilder, actor};
/// # #[derive(Default)]
/// # struct Barrel { health: i32 }
/// # impl Actor for Barrel {
/// #     actor!(Barrel, "Doc.Barrel");
/// #     fn describe(class: &mut ClassBuilder<'_, Self>) {
/// class.post_begin_play(|cx| {
///     let health = &mut cx.health;
///     cx.destroy();
///     *health = 1;
/// });
/// #     }
/// # }
/// ```
///
/// ```
/// use acedia_actors::{
///     Actor, ActorRef, ClassBuilder, Level, Name, Rotator, Rules, Spawn, Stage, Vector,
///     actor,
/// };
///
/// #[derive(Default)]
/// struct Hive { bees: u32, queen: Option<ActorRef<Hive>> }
/// impl Actor for Hive {
///     actor!(Hive, "Doc.Hive");
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.state("Angry");
///         class.post_begin_play(|cx| {
///             let at_home = cx.location(); // it is the actor
///             assert!(at_home.is_finite() && cx.owner().is_none() && cx.base().is_none());
///             let it: &mut Self = cx; // found once for many fields
///             it.bees = 40;
///             cx.properties_mut().tag = Name::new("Bees"); // the engine's
///             assert_eq!(cx.properties().tag, Name::new("Bees"));
///         });
///         class.tick(|cx, _seconds| {
///             cx.goto_state("Angry");
///             assert_eq!(cx.state(), Name::new("Angry"));
///             // by the rules of the third generation that would be sent events once more
///             cx.force_state("Angry");
///             let up = cx.location() + Vector::new(0.0, 0.0, 8.0);
///             assert!(cx.set_location(up) && cx.rotation() == Rotator::default());
///             assert!(
///                 cx.name().starts_with("Hive")
///                     && cx.children().is_empty()
///                     && cx.touching().is_empty()
///             );
///             let me = cx.me();
///             let bees = cx.others.value_or_null(me, |hive| hive.bees);
///             assert!(bees == 40 && !cx.is_pending_delete());
///             cx.destroy();
///             assert!(cx.is_deleted() && !cx.others.is_alive(me));
///             assert_eq!(cx.bees, 40); // until this returns
///         });
///     }
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let hive = level.spawn::<Hive>(Spawn::new()).unwrap();
/// level.tick(0.1);
/// assert!(!level.is_alive(hive));
/// ```
pub struct Cx<'a, T: Actor> {
    /// The level, for operations on other actors. Because it is a field, the arguments of a call on it may read the context:
    ///
    /// ```
    /// use acedia_actors::{Actor, ActorRef, ClassBuilder, Cx, Cylinder, Function, Stage, actor};
    ///
    /// static TAKE_DAMAGE: Function<Barrel, (i32, ActorRef), i32> = Function::new("TakeDamage");
    ///
    /// #[derive(Default)]
    /// struct Barrel {
    ///     blast: Cylinder,
    ///     damage: i32,
    ///     score: i32,
    ///     smoke: Option<ActorRef>,
    ///     next: Option<ActorRef<Barrel>>,
    /// }
    ///
    /// impl Barrel {
    ///     fn explode(cx: &mut Cx<'_, Self>, smoke: ActorRef, next: ActorRef<Self>) {
    ///         assert!(cx.others.is_alive(cx.me()));
    ///         let caught = cx.others.overlapping(cx.blast, cx.location());
    ///         cx.others.set_owner(smoke, cx.owner());
    ///         cx.score += cx.others.call(next, &TAKE_DAMAGE, (cx.damage, cx.me().any()));
    ///         cx.score += cx.others.get(next).map_or(0, |it| it.score);
    /// #       _ = caught;
    ///     }
    /// }
    /// # impl Actor for Barrel {
    /// #     actor!(Barrel, "Doc.Barrel");
    /// # }
    /// ```
    pub others: Others<'a>,
    me: ActorRef,
    running: Running,
    /// The column and the row of the actor's fields, once they have been looked up. They stay the same while the handler runs.
    place: Cell<Option<(usize, usize)>>,
    actor: PhantomData<fn() -> T>,
}

impl<'a, T: Actor> Cx<'a, T> {
    #[inline]
    pub(crate) fn new(inner: &'a mut Inner, me: ActorRef, running: Running) -> Self {
        Self {
            others: Others(inner),
            me,
            running,
            place: Cell::new(None),
            actor: PhantomData,
        }
    }

    #[inline]
    fn place(&self) -> (usize, usize) {
        if let Some(place) = self.place.get() {
            return place;
        }
        let place = self.others.0.heads[self.slot()].place();
        self.place.set(Some(place));
        place
    }

    /// A reference to the actor. Like any other reference, it resolves to `None` once the actor is destroyed.
    #[doc(alias = "Self")]
    #[must_use]
    pub fn me(&self) -> ActorRef<T> {
        self.me.typed()
    }

    /// The actor's slot. No other actor gets it before the handler has returned.
    const fn slot(&self) -> usize {
        self.me.index()
    }

    shared_methods!(cx_methods);

    /// The actor as a `P`, which is its class or an ancestor of it. `cx.part::<Pawn>().speed` works in every descendant of
    /// `Pawn`, whatever the name of the field that contains the `Pawn`.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Animal { legs: u32 }
    /// impl Actor for Animal {
    ///     actor!(Animal, "Doc.Animal");
    /// }
    /// #[derive(Default)]
    /// struct Dog { animal: Animal }
    /// impl Actor for Dog {
    ///     actor!(Dog, "Doc.Dog", parent = Animal, in animal);
    /// }
    /// #[derive(Default)]
    /// struct Puppy { dog: Dog }
    /// impl Actor for Puppy {
    ///     actor!(Puppy, "Doc.Puppy", parent = Dog, in dog);
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.post_begin_play(|cx| {
    ///             cx.part_mut::<Animal>().legs = 4;
    ///             assert_eq!(cx.part::<Animal>().legs, cx.dog.animal.legs);
    ///         });
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// level.spawn::<Puppy>(Spawn::new()).unwrap();
    /// ```
    ///
    /// # Panics
    ///
    /// If `P` is neither the actor's class nor an ancestor.
    #[must_use]
    pub fn part<P: Actor>(&self) -> &P {
        let part = self.others.0.part(self.slot());
        part.unwrap_or_else(|| no_part::<P>(&self.others, self.slot()))
    }

    /// Like [`part`](Self::part), but mutable.
    ///
    /// # Panics
    ///
    /// As [`part`](Self::part).
    pub fn part_mut<P: Actor>(&mut self) -> &mut P {
        let slot = self.slot();
        if self.others.0.part::<P>(slot).is_none() {
            no_part::<P>(&self.others, slot);
        }
        self.others.0.part_mut(slot).expect("it was there just now")
    }

    /// The bodies that the running body overrides.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Pawn, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Ghost { seen: bool }
    /// impl Actor for Ghost {
    ///     actor!(Ghost, "Doc.Ghost");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.pre_begin_play(|cx| {
    ///             cx.inherited().pre_begin_play(); // the mutators are asked
    ///             cx.seen = true;
    ///         });
    ///     }
    /// }
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let ghost = level.spawn::<Ghost>(Spawn::new()).unwrap();
    /// assert!(level.get(ghost).unwrap().seen);
    /// ```
    #[doc(alias = "super")]
    pub fn inherited(&mut self) -> Inherited<'_, T> {
        self.bodies(Bodies::Overridden(self.running))
    }

    /// The bodies of the ancestor `P`, outside of its states, as in `Super(Pawn).Touch(Other)`.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Function, Level, Rules, Spawn, Stage, actor};
    ///
    /// static SOUND: Function<Bird, (), String> = Function::new("Sound");
    ///
    /// #[derive(Default)]
    /// struct Bird;
    /// impl Actor for Bird {
    ///     actor!(Bird, "Doc.Bird");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.function(&SOUND, |_, ()| "tweet".into());
    ///     }
    /// }
    /// #[derive(Default)]
    /// struct Crow { bird: Bird }
    /// impl Actor for Crow {
    ///     actor!(Crow, "Doc.Crow", parent = Bird, in bird);
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.function(&SOUND, |_, ()| "caw".into());
    ///     }
    /// }
    /// #[derive(Default)]
    /// struct Raven { crow: Crow }
    /// impl Actor for Raven {
    ///     actor!(Raven, "Doc.Raven", parent = Crow, in crow);
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.function(&SOUND, |cx, ()| {
    ///             let small = cx.inherited_from::<Bird>().call(&SOUND, ());
    ///             format!("{small} {}", cx.inherited().call(&SOUND, ()))
    ///         });
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let raven = level.spawn::<Raven>(Spawn::new()).unwrap();
    /// assert_eq!(level.call(raven, &SOUND, ()), "tweet caw");
    /// ```
    ///
    /// # Panics
    ///
    /// If `P` is neither the actor's class nor an ancestor.
    #[doc(alias = "super")]
    pub fn inherited_from<P: Actor>(&mut self) -> Inherited<'_, T> {
        let class = P::class();
        if !self.others.0.heads[self.slot()].class().is_child_of(class) {
            no_part::<P>(&self.others, self.slot());
        }
        self.bodies(Bodies::Of(class))
    }

    /// The bodies of the actor's class outside of its states, as in `Global.TakeDamage(…)`.
    ///
    /// In a body of a state, [`inherited`](Self::inherited) calls the body that the running body overrides. `global` calls the
    /// body of the actor's own class, which may be a descendant of the class that is being described.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Function, Level, Rules, Spawn, Stage, actor};
    ///
    /// static HIT: Function<Guard, i32, i32> = Function::new("Hit");
    ///
    /// #[derive(Default)]
    /// struct Guard;
    /// impl Actor for Guard {
    ///     actor!(Guard, "Doc.AlertGuard");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.function(&HIT, |_, damage| damage);
    ///         class.state("Asleep").auto().function(&HIT, |cx, damage| {
    ///             cx.goto_state("Awake");
    ///             cx.global().call(&HIT, damage)
    ///         });
    ///         class.state("Awake");
    ///     }
    /// }
    /// #[derive(Default)]
    /// struct Captain { guard: Guard }
    /// impl Actor for Captain {
    ///     actor!(Captain, "Doc.Captain", parent = Guard, in guard);
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.function(&HIT, |cx, damage| cx.inherited().call(&HIT, damage) / 2);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let captain = level.spawn::<Captain>(Spawn::new()).unwrap();
    /// assert_eq!(level.call(captain, &HIT, 10), 5); // with `inherited` in the state it were 10
    /// ```
    #[doc(alias = "Global")]
    pub fn global(&mut self) -> Inherited<'_, T> {
        let class = self.others.0.heads[self.slot()].class();
        self.bodies(Bodies::Of(class))
    }

    fn bodies(&mut self, bodies: Bodies) -> Inherited<'_, T> {
        Inherited {
            inner: self.others.0,
            me: self.me,
            bodies,
            actor: PhantomData,
        }
    }

    /// Spawns an actor with the instigator of this actor, and with this actor's location and rotation unless `spawn` sets
    /// others. Returns `None` if the spawn fails; the log of warnings may have the reason. Under the rules of the first
    /// generation, the returned actor may belong to a class other than `U`: see [`Stage::try_spawn`].
    ///
    /// # Panics
    ///
    /// As [`Stage::spawn`].
    #[doc(alias = "Spawn")]
    pub fn spawn<U: Actor>(&mut self, spawn: Spawn) -> Option<ActorRef<U>> {
        self.try_spawn(spawn).ok()
    }

    /// Like [`spawn`](Self::spawn), but returns the reason of a failure.
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ClassBuilder, Level, Rules, Spawn, SpawnError, Stage, actor,
    /// };
    ///
    /// #[derive(Default)]
    /// struct Animal;
    /// impl Actor for Animal {
    ///     actor!(Animal, "Doc.Animal");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.make_abstract();
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Hatchery { problem: Option<SpawnError> }
    /// impl Actor for Hatchery {
    ///     actor!(Hatchery, "Doc.Hatchery");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.tick(|cx, _seconds| {
    ///             cx.problem = cx.try_spawn::<Animal>(Spawn::new()).err();
    ///         });
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let hatchery = level.spawn::<Hatchery>(Spawn::new()).unwrap();
    /// level.tick(0.1);
    /// let problem = level.get(hatchery).unwrap().problem.as_ref().unwrap();
    /// assert!(problem.to_string().contains("class Doc.Animal is abstract"));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Stage::try_spawn`].
    ///
    /// # Panics
    ///
    /// As [`Stage::spawn`].
    #[doc(alias = "Spawn")]
    pub fn try_spawn<U: Actor>(&mut self, spawn: Spawn) -> Result<ActorRef<U>, SpawnError> {
        self.spawn_of(U::class(), spawn).map(ActorRef::typed)
    }

    /// Like [`try_spawn`](Self::try_spawn), but for a class that is known only at run time.
    ///
    /// ```
    /// use acedia_actors::{
    ///     Actor, ActorClass, ClassBuilder, Level, Pawn, Rules, Spawn, Stage, Vector, actor,
    /// };
    ///
    /// #[derive(Default)]
    /// struct Factory { product: Option<&'static ActorClass>, made: usize }
    /// impl Actor for Factory {
    ///     actor!(Factory, "Doc.Factory");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.tick(|cx, _seconds| {
    ///             let product = cx.product.unwrap();
    ///             let made = [
    ///                 cx.spawn_of(product, Spawn::new().owned_by(cx.me())).unwrap(),
    ///                 cx.spawn_by_name("Engine.Pawn", Spawn::new().owned_by(cx.me())).unwrap(),
    ///             ];
    ///             for one in made {
    ///                 assert_eq!(cx.others.location(one), Some(cx.location()));
    ///                 assert_eq!(cx.others.owner(one), Some(cx.me().any()));
    ///             }
    ///             cx.made += made.len();
    ///         });
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let factory =
    ///     level.spawn::<Factory>(Spawn::new().at(Vector::new(0.0, 0.0, 64.0))).unwrap();
    /// level.get_mut(factory).unwrap().product = Some(Pawn::class());
    /// level.tick(0.1);
    /// assert_eq!(level.get(factory).unwrap().made, 2);
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Stage::try_spawn`].
    ///
    /// # Panics
    ///
    /// As [`Stage::spawn`].
    #[doc(alias = "Spawn")]
    pub fn spawn_of(&mut self, class: &'static ActorClass, spawn: Spawn) -> Result<ActorRef, SpawnError> {
        self.others.0.spawn(class, Some(self.me), spawn)
    }

    /// Like [`try_spawn`](Self::try_spawn), but for the class with this [name](crate::load_actor_class).
    ///
    /// # Errors
    ///
    /// As [`Stage::spawn_by_name`].
    ///
    /// # Panics
    ///
    /// As [`Stage::spawn`].
    #[doc(alias = "DynamicLoadObject")]
    pub fn spawn_by_name(&mut self, name: &str, spawn: Spawn) -> Result<ActorRef, SpawnError> {
        let class = self.others.0.class_named(name)?;
        self.spawn_of(class, spawn)
    }

    /// Destroys this actor: [`Stage::destroy`]. Returns `true` if it is dead already.
    ///
    /// # Panics
    ///
    /// As [`Stage::destroy`].
    #[doc(alias = "Destroy")]
    pub fn destroy(&mut self) -> bool {
        self.others.0.destroy_slot(self.slot(), By::Script)
    }

    /// Sets whether the actor has set its initial state. Only a body of `set_initial_state` that does not call the inherited body
    /// needs this.
    #[doc(alias = "bScriptInitialized")]
    pub fn set_script_initialized(&mut self, initialized: bool) {
        let slot = self.slot();
        self.others.0.heads[slot].set(Fact::ScriptInitialized, initialized);
    }

    /// The name of the actor: [`Stage::name`].
    #[must_use]
    #[doc(alias = "Name")]
    pub fn name(&self) -> String {
        self.others.0.name_of_slot(self.slot())
    }

    /// Like [`properties`](Self::properties), but mutable. The collision world is updated at the actor's next move.
    pub fn properties_mut(&mut self) -> &mut Properties {
        self.others.0.properties_mut(self.slot())
    }

    /// Whether the actor has been destroyed.
    #[must_use]
    #[doc(alias = "bDeleteMe")]
    pub fn is_deleted(&self) -> bool {
        self.others.0.heads[self.slot()].is(Fact::Dead)
    }
}

impl<T: Actor> Deref for Cx<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        let place = self.place();
        self.others
            .0
            .value(place)
            .expect("an actor is there while its handler runs")
    }
}

impl<T: Actor> DerefMut for Cx<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        let place = self.place();
        self.others
            .0
            .value_mut(place)
            .expect("an actor is there while its handler runs")
    }
}

/// Panics, because the actor is not a `P`.
#[cold]
fn no_part<P: Actor>(others: &Others<'_>, slot: usize) -> ! {
    let class = others.0.heads[slot].class();
    panic!("{class} is neither {} nor a descendant of it", P::class())
}

impl<T: Actor> fmt::Debug for Cx<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cx({})", self.others.0.name_of_slot(self.slot()))
    }
}
