use super::*;
use crate::{Color, Matching};

fn escaped(text: &str) -> (Option<char>, String) {
    let text = BaseText::from(text);
    let mut parser = text.parser();
    let code = parser.escaped().ok().map(|character| character.code);
    (code, parser.remainder().to_string())
}

#[test]
fn escapes() {
    for (text, code, rest) in [
        (r"\n\n", Some('\n'), r"\n"),
        (r"\r", Some('\r'), ""),
        (r"\t", Some('\t'), ""),
        (r"\b", Some('\u{8}'), ""),
        (r"\f", Some('\u{c}'), ""),
        (r"\v", Some('\u{b}'), ""),
        (r"\\", Some('\\'), ""),
        (r#"\""#, Some('"'), ""),
        (r"\N", Some('N'), ""),
        (r"\é", Some('é'), ""),
        (r"\u0416x", Some('Ж'), "x"),
        (r"\u04166", Some('Ж'), "6"),
        (r"\Uffx", Some('ÿ'), "x"),
        (r"\uD834\uDD1E.", Some('𝄞'), "."),
        (r"\uD834\uD834\uDD1E", Some('\u{fffd}'), r"\uD834\uDD1E"),
        (r"\uD834\u00", Some('\u{fffd}'), r"\u00"),
        (r"\uD834", Some('\u{fffd}'), ""),
        (r"\uDD1E\uD834", Some('\u{fffd}'), r"\uD834"),
        (r"\u041", None, r"\u041"),
        (r"\u04_1", None, r"\u04_1"),
        (r"\u+041", None, r"\u+041"),
        (r"\U4", None, r"\U4"),
        (r"\", None, r"\"),
        ("n", None, "n"),
        ("", None, ""),
    ] {
        assert_eq!(escaped(text), (code, rest.to_owned()), "{text}");
    }
}

#[test]
fn literals() {
    for (text, content, rest) in [
        (r#""""#, Some(""), ""),
        (r#"'a"`b'c"#, Some("a\"`b"), "c"),
        (r"`a\`b\n`", Some("a`b\n"), ""),
        (r#""é\u0416𝄞""#, Some("éЖ𝄞"), ""),
        (r#""open"#, None, "\"open"),
        (r#""open\"#, None, "\"open\\"),
        (r#""open\""#, None, "\"open\\\""),
        (r#""bad \u12 ""#, None, "\"bad \\u12 \""),
        ("word", None, "word"),
        ("", None, ""),
    ] {
        let text = BaseText::from(text);
        let mut parser = text.parser();
        let literal = parser.string_literal().ok().map(|content| content.to_string());
        assert_eq!(literal.as_deref(), content, "{text}");
        assert_eq!(parser.remainder(), rest, "{text}");
    }
}

#[test]
fn strings_with_or_without_quotes() {
    let text = BaseText::from(r#"one"two words" "open"#);
    let mut parser = text.parser();
    assert_eq!(parser.string().unwrap(), "one");
    assert_eq!(parser.string().unwrap(), "two words");
    assert_eq!(parser.string().unwrap(), "");
    parser.skip();
    assert!(parser.string().is_err());
    assert_eq!(parser.remainder(), "\"open");
}

#[test]
fn formats_of_literals_stay() {
    let text = BaseText::from_markup(r#""a{$red \n}b""#);
    let literal = text.parser().string_literal().expect("a literal");
    assert!(literal.compare(BaseText::from_markup("a{$red \n}b"), Matching::FORMATTED));
    assert_eq!(literal.format_at(1).color(), Color::named("red"));
}
