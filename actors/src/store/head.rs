//! [`Head`]: the most used fields of an actor, in half a cache line.

use crate::class::actor_class::ActorClass;
use crate::class::reactions::Reactions;
use crate::class::state_index::StateIndex;
use crate::value::actor_ref::ActorRef;

/// The fields of an actor that accesses, events, ticks and most destructions need.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    /// The reactions of its class in its state.
    pub(crate) reactions: &'static Reactions,
    owner: Option<ActorRef>,
    /// The life that a valid reference has. It changes when the actor dies. 0 if the slot is worn out.
    pub(crate) life: u32,
    /// The row of the Rust value, or [`NO_ROW`](Self::NO_ROW) once the value is reclaimed.
    pub(crate) row: u32,
    /// The index of the rare fields, or [`NO_EXTRA`](Self::NO_EXTRA) while there are none.
    pub(crate) extra: u32,
    pub(crate) state: StateIndex,
    facts: u16,
}

const _: () = assert!(size_of::<Head>() <= 32, "two to a cache line");

impl Head {
    pub(crate) const NO_ROW: u32 = u32::MAX;
    pub(crate) const NO_EXTRA: u32 = u32::MAX;

    pub(crate) fn new(class: &'static ActorClass, life: u32, row: u32) -> Self {
        Self {
            reactions: class.reactions(StateIndex::NONE),
            owner: None,
            life,
            row,
            extra: Self::NO_EXTRA,
            state: StateIndex::NONE,
            facts: 0,
        }
    }

    #[inline]
    pub(crate) const fn class(&self) -> &'static ActorClass {
        self.reactions.class
    }

    /// The id of its class, which is the index of the column, and its row in that column.
    #[inline]
    pub(crate) const fn place(&self) -> (usize, usize) {
        (self.reactions.id, self.row as usize)
    }

    /// Puts it into a state of its class, or into no state.
    pub(crate) fn enter(&mut self, state: StateIndex) {
        self.reactions = self.class().reactions(state);
        self.state = state;
    }

    #[inline]
    pub(crate) const fn is(&self, fact: Fact) -> bool {
        self.facts & fact.bit() != 0
    }

    #[inline]
    pub(crate) const fn set(&mut self, fact: Fact, to: bool) {
        self.facts = if to {
            self.facts | fact.bit()
        } else {
            self.facts & !fact.bit()
        };
    }

    /// Whether a frame only sends it `tick`, if the properties of its class say so. Tests all facts with one comparison,
    /// because each frame does it for each actor.
    #[inline]
    pub(crate) const fn is_plain(&self) -> bool {
        const OTHERS: u16 =
            Fact::TickedEarly.bit() | Fact::Waits.bit() | Fact::OwnTicks.bit() | Fact::YoungerOwner.bit();
        self.facts & OTHERS == 0
    }

    pub(crate) const fn owner(&self) -> Option<ActorRef> {
        self.owner
    }

    pub(super) const fn set_owner(&mut self, owner: Option<ActorRef>, is_younger: bool) {
        self.owner = owner;
        self.set(Fact::YoungerOwner, is_younger);
    }

    /// Whether its state can be changed.
    pub(crate) const fn can_change_state(&self) -> bool {
        self.is(Fact::HasStates) && !self.is(Fact::Dead)
    }
}

/// A boolean of an actor. A saved level has the facts without `skip`.
#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Fact {
    #[cfg_attr(feature = "serde", serde(skip))]
    Dead,
    /// Its destruction has begun.
    #[cfg_attr(feature = "serde", serde(skip))]
    Pending,
    ScriptInitialized,
    /// Its state can be changed.
    HasStates,
    /// A change of state is sending it `end_state`.
    #[cfg_attr(feature = "serde", serde(skip))]
    Leaving,
    /// Its state has changed since the last call of `announce`.
    #[cfg_attr(feature = "serde", serde(skip))]
    Moved,
    /// It has or had a base.
    HadBase,
    /// The collision world contains it.
    InHash,
    /// It has ticked in this frame before its place in the order, because it owns an older actor.
    #[cfg_attr(feature = "serde", serde(skip))]
    TickedEarly,
    /// It was received over the network, and its play begins with its first variables.
    AwaitsVariables,
    /// It has timers that are awake, or is in the code of its state.
    #[cfg_attr(feature = "serde", serde(skip))]
    Waits,
    /// It has an owner, dead or alive, whose place in the frame is after its own.
    #[cfg_attr(feature = "serde", serde(skip))]
    YoungerOwner,
    /// It has properties of its own.
    #[cfg_attr(feature = "serde", serde(skip))]
    OwnProperties,
    /// Its own properties may differ from its class's in whether it ticks: no frame has compared them since they changed, or
    /// they do differ.
    #[cfg_attr(feature = "serde", serde(skip))]
    OwnTicks,
}

impl Fact {
    const fn bit(self) -> u16 {
        1 << self as u16
    }
}
