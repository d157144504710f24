//! Colored strings: plain characters, with codes between them that switch the color.
//!
//! A code is four characters: U+001B, then red, green and blue as the characters of these numbers. A code can't hold
//! the numbers 0 and 10, which end strings and lines elsewhere; they are written as 1 and 11.

use std::fmt;

use crate::{Character, Color, Format};

const ESCAPE: char = '\u{1b}';

/// The characters of a colored string, each with its format; `format` is that of the characters before the first code.
///
/// A channel above 255 is 255. What follows an incomplete code at the end is none.
pub(crate) fn read(mut chars: impl Iterator<Item = char>, mut format: Format) -> impl Iterator<Item = Character> {
    std::iter::from_fn(move || {
        loop {
            match chars.next()? {
                ESCAPE => {
                    let mut channel = || Some(u8::try_from(chars.next()?).unwrap_or(u8::MAX));
                    format = Color::rgb(channel()?, channel()?, channel()?).into();
                }
                code => return Some(Character::new(code, format)),
            }
        }
    })
}

/// Writes characters as a colored string. Plain ones are in `default`, because a string can't say "no color".
///
/// A code stands before the first character and wherever the color changes. The character that opens a code is left
/// out, because it would swallow what follows it.
pub(crate) fn write(
    characters: impl Iterator<Item = Character>,
    default: Color,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    let mut last = None;
    for character in characters.filter(|character| character.code != ESCAPE) {
        let code = code(character.color().unwrap_or(default));
        if last.replace(code) != Some(code) {
            code.into_iter().try_for_each(|unit| out.write_char(unit))?;
        }
        out.write_char(character.code)?;
    }
    Ok(())
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

    fn pairs(chars: impl Iterator<Item = char>, format: Format) -> Vec<(char, Format)> {
        read(chars, format)
            .map(|character| (character.code, character.format))
            .collect()
    }

    fn parsed(text: &str) -> Vec<(char, Format)> {
        pairs(text.chars(), Format::PLAIN)
    }

    fn written(chars: &[(char, Format)], default: Color) -> String {
        let mut out = String::new();
        let characters = chars.iter().map(|(code, format)| Character::new(*code, *format));
        write(characters, default, &mut out).expect("a string takes everything");
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
        assert_eq!(pairs("a".chars(), RED), [('a', RED)]);
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
        let units = [0x1b, 0xd800, 0x1, 0x2, 0xdc00, 0x61];
        let chars = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        assert_eq!(pairs(chars, Format::PLAIN), [('\u{fffd}', RED), ('a', RED)]);
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
            prop_assert!(read(text.iter().copied(), Format::PLAIN).count() <= text.len());
        }
    }
}
