//! The bits of a slot's index: chunk number above, place in the chunk below.
//!
//! ```text
//!  31 ──────── 12 │ 11 ────── 0
//!      chunk      │ slot in it
//! ```

/// Bits of an index within its chunk. A chunk of large objects uses only the first few indices. Under loom the number
/// is small, because a model constructs every word.
pub(in crate::pool) const SLOT_BITS: u32 = if cfg!(acedia_loom) { 3 } else { 12 };
/// Bits of an index in a key, in a life word and beside a manual life. The life is above them.
pub(in crate::pool) const INDEX_BITS: u32 = u32::BITS;
/// With 32-bit pointers, the address space has no room for more chunks of small objects, and the tables take 800 KB of
/// it.
pub(in crate::pool) const CHUNK_BITS: u32 = match usize::BITS {
    _ if cfg!(miri) => 12,
    ..64 => 16,
    _ => 20,
};
/// Whether a slot of the process can have this index.
#[inline]
pub(in crate::pool) const fn is_possible(index: u32) -> bool {
    // All bits of an index are used where pointers have 64.
    index as u64 >> (SLOT_BITS + CHUNK_BITS) == 0
}

/// The position of slot `index` in its chunk's tables.
#[inline]
pub(in crate::pool) const fn offset(index: u32) -> usize {
    (index & ((1 << SLOT_BITS) - 1)) as usize
}
