//! Numbers and other values as text.

use std::fmt::{Display, Write};

use crate::BaseText;

/// Adds what the value prints.
pub(crate) fn write(text: &mut BaseText, value: &impl Display) {
    // A text takes whatever is written to it; an error is the value's own, and what it has printed stays.
    let _ = write!(text, "{value}");
}

/// Adds a number with at most so many decimals, and none that are zeros at the end.
pub(crate) fn write_float(text: &mut BaseText, value: f64, decimals: u8) {
    let printed = format!("{value:.*}", usize::from(decimals));
    let short = match printed.split_once('.') {
        Some(_) => printed.trim_end_matches('0').trim_end_matches('.'),
        None => &printed,
    };
    text.append(if short == "-0" { "0" } else { short });
}

#[cfg(test)]
mod tests {
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
}
