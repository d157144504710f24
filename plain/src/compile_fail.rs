//! Programs that must not compile. Each differs from one that compiles only in the part that must be refused. Only doc tests read
//! this file.
//!
//! ```
//! let pool = acedia_plain::PlainPool::<[u64; 2]>::new();
//! let mut owner = pool.insert([1, 1]);
//! owner.set([2, 2]);
//! drop(owner);
//! drop(pool);
//! ```
//! A `bool` does not have every bit pattern, padding is not data, and a pointer is not plain:
//! ```compile_fail,E0277
//! let _ = acedia_plain::PlainPool::<bool>::new();
//! ```
//! ```compile_fail,E0277
//! let _ = acedia_plain::PlainPool::<(u8, u64)>::new();
//! ```
//! ```compile_fail,E0277
//! let _ = acedia_plain::PlainPool::<&u64>::new();
//! ```
//! Plain data that must stay on its thread:
//! ```
//! #[derive(Clone, Copy)]
//! #[repr(transparent)]
//! struct Local(u64, std::marker::PhantomData<u64>);
//! // SAFETY: one number.
//! unsafe impl bytemuck::Zeroable for Local {}
//! // SAFETY: one number.
//! unsafe impl bytemuck::Pod for Local {}
//! let _ = acedia_plain::PlainPool::<Local>::new();
//! ```
//! ```compile_fail,E0277
//! #[derive(Clone, Copy)]
//! #[repr(transparent)]
//! struct Local(u64, std::marker::PhantomData<*const u64>);
//! // SAFETY: one number.
//! unsafe impl bytemuck::Zeroable for Local {}
//! // SAFETY: one number.
//! unsafe impl bytemuck::Pod for Local {}
//! let _ = acedia_plain::PlainPool::<Local>::new();
//! ```
//! A set needs its owner mutably, and an owner has no clones:
//! ```compile_fail,E0596
//! let pool = acedia_plain::PlainPool::<u64>::new();
//! let owner = pool.insert(1);
//! owner.set(2);
//! ```
//! ```compile_fail,E0599
//! let pool = acedia_plain::PlainPool::<u64>::new();
//! let owner = pool.insert(1);
//! let other = owner.clone();
//! ```
//! An owner must not outlive its pool:
//! ```compile_fail,E0505
//! let pool = acedia_plain::PlainPool::<u64>::new();
//! let owner = pool.insert(1);
//! drop(pool);
//! drop(owner);
//! ```
//! A pool is of one type, even if another type has the same size:
//! ```compile_fail,E0308
//! fn shorter<'a>(pool: &'a acedia_plain::PlainPool<[u8; 8]>) -> &'a acedia_plain::PlainPool<u64> { pool }
//! ```
//! And so is a handle:
//! ```compile_fail,E0308
//! let pool = acedia_plain::PlainPool::<u64>::new();
//! let other = acedia_plain::PlainPool::<[u8; 8]>::new();
//! let owner = pool.insert(1);
//! other.load(owner.handle());
//! ```
