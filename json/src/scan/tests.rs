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
            "e5      ",
            "E5      ",
            "",
        ] {
            let text = format!("{}{end}", &digits[..len]);
            let is_integer = (1..=18).contains(&len) && !end.contains(['e', 'E']);
            let is_near = text.len() < len / 8 * 8 + 8;
            let expected = (is_integer && !is_near).then(|| {
                let value = digits[..len].parse().expect("few");
                (Digits::Integer(value), len)
            });
            assert_eq!(number(text.as_bytes()), expected, "{text:?}");
        }
    }
    for (text, expected) in [
        ("0,      ", Some((Digits::Integer(0), 1))),
        ("00,     ", None),
        ("01,     ", None),
        ("-1,     ", None),
    ] {
        assert_eq!(number(text.as_bytes()), expected);
    }
}

#[test]
fn decimals_are_the_nearest_doubles() {
    let digits = "98765432109876543210987";
    for whole in 1..=20 {
        for fraction in 0..20 {
            let text = format!("{}.{}", &digits[..whole], &digits[..fraction]);
            let value: f64 = text.parse().expect("a decimal");
            let expected = (fraction > 0).then_some(if whole + fraction <= 15 {
                Digits::Decimal(value)
            } else {
                Digits::Long
            });
            for end in [",       ", "]1234567", " 1234567"] {
                let read = number(format!("{text}{end}").as_bytes());
                assert_eq!(read, expected.map(|digits| (digits, text.len())), "{text}{end}");
            }
            for end in ["e5      ", "E5      "] {
                assert_eq!(number(format!("{text}{end}").as_bytes()), None, "{text}{end}");
            }
        }
    }
    for (text, value) in [
        ("0.0,       ", 0.0),
        ("0.1,       ", 0.1),
        ("0.000000000001,       ", 1e-12),
    ] {
        assert!(
            matches!(number(text.as_bytes()), Some((Digits::Decimal(read), _)) if read.to_bits() == f64::to_bits(value))
        );
    }
    for text in ["00.1,       ", ".1,       ", "1.,       ", "1.-,       "] {
        assert_eq!(number(text.as_bytes()), None, "{text}");
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
