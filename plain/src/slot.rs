//! [`Slot`]: the words of one slot, and every change of them.
//!
//! ```text
//! … spare of slot 1 │ spare of slot 0 │ state │ life │ home of slot 0 │ state │ life │ home of slot 1 …
//!                                     ▲ base of the chunk
//!
//! life:   0 never lived │ the handle's bits: alive │ DEAD, the life that ended last, and the next free slot
//! state:  manual: no owner has the object │ number of steps: the value is at home if it is even, in the spare if it is odd
//!
//! step:   FENCE (Release);  words of the other place;  state = one more step (Release)
//! set:    a step to the spare, and a step home
//! read:   state (Acquire);  life == mine? (Acquire);  words of the state's place;  FENCE (Acquire);
//!         state as before?  → the copy counts
//! free:   life = DEAD
//! reuse:  state = the next even number (Release);  FENCE (Release);  words of home;  life = next (Release)
//! ```
//!
//! A writer never writes the place to which the state directs readers. So a writer that is stopped, at any instruction, delays no
//! reader. It writes a place again only after the state has directed readers away from it. So a reader that finds a word of a
//! later step, or of a later life, sees after its fence that the state has changed. The state counts on from life to life, with
//! 63 bits, so no state recurs. That is why one check of the life is enough, *after* the first load of the state: if the life was
//! the handle's then, and the state is the same after the copy, no word of the copy is of a later life.
//!
//! Words are accessed only atomically, from the first life of the slot on.

use std::hint;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::handle::{LAST_LIFE, PlainHandle};
use crate::sync::{AtomicU64, Ordering, fence};
use crate::words::{get, put, words_of};
use crate::{AccessError, Plain};

/// In a state, the lowest bit of the number of steps: set if the value is in the spare.
const SPARE: u64 = 1;
/// In a state: the object has no owner, and is freed by its handle.
const MANUAL: u64 = 1 << 63;

/// In a life word: the life has ended.
const DEAD: u64 = 1 << 63;
const LIVES: u64 = (LAST_LIFE as u64) << u32::BITS;

/// The words of the state and the life.
const HEAD: usize = 2;

/// The words of a slot of a living pool.
pub(crate) struct Slot<'p, T>(NonNull<AtomicU64>, PhantomData<&'p fn(T) -> T>);

/// The words of a slot's spare, in a type of their own, because most reads do not need their address.
pub(crate) struct Spare<'p, T>(Slot<'p, T>);

// SAFETY: threads access the words by atomics only, and get copies of the value on other threads (needs `T: Send`). No thread gets a
// reference to the value, so `T: Sync` is not needed.
unsafe impl<T: Send> Send for Slot<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Slot<'_, T> {}

impl<T> Clone for Slot<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slot<'_, T> {}

impl<T> Clone for Spare<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Spare<'_, T> {}

/// A free slot, as in the head of the list of free slots: its index, and the life that ended last. No two frees have the same
/// pair, so no head recurs.
#[derive(Clone, Copy)]
pub(crate) struct Freed(pub(crate) u64);

impl<'p, T: Plain> Slot<'p, T> {
    /// Words of a slot without its spare.
    pub(crate) const WORDS: usize = HEAD + words_of::<T>();
    /// Words of the spare.
    pub(crate) const SPARE_WORDS: usize = words_of::<T>();

    /// The slot with this number in the chunk with this base.
    ///
    /// # Safety
    /// The chunk has this slot, for as long as the result is used.
    #[inline]
    pub(crate) unsafe fn at(base: *mut AtomicU64, local: u32) -> Self {
        // SAFETY: the caller's promise: the slots follow the base.
        let words = unsafe { base.add(local as usize * Self::WORDS) };
        // SAFETY: a place in memory is not null.
        Self(unsafe { NonNull::new_unchecked(words) }, PhantomData)
    }

    /// The spare of the slot, which has this number in its chunk.
    #[inline]
    pub(crate) fn spare(self, local: u32) -> Spare<'p, T> {
        let local = local as usize;
        let words = local * Self::WORDS + (local + 1) * Self::SPARE_WORDS;
        // SAFETY: the spares precede the base of the same chunk, in reverse order.
        Spare(Self(unsafe { self.0.sub(words) }, PhantomData))
    }

    #[inline]
    fn words(self) -> &'p [AtomicU64] {
        // SAFETY: see `at`. The words are initialised, as zeros, and nothing but atomics accesses them.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr(), Self::WORDS) }
    }

    #[inline]
    fn state(self) -> &'p AtomicU64 {
        &self.words()[0]
    }

    #[inline]
    fn life(self) -> &'p AtomicU64 {
        &self.words()[1]
    }

    #[inline]
    fn home(self) -> &'p [AtomicU64] {
        &self.words()[HEAD..]
    }

    /// A copy of the value, if the life of `handle` is the present one. `local` is the slot's number in its chunk.
    #[inline]
    pub(crate) fn read(self, handle: PlainHandle<T>, local: u32) -> Option<T> {
        loop {
            // Acquire pairs with `step_from` (Release): the words of the place. It also pairs with `begin` (Release): a reader that
            // sees the step of a new life does not take the life before it for the present one.
            let before = self.state().load(Ordering::Acquire);
            // Acquire pairs with `begin` (Release): the words of the first value, and the step before them.
            if self.life().load(Ordering::Acquire) != handle.to_bits() {
                return None;
            }
            let words = if before & SPARE == 0 {
                self.home()
            } else {
                // `black_box`: the compiler computes no address from the state, and the spare's address only here.
                uncommon();
                self.spare(hint::black_box(local)).words()
            };
            let value = get(words);
            // Acquire pairs with the fences of `step_from` and `begin`: a reader that has found one of their words sees the state
            // before it.
            fence(Ordering::Acquire);
            let after = self.state().load(Ordering::Relaxed);
            if before == after {
                return Some(value);
            }
            uncommon();
            hint::spin_loop();
        }
    }

    /// The value, for the owner, so no thread writes meanwhile.
    #[inline]
    pub(crate) fn own(self, spare: Spare<'p, T>) -> T {
        // Relaxed: the owner comes after all writers.
        let state = self.state().load(Ordering::Relaxed);
        get(if state & SPARE == 0 { self.home() } else { spare.words() })
    }

    /// Sets the value in the place that readers do not use. For the owner.
    #[inline]
    pub(crate) fn step(self, spare: Spare<'p, T>, value: &T) {
        // Relaxed: the owner comes after all writers.
        let state = self.state().load(Ordering::Relaxed);
        let other = if state & SPARE == 0 { spare.words() } else { self.home() };
        self.step_from(state, other, value);
    }

    /// Sets the value, and leaves it at home, where loads are fastest. For the owner.
    #[inline]
    pub(crate) fn set(self, spare: Spare<'p, T>, value: &T) {
        // Relaxed: as in `step`.
        let mut state = self.state().load(Ordering::Relaxed);
        if state & SPARE == 0 {
            state = self.step_from(state, spare.words(), value);
        }
        self.step_from(state, self.home(), value);
    }

    /// Writes the place that readers do not use, and directs readers to it. Returns the new state.
    #[inline]
    fn step_from(self, state: u64, other: &[AtomicU64], value: &T) -> u64 {
        // Release pairs with the fence of `read`: the last change of the state comes before the words. A reader that sees one of
        // these words sees that change.
        fence(Ordering::Release);
        put(other, value);
        // Release pairs with `read`: the words.
        self.state().store(state + 1, Ordering::Release);
        state + 1
    }

    /// Begins the life after `freed`. The caller has taken the slot, and no thread has the new handle yet.
    #[inline]
    pub(crate) fn begin(self, freed: Freed, value: &T) {
        // Relaxed: the list of free slots orders all earlier writers before this thread.
        let state = self.state().load(Ordering::Relaxed);
        // Release pairs with `read`: a reader that sees this step sees that the last life has ended.
        self.state().store((state & !MANUAL | SPARE) + 1, Ordering::Release);
        // Release pairs with the fence of `read`: this step comes before the words.
        fence(Ordering::Release);
        put(self.home(), value);
        // Release pairs with `read`: the step and the words.
        self.life().store(freed.next_life(), Ordering::Release);
    }

    /// Ends the life, for the owner, and puts the slot on a list in front of `next`. Called again if another thread was faster.
    #[inline]
    pub(crate) fn end(self, freed: Freed, next: u32) {
        // Relaxed: the push publishes the end to the next owner, whose step publishes it to readers. A reader that is ordered
        // after the end in another way sees it, because it reads this word.
        self.life()
            .store(DEAD | (freed.0 & LIVES) | u64::from(next), Ordering::Relaxed);
    }

    /// The index of the slot behind this one in the list of free slots, 0 at the end. Any index of the pool if the slot is not in
    /// the list any more.
    #[inline]
    pub(crate) fn next(self) -> u32 {
        // Relaxed: the head of the list orders it.
        low(self.life().load(Ordering::Relaxed))
    }

    /// The slot, which has this index, as the head of the list of free slots would name it.
    #[inline]
    pub(crate) fn freed(self, index: u32) -> Freed {
        // Relaxed: as in `next`, or the caller is the owner.
        Freed(self.life().load(Ordering::Relaxed) & LIVES | u64::from(index))
    }

    /// The handle of the present life, for its owner.
    #[inline]
    pub(crate) fn own_handle(self) -> PlainHandle<T> {
        // Relaxed: the owner comes after the beginning of the life.
        match PlainHandle::from_bits(self.life().load(Ordering::Relaxed)) {
            Some(handle) => handle,
            None => unreachable!("an owned object is alive"),
        }
    }

    /// The handle of the present life, if there is one.
    #[inline]
    pub(crate) fn handle(self) -> Option<PlainHandle<T>> {
        // Relaxed: the caller's use of the handle acquires the life.
        PlainHandle::from_bits(self.life().load(Ordering::Relaxed))
    }

    /// Lets the object live without an owner.
    pub(crate) fn leave(self) {
        // Relaxed: the owner comes after all writers.
        let state = self.state().load(Ordering::Relaxed);
        // Release pairs with `claim`: the owner's writes.
        self.state().store(state | MANUAL, Ordering::Release);
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(crate) fn skip_lives_to(self, life: u32) {
        let present = Freed::fresh(self.own_handle().index(), life);
        self.life().store(present.0, Ordering::Relaxed);
    }

    /// Takes the object of this life, which has no owner.
    pub(crate) fn claim(self, handle: PlainHandle<T>) -> Result<(), AccessError> {
        // Acquire pairs with `leave`: this life, and its owner's writes.
        let state = self.state().load(Ordering::Acquire);
        // Relaxed: if the compare-exchange finds the same state, the life has not changed in between, and the life of that state
        // is not later than the life that is read here.
        if self.life().load(Ordering::Relaxed) != handle.to_bits() {
            return Err(AccessError::Ended);
        }
        let is_taken = || {
            // Relaxed: the state is the one that was acquired.
            let taken = self
                .state()
                .compare_exchange(state, state & !MANUAL, Ordering::Relaxed, Ordering::Relaxed);
            taken.is_ok()
        };
        if state & MANUAL != 0 && is_taken() {
            Ok(())
        } else {
            Err(AccessError::Owned)
        }
    }
}

impl<'p, T: Plain> Spare<'p, T> {
    #[inline]
    fn words(self) -> &'p [AtomicU64] {
        // SAFETY: as for a slot.
        unsafe { std::slice::from_raw_parts(self.0.0.as_ptr(), Slot::<T>::SPARE_WORDS) }
    }
}

impl Freed {
    /// A slot whose next life is the one after `floor`.
    pub(crate) fn fresh(index: u32, floor: u32) -> Self {
        Self(u64::from(floor) << u32::BITS | u64::from(index))
    }

    #[inline]
    pub(crate) fn index(self) -> u32 {
        low(self.0)
    }

    /// Whether it was the slot's last life.
    #[inline]
    pub(crate) fn is_worn(self) -> bool {
        self.0 & LIVES == LIVES
    }

    #[inline]
    fn next_life(self) -> u64 {
        self.0 + (1 << u32::BITS)
    }

    pub(crate) fn life(self) -> u32 {
        low(self.0 >> u32::BITS)
    }
}

#[inline]
fn low(word: u64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
    let low = word as u32;
    low
}

/// Marks the branch that calls it as uncommon.
#[cold]
#[inline]
const fn uncommon() {}
