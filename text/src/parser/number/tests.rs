use crate::BaseText;

/// The value and the rest.
fn integer(text: &str) -> (Option<i32>, String) {
    let text = BaseText::from(text);
    let mut parser = text.parser();
    (parser.integer().ok(), parser.remainder().to_string())
}

#[test]
fn integers() {
    for (text, value, rest) in [
        ("0", Some(0), ""),
        ("12é", Some(12), "é"),
        ("+7", Some(7), ""),
        ("-7-", Some(-7), "-"),
        ("0x1Fg", Some(31), "g"),
        ("-0b102", Some(-2), "2"),
        ("0o78", Some(7), "8"),
        ("0X1", Some(0), "X1"),
        ("2147483647", Some(i32::MAX), ""),
        ("2147483648", Some(i32::MAX), ""),
        ("-2147483648", Some(i32::MIN), ""),
        ("-99999999999999999999999999", Some(i32::MIN), ""),
        ("0x", None, "0x"),
        ("-", None, "-"),
        ("", None, ""),
        (" 1", None, " 1"),
        ("１", None, "１"),
    ] {
        assert_eq!(integer(text), (value, rest.to_owned()), "{text}");
    }
    assert_eq!(BaseText::from("-0x").parser().integer().unwrap_err().position(), 3);
    let text = BaseText::from("-zZx");
    assert_eq!(text.parser().integer_in(36), Ok(-46653));
    assert_eq!(BaseText::from("0b1").parser().integer_in(10), Ok(0));
    assert_eq!(BaseText::from("z").parser().integer_in(u32::MAX), Ok(35));
    for text in ["-0x1F", "0o7", "0b1", "12", "-"] {
        let (zero, prefixed) = (
            BaseText::from(text).parser().integer_in(0),
            BaseText::from(text).parser().integer(),
        );
        assert_eq!(zero, prefixed, "{text}");
    }
}

#[test]
fn base_zero_of_unsigned_numbers_is_ten() {
    let text = BaseText::from("129a");
    let mut parser = text.parser();
    assert_eq!((parser.unsigned_exact(0, 2), parser.unsigned(0)), (Ok(12), Ok(9)));
    assert_eq!(parser.unsigned(0).unwrap_err().position(), 3);
    // There are no prefixes.
    assert_eq!(BaseText::from("0x1").parser().unsigned(0), Ok(0));
}

#[test]
fn exactly_so_many_digits() {
    let text = BaseText::from("123");
    let mut parser = text.parser();
    assert!(parser.unsigned_exact(10, 4).is_err());
    assert_eq!((parser.unsigned_exact(10, 2), parser.position()), (Ok(12), 2));
}

#[test]
fn a_count_of_zero_is_any_number_of_digits() {
    let text = BaseText::from("123f");
    assert_eq!(text.parser().unsigned_exact(10, 0), Ok(123));
    assert_eq!(text.parser().unsigned_exact(16, 0), Ok(0x123f));
    assert_eq!(
        BaseText::from("x")
            .parser()
            .unsigned_exact(10, 0)
            .unwrap_err()
            .expected(),
        "a digit"
    );
}

#[test]
fn numbers() {
    for (text, value, rest) in [
        ("1", Some(1.0), ""),
        ("-1.5", Some(-1.5), ""),
        ("+1.5f", Some(1.5), ""),
        ("1.", Some(1.0), ""),
        ("1.x", Some(1.0), "x"),
        ("1.e2F", Some(100.0), ""),
        ("3e", None, "3e"),
        ("3e+", None, "3e+"),
        ("0.054e", None, "0.054e"),
        ("0.054em", None, "0.054em"),
        ("1f", Some(1.0), ""),
        ("3E-1e5", Some(0.3), "e5"),
        ("0.1", Some(0.1), ""),
        ("1.05", Some(1.05), ""),
        ("1e999", Some(f64::INFINITY), ""),
        (".5", None, ".5"),
        ("-.5", None, "-.5"),
        ("inf", None, "inf"),
        ("", None, ""),
    ] {
        let text = BaseText::from(text);
        let mut parser = text.parser();
        assert_eq!(parser.number().ok(), value, "{text}");
        assert_eq!(parser.remainder(), rest, "{text}");
    }
    assert!(BaseText::from("1.5").parser().number::<i32>().is_err());
    let text = BaseText::from("0.054e");
    let error = text.parser().number::<f64>().unwrap_err();
    assert_eq!(error.to_string(), "character 6: expected a digit, found the end");
    assert_eq!(BaseText::from("0.1").parser().number(), Ok(0.1_f32));
}
