//! The hashes of a text: DJB2 for everybody, and a keyed one for tables.
//!
//! DJB2 is `h * 33 + code` for one code point after another, modulo 2^32. Taken literally each step waits for the one
//! before. But the result is a polynomial in 33 with the codes as coefficients, so blocks of codes can be summed up on
//! their own, in any order, and be moved to their place by a power of 33: eight bytes at a time in one word
//! ([`words`]), 128 bytes at a time in vectors (`vectors`, where the machine has AVX2). All ways give the same number.

mod once;
mod short;
#[cfg(test)]
mod tests;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
mod vectors;
mod words;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;
pub(crate) use once::Once;
use short::Secret;
pub(crate) use short::{inexact, is_exact};

use crate::units::Units;

/// What the hash of an empty text is.
const START: u32 = 5381;

/// From how many bytes on vectors are faster than words.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
const LONG: usize = 128;

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

/// The same for a text that vectors are worth it for.
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

/// 33 to the power of `exponent`.
const fn power(exponent: u32) -> u32 {
    33u32.wrapping_pow(exponent)
}

/// A hash of a text as UTF-8, keyed by numbers from the operating system that are drawn once for the process.
#[inline]
pub(crate) fn keyed(text: &str) -> u64 {
    keyed_short(text).unwrap_or_else(|| keyed_long(text))
}

/// The same of a text that is so short that its hash is exact.
#[inline]
pub(crate) fn keyed_short(text: &str) -> Option<u64> {
    short::hash(text.as_bytes(), &KEY.short)
}

/// The same of all but short texts. Apart, so that the way of the short ones stays short.
#[inline(never)]
fn keyed_long(text: &str) -> u64 {
    let mut hasher = FoldHasher::with_seed(KEY.own, &KEY.shared);
    hasher.write(text.as_bytes());
    inexact(hasher.finish())
}

static KEY: LazyLock<Key> = LazyLock::new(|| {
    let drawn = RandomState::new();
    let [own, shared, first, second, third] = [0, 1, 2, 3, 4].map(|i| drawn.hash_one(i));
    Key {
        own,
        shared: SharedSeed::from_u64(shared),
        short: Secret {
            first,
            second: second | 1,
            third: third | 1,
        },
    }
});

/// What the keyed hash is keyed by.
struct Key {
    own: u64,
    shared: SharedSeed,
    short: Secret,
}
