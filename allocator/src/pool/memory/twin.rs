//! The value of a slot that is read as a copy: its [home](Home) in the slot, and a spare that is whole while home is being written.
//!
//! ```text
//! slot:  life │ state │ home          state:  number of sets │ s │ w
//! spare:              │ words
//!                                     s: readers use the spare, because home is being written
//!                                     w: a writer is at work
//!
//! set:   FENCE (Release);  words of the spare;  s = 1 (Release)
//!        FENCE (Release);  words of home;       s = 0, one more set (Release)
//! read:  life == mine? (Acquire);  state (Acquire);  words of home, or of the spare if s;  FENCE (Acquire);
//!        state and life as before?  → the copy counts
//! free:  life = ended
//! reuse: FENCE (Release);  words of home;  life = next (Release)
//! ```
//!
//! A reader that finds a word of a later set, or of a later life, finds the change of the state, or the end of the life, behind its
//! fence. A set writes the spare while readers use home, and home while they use the spare. So a writer that stops in the middle
//! of it delays no reader.
//!
//! The spare of a slot is the home of its [partner](Slot::partner), apart from the homes: a read does not load its cache lines, and
//! its pages cost no memory until an object on them is set.
//!
//! All accesses to the words are atomic, at the beginning of a life, too. The state goes on from life to life. If the pages of the
//! slot are given back, it starts again at 0: the number distinguishes sets of one life only.

#[cfg(all(
    target_arch = "x86_64",
    target_pointer_width = "64",
    target_feature = "sse2",
    not(any(acedia_loom, miri))
))]
use std::arch::{asm, x86_64::__m128i};
use std::hint;
use std::mem::MaybeUninit;
use std::panic::RefUnwindSafe;

use bytemuck::{AnyBitPattern, NoUninit};

use crate::hint::uncommon;
use crate::pool::memory::slot::Slot;
use crate::pool::word::key::Key;
use crate::pool::word::life::Life;
use crate::sync::fork::Patience;
use crate::sync::{AtomicU64, Ordering, fence};

/// The object of a slot: a value, with the state of its two places. See the drawing of the [module](self).
///
/// Memory of zeros is one.
#[repr(C)]
pub(crate) struct Home<T> {
    state: AtomicU64,
    words: Words<T>,
}

/// Both places of a value.
#[derive(Clone, Copy)]
pub(crate) struct Twin<'s, T> {
    home: &'s Home<T>,
    spare: &'s Words<T>,
}

/// The bit of a writer at work.
const WRITING: u64 = 1;
/// The bit that sends readers to the spare.
const SPARE: u64 = 2;
const ONE_SET: u64 = 4;

// SAFETY: threads access the words by atomics only, and get copies of the value on other threads (needs `T: Send`). No thread
// gets a reference to the value, so `T: Sync` is not needed.
unsafe impl<T: Send> Send for Home<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Home<T> {}

/// A panic of user code leaves no half of a value: it runs before the first word is written.
impl<T> RefUnwindSafe for Home<T> {}

impl<T: NoUninit + AnyBitPattern> Home<T> {
    pub(crate) fn new() -> Self {
        Self {
            state: AtomicU64::new(0),
            words: Words::new(),
        }
    }

    /// Writes the value of a new life, which is not visible yet. The caller is the only owner, so no set is under way.
    #[inline]
    pub(in crate::pool) fn begin(&self, value: &T) {
        self.words.put(value);
    }

    /// The value, for the only owner.
    pub(crate) fn last(&self) -> T {
        self.words.get(0)
    }
}

impl<T: NoUninit + AnyBitPattern> Twin<'_, T> {
    /// The places of a slot's value.
    ///
    /// # Safety
    /// The slot is one of a pool of such objects that outlives the result.
    #[inline]
    pub(in crate::pool) unsafe fn of(slot: Slot) -> Self {
        // SAFETY: fresh memory is an object, which is accessed atomically only; for the rest the caller's promise.
        let home = unsafe { slot.object::<Home<T>>().as_ref() };
        // SAFETY: as above.
        let partner: &Home<T> = unsafe { slot.partner::<Home<T>>().object().as_ref() };
        Self {
            home,
            spare: &partner.words,
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

    /// Like [`read`](Self::read), but for an owner of the object. Also returns the state of the copy.
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
        // Acquire pairs with `publish` (Release): the words of the copy.
        let before = self.home.state.load(Ordering::Acquire);
        let words = if before & SPARE == 0 {
            &self.home.words
        } else {
            // The compiler computes no address from the state then.
            uncommon();
            self.spare
        };
        let value = words.get(offset);
        // Acquire pairs with the fence of `put`: a thread that has read a word of a later set or life sees, behind this fence,
        // that the state has changed or the life has ended.
        fence(Ordering::Acquire);
        let after = self.home.state.load(Ordering::Relaxed);
        let settled = (before ^ after) & !WRITING == 0;
        (value, settled.then_some(before & !(WRITING | SPARE)))
    }

    /// Sets the value. The caller is the only owner.
    #[inline]
    pub(crate) fn set(&self, value: &T) {
        // Relaxed: the sole owner comes after all earlier writers.
        self.publish(self.home.state.load(Ordering::Relaxed), value);
    }

    /// Like [`set`](Self::set), but there may be other owners: waits for a writer that is at work.
    pub(crate) fn set_shared(&self, value: &T) {
        let mut turn = Turn::default();
        loop {
            let state = self.home.state.load(Ordering::Relaxed) & !(WRITING | SPARE);
            if self.try_set(state, value) {
                return;
            }
            turn.wait(state);
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

    /// Like [`update`](Self::update), but there may be other owners. If one of them has set the value meanwhile, calls `change`
    /// again.
    pub(crate) fn update_shared<R>(&self, mut change: impl FnMut(&mut T) -> R) -> R {
        let mut turn = Turn::default();
        loop {
            let (mut value, state) = self.read_owned(0);
            let result = change(&mut value);
            if self.try_set(state, &value) {
                return result;
            }
            turn.wait(state);
        }
    }

    /// Sets the value if the state is this one, in which no writer is at work.
    fn try_set(&self, state: u64, value: &T) -> bool {
        let entered = self
            .home
            .state
            .compare_exchange(state, state | WRITING, entering(), Ordering::Relaxed)
            .is_ok();
        if entered {
            self.publish(state, value);
        }
        entered
    }

    /// Writes the spare, sends readers to it, writes home, and sends readers back. `state` is the present one, without
    /// [`WRITING`] and [`SPARE`]. No other thread writes.
    #[inline]
    fn publish(&self, state: u64, value: &T) {
        self.spare.put(value);
        // Release, both, pairs with `attempt` and `try_set` (Acquire).
        self.home.state.store(state | WRITING | SPARE, Ordering::Release);
        self.home.words.put(value);
        self.home.state.store(state.wrapping_add(ONE_SET), Ordering::Release);
    }
}

/// The wait for another writer. It copies some words, and calls no user code meanwhile, but it may be off its processor.
#[derive(Default)]
struct Turn(Patience, u64);

impl Turn {
    /// Lets other threads run. Panics in a forked process whose value stays in that state: its writer is a thread of the parent.
    #[cold]
    fn wait(&mut self, state: u64) {
        if self.1 != state {
            *self = Self(Patience::default(), state);
        }
        self.0.wait();
    }
}

/// For the compare-exchange by which a writer enters. Acquire pairs with `publish` (Release): the words of two writers are written
/// one after the other.
#[inline]
fn entering() -> Ordering {
    Ordering::Acquire
}

/// The instruction in the form of the code around it: a mixture of both forms is slow on some processors.
#[cfg(all(target_arch = "x86_64", target_feature = "avx", not(any(acedia_loom, miri))))]
macro_rules! sse {
    ($instruction:literal) => {
        concat!("v", $instruction)
    };
}
#[cfg(all(target_arch = "x86_64", not(any(target_feature = "avx", acedia_loom, miri))))]
macro_rules! sse {
    ($instruction:literal) => {
        $instruction
    };
}

/// The bytes of a value, in words that are accessed atomically.
#[cfg(not(acedia_loom))]
#[repr(transparent)]
struct Words<T>(std::cell::UnsafeCell<Padded<T>>);

/// As aligned as a word, whatever the alignment of the value, and as large as whole words.
#[cfg(not(acedia_loom))]
#[repr(C, align(8))]
struct Padded<T>(Bytes<T>);

#[cfg(not(acedia_loom))]
#[repr(C, packed)]
struct Bytes<T>(MaybeUninit<T>);

/// In models: loom's words are larger than theirs.
#[cfg(acedia_loom)]
struct Words<T>([AtomicU64; 2], std::marker::PhantomData<T>);

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

impl<T> Words<T> {
    #[cfg(not(acedia_loom))]
    fn new() -> Self {
        Self(std::cell::UnsafeCell::new(Padded(Bytes(MaybeUninit::zeroed()))))
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
        for nth in self.get_pairs(offset, &mut value)..end.div_ceil(WORD) {
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

    /// No pairs: where Rust's own atomics are checked, and on other processors.
    #[cfg(not(all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        target_feature = "sse2",
        not(any(acedia_loom, miri))
    )))]
    fn get_pairs<F>(&self, offset: usize, _: &mut MaybeUninit<F>) -> usize {
        offset / WORD
    }

    /// Copies the words from `offset` on in pairs, each by one load. Returns the first word that is left. Among objects that no cache
    /// holds, the time of a read depends on the number of its loads.
    ///
    /// In assembly, because Rust has no atomic access of sixteen bytes. The processor need not make it in one piece: a copy that is
    /// disturbed in the middle of a word is refused as any other.
    #[cfg(all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        target_feature = "sse2",
        not(any(acedia_loom, miri))
    ))]
    #[inline]
    fn get_pairs<F>(&self, offset: usize, value: &mut MaybeUninit<F>) -> usize {
        const PAIR: usize = size_of::<__m128i>();
        if offset % WORD != 0 {
            return offset / WORD;
        }
        let pairs = size_of::<F>() / PAIR;
        for at in (0..pairs).map(|pair| pair * PAIR) {
            // SAFETY: the caller has checked that there is an `F` at `offset`.
            let from = unsafe { self.0.get().cast::<u8>().add(offset + at) };
            let words: __m128i;
            // SAFETY: loads two words of the value, as `word` says.
            unsafe {
                asm!(sse!("movups {words}, [{from}]"), words = out(xmm_reg) words, from = in(reg) from,
                    options(nostack, preserves_flags, readonly));
            }
            // SAFETY: within the `F`.
            let to = unsafe { value.as_mut_ptr().cast::<u8>().add(at) };
            // SAFETY: as above.
            unsafe { to.cast::<__m128i>().write_unaligned(words) };
        }
        offset / WORD + 2 * pairs
    }

    #[inline]
    fn put(&self, value: &T)
    where
        T: NoUninit,
    {
        // Release pairs with the fence of `attempt`: the change of the state to the present one, and the end of the life before
        // this one, come before every word.
        fence(Ordering::Release);
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
