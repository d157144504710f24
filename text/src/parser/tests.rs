use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::Color;

/// The rows of `tests.txt`.
#[test]
fn steps_read_values() {
    for row in include_str!("tests.txt").lines().skip(1) {
        let [step, text, value, rest] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let text = BaseText::from(text);
        let mut parser = text.parser();
        let read = match step {
            "integer" => parser.integer().map(|it| it.to_string()),
            "number" => parser.number::<f64>().map(|it| format!("{it:?}")),
            "escaped" => parser.escaped().map(|it| format!("{:?}", it.code)),
            _ => parser.string_literal().map(|it| format!("{it:?}")),
        };
        assert_eq!(read.as_deref().unwrap_or("-"), value, "{row}");
        assert_eq!(parser.remainder(), rest, "{row}");
    }
}

#[test]
fn a_failed_step_does_not_move() {
    let text = BaseText::from("aB 1");
    let mut parser = text.parser();
    assert!(parser.eat("b").is_err() && parser.eat("aB 12").is_err());
    assert!(parser.integer().is_err() && parser.string_literal().is_err());
    assert_eq!((parser.position(), parser.remaining()), (0, 4));
    assert_eq!(parser.eat("").unwrap(), "");
    assert_eq!(parser.eat_by("Ab", Matching::ANY_CASE).unwrap(), "aB");
    assert!(parser.name().is_err());
    assert_eq!((parser.skip(), parser.skip()), (1, 0));
    assert_eq!(
        parser.end().unwrap_err().to_string(),
        "character 3: expected the end, found `1`"
    );
    assert_eq!(parser.character().unwrap().code, '1');
    assert!(parser.is_finished() && parser.end().is_ok());
    let error = parser.character().unwrap_err();
    assert_eq!(error.to_string(), "character 4: expected a character, found the end");
    assert_eq!(
        (error.position(), error.expected(), error.found()),
        (4, "a character", None)
    );
}

#[test]
fn steps_are_undone_together() {
    let text = BaseText::from("one two");
    let mut parser = text.parser();
    let two = parser.attempt(|parser| {
        parser.eat("one")?;
        parser.eat("two")
    });
    assert_eq!((two.unwrap_err().position(), parser.position()), (3, 0));
    let saved = parser.clone();
    parser.eat("one").expect("it is there");
    parser.clone_from(&saved);
    assert_eq!(parser.remainder(), "one two");
}

#[test]
fn texts_and_formats() {
    let text = BaseText::from_markup("a{$red бв}");
    let mut parser = text.parser();
    parser.character().expect("a character");
    let red = text.slice(1..);
    assert!(parser.eat_by("бв", Matching::FORMATTED).is_err());
    assert!(parser.is_at("бв") && !parser.is_at("бвг"));
    let part = parser.eat_by(&red, Matching::FORMATTED).expect("the same format");
    assert_eq!(part.range(), 1..3);
    assert_eq!(part.to_text().format_at(0).color(), Color::named("red"));
    assert_eq!(part.to_mutable_text().to_string(), "бв");
}

#[test]
fn bytes() {
    let text = BaseText::from("aÿĀ");
    let mut parser = text.parser();
    assert_eq!((parser.byte(), parser.byte()), (Ok(97), Ok(255)));
    assert!(parser.byte().is_err());
    assert_eq!(parser.position(), 2);
}

#[test]
fn names() {
    let text = BaseText::from("Name7_é");
    let mut parser = text.parser();
    assert_eq!(parser.name().unwrap(), "Name7");
    assert!(parser.name().is_err());
    assert!(BaseText::from("7a").parser().name().is_err());
    assert!(BaseText::new().parser().name().is_err());
}

#[test]
fn up_to_the_end() {
    let text = BaseText::from(" \t x");
    let mut parser = text.parser();
    assert_eq!(parser.whitespace(), " \t ");
    assert_eq!(parser.until(|_| false), "x");
    assert_eq!(parser.until(|_| true), "");
    assert_eq!(parser.until_where(|_| false), "");
}

/// Takes the step of this number.
fn step(parser: &mut Parser<'_>, kind: usize) -> Result<(), ParseError> {
    match kind {
        0 => parser.eat("ab").map(drop),
        1 => parser.eat_by('É', Matching::ANY_CASE).map(drop),
        2 => parser.integer().map(drop),
        3 => parser.integer_in(36).map(drop),
        4 => parser.unsigned_exact(16, 2).map(drop),
        5 => parser.number::<f64>().map(drop),
        6 => parser.string_literal().map(drop),
        7 => parser.string().map(drop),
        8 => parser.escaped().map(drop),
        9 => parser.name().map(drop),
        10 => parser.byte().map(drop),
        11 => parser.sign().map(drop),
        12 => parser.end(),
        13 => {
            parser.whitespace();
            Ok(())
        }
        14 => {
            parser.until_where(|rest| rest.is_at("ab"));
            Ok(())
        }
        _ => parser.character().map(drop),
    }
}

proptest! {
    /// Steps move forward if they succeed, and not at all if they fail.
    #[test]
    fn steps_stay_inside(text in r#"([ab0-9xu+.eé"'\\𝄞 -]|\PC){0,30}"#, steps in vec(0..16_usize, 0..30)) {
        let text = BaseText::from(text);
        let mut parser = text.parser();
        for kind in steps {
            let before = parser.position();
            match step(&mut parser, kind) {
                Ok(()) => prop_assert!((before..=text.len()).contains(&parser.position())),
                Err(error) => {
                    prop_assert_eq!(parser.position(), before);
                    prop_assert!((before..=text.len()).contains(&error.position()));
                    prop_assert_eq!(error.found(), text.char_at(error.position()));
                }
            }
            prop_assert_eq!(parser.position() + parser.remaining(), text.len());
            let read = text.slice(..parser.position());
            prop_assert_eq!(read.to_string() + parser.remainder().as_str(), text.to_string());
        }
    }
}
