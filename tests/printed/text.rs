//! Texts, parsers and formatters.

use acedia_text::*;

use crate::shown::Shown;

fn texts(shown: &mut Shown) {
    let base = BaseText::from("a\"b");
    let red = Format::from(Color::rgb(255, 0, 0));
    let colored = BaseText::from_markup("{$red R}s");
    let mut characters = colored.characters();
    let words = BaseText::from("one two three");
    let mut split = words.split(' ');
    let _ = split.next();
    let mut parser = words.parser();
    let _ = parser.eat("one ");
    shown
        .both("BaseText", &base, r#""a\"b""#, "a\"b")
        .both("Text", &Text::new("a"), "\"a\"", "a")
        .both("CachedText", text!("b"), "\"b\"", "b")
        .both("MutableText", &MutableText::new("c"), "MutableText(\"c\")", "c")
        .debug("Chars", &base.chars(), r#"Chars("a\"b")"#)
        .debug("Characters", &characters, "Characters(\"{rgb(255,0,0) R}s\")")
        .both(
            "Character",
            &characters.next().unwrap(),
            "Character { code: 'R', format: Format(rgb(255,0,0)) }",
            "R",
        )
        .both(
            "Color",
            &Color::rgb(1, 2, 3),
            "Color { red: 1, green: 2, blue: 3, alpha: 255 }",
            "rgb(1,2,3)",
        )
        .both("Format", &red, "Format(rgb(255,0,0))", "rgb(255,0,0)")
        .both("Format", &Format::PLAIN, "Format(plain)", "plain")
        .debug("Split", &split, r#"Split("two three", at ' ')"#)
        .debug("Parser", &parser, r#"Parser(character 4, rest "two three")"#)
        .both("Part", &parser.remainder(), r#""two three""#, "two three")
        .debug("Sign", &Sign::Minus, "Minus")
        .debug("Case", &Case::Sensitive, "Sensitive")
        .debug("Formats", &Formats::Ignored, "Ignored")
        .debug(
            "Matching",
            &Matching::ANY_CASE,
            "Matching { case: Insensitive, formats: Ignored }",
        );

    let mut template = Template::new("%1 of %2");
    template.arg("one");
    shown.both("Template", &template, "Template(\"one of \", 1 of 2 filled)", "one of ");

    let mut decoder = Utf8Decoder::new();
    let _ = decoder.feed(b"a\xc3", &mut BaseText::new());
    shown.debug(
        "Utf8Decoder",
        &decoder,
        "Utf8Decoder { done: 1, cut: [195, 0, 0, 0], cut_len: 1, error: None }",
    );
}

fn names(shown: &mut Shown) {
    static CACHE: TextCache = TextCache::new();
    let _ = CACHE.plain("a");
    let owner = NameOwner::new("a\"b");
    let ended = NameOwner::new("ended").name();
    shown
        .debug("TextCache", &CACHE, "TextCache(1 text)")
        .both("NameOwner", &owner, r#"NameOwner("a\"b")"#, "a\"b")
        .both("Name", &owner.name(), r#"Name("a\"b")"#, "a\"b")
        .both("Name", &ended, "Name(<ended>, slot …, life …)", "<ended>");
}

fn errors(shown: &mut Shown) {
    let color = "teal-ish".parse::<Color>().unwrap_err();
    let parse = BaseText::from("x").parser().integer().unwrap_err();
    let markup = BaseText::try_from_markup("a}").unwrap_err();
    let sentence = "byte 1: this `}` closes no block; write `&}` for a `}` in the text";
    let bytes = BaseText::from_utf8(b"a\xff").unwrap_err();
    shown
        .both(
            "ColorError",
            &color,
            "Notation(\"teal-ish\")",
            "expected a color such as …, found `teal-ish`",
        )
        .both(
            "ParseError",
            &parse,
            "ParseError(character 0: expected a digit, found `x`)",
            "character 0: expected a digit, found `x`",
        )
        .both(
            "MalformedMarkup",
            &markup,
            "MalformedMarkup { text: \"a\", errors: [MarkupError { … }] }",
            sentence,
        )
        .both(
            "MarkupError",
            &markup.errors()[0],
            "MarkupError { kind: UnmatchedBracket, offset: 1, cause: \"\" }",
            sentence,
        )
        .both(
            "MarkupErrorKind",
            &markup.errors()[0].kind(),
            "UnmatchedBracket",
            "a bracket that closes no block",
        )
        .both(
            "Utf8Error",
            &bytes,
            "Utf8Error { offset: 1, kind: Invalid }",
            "byte 1 is not UTF-8",
        )
        .both("Utf8ErrorKind", &bytes.kind(), "Invalid", "not UTF-8");
}

#[test]
fn texts_print() {
    let mut shown = Shown::default();
    texts(&mut shown);
    names(&mut shown);
    errors(&mut shown);
    shown.is_right();
}
