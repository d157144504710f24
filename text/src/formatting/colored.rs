//! Colored strings: plain characters, with codes between them that switch the color.
//!
//! A code is four characters: U+001B, then red, green and blue as the characters of these numbers. A code can't hold
//! the numbers 0 and 10, which end strings and lines elsewhere; they are written as 1 and 11.

use std::fmt::{self, Write};

use crate::{Color, Format};

const ESCAPE: char = '\u{1b}';

/// The text of a colored string in pieces of one format; `format` is that of what stands before the first code.
///
/// A channel above 255 is 255. What follows an incomplete code at the end is none.
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

/// Writes pieces of text, each of one format, as a colored string. Plain ones are in `default`, because a string can't
/// say "no color".
///
/// A code stands before the first character and wherever the color changes. The character that opens a code is left
/// out, because it would swallow what follows it.
pub(crate) fn write(
    pieces: impl Iterator<Item = (impl fmt::Display, Format)>,
    default: Color,
    out: &mut impl Write,
) -> fmt::Result {
    let mut colored = Colored {
        out,
        last: None,
        next: code(default),
    };
    for (piece, format) in pieces {
        colored.next = code(format.color().unwrap_or(default));
        write!(colored, "{piece}")?;
    }
    Ok(())
}

/// Puts a code before text where the color changes.
struct Colored<'a, W> {
    out: &'a mut W,
    last: Option<[char; 4]>,
    next: [char; 4],
}

impl<W: Write> Write for Colored<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for part in text.split(ESCAPE).filter(|part| !part.is_empty()) {
            if self.last.replace(self.next) != Some(self.next) {
                self.next.into_iter().try_for_each(|unit| self.out.write_char(unit))?;
            }
            self.out.write_str(part)?;
        }
        Ok(())
    }
}

fn code(color: Color) -> [char; 4] {
    let channel = |value| match value {
        0 | 10 => char::from(value + 1),
        _ => char::from(value),
    };
    [ESCAPE, channel(color.red), channel(color.green), channel(color.blue)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RED: Format = Format::colored(Color::rgb(255, 1, 2));
    const BLACK: Color = Color::rgb(0, 0, 0);
    const BLUE: Color = Color::rgb(1, 2, 255);

    /// Each character with its format.
    fn pairs(text: &str, format: Format) -> Vec<(char, Format)> {
        let pieces = read(text, format);
        pieces
            .flat_map(|(piece, format)| piece.chars().map(move |c| (c, format)))
            .collect()
    }

    fn parsed(text: &str) -> Vec<(char, Format)> {
        pairs(text, Format::PLAIN)
    }

    fn written(chars: &[(char, Format)], default: Color) -> String {
        let mut out = String::new();
        write(chars.iter().copied(), default, &mut out).expect("a string takes everything");
        out
    }

    #[test]
    fn codes_switch_the_color() {
        assert_eq!(
            parsed("a\u{1b}\u{ff}\u{1}\u{2}bc\u{1b}\u{3}\u{4}\u{5}d"),
            [
                ('a', Format::PLAIN),
                ('b', RED),
                ('c', RED),
                ('d', Color::rgb(3, 4, 5).into()),
            ]
        );
        assert_eq!(pairs("a", RED), [('a', RED)]);
    }

    #[test]
    fn an_incomplete_code_ends_the_string() {
        for text in ["a\u{1b}", "a\u{1b}b", "a\u{1b}bc", "a\u{1b}bcd", "a\u{1b}\u{1b}\u{1b}"] {
            assert_eq!(parsed(text), [('a', Format::PLAIN)], "{text:?}");
        }
        // The opening character is a channel like any other inside a code.
        assert_eq!(
            parsed("\u{1b}\u{1b}\u{1b}\u{1b}a"),
            [('a', Color::rgb(27, 27, 27).into())]
        );
    }

    #[test]
    fn lone_surrogates_and_large_characters() {
        let text = String::from_utf16_lossy(&[0x1b, 0xd800, 0x1, 0x2, 0xdc00, 0x61]);
        assert_eq!(parsed(&text), [('\u{fffd}', RED), ('a', RED)]);
    }

    #[test]
    fn written_with_as_few_codes_as_possible() {
        let faint = Format::from(Color::rgba(255, 1, 2, 9));
        let chars = [('a', Format::PLAIN), ('b', RED), ('c', faint), ('d', BLACK.into())];
        assert_eq!(
            written(&chars, BLACK),
            "\u{1b}\u{1}\u{1}\u{1}a\u{1b}\u{ff}\u{1}\u{2}bc\u{1b}\u{1}\u{1}\u{1}d"
        );
        assert_eq!(written(&[], BLACK), "");
    }

    #[test]
    fn what_opens_a_code_is_left_out() {
        let blue = Format::from(BLUE);
        let chars = [
            (ESCAPE, blue),
            ('a', RED),
            (ESCAPE, blue),
            (ESCAPE, RED),
            ('b', RED),
            (ESCAPE, blue),
        ];
        assert_eq!(written(&chars, BLACK), "\u{1b}\u{ff}\u{1}\u{2}ab");
    }

    #[test]
    fn no_channel_is_a_line_break_or_nul() {
        let chars = [('a', Color::rgb(0, 10, 11).into())];
        assert_eq!(written(&chars, BLACK), "\u{1b}\u{1}\u{b}\u{b}a");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(text in ".{0,9}", colors in proptest::collection::vec(any::<[u8; 3]>(), 10)) {
            let chars: Vec<_> = text
                .chars()
                .zip(colors)
                .map(|(c, [red, green, blue])| (c, Format::from(Color::rgb(red | 1, green | 1, blue | 1))))
                .filter(|(c, _)| *c != ESCAPE)
                .collect();
            prop_assert_eq!(parsed(&written(&chars, BLACK)), chars);
        }

        #[test]
        fn any_characters(text in proptest::collection::vec(prop_oneof![Just(ESCAPE), any::<char>()], 0..20)) {
            let text = String::from_iter(text);
            let mut pieces = read(&text, Format::PLAIN);
            let total: usize = pieces.by_ref().map(|(piece, _)| piece.len()).sum();
            prop_assert!(total <= text.len() && pieces.next().is_none());
        }
    }
}
