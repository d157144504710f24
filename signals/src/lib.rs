#![doc = include_str!("../README.md")]
//!
//! | To | Use |
//! |---|---|
//! | call handlers when something happens | [`Signal`]; [`SimpleSignal`] has no arguments and no results |
//! | pass a value through all handlers, which may change it | a `Signal<Cell<T>>` or `Signal<RefCell<T>>` |
//! | combine the results of the handlers | [`Rule`] |
//! | call a handler earlier than others, or only once | [`Terms`] |
//! | end a connection | [`Connection::disconnect`], or free the receiver, which ends all of its connections |
//! | read emissions in another thread or in a task | a handler that puts copies into a channel of std or of the runtime |
//!
//! # Threads
//!
//! Any thread may call any method. A signal has one lock, for its list of connections. The signal's `connect`, `disconnect` and
//! `disconnect_all` take it to change the list; `emit`, `len` and printing take it to read the list. If an emission finds
//! connections that have ended, it takes the lock again, to remove them. No user code runs under the lock: no handler, no rule,
//! and no destructor of a captured value. The methods of a [`Connection`], such as its `disconnect`, take no lock.
//!
//! If another thread disconnects a handler or frees its receiver while the handler runs, the handler runs to its end. Until then
//! the receiver stays readable, and the values that the handler has captured are not dropped.
//!
//! # Not supported
//!
//! * A handler without a receiver. Allocate an object as its receiver instead; dropping the object's owner ends the
//!   connection.
//! * Asynchronous handlers: an emission calls all handlers before it returns. A task can read from a channel instead.
//! * Any guaranteed order of emissions on different threads.
#![doc(html_root_url = "https://docs.rs/acedia-signals/latest")]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

mod connection;
mod list;
mod receiver_handle;
mod rule;
mod signal;
mod slot;
mod terms;

pub use connection::Connection;
pub use receiver_handle::ReceiverHandle;
pub use rule::{All, Any, First, Last, Rule, Sum};
pub use signal::{Signal, SimpleSignal};
pub use terms::Terms;
