//! [`ActorClass`]: a class of actors as a value, and how it is described.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use acedia_allocator::{Class, Object};

use crate::event::Value;
use crate::level::{Column, Cx, Inner, Rows};
use crate::statics::Statics;
use crate::{Actor, Event, Name, Properties, Role, relevancy, states};

/// One body of an event, and the one that it overrides.
pub(crate) struct Body {
    pub(crate) run: Box<Run>,
    pub(crate) inherited: Option<&'static Body>,
}

/// Runs a body for the actor in this slot.
type Run = dyn Fn(&mut Inner, usize, &'static Body, Event, Value) -> Value + Send + Sync;

pub(crate) type Bodies = [Option<&'static Body>; Event::COUNT];

/// A state, with all that it has from parent states and parent classes.
#[derive(Clone)]
pub(crate) struct StateInfo {
    pub(crate) name: Name,
    parent: Option<usize>,
    pub(crate) ignored: [bool; Event::COUNT],
    pub(crate) bodies: Bodies,
}

/// A class of actors as a value. There is one for each [`Actor`] type, and `Engine.Actor` above all.
///
/// Equal to itself alone. Printed as its name.
#[doc(alias = "class<Actor>")]
pub struct ActorClass {
    name: &'static str,
    pub(crate) id: usize,
    parent: Option<&'static ActorClass>,
    is_abstract: bool,
    pub(crate) properties: Properties,
    pub(crate) bodies: Bodies,
    pub(crate) states: Vec<StateInfo>,
    pub(crate) auto_state: Option<usize>,
    make_column: Option<fn() -> Box<dyn Column>>,
    /// Runs the static constructor, once; `Engine.Actor` has none.
    statics: Option<&'static Class>,
}

impl ActorClass {
    /// `Engine.Actor`, the class above all. Abstract.
    #[must_use]
    pub fn root() -> &'static Self {
        static ROOT: OnceLock<ActorClass> = OnceLock::new();
        ROOT.get_or_init(|| {
            let mut bodies: Bodies = [None; Event::COUNT];
            let mut native = |event: Event, run: fn(&mut Inner, usize, Value) -> Value| {
                bodies[event as usize] = Some(Box::leak(Box::new(Body {
                    run: Box::new(move |inner, me, _, _, value| run(inner, me, value)),
                    inherited: None,
                })));
            };
            native(Event::PreBeginPlay, relevancy::pre_begin_play);
            native(Event::SetInitialState, states::set_initial_state);
            native(Event::SpawnNotification, |_, _, actor| actor);
            Self {
                name: "Engine.Actor",
                id: next_id(),
                parent: None,
                is_abstract: true,
                properties: Properties::default(),
                bodies,
                states: Vec::new(),
                auto_state: None,
                make_column: None,
                statics: None,
            }
        })
    }

    /// The class of `T`, for a `static` of the macro's.
    #[doc(hidden)]
    #[must_use]
    pub fn describe<T: Actor>(name: &'static str, parent: &'static Self) -> Self {
        let mut class = Self {
            name,
            id: next_id(),
            parent: Some(parent),
            is_abstract: false,
            properties: parent.properties,
            bodies: parent.bodies,
            states: parent.states.clone(),
            auto_state: parent.auto_state,
            make_column: Some(|| Box::new(Rows::<T>::default())),
            statics: Some(Statics::<T>::class()),
        };
        let mut pending = Vec::new();
        T::describe(&mut ClassBuilder {
            class: &mut class,
            pending: &mut pending,
            actor: PhantomData,
        });
        // A state's body overrides the class's, whichever of them was described first.
        for (state, event, body) in pending {
            let inherited = class.body(Some(state), event).flatten();
            class.states[state].bodies[event as usize] = Some(leak(body, inherited));
        }
        class
    }

    /// The whole name, `"Package.Name"`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name after its last dot.
    #[must_use]
    pub fn short_name(&self) -> &'static str {
        self.name.rsplit_once('.').map_or(self.name, |(_, short)| short)
    }

    /// The class above, unless this is `Engine.Actor`.
    #[must_use]
    pub const fn parent(&self) -> Option<&'static Self> {
        self.parent
    }

    /// Whether no actor can be made of it.
    #[must_use]
    pub const fn is_abstract(&self) -> bool {
        self.is_abstract
    }

    /// What the engine knows of its actors in advance.
    #[must_use]
    pub const fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Whether this is `other` or stands below it. One comparison per class between them.
    #[must_use]
    #[doc(alias = "ClassIsChildOf")]
    pub fn is_child_of(&self, other: &Self) -> bool {
        let mut class = Some(self);
        while let Some(this) = class {
            if this == other {
                return true;
            }
            class = this.parent;
        }
        false
    }

    pub(crate) fn has_authority(&self) -> bool {
        self.properties.role == Role::Authority
    }

    pub(crate) fn state_index(&self, name: Name) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// The body of `event` in a state: `None` if the state ignores the event.
    #[allow(clippy::option_option, reason = "ignored and without a body are two things")]
    pub(crate) fn body(&self, mut state: Option<usize>, event: Event) -> Option<Option<&'static Body>> {
        while let Some(index) = state {
            let info = self.states.get(index)?;
            if let Some(body) = info.bodies[event as usize] {
                return Some(Some(body));
            }
            if info.ignored[event as usize] {
                return None;
            }
            state = info.parent;
        }
        Some(self.bodies[event as usize])
    }

    /// Runs the static constructor, unless it has run. One load, then.
    pub(crate) fn construct(&self) {
        if let Some(statics) = self.statics {
            statics.construct();
        }
    }

    /// Where its actors are kept.
    pub(crate) fn column(&self) -> Option<Box<dyn Column>> {
        self.make_column.map(|make| make())
    }
}

fn next_id() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn leak(run: Box<Run>, inherited: Option<&'static Body>) -> &'static Body {
    Box::leak(Box::new(Body { run, inherited }))
}

impl PartialEq for ActorClass {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for ActorClass {}

impl fmt::Display for ActorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl fmt::Debug for ActorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ActorClass({})", self.name)
    }
}

type Pending = (usize, Event, Box<Run>);

/// Describes a class: see [`Actor::describe`]. What is not said is as in the parent class.
pub struct ClassBuilder<'a, T> {
    class: &'a mut ActorClass,
    pending: &'a mut Vec<Pending>,
    actor: PhantomData<fn() -> T>,
}

impl<T: Actor> ClassBuilder<'_, T> {
    /// Says what the engine knows of the actors in advance.
    pub fn defaults(&mut self, change: impl FnOnce(&mut Properties)) -> &mut Self {
        change(&mut self.class.properties);
        self
    }

    /// No actor can be made of this class, only of those below it.
    #[doc(alias = "abstract")]
    pub fn make_abstract(&mut self) -> &mut Self {
        self.class.is_abstract = true;
        self
    }

    /// A state of the class. One that a parent class has is extended.
    ///
    /// ```
    /// use acedia_actors::{Actor, ClassBuilder, Level, Name, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Door { opened: u32 }
    /// impl Actor for Door {
    ///     actor!(Door, "Doc.Door");
    ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
    ///         class.state("Closed").auto().touch(|cx, _other| cx.goto_state("Open"));
    ///         class.state("Open").begin_state(|cx, _previous| cx.opened += 1);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.begin_play("");
    /// let door = level.spawn::<Door>(Spawn::new()).unwrap();
    /// assert_eq!(level.state(door), Name::new("Closed"));
    /// level.goto_state(door, "Open");
    /// assert_eq!(level.get(door).unwrap().opened, 1);
    /// ```
    pub fn state(&mut self, name: impl Into<Name>) -> StateBuilder<'_, T> {
        let name = name.into();
        let index = self.class.state_index(name).unwrap_or_else(|| {
            self.class.states.push(StateInfo {
                name,
                parent: None,
                ignored: [false; Event::COUNT],
                bodies: [None; Event::COUNT],
            });
            self.class.states.len() - 1
        });
        StateBuilder {
            index,
            class: &mut *self.class,
            pending: &mut *self.pending,
            actor: PhantomData,
        }
    }

    pub(crate) fn put(
        &mut self,
        event: Event,
        body: impl Fn(&mut Cx<'_, T>, Value) -> Value + Send + Sync + 'static,
    ) -> &mut Self {
        let inherited = self.class.bodies[event as usize];
        self.class.bodies[event as usize] = Some(leak(run(body), inherited));
        self
    }
}

fn run<T: Actor>(body: impl Fn(&mut Cx<'_, T>, Value) -> Value + Send + Sync + 'static) -> Box<Run> {
    Box::new(move |inner, me, this, event, value| body(&mut Cx::new(inner, me, this, event), value))
}

impl<T> fmt::Debug for ClassBuilder<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClassBuilder({}, {})", self.class, type_name::<T>())
    }
}

/// Describes a state: see [`ClassBuilder::state`].
pub struct StateBuilder<'a, T> {
    class: &'a mut ActorClass,
    index: usize,
    pending: &'a mut Vec<Pending>,
    actor: PhantomData<fn() -> T>,
}

impl<T: Actor> StateBuilder<'_, T> {
    /// Actors enter this state first.
    pub fn auto(&mut self) -> &mut Self {
        self.class.auto_state = Some(self.index);
        self
    }

    /// In this state, nothing happens at `event`.
    #[doc(alias = "ignores")]
    pub fn ignore(&mut self, event: Event) -> &mut Self {
        self.class.states[self.index].ignored[event as usize] = true;
        self
    }

    /// What this state does not say is as in the state `parent`, which must have been described before.
    pub fn extends(&mut self, parent: impl Into<Name>) -> &mut Self {
        let parent = self.class.state_index(parent.into());
        self.class.states[self.index].parent = parent.filter(|parent| *parent < self.index);
        self
    }

    pub(crate) fn put(
        &mut self,
        event: Event,
        body: impl Fn(&mut Cx<'_, T>, Value) -> Value + Send + Sync + 'static,
    ) -> &mut Self {
        self.class.states[self.index].ignored[event as usize] = false;
        self.pending.push((self.index, event, run(body)));
        self
    }
}

impl<T> fmt::Debug for StateBuilder<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "StateBuilder({}, {})",
            self.class, self.class.states[self.index].name
        )
    }
}
