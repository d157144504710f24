//! Linear scans of a slice: finding, replacing and removing matching items.
//!
//! The loops go over whole blocks, without a branch for each item, so that the compiler turns them into vector code for the
//! baseline of the target.

#[cfg(test)]
mod tests;

/// The number of items compared before a branch. A block of 4-byte items is two cache lines.
const BLOCK: usize = 32;

/// The number of items counted in 32 bits, so that counting is vector code.
const COUNTED: usize = 1024;

/// The number of items moved at a time. Small, because one item to remove puts its block on the slow path.
const MOVED: usize = 16;

/// The first item that matches.
#[inline]
pub(crate) fn find<T: Copy>(items: &[T], matches: impl Fn(&T) -> bool) -> Option<usize> {
    let mut at = 0;
    for block in items.chunks_exact(BLOCK) {
        if any(block, &matches) {
            break;
        }
        at += BLOCK;
    }
    items[at..].iter().position(matches).map(|further| at + further)
}

/// The first item that is equal to `wanted`.
#[inline]
pub(crate) fn equal<T: Copy + PartialEq>(items: &[T], wanted: T) -> Option<usize> {
    find(items, |item| *item == wanted)
}

/// The first byte that is equal to `wanted`.
pub(crate) fn byte(items: &[u8], wanted: u8) -> Option<usize> {
    memchr::memchr(wanted, items)
}

/// Whether one of a few items matches. Compares all of them.
#[inline]
fn any<T>(block: &[T], matches: impl Fn(&T) -> bool) -> bool {
    block.iter().fold(false, |any, item| any | matches(item))
}

/// Replaces every item that matches by `new`, and returns their number.
#[inline]
pub(crate) fn replace<T: Copy>(items: &mut [T], matches: impl Fn(&T) -> bool, new: T) -> usize {
    let Some(first) = find(items, &matches) else { return 0 };
    let mut replaced = 0;
    for block in items[first..].chunks_mut(COUNTED) {
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
/// Blocks without a match are moved whole. In the others every item is written, and the place of the next one depends on
/// whether it stays: slower than a predicted branch, and much faster than a mispredicted one.
#[inline]
pub(crate) fn remove_all<T: Copy>(items: &mut Vec<T>, matches: impl Fn(&T) -> bool) -> usize {
    let Some(first) = find(items, &matches) else { return 0 };
    let (mut from, mut to) = (first, first);
    while let Some(block) = items[from..].first_chunk::<MOVED>() {
        let block = *block;
        from += MOVED;
        if any(&block, &matches) {
            for item in block {
                items[to] = item;
                to += usize::from(!matches(&item));
            }
        } else {
            items[to..to + MOVED].copy_from_slice(&block);
            to += MOVED;
        }
    }
    for at in from..items.len() {
        let item = items[at];
        items[to] = item;
        to += usize::from(!matches(&item));
    }
    let removed = items.len() - to;
    items.truncate(to);
    removed
}

/// The searching methods of a `Primitive` that is `Copy`, from a closure that matches items, and an optional other one for
/// `special` values.
macro_rules! by {
    (|$wanted:ident| $matches:expr $(; if $special:expr => $matches_special:expr)?) => {
        fn find(items: &[Self], $wanted: Self) -> Option<usize> {
            $(if $special {
                return $crate::scan::find(items, $matches_special);
            })?
            $crate::scan::find(items, $matches)
        }

        fn replace(items: &mut [Self], $wanted: Self, new: Self) -> usize {
            $(if $special {
                return $crate::scan::replace(items, $matches_special, new);
            })?
            $crate::scan::replace(items, $matches, new)
        }

        fn remove_all(items: &mut Vec<Self>, $wanted: Self) -> usize {
            $(if $special {
                return $crate::scan::remove_all(items, $matches_special);
            })?
            $crate::scan::remove_all(items, $matches)
        }
    };
}
pub(crate) use by;
