#![doc = include_str!("../README.md")]
//!
//! # When not to use it
//!
//! * **The values own memory, or are larger than a few cache lines.** A pool of [acedia](https://docs.rs/acedia) gives references to
//!   objects of any type.
//! * **A reader needs several values of one moment.** Each copy is whole, but between two copies another thread may set both values. Use
//!   one value that has all of it, or a lock.
//! * **One thread changes everything, and another copies everything, and each may wait for the other.** Then one `RwLock` around a `Vec`
//!   or a slot map wins: see [Cost](#cost).
//! * **Several threads increase one counter.** Use an atomic.
//!
//! # Where a load may be called
//!
//! Everywhere: in a signal handler, in the destructor of a thread-local, in a C callback, in a future. Loads access neither thread-locals
//! nor locks, and allocate nothing. A handler that interrupts a set loads the old value or the new one.
//!
//! # Progress
//!
//! A value has two places. A set writes the one that readers do not use, and then sends them there. So a writer that is stopped in the
//! middle of a set delays no reader. A load copies again only if a step of a set of the same object was completed during the copy. An
//! attempt takes a few nanoseconds, or a few hundred if the object's cache lines move between processors. One set disturbs at most two
//! attempts.
//!
//! An insertion and a free are lock-free: one compare-exchange each, repeated if another thread was faster. A pool that grows takes a
//! lock.
//!
//! # Memory
//!
//! An object takes 16 bytes plus its value, rounded up to a multiple of eight bytes, whatever the alignment of the value. The second
//! place is in other pages of the same chunk, which take memory once a value near it is set: a page on which any value was set needs as
//! much again for its values. The first chunk has about 4 KiB, and each further one has as many slots as all before it, at most
//! 65,536. A pool keeps its memory until it is dropped; free slots are used again, the last one first. A slot that has had 2³¹-1 lives is
//! not used again. All pools of a process together have at most 65,534 chunks.
//!
//! # Cost
//!
//! A load is a few loads of memory and the copy; a set writes the value twice; neither executes an atomic read-modify-write. An insertion
//! and a free have one each. In nanoseconds, on one core of a Zen 5, among 1,000 values:
//!
//! | | 16 bytes | 64 bytes |
//! |---|--:|--:|
//! | [`load`](PlainPool::load) | 1.1 | 1.8 |
//! | [`set`](PlainOwned::set) | 0.9 | 2.3 |
//! | [`insert`](PlainPool::insert), [`handle`](PlainOwned::handle), drop | | 16 |
//!
//! **When one lock wins.** A writer that changes all of 10,000 bodies of 40 bytes takes 1.3 ns a body by
//! [`update_many`](PlainOwned::update_many), 1.9 by [`update`](PlainOwned::update), and 0.45 under an `RwLock` around a slot map. Beside a
//! thread that copies all bodies without a pause, the lock's writer ticked four times as often (40,000 and 10,000 ticks a second, with
//! 11,000 and 4,000 snapshots), and each of its snapshots is of one moment. So take the lock if a snapshot may hold up the writer for the
//! time of a copy, and the writer a snapshot for the time of a tick. Take a `PlainPool` if neither may wait, if readers need a few
//! of many values, or if a thread that is stopped must not stop the others.
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

/// Types that a [`PlainPool`] can hold: every byte is data, and every pattern of bits is a value. Implemented for all types with
/// bytemuck's `NoUninit` and `AnyBitPattern` (both are a part of `Pod`) that are `Send`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data, or cannot be sent between threads",
    note = "a plain type has no padding, no `bool`, no enum and no pointer; derive bytemuck's `NoUninit` and `AnyBitPattern` for it; put an array of more than 32 into a struct"
)]
pub trait Plain: NoUninit + AnyBitPattern + Send {}

// So that a type is reported with the note of `Plain`.
#[diagnostic::do_not_recommend]
impl<T: NoUninit + AnyBitPattern + Send> Plain for T {}
