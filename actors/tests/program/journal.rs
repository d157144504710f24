//! The events of a level as a tree, with actions of handlers that may leave no trace.

use std::iter::Peekable;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acedia_actors::{Event, EventSink, Happening, Step, Trace};

use super::clocks::Clocks;

/// One thing that happened, and what happened inside of it.
pub(crate) struct Node {
    pub(crate) trace: Trace,
    pub(crate) inside: Vec<Node>,
    /// Whether a handler acted in it, or between it and the next thing: then what follows may differ.
    pub(crate) acted: bool,
}

impl Node {
    pub(crate) fn event(&self) -> Option<Event> {
        match self.trace.happening {
            Happening::Event { event, .. } => Some(event),
            _ => None,
        }
    }

    /// The name of the actor that the event is about.
    pub(crate) fn about(&self) -> &str {
        match &self.trace.happening {
            Happening::Event { argument, .. } => argument.as_deref().unwrap_or_default(),
            _ => "",
        }
    }

    /// Whether this is an event of this step, sent to this actor.
    pub(crate) fn is(&self, row: &str, event: Event, on: &str) -> bool {
        self.trace.row == row && self.event() == Some(event) && self.trace.on == on
    }

    /// Whether an actor died in it.
    pub(crate) fn kills(&self, name: &str) -> bool {
        (self.trace.happening == Happening::Dead && self.trace.on == name)
            || self.inside.iter().any(|node| node.kills(name))
    }
}

/// Records what happens, and tells the clocks. Clones share the record.
#[derive(Clone, Default)]
pub(crate) struct Journal {
    entries: Arc<Mutex<Vec<(Trace, bool)>>>,
    /// A hash (FNV-1a) of all that has happened.
    pub(crate) trail: Arc<AtomicU64>,
    pub(crate) clocks: Clocks,
}

impl EventSink for Journal {
    fn record(&mut self, step: &Step<'_>) {
        let trace = step.trace();
        self.clocks.hear(&trace);
        let trail = trace
            .to_string()
            .bytes()
            .fold(self.trail.load(Ordering::Relaxed), |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
            });
        self.trail.store(trail, Ordering::Relaxed);
        self.entries.lock().unwrap().push((trace, false));
    }
}

impl Journal {
    /// A handler is about to do something.
    pub(crate) fn act(&self) {
        if let Some((_, acted)) = self.entries.lock().unwrap().last_mut() {
            *acted = true;
        }
    }

    /// Takes the entries out, as a tree.
    pub(crate) fn take(&self) -> Vec<Node> {
        let entries = std::mem::take(&mut *self.entries.lock().unwrap());
        let mut entries = entries.into_iter().peekable();
        let mut nodes = Vec::new();
        while let Some(node) = next(&mut entries) {
            nodes.push(node);
        }
        nodes
    }
}

/// The next thing with all that is deeper than it.
fn next(entries: &mut Peekable<impl Iterator<Item = (Trace, bool)>>) -> Option<Node> {
    let (trace, mut acted) = entries.next()?;
    let mut inside = Vec::new();
    while entries.peek().is_some_and(|(deeper, _)| deeper.depth > trace.depth) {
        let node = next(entries)?;
        acted |= node.acted;
        inside.push(node);
    }
    acted |= !inside.is_empty();
    Some(Node { trace, inside, acted })
}
