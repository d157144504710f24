//! [`Sent`]: the events of a spawn that the rules send.

use super::event::Event;
use super::event_set::EventSet;
use super::rules::{PostBeginPlaySlot, Rules};

pub(crate) struct Sent {
    /// The events up to Q11.
    pub(crate) in_spawn: EventSet,
    /// The events of Q14.
    pub(crate) at_last: EventSet,
    /// The events that follow the first variables of an actor from the network.
    pub(crate) when_received: EventSet,
}

impl Sent {
    pub(crate) fn by(rules: &Rules) -> Self {
        let slot = rules.post_begin_play_slot;
        let late = slot == PostBeginPlaySlot::InsteadOfPostNetBeginPlay;
        // With `BeforeInitialState` and without `post_net_begin_play`, an actor from the network gets `post_begin_play` after
        // its variables.
        let received = late || (slot == PostBeginPlaySlot::BeforeInitialState && !rules.post_net_begin_play);
        let at_last = |post_begin_play| {
            EventSet::of(&[
                (Event::PostNetBeginPlay, rules.post_net_begin_play),
                (Event::PostBeginPlay, post_begin_play),
            ])
        };
        Self {
            in_spawn: EventSet::of(&[
                (Event::InitPhysics, rules.physics_init),
                (Event::Spawned, rules.spawned),
                (Event::NativeSpawned, rules.native_spawned),
                (Event::PreBeginPlay, true),
                (Event::BeginPlay, rules.begin_play),
                (Event::PostBeginPlay, !late),
                (Event::NativePostBeginPlay, rules.native_post_begin_play),
                (Event::SetInitialState, true),
            ]),
            at_last: at_last(late),
            when_received: at_last(received),
        }
    }
}
