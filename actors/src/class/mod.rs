//! Layer 2: classes. How a class of actors is described and found, and the Rust values of its actors.
//!
//! Uses layer 1, and of layer 3 only [`Inner`](crate::store::inner::Inner), on which a [body](reactions::Run) acts.
//!
//! ```text
//! actor! ──► describing ──► Actor::describe ──► ClassBuilder
//!                                                   │ properties, states, bodies, functions
//!                                                   ▼
//! Registration ◄── load_actor_class            ActorClass ──► Reactions: one body per state and event
//!                                                   │
//!                                                   ▼
//!                         Methods (of T: Actor) ──► Column ──► Rows<T>: the actors themselves
//! ```

pub(crate) mod actor;
pub(crate) mod actor_class;
pub(crate) mod builder;
pub(crate) mod building;
pub(crate) mod code;
pub(crate) mod column;
pub(crate) mod describing;
pub(crate) mod errors;
pub(crate) mod free_slots;
pub(crate) mod function;
pub(crate) mod function_table;
pub(crate) mod methods;
pub(crate) mod notify;
pub(crate) mod reactions;
pub(crate) mod registry;
pub(crate) mod request;
pub(crate) mod rows;
#[cfg(feature = "serde")]
pub(crate) mod saving;
pub(crate) mod state_index;
pub(crate) mod statics;
pub(crate) mod token;
