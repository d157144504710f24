#![doc = include_str!("../README.md")]
//!
//! | | |
//! |---|---|
//! | [`Signal`] | an event that calls handlers; [`SimpleSignal`] has no arguments and no results |
//! | [`Relay`] | a signal whose value runs through its handlers |
//! | [`Rule`] | how the results of the handlers combine |
//! | [`Terms`] | the priority of a handler, and whether it is called once |
//! | `Emissions` | the emissions as an asynchronous stream, with the feature `stream` |
//! | [`Connection`] | the connection of one handler to one signal |
//!
//! # Threads
//!
//! Everything may be called from any thread. A signal has one lock, for its list of connections. `connect`, `disconnect` and
//! `disconnect_all` take it to change the list; `emit`, `len` and printing take it to read the list; and an emission takes it
//! once more if it met dead connections. No user code runs under the lock: not the handlers, not the rules, and not the
//! destructors of a handler's captured values. The methods of [`Connection`] do not take it.
//!
//! A call that has begun runs to its end, even if another thread disconnects the handler or frees the receiver meanwhile. Until
//! then the receiver stays readable, and the handler's captured values are not dropped.
#![forbid(unsafe_code)]

mod connection;
mod connections;
mod list;
mod relay;
mod rule;
mod signal;
mod slot;
#[cfg(feature = "stream")]
mod stream;
mod terms;

pub use connection::Connection;
pub use connections::Connections;
pub use relay::Relay;
pub use rule::{All, Any, First, Last, Rule, Sum};
pub use signal::{Signal, SimpleSignal};
#[cfg(feature = "stream")]
pub use stream::Emissions;
pub use terms::Terms;
