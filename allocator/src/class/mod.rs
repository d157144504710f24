//! Classes as values, without their Rust types: they are found by name, limited by a configuration, constructed once,
//! and shut down.
//!
//! It may use the engine (`pool`), `config` and `near`, but not `object`. A class's operations on objects are a table of
//! functions, which `object/declare.rs` fills in for each type.
//!
//! ```text
//! class: name, operations ──► registry: all classes, found by name ──► configure: limits from a configuration
//!    ▲                                                                   │ at first use
//!    └─ is constructed ── book: constructing threads ◄── statics: static constructors, shutdown
//! ```

mod book;
#[allow(clippy::module_inception, reason = "a room is named after its noun")]
mod class;
#[cfg(feature = "config")]
mod configure;
mod registry;
mod statics;

pub use class::Class;
pub(crate) use class::Ops;
#[cfg(feature = "config")]
pub use configure::configure;
pub(crate) use registry::all;
pub use registry::{ClassError, OtherClasses, Registration, classes, load_class};
pub use statics::shutdown;
