//! The sort of integers. It need not be stable, because equal integers are indistinguishable.

/// The length from which a radix sort is faster.
const fn many<T>() -> usize {
    match size_of::<T>() {
        1 => 64,
        8 => 1000,
        _ => 200,
    }
}

/// Sorts integers, many of them by radix. Integers already in order, in either direction, take one pass.
pub(crate) fn integers<T: radsort::Key + Ord>(items: &mut [T]) {
    if items.len() < many::<T>() {
        items.sort_unstable();
    } else if items.is_sorted_by(|left, right| left >= right) {
        items.reverse();
    } else if !items.is_sorted() {
        radsort::sort(items);
    }
}
