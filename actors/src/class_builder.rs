//! [`ClassBuilder`] and [`StateBuilder`]: how a class is described.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use acedia_allocator::__private::suggestion;

use crate::class::{StateInfo, leak};
use crate::level::{Cx, StateIndex};
use crate::reactions::Run;
use crate::value::event::{Answer, Event, Value};
use crate::value::event_set::EventSet;
use crate::value::name::Name;
use crate::value::properties::Properties;
use crate::{Actor, ActorClass};

/// A state's body that waits until all of the class's are known.
pub(crate) type Pending = (usize, Event, Box<Run>);

/// Describes a class: see [`Actor::describe`]. What is not said is as in the parent class.
///
/// ```
/// use acedia_actors::{Actor, ActorRef, ClassBuilder, Cx, Event, Level, Pawn, Physics, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Drone { base: Pawn, children: u32, log: Vec<&'static str> }
///
/// impl Drone {
///     fn note(cx: &mut Cx<Self>, what: &'static str) {
///         cx.log.push(what);
///     }
/// }
///
/// impl Actor for Drone {
///     actor!(Drone, "Doc.Drone", parent = Pawn, in base);
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.defaults(|it| it.physics = Physics::Flying);
///         // Its life. Bodies that are not given are the parent's.
///         class
///             .spawned(|cx| Self::note(cx, "spawned"))
///             .begin_play(|cx| Self::note(cx, "begin_play"))
///             .post_begin_play(|cx| Self::note(cx, "post_begin_play"))
///             .post_net_begin_play(|cx| Self::note(cx, "post_net_begin_play"))
///             .tick(|cx, _seconds| Self::note(cx, "tick"))
///             .destroyed(|cx| Self::note(cx, "destroyed"));
///         // The others. A body is given who it is about, and answers where the event is a question.
///         class
///             .gained_child(|cx, _child: ActorRef| cx.children += 1)
///             .lost_child(|cx, _child| cx.children -= 1)
///             .touch(|cx, other| drop(cx.others().destroy(other)))
///             .un_touch(|cx, _other| Self::note(cx, "un_touch"))
///             .attach(|cx, _rider| Self::note(cx, "attach"))
///             .detach(|cx, _rider| Self::note(cx, "detach"))
///             .base_change(|cx| Self::note(cx, "base_change"))
///             .zone_change(|cx, _zone| Self::note(cx, "zone_change"))
///             .physics_volume_change(|cx, _volume| Self::note(cx, "physics_volume_change"))
///             .encroached_by(|cx, _other| Self::note(cx, "encroached_by"))
///             .encroaching_on(|_cx, _other| false); // stays nevertheless
///         // The same in a state: these bodies count only there.
///         class.state("Landed").ignore(Event::Tick).end_state(|cx, _next| Self::note(cx, "take-off"));
///     }
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.begin_play("");
/// let drone = level.spawn::<Drone>(Spawn::new()).unwrap();
/// let cargo = level.spawn::<Pawn>(Spawn::new().owned_by(drone)).unwrap();
/// assert_eq!(level.get(drone).unwrap().children, 1);
/// level.destroy(cargo);
/// level.tick(0.1);
/// level.goto_state(drone, "Landed");
/// level.tick(0.1); // not seen
/// level.goto_state(drone, "");
/// assert_eq!(level.get(drone).unwrap().children, 0);
/// assert!(level.get(drone).unwrap().log.ends_with(&["tick", "take-off"]));
/// ```
pub struct ClassBuilder<'a, T> {
    class: &'a mut ActorClass,
    pending: &'a mut Vec<Pending>,
    actor: PhantomData<fn() -> T>,
}

impl<'a, T: Actor> ClassBuilder<'a, T> {
    pub(crate) fn new(class: &'a mut ActorClass, pending: &'a mut Vec<Pending>) -> Self {
        Self {
            class,
            pending,
            actor: PhantomData,
        }
    }

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
        let index = self.class.state_place(name).unwrap_or_else(|| {
            self.class.states.push(StateInfo {
                name,
                parent: None,
                ignored: EventSet::default(),
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
        body: impl Fn(&mut Cx<'_, T>, &Value) -> Answer + Send + Sync + 'static,
    ) -> &mut Self {
        let inherited = self.class.bodies[event as usize];
        self.class.bodies[event as usize] = Some(leak(run(body), inherited));
        self
    }
}

fn run<T: Actor>(body: impl Fn(&mut Cx<'_, T>, &Value) -> Answer + Send + Sync + 'static) -> Box<Run> {
    Box::new(move |inner, me, this, message| body(&mut Cx::new(inner, me, this, message.event), &message.value))
}

impl<T> fmt::Debug for ClassBuilder<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClassBuilder({}, {})", self.class, type_name::<T>())
    }
}

/// Describes a state: see [`ClassBuilder::state`].
///
/// ```
/// use acedia_actors::{Actor, ClassBuilder, Event, Level, Name, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Lift { stops: u32, alarms: u32 }
/// impl Actor for Lift {
///     actor!(Lift, "Doc.Lift");
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.state("Resting").auto().begin_state(|cx, _previous| cx.stops += 1);
///         class.state("Broken").extends("Resting").ignore(Event::Touch).tick(|cx, _seconds| cx.alarms += 1);
///         class.state("Moving");
///     }
/// }
///
/// let mut level = Level::new(Rules::ue3());
/// level.begin_play("");
/// let lift = level.spawn::<Lift>(Spawn::new()).unwrap();
/// level.goto_state(lift, "Moving");
/// level.goto_state(lift, "Broken"); // begins as `Resting` does
/// level.force_state(lift, "Broken"); // once more
/// level.tick(0.1);
/// assert_eq!((level.get(lift).unwrap().stops, level.get(lift).unwrap().alarms), (3, 1));
/// assert!(level.push_state(lift, "Moving") && level.paused_states(lift) == [Name::new("Broken")]);
/// assert!(level.pop_all_states(lift) && level.state(lift) == Name::new("Broken"));
/// ```
pub struct StateBuilder<'a, T> {
    class: &'a mut ActorClass,
    index: usize,
    pending: &'a mut Vec<Pending>,
    actor: PhantomData<fn() -> T>,
}

impl<T: Actor> StateBuilder<'_, T> {
    /// Actors enter this state first.
    pub fn auto(&mut self) -> &mut Self {
        self.class.auto_state = StateIndex::new(self.index);
        self
    }

    /// In this state, nothing happens at `event`.
    #[doc(alias = "ignores")]
    pub fn ignore(&mut self, event: Event) -> &mut Self {
        self.class.states[self.index].ignored.insert(event);
        self
    }

    /// What this state does not say is as in the state `parent`, which must have been described before, in this class or in
    /// one above.
    ///
    /// # Panics
    ///
    /// If there is no such state, or it is this one, or came to the class after it. So does whatever asks for the class first.
    pub fn extends(&mut self, parent: impl Into<Name>) -> &mut Self {
        let name = parent.into();
        let before = &self.class.states[..self.index];
        let Some(parent) = before.iter().position(|state| state.name == name) else {
            let state = self.class.states[self.index].name;
            let names: Vec<_> = before.iter().map(|state| state.name.to_string()).collect();
            let near = suggestion(name.as_str(), names.iter().map(String::as_str));
            panic!(
                "state `{state}` of {} extends `{name}`, which is no state described before it{near}",
                self.class
            );
        };
        self.class.states[self.index].parent = Some(parent);
        self
    }

    pub(crate) fn put(
        &mut self,
        event: Event,
        body: impl Fn(&mut Cx<'_, T>, &Value) -> Answer + Send + Sync + 'static,
    ) -> &mut Self {
        self.class.states[self.index].ignored.remove(event);
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
