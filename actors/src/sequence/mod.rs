//! Layer 4: the sequences. The order of the events, and the changes of the store between them.
//!
//! Uses layers 1 to 3. Each file is an `impl Inner`. After each event, a sequence checks again whether the actor is alive,
//! because a handler can do anything.
//!
//! ```text
//! spawn ──► make ──► relevancy ──► places ──► collision ──► states ──► links ──► notifiers ──► ActorRef
//!   │                   │                        │ contact
//!   │ (panic)           ▼ (not wanted)           ▼ (fatal)
//!   └──────────────► destroy ◄───────────────────┘
//!                       │ states, links, contact, owner
//!                       ▼
//!                      end (store)
//!
//! play: the same steps for all actors, phase by phase; then frames
//! ```

pub(crate) mod collision;
pub(crate) mod contact;
pub(crate) mod destroy;
pub(crate) mod links;
pub(crate) mod places;
pub(crate) mod play;
pub(crate) mod relevancy;
pub(crate) mod replication;
pub(crate) mod root;
#[cfg(feature = "serde")]
pub(crate) mod save;
pub(crate) mod spawn;
pub(crate) mod state_code;
pub(crate) mod state_stack;
pub(crate) mod states;
pub(crate) mod timers;
