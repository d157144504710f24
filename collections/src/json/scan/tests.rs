use super::*;

#[test]
fn eight_digits_are_a_number_and_nothing_else_is() {
    for number in [0, 1, 12_345_678, 87_654_321, 99_999_999, 10_203_040, 9_080_706] {
        let text = format!("{number:08}");
        let bytes: [u8; 8] = text.as_bytes().try_into().expect("eight");
        assert_eq!(eight_digits(bytes), Some(number));
        for at in 0..8 {
            for byte in (0..=u8::MAX).filter(|byte| !byte.is_ascii_digit()) {
                let mut other = bytes;
                other[at] = byte;
                assert_eq!(eight_digits(other), None, "{byte} at {at}");
            }
        }
    }
}

#[test]
fn integers_of_up_to_18_digits_are_numbers() {
    let digits = "12345678901234567890123456";
    for len in 0..=digits.len() {
        for end in [
            ",",
            "]       ",
            "}23456789",
            "\u{80}/:;<=>?",
            ".5      ",
            "e5      ",
            "E5      ",
            "",
        ] {
            let text = format!("{}{end}", &digits[..len]);
            let is_integer = (1..=18).contains(&len) && !end.contains(['.', 'e', 'E']);
            let is_near = text.len() < len / 8 * 8 + 8;
            let expected = (is_integer && !is_near).then(|| (digits[..len].parse().expect("few"), len));
            assert_eq!(integer(text.as_bytes()), expected, "{text:?}");
        }
    }
    for (text, expected) in [
        ("0,      ", Some((0, 1))),
        ("00,     ", None),
        ("01,     ", None),
        ("-1,     ", None),
    ] {
        assert_eq!(integer(text.as_bytes()), expected);
    }
}

#[test]
fn what_is_expected_is_told_at_every_length() {
    let bytes: Vec<u8> = (0..40).collect();
    for len in 1..=bytes.len() {
        let mut expected = bytes[..len].to_vec();
        let is_next = |expected: &[u8]| Expected::new(expected).is_next(&bytes);
        assert!(is_next(&expected));
        for at in 0..len {
            expected[at] ^= 1;
            assert_eq!(is_next(&expected), at == 0, "{at} of {len}");
            expected[at] ^= 1;
        }
        let expected = Expected::new(&expected);
        assert!(expected.len() == len && !expected.is_next(&bytes[..HEAD.max(len) - 1]));
    }
}

#[test]
fn every_byte_at_every_place() {
    for byte in 0..=u8::MAX {
        for len in 0..20 {
            for at in 0..len {
                for filler in [b' ', b'a', 0x7f, 0x80, 0xff] {
                    let mut bytes = vec![filler; len];
                    bytes[at] = byte;
                    let expected = if is_plain_byte(byte) { len } else { at };
                    assert_eq!(plain(&bytes), expected, "{byte} at {at} of {len}");
                }
                for filler in *b"059" {
                    let mut bytes = vec![filler; len];
                    bytes[at] = byte;
                    let expected = if byte.is_ascii_digit() { len } else { at };
                    assert_eq!(digits(&bytes), expected, "{byte} at {at} of {len}");
                }
            }
        }
    }
}
