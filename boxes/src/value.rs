//! [`Value`]: a value of any primitive.

use crate::Vector;

/// A value of any primitive.
#[expect(
    clippy::exhaustive_enums,
    reason = "the crates of this workspace alone use it, and must treat every primitive"
)]
#[derive(Clone, Debug)]
pub enum Value {
    /// An `f64`.
    Double(f64),
    /// An `i64`.
    Long(i64),
    /// A `String`.
    String(String),
    /// An `f32`.
    Float(f32),
    /// An `i32`.
    Int(i32),
    /// A `bool`.
    Bool(bool),
    /// A `u8`.
    Byte(u8),
    /// A `u64`.
    ULong(u64),
    /// A `Vector`.
    Vector(Vector),
}
