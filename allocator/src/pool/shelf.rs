//! [`Shelf`]: free slots of a pool that the caches don't hold, in the order of their memory.
//!
//! ```text
//!   freed in any order                    as long as nobody has them        for new lives
//!
//!   magazine: chunk 7, 2, 9, 2, 5 …  ──►  chunk 2  ··█·██··█···██····  ──►  magazine: chunk 2, 2, 2, 2, 2 …
//!   magazine: chunk 4, 9, 2, 3, 8 …       chunk 3  █····█··········██
//!                                         …
//! ```
//!
//! A list gives slots back in the order in which they were freed. Where a great many were freed in a random order, each life would
//! begin and end far from the one before it, and since the next list has the same order, it would stay so for as long as the pool is
//! used. Here a bit for each slot says whether it is free, and slots are taken chunk by chunk, the oldest first: the objects of a
//! pool that has few of many left come to stand in few chunks, and the others can be given back.

use std::ptr::NonNull;

use super::chunk::Chunk;
use super::magazine::{MAGAZINE, Magazine};
use super::slot::Grid;
use crate::sync::plain::{AtomicUsize, Ordering};
use crate::sync::{Mutex, bug};

/// Free slots, chunk by chunk.
pub(super) struct Shelf {
    slots: Mutex<Slots>,
    /// How many there are, for who would take some. Changed under the lock.
    len: AtomicUsize,
}

#[derive(Default)]
struct Slots {
    len: usize,
    /// How many there are of each chunk; of those before `first`, none.
    counts: Vec<usize>,
    first: usize,
    /// None for a chunk of which there never were any.
    chunks: Vec<Option<Free>>,
}

/// The free slots of a chunk.
struct Free {
    chunk: NonNull<Chunk>,
    /// A bit for each.
    words: Box<[u64]>,
    /// Those that came in magazines in which they stand together already, as far as a look at some of them showed. The first slot of
    /// each is the chunk's.
    #[expect(clippy::vec_box, reason = "they come and go in their boxes")]
    whole: Vec<Box<Magazine>>,
}

impl Shelf {
    pub(super) fn new() -> Self {
        Self {
            slots: Mutex::new(Slots::default()),
            len: AtomicUsize::new(0),
        }
    }

    /// Takes the slots of a magazine one by one. Those that there is no memory for are left in it.
    pub(super) fn put_each(&self, magazine: &mut Magazine, grid: &Grid<'_>) {
        let put = self.change(|slots| slots.put_each(magazine, grid));
        magazine.skip(put);
    }

    /// Takes a magazine whose slots stand together, unless there is no memory for it.
    pub(super) fn put_whole(&self, magazine: Box<Magazine>, grid: &Grid<'_>) -> Result<(), Box<Magazine>> {
        self.change(|slots| slots.put_whole(magazine, grid))
    }

    /// A magazine of slots, if there are any. `empty` gives one to put them in; without one, they stay here.
    pub(super) fn take(&self, empty: impl FnOnce() -> Option<Box<Magazine>>, grid: &Grid<'_>) -> Option<Box<Magazine>> {
        // Relaxed: a miss leaves them to the next look.
        if self.len.load(Ordering::Relaxed) == 0 {
            return None;
        }
        self.change(|slots| slots.take(empty, grid))
    }

    /// Gives back the memory of lists that are empty.
    pub(super) fn shrink(&self) {
        self.change(|slots| {
            if slots.len == 0 {
                *slots = Slots::default();
            }
        });
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(super) fn is_empty(&self) -> bool {
        self.slots.lock().len == 0
    }

    fn change<R>(&self, change: impl FnOnce(&mut Slots) -> R) -> R {
        let mut slots = self.slots.lock();
        let result = change(&mut slots);
        self.len.store(slots.len, Ordering::Relaxed);
        result
    }
}

impl Slots {
    /// Gives how many of them there was memory for.
    fn put_each(&mut self, magazine: &Magazine, grid: &Grid<'_>) -> usize {
        let before = self.len;
        let mut slots = magazine.slots().peekable();
        while let Some(slot) = slots.peek() {
            let chunk = slot.chunk_in(grid);
            let Some((nth, free)) = self.of(chunk) else { break };
            let mut put = 0;
            while let Some(slot) = slots.next_if(|slot| slot.chunk_in(grid) == chunk) {
                let place = slot.place_in(grid);
                free.words[place / 64] |= 1 << (place % 64);
                put += 1;
            }
            self.count(nth, put);
        }
        self.len - before
    }

    fn put_whole(&mut self, magazine: Box<Magazine>, grid: &Grid<'_>) -> Result<(), Box<Magazine>> {
        let chunk = magazine.slots().next().map(|slot| slot.chunk_in(grid));
        let Some((nth, free)) = chunk.and_then(|chunk| self.of(chunk)) else {
            return Err(magazine);
        };
        if free.whole.try_reserve(1).is_err() {
            return Err(magazine);
        }
        let len = magazine.len();
        free.whole.push(magazine);
        self.count(nth, len);
        Ok(())
    }

    fn count(&mut self, nth: usize, more: usize) {
        self.counts[nth] += more;
        self.len += more;
        self.first = self.first.min(nth);
    }

    /// The free slots of a chunk, unless there is no memory for them.
    fn of(&mut self, chunk: NonNull<Chunk>) -> Option<(usize, &mut Free)> {
        // SAFETY: the caller's is of a living pool.
        let header = unsafe { chunk.as_ref() };
        let nth = header.nth as usize;
        if !matches!(self.chunks.get(nth), Some(Some(_))) {
            self.add(chunk, nth, header.shape.slots as usize)?;
        }
        Some((nth, self.chunks.get_mut(nth)?.as_mut()?))
    }

    #[cold]
    fn add(&mut self, chunk: NonNull<Chunk>, nth: usize, slots: usize) -> Option<()> {
        let mut words = Vec::new();
        words.try_reserve_exact(slots.div_ceil(64)).ok()?;
        words.resize(slots.div_ceil(64), 0);
        let more = (nth + 1).saturating_sub(self.chunks.len());
        self.chunks.try_reserve(more).ok()?;
        self.counts.try_reserve(more).ok()?;
        for _ in 0..more {
            self.chunks.push(None);
            self.counts.push(0);
        }
        self.chunks[nth] = Some(Free {
            chunk,
            words: words.into_boxed_slice(),
            whole: Vec::new(),
        });
        Some(())
    }

    fn take(&mut self, empty: impl FnOnce() -> Option<Box<Magazine>>, grid: &Grid<'_>) -> Option<Box<Magazine>> {
        if let Some(whole) = self.oldest()?.whole.pop() {
            self.uncount(whole.len());
            return Some(whole);
        }
        let mut magazine = empty()?;
        while let Some(free) = self.oldest() {
            let taken = free.take(&mut magazine, grid);
            if taken == 0 {
                // The magazine is full, or what is left of the chunk is whole.
                break;
            }
            self.uncount(taken);
        }
        // So they come out in the order of their memory.
        magazine.reverse();
        Some(magazine)
    }

    /// The oldest chunk that has some: from now on it is the first.
    fn oldest(&mut self) -> Option<&mut Free> {
        let ahead = self.counts[self.first..].iter().position(|&count| count > 0);
        self.first = ahead.map_or(self.counts.len(), |ahead| self.first + ahead);
        self.chunks.get_mut(self.first)?.as_mut()
    }

    /// So many of the first chunk are gone.
    fn uncount(&mut self, less: usize) {
        self.counts[self.first] -= less;
        self.len -= less;
    }
}

impl Free {
    /// Moves slots that have bits into a magazine until it is full. Gives their number.
    fn take(&mut self, magazine: &mut Magazine, grid: &Grid<'_>) -> usize {
        let before = magazine.len();
        for (at, word) in self.words.iter_mut().enumerate() {
            while *word != 0 && magazine.len() < MAGAZINE {
                let place = at * 64 + word.trailing_zeros() as usize;
                magazine.push(grid.slot(self.chunk, place));
                if bug("shelf_keeps_bits") {
                    break;
                }
                *word &= *word - 1;
            }
        }
        magazine.len() - before
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests {
    use std::collections::BTreeSet;

    use super::Shelf;
    use crate::pool::directory::SLOT_BITS;
    use crate::pool::magazine::{MAGAZINE, Magazine};
    use crate::pool::slot::{Grid, Slot};
    use crate::pool::stock::RECENT;
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

    /// Slots are put away and taken in any order: each comes out once.
    #[test]
    fn what_is_put_on_the_shelf_comes_out_once() {
        let pool: Pool<u64> = Pool::new();
        let owners: Vec<_> = (0..MANY).map(|_| pool.allocate()).collect();
        let mut outside: Vec<u32> = owners.iter().map(Owner::index).collect();
        let grid = Grid::of(pool.depot.get().expect("it has objects").shape);
        let (shelf, mut inside) = (Shelf::new(), BTreeSet::new());
        let mut dice = Dice(0x2545_F491_4F6C_DD1D);
        let (mut scattered, mut together) = (0, 0);
        for round in 0..ROUNDS {
            if round < ROUNDS / 2 && dice.roll(3) > 0 && outside.len() > MAGAZINE {
                if round % 3 == 0 {
                    dice.shuffle(&mut outside);
                }
                let mut magazine = Magazine::empty();
                for index in outside.drain(..=dice.roll(MAGAZINE)) {
                    assert!(inside.insert(index), "it was there");
                    magazine.push(Slot::of_own(index));
                }
                if magazine.is_scattered(&grid) {
                    scattered += 1;
                    shelf.put_each(&mut magazine, &grid);
                    assert_eq!(magazine.len(), 0);
                } else {
                    together += 1;
                    shelf.put_whole(magazine, &grid).expect("there is memory");
                }
            } else if let Some(magazine) = shelf.take(Magazine::try_empty, &grid) {
                assert!(magazine.len() > 0);
                for slot in magazine.slots() {
                    assert!(inside.remove(&slot.index()), "it was not there");
                    outside.push(slot.index());
                }
            } else {
                assert!(inside.is_empty(), "{} were lost", inside.len());
            }
        }
        assert!(inside.is_empty() && scattered > 0 && together > 0);
        assert_eq!(outside.len(), owners.len());
    }

    /// Objects of more chunks than the caches hold, shuffled.
    fn in_any_order(pool: &Pool<u64>) -> Vec<Owner<'_, u64>> {
        let mut owners: Vec<_> = (0..AGED).map(|_| pool.allocate()).collect();
        assert!(pool.depot.get().is_some_and(|depot| depot.stock.is_far()));
        Dice(0x9E37_79B9_7F4A_7C15).shuffle(&mut owners);
        owners
    }

    /// How often the next one is of another chunk, without those that the thread had kept itself, and those that were freed while
    /// the pool was crowded, which come first.
    fn changes_of_chunk(owners: &[Owner<'_, u64>]) -> usize {
        let chunks = owners
            .iter()
            .skip((3 + RECENT) * MAGAZINE)
            .map(|owner| owner.index() >> SLOT_BITS);
        let chunks: Vec<u32> = chunks.collect();
        chunks.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// In a pool that is nearly full, what was freed last is used first: it is near, and the rest is as far apart.
    #[test]
    fn a_crowded_pool_reuses_what_was_freed_last() {
        let pool: Pool<u64> = Pool::new();
        let mut owners = in_any_order(&pool);
        for _ in 0..20 {
            let freed: BTreeSet<u32> = owners.drain(..2000).map(|owner| owner.index()).collect();
            let stock = &pool.depot.get().expect("it has objects").stock;
            assert!(stock.slots() > 0 && stock.shelf_is_empty());
            owners.extend((0..2000).map(|_| pool.allocate()));
            let used = owners[owners.len() - 2000..].iter().map(Owner::index);
            assert_eq!(used.collect::<BTreeSet<u32>>(), freed);
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
        assert!(changes_of_chunk(&again) <= AGED / 10 / 4000 + 1);
        drop(again);
        let all: BTreeSet<u32> = (0..AGED).map(|_| pool.allocate().into_manual().index()).collect();
        assert_eq!(
            (all.len(), pool.stats().fresh),
            (AGED, AGED as u64),
            "a slot was lost, or was had twice"
        );
    }

    /// The same where what is freed has to wait for a pin: what comes from there is put in order some thousands at a time.
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
        // Unless pins of other tests keep them waiting, and all these are new.
        assert!(changes_of_chunk(&again) < AGED / 10 / 16);
    }
}
