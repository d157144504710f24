//! Linear scans of a slice: finding, replacing and removing matching items.
//!
//! The loops have no branch for each item, which would be mispredicted where matches are frequent and irregular.

/// The number of items compared before a branch, by vector code. A block of 4-byte items is two cache lines.
const BLOCK: usize = 32;

/// The first item that matches.
#[inline]
pub(crate) fn find<T>(items: &[T], matches: impl Fn(&T) -> bool) -> Option<usize> {
    let has_none = |block: &&[T]| !block.iter().fold(false, |any, item| any | matches(item));
    let before = BLOCK * items.chunks_exact(BLOCK).take_while(has_none).count();
    let further = items[before..].iter().position(&matches)?;
    Some(before + further)
}

/// Replaces every item that matches by `new`, and returns their number.
#[inline]
pub(crate) fn replace<T: Copy>(items: &mut [T], matches: impl Fn(&T) -> bool, new: T) -> usize {
    let mut replaced = 0;
    for item in items {
        let is_old = matches(item);
        replaced += usize::from(is_old);
        *item = if is_old { new } else { *item };
    }
    replaced
}

/// Removes every item that matches, closes the gaps, and returns their number.
#[inline]
pub(crate) fn remove_all<T: Copy>(items: &mut Vec<T>, matches: impl Fn(&T) -> bool) -> usize {
    let Some(first) = find(items, &matches) else { return 0 };
    let mut kept = first;
    for at in first..items.len() {
        let item = items[at];
        items[kept] = item;
        kept += usize::from(!matches(&item));
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
