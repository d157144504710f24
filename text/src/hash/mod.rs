//! The hashes of a text: DJB2 for everybody, and a keyed one for tables.
//!
//! DJB2 is `h * 33 + code` for one code point after another, modulo 2^32. Taken literally each step waits for the one
//! before. But the result is a polynomial in 33 with the codes as coefficients, so blocks of codes can be summed up on
//! their own, in any order, and be moved to their place by a power of 33: eight bytes at a time in one word
//! ([`words`]), 128 bytes at a time in vectors (`vectors`, where the machine has AVX2). All ways give the same number.

mod once;
mod short;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::BaseText;
    use crate::buffer::Buffer;

    fn naive(chars: impl Iterator<Item = char>) -> i32 {
        chars.fold(5381, |hash, c| hash.wrapping_mul(33).wrapping_add(c as i32))
    }

    /// Every way of computing it.
    #[expect(clippy::cast_possible_wrap, reason = "the hash is the same 32 bits with a sign")]
    fn all_agree(text: &str) {
        let buffer = Buffer::from_string(text.to_owned());
        let expected = naive(text.chars());
        assert_eq!(djb2(buffer.units()), expected, "{text:?}");
        assert_eq!(words::hash(START, buffer.units()) as i32, expected, "{text:?}");
    }

    #[test]
    fn known_values() {
        for (text, hash) in [
            ("", 5381),
            ("a", 177_670),
            ("b", 177_671),
            ("ab", 5_863_208),
            ("ba", 5_863_240),
            ("hello", 261_238_937),
            ("Hello", 223_289_465),
            ("Basic sample", 660_747_465),
            ("\u{416}", 178_619),
            ("\u{3070}\u{304b}", 6_281_472),
            (&"a".repeat(100), -79_743_959),
        ] {
            let buffer = Buffer::from_string(text.to_owned());
            assert_eq!(djb2(buffer.units()), hash, "{text:?}");
        }
    }

    /// A generator that is the same everywhere; the property test below has the surprises.
    fn scrambled(seed: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(seed | 1), |x| {
            Some(x.wrapping_mul(0x9e37_79b1).rotate_left(13) ^ 0x5bd1)
        })
    }

    #[test]
    fn every_length_and_width() {
        for limit in [0x80, 0x800, 0xd800, 0x1_0000, 0x11_0000] {
            for len in (0..700).chain([1000, 4096, 65_539]) {
                let codes = scrambled(len ^ limit).map(|code| char::from_u32(code % limit).unwrap_or('\u{ffff}'));
                all_agree(&codes.take(len as usize).collect::<String>());
            }
        }
        // The largest codes: nothing may overflow its lane.
        for c in ['\u{7f}', '\u{ffff}', char::MAX] {
            for len in 0..700 {
                all_agree(&c.to_string().repeat(len));
            }
        }
    }

    proptest! {
        #[test]
        fn random_content(text in any::<String>(), times in 1..50usize) {
            all_agree(&text.repeat(times));
        }

        #[test]
        fn the_keyed_hash_is_a_function_of_the_content(text in any::<String>()) {
            let mut wide = BaseText::from(&*text);
            prop_assert_eq!(wide.key_hash(), keyed(&text));
            wide.push('\u{1f600}');
            let len = wide.len();
            wide.remove(len - 1..);
            prop_assert_eq!(wide.key_hash(), keyed(&text));
        }
    }

    #[test]
    fn the_keyed_hash_tells_equal_djb2_apart() {
        // "bA" and "ab" have the same DJB2, and so has every sequence of them.
        let texts: Vec<String> = (0..1024u32)
            .map(|bits| {
                (0..10)
                    .map(|bit| if bits >> bit & 1 == 0 { "bA" } else { "ab" })
                    .collect()
            })
            .collect();
        let hashes: Vec<_> = texts.iter().map(|text| Buffer::from_string(text.clone())).collect();
        assert!(hashes.iter().all(|text| djb2(text.units()) == djb2(hashes[0].units())));
        let keyed: std::collections::HashSet<_> = texts.iter().map(|text| keyed(text)).collect();
        assert_eq!(keyed.len(), 1024);
    }
}
