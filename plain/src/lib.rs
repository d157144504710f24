#![doc = include_str!("../README.md")]
//!
//! # When not to use it
//!
//! * **The values own memory, or are larger than a few cache lines.** A pool of [acedia](https://docs.rs/acedia) gives references to
//!   objects of any type.
//! * **A reader needs several values of one moment.** Each copy is whole, but between two copies another thread may set both
//!   values. Use one value that contains all, or a lock.
//! * **One thread changes everything, and another copies everything, and each may wait for the other.** Then one `RwLock` around
//!   a `Vec` or a slot map is faster: see [Cost](#cost).
//! * **Several threads increase one counter.** Use an atomic.
//!
//! # Where a load may be called
//!
//! Everywhere: in a signal handler, in the destructor of a thread-local, in a C callback, in a future. Loads access neither
//! thread-locals nor locks, and allocate nothing. A signal handler that interrupts a set loads the old value or the new one.
//!
//! # Progress
//!
//! A value has two places in memory. A set writes the place that readers do not use, and then directs readers to it. So a writer
//! that is stopped during a set delays no reader. A set does this once for each place. A load copies again only if a set of the
//! same object completes one of these two steps during the copy, so one set disturbs at most two attempts. An attempt takes a few
//! nanoseconds, or a few hundred if the object's cache lines move between processors.
//!
//! An insertion and a free are lock-free: one compare-exchange each, repeated if another thread was faster. A pool that grows takes a
//! lock.
//!
//! # Memory
//!
//! An object takes 16 bytes plus its value, rounded up to a multiple of eight bytes, whatever the alignment of the value. The
//! second place is in other pages of the same chunk. The first set of a value touches the page of its second place, so a pool
//! whose values are all set needs twice the memory for its values. The first chunk has about 4 KiB, and each further chunk as
//! many slots as all chunks before it, at most 65,536. A pool keeps its memory until it is dropped; free slots are used again,
//! the last one first. A slot that has had 2³¹-1 lives is not used again. All pools of a process together have at most 65,534
//! chunks.
//!
//! # Cost
//!
//! A load takes a few loads from memory and the copy. A set writes the value twice. Neither executes an atomic read-modify-write.
//! An insertion and a free execute one each. In nanoseconds, on one core of a Zen 5, among 1,000 values:
//!
//! | | 16 bytes | 64 bytes |
//! |---|--:|--:|
//! | [`load`](PlainPool::load) | 1.1 | 1.8 |
//! | [`set`](PlainOwned::set) | 0.9 | 2.3 |
//! | [`insert`](PlainPool::insert), [`handle`](PlainOwned::handle), drop | | 16 |
//!
//! **When one lock wins.** A writer that changes all of 10,000 bodies of 40 bytes takes 1.3 ns per body by
//! [`update_many`](PlainOwned::update_many), 1.9 ns by [`update`](PlainOwned::update), and 0.45 ns under an `RwLock` around a
//! slot map. While another thread copies all bodies without a pause, the lock allows 40,000 ticks of the writer and 11,000
//! snapshots per second, and a `PlainPool` 10,000 ticks and 4,000 snapshots. Only a snapshot under the lock is of one moment. So
//! take the lock if the writer may wait for a copy, and a reader for a tick. Take a `PlainPool` if neither may wait, if readers
//! need a few of many values, or if a stopped thread must not stop the others.
#![doc(html_root_url = "https://docs.rs/acedia-plain/latest")]

mod chunk;
#[cfg(doctest)]
mod compile_fail;
mod directory;
mod error;
mod handle;
#[cfg(all(test, acedia_loom))]
mod models;
mod owned;
mod pool;
mod slot;
mod sync;
#[cfg(all(test, not(acedia_loom)))]
mod tests;
mod words;

use bytemuck::{AnyBitPattern, NoUninit};

pub use error::{AccessError, AllocateError};
pub use handle::PlainHandle;
pub use owned::PlainOwned;
pub use pool::PlainPool;

/// Types that a [`PlainPool`] can hold: every byte is data, and every pattern of bits is a value. Implemented for every `Send`
/// type with bytemuck's `NoUninit` and `AnyBitPattern`, which every `Pod` type has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data, or cannot be sent between threads",
    note = "a plain type has no padding, no `bool`, no enum and no pointer; derive bytemuck's `NoUninit` and `AnyBitPattern` for it; for arrays of more than 32 elements, enable bytemuck's feature `min_const_generics`"
)]
pub trait Plain: NoUninit + AnyBitPattern + Send {}

// So that the compiler reports the note of `Plain`.
#[diagnostic::do_not_recommend]
impl<T: NoUninit + AnyBitPattern + Send> Plain for T {}
