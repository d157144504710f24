//! Sorting integers, which need no stable sort: nobody can tell equal ones apart.

#[cfg(test)]
mod tests;

/// Items from which a radix sort is faster, for 4-byte items; measured (`benches/boxes.md`).
const MANY: usize = 200;

/// The same for single bytes.
const MANY_BYTES: usize = 64;

/// Items from which it is faster to deal them out first, for 8-byte items; measured there, too.
const MANY_WIDE: usize = 3000;

/// For items of up to 4 bytes: many of them by radix, where what is in order already, in either direction, is only looked
/// at.
pub(crate) fn narrow<T: radsort::Key + Ord>(items: &mut [T]) {
    let many = if size_of::<T>() == 1 { MANY_BYTES } else { MANY };
    if items.len() < many {
        items.sort_unstable();
    } else if items.is_sorted_by(|left, right| left >= right) {
        items.reverse();
    } else if !items.is_sorted() {
        radsort::sort(items);
    }
}

/// For items of 8 bytes. Eight passes over memory win little, and lose from a million items on; so many items are dealt out
/// once, by where they lie between the smallest and the largest, and the heaps sorted by comparison. Where most would land
/// on few heaps, nothing is dealt.
pub(crate) fn wide(items: &mut [i64]) {
    match Deal::of(items) {
        Some(deal) => deal.sort(items),
        // Knows what is in order already, in either direction.
        None => items.sort_unstable(),
    }
}

/// How items are dealt out.
struct Deal {
    smallest: i64,
    shift: u32,
    heaps: usize,
}

impl Deal {
    /// None if it isn't worth it.
    fn of(items: &[i64]) -> Option<Self> {
        /// About so many items to a heap, so that sorting it takes next to nothing.
        const HEAP: u32 = 32;
        /// More heaps than this are too many places in memory to write to in turns.
        const MOST: u32 = 1 << 13;
        const SAMPLES: usize = 256;

        if items.len() < MANY_WIDE || items.is_sorted() || items.is_sorted_by(|left, right| left >= right) {
            return None;
        }
        let (smallest, largest) = (*items.iter().min()?, *items.iter().max()?);
        let bits = (items.len().ilog2() - HEAP.ilog2()).min(MOST.ilog2());
        let width = u64::BITS - largest.abs_diff(smallest).leading_zeros();
        let deal = Self {
            smallest,
            shift: width.saturating_sub(bits),
            heaps: 1 << bits,
        };
        let mut samples = vec![0; deal.heaps];
        for item in items.iter().step_by(items.len() / SAMPLES) {
            samples[deal.heap(*item)] += 1;
        }
        samples.iter().all(|count| *count <= SAMPLES / 8).then_some(deal)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "less than the number of heaps")]
    fn heap(&self, item: i64) -> usize {
        (item.abs_diff(self.smallest) >> self.shift) as usize
    }

    fn sort(&self, items: &mut [i64]) {
        // How many are on each heap; where the next one goes; in the end, where the heap ends.
        let mut places = vec![0; self.heaps];
        for item in &*items {
            places[self.heap(*item)] += 1;
        }
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        let mut dealt = vec![0; items.len()];
        for item in &*items {
            let place = &mut places[self.heap(*item)];
            dealt[*place] = *item;
            *place += 1;
        }
        let mut start = 0;
        for end in places {
            dealt[start..end].sort_unstable();
            start = end;
        }
        items.copy_from_slice(&dealt);
    }
}
