//! [`ActorClass`]: a class of actors as a value.

use std::any::Any;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use acedia::Class;

use super::code::Code;
#[cfg(feature = "serde")]
use super::column::Saving;
use super::column::{Column, Methods};
use super::function::FunctionBody;
use super::function_table::FunctionTable;
use super::reactions::{Bodies, Body, Reactions, Run};
use super::state_index::StateIndex;
use crate::value::event::Event;
use crate::value::event_set::EventSet;
use crate::value::name::Name;
use crate::value::properties::{Properties, Role};

/// A described state, with everything that it inherits from the parent classes.
#[derive(Clone)]
pub(super) struct StateInfo {
    pub(super) name: Name,
    pub(super) parent: Option<usize>,
    pub(super) ignored: EventSet,
    pub(super) bodies: Bodies,
    /// The places of the functions that this state overrides or ignores. An ignored function has no body.
    pub(super) functions: Vec<(usize, Option<&'static FunctionBody>)>,
    pub(super) code: Option<&'static Code>,
}

impl StateInfo {
    pub(super) const fn new(name: Name) -> Self {
        Self {
            name,
            parent: None,
            ignored: EventSet::NONE,
            bodies: [None; Event::COUNT],
            functions: Vec::new(),
            code: None,
        }
    }

    pub(super) fn set_function(&mut self, place: usize, body: Option<&'static FunctionBody>) {
        self.functions.retain(|(other, _)| *other != place);
        self.functions.push((place, body));
    }
}

/// A state's body, which is added to the class once all bodies of the class are known.
pub(super) enum Pending {
    Event(usize, Event, Box<Run>),
    /// The state, the place of the function, and the body.
    Function(usize, usize, Box<dyn Any + Send + Sync>),
}

/// Whether the class is, or descends from, one of the classes that the sequences treat in a special way.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kin {
    pub(crate) pawn: bool,
    pub(crate) volume: bool,
    pub(crate) mutator: bool,
}

/// A class of actors as a value. There is one for each [`Actor`](crate::Actor) type. `Engine.Actor` is the ancestor of
/// all classes.
///
/// A class is equal only to itself. It prints as its name.
///
/// ```
/// use acedia_actors::{Actor, ActorClass, Pawn, PlayerController, load_actor_class};
///
/// let class = Pawn::class();
/// assert_eq!((class.name(), class.short_name()), ("Engine.Pawn", "Pawn"));
/// assert_eq!(class.parent(), Some(ActorClass::root()));
/// assert!(ActorClass::root().is_abstract() && !class.is_abstract());
/// assert!(class.is_child_of(class) && !class.is_child_of(PlayerController::class()));
/// assert!(!class.properties().is_static);
/// assert_eq!(load_actor_class("Engine.Pawn"), Ok(class));
/// ```
#[doc(alias = "class<Actor>")]
pub struct ActorClass {
    name: &'static str,
    pub(crate) id: usize,
    parent: Option<&'static ActorClass>,
    pub(super) is_abstract: bool,
    pub(crate) properties: Properties,
    /// The properties of a new actor.
    pub(crate) initial: Properties,
    pub(crate) kin: Kin,
    pub(crate) bodies: Bodies,
    pub(crate) functions: FunctionTable,
    pub(super) states: Vec<StateInfo>,
    /// The reactions in no state, then those in each state. Resolved at the first use, because they refer to the class.
    reactions: OnceLock<Vec<Reactions>>,
    /// The events that have a body, in any state.
    pub(crate) handled: EventSet,
    pub(crate) auto_state: Option<StateIndex>,
    methods: Option<&'static Methods>,
    /// Runs the static constructor, once; `Engine.Actor` has none.
    statics: Option<&'static Class>,
    #[cfg(feature = "serde")]
    pub(crate) saving: Option<&'static Saving>,
}

impl ActorClass {
    /// The root class, with the default bodies. Abstract.
    pub(crate) fn above_all(name: &'static str, bodies: &Bodies) -> Self {
        Self {
            name,
            id: next_id(),
            parent: None,
            is_abstract: true,
            properties: Properties::default(),
            initial: Properties::default(),
            kin: Kin::default(),
            bodies: *bodies,
            functions: FunctionTable::default(),
            states: Vec::new(),
            reactions: OnceLock::new(),
            handled: EventSet::default(),
            auto_state: None,
            methods: None,
            statics: None,
            #[cfg(feature = "serde")]
            saving: None,
        }
    }

    /// A class with everything inherited, to be described and then [completed](Self::complete).
    pub(super) fn below(
        parent: &'static Self,
        name: &'static str,
        methods: &'static Methods,
        statics: &'static Class,
    ) -> Self {
        Self {
            parent: Some(parent),
            is_abstract: false,
            properties: parent.properties,
            kin: parent.kin,
            functions: parent.functions.clone(),
            states: parent.states.clone(),
            auto_state: parent.auto_state,
            methods: Some(methods),
            statics: Some(statics),
            ..Self::above_all(name, &parent.bodies)
        }
    }

    /// Resolves overrides and inheritance, once the description is complete.
    pub(super) fn complete(mut self, pending: Vec<Pending>) -> Self {
        // A state's body overrides the class's body, even if it was described first.
        for pending in pending {
            match pending {
                Pending::Event(state, event, body) => {
                    let inherited = self.body(Some(state), event);
                    self.states[state].bodies[event as usize] = Some(Body::leak(event, body, inherited));
                }
                Pending::Function(state, place, run) => {
                    let body = self
                        .functions
                        .new_body(place, run, self.function_body(Some(state), place));
                    self.states[state].set_function(place, Some(body));
                }
            }
        }
        // A spawn sends an actor only the events of this set, unless the level is watched.
        for event in Event::all() {
            if self.stances().any(|state| self.body(state, event).is_some()) {
                self.handled.insert(event);
            }
        }
        self.initial = self.properties.of_new(&self);
        self
    }

    /// The complete name: `"Package.Name"`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The part of the name after its last dot.
    #[must_use]
    pub fn short_name(&self) -> &'static str {
        short_name(self.name)
    }

    /// The parent class, or `None` for `Engine.Actor`.
    #[must_use]
    pub const fn parent(&self) -> Option<&'static Self> {
        self.parent
    }

    /// Whether the class is abstract, so that it can have no actors of its own.
    #[must_use]
    pub const fn is_abstract(&self) -> bool {
        self.is_abstract
    }

    /// The default properties of the class's actors.
    #[must_use]
    pub const fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Whether this class is `other` or descends from it. Takes one comparison for each class between the two classes.
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

    pub(crate) fn state_index(&self, name: Name) -> Option<StateIndex> {
        self.state_place(name).and_then(StateIndex::new)
    }

    pub(super) fn state_place(&self, name: Name) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    pub(crate) fn state_name(&self, state: StateIndex) -> Name {
        let state = state.place().and_then(|place| self.states.get(place));
        state.map_or(Name::NONE, |state| state.name)
    }

    /// The bodies of its actors in a state.
    #[inline]
    pub(crate) fn reactions(&'static self, state: StateIndex) -> &'static Reactions {
        let resolve = || self.stances().map(|state| self.react(state)).collect();
        &self.reactions.get_or_init(resolve)[state.reactions()]
    }

    /// No state, then each of the states.
    fn stances(&self) -> impl Iterator<Item = Option<usize>> + use<> {
        std::iter::once(None).chain((0..self.states.len()).map(Some))
    }

    /// Resolves the reactions in a state.
    fn react(&'static self, state: Option<usize>) -> Reactions {
        let mut reactions = Reactions {
            class: self,
            id: self.id,
            ignored: EventSet::default(),
            bodies: [None; Event::COUNT],
            functions: self.functions.clone(),
            code: self.code(state),
            tick: None,
            tells_tick: false,
        };
        // The copied table has the bodies of the class. A state may override or ignore them.
        for place in 0..self.functions.len() {
            reactions.functions.set_body(place, self.function_body(state, place));
        }
        for event in Event::all() {
            reactions.bodies[event as usize] = self.body(state, event);
            if self.ignores(state, event) {
                reactions.ignored.insert(event);
            }
        }
        // A frame loads only `tick` to learn whether and how the actor ticks.
        if !self.initial.is_without_ticks() {
            reactions.tick = reactions.body(Event::Tick).map(Body::runnable);
            reactions.tells_tick = !reactions.ignored.contains(Event::Tick);
        }
        reactions
    }

    /// The body of `event` in a state.
    fn body(&self, state: Option<usize>, event: Event) -> Option<&'static Body> {
        match self.stance(state, event) {
            Some(info) => info.bodies[event as usize],
            None => self.bodies[event as usize],
        }
    }

    fn ignores(&self, state: Option<usize>, event: Event) -> bool {
        self.stance(state, event)
            .is_some_and(|info| info.bodies[event as usize].is_none())
    }

    /// The state, or the nearest parent state, that has a body for `event` or ignores it.
    fn stance(&self, mut state: Option<usize>, event: Event) -> Option<&StateInfo> {
        loop {
            let info = self.states.get(state?)?;
            if info.bodies[event as usize].is_some() || info.ignored.contains(event) {
                return Some(info);
            }
            state = info.parent;
        }
    }

    /// The code of a state, or of the nearest parent state that has some.
    fn code(&self, mut state: Option<usize>) -> Option<&'static Code> {
        while let Some(info) = state.and_then(|state| self.states.get(state)) {
            if info.code.is_some() {
                return info.code;
            }
            state = info.parent;
        }
        None
    }

    /// The body of the function at `place` in a state. `None` if the state ignores the function.
    fn function_body(&self, mut state: Option<usize>, place: usize) -> Option<&'static FunctionBody> {
        while let Some(info) = state.and_then(|state| self.states.get(state)) {
            if let Some((_, body)) = info.functions.iter().find(|(its, _)| *its == place) {
                return *body;
            }
            state = info.parent;
        }
        self.functions.body(place)
    }

    /// Runs the static constructor, unless it has run. After that, a call takes one load.
    #[inline]
    pub(crate) fn construct(&self) {
        if let Some(statics) = self.statics {
            statics.construct();
        }
    }

    /// An empty column for its actors.
    pub(crate) fn column(&self) -> Option<Column> {
        self.methods.map(Column::new)
    }
}

/// A class's name after its last dot.
pub(super) fn short_name(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, short)| short)
}

fn next_id() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
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

impl Properties {
    /// These properties, as a new actor of `class` has them.
    pub(crate) fn of_new(self, class: &ActorClass) -> Self {
        Self {
            tag: Name::new(class.short_name()),
            brush: None,
            ..self
        }
    }
}
