//! [`Vector`], [`Rotator`], [`Cylinder`], [`Aabb`]: locations, directions and shapes.

use std::ops::{Add, Mul, Sub};

/// A location or a direction, in the units of the level. `z` points up.
///
/// ```
/// use acedia_actors::Vector;
///
/// let door = Vector::new(0.0, 8.0, 64.0) + Vector::new(1.0, 0.0, 0.0) * 2.0;
/// assert!(door.is_finite());
/// assert_eq!(door, Vector::new(2.0, 8.0, 64.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "vector")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vector {
    /// Forwards.
    pub x: f32,
    /// To the right.
    pub y: f32,
    /// Up.
    pub z: f32,
}

impl Vector {
    /// The vector with these components.
    #[must_use]
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    /// Whether all components are finite.
    #[must_use]
    pub const fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// The length. Infinite only if the length exceeds the largest `f32`.
    ///
    /// ```
    /// use acedia_actors::Vector;
    ///
    /// let way = Vector::new(2.0, 3.0, 6.0);
    /// assert_eq!(way.length(), 7.0);
    /// assert_eq!((way - Vector::new(2.0, 0.0, 2.0)).length(), 5.0);
    /// assert_eq!(Vector::new(0.0, 0.0, -9.0).normalized(), Vector::new(0.0, 0.0, -1.0));
    /// assert_eq!(Vector::default().normalized(), Vector::default(), "as Normal does");
    /// ```
    #[must_use]
    #[doc(alias = "VSize")]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a length is rounded to the type of its parts"
    )]
    pub fn length(self) -> f32 {
        self.exact_length() as f32
    }

    /// In `f64`, where the square of an `f32` neither overflows nor underflows to 0.
    fn exact_length(self) -> f64 {
        let [x, y, z] = [self.x, self.y, self.z].map(f64::from);
        (x * x + y * y + z * z).sqrt()
    }

    /// The vector of length 1 in the same direction. A vector of length 0 is returned as it is.
    #[must_use]
    #[doc(alias = "Normal")]
    #[allow(clippy::cast_possible_truncation, reason = "no part is larger than 1")]
    pub fn normalized(self) -> Self {
        let length = self.exact_length();
        if length == 0.0 {
            return self;
        }
        let part = |part: f32| (f64::from(part) / length) as f32;
        Self::new(part(self.x), part(self.y), part(self.z))
    }
}

impl Add for Vector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vector {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Mul<f32> for Vector {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

/// A rotation. 65536 units are a full turn.
///
/// ```
/// use acedia_actors::Rotator;
///
/// let left = Rotator::new(0, -16384, 0);
/// assert_eq!(left.yaw, -16384);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "rotator")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rotator {
    /// Up and down.
    pub pitch: i32,
    /// Around the vertical axis.
    pub yaw: i32,
    /// Sideways.
    pub roll: i32,
}

impl Rotator {
    /// The rotation with these components.
    #[must_use]
    pub const fn new(pitch: i32, yaw: i32, roll: i32) -> Self {
        Self { pitch, yaw, roll }
    }
}

/// An upright cylinder around a location: the shape of an actor in collisions.
///
/// ```
/// use acedia_actors::{Cylinder, Vector};
///
/// let barrel = Cylinder { radius: 20.0, half_height: 30.0 };
/// let at = Vector::new(0.0, 0.0, 0.0);
/// assert!(barrel.overlaps(at, barrel, Vector::new(39.0, 0.0, 0.0)));
/// assert!(!barrel.overlaps(at, barrel, Vector::new(40.0, 0.0, 0.0))); // they only meet
/// ```
///
/// ```
/// use acedia_actors::{Cylinder, Vector};
///
/// let (here, person) = (Vector::default(), Cylinder::default());
/// assert!(person.overlaps(here, person, Vector::new(40.0, 0.0, 0.0)));
/// assert!(
///     !person.overlaps(here, person, Vector::new(0.0, 0.0, 44.0)),
///     "one stands on the other"
/// );
/// assert_eq!(person.bounds(here).max, Vector::new(22.0, 22.0, 22.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CollisionRadius")]
#[doc(alias = "CollisionHeight")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cylinder {
    /// The radius.
    pub radius: f32,
    /// Half of the height: from the middle to the top.
    pub half_height: f32,
}

impl Default for Cylinder {
    /// The default size of an actor: 22 by 22.
    fn default() -> Self {
        Self {
            radius: 22.0,
            half_height: 22.0,
        }
    }
}

impl Cylinder {
    /// Whether this cylinder at `at` and `other` at `there` overlap by more than their surfaces.
    #[must_use]
    pub fn overlaps(self, at: Vector, other: Self, there: Vector) -> bool {
        let apart = there - at;
        let reach = self.radius + other.radius;
        apart.z.abs() < self.half_height + other.half_height && apart.x * apart.x + apart.y * apart.y < reach * reach
    }

    /// The box around the cylinder at `at`.
    #[must_use]
    pub fn bounds(self, at: Vector) -> Aabb {
        let half = Vector::new(self.radius, self.radius, self.half_height);
        Aabb {
            min: at - half,
            max: at + half,
        }
    }
}

/// An axis-aligned box.
///
/// ```
/// use acedia_actors::{Aabb, Cylinder, Vector};
///
/// // any two opposite corners
/// let room = Aabb::new(Vector::new(100.0, 100.0, 9.0), Vector::default());
/// assert!(
///     room.contains(Vector::new(50.0, 50.0, 9.0))
///         && !room.contains(Vector::new(50.0, 50.0, 10.0))
/// );
/// let person = Cylinder { radius: 20.0, half_height: 40.0 };
/// assert!(room.overlaps(person.bounds(Vector::new(110.0, 50.0, 0.0))));
/// assert!(
///     !room.overlaps(person.bounds(Vector::new(120.0, 50.0, 0.0))),
///     "they have no more than the surface in common"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "box")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Its lowest corner.
    pub min: Vector,
    /// Its highest corner.
    pub max: Vector,
}

impl Aabb {
    /// The box between two opposite corners, in any order.
    #[must_use]
    pub fn new(a: Vector, b: Vector) -> Self {
        Self {
            min: Vector::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z)),
            max: Vector::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z)),
        }
    }

    /// Whether `point` lies inside or on the surface.
    #[must_use]
    pub fn contains(self, point: Vector) -> bool {
        (self.min.x..=self.max.x).contains(&point.x)
            && (self.min.y..=self.max.y).contains(&point.y)
            && (self.min.z..=self.max.z).contains(&point.z)
    }

    /// Whether the boxes overlap by more than their surfaces.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.min.x < other.max.x
            && other.min.x < self.max.x
            && self.min.y < other.max.y
            && other.min.y < self.max.y
            && self.min.z < other.max.z
            && other.min.z < self.max.z
    }
}
