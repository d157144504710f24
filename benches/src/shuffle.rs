//! Random order, the same for every contender.

/// The numbers below `n` in an order that does not depend on the run.
pub(crate) fn shuffled(n: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..n).collect();
    shuffle(&mut numbers);
    numbers
}

/// Brings `items` into an order that depends on their number alone (Fisher and Yates over a 64-bit congruence).
pub(crate) fn shuffle<T>(items: &mut [T]) {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    for last in (1..items.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let other = ((state >> 33) % (last as u64 + 1)) as usize;
        items.swap(last, other);
    }
}

#[cfg(test)]
mod tests;
