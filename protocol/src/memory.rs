//! The memory that the threads share, and the store buffer that stands between it and each of them.
//!
//! ```text
//!   thread 0        thread 1        thread 2
//!      │ store         │               │            a store waits in the buffer, in order
//!   ┌──▼───┐        ┌──▼───┐        ┌──▼───┐
//!   │ ░░ ░ │        │      │        │ ░    │        a load looks into its own buffer first,
//!   └──┬───┘        └──┬───┘        └──┬───┘        then into memory: it overtakes those stores
//!      ▼               ▼               ▼
//!   ┌──────────────────────────────────────┐
//!   │ life · flags · censuses · post       │        written by plain stores
//!   │ owners                               │        by plain stores, and by locked instructions,
//!   │ readers · epoch · locks              │        by these only: they empty the buffer first
//!   └──────────────────────────────────────┘
//! ```
//!
//! This is the memory of x86 ("total store order"): the one reordering is that a load overtakes an earlier store of the
//! same thread, and every fence of the protocol is there because of it. Weaker machines are the business of the litmus
//! tests and of loom.

use crate::{SLOTS, THREADS};

/// Most stores that may wait in one buffer; a scenario may ask for fewer.
pub(crate) const BUFFER: usize = 3;

/// The flag of a [`Memory::readers`] word: the last reader to leave finishes the object.
pub(crate) const DEFER: u8 = 1 << 7;
/// The flag of a [`Memory::readers`] word: the thread that clears this bit owns the object.
pub(crate) const MANUAL: u8 = 1 << 6;

/// The life word of a slot whose last life has ended.
pub(crate) const RETIRED: i8 = i8::MIN;

/// The value of a census ([`Var::Mode`], [`Var::Guarding`], [`Var::Counting`]) while it counts no thread. For one
/// thread: 1 + its identity.
pub(crate) const NONE: i8 = 0;
/// The value of a census that counts two threads.
pub(crate) const MANY: i8 = i8::MAX;
/// The value of a census on its way to another one: it allows nobody anything.
pub(crate) const CHANGING: i8 = -1;

/// A word that is written by plain stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Var {
    /// The life word of a slot.
    Life(u8),
    /// Owners of a slot's object beyond the first.
    More(u8),
    /// Only with a bug: guards of a slot, counted by a plain store.
    Readers(u8),
    /// The pin flag of a thread.
    Flag(u8),
    /// The census of threads that read under pins.
    Mode,
    /// The census of threads that make guards.
    Guarding,
    /// The census of threads that count owners.
    Counting,
    /// Whether a thread is about to change a count by plain accesses.
    Busy(u8),
    /// Signals that an owner was sent to this thread.
    Parcel(u8),
    /// Signals that a guard was sent to another thread.
    Letter,
}

/// The shared words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Memory {
    life: [i8; SLOTS],
    more: [i8; SLOTS],
    flag: [i8; THREADS],
    mode: i8,
    guarding: i8,
    counting: i8,
    busy: [i8; THREADS],
    parcel: [i8; THREADS],
    letter: i8,
    /// Guards that may be looking at each slot's object, with [`DEFER`] and [`MANUAL`].
    pub(crate) readers: [u8; SLOTS],
    /// Even; moves on whenever slots start to wait for pins.
    pub(crate) epoch: i8,
    /// Which thread is changing the mode.
    mode_lock: Option<u8>,
    /// Which thread is changing one of the pool's censuses.
    pool_lock: Option<u8>,
}

impl Memory {
    /// `cold`: nobody has read through handles, or counted owners, so far.
    pub(crate) fn new(cold: bool) -> Self {
        let census = if cold { NONE } else { MANY };
        Self {
            life: [0; SLOTS],
            more: [0; SLOTS],
            flag: [0; THREADS],
            mode: census,
            guarding: census,
            counting: census,
            busy: [0; THREADS],
            parcel: [0; THREADS],
            letter: 0,
            readers: [0; SLOTS],
            epoch: 0,
            mode_lock: None,
            pool_lock: None,
        }
    }

    pub(crate) fn get(&self, var: Var) -> i8 {
        match var {
            Var::Life(slot) => self.life[usize::from(slot)],
            Var::More(slot) => self.more[usize::from(slot)],
            Var::Readers(slot) => i8::from_ne_bytes([self.readers[usize::from(slot)]]),
            Var::Flag(thread) => self.flag[usize::from(thread)],
            Var::Mode => self.mode,
            Var::Guarding => self.guarding,
            Var::Counting => self.counting,
            Var::Busy(thread) => self.busy[usize::from(thread)],
            Var::Parcel(thread) => self.parcel[usize::from(thread)],
            Var::Letter => self.letter,
        }
    }

    pub(crate) fn set(&mut self, var: Var, value: i8) {
        let word = match var {
            Var::Life(slot) => &mut self.life[usize::from(slot)],
            Var::More(slot) => &mut self.more[usize::from(slot)],
            Var::Readers(slot) => {
                [self.readers[usize::from(slot)]] = value.to_ne_bytes();
                return;
            }
            Var::Flag(thread) => &mut self.flag[usize::from(thread)],
            Var::Mode => &mut self.mode,
            Var::Guarding => &mut self.guarding,
            Var::Counting => &mut self.counting,
            Var::Busy(thread) => &mut self.busy[usize::from(thread)],
            Var::Parcel(thread) => &mut self.parcel[usize::from(thread)],
            Var::Letter => &mut self.letter,
        };
        *word = value;
    }

    /// The thread that holds the lock under which a census is changed.
    pub(crate) fn lock(&mut self, census: Var) -> &mut Option<u8> {
        match census {
            Var::Guarding | Var::Counting => &mut self.pool_lock,
            _ => &mut self.mode_lock,
        }
    }

    /// Whether a thread that wants to change a census must wait.
    pub(crate) fn is_locked(&self, census: Var) -> bool {
        match census {
            Var::Guarding | Var::Counting => self.pool_lock.is_some(),
            _ => self.mode_lock.is_some(),
        }
    }
}

/// The stores of one thread that no other thread can see yet, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Buffer {
    stores: [Option<(Var, i8)>; BUFFER],
}

impl Buffer {
    pub(crate) fn len(&self) -> usize {
        self.stores.iter().flatten().count()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stores[0].is_none()
    }

    /// Adds a store. There must be room.
    pub(crate) fn push(&mut self, var: Var, value: i8) {
        let end = self.len();
        self.stores[end] = Some((var, value));
    }

    /// Takes the oldest store.
    pub(crate) fn pop(&mut self) -> Option<(Var, i8)> {
        let oldest = self.stores[0].take();
        self.stores.rotate_left(1);
        oldest
    }

    /// The value that the thread itself would load, if it has stored to `var` lately.
    pub(crate) fn newest(&self, var: Var) -> Option<i8> {
        self.stores
            .iter()
            .flatten()
            .rev()
            .find(|(stored, _)| *stored == var)
            .map(|&(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_leave_in_order_and_loads_see_the_newest() {
        let mut buffer = Buffer::default();
        assert!(buffer.is_empty());
        buffer.push(Var::Life(0), 1);
        buffer.push(Var::Flag(2), 7);
        buffer.push(Var::Life(0), -2);
        assert_eq!(buffer.len(), BUFFER);
        assert_eq!(buffer.newest(Var::Life(0)), Some(-2));
        assert_eq!(buffer.newest(Var::Life(1)), None);
        assert_eq!(buffer.pop(), Some((Var::Life(0), 1)));
        assert_eq!(buffer.pop(), Some((Var::Flag(2), 7)));
        assert_eq!(buffer.newest(Var::Life(0)), Some(-2));
        assert_eq!(buffer.pop(), Some((Var::Life(0), -2)));
        assert_eq!(buffer.pop(), None);
        assert_eq!(buffer, Buffer::default());
    }

    #[test]
    fn every_word_is_a_word_of_its_own() {
        let words = [
            Var::Life(0),
            Var::Life(1),
            Var::More(0),
            Var::More(1),
            Var::Readers(0),
            Var::Readers(1),
            Var::Flag(0),
            Var::Flag(1),
            Var::Flag(2),
            Var::Mode,
            Var::Guarding,
            Var::Counting,
            Var::Busy(0),
            Var::Busy(1),
            Var::Busy(2),
            Var::Parcel(0),
            Var::Parcel(1),
            Var::Parcel(2),
            Var::Letter,
        ];
        let mut memory = Memory::new(true);
        for (value, &var) in (1..).zip(&words) {
            memory.set(var, value);
        }
        for (value, &var) in (1..).zip(&words) {
            assert_eq!(memory.get(var), value);
        }
    }
}
