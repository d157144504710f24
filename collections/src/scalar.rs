//! [`Scalar`]: a number or a `bool` that an item keeps without an object.

use acedia::{AnyOwned, Class, Object};
use acedia_boxes::{BoolBox, ByteBox, DoubleBox, FloatBox, IntBox, LongBox};

/// A number or a `bool`. Equal by the rules of boxes: all NaNs are equal, and so are both zeros.
#[expect(clippy::exhaustive_enums, reason = "the crates of this workspace alone use it")]
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    Bool(bool),
    Byte(u8),
    Int(i64),
    Float(f32),
    Double(f64),
}

impl Scalar {
    /// The number of the variant, and bits that are equal for equal values of that variant.
    #[inline]
    pub(crate) fn bits(self) -> (u32, u64) {
        match self {
            Self::Bool(value) => (1, u64::from(value)),
            Self::Byte(value) => (2, u64::from(value)),
            Self::Int(value) => (3, u64::from_ne_bytes(value.to_ne_bytes())),
            Self::Float(value) if value.is_nan() => (4, u64::from(f32::NAN.to_bits())),
            // The addition turns a negative zero into a positive one.
            Self::Float(value) => (4, u64::from((value + 0.0).to_bits())),
            Self::Double(value) if value.is_nan() => (5, f64::NAN.to_bits()),
            Self::Double(value) => (5, (value + 0.0).to_bits()),
        }
    }

    /// The class of the box that [`boxed`](Self::boxed) makes.
    pub(crate) fn class(self) -> &'static Class {
        match self {
            Self::Bool(_) => BoolBox::class(),
            Self::Byte(_) => ByteBox::class(),
            Self::Int(value) if i32::try_from(value).is_ok() => IntBox::class(),
            Self::Int(_) => LongBox::class(),
            Self::Float(_) => FloatBox::class(),
            Self::Double(_) => DoubleBox::class(),
        }
    }

    /// The value as an object.
    pub(crate) fn boxed(self) -> AnyOwned {
        match self {
            Self::Bool(value) => BoolBox::new(value).into(),
            Self::Byte(value) => ByteBox::new(value).into(),
            Self::Int(value) => match i32::try_from(value) {
                Ok(value) => IntBox::new(value).into(),
                Err(_) => LongBox::new(value).into(),
            },
            Self::Float(value) => FloatBox::new(value).into(),
            Self::Double(value) => DoubleBox::new(value).into(),
        }
    }
}

impl PartialEq for Scalar {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}
