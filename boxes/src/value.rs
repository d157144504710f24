//! [`Value`] and [`Values`]: a value and an array of any primitive.

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

/// An array of any primitive.
#[expect(
    clippy::exhaustive_enums,
    reason = "the crates of this workspace alone use it, and must treat every primitive"
)]
#[derive(Clone, Debug)]
pub enum Values {
    /// `f64`s.
    Double(Vec<f64>),
    /// `i64`s.
    Long(Vec<i64>),
    /// `String`s.
    String(Vec<String>),
    /// `f32`s.
    Float(Vec<f32>),
    /// `i32`s.
    Int(Vec<i32>),
    /// `bool`s.
    Bool(Vec<bool>),
    /// `u8`s.
    Byte(Vec<u8>),
    /// `u64`s.
    ULong(Vec<u64>),
    /// `Vector`s.
    Vector(Vec<Vector>),
}
