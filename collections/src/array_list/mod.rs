//! [`ArrayList`]: items by index. Uses items, keys, locks and places; the writer also uses the check for cycles.
//!
//! ```text
//! ListWriter ── push, set, … ──► Items ──► Store ──► a vector of items
//! stack of a JSON parser ──────── fill ──────┘  └──► or up to four items inline
//! ```

mod items;
mod list;
mod store;
mod writer;

pub use items::Items;
pub use list::ArrayList;
pub use writer::ListWriter;
