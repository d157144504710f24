//! [`Region`]: memory for chunks, the first of a pool alone, the others together.
//!
//! ```text
//! ├──────── 2 MiB, aligned to as much ──────┤
//! ┌─────────┬─────────┬───────────┬─────────┬──────────────────────────┐
//! │ chunk 0 │ chunk 1 │ …         │ chunk n │ reader words of them all │
//! └─────────┴─────────┴───────────┴─────────┴──────────────────────────┘
//! ```
//!
//! Chunks that fill such a region leave no gap in it. So when all their slots are given out, the system may keep the region in one
//! page instead of 512, for the same memory. The processor then finds all its objects by one entry of its tables, for which many
//! reads among very many objects wait. Not before: a page that is large from the first slot on costs all its memory at once. And
//! by the system's own threads, unless somebody asks for it: it took a thread that allocates up to forty milliseconds while the
//! processors were busy.

use std::ptr::NonNull;

use super::chunk::Chunk;
use super::pages;
use super::shape::Shape;
use super::state::Readers;

/// Memory for chunks of one shape. It stays where it is, and must be [freed](Region::free).
pub(super) struct Region {
    start: NonNull<u8>,
    chunks: usize,
    used: usize,
    /// The system has been told that it may keep it in one page.
    large: bool,
}

impl Region {
    /// Memory for so many chunks, or `None` if there is none.
    pub(super) fn allocate(shape: &Shape, chunks: usize) -> Option<Self> {
        let (layout, _) = shape.layout(chunks)?;
        let mut region = Self {
            start: pages::allocate(layout)?,
            chunks,
            used: 0,
            large: true,
        };
        // Some systems would use a large page unasked, from the first slot on.
        region.forbid_large();
        Some(region)
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
        let chunk = unsafe { self.start.add(nth * shape.bytes?) };
        // SAFETY: within the memory: behind the chunks are the words of them all.
        let readers = unsafe { self.start.add(readers + nth * shape.words() * size_of::<Readers>()) }.cast();
        Some((chunk, readers))
    }

    /// How many of its chunks are there.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Whether it has that chunk.
    pub(super) fn holds(&self, chunk: NonNull<Chunk>, shape: &Shape) -> bool {
        let Some((_, bytes)) = shape.layout(self.chunks) else {
            return false;
        };
        let start = self.start.addr().get();
        (start..start + bytes).contains(&chunk.addr().get())
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.used == self.chunks
    }

    /// Puts the last chunk that was taken back, which nobody used.
    pub(super) fn put_back(&mut self) {
        self.used -= 1;
    }

    /// Allows the system to keep the region, whose slots are all given out, in one page. Nothing if it is smaller than that.
    pub(super) fn allow_large(&mut self) {
        if self.chunks > 1 && !self.large {
            // SAFETY: within the memory, whose chunks fill so much.
            unsafe { pages::allow_large(self.start, pages::REGION, true) };
            self.large = true;
        }
    }

    /// Takes that back: with a part of the region given back, one page would take more memory than all that are left.
    pub(super) fn forbid_large(&mut self) {
        if self.chunks > 1 && self.large {
            // SAFETY: as above.
            unsafe { pages::allow_large(self.start, pages::REGION, false) };
            self.large = false;
        }
    }

    /// Where it is, if it is large enough for such a page: for [`make_large`].
    pub(super) fn start(&self) -> Option<NonNull<u8>> {
        (self.chunks > 1).then_some(self.start)
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

/// Has the system keep the region that begins there, of which this is [allowed](Region::allow_large), in one page now. Gives how many
/// bytes it keeps so. Takes as long as the system takes.
///
/// # Safety
/// The region has not been freed.
pub(super) unsafe fn make_large(start: NonNull<u8>) -> u64 {
    // SAFETY: of regions of that size alone is a start given.
    let large = unsafe { pages::make_large(start, pages::REGION) };
    if large { pages::REGION as u64 } else { 0 }
}
