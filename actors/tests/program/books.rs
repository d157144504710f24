//! The facts about each actor that follow from the traces so far.

use std::collections::{BTreeMap, BTreeSet};

use acedia_actors::{Event, Happening, Name, Trace};

use super::journal::Node;

/// The base of an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// The level's own actor, which is not told of its riders.
    Level,
    Actor(String),
}

/// The state of an actor, and how it may go on.
#[derive(Clone, Copy, Default)]
struct State {
    now: Name,
    /// The actor was told that the state ends or pauses: another may begin.
    left: bool,
    /// How many `EndState`s it is in: there the state may change again without another.
    leaving: u32,
}

#[derive(Default)]
pub(crate) struct Books {
    pub(crate) made: BTreeSet<String>,
    pub(crate) dead: BTreeSet<String>,
    /// Pairs of an actor that was told of a touch, and the actor that it touches.
    pub(crate) touching: BTreeSet<(String, String)>,
    /// Children and their owners.
    pub(crate) owners: BTreeMap<String, String>,
    bases: BTreeMap<String, Base>,
    states: BTreeMap<String, State>,
    /// Events, their receivers and the actors they were about, since this was last cleared.
    pub(crate) recent: BTreeSet<(&'static str, String, String)>,
    /// Whether there is a notifier.
    pub(crate) has_notifier: bool,
    /// How many notifiers are being asked.
    notifying: usize,
    /// Pairs of an actor that is being told of the end of a touch, and the actor to be told next.
    parting: Vec<(String, String)>,
    pub(crate) seen: BTreeSet<&'static str>,
}

impl Books {
    /// Something has begun: its inside comes next.
    pub(crate) fn enter(&mut self, trace: &Trace) {
        let on = trace.on.clone();
        if matches!(trace.happening, Happening::Call { .. }) && self.dead.contains(&on) {
            return; // Its own handler calls its function.
        }
        assert!(!self.dead.contains(&on), "something happened to a dead actor: {trace}");
        self.follow_state(trace);
        let (event, about) = match &trace.happening {
            Happening::Made => {
                assert!(self.made.insert(on), "made twice: {trace}");
                return;
            }
            Happening::Dead => {
                self.touching.retain(|(receiver, _)| *receiver != on);
                self.owners.retain(|child, owner| *owner != on && *child != on);
                let base = Base::Actor(on.clone());
                self.bases.retain(|rider, it| *it != base && *rider != on);
                self.dead.insert(on);
                return;
            }
            Happening::Event { event, argument } => (*event, argument.clone().unwrap_or_default()),
            _ => return,
        };
        self.seen.insert(event.name());
        self.recent.insert((event.name(), on.clone(), about.clone()));
        match event {
            Event::Touch => {
                // They touch again during the end of their last contact.
                let again = |(receiver, other): &&mut (String, String)| *receiver == about && *other == on;
                self.parting
                    .iter_mut()
                    .filter(again)
                    .for_each(|(_, other)| other.clear());
                assert!(self.touching.insert((on, about)), "touched twice: {trace}");
            }
            Event::UnTouch => {
                let pair = (on, about);
                assert!(self.touching.remove(&pair), "never touched: {trace}");
                if trace.row == "K6" {
                    // The pair has ended on both sides, and the actor that is being destroyed is not told.
                    self.touching.remove(&(pair.1.clone(), pair.0.clone()));
                }
                self.parting.push(pair);
            }
            Event::GainedChild => assert!(self.owners.insert(about, on).is_none(), "not lost before: {trace}"),
            Event::LostChild => assert_eq!(self.owners.get(&about), Some(&on), "never gained: {trace}"),
            Event::Attach => {
                let old = self.bases.insert(about, Base::Actor(on));
                assert!(!matches!(old, Some(Base::Actor(_))), "not detached before: {trace}");
            }
            Event::Detach => assert_eq!(
                self.bases.get(&about),
                Some(&Base::Actor(on)),
                "never attached: {trace}"
            ),
            Event::SpawnNotification => self.notifying += 1,
            _ => {}
        }
    }

    /// A state ends, begins, pauses and goes on by events alone.
    fn follow_state(&mut self, trace: &Trace) {
        let state = self.states.entry(trace.on.clone()).or_default();
        let event = match trace.happening {
            Happening::Event { event, .. } if trace.row == "1.10" => Some(event),
            _ => None,
        };
        let enters = matches!(
            event,
            Some(Event::BeginState | Event::PushedState | Event::ContinuedState)
        );
        if state.now != trace.state {
            let may_end = state.now.is_none() || state.left || state.leaving > 0;
            assert!(may_end, "it was not told that {} ends: {trace}", state.now);
            let may_begin = enters || trace.state.is_none() || event == Some(Event::PoppedState);
            assert!(may_begin, "it was not told that {} begins: {trace}", trace.state);
        }
        if state.now != trace.state || enters {
            *state = State {
                now: trace.state,
                left: false,
                ..*state
            };
        }
        match event {
            Some(Event::EndState) => {
                state.left = true;
                state.leaving += 1;
            }
            Some(Event::PausedState | Event::PoppedState) => state.left = true,
            _ => {}
        }
    }

    /// The state of an actor as far as it is known; `None` if it may have left all states without another event.
    pub(crate) fn state(&self, name: &str) -> Option<Name> {
        let state = self.states.get(name).copied().unwrap_or_default();
        (!state.left && state.leaving == 0).then_some(state.now)
    }

    /// `node` is over, with all that is inside of it.
    pub(crate) fn leave(&mut self, node: &Node) {
        let (on, about) = (&node.trace.on, node.about());
        match node.event() {
            // A child that is being destroyed (K7) keeps its owner until it is dead.
            Some(Event::LostChild) if node.trace.row != "K7" && self.owners.get(about) == Some(on) => {
                self.owners.remove(about);
            }
            Some(Event::Detach) if self.bases.get(about) == Some(&Base::Actor(on.clone())) => {
                self.bases.remove(about);
            }
            Some(Event::SpawnNotification) => self.notifying -= 1,
            Some(Event::UnTouch) => _ = self.parting.pop(),
            Some(Event::EndState) if node.trace.row == "1.10" => {
                if let Some(state) = self.states.get_mut(on) {
                    state.leaving -= 1;
                    // A change to no state inside of it sends nothing.
                    state.left |= node.acted;
                }
            }
            _ => {}
        }
    }

    pub(crate) fn is_dead(&self, name: &str) -> bool {
        self.dead.contains(name)
    }

    /// Whether a notifier is shown a spawn now: not while one is asked.
    pub(crate) const fn notifies(&self) -> bool {
        self.has_notifier && self.notifying == 0
    }

    pub(crate) fn owner(&self, child: &str) -> Option<String> {
        self.owners.get(child).cloned()
    }

    pub(crate) fn base(&self, name: &str) -> Option<&Base> {
        self.bases.get(name)
    }

    /// An actor stands on the level's own actor, or no longer does. No event is sent.
    pub(crate) fn toggle_level_base(&mut self, name: &str) {
        match self.bases.remove(name) {
            None => _ = self.bases.insert(name.to_owned(), Base::Level),
            Some(Base::Level) => {}
            Some(base) => panic!("{name} has left {base:?}, which was not told"),
        }
    }

    /// The actors that stand on an actor.
    pub(crate) fn riders(&self, name: &str) -> Vec<String> {
        let stands = |base: &Base| matches!(base, Base::Actor(base) if base == name);
        let riders = self.bases.iter().filter(|(_, base)| stands(base));
        riders.map(|(rider, _)| rider.clone()).collect()
    }

    /// The actors that were told that they touch `name`, and that it has not begun to part with.
    pub(crate) fn told_of(&self, name: &str) -> Vec<String> {
        let parts = |receiver: &str| self.parting.iter().any(|(one, other)| one == name && other == receiver);
        let told = self.touching.iter();
        let told = told.filter(|(receiver, other)| other == name && !parts(receiver));
        told.map(|(receiver, _)| receiver.clone()).collect()
    }
}
