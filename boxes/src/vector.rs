//! [`Vector`]: three floats.

mod primitive;

use std::cmp::Ordering;
use std::fmt;

/// A point or a direction in space.
///
/// ```
/// use acedia_boxes::{Vector, VectorRef};
///
/// let up = Vector::new(0.0, 0.0, 1.0);
/// let place = VectorRef::new(up);
/// place.update(|it| it.x = 2.5);
/// assert_eq!(place.get().to_string(), "(2.5, 0, 1)");
/// ```
///
/// `==` compares the components as `f32` does. Boxes and arrays compare them by the [rules for floats](crate#floats), and sort
/// by `x`, then by `y`, then by `z`. For sorting, -0.0 and 0.0 are equal, so the next component decides, and NaNs come after
/// all numbers.
///
/// ```
/// use acedia_boxes::{Vector, VectorArrayRef};
///
/// let places = [Vector::new(-0.0, 5.0, 0.0), Vector::new(0.0, 1.0, 0.0)];
/// assert_eq!(VectorArrayRef::new(places).sort().get(0), Some(places[1]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vector {
    /// The first component.
    #[doc(alias = "GetX")]
    pub x: f32,
    /// The second component.
    #[doc(alias = "GetY")]
    pub y: f32,
    /// The third component.
    #[doc(alias = "GetZ")]
    pub z: f32,
}

impl Vector {
    /// The vector of these components.
    #[must_use]
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    fn components(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// The lexicographic order. Components that are equal by the rules of boxes are equal here, too.
    fn order(self, other: Self) -> Ordering {
        let order = |left: f32, right: f32| {
            left.partial_cmp(&right)
                .unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
        };
        let pairs = self.components().into_iter().zip(other.components());
        pairs.fold(Ordering::Equal, |so_far, (left, right)| {
            so_far.then_with(|| order(left, right))
        })
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y, z } = self;
        write!(f, "({x}, {y}, {z})")
    }
}

impl From<[f32; 3]> for Vector {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self { x, y, z }
    }
}

impl From<Vector> for [f32; 3] {
    fn from(vector: Vector) -> Self {
        vector.components()
    }
}
