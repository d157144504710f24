use super::{BLOCK, BLOCKS, Lives, Source};

#[test]
fn a_slot_goes_on_in_the_next_block() {
    static SOURCE: Source = Source::new(0);
    let (mut one, mut other) = (Lives::of(&SOURCE), Lives::of(&SOURCE));
    assert_eq!(one.first().unwrap().get(), 1);
    assert_eq!(other.first().unwrap().get(), BLOCK);
    assert_eq!(one.life(BLOCK - 2), BLOCK - 2);
    // The next block is the other level's.
    assert_eq!(one.life(BLOCK - 1), 2 * BLOCK);
    assert_eq!(other.life(2 * BLOCK - 1), 3 * BLOCK);
    // Another slot continues in the same block.
    assert_eq!(one.life(BLOCK - 1), 2 * BLOCK);
    assert_eq!(one.life(3 * BLOCK - 1), 4 * BLOCK);
}

#[test]
fn the_rest_of_a_block_is_used_again() {
    static SOURCE: Source = Source::new(0);
    let mut one = Lives::of(&SOURCE);
    one.give_back(7);
    let mut two = Lives::of(&SOURCE);
    assert_eq!(two.first().unwrap().get(), 8);
    two.give_back(BLOCK - 2);
    let mut three = Lives::of(&SOURCE);
    assert_eq!(three.first().unwrap().get(), BLOCK, "nothing was left of the first");
    three.give_back(0);
    assert_eq!(Lives::of(&SOURCE).first().unwrap().get(), BLOCK);
}

#[test]
fn used_up_numbers_are_not_given_again() {
    static SOURCE: Source = Source::new(BLOCKS - 1);
    let mut last = Lives::of(&SOURCE);
    assert_eq!(last.first().unwrap().get(), u32::MAX - (2 * BLOCK - 1));
    assert!(Lives::of(&SOURCE).first().is_none());
    assert_eq!(last.life(u32::MAX - BLOCK), 0, "the slot is worn");
    last.give_back(u32::MAX - BLOCK);
    assert!(Lives::of(&SOURCE).first().is_none());
}
