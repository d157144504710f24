//! The hashes of values, and the steps that fold values into the hash of an array. All arithmetic wraps at 32 bits.

#[cfg(test)]
mod tests;

use acedia::kind::combine_hash;

pub(crate) const fn boolean(value: bool) -> i32 {
    if value { 328_742_932 } else { 83_619_237 }
}

pub(crate) const fn fold_boolean(so_far: i32, value: bool) -> i32 {
    combine_hash(so_far, if value { 238_923 } else { -17_641_812 })
}

pub(crate) fn byte(value: u8) -> i32 {
    i32::from(value) * 1_048_575
}

pub(crate) const fn int(value: i32) -> i32 {
    (value << 16).wrapping_add(value >> 16)
}

/// Hashes the upper half, then the lower half.
#[expect(clippy::cast_possible_truncation, reason = "the halves")]
pub(crate) const fn long(value: i64) -> i32 {
    combine_hash(int((value >> 32) as i32), int(value as i32))
}

pub(crate) const fn ulong(value: u64) -> i32 {
    long(i64::from_ne_bytes(value.to_ne_bytes()))
}

pub(crate) fn float(value: f32) -> i32 {
    let (whole, rest) = parts(value);
    combine_hash(whole, rest.unwrap_or(-26_422_645))
}

pub(crate) fn fold_float(so_far: i32, value: f32) -> i32 {
    let (whole, rest) = parts(value);
    combine_hash(combine_hash(so_far, whole), rest.unwrap_or(35))
}

/// The hashed parts of a float: the integer below it, and 1 divided by the distance to that integer, rounded up. `None` if the
/// distance is 0, as for large floats.
///
/// The same for both zeros, and for all NaNs. Numbers beyond the range of `i32` become the nearest in range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "part of the definition"
)]
fn parts(value: f32) -> (i32, Option<i32>) {
    let below = (value.ceil() as i32).wrapping_sub(1);
    let distance = value - below as f32;
    (below, (distance != 0.0).then(|| (1.0 / distance).ceil() as i32))
}

/// Hashes the bits. Both zeros use the bits of 0.0, and all NaNs the bits of one NaN.
pub(crate) fn double(value: f64) -> i32 {
    let value = if value.is_nan() { f64::NAN } else { value + 0.0 };
    long(i64::from_ne_bytes(value.to_ne_bytes()))
}

pub(crate) fn fold_double(so_far: i32, value: f64) -> i32 {
    combine_hash(so_far, double(value))
}

/// DJB2 of the code points.
pub(crate) fn text(value: &str) -> i32 {
    value.chars().fold(5381, |hash, c| combine_hash(hash, c as i32))
}
