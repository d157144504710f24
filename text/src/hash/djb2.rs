//! DJB2 of a text, computed by the faster method for its length.

#[cfg(test)]
mod tests;

#[cfg(all(feature = "simd", target_arch = "x86_64"))]
use super::vectors::{self, LONG};
use super::words;
use crate::units::Units;

/// The hash of an empty text.
const START: u32 = 5381;

/// DJB2 of the codes.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "the hash is the same 32 bits with a sign")]
pub(crate) fn djb2(units: Units<'_>) -> i32 {
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    if units.bytes().len() >= LONG {
        return long(units) as i32;
    }
    words::hash(START, units) as i32
}

/// The same for a text of at least [`LONG`] bytes.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[inline(never)]
fn long(units: Units<'_>) -> u32 {
    let Some(machine) = vectors::machine() else {
        return words::hash(START, units);
    };
    let first = units.len() % (LONG / units.width().bytes());
    let so_far = words::hash(START, units.slice(0..first));
    vectors::hash(machine, so_far, units.slice(first..units.len()))
}
