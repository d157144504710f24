//! [`ArrayList`]: items by number.

mod items;
mod list;
mod store;
mod writer;

pub use items::{Items, Iter};
pub use list::ArrayList;
pub use writer::ListWriter;
