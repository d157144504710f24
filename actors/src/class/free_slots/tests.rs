use super::FreeSlots;

#[test]
fn the_lowest_comes_first() {
    let mut free = FreeSlots::default();
    assert_eq!(free.pop(), None);
    for number in [5000, 64, 3, 9999, 63] {
        free.insert(number);
    }
    assert_eq!((free.pop(), free.pop()), (Some(3), Some(63)));
    free.insert(9000);
    free.insert(0);
    let rest: Vec<_> = std::iter::from_fn(|| free.pop()).collect();
    assert_eq!(rest, [0, 64, 5000, 9000, 9999]);
    free.insert(7);
    assert_eq!((free.pop(), free.pop()), (Some(7), None));
}
