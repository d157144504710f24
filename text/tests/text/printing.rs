//! The printed form of each public type shows its content.

use std::fmt::{Debug, Display};

use acedia_text::{
    BaseText, Case, Character, Color, Format, Formats, Matching, MutableText, Sign, Template, Text, Utf8Decoder,
    formatted,
};

const RED: Format = Format::colored(Color::rgb(255, 0, 0));

fn debug(value: impl Debug, expected: &str) {
    assert_eq!(format!("{value:?}"), expected);
}

fn display(value: impl Display, expected: &str) {
    assert_eq!(value.to_string(), expected);
}

#[test]
fn texts_are_what_is_in_them() {
    let base = BaseText::from_markup("\"ä\" {$red fire}");
    debug(&base, r#""\"ä\" fire""#);
    debug(&*base.to_text(..), r#""\"ä\" fire""#);
    debug(&*base.to_mutable_text(..), r#"MutableText("\"ä\" fire")"#);
    debug(formatted!("{$red fire}"), r#""fire""#);
    display(&base, "\"ä\" fire");
    display(&*base.to_text(..), "\"ä\" fire");
    display(&*base.to_mutable_text(..), "\"ä\" fire");
    display(formatted!("{$red fire}"), "fire");
    let object = format!("{:?} {:?}", Text::new("fire"), MutableText::new("water"));
    assert!(object.contains("\"fire\"") && object.contains("\"water\""), "{object}");
}

#[test]
fn iterators_and_parts_are_what_is_left() {
    let base = BaseText::from_markup("a {$red fire}");
    let mut characters = base.characters();
    characters.next();
    debug(&characters, r#"Characters(" {rgb(255,0,0) fire}")"#);
    let mut parser = base.parser();
    debug(&parser, r#"Parser(character 0, rest "a fire")"#);
    let name = parser.name().unwrap();
    debug(&name, r#""a""#);
    display(&name, "a");
    debug(&parser, r#"Parser(character 1, rest " fire")"#);
    debug(base.split(' '), r#"Split("a fire", at ' ')"#);
}

#[test]
fn formats_and_what_is_compared() {
    debug(RED, "Format(rgb(255,0,0))");
    debug(Format::PLAIN, "Format(plain)");
    debug(
        Character::new('ä', RED),
        "Character { code: 'ä', format: Format(rgb(255,0,0)) }",
    );
    display(Character::new('ä', RED), "ä");
    debug(Color::rgba(1, 2, 3, 4), "Color { red: 1, green: 2, blue: 3, alpha: 4 }");
    display(Color::rgba(1, 2, 3, 4), "rgba(1,2,3,4)");
    debug(Matching::EXACT, "Matching { case: Sensitive, formats: Ignored }");
    debug((Case::Insensitive, Formats::Compared), "(Insensitive, Compared)");
    debug(Sign::Minus, "Minus");
}

#[test]
fn templates_and_decoders() {
    let mut template = Template::new("%1 was killed by %2");
    template.arg("Bob");
    debug(&template, r#"Template("Bob was killed by ", 1 of 2 filled)"#);
    display(&template, "Bob was killed by ");
    let mut decoder = Utf8Decoder::new();
    decoder.feed(b"a\xc3", &mut BaseText::new()).unwrap();
    let printed = format!("{decoder:?}");
    assert!(
        printed.starts_with("Utf8Decoder {") && printed.contains("195"),
        "{printed}"
    );
}

/// Errors name the place and the text there.
#[test]
fn errors() {
    let error = BaseText::try_from_markup("a {$rde fire}").unwrap_err();
    display(&error, "byte 3: `$rde` is not a color");
    for no_name in ["{$red: a}", "{$red:$ a}"] {
        let error = BaseText::try_from_markup(no_name).unwrap_err();
        display(&error, "byte 6: expected a color such as `$red`");
    }
    let printed = format!("{error:?}");
    assert!(printed.contains("\"a fire\"") && printed.contains("$rde"), "{printed}");
    let error = "$octarine".parse::<Color>().unwrap_err();
    debug(&error, r#"Name("octarine")"#);
    let error = BaseText::from_utf8(b"ab\xff").unwrap_err();
    display(error, "byte 2 is not UTF-8");
    debug(error, "Utf8Error { offset: 2, kind: Invalid }");
    let text = BaseText::from("seven");
    let error = text.parser().unsigned(10).unwrap_err();
    display(error, "character 0: expected a digit, found `s`");
    debug(error, "ParseError(character 0: expected a digit, found `s`)");
}

#[test]
fn what_locks_a_text_prints_it() {
    let text = MutableText::new("seven");
    assert_eq!(format!("{:?}", text.read()), "\"seven\"");
    assert_eq!(format!("{:?}", text.write()), "\"seven\"");
}
