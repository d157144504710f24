//! What the traces so far say of each actor.

use std::collections::{BTreeMap, BTreeSet};

use acedia_actors::{Event, Happening, Trace};

use super::journal::Node;

/// What an actor is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// The level's own actor, which is told of nobody.
    Level,
    Actor(String),
}

#[derive(Default)]
pub(crate) struct Books {
    pub(crate) made: BTreeSet<String>,
    pub(crate) dead: BTreeSet<String>,
    /// Who was told that it touches whom.
    pub(crate) touching: BTreeSet<(String, String)>,
    /// Children and their owners.
    pub(crate) owners: BTreeMap<String, String>,
    bases: BTreeMap<String, Base>,
    /// Whether there is a notifier.
    pub(crate) has_notifier: bool,
    /// How many notifiers are being asked.
    notifying: usize,
    /// Who is being told that it touches whom no longer; the other side comes next.
    parting: Vec<(String, String)>,
    pub(crate) seen: BTreeSet<&'static str>,
}

impl Books {
    /// Something has begun: what is inside of it comes next.
    pub(crate) fn enter(&mut self, trace: &Trace) {
        let on = trace.on.clone();
        assert!(!self.dead.contains(&on), "something happened to a dead actor: {trace}");
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
        match event {
            Event::Touch => assert!(self.touching.insert((on, about)), "touched twice: {trace}"),
            Event::UnTouch => {
                let pair = (on, about);
                assert!(self.touching.remove(&pair), "never touched: {trace}");
                if trace.row == "K6" {
                    // The pair has ended on both sides, and whoever is being destroyed is not told.
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

    /// It is over, with all that is inside of it.
    pub(crate) fn leave(&mut self, node: &Node) {
        let (on, about) = (&node.trace.on, node.about());
        match node.event() {
            // Whoever dies is its owner's until then.
            Some(Event::LostChild) if node.trace.row != "K7" && self.owners.get(about) == Some(on) => {
                self.owners.remove(about);
            }
            Some(Event::Detach) if self.bases.get(about) == Some(&Base::Actor(on.clone())) => {
                self.bases.remove(about);
            }
            Some(Event::SpawnNotification) => self.notifying -= 1,
            Some(Event::UnTouch) => _ = self.parting.pop(),
            _ => {}
        }
    }

    pub(crate) fn is_dead(&self, name: &str) -> bool {
        self.dead.contains(name)
    }

    /// Whether a notifier is shown what is spawned now: not what is spawned while one is asked.
    pub(crate) const fn notifies(&self) -> bool {
        self.has_notifier && self.notifying == 0
    }

    pub(crate) fn owner(&self, child: &str) -> Option<String> {
        self.owners.get(child).cloned()
    }

    pub(crate) fn base(&self, name: &str) -> Option<&Base> {
        self.bases.get(name)
    }

    /// An actor stands on the level's own actor, or no longer does. Nobody is told.
    pub(crate) fn toggle_level_base(&mut self, name: &str) {
        match self.bases.remove(name) {
            None => _ = self.bases.insert(name.to_owned(), Base::Level),
            Some(Base::Level) => {}
            Some(base) => panic!("{name} has left {base:?}, which was not told"),
        }
    }

    /// Those that stand on an actor.
    pub(crate) fn riders(&self, name: &str) -> Vec<String> {
        let stands = |base: &Base| matches!(base, Base::Actor(base) if base == name);
        let riders = self.bases.iter().filter(|(_, base)| stands(base));
        riders.map(|(rider, _)| rider.clone()).collect()
    }

    /// Those that were told that they touch an actor, and that the actor has not begun to part with.
    pub(crate) fn told_of(&self, name: &str) -> Vec<String> {
        let parts = |receiver: &str| self.parting.iter().any(|(one, other)| one == name && other == receiver);
        let told = self.touching.iter();
        let told = told.filter(|(receiver, other)| other == name && !parts(receiver));
        told.map(|(receiver, _)| receiver.clone()).collect()
    }
}
