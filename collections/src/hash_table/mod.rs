//! [`HashTable`]: items by key.

pub(crate) mod entries;
mod entry;
mod kept;
pub(crate) mod shape;
mod table;
mod writer;

pub use entries::{Entries, Iter};
pub use entry::Entry;
pub use table::HashTable;
pub use writer::TableWriter;
