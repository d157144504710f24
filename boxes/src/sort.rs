//! Sorting integers, which need no stable sort: nobody can tell equal ones apart.

/// Items from which a radix sort is faster, for 4-byte items; measured (`benches/boxes.md`).
const MANY: usize = 200;

/// The same for single bytes.
const MANY_BYTES: usize = 64;

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

/// For items of 8 bytes: by comparison, because eight passes over memory win nothing, and lose from a million items on.
pub(crate) fn wide<T: Ord>(items: &mut [T]) {
    items.sort_unstable();
}
