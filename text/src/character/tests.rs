use super::*;

#[test]
fn whitespace_is_these() {
    let spaces: Vec<u32> = ('\0'..=char::MAX)
        .filter(|c| Character::from(*c).is_whitespace())
        .map(u32::from)
        .collect();
    let expected: Vec<u32> = (0x9..=0xd)
        .chain([0x20, 0xa0, 0x1680])
        .chain(0x2000..=0x200a)
        .chain([0x202f, 0x205f, 0x3000])
        .collect();
    assert_eq!(spaces, expected);
}

#[test]
fn digits_of_any_base() {
    let digit = |c: char, base| Character::from(c).to_digit(base);
    assert_eq!(
        (digit('9', 10), digit('a', 10), digit('a', 16)),
        (Some(9), None, Some(10))
    );
    assert_eq!(
        (digit('z', 36), digit('Z', 36), digit('Z', 35)),
        (Some(35), Some(35), None)
    );
    assert_eq!(
        (digit('z', 0), digit('z', 99), digit('é', 36)),
        (Some(35), Some(35), None)
    );
}
