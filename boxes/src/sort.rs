//! Sorting numbers.

use std::cmp::Ordering;

/// Sorts numbers that are identical if `order` calls them equal, so that nobody can tell whether it is stable.
///
/// By radix from `radix_from` items on, where that is faster; `order` must be the one that `radsort` has. What is in order
/// already, in either direction, is only looked at.
pub(crate) fn numbers<T: radsort::Key>(items: &mut [T], radix_from: usize, order: impl Fn(&T, &T) -> Ordering) {
    if items.len() < radix_from {
        items.sort_unstable_by(order);
    } else if items.is_sorted_by(|left, right| order(left, right).is_ge()) {
        items.reverse();
    } else if !items.is_sorted_by(|left, right| order(left, right).is_le()) {
        radsort::sort(items);
    }
}
