//! [`Region`]: memory for chunks, the first of a pool alone, the others together.
//!
//! ```text
//!  2 MiB, aligned to as much
//! ┌─────────┬─────────┬───────────┬─────────┬──────────────────────────┐
//! │ chunk 0 │ chunk 1 │ …         │ chunk n │ reader words of them all │
//! └─────────┴─────────┴───────────┴─────────┴──────────────────────────┘
//! ```
//!
//! Chunks that fill such a region leave no gap in it. So when all their slots are in use, the system may keep the region in one
//! page instead of 512, for the same memory; the processor finds the objects by one entry of its tables then. That is most of
//! the time of a read among very many objects, in no particular order.

use std::ptr::NonNull;

use super::pages;
use super::shape::Shape;
use super::state::Readers;

/// Memory for chunks of one shape. It stays where it is, and must be [freed](Region::free).
pub(super) struct Region {
    start: NonNull<u8>,
    chunks: usize,
    used: usize,
}

impl Region {
    /// Memory for so many chunks, or `None` if there is none.
    pub(super) fn allocate(shape: &Shape, chunks: usize) -> Option<Self> {
        let (layout, _) = shape.layout(chunks)?;
        let start = pages::allocate(layout)?;
        Some(Self { start, chunks, used: 0 })
    }

    /// Zeroed memory of one more chunk, and of its reader words; `None` if all is in use.
    pub(super) fn next(&mut self, shape: &Shape) -> Option<(NonNull<u8>, NonNull<Readers>)> {
        let (_, readers) = shape.layout(self.chunks)?;
        if self.is_used_up() {
            return None;
        }
        let nth = self.used;
        self.used += 1;
        // SAFETY: within the memory: fewer than `chunks` come before it.
        let chunk = unsafe { self.start.add(nth * (readers / self.chunks)) };
        // SAFETY: within the memory: the words of all chunks are there.
        let readers = unsafe { self.start.add(readers).cast::<Readers>().add(nth * shape.words()) };
        Some((chunk, readers))
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.used == self.chunks
    }

    /// Puts the last chunk that was taken back, which nobody used.
    pub(super) fn put_back(&mut self) {
        self.used -= 1;
    }

    /// Where its chunks are, and how many bytes, if it is one that may become a single page.
    pub(super) fn whole(&self, shape: &Shape) -> Option<(NonNull<u8>, usize)> {
        let (_, bytes) = shape.layout(self.chunks)?;
        (self.chunks > 1).then_some((self.start, bytes))
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// Nobody uses any of it again.
    pub(super) unsafe fn free(self, shape: &Shape) {
        if let Some((layout, _)) = shape.layout(self.chunks) {
            // SAFETY: allocated with this layout, and for the rest the caller's promise.
            unsafe { pages::free(self.start, layout) };
        }
    }
}
