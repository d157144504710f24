//! Numbers and other values as text.

#[cfg(test)]
mod tests;

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
