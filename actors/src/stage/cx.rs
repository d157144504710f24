//! [`Cx`]: the context of a handler.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::others::Others;
use super::stage::Stage;
use crate::class::actor::Actor;
use crate::class::reactions::Body;
use crate::class::request::{AnyClass, Spawn};
use crate::sequence::destroy::By;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Message, Value};
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::Properties;

/// The context of a handler: the actor that it runs for.
///
/// Derefs to the actor's own fields. The rest of the level is behind [`others`](Self::others). A spawn or a destruction
/// runs its whole sequence before the call returns; handlers in it may do anything, also to this actor. After the
/// actor's destruction its fields stay until the handler returns.
///
/// A borrow of a field ends before the next call on the context, so no borrow of an actor is alive while other handlers
/// run:
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
/// use acedia_actors::{Actor, ActorRef, ClassBuilder, Level, Name, Rotator, Rules, Spawn, Stage, Vector, actor};
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
///             cx.bees = 40; // its own fields
///             cx.properties_mut().tag = Name::new("Bees"); // the engine's
///             assert_eq!(cx.properties().tag, Name::new("Bees"));
///         });
///         class.tick(|cx, _seconds| {
///             cx.goto_state("Angry");
///             assert_eq!(cx.state(), Name::new("Angry"));
///             cx.force_state("Angry"); // by the rules of the third generation that would be sent events once more
///             let up = cx.location() + Vector::new(0.0, 0.0, 8.0);
///             assert!(cx.set_location(up) && cx.rotation() == Rotator::default());
///             assert!(cx.name().starts_with("Hive") && cx.children().is_empty() && cx.touching().is_empty());
///             let me = cx.me();
///             let bees = cx.value_or_null(me, |hive| hive.bees);
///             assert!(bees == 40 && !cx.is_pending_delete());
///             cx.destroy();
///             assert!(cx.is_deleted() && !cx.others().is_alive(me));
///             assert_eq!(cx.bees, 40); // until this returns
///         });
///     }
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.begin_play("");
/// let hive = level.spawn::<Hive>(Spawn::new()).unwrap();
/// level.tick(0.1);
/// assert!(!level.is_alive(hive));
/// ```
pub struct Cx<'a, T: Actor> {
    inner: &'a mut Inner,
    me: ActorRef,
    body: &'static Body,
    event: Event,
    actor: PhantomData<fn() -> T>,
}

impl<'a, T: Actor> Cx<'a, T> {
    #[inline]
    pub(crate) fn new(inner: &'a mut Inner, me: ActorRef, body: &'static Body, event: Event) -> Self {
        Self {
            inner,
            me,
            body,
            event,
            actor: PhantomData,
        }
    }

    /// The actor. A reference like any other: it leads to nothing once the actor is destroyed.
    #[doc(alias = "Self")]
    #[must_use]
    pub fn me(&self) -> ActorRef<T> {
        self.me.typed()
    }

    /// The actor's slot. No other actor gets it before the handler has returned.
    const fn slot(&self) -> usize {
        self.me.index()
    }

    /// The level, for operations on other actors.
    pub fn others(&mut self) -> Others<'_> {
        Others(self.inner)
    }

    /// The bodies that this one overrides.
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
    /// level.begin_play("");
    /// let ghost = level.spawn::<Ghost>(Spawn::new()).unwrap();
    /// assert!(level.get(ghost).unwrap().seen);
    /// ```
    #[doc(alias = "super")]
    pub fn inherited(&mut self) -> Inherited<'_, T> {
        Inherited {
            inner: self.inner,
            me: self.me,
            body: self.body,
            event: self.event,
            actor: PhantomData,
        }
    }

    /// Spawns an actor at this one's place, with its instigator. `None`, if that fails: the log may say why. In the
    /// first generation it may be no `U`: [`Stage::try_spawn`].
    ///
    /// # Panics
    ///
    /// As [`Stage::spawn`].
    #[doc(alias = "Spawn")]
    pub fn spawn<U: Actor>(&mut self, spawn: Spawn) -> Option<ActorRef<U>> {
        let spawned = self.inner.spawn(AnyClass::Actor(U::class()), Some(self.me), spawn);
        spawned.ok().map(ActorRef::typed)
    }

    /// Destroys this actor: [`Stage::destroy`]. `true` if it is dead already.
    ///
    /// # Panics
    ///
    /// As there.
    #[doc(alias = "Destroy")]
    pub fn destroy(&mut self) -> bool {
        self.inner.destroy_slot(self.slot(), By::Script)
    }

    /// Changes the state: [`Stage::goto_state`].
    #[doc(alias = "GotoState")]
    pub fn goto_state(&mut self, state: impl Into<Name>) {
        self.inner.goto_state(self.slot(), state.into());
    }

    /// Changes the state, also to the same one: [`Stage::force_state`].
    #[doc(alias = "GotoState")]
    #[doc(alias = "bForceEvents")]
    pub fn force_state(&mut self, state: impl Into<Name>) {
        self.inner.force_state(self.slot(), state.into());
    }

    /// Pushes a state: [`Stage::push_state`].
    #[doc(alias = "PushState")]
    pub fn push_state(&mut self, state: impl Into<Name>) -> bool {
        self.inner.push_state(self.slot(), state.into())
    }

    /// Pops the uppermost state: [`Stage::pop_state`].
    #[doc(alias = "PopState")]
    pub fn pop_state(&mut self) -> bool {
        self.inner.pop_state(self.slot())
    }

    /// Whether the actor has set its initial state. By rules with
    /// [`script_initialized`](crate::Rules::script_initialized), the start of play then skips it.
    #[must_use]
    #[doc(alias = "bScriptInitialized")]
    pub fn is_script_initialized(&self) -> bool {
        self.inner.heads[self.slot()].is(Fact::ScriptInitialized)
    }

    /// Sets it: for a body of `set_initial_state` that doesn't call the inherited one, which sets it otherwise.
    #[doc(alias = "bScriptInitialized")]
    pub fn set_script_initialized(&mut self, initialized: bool) {
        let slot = self.slot();
        self.inner.heads[slot].set(Fact::ScriptInitialized, initialized);
    }

    /// The state; no name, if it is in none.
    #[must_use]
    pub fn state(&self) -> Name {
        self.inner.state_name(self.slot())
    }

    /// Changes the owner: [`Stage::set_owner`].
    #[doc(alias = "SetOwner")]
    pub fn set_owner(&mut self, owner: Option<ActorRef>) -> bool {
        self.inner.set_owner(self.me, owner)
    }

    /// Changes the base: [`Stage::set_base`].
    #[doc(alias = "SetBase")]
    pub fn set_base(&mut self, base: Option<ActorRef>) -> bool {
        self.inner.set_base("1.11", self.me, base)
    }

    /// Moves the actor: [`Stage::set_location`].
    #[doc(alias = "SetLocation")]
    pub fn set_location(&mut self, location: Vector) -> bool {
        self.inner.set_location(self.me, location)
    }

    /// The name of the actor: [`Stage::name`].
    #[must_use]
    #[doc(alias = "Name")]
    pub fn name(&self) -> String {
        self.inner.name_of_slot(self.slot())
    }

    /// The owner, if there is a living one.
    #[must_use]
    pub fn owner(&self) -> Option<ActorRef> {
        self.inner.living(self.inner.heads[self.slot()].owner)
    }

    /// The actors that it owns: [`Stage::children`].
    #[must_use]
    #[doc(alias = "ChildActors")]
    pub fn children(&self) -> Vec<ActorRef> {
        self.inner.children(self.me)
    }

    /// The actors that it touches: [`Stage::touching`].
    #[must_use]
    #[doc(alias = "Touching")]
    #[doc(alias = "TouchingActors")]
    pub fn touching(&self) -> Vec<ActorRef> {
        self.inner.living_touched(self.me)
    }

    /// The base, if there is a living one.
    #[must_use]
    pub fn base(&self) -> Option<ActorRef> {
        self.inner.living(self.inner.records[self.slot()].base)
    }

    /// The actor's place.
    #[must_use]
    pub fn location(&self) -> Vector {
        self.inner.records[self.slot()].location
    }

    /// The actor's rotation.
    #[must_use]
    pub fn rotation(&self) -> Rotator {
        self.inner.records[self.slot()].rotation
    }

    /// The engine's fields of the actor.
    #[must_use]
    pub fn properties(&self) -> &Properties {
        self.inner.properties(self.slot())
    }

    /// As [`properties`](Self::properties), to change. A change does not reach the collision world.
    pub fn properties_mut(&mut self) -> &mut Properties {
        self.inner.properties_mut(self.slot())
    }

    /// Whether the actor's destruction has begun. It never becomes `false` again.
    #[must_use]
    #[doc(alias = "bPendingDelete")]
    pub fn is_pending_delete(&self) -> bool {
        self.inner.heads[self.slot()].is(Fact::Pending)
    }

    /// Whether the actor has been destroyed.
    #[must_use]
    #[doc(alias = "bDeleteMe")]
    pub fn is_deleted(&self) -> bool {
        self.inner.heads[self.slot()].is(Fact::Dead)
    }

    /// The result of `read` for another actor: [`Stage::value_or_null`].
    #[doc(alias = "Accessed None")]
    pub fn value_or_null<U: Actor, R: Default>(&mut self, actor: ActorRef<U>, read: impl FnOnce(&U) -> R) -> R {
        self.others().value_or_null(actor, read)
    }
}

impl<T: Actor> Deref for Cx<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.inner
            .part(self.slot())
            .expect("an actor is there while its handler runs")
    }
}

impl<T: Actor> DerefMut for Cx<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        let slot = self.slot();
        self.inner
            .part_mut(slot)
            .expect("an actor is there while its handler runs")
    }
}

impl<T: Actor> fmt::Debug for Cx<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cx({}, {})", self.inner.name_of_slot(self.slot()), self.event)
    }
}

/// Calls the bodies that a handler overrides: see [`Cx::inherited`].
///
/// For the handler's own event, this is the overridden body: a state's body overrides the class's, and the class's
/// overrides the parent class's. For other events it is the parent class's body.
pub struct Inherited<'a, T> {
    inner: &'a mut Inner,
    me: ActorRef,
    body: &'static Body,
    event: Event,
    actor: PhantomData<fn() -> T>,
}

impl<T: Actor> Inherited<'_, T> {
    pub(crate) fn call(self, event: Event, value: Value) -> Answer {
        let body = if event == self.event {
            self.body.inherited
        } else {
            T::class().parent().and_then(|parent| parent.bodies[event as usize])
        };
        // A dead actor's handler still calls bodies, as any function.
        let message = Message { row: "", event, value };
        body.map_or(Answer::Nothing, |body| self.inner.run(self.me, body, &message))
    }
}

impl<T> fmt::Debug for Inherited<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Inherited({}, {})",
            self.inner.name_of_slot(self.me.index()),
            self.event
        )
    }
}
