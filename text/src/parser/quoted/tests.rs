use super::*;
use crate::{Color, Matching};

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
