//! A value as words that are accessed atomically.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri))))]
use std::arch::{asm, x86_64::__m128i};

use crate::Plain;
use crate::sync::{AtomicU64, Ordering};

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// The number of words for the bytes of a `T`, whatever its alignment.
pub(crate) const fn words_of<T>() -> usize {
    size_of::<T>().div_ceil(WORD)
}

/// The instruction in the encoding (VEX or not) of the code around it, because a mixture is slow on some processors.
#[cfg(all(target_arch = "x86_64", target_feature = "avx", not(any(acedia_loom, miri))))]
macro_rules! sse {
    ($instruction:literal) => {
        concat!("v", $instruction)
    };
}
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    not(any(target_feature = "avx", acedia_loom, miri))
))]
macro_rules! sse {
    ($instruction:literal) => {
        $instruction
    };
}

/// The value in the words, which are as many as it needs. It may be torn.
#[inline]
pub(crate) fn get<T: Plain>(words: &[AtomicU64]) -> T {
    let mut value = T::zeroed();
    let bytes = bytemuck::bytes_of_mut(&mut value);
    let paired = get_pairs(words, bytes);
    for (word, bytes) in words[paired..].iter().zip(bytes[paired * WORD..].chunks_mut(WORD)) {
        // Relaxed: `Slot::read` orders it.
        let whole = word.load(Ordering::Relaxed).to_ne_bytes();
        bytes.copy_from_slice(&whole[..bytes.len()]);
    }
    value
}

/// No pairs: under loom and Miri, which check Rust's atomics, and on other processors.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri)))))]
#[inline]
fn get_pairs(_: &[AtomicU64], _: &mut [u8]) -> usize {
    0
}

/// Copies pairs of words, each by one load, while the bytes fill both words. Returns the number of words copied. If the object is
/// in no cache, the time of a read depends on the number of its loads.
///
/// In assembly, because Rust has no atomic access of sixteen bytes. The load need not be atomic: a torn copy is refused like any
/// other.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri))))]
#[inline]
fn get_pairs(words: &[AtomicU64], bytes: &mut [u8]) -> usize {
    let pairs = words.chunks_exact(2).zip(bytes.chunks_exact_mut(size_of::<__m128i>()));
    let count = pairs.len();
    for (from, to) in pairs {
        let pair: __m128i;
        // SAFETY: loads these two words, which other threads only access atomically.
        unsafe {
            asm!(sse!("movups {pair}, [{from}]"), pair = out(xmm_reg) pair, from = in(reg) from.as_ptr(),
                options(nostack, preserves_flags, readonly));
        }
        // SAFETY: there are as many bytes as in the pair.
        unsafe { to.as_mut_ptr().cast::<__m128i>().write_unaligned(pair) };
    }
    2 * count
}

/// Writes the bytes of a value. The words are as many as it needs.
#[inline]
pub(crate) fn put<T: Plain>(words: &[AtomicU64], value: &T) {
    for (word, bytes) in words.iter().zip(bytemuck::bytes_of(value).chunks(WORD)) {
        let mut whole = [0; WORD];
        whole[..bytes.len()].copy_from_slice(bytes);
        // Relaxed: the fence before it and the store behind it, in `Slot::step_from` and `Slot::begin`, order it.
        word.store(u64::from_ne_bytes(whole), Ordering::Relaxed);
    }
}
