//! [`ClassBuilder`] and [`StateBuilder`]: a class while it is described.

use std::any::{Any, type_name};
use std::fmt;
use std::marker::PhantomData;

use super::actor_class::{ActorClass, Pending};
use super::code::Code;
use super::reactions::{Body, Run};
use crate::value::event::Event;

/// Describes a class: see [`Actor::describe`](crate::Actor::describe). The class inherits everything else from its
/// parent.
///
/// ```
/// use acedia_actors::{
///     Actor, ActorRef, ClassBuilder, Cx, Event, Level, Pawn, Physics, Rules, Spawn, Stage,
///     actor,
/// };
///
/// #[derive(Default)]
/// struct Drone { pawn: Pawn, children: u32, log: Vec<&'static str> }
///
/// impl Drone {
///     fn note(cx: &mut Cx<Self>, what: &'static str) {
///         cx.log.push(what);
///     }
/// }
///
/// impl Actor for Drone {
///     actor!(Drone, "Doc.Drone", parent = Pawn, in pawn);
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
///         // Events about another actor, which the body is given. A question has an answer.
///         class
///             .gained_child(|cx, _child: ActorRef| cx.children += 1)
///             .lost_child(|cx, _child| cx.children -= 1)
///             .touch(|cx, other| drop(cx.others.destroy(other)))
///             .un_touch(|cx, _other| Self::note(cx, "un_touch"))
///             .attach(|cx, _rider| Self::note(cx, "attach"))
///             .detach(|cx, _rider| Self::note(cx, "detach"))
///             .base_change(|cx| Self::note(cx, "base_change"))
///             .zone_change(|cx, _zone| Self::note(cx, "zone_change"))
///             .physics_volume_change(|cx, _volume| Self::note(cx, "physics_volume_change"))
///             .encroached_by(|cx, _other| Self::note(cx, "encroached_by"))
///             .encroaching_on(|_cx, _other| false); // stays nevertheless
///         // The same in a state: these bodies count only there.
///         class
///             .state("Landed")
///             .ignore(Event::Tick)
///             .end_state(|cx, _next| Self::note(cx, "take-off"));
///     }
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
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
    pub(crate) class: &'a mut ActorClass,
    pub(super) pending: &'a mut Vec<Pending>,
    pub(super) actor: PhantomData<fn() -> T>,
}

impl<T> ClassBuilder<'_, T> {
    /// Overrides the class's body of an event.
    pub(crate) fn override_body(&mut self, event: Event, run: Box<Run>) {
        let body = &mut self.class.bodies[event as usize];
        *body = Some(Body::leak(event, run, *body));
    }

    /// Overrides the class's body of the function at `place`.
    pub(crate) fn override_function(&mut self, place: usize, run: Box<dyn Any + Send + Sync>) {
        let functions = &mut self.class.functions;
        let body = functions.new_body(place, run, functions.body(place));
        functions.set_body(place, Some(body));
    }
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
///         class
///             .state("Broken")
///             .extends("Resting")
///             .ignore(Event::Touch)
///             .tick(|cx, _seconds| cx.alarms += 1);
///         class.state("Moving");
///     }
/// }
///
/// let mut level = Level::new(Rules::ue3());
/// level.start();
/// let lift = level.spawn::<Lift>(Spawn::new()).unwrap();
/// level.goto_state(lift, "Moving");
/// level.goto_state(lift, "Broken"); // begins as `Resting` does
/// level.force_state(lift, "Broken"); // once more
/// level.tick(0.1);
/// assert_eq!((level.get(lift).unwrap().stops, level.get(lift).unwrap().alarms), (3, 1));
/// assert!(
///     level.push_state(lift, "Moving")
///         && level.paused_states(lift) == [Name::new("Broken")]
/// );
/// assert!(level.pop_all_states(lift) && level.state(lift) == Name::new("Broken"));
/// ```
pub struct StateBuilder<'a, T> {
    pub(crate) class: &'a mut ActorClass,
    pub(super) index: usize,
    pending: &'a mut Vec<Pending>,
    actor: PhantomData<fn() -> T>,
}

impl<'a, T> StateBuilder<'a, T> {
    pub(super) fn new(class: &'a mut ActorClass, index: usize, pending: &'a mut Vec<Pending>) -> Self {
        Self {
            class,
            index,
            pending,
            actor: PhantomData,
        }
    }

    /// Overrides the body of the function at `place` in this state, once all bodies of the class are known.
    pub(crate) fn override_function(&mut self, place: usize, run: Box<dyn Any + Send + Sync>) {
        self.pending.push(Pending::Function(self.index, place, run));
    }

    /// Sets the code of this state. Leaked, because a class is never freed.
    pub(crate) fn set_code(&mut self, code: Code) {
        self.class.states[self.index].code = Some(Box::leak(Box::new(code)));
    }

    /// The state and its class, for a panic message.
    pub(crate) fn described(&self) -> String {
        format!("state `{}` of {}", self.class.states[self.index].name, self.class)
    }

    /// Overrides the body of an event in this state, once all bodies of the class are known.
    pub(crate) fn override_body(&mut self, event: Event, run: Box<Run>) {
        self.class.states[self.index].ignored.remove(event);
        self.pending.push(Pending::Event(self.index, event, run));
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
