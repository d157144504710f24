//! Prints code points as UTF-8.

use std::fmt;

use crate::units::Units;

/// The number of bytes written at a time, because each write may be a call.
const PIECE: usize = 256;

impl fmt::Display for Units<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Units::Ascii(text) = self {
            return f.pad(text);
        }
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&self.chars().collect::<String>());
        }
        let mut piece = String::with_capacity(PIECE);
        for c in self.chars() {
            if piece.len() > PIECE - 4 {
                f.write_str(&piece)?;
                piece.clear();
            }
            piece.push(c);
        }
        f.write_str(&piece)
    }
}
