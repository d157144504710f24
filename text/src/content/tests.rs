use super::*;

#[test]
fn certainly_longer() {
    assert!(Piece::Str("😀😀😀").exceeds(2) && !Piece::Str("😀😀😀").exceeds(3));
    assert!(Piece::Str("aaaaaaaaaaaa").exceeds(2) && !Piece::Str("aaaaaaaaaaa").exceeds(2));
    assert!(!Piece::Str("").exceeds(0) && !Piece::Char('a'.into()).exceeds(0));
}
