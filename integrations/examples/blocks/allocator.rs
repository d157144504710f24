//! Pools as an [`Allocator`]: the memory of a `Box` or `Vec` is an object of the smallest pool with room for it.
//!
//! The allocator makes no handles and checks no free. All threads reuse its memory.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::mem::{MaybeUninit, offset_of};
use std::ptr::NonNull;

use acedia::pool::{GuardsOnly, Hooks};
use acedia::{Owned, Pool, Stats};
use allocator_api2::alloc::{AllocError, Allocator, Global};

/// The alignment of a block. Larger or more aligned memory comes from the global allocator.
const ALIGN: usize = align_of::<Bytes<0>>();

/// The memory of one allocation, behind the owner of this very object.
struct Block<const N: usize>(UnsafeCell<Inner<N>>);

#[repr(C)]
struct Inner<const N: usize> {
    owner: MaybeUninit<Owned<Block<N>, &'static Pool<Block<N>, Blocks>>>,
    bytes: Bytes<N>,
}

#[repr(align(8))]
struct Bytes<const N: usize>([MaybeUninit<u8>; N]);

// SAFETY: bytes without a meaning, and an owner, which is `Send` if its object is.
unsafe impl<const N: usize> Send for Block<N> {}
// SAFETY: no code reads or writes through `&Block`. The holder of the allocation reads and writes through its pointer.
unsafe impl<const N: usize> Sync for Block<N> {}

/// No code reads blocks through handles, so no pin need delay a free.
struct Blocks;

impl<const N: usize> Hooks<Block<N>> for Blocks {
    type Readers = GuardsOnly;

    fn make() -> Block<N> {
        Block(UnsafeCell::new(Inner {
            owner: MaybeUninit::uninit(),
            bytes: Bytes([MaybeUninit::uninit(); N]),
        }))
    }
}

/// The offset of the bytes of an `Inner`, which begins with the owner.
const fn offset<const N: usize>() -> usize {
    offset_of!(Inner<N>, bytes)
}

fn take<const N: usize>(pool: &'static Pool<Block<N>, Blocks>) -> Result<NonNull<[u8]>, AllocError> {
    let owner = pool.try_allocate().map_err(|_| AllocError)?;
    let inner: NonNull<u8> = NonNull::from(&owner.0).cast();
    // SAFETY: the `Inner` of an object, which the owner keeps alive, and which nobody else uses. Nothing is lost: `give` has moved out the
    // owner of the life before.
    unsafe { inner.cast().write(owner) };
    // SAFETY: within the `Inner`.
    let bytes = unsafe { inner.add(offset::<N>()) };
    Ok(NonNull::slice_from_raw_parts(bytes, N))
}

/// # Safety
/// `bytes` came from `take` with the same `N`, and is not used again.
unsafe fn give<const N: usize>(bytes: NonNull<u8>) {
    // SAFETY: the bytes are a part of an `Inner`.
    let owner: NonNull<Owned<Block<N>, &'static Pool<Block<N>, Blocks>>> = unsafe { bytes.sub(offset::<N>()) }.cast();
    // SAFETY: `take` wrote it, and the object is alive until it is dropped. The copy that stays behind is not used.
    drop(unsafe { owner.read() });
}

/// Memory from pools, for one allocator of the whole process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pools;

macro_rules! sizes {
    ($($pool:ident $bytes:literal)*) => {
        $(static $pool: Pool<Block<$bytes>, Blocks> = Pool::with_hooks();)*

        // SAFETY: a block is an object of a static pool, which stays in its place until its owner is dropped; only `give` drops it. All
        // `Pools` are equal, so each can free the blocks of the others. Every size between the one that was asked for and the one that was
        // given chooses the same pool.
        unsafe impl Allocator for Pools {
            #[inline]
            fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
                if layout.align() <= ALIGN && layout.size() > 0 {
                    $(if layout.size() <= $bytes {
                        return take(&$pool);
                    })*
                }
                Global.allocate(layout)
            }

            #[inline]
            unsafe fn deallocate(&self, bytes: NonNull<u8>, layout: Layout) {
                if layout.align() <= ALIGN && layout.size() > 0 {
                    $(if layout.size() <= $bytes {
                        // SAFETY: the caller's promise.
                        return unsafe { give::<$bytes>(bytes) };
                    })*
                }
                // SAFETY: the caller's promise; `allocate` came here with the same layout.
                unsafe { Global.deallocate(bytes, layout) }
            }
        }

        impl Pools {
            /// The size of a block in bytes, and the statistics, of each pool.
            pub(crate) fn stats() -> Vec<(usize, Stats)> {
                vec![$(($bytes, $pool.stats())),*]
            }
        }
    };
}

sizes!(
    P32 32 P64 64 P128 128 P256 256 P512 512 P1024 1024 P2048 2048 P4096 4096 P8192 8192 P16384 16_384
);
