//! Linear scans of a slice: finding, replacing and removing matching items.
//!
//! The loops go over whole blocks, without a branch for each item, so that the compiler turns them into vector code for the
//! baseline of the target.

/// The number of items compared before a branch. A block of 4-byte items is two cache lines.
const BLOCK: usize = 32;

/// The number of items counted in 32 bits, so that counting is vector code.
const COUNTED: usize = 1024;

/// The number of items moved at a time. Small, because one item to remove puts its block on the slow path.
const MOVED: usize = 16;

/// Whether none of a few items matches. Compares all of them.
#[inline]
fn has_none<T>(block: &[T], matches: impl Fn(&T) -> bool) -> bool {
    !block.iter().fold(false, |any, item| any | matches(item))
}

/// The index of the first match.
#[inline]
pub(crate) fn find<T>(items: &[T], matches: impl Fn(&T) -> bool) -> Option<usize> {
    let blocks = items.chunks_exact(BLOCK).take_while(|block| has_none(block, &matches));
    let before = BLOCK * blocks.count();
    let further = items[before..].iter().position(&matches)?;
    Some(before + further)
}

/// Replaces every item that matches by `new`, and returns their number.
#[inline]
pub(crate) fn replace<T: Copy>(items: &mut [T], matches: impl Fn(&T) -> bool, new: T) -> usize {
    let mut replaced = 0;
    for block in items.chunks_mut(COUNTED) {
        let mut count = 0_u32;
        for item in block {
            let is_old = matches(item);
            count += u32::from(is_old);
            *item = if is_old { new } else { *item };
        }
        replaced += count as usize;
    }
    replaced
}

/// Removes every item that matches, closes the gaps, and returns their number.
///
/// Blocks without a match are moved whole. In other blocks every item is written, and the position advances only if the item
/// stays. This is slower than a predicted branch, and much faster than a mispredicted one.
#[inline]
pub(crate) fn remove_all<T: Copy>(items: &mut Vec<T>, matches: impl Fn(&T) -> bool) -> usize {
    let Some(first) = find(items, &matches) else { return 0 };
    let (mut from, mut kept) = (first, first);
    while from < items.len() {
        let end = items.len().min(from + MOVED);
        if has_none(&items[from..end], &matches) {
            items.copy_within(from..end, kept);
            kept += end - from;
        } else {
            for at in from..end {
                let item = items[at];
                items[kept] = item;
                kept += usize::from(!matches(&item));
            }
        }
        from = end;
    }
    let removed = items.len() - kept;
    items.truncate(kept);
    removed
}

/// The searching methods of a `Primitive` that is `Copy`.
macro_rules! searches {
    () => {
        fn find(items: &[Self], wanted: Self) -> Option<usize> {
            $crate::scan::find(items, |item| item.same(wanted))
        }

        fn replace(items: &mut [Self], old: Self, new: Self) -> usize {
            $crate::scan::replace(items, |item| item.same(old), new)
        }

        fn remove_all(items: &mut Vec<Self>, unwanted: Self) -> usize {
            $crate::scan::remove_all(items, |item| item.same(unwanted))
        }
    };
}
pub(crate) use searches;
