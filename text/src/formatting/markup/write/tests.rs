use proptest::prelude::*;

use super::super::parse;
use crate::{BaseText, Character, Color, Format};

fn read(markup: &str) -> Vec<Character> {
    BaseText::from_markup(markup).characters().collect()
}

fn written(characters: &[Character]) -> String {
    characters.iter().copied().collect::<BaseText>().to_markup(..)
}

#[test]
fn blocks_without_nesting() {
    let markup = "a{rgb(255,0,0)  &{}{rgba(255,0,0,9) &^ж}&&";
    let plain = "a {^ж&";
    assert_eq!(BaseText::from_markup(markup), plain);
    assert_eq!(written(&read(markup)), markup);
    assert_eq!(BaseText::from(plain).to_markup(..), "a &{&^ж&&");
    assert_eq!(
        BaseText::from_markup(markup).to_markup(2..4),
        "{rgb(255,0,0) &{}{rgba(255,0,0,9) &^}"
    );
    assert_eq!(written(&[]), "");
    let long = "{".repeat(100);
    assert_eq!(BaseText::from(&*long).to_markup(..), "&{".repeat(100));
}

/// Random sequences of the pieces of markup.
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
