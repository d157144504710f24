//! Numbers and other values as text.

#[cfg(test)]
mod tests;

use std::fmt::{Display, Write};

use crate::BaseText;

/// Adds the printed value.
pub(crate) fn write(text: &mut BaseText, value: &impl Display) {
    // Writing to a text does not fail. An error comes from the value itself; the part printed before it stays.
    let _ = write!(text, "{value}");
}

/// Adds a number with at most `decimals` decimals, without zeros at the end.
pub(crate) fn write_float(text: &mut BaseText, value: f64, decimals: u8) {
    let printed = format!("{value:.*}", usize::from(decimals));
    let short = match printed.split_once('.') {
        Some(_) => printed.trim_end_matches('0').trim_end_matches('.'),
        None => &printed,
    };
    text.append(if short == "-0" { "0" } else { short });
}
