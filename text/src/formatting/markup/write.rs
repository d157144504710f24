//! Prints formatting as markup.

use std::fmt;

use crate::{Character, Format};

/// Writes characters as markup, in normal form: equal characters and formats give the same markup, and reading it gives
/// them back.
pub(crate) fn write(characters: impl Iterator<Item = Character>, out: &mut impl fmt::Write) -> fmt::Result {
    let mut last = Format::PLAIN;
    for Character { code, format } in characters {
        if format != last {
            if !last.is_plain() {
                out.write_char('}')?;
            }
            if let Some(color) = format.color() {
                write!(out, "{{{color} ")?;
            }
            last = format;
        }
        if matches!(code, '{' | '}' | '&' | '^') {
            out.write_char('&')?;
        }
        out.write_char(code)?;
    }
    if last.is_plain() { Ok(()) } else { out.write_char('}') }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::parse;
    use super::*;
    use crate::Color;

    fn written(characters: &[Character]) -> String {
        let mut out = String::new();
        write(characters.iter().copied(), &mut out).expect("a string takes everything");
        out
    }

    fn read(markup: &str) -> Vec<Character> {
        let parsed = parse(markup);
        let codes = parsed.plain.chars().enumerate();
        codes
            .map(|(index, code)| Character::new(code, parsed.runs.at(index)))
            .collect()
    }

    #[test]
    fn blocks_without_nesting() {
        let red = Format::from(Color::rgb(255, 0, 0));
        let faint = Format::from(Color::rgba(255, 0, 0, 9));
        let formats = [Format::PLAIN, red, red, faint, Format::PLAIN];
        let characters: Vec<_> = "a {^&"
            .chars()
            .zip(formats)
            .map(|(code, format)| Character::new(code, format))
            .collect();
        assert_eq!(written(&characters), "a{rgb(255,0,0)  &{}{rgba(255,0,0,9) &^}&&");
        assert_eq!(written(&[]), "");
    }

    /// What markup is made of.
    fn markup() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("{"),
            Just("}"),
            Just("^"),
            Just("&"),
            Just(" "),
            Just("{$red "),
            Just("{$blue:1,2,3[0.4]:#ffffff "),
            Just("{ "),
            Just("^r"),
            Just("é𝄞"),
            Just("word"),
            Just("\u{1b}"),
            Just("rgba(1,2,3,4)"),
            Just("{9,9,9 "),
        ];
        proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
    }

    fn formatted() -> impl Strategy<Value = Vec<Character>> {
        let format = prop_oneof![
            Just(Format::PLAIN),
            any::<[u8; 4]>().prop_map(|[red, green, blue, alpha]| Color::rgba(red, green, blue, alpha).into()),
            Just(Color::rgb(1, 2, 3).into()),
        ];
        let c = prop_oneof![
            any::<char>(),
            prop::sample::select("{}^& \n\u{3000}".chars().collect::<Vec<_>>())
        ];
        let character = (c, format).prop_map(|(code, format)| Character::new(code, format));
        proptest::collection::vec(character, 0..30)
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(characters in formatted()) {
            let markup = written(&characters);
            prop_assert_eq!(parse(&markup).errors, []);
            prop_assert_eq!(read(&markup), characters);
        }

        #[test]
        fn written_in_normal_form(markup in markup()) {
            let characters = read(&markup);
            let normal = written(&characters);
            prop_assert_eq!(&read(&normal), &characters);
            prop_assert_eq!(written(&read(&normal)), normal);
        }

        #[test]
        fn any_text_is_read(markup in ".*") {
            let parsed = parse(&markup);
            prop_assert!(parsed.plain.len() <= markup.len());
            for error in parsed.errors {
                prop_assert!(markup[error.offset()..].starts_with(error.cause()));
            }
        }
    }
}
