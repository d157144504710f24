//! Actors, what other crates have in their place, and the ratios to reach.
//!
//! A thing has 64 bytes of its own in every contender; with bevy's components, 80.

mod bevy;
mod call;
mod life;
mod null;
mod ours;
mod read;
mod slots;
mod tick;
mod world;

use crate::workload::{ACEDIA, Against, Column, Goal, SHOWN, Workload};

/// Everything that is measured, in the order of the table.
pub static ALL: &[Workload] = &[
    Workload {
        name: "events",
        title: "Spawn and destroy an actor with handlers for its eleven events",
        unit: "ns",
        columns: &[
            Column::new("in order", life::events_in_order),
            Column::new("random order", life::events_in_random_order),
            Column::new("random order, 10,000", life::events_of_few_in_random_order),
            Column::new("churn", life::events_in_churn),
        ],
        goals: &[
            Goal {
                ours: ACEDIA,
                against: Against::Peer(bevy::OBSERVERS),
                at_most: &[Some(0.3); 4],
            },
            Goal {
                ours: ACEDIA,
                against: Against::Peer(bevy::ENTITY_EVENTS),
                at_most: &[Some(1.0); 4],
            },
        ],
        rounds: 11,
    },
    Workload {
        name: "plain",
        title: "Spawn and destroy an actor without handlers",
        unit: "ns",
        columns: &[
            Column::new("in order", life::plain_in_order),
            Column::new("random order", life::plain_in_random_order),
            Column::new("churn", life::plain_in_churn),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(bevy::PLAIN),
            at_most: &[SHOWN; 3],
        }],
        rounds: 11,
    },
    Workload {
        name: "read",
        title: "Read one of 100,000 actors by reference",
        unit: "ns",
        columns: &[
            Column::new("in order", read::in_order),
            Column::new("random order", read::in_random_order),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(bevy::PLAIN),
            at_most: &[Some(1.0); 2],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "call",
        title: "Call a function of one of 100,000 actors by reference",
        unit: "ns",
        columns: &[
            Column::new("in order", call::in_order),
            Column::new("random order", call::in_random_order),
        ],
        goals: &[
            Goal {
                ours: ACEDIA,
                against: Against::Peer(call::DYN),
                at_most: &[SHOWN; 2],
            },
            Goal {
                ours: ACEDIA,
                against: Against::Peer(bevy::ENTITY_EVENTS),
                at_most: &[Some(1.0); 2],
            },
        ],
        rounds: usize::MAX,
    },
    Workload {
        name: "null",
        title: "Destroy an actor that `NativeActorRef`s refer to",
        unit: "ns",
        columns: &[Column::new("destroy", null::cases)],
        goals: &[Goal {
            ours: null::MANY,
            against: Against::Peer(null::ONE),
            at_most: &[Some(1.1)],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "sink",
        title: "Tick, or spawn and destroy with eleven events, with and without a sink",
        unit: "ns",
        columns: &[
            Column::new("tick", tick::watched),
            Column::new("spawn and destroy", tick::watched_lives),
        ],
        goals: &[Goal {
            ours: tick::WATCHED,
            against: Against::Peer(tick::UNWATCHED),
            at_most: &[SHOWN; 2],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "tick",
        title: "Tick 100,000 actors with an empty handler, per actor",
        unit: "ns",
        columns: &[
            Column::new("one class", tick::cases),
            Column::new("eight classes mixed", tick::mixed),
        ],
        goals: &[
            Goal {
                ours: ACEDIA,
                against: Against::Peer(slots::SLOTMAP),
                at_most: &[SHOWN; 2],
            },
            Goal {
                ours: ACEDIA,
                against: Against::Peer(call::DYN),
                at_most: &[Some(1.5); 2],
            },
        ],
        rounds: usize::MAX,
    },
    Workload {
        name: "timers",
        title: "Tick 100,000 actors with an empty handler, with and without timers, per actor",
        unit: "ns",
        columns: &[Column::new("tick", tick::armed)],
        goals: &[Goal {
            ours: tick::ARMED,
            against: Against::Peer(tick::WITHOUT_TIMERS),
            at_most: &[Some(1.2)],
        }],
        rounds: usize::MAX,
    },
];
