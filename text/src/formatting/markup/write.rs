//! Prints formatting as markup.

use std::fmt;

use crate::Format;

/// Writes characters as markup, in normal form: equal characters and formats give the same markup, and reading it gives
/// them back.
pub(crate) fn write(chars: impl Iterator<Item = (char, Format)>, out: &mut impl fmt::Write) -> fmt::Result {
    let mut last = Format::PLAIN;
    for (c, format) in chars {
        if format != last {
            if !last.is_plain() {
                out.write_char('}')?;
            }
            if let Some(color) = format.color() {
                write!(out, "{{{color} ")?;
            }
            last = format;
        }
        if matches!(c, '{' | '}' | '&' | '^') {
            out.write_char('&')?;
        }
        out.write_char(c)?;
    }
    if last.is_plain() { Ok(()) } else { out.write_char('}') }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::parse;
    use super::*;
    use crate::Color;

    fn written(chars: &[(char, Format)]) -> String {
        let mut out = String::new();
        write(chars.iter().copied(), &mut out).expect("a string takes everything");
        out
    }

    fn read(markup: &str) -> Vec<(char, Format)> {
        let parsed = parse(markup);
        let formats = (0..).map(|index| parsed.runs.at(index));
        parsed.plain.chars().zip(formats).collect()
    }

    #[test]
    fn blocks_without_nesting() {
        let red = Format::from(Color::rgb(255, 0, 0));
        let faint = Format::from(Color::rgba(255, 0, 0, 9));
        let chars = [
            ('a', Format::PLAIN),
            (' ', red),
            ('{', red),
            ('^', faint),
            ('&', Format::PLAIN),
        ];
        assert_eq!(written(&chars), "a{rgb(255,0,0)  &{}{rgba(255,0,0,9) &^}&&");
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

    fn formatted() -> impl Strategy<Value = Vec<(char, Format)>> {
        let format = prop_oneof![
            Just(Format::PLAIN),
            any::<[u8; 4]>().prop_map(|[red, green, blue, alpha]| Color::rgba(red, green, blue, alpha).into()),
            Just(Color::rgb(1, 2, 3).into()),
        ];
        let c = prop_oneof![
            any::<char>(),
            prop::sample::select("{}^& \n\u{3000}".chars().collect::<Vec<_>>())
        ];
        proptest::collection::vec((c, format), 0..30)
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(chars in formatted()) {
            let markup = written(&chars);
            prop_assert_eq!(parse(&markup).errors, []);
            prop_assert_eq!(read(&markup), chars);
        }

        #[test]
        fn written_in_normal_form(markup in markup()) {
            let chars = read(&markup);
            let normal = written(&chars);
            prop_assert_eq!(&read(&normal), &chars);
            prop_assert_eq!(written(&read(&normal)), normal);
        }

        #[test]
        fn any_text_is_read(markup in ".*") {
            let parsed = parse(&markup);
            prop_assert!(parsed.plain.len() <= markup.len());
            let len = parsed.plain.chars().count();
            prop_assert!(parsed.runs.iter().all(|(start, _)| start < len));
            for error in parsed.errors {
                prop_assert!(markup[error.offset()..].starts_with(error.cause()));
            }
        }
    }
}
