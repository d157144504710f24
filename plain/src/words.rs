//! A value as words that are accessed atomically.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri))))]
use std::arch::{asm, x86_64::__m128i};
use std::mem::MaybeUninit;

use bytemuck::{AnyBitPattern, NoUninit};

use crate::sync::{AtomicU64, Ordering};

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// The words of a `T`: its bytes, from the first word on, whatever its alignment.
pub(crate) const fn words_of<T>() -> usize {
    size_of::<T>().div_ceil(WORD)
}

/// The instruction in the form of the code around it: a mixture of both forms is slow on some processors.
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

/// The bytes from `offset` on. They are a value, possibly of several writes.
///
/// Panics if they are outside of the words.
#[inline]
pub(crate) fn get<F: AnyBitPattern>(words: &[AtomicU64], offset: usize) -> F {
    let mut value = MaybeUninit::<F>::uninit();
    let end = offset + size_of::<F>();
    assert!(end <= words.len() * WORD);
    let first = get_pairs(words, offset, &mut value);
    #[expect(
        clippy::needless_range_loop,
        reason = "the compiler makes slower code of an iterator that skips"
    )]
    for nth in first..end.div_ceil(WORD) {
        // Relaxed: `Slot::read` orders it.
        let bytes = words[nth].load(Ordering::Relaxed).to_ne_bytes();
        let start = nth * WORD;
        let (from, until) = (offset.saturating_sub(start), WORD.min(end - start));
        let at = start + from - offset;
        // SAFETY: `at` and the `until - from` bytes behind it are within the value: see `end`.
        let to = unsafe { value.as_mut_ptr().cast::<u8>().add(at) };
        // SAFETY: as above; another object than `bytes`, of which these are a part.
        unsafe { std::ptr::copy_nonoverlapping(bytes[from..until].as_ptr(), to, until - from) };
    }
    // SAFETY: every byte was written, and `AnyBitPattern` is the promise that all bytes are a value.
    unsafe { value.assume_init() }
}

/// No pairs: where Rust's own atomics are checked, and on other processors.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri)))))]
#[inline]
fn get_pairs<F>(_: &[AtomicU64], offset: usize, _: &mut MaybeUninit<F>) -> usize {
    offset / WORD
}

/// Copies the words from `offset` on in pairs, each by one load. Returns the first word that is left. Among objects that no cache
/// holds, the time of a read depends on the number of its loads. The caller has checked that the words contain an `F` at `offset`.
///
/// In assembly, because Rust has no atomic access of sixteen bytes. The processor need not make it in one piece: a copy that is
/// disturbed in the middle of a word is refused as any other.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri))))]
#[inline]
fn get_pairs<F>(words: &[AtomicU64], offset: usize, value: &mut MaybeUninit<F>) -> usize {
    const PAIR: usize = size_of::<__m128i>();
    if offset % WORD != 0 {
        return offset / WORD;
    }
    let pairs = size_of::<F>() / PAIR;
    for at in (0..pairs).map(|pair| pair * PAIR) {
        let from = words[(offset + at) / WORD..][..2].as_ptr();
        let pair: __m128i;
        // SAFETY: loads these two words, which other threads only access atomically.
        unsafe {
            asm!(sse!("movups {pair}, [{from}]"), pair = out(xmm_reg) pair, from = in(reg) from,
                options(nostack, preserves_flags, readonly));
        }
        // SAFETY: within the `F`.
        let to = unsafe { value.as_mut_ptr().cast::<u8>().add(at) };
        // SAFETY: as above.
        unsafe { to.cast::<__m128i>().write_unaligned(pair) };
    }
    offset / WORD + 2 * pairs
}

/// Writes the bytes of a value. The words are as many as it needs.
#[inline]
pub(crate) fn put<T: NoUninit>(words: &[AtomicU64], value: &T) {
    for (word, bytes) in words.iter().zip(bytemuck::bytes_of(value).chunks(WORD)) {
        let mut whole = [0; WORD];
        whole[..bytes.len()].copy_from_slice(bytes);
        // Relaxed: the fence before it and the store behind it, in `Slot::step` and `Slot::begin`, order it.
        word.store(u64::from_ne_bytes(whole), Ordering::Relaxed);
    }
}

/// Fetches the cache line of a word that will be read soon. Any address will do.
#[inline]
pub(crate) fn prefetch(word: *const AtomicU64) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri))))]
    // SAFETY: no access: the instruction does nothing at an address that is not mapped.
    unsafe {
        asm!("prefetcht1 [{word}]", word = in(reg) word, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(any(acedia_loom, miri)))))]
    let _ = word;
}
