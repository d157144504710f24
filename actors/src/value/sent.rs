//! [`Sent`]: which events of a spawn the rules have.

use super::event::Event;
use super::event_set::EventSet;
use super::rules::{PostBeginPlaySlot, Rules};

/// The events that rules have.
pub(crate) struct Sent {
    /// Up to Q11.
    pub(crate) in_spawn: EventSet,
    /// In Q14.
    pub(crate) at_last: EventSet,
}

impl Sent {
    pub(crate) fn by(rules: &Rules) -> Self {
        let late = rules.post_begin_play_slot == PostBeginPlaySlot::InsteadOfPostNetBeginPlay;
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
            at_last: EventSet::of(&[
                (Event::PostNetBeginPlay, rules.post_net_begin_play),
                (Event::PostBeginPlay, late),
            ]),
        }
    }
}
