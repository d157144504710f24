use std::collections::BTreeSet;

use super::Shelf;
use crate::pool::list::magazine::{MAGAZINE, Magazine};
use crate::pool::list::stock::RECENT;
use crate::pool::memory::slot::Slot;
use crate::pool::word::index::SLOT_BITS;
use crate::pool::{Owner, Pool, pin};

/// Small random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 1) % below as u64).unwrap_or_default()
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.roll(last + 1));
        }
    }
}

const MANY: u32 = if cfg!(miri) { 12_000 } else { 40_000 };
const ROUNDS: usize = if cfg!(miri) { 60 } else { 1000 };
/// More than the caches hold.
const AGED: usize = if cfg!(miri) { 40_000 } else { 200_000 };

/// Slots are put on the shelf and taken in any order. Each comes out once.
#[test]
fn what_is_put_on_the_shelf_comes_out_once() {
    let pool: Pool<u64> = Pool::new();
    let owners: Vec<_> = (0..MANY).map(|_| pool.allocate()).collect();
    let mut outside: Vec<u32> = owners.iter().map(Owner::index).collect();
    let shelf = Shelf::new(pool.untyped.depot.get().expect("it has objects").shape);
    let mut inside = BTreeSet::new();
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    for round in 0..ROUNDS {
        if round < ROUNDS / 2 && dice.roll(3) > 0 && outside.len() > MAGAZINE {
            if round % 3 == 0 {
                dice.shuffle(&mut outside);
            }
            let mut magazine = Magazine::try_empty().expect("there is memory");
            for index in outside.drain(..=dice.roll(MAGAZINE)) {
                assert!(inside.insert(index), "it was there");
                magazine.push(Slot::of_own(index));
            }
            shelf.put(magazine.slots());
        } else if let Some(magazine) = shelf.take(Magazine::try_empty) {
            assert!(magazine.len() > 0);
            for &slot in magazine.slots() {
                assert!(inside.remove(&slot.index()), "it was not there");
                outside.push(slot.index());
            }
        } else {
            assert!(inside.is_empty(), "{} were lost", inside.len());
        }
    }
    assert!(inside.is_empty());
    assert_eq!(outside.len(), owners.len());
}

/// Objects of more chunks than the caches hold, shuffled.
fn in_any_order(pool: &Pool<u64>) -> Vec<Owner<'_, u64>> {
    let mut owners: Vec<_> = (0..AGED).map(|_| pool.allocate()).collect();
    Dice(0x9E37_79B9_7F4A_7C15).shuffle(&mut owners);
    owners
}

/// How often the next object is of another chunk. The objects that come first are left out: those that the thread
/// itself kept, and those that were freed while the pool was crowded.
fn changes_of_chunk(owners: &[Owner<'_, u64>]) -> usize {
    let chunks = owners
        .iter()
        .skip((3 + RECENT) * MAGAZINE)
        .map(|owner| owner.index() >> SLOT_BITS);
    let chunks: Vec<u32> = chunks.collect();
    chunks.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// A few slots, freed in a random order, are reused before new ones.
#[test]
fn a_full_pool_reuses_what_was_freed() {
    let pool: Pool<u64> = Pool::new();
    let mut owners = in_any_order(&pool);
    for _ in 0..20 {
        let freed: BTreeSet<u32> = owners.drain(..2000).map(|owner| owner.index()).collect();
        owners.extend((0..2000).map(|_| pool.allocate()));
        let used = owners[owners.len() - 2000..].iter().map(Owner::index);
        assert!(used.collect::<BTreeSet<u32>>() == freed);
    }
    assert_eq!(pool.stats().fresh, AGED as u64);
}

/// In a pool that was freed in a random order, new lives begin side by side, in the oldest chunks.
#[test]
fn an_aged_pool_is_as_a_young_one() {
    let pool: Pool<u64> = Pool::new();
    drop(in_any_order(&pool));
    let again: Vec<_> = (0..AGED / 10).map(|_| pool.allocate()).collect();
    assert_eq!(pool.stats().fresh, AGED as u64);
    assert!(changes_of_chunk(&again) <= AGED / 10 / 2000 + 1);
    drop(again);
    let all: BTreeSet<u32> = (0..AGED).map(|_| pool.allocate().into_manual().index()).collect();
    assert_eq!(
        (all.len(), pool.stats().fresh),
        (AGED, AGED as u64),
        "a slot was lost, or was had twice"
    );
}

/// The same where freed slots have to wait for a pin: those that waited are put in order some thousands at a time.
#[test]
fn an_aged_pool_that_others_read_is_as_a_young_one() {
    // Two threads that read.
    drop(pin());
    std::thread::spawn(|| drop(pin())).join().expect("no panic");
    let pool: Pool<u64> = Pool::new();
    let owners = in_any_order(&pool);
    for owner in &owners {
        let _ = owner.key();
    }
    let pinned = pin();
    drop(owners);
    drop(pinned);
    let again: Vec<_> = (0..AGED / 10).map(|_| pool.allocate()).collect();
    // Pins of other tests may keep them waiting; then all of these are new.
    assert!(changes_of_chunk(&again) < AGED / 10 / 16);
}
