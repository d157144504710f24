//! [`ActorClass`]: a class of actors as a value, and how it is described.

use std::any::TypeId;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use acedia_allocator::{Class, Object};

use crate::level::{Column, Inner, Methods, StateIndex};
use crate::reactions::{Bodies, Body, Reactions, Run};
use crate::statics::Statics;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Value};
use crate::value::event_set::EventSet;
use crate::value::name::Name;
use crate::value::properties::{Properties, Role};
use crate::{Actor, ClassBuilder, Mutator, Pawn, PhysicsVolume, relevancy, states};

/// A state as it was described, with what it has from the parent classes.
#[derive(Clone)]
pub(crate) struct StateInfo {
    pub(crate) name: Name,
    pub(crate) parent: Option<usize>,
    pub(crate) ignored: EventSet,
    pub(crate) bodies: Bodies,
}

/// Which of the classes that the sequences treat in their own way it is, or stands below.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kin {
    pub(crate) pawn: bool,
    pub(crate) volume: bool,
    pub(crate) mutator: bool,
}

impl Kin {
    /// Of class `T`. Compares types, because the classes may not be described yet.
    fn of<T: Actor>(parent: Self) -> Self {
        let own = TypeId::of::<T>();
        Self {
            pawn: parent.pawn || own == TypeId::of::<Pawn>(),
            volume: parent.volume || own == TypeId::of::<PhysicsVolume>(),
            mutator: parent.mutator || own == TypeId::of::<Mutator>(),
        }
    }
}

/// A class of actors as a value. There is one for each [`Actor`] type, and `Engine.Actor` above all.
///
/// Equal to itself alone. Printed as its name.
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
    pub(crate) is_abstract: bool,
    pub(crate) properties: Properties,
    /// Those of a new actor.
    pub(crate) initial: Properties,
    pub(crate) kin: Kin,
    pub(crate) bodies: Bodies,
    pub(crate) states: Vec<StateInfo>,
    /// In no state, then in each of the states.
    reactions: Vec<Reactions>,
    /// The events that have a body, whatever the state.
    pub(crate) handled: EventSet,
    pub(crate) auto_state: Option<StateIndex>,
    methods: Option<&'static Methods>,
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
            let mut native = |event: Event, run: fn(&mut Inner, ActorRef, &Value) -> Answer| {
                bodies[event as usize] = Some(Box::leak(Box::new(Body {
                    run: Box::new(move |inner, me, _, message| run(inner, me, &message.value)),
                    inherited: None,
                })));
            };
            native(Event::PreBeginPlay, relevancy::pre_begin_play);
            native(Event::SetInitialState, states::set_initial_state);
            native(Event::IsRelevant, relevancy::ask_mutators);
            native(Event::CheckRelevance, relevancy::ask_mutators);
            native(Event::PassesFilters, |_, _, _| Answer::Yes);
            native(Event::SpawnNotification, |_, _, value| match *value {
                Value::Actor(actor) => Answer::Actor(Some(actor)),
                _ => Answer::Nothing,
            });
            Self {
                name: "Engine.Actor",
                id: next_id(),
                parent: None,
                is_abstract: true,
                properties: Properties::default(),
                initial: Properties::default(),
                kin: Kin::default(),
                bodies,
                states: Vec::new(),
                reactions: Vec::new(),
                handled: EventSet::default(),
                auto_state: None,
                methods: None,
                statics: None,
            }
        })
    }

    /// The class of `T`, as it describes itself. `describing.rs` sees to it that this is asked once.
    pub(crate) fn describe<T: Actor>(name: &'static str, parent: &'static Self) -> Self {
        let mut class = Self {
            name,
            id: next_id(),
            parent: Some(parent),
            is_abstract: false,
            properties: parent.properties,
            initial: parent.properties,
            kin: Kin::of::<T>(parent.kin),
            bodies: parent.bodies,
            states: parent.states.clone(),
            reactions: Vec::new(),
            handled: EventSet::default(),
            auto_state: parent.auto_state,
            methods: Some(Methods::of::<T>()),
            statics: Some(Statics::<T>::class()),
        };
        let mut pending = Vec::new();
        T::describe(&mut ClassBuilder::new(&mut class, &mut pending));
        // A state's body overrides the class's, whichever of them was described first.
        for (state, event, body) in pending {
            let inherited = class.body(Some(state), event);
            class.states[state].bodies[event as usize] = Some(leak(body, inherited));
        }
        let states = std::iter::once(None).chain((0..class.states.len()).map(Some));
        class.reactions = states.map(|state| class.react(state)).collect();
        for event in Event::all() {
            if class.reactions.iter().any(|it| it.body(event).is_some()) {
                class.handled.insert(event);
            }
        }
        class.initial = class.properties.of_new(&class);
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
        short_name(self.name)
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

    pub(crate) fn state_index(&self, name: Name) -> Option<StateIndex> {
        self.state_place(name).and_then(StateIndex::new)
    }

    pub(crate) fn state_place(&self, name: Name) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// What a state is called.
    pub(crate) fn state_name(&self, state: StateIndex) -> Name {
        let state = state.place().and_then(|place| self.states.get(place));
        state.map_or(Name::NONE, |state| state.name)
    }

    /// What its actors do in a state.
    #[inline]
    pub(crate) fn reactions(&'static self, state: StateIndex) -> Option<&'static Reactions> {
        self.reactions.get(state.reactions())
    }

    /// What its actors do in a state, to be found once.
    fn react(&self, state: Option<usize>) -> Reactions {
        let mut reactions = Reactions {
            ignored: EventSet::default(),
            bodies: [None; Event::COUNT],
        };
        for event in Event::all() {
            reactions.bodies[event as usize] = self.body(state, event);
            if self.ignores(state, event) {
                reactions.ignored.insert(event);
            }
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

    /// Whether nobody is told of `event` in a state.
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

    /// Runs the static constructor, unless it has run. One load, then.
    #[inline]
    pub(crate) fn construct(&self) {
        if let Some(statics) = self.statics {
            statics.construct();
        }
    }

    /// Where its actors are kept.
    pub(crate) fn column(&self) -> Option<Column> {
        self.methods.map(Column::new)
    }
}

/// A class's name after its last dot.
pub(crate) fn short_name(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, short)| short)
}

fn next_id() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn leak(run: Box<Run>, inherited: Option<&'static Body>) -> &'static Body {
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

impl Properties {
    /// Those of a new actor that is to be like this.
    pub(crate) fn of_new(self, class: &ActorClass) -> Self {
        Self {
            tag: Name::new(class.short_name()),
            brush: None,
            ..self
        }
    }
}
