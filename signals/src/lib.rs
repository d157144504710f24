//! Signals whose connections end with the life of their receiver.
//!
//! Who listens to somebody else usually has to say when it stops listening, and a listener that dies without a word leaves
//! a dangling call behind. Here every connection belongs to a *receiver*, an [object](acedia_allocator) of any class, and
//! ends by itself when the receiver's life ends, on whatever thread that happens.
//!
//! ```
//! use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
//! use acedia_allocator::{Object, class};
//! use acedia_signals::Signal;
//!
//! #[derive(Default)]
//! struct Shopper {
//!     seen: AtomicU32,
//! }
//! impl Object for Shopper {
//!     class!(Shopper, "Doc.Shopper");
//! }
//!
//! static OPENED: Signal<str> = Signal::new();
//!
//! let shopper = Shopper::allocate();
//! OPENED.connect(shopper.handle(), |shopper, shop: &str| {
//!     shopper.seen.fetch_add(shop.len() as u32, Relaxed);
//! });
//! OPENED.emit("bakery");
//! assert_eq!(shopper.seen.load(Relaxed), 6);
//! drop(shopper);
//! OPENED.emit("bakery"); // calls nobody
//! assert!(OPENED.is_empty());
//! ```
//!
//! | | |
//! |---|---|
//! | [`Signal`] | something that happens; [`SimpleSignal`] is one that says no more than that |
//! | [`Rule`] | how the results of the handlers combine |
//! | [`Connection`] | one handler of one signal, by name |
//!
//! # Threads
//!
//! Everything may be called from any thread. A signal has one lock, around its list of connections; `connect`,
//! `disconnect` and `disconnect_all` take it to change the list, `emit`, `len` and printing to look at it, and emissions once
//! more if they met dead connections. No code of users runs under it: handlers, rules, and the destructors of what handlers
//! own find the lock free. [`Connection`]'s methods take no lock.
//!
//! A call that has begun runs to its end, also when another thread disconnects the handler or frees the receiver meanwhile:
//! the receiver stays readable and what the handler owns stays whole until then.
//!
//! Most programs have this crate as `acedia::signals` of the facade, whose guide begins with `docs/first-pool.md`.
#![forbid(unsafe_code)]

mod connection;
mod list;
mod rule;
mod signal;
mod slot;

pub use connection::Connection;
pub use rule::{All, Any, First, Last, Rule, Sum};
pub use signal::{Signal, SimpleSignal};
