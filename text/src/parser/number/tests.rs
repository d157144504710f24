use crate::BaseText;

#[test]
fn integers_of_other_bases() {
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
fn numbers_of_other_types() {
    assert!(BaseText::from("1.5").parser().number::<i32>().is_err());
    let text = BaseText::from("0.054e");
    let error = text.parser().number::<f64>().unwrap_err();
    assert_eq!(error.to_string(), "character 6: expected a digit, found the end");
    assert_eq!(BaseText::from("0.1").parser().number(), Ok(0.1_f32));
}
