//! Keys of eight bytes and more, and the order in which they are looked up.

/// A generator that is the same in every run.
fn random() -> impl FnMut() -> u64 {
    let mut state = 1_u64;
    move || {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        ((state >> 33) * 0x9E37_79B9) >> 7
    }
}

/// `count` different keys of eight hexadecimal digits; another `kind` has none of the same.
pub(super) fn short(count: usize, kind: u32) -> Vec<String> {
    let number = |i: usize| u32::try_from(i).unwrap_or_default() * 2 + kind;
    // An odd factor and a rotation make every number another one.
    (0..count)
        .map(|i| format!("{:08x}", number(i).wrapping_mul(0x9E37_79B1).rotate_left(11)))
        .collect()
}

/// `count` keys of 34 bytes of which all have the same DJB2, because "bA" and "ab" have.
pub(super) fn flooding(count: usize) -> Vec<String> {
    let pair = |i: usize, bit: u32| if i >> bit & 1 == 0 { "bA" } else { "ab" };
    (0..count).map(|i| (0..17).map(|bit| pair(i, bit)).collect()).collect()
}

/// `count` keys of 34 bytes.
pub(super) fn ordinary(count: usize) -> Vec<String> {
    let mut random = random();
    (0..count)
        .map(|_| format!("{:017x}{:017x}", random(), random()))
        .collect()
}

/// The numbers below `count` in a random order.
pub(super) fn shuffled(count: usize) -> Vec<usize> {
    let mut random = random();
    let mut all: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        all.swap(i, usize::try_from(random()).unwrap_or_default() % (i + 1));
    }
    all
}
