//! [`Data`]: converts values of any type to untyped data, and back. For the saved levels of actors and the items of collections.
#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_errors_doc,
    reason = "for the crates of this workspace alone"
)]

mod any;
mod depth;
mod error;
mod reader;
mod writer;

use std::borrow::Cow;

use serde::de::Visitor;

pub use self::any::Any;
pub use self::depth::Depth;
pub use self::error::DataError;
pub use self::reader::{Reader, visit};
pub use self::writer::Writer;

/// A kind of data, whose nodes are leaves, lists and maps.
pub trait Data: Copy + Default {
    type Node;
    /// A node that is being read.
    type Part<'t>;
    type List<'t>: Iterator<Item = Self::Part<'t>>;
    type Map<'t>: Iterator<Item = (Self::Part<'t>, Self::Part<'t>)>;

    /// The greatest depth of lists and maps, because `serde` uses stack for each level.
    const LEVELS: u16;
    /// The error for a greater depth.
    const TOO_DEEP: &'static str;
    /// Whether a map can be a list of pairs. Then it counts as two levels.
    const PAIRS: bool = false;
    /// Whether an unknown field of a struct is an error.
    const STRICT: bool = false;

    fn leaf(leaf: Leaf<'_>) -> Self::Node;
    /// The name of a field or variant.
    fn name(name: &'static str) -> Self::Node;
    fn list(nodes: Vec<Self::Node>) -> Self::Node;
    fn map(entries: Vec<(Self::Node, Self::Node)>) -> Result<Self::Node, DataError>;
    fn is_null(part: &Self::Part<'_>) -> bool;
    fn view<'t>(part: &Self::Part<'t>) -> Result<View<'t, Self>, DataError>;

    fn visit<'de, V: Visitor<'de>>(
        part: &Self::Part<'_>,
        depth: Depth<Self>,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        visit(Self::view(part)?, depth, visitor)
    }

    /// Refuses leaves that the data does not allow.
    fn check(_: &Leaf<'_>) -> Result<(), DataError> {
        Ok(())
    }

    /// Converts a map's key for writing.
    fn key(key: Self::Node) -> Self::Node {
        key
    }

    /// A key in the path of an error.
    #[must_use]
    fn step(_: &Self::Node) -> Cow<'_, str> {
        "?".into()
    }

    /// Converts the content of a `Some` for writing.
    fn some(content: Self::Node) -> Result<Self::Node, DataError> {
        Ok(content)
    }
}

/// A node without nodes inside.
#[expect(clippy::exhaustive_enums, reason = "each kind of data must treat each leaf")]
pub enum Leaf<'t> {
    Null,
    Bool(bool),
    Int(i64),
    /// Any `u64`.
    Natural(u64),
    Single(f32),
    Double(f64),
    Text(Cow<'t, str>),
}

const TOO_WIDE: &str = "the integer does not fit into 64 bits";

/// A node, by its kind.
#[expect(clippy::exhaustive_enums, reason = "each kind of data makes each")]
pub enum View<'t, D: Data> {
    Leaf(Leaf<'t>),
    List(D::List<'t>),
    Map(D::Map<'t>),
}
