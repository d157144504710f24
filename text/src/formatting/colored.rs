//! Colored strings: plain characters, with codes between them that switch the color.
//!
//! A code is four characters: U+001B, then red, green and blue, each as the code point of its value. The values 0 and 10 are
//! written as 1 and 11, because NUL and line feed end strings and lines in other programs.

#[cfg(test)]
mod tests;

use crate::{Color, Format};

const ESCAPE: char = '\u{1b}';

/// The text of a colored string in pieces of one format. `format` is the format before the first code.
///
/// A channel above 255 is 255. The text ends before an incomplete code.
pub(crate) fn read(mut rest: &str, mut format: Format) -> impl Iterator<Item = (&str, Format)> {
    std::iter::from_fn(move || {
        while let Some(code) = rest.strip_prefix(ESCAPE) {
            let mut code = code.chars();
            let mut channel = || Some(u8::try_from(code.next()?).unwrap_or(u8::MAX));
            format = Color::rgb(channel()?, channel()?, channel()?).into();
            rest = code.as_str();
        }
        let (piece, after) = rest.split_at(rest.find(ESCAPE).unwrap_or(rest.len()));
        rest = after;
        (!piece.is_empty()).then_some((piece, format))
    })
}

/// Writes pieces of text, each of one format, as a colored string. Plain pieces get the color `default`, because a string
/// cannot express "no color".
///
/// A code is written before the first character and at each change of color. U+001B in the text is left out, because the
/// characters after it would become a code.
pub(crate) fn write<'a>(pieces: impl Iterator<Item = (&'a str, Format)>, default: Color) -> String {
    let (mut out, mut last) = (String::new(), None);
    for (piece, format) in pieces {
        let next = code(format.color().unwrap_or(default));
        for part in piece.split(ESCAPE).filter(|part| !part.is_empty()) {
            if last.replace(next) != Some(next) {
                out.extend(next);
            }
            out.push_str(part);
        }
    }
    out
}

fn code(color: Color) -> [char; 4] {
    let channel = |value| match value {
        0 | 10 => char::from(value + 1),
        _ => char::from(value),
    };
    [ESCAPE, channel(color.red), channel(color.green), channel(color.blue)]
}
