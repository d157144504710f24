use super::*;

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
            } else if whole + fraction <= 19 {
                Digits::Near(value)
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

/// Decimals of 16 to 19 digits, and those exactly between two doubles, of which the even one is nearest.
#[test]
fn long_decimals_are_the_nearest_doubles() {
    let mut state = 1_u64;
    let edges = "9007199254740993.0 9007199254740995.0 4503599627370496.5 4503599627370497.5 0.000000000000000001 \
        0.000000000000000000 9999999999999999.999 0.9999999999999999999";
    let mut texts: Vec<String> = edges.split(' ').map(str::to_owned).collect();
    for _ in 0..100_000 {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let digits = format!("{:019}", state >> 1);
        let whole = 1 + (state >> 59) as usize % 18;
        let digits = &digits[..19 - (state >> 33) as usize % 3];
        texts.push(format!("{}.{}", &digits[..whole.min(15)], &digits[whole.min(15)..]));
    }
    let mut near = 0;
    for text in texts {
        let text = if text.starts_with('0') && !text.starts_with("0.") {
            format!("1{}", &text[1..])
        } else {
            text
        };
        let value: f64 = text.parse().expect("a decimal");
        match number(format!("{text},       ").as_bytes()) {
            Some((Digits::Near(read), len)) => {
                assert_eq!((read.to_bits(), len), (value.to_bits(), text.len()), "{text}");
                near += 1;
            }
            other => assert_eq!(other, Some((Digits::Long, text.len())), "{text}"),
        }
    }
    assert!(near > 100_000, "{near}");
}
