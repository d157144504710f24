//! Texts to begin with, and whose turn it is.

/// `len` of the 26 letters from `first` on, others for each seed.
pub(super) fn letters(first: char, len: usize, seed: usize) -> String {
    let letter = |index: usize| (first..).nth((index * 7 + seed * 13 + (index * seed) / 5) % 26);
    (0..len).filter_map(letter).collect()
}

/// The index of the thing, of `count`, whose turn it is.
#[expect(clippy::cast_possible_truncation, reason = "below `count`")]
pub(super) const fn place(turn: u64, count: usize) -> usize {
    (turn % count as u64) as usize
}
