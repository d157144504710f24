//! Interned texts.

mod entry;
#[expect(clippy::module_inception, reason = "the noun of the folder")]
mod name;
mod owner;
mod table;
#[cfg(test)]
mod tests;

pub use name::Name;
pub use owner::NameOwner;
