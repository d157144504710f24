use super::*;

#[test]
fn a_shuffle_keeps_everything_and_little_order() {
    let mut numbers = shuffled(1000);
    let steps = numbers.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
    assert!(steps < 10);
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..1000));
}
