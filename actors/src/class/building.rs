//! The methods of [`ClassBuilder`] and [`StateBuilder`], except those that take bodies of events.

use std::any::{TypeId, type_name};
use std::marker::PhantomData;

use acedia::__private::suggestion;

use super::actor::Actor;
use super::actor_class::{ActorClass, Kin, Pending, StateInfo};
use super::builder::{ClassBuilder, StateBuilder};
use super::function::Function;
use super::state_index::StateIndex;
use crate::value::event::Event;
use crate::value::name::Name;
use crate::value::properties::Properties;

impl<'a, T: Actor> ClassBuilder<'a, T> {
    pub(super) fn new(class: &'a mut ActorClass, pending: &'a mut Vec<Pending>) -> Self {
        Self {
            class,
            pending,
            actor: PhantomData,
        }
    }

    /// Sets the default properties of the class's actors.
    #[doc(alias = "GetDefaultActor")]
    pub fn defaults(&mut self, change: impl FnOnce(&mut Properties)) -> &mut Self {
        change(&mut self.class.properties);
        self
    }

    /// Makes the class abstract: only classes that descend from it can have actors.
    #[doc(alias = "abstract")]
    pub fn make_abstract(&mut self) -> &mut Self {
        self.class.is_abstract = true;
        self
    }

    /// Describes a state of the class. If a parent class has a state of this name, the description extends that state.
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
    /// level.start();
    /// let door = level.spawn::<Door>(Spawn::new()).unwrap();
    /// assert_eq!(level.state(door), Name::new("Closed"));
    /// level.goto_state(door, "Open");
    /// assert_eq!(level.get(door).unwrap().opened, 1);
    /// ```
    pub fn state(&mut self, name: impl Into<Name>) -> StateBuilder<'_, T> {
        let name = name.into();
        let index = self.class.state_place(name).unwrap_or_else(|| {
            self.class.states.push(StateInfo::new(name));
            self.class.states.len() - 1
        });
        StateBuilder::new(self.class, index, self.pending)
    }

    pub(crate) fn kin(&mut self, change: impl FnOnce(&mut Kin)) -> &mut Self {
        change(&mut self.class.kin);
        self
    }
}

impl<T: Actor> StateBuilder<'_, T> {
    /// Makes this the state that actors enter first.
    pub fn auto(&mut self) -> &mut Self {
        self.class.auto_state = StateIndex::new(self.index);
        self
    }

    /// Ignores `event` in this state.
    #[doc(alias = "ignores")]
    pub fn ignore(&mut self, event: Event) -> &mut Self {
        self.class.states[self.index].ignored.insert(event);
        self
    }

    /// Ignores a function in this state: a call returns the null value.
    ///
    /// # Panics
    ///
    /// As [`ClassBuilder::function`].
    #[doc(alias = "ignores")]
    pub fn ignore_function<D: Actor, A, R>(&mut self, function: &'static Function<D, A, R>) -> &mut Self {
        let place = place_of::<T, _, _, _>(self.class, function);
        self.class.states[self.index].set_function(place, None);
        self
    }

    /// Inherits from the state `parent`, which must have been described before, in this class or in an ancestor.
    ///
    /// # Panics
    ///
    /// If there is no such state, if it is this state, or if it was described after this state. The call that first uses the
    /// class panics.
    pub fn extends(&mut self, parent: impl Into<Name>) -> &mut Self {
        let name = parent.into();
        let before = &self.class.states[..self.index];
        let Some(parent) = before.iter().position(|state| state.name == name) else {
            let state = self.class.states[self.index].name;
            let names: Vec<_> = before.iter().map(|state| state.name.to_string()).collect();
            let near = suggestion(name.as_str(), names.iter().map(String::as_str));
            panic!(
                "state `{state}` of {} extends `{name}`, which is not a state described before it{near}",
                self.class
            );
        };
        self.class.states[self.index].parent = Some(parent);
        self
    }
}

/// The place of a function in the class of `T`. Declares the function if it is one of `T` and not declared yet.
///
/// # Panics
///
/// If the class does not inherit the function, or has another function of its name.
pub(crate) fn place_of<T: Actor, D: Actor, A, R>(
    class: &mut ActorClass,
    function: &'static Function<D, A, R>,
) -> usize {
    let (id, name) = (function.id(), function.name());
    if class.functions.entry(function.place(), id).is_some() {
        return function.place();
    }
    assert!(
        TypeId::of::<T>() == TypeId::of::<D>(),
        "{class} does not inherit the function {name} of the type {}",
        type_name::<D>()
    );
    let place = class.functions.declare(id, name).unwrap_or_else(|other| {
        panic!("{class} has two functions named {other}; to override the inherited one, pass its `Function`");
    });
    function.set_place(place);
    place
}
