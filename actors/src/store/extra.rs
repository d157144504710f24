//! [`Extra`]: what few actors have, made when it is first needed.

use acedia_allocator::Owned;

use super::head::Head;
use super::ties::Ties;
use crate::class::state_index::StateIndex;
use crate::class::token::Life;
use crate::value::name::Name;
use crate::value::properties::Properties;

/// Whether a player is behind an actor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Connection {
    #[default]
    None,
    Open,
    Closing,
}

/// What few actors have. When one dies, another one gets it, with the memory of its lists.
#[derive(Default)]
pub(crate) struct Extra {
    /// Its own, if they differ from those of its class.
    pub(super) properties: Option<Properties>,
    /// The name that was asked for.
    pub(crate) name: Name,
    /// The states below the active one, the deepest first.
    pub(crate) paused: Vec<StateIndex>,
    pub(crate) connection: Connection,
    /// Those that it touches, and whether this side was sent `touch`.
    pub(crate) touching: Ties<bool>,
    /// Those that are based on it.
    pub(crate) attached: Ties<()>,
    /// What `NativeActorRef`s refer to; only if there is one.
    pub(crate) token: Option<Owned<Life>>,
}

/// All of a level, and which of them nobody has.
#[derive(Default)]
pub(crate) struct Extras {
    extras: Vec<Extra>,
    free: Vec<u32>,
}

impl Extras {
    #[inline]
    pub(super) fn of(&self, head: &Head) -> Option<&Extra> {
        self.extras.get(head.extra as usize)
    }

    /// An actor's own properties, or its class's.
    #[inline]
    pub(crate) fn properties(&self, head: &Head) -> &Properties {
        let own = self.of(head).and_then(|extra| extra.properties.as_ref());
        own.unwrap_or(&head.class.initial)
    }

    pub(super) fn of_mut(&mut self, head: &mut Head) -> &mut Extra {
        if head.extra == Head::NO_EXTRA {
            head.extra = self.free.pop().unwrap_or_else(|| {
                self.extras.push(Extra::default());
                // There are no more of them than of slots, whose numbers fit.
                u32::try_from(self.extras.len() - 1).unwrap_or(Head::NO_EXTRA)
            });
        }
        &mut self.extras[head.extra as usize]
    }

    /// Takes it away from an actor that is no more.
    pub(super) fn release(&mut self, head: &mut Head) {
        if let Some(extra) = self.extras.get_mut(head.extra as usize) {
            extra.properties = None;
            extra.name = Name::NONE;
            extra.paused.clear();
            extra.connection = Connection::None;
            extra.touching.clear();
            extra.attached.clear();
            extra.token = None;
            self.free.push(std::mem::replace(&mut head.extra, Head::NO_EXTRA));
        }
    }
}

#[cfg(test)]
mod tests;
