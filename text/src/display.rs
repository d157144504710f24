//! Showing code points as UTF-8.

use std::fmt;

use crate::buffer::Units;

impl fmt::Display for Units<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Units::Ascii(text) = self {
            return f.pad(text);
        }
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&self.chars().collect::<String>());
        }
        // In pieces, because each write may cost a call.
        let mut piece = [0; 256];
        let mut used = 0;
        for c in self.chars() {
            // Room for any character, of a length that the compiler knows.
            if let Some(room) = piece[used..].first_chunk_mut::<4>() {
                used += c.encode_utf8(room).len();
            }
            if used + 4 > piece.len() {
                f.write_str(utf8(&piece[..used]))?;
                used = 0;
            }
        }
        f.write_str(utf8(&piece[..used]))
    }
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("made of whole characters")
}
