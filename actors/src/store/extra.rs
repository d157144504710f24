//! [`Extra`]: the rare fields of an actor, added when they are first needed.

use acedia::Owned;

use super::head::{Fact, Head};
use super::ties::Ties;
use super::waits::Waits;
use crate::class::state_index::StateIndex;
use crate::class::token::Life;
use crate::value::name::Name;
use crate::value::properties::Properties;

/// The connection of the player that an actor represents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Connection {
    #[default]
    None,
    Open,
    Closing,
}

/// The rare fields of an actor. When the actor dies, the next actor that needs such fields reuses them, with the memory of
/// their lists.
#[derive(Default)]
pub(crate) struct Extra {
    /// The actor's own properties, if it has any.
    pub(super) properties: Option<Properties>,
    /// The name that the spawn asked for.
    pub(crate) name: Name,
    /// The paused states below the active state, the lowest first.
    pub(crate) paused: Vec<StateIndex>,
    pub(crate) connection: Connection,
    /// The actors based on it.
    pub(crate) attached: Ties<()>,
    pub(crate) waits: Waits,
    /// The target of `NativeActorRef`s, if there are any.
    pub(crate) token: Option<Owned<Life>>,
}

/// All extras of a level.
#[derive(Default)]
pub(crate) struct Extras {
    all: Vec<Extra>,
    /// For each extra, the actors that its actor touches, and whether the actor was sent `touch` about each. Separate, because
    /// each move reads it, and an extra has five cache lines.
    contacts: Vec<Ties<bool>>,
    free: Vec<u32>,
}

impl Extras {
    #[inline]
    pub(super) fn of(&self, head: &Head) -> Option<&Extra> {
        self.all.get(head.extra as usize)
    }

    /// An actor's own properties, or its class's.
    #[inline]
    pub(crate) fn properties(&self, head: &Head) -> &Properties {
        if head.is(Fact::OwnProperties) {
            if let Some(own) = self.of(head).and_then(|extra| extra.properties.as_ref()) {
                return own;
            }
        }
        &head.class().initial
    }

    pub(super) fn of_mut(&mut self, head: &mut Head) -> &mut Extra {
        if head.extra == Head::NO_EXTRA {
            head.extra = self.free.pop().unwrap_or_else(|| {
                self.all.push(Extra::default());
                self.contacts.push(Ties::default());
                // There are at most as many extras as slots, and slots fit into 32 bits.
                u32::try_from(self.all.len() - 1).unwrap_or(Head::NO_EXTRA)
            });
        }
        &mut self.all[head.extra as usize]
    }

    #[inline]
    pub(super) fn contacts(&self, head: &Head) -> Option<&Ties<bool>> {
        self.contacts.get(head.extra as usize)
    }

    pub(super) fn contacts_mut(&mut self, head: &mut Head) -> &mut Ties<bool> {
        self.of_mut(head);
        &mut self.contacts[head.extra as usize]
    }

    /// Empties and frees the extra of a dead actor.
    pub(super) fn release(&mut self, head: &mut Head) {
        if let Some(extra) = self.all.get_mut(head.extra as usize) {
            extra.properties = None;
            extra.name = Name::NONE;
            extra.paused.clear();
            extra.connection = Connection::None;
            extra.attached.clear();
            extra.waits.clear();
            extra.token = None;
            self.contacts[head.extra as usize].clear();
            self.free.push(std::mem::replace(&mut head.extra, Head::NO_EXTRA));
        }
    }
}

#[cfg(test)]
mod tests;
