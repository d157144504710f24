use super::*;

#[test]
fn computed_once_until_it_is_forgotten() {
    let mut hash = Once::default();
    assert_eq!(hash.known(), 0);
    assert_eq!(hash.get_or(|| 7), 7);
    assert_eq!(hash.known(), 7);
    assert_eq!(hash.get_or(|| unreachable!("asked twice")), 7);
    hash.reset();
    assert_eq!(hash.get_or(|| 8), 8);
}
