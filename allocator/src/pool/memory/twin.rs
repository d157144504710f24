//! [`Twin`]: the value of a slot that is read as a copy, twice, so that one copy is whole while the other is written.
//!
//! ```text
//!        state                     copy 0              copy 1
//! ┌──────────────────┬───┬───┐ ┌──────────────────┬──────────────────┐
//! │ number of sets   │ c │ w │ │ words            │ words            │
//! └──────────────────┴───┴───┘ └──────────────────┴──────────────────┘
//!      c: the current copy        the lowest bit of the number of sets
//!      w: a writer is at work     only if several owners may write
//!
//! set:   FENCE (Release);  words of the other copy;  state += 1 set (Release)
//! read:  life == mine? (Acquire);  state (Acquire);  words of the current copy;  FENCE (Acquire);
//!        state and life as before?  → the copy counts
//! free:  life = ended
//! reuse: FENCE (Release);  words of the current copy;  life = next (Release)
//! ```
//!
//! A reader that finds a word of a later set, or of a later life, finds the change of the state, or the end of the life, behind its
//! fence. A set changes only the copy that is not current, so a writer that stops in the middle of it delays no reader.
//!
//! All accesses to the words are atomic, at the beginning of a life, too. The state goes on from life to life. If the pages of the
//! slot are given back, it starts again at 0: the number distinguishes sets of one life only.

use std::hint;
use std::mem::MaybeUninit;
use std::panic::RefUnwindSafe;

use bytemuck::{AnyBitPattern, NoUninit};

use crate::pool::word::key::Key;
use crate::pool::word::life::Life;
use crate::sync::{AtomicU64, Ordering, fence};

/// A value that threads copy while another thread sets it. See the drawing of the [module](self).
///
/// Memory of zeros is one.
#[repr(C)]
pub(crate) struct Twin<T> {
    state: AtomicU64,
    copies: [Words<T>; 2],
}

/// The bit of a writer that is not the only owner.
const WRITING: u64 = 1;
const ONE_SET: u64 = 2;

/// The copy that is current in that state.
#[inline]
fn current(state: u64) -> usize {
    usize::from(state & ONE_SET != 0)
}

// SAFETY: threads access the words by atomics only, and get copies of the value on other threads (needs `T: Send`). No thread
// gets a reference to the value, so `T: Sync` is not needed.
unsafe impl<T: Send> Send for Twin<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Twin<T> {}

/// A panic of user code leaves no half of a value: it runs before the first word is written.
impl<T> RefUnwindSafe for Twin<T> {}

impl<T: NoUninit + AnyBitPattern> Twin<T> {
    pub(crate) fn new() -> Self {
        Self {
            state: AtomicU64::new(0),
            copies: [Words::new(), Words::new()],
        }
    }

    /// A copy of the field at byte `offset`, if the life that `key` names is visible. `life` is the slot's. After so many
    /// attempts, of which a set has disturbed each, gives up with `Err`.
    #[inline]
    pub(in crate::pool) fn read<F: AnyBitPattern>(
        &self,
        offset: usize,
        (life, key): (&Life, Key),
        mut attempts: u64,
    ) -> Result<Option<F>, ()> {
        if !life.is(key) {
            return Ok(None);
        }
        loop {
            let (value, settled) = self.attempt(offset);
            if !life.looks_like(key) {
                return Ok(None);
            }
            if settled.is_some() {
                return Ok(Some(value));
            }
            attempts -= 1;
            if attempts == 0 {
                return Err(());
            }
            hint::spin_loop();
        }
    }

    /// As [`read`](Self::read), for an owner of the object, and the state of the copy.
    #[inline]
    pub(crate) fn read_owned<F: AnyBitPattern>(&self, offset: usize) -> (F, u64) {
        loop {
            if let (value, Some(state)) = self.attempt(offset) {
                return (value, state);
            }
            hint::spin_loop();
        }
    }

    /// A copy, and its state if the copy is whole. A copy that is not is a value all the same.
    #[inline]
    fn attempt<F: AnyBitPattern>(&self, offset: usize) -> (F, Option<u64>) {
        // Acquire pairs with `publish` (Release): the words of the current copy.
        let before = self.state.load(Ordering::Acquire);
        let value = self.copies[current(before)].get(offset);
        // Acquire pairs with the fence of `put`: a thread that has read a word of a later set or life sees, behind this fence,
        // that the state has changed or the life has ended.
        fence(Ordering::Acquire);
        let after = self.state.load(Ordering::Relaxed);
        let settled = (before ^ after) & !WRITING == 0;
        (value, settled.then_some(before & !WRITING))
    }

    /// Writes the value of a new life, which is not visible yet. The caller is the only owner.
    #[inline]
    pub(in crate::pool) fn begin(&self, value: &T) {
        // Relaxed, here and in `set`: the sole owner comes after all earlier writers.
        let state = self.state.load(Ordering::Relaxed);
        self.put(current(state), value);
    }

    /// Sets the value. The caller is the only owner.
    #[inline]
    pub(crate) fn set(&self, value: &T) {
        self.publish(self.state.load(Ordering::Relaxed), value);
    }

    /// As [`set`](Self::set), beside other owners: waits for a writer that is at work.
    pub(crate) fn set_shared(&self, value: &T) {
        loop {
            let state = self.state.load(Ordering::Relaxed) & !WRITING;
            if self.try_set(state, value) {
                return;
            }
            pause();
        }
    }

    /// Changes the value. The caller is the only owner.
    #[inline]
    pub(crate) fn update<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let (mut value, state) = self.read_owned(0);
        let result = change(&mut value);
        self.publish(state, &value);
        result
    }

    /// As [`update`](Self::update), beside other owners. If one of them has set the value meanwhile, calls `change` again.
    pub(crate) fn update_shared<R>(&self, mut change: impl FnMut(&mut T) -> R) -> R {
        loop {
            let (mut value, state) = self.read_owned(0);
            let result = change(&mut value);
            if self.try_set(state, &value) {
                return result;
            }
            pause();
        }
    }

    /// Sets the value if the state is this one, in which no writer is at work.
    fn try_set(&self, state: u64, value: &T) -> bool {
        let entered = self
            .state
            .compare_exchange(state, state | WRITING, entering(), Ordering::Relaxed)
            .is_ok();
        if entered {
            self.publish(state, value);
        }
        entered
    }

    /// Writes the other copy and makes it current. `state` is the present one, without [`WRITING`]. No other thread writes.
    #[inline]
    fn publish(&self, state: u64, value: &T) {
        self.put(1 - current(state), value);
        // Release pairs with `attempt` and `try_set` (Acquire).
        self.state.store(state.wrapping_add(ONE_SET), Ordering::Release);
    }

    #[inline]
    fn put(&self, copy: usize, value: &T) {
        // Release pairs with the fence of `attempt`: the change of the state to the present one, and the end of the life before
        // this one, come before every word.
        fence(Ordering::Release);
        self.copies[copy].put(value);
    }
}

/// For the compare-exchange by which a writer enters. Acquire pairs with `publish` (Release): the words of two writers are written
/// one after the other.
#[inline]
fn entering() -> Ordering {
    Ordering::Acquire
}

/// Lets another writer finish. It copies some words, and calls no user code meanwhile, but it may be off its processor.
#[cold]
fn pause() {
    #[cfg(not(acedia_loom))]
    std::thread::yield_now();
    #[cfg(acedia_loom)]
    crate::sync::checker::thread::yield_now();
}

/// The bytes of a value, in words that are accessed atomically.
#[cfg(not(acedia_loom))]
#[repr(transparent)]
struct Words<T>(std::cell::UnsafeCell<Padded<T>>);

/// As aligned as a word, and as large as whole words.
#[cfg(not(acedia_loom))]
#[repr(C, align(8))]
struct Padded<T>(MaybeUninit<T>);

/// In models: loom's words are larger than theirs.
#[cfg(acedia_loom)]
struct Words<T>([AtomicU64; 2], std::marker::PhantomData<T>);

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

impl<T> Words<T> {
    #[cfg(not(acedia_loom))]
    fn new() -> Self {
        Self(std::cell::UnsafeCell::new(Padded(MaybeUninit::zeroed())))
    }

    #[cfg(acedia_loom)]
    fn new() -> Self {
        Self([AtomicU64::new(0), AtomicU64::new(0)], std::marker::PhantomData)
    }

    #[cfg(not(acedia_loom))]
    #[inline]
    fn word(&self, nth: usize) -> &AtomicU64 {
        debug_assert!(nth < size_of::<Self>() / WORD);
        // SAFETY: a word of the value. The type is aligned to words, and its size is a multiple of theirs.
        let word = unsafe { self.0.get().cast::<AtomicU64>().add(nth) };
        // SAFETY: initialised, because the memory of a slot begins as zeros; accessed atomically only.
        unsafe { &*word }
    }

    #[cfg(acedia_loom)]
    fn word(&self, nth: usize) -> &AtomicU64 {
        &self.0[nth]
    }

    /// The bytes from `offset` on. They are a value, possibly of several sets.
    #[inline]
    fn get<F: AnyBitPattern>(&self, offset: usize) -> F {
        let mut value = MaybeUninit::<F>::uninit();
        let end = offset + size_of::<F>();
        assert!(end <= size_of::<T>());
        for nth in offset / WORD..end.div_ceil(WORD) {
            // Relaxed: `attempt` orders it.
            let bytes = self.word(nth).load(Ordering::Relaxed).to_ne_bytes();
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

    #[inline]
    fn put(&self, value: &T)
    where
        T: NoUninit,
    {
        for nth in 0..size_of::<T>().div_ceil(WORD) {
            let rest = &bytemuck::bytes_of(value)[nth * WORD..];
            let bytes = &rest[..rest.len().min(WORD)];
            let mut word = [0; WORD];
            word[..bytes.len()].copy_from_slice(bytes);
            // Relaxed: `publish`, or the exposure of the life, orders it.
            self.word(nth).store(u64::from_ne_bytes(word), Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;
