use super::*;

#[test]
fn floats() {
    for (value, decimals, printed) in [
        (0.0, 2, "0"),
        (-0.0, 2, "0"),
        (-0.004, 2, "0"),
        (7.0, 3, "7"),
        (100.0, 0, "100"),
        (2.6, 0, "3"),
        (-2.6, 0, "-3"),
        (-2.48, 2, "-2.48"),
        (-2.48, 5, "-2.48"),
        (0.99999, 4, "1"),
        (10.10, 2, "10.1"),
        (1e9, 1, "1000000000"),
        (f64::INFINITY, 2, "inf"),
        (f64::NAN, 2, "NaN"),
    ] {
        let mut text = BaseText::new();
        write_float(&mut text, value, decimals);
        assert_eq!(text, printed, "{value} {decimals}");
    }
}
