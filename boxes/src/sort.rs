//! Sorts of integers. They need not be stable: equal integers are indistinguishable.

#[cfg(test)]
mod tests;

/// The number of 4-byte items from which on a radix sort is faster.
const MANY: usize = 200;

/// The same for single bytes.
const MANY_BYTES: usize = 64;

/// The number of 8-byte items from which on it is faster to distribute them first.
const MANY_WIDE: usize = 3000;

/// Sorts items of up to 4 bytes, many of them by radix. Items already in order, in either direction, take one pass.
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

/// Sorts items of 8 bytes. The eight passes of a radix sort gain little, and lose from a million items on. Instead, many items
/// are distributed once into buckets, by their place between the smallest and the largest, and each bucket is sorted by
/// comparison. If most items would be in few buckets, they are not distributed.
pub(crate) fn wide(items: &mut [i64]) {
    match Deal::of(items) {
        Some(deal) => deal.sort(items),
        // Takes one pass for items already in order, in either direction.
        None => items.sort_unstable(),
    }
}

/// The distribution of items into buckets ("heaps").
struct Deal {
    smallest: i64,
    shift: u32,
    heaps: usize,
}

impl Deal {
    /// `None` if distributing does not pay.
    fn of(items: &[i64]) -> Option<Self> {
        /// The approximate number of items per heap, small enough to sort quickly.
        const HEAP: u32 = 32;
        /// The most heaps: writing to more places in memory alternately is slow.
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
        // First the size of each heap, then the place of its next item, in the end its end.
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
