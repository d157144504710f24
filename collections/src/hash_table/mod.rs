//! [`HashTable`]: items by key. Uses items, keys, locks and places; the writer also uses the check for cycles.
//!
//! ```text
//! TableWriter, Entry ── set, … ──► Entries ──► Kept ──► Ordered: keys of the table's own, each with its item
//! stack of a JSON parser ────────── fill ──────┘  └──► or the keys of a Shape, which tables share, and an item for each
//! ```

pub(crate) mod entries;
mod entry;
mod kept;
mod ordered;
pub(crate) mod shape;
mod table;
mod writer;

pub use entries::Entries;
pub use entry::Entry;
pub use table::HashTable;
pub use writer::TableWriter;
