//! The hash numbers of values. All arithmetic wraps at 32 bits.

use acedia_allocator::kind::combine_hash;

/// Of a `bool`.
pub(crate) const fn boolean(value: bool) -> i32 {
    if value { 328_742_932 } else { 83_619_237 }
}

/// One step of the hash of an array of `bool`s.
pub(crate) const fn fold_boolean(so_far: i32, value: bool) -> i32 {
    combine_hash(so_far, if value { 238_923 } else { -17_641_812 })
}

/// Of a byte.
pub(crate) fn byte(value: u8) -> i32 {
    i32::from(value) * 1_048_575
}

/// Of a 32-bit integer.
pub(crate) const fn int(value: i32) -> i32 {
    (value << 16).wrapping_add(value >> 16)
}

/// Of a 64-bit integer: of its upper half, then of its lower half.
#[expect(clippy::cast_possible_truncation, reason = "the halves")]
pub(crate) const fn long(value: i64) -> i32 {
    combine_hash(int((value >> 32) as i32), int(value as i32))
}

/// Of a 32-bit float.
pub(crate) fn float(value: f32) -> i32 {
    let (whole, rest) = parts(value);
    combine_hash(whole, rest.unwrap_or(-26_422_645))
}

/// One step of the hash of an array of 32-bit floats.
pub(crate) fn fold_float(so_far: i32, value: f32) -> i32 {
    let (whole, rest) = parts(value);
    combine_hash(combine_hash(so_far, whole), rest.unwrap_or(35))
}

/// What is hashed of a float: the integer below it, and how often the distance from there goes into 1, rounded up; `None`
/// for no distance, as large floats have.
///
/// The same for both zeros, and for every NaN. Beyond `i32` the numbers stay at its ends.
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

/// Of a 64-bit float: of its bits, those of the positive zero for both zeros, and one NaN's for every NaN.
pub(crate) fn double(value: f64) -> i32 {
    let value = if value.is_nan() { f64::NAN } else { value + 0.0 };
    long(i64::from_ne_bytes(value.to_ne_bytes()))
}

/// One step of the hash of an array of 64-bit floats.
pub(crate) fn fold_double(so_far: i32, value: f64) -> i32 {
    combine_hash(so_far, double(value))
}

/// Of a text: DJB2 of its characters.
pub(crate) fn text(value: &str) -> i32 {
    value.chars().fold(5381, |hash, c| combine_hash(hash, c as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!([boolean(true), boolean(false)], [328_742_932, 83_619_237]);
        assert_eq!([0, 1, 56, 255].map(byte), [0, 1_048_575, 58_720_200, 267_386_625]);
        let ints = [0, 1, -1, 7, 65536, i32::MAX, i32::MIN];
        assert_eq!(ints.map(int), [0, 65536, -65537, 458_752, 1, -32769, -32768]);
        assert_ne!(long(1), long(1 << 32));
    }

    #[test]
    fn floats() {
        let floats = [0.0, 1.0, 0.5, -2.48, 345.2, 67.352];
        assert_eq!(floats.map(float), [-32, 1, 2, -97, 11390, 2214]);
        assert_eq!(float(-0.0), float(0.0));
        assert_eq!(double(-0.0), double(0.0));
        assert_eq!(float(f32::NAN), float(-f32::NAN));
        assert_eq!(double(f64::NAN), double(-f64::NAN));
        // No distance to the integer below.
        assert_eq!(float(1e9), combine_hash(999_999_999, -26_422_645));
        assert_eq!(fold_float(7, 1e9), combine_hash(combine_hash(7, 999_999_999), 35));
        for extreme in [f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(1)] {
            let _does_not_overflow = (float(extreme), fold_float(0, extreme));
        }
    }

    #[test]
    fn texts() {
        let texts = [
            "",
            "a",
            "ab",
            "ba",
            "hello",
            "Hello",
            "Basic sample",
            "\u{416}",
            "\u{3070}\u{304B}",
        ];
        let hashes = [
            5381,
            177_670,
            5_863_208,
            5_863_240,
            261_238_937,
            223_289_465,
            660_747_465,
            178_619,
            6_281_472,
        ];
        assert_eq!(texts.map(text), hashes);
        assert_eq!(text(&"a".repeat(100)), -79_743_959);
    }
}
