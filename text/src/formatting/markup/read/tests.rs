use super::*;

const RED: Color = Color::rgb(255, 0, 0);
const GREEN: Color = Color::rgb(0, 128, 0);
const BLUE: Color = Color::rgb(0, 0, 255);

/// Plain text, and the color of each character.
fn colors(markup: &str) -> (String, Vec<Option<Color>>) {
    let Parsed { plain, runs, .. } = parse(markup);
    let colors = (0..plain.chars().count()).map(|index| runs.at(index).color()).collect();
    (plain, colors)
}

/// The pieces of text in `markup`, with their colors.
#[track_caller]
fn says(markup: &str, pieces: &[(&str, Option<Color>)]) {
    let text = pieces.iter().map(|piece| piece.0).collect();
    let each = pieces
        .iter()
        .flat_map(|(text, color)| text.chars().map(move |_| *color))
        .collect();
    assert_eq!(colors(markup), (text, each), "{markup}");
}

#[track_caller]
fn errors(markup: &str, expected: &[(MarkupErrorKind, usize, &str)]) {
    let errors = parse(markup).errors;
    let found: Vec<_> = errors
        .iter()
        .map(|error| (error.kind(), error.offset(), error.cause()))
        .collect();
    assert_eq!(found, expected, "{markup}");
}

#[test]
fn blocks() {
    says("", &[]);
    says("plain", &[("plain", None)]);
    says("{$red red}", &[("red", Some(RED))]);
    says("a{$red b}c", &[("a", None), ("b", Some(RED)), ("c", None)]);
    says(
        "{$red a{$blue b}c}d",
        &[("a", Some(RED)), ("b", Some(BLUE)), ("c", Some(RED)), ("d", None)],
    );
    says("{rgb(255,0,0) a}{255,0,0 b}{#ff0000 c}", &[("abc", Some(RED))]);
    says("{$red}", &[]);
    says("{$red }", &[]);
    says("{$red  a }", &[(" a ", Some(RED))]);
    says("{$red\n\na}", &[("\na", Some(RED))]);
    says("{$red\u{3000}a}", &[("a", Some(RED))]);
    says("{$red open", &[("open", Some(RED))]);
    says("{$red Ж𝄞{$blue é", &[("Ж𝄞", Some(RED)), ("é", Some(BLUE))]);
}

#[test]
fn blocks_without_color() {
    says("{$red a{ b}c}", &[("a", Some(RED)), ("b", None), ("c", Some(RED))]);
    errors("{$red a{ b}c}", &[(MarkupErrorKind::EmptyTag, 7, "")]);
    says("{$red a{$nope b}c}", &[("a", Some(RED)), ("b", None), ("c", Some(RED))]);
    errors("{$red a{$nope b}c}", &[(MarkupErrorKind::BadColor, 8, "$nope")]);
}

#[test]
fn a_tag_runs_up_to_whitespace() {
    says("{$red$red}", &[]);
    errors("{$red$red}", &[(MarkupErrorKind::BadPoint, 5, "$red}")]);
    says("{$red$red} {$blue a}b", &[("a", Some(BLUE)), ("b", Some(RED))]);
}

#[test]
fn escapes() {
    says("&{&}&&&^&a&", &[("{}&^a", None)]);
    says("{$red &}&Ж}", &[("}Ж", Some(RED))]);
    errors("&", &[]);
}

#[test]
fn short_tags() {
    says("a^rb^4c", &[("a", None), ("b", Some(RED)), ("c", Some(BLUE))]);
    says(
        "{$green a^rb{$blue c}d}e",
        &[
            ("a", Some(GREEN)),
            ("b", Some(RED)),
            ("c", Some(BLUE)),
            ("d", Some(RED)),
            ("e", None),
        ],
    );
    says("^ra^", &[("a", Some(RED))]);
    errors("^ra^", &[]);
    says("^ra^Жb", &[("ab", Some(RED))]);
    errors("^ra^Жb", &[(MarkupErrorKind::BadShortTag, 3, "^Ж")]);
}

#[test]
fn closing_too_often() {
    says("}a}", &[("a", None)]);
    errors(
        "}a}",
        &[
            (MarkupErrorKind::UnmatchedBracket, 0, ""),
            (MarkupErrorKind::UnmatchedBracket, 2, ""),
        ],
    );
}

#[test]
fn errors_come_by_kind_and_then_by_place() {
    errors(
        "^? {#4f632dc:$a a}}{ {,[1]:$red[x]:$blue b ^!}",
        &[
            (MarkupErrorKind::UnmatchedBracket, 18, ""),
            (MarkupErrorKind::EmptyTag, 19, ""),
            (MarkupErrorKind::BadColor, 13, "$a"),
            (MarkupErrorKind::BadColor, 22, ",[1]"),
            (MarkupErrorKind::BadShortTag, 0, "^?"),
            (MarkupErrorKind::BadShortTag, 43, "^!"),
            (MarkupErrorKind::BadPoint, 11, "c"),
            (MarkupErrorKind::BadPoint, 32, "x]"),
        ],
    );
}

/// The red of each character, for gradients of shades of red.
fn reds(markup: &str) -> Vec<u8> {
    colors(markup)
        .1
        .into_iter()
        .map(|color| color.map_or(0, |color| color.red))
        .collect()
}

#[test]
fn gradients() {
    assert_eq!(reds("{0,0,0:100,0,0 abcde}"), [0, 25, 50, 75, 100]);
    assert_eq!(reds("{100,0,0:0,0,0 abcde}"), [100, 75, 50, 25, 0]);
    assert_eq!(reds("{0,0,0:100,0,0:0,0,0 abcde}"), [0, 50, 100, 50, 0]);
    assert_eq!(reds("{0,0,0:5,0,0 abc}"), [0, 3, 5]);
    assert_eq!(reds("{0,0,0:100,0,0 a}"), [0]);
    assert_eq!(reds("{0,0,0:100,0,0 ab}"), [0, 100]);
    assert!(reds("{0,0,0:100,0,0 }").is_empty());
    assert_eq!(reds("{0,0,0:100,0,0 abcde"), [0, 25, 50, 75, 100]);
    let faint = colors("{rgba(1,2,3,100):rgba(1,2,3,0) abc}").1;
    assert_eq!(faint, [100, 50, 0].map(|alpha| Some(Color::rgba(1, 2, 3, alpha))));
}

#[test]
fn gradients_with_points() {
    assert_eq!(reds("{0,0,0:80,0,0[0.25]:200,0,0 abcde}"), [0, 80, 120, 160, 200]);
    assert_eq!(reds("{0,0,0:80,0,0[25%]:200,0,0 abcde}"), [0, 80, 120, 160, 200]);
    // The outer points are given.
    assert_eq!(reds("{0,0,0[0.5]:100,0,0[0.1] abcde}"), [0, 25, 50, 75, 100]);
    // Spread evenly: not given, not above 0, above 1, not ascending.
    for point in ["", "[0]", "[-1]", "[1.01]", "[150%]", "[x]"] {
        assert_eq!(
            reds(&format!("{{0,0,0:100,0,0{point}:0,0,0 abcde}}")),
            [0, 50, 100, 50, 0],
            "{point}"
        );
    }
    assert_eq!(
        reds("{0,0,0:20,0,0[0.5]:40,0,0[0.4]:80,0,0[0.75]:100,0,0 abcdefghi}"),
        [0, 5, 10, 15, 20, 40, 80, 90, 100]
    );
    assert_eq!(reds("{0,0,0:100,0,0[1]:200,0,0 abc}"), [0, 50, 200]);
    assert_eq!(reds("{0,0,0:50,0,0[0.5]:70,0,0[0.5]:100,0,0 abc}"), [0, 50, 100]);
}

#[test]
fn gradients_with_inner_blocks() {
    // The inner block counts among the characters and has a color of its own.
    assert_eq!(reds("{0,0,0:100,0,0 a{9,0,0 bc}de}"), [0, 9, 9, 75, 100]);
    assert_eq!(reds("{0,0,0:100,0,0 a{9,0,0:7,0,0 bcd}e}"), [0, 9, 8, 7, 100]);
    assert_eq!(reds("{0,0,0:100,0,0 ab^wc{7,0,0 d}e}f"), [0, 25, 255, 7, 255, 0]);
    // Malformed colors are left out.
    assert_eq!(reds("{0,0,0:nope:100,0,0 abc}"), [0, 50, 100]);
    assert_eq!(reds("{nope:100,0,0 abc}"), [100, 100, 100]);
    assert_eq!(reds("{nope:none abc}"), [0, 0, 0]);
}

#[test]
fn points() {
    for (text, point, left) in [
        ("[0.5]", Some(0.5), ""),
        ("[50%]", Some(0.5), ""),
        ("[.5]", Some(0.5), ""),
        ("[0.5]c", Some(0.5), "c"),
        ("c", None, "c"),
        ("[", None, ""),
        ("[]", None, "]"),
        ("[0.5", None, ""),
        ("[0.5%x]", None, "x]"),
        ("[nan]", None, "nan]"),
        ("[inf]", None, "inf]"),
        ("[1-1]", None, "1-1]"),
        ("[1.2.3]", None, "1.2.3]"),
    ] {
        assert_eq!(read_point(text), (point, left), "{text}");
    }
    errors("{$red:$blue[0.5 a", &[(MarkupErrorKind::BadPoint, 15, "")]);
}

/// Quadratic time or recursion would not finish this test.
#[test]
fn as_deep_and_as_long_as_anybody_likes() {
    const DEEP: usize = 1_000_000;

    let Parsed { plain, runs, errors } = parse(&("{$red x".repeat(DEEP) + &"}".repeat(DEEP)));
    assert_eq!((plain.len(), runs.spans(0..DEEP).count(), errors), (DEEP, 1, vec![]));

    let parsed = parse(&"{0,0,0:255,0,0 x".repeat(DEEP / 10));
    assert_eq!(parsed.plain.len(), DEEP / 10);
    assert_eq!(parsed.runs.at(DEEP / 10 - 1), Color::rgb(0, 0, 0).into());

    // One tag, one block per character of a gradient, and nothing but errors.
    assert_eq!(parse(&"{".repeat(DEEP)).errors.len(), 1);
    let stops = "0,0,0:".repeat(DEEP / 10) + "255,0,0 ";
    let inner = "{9,9,9 x}y".repeat(DEEP / 10);
    assert_eq!(
        parse(&format!("{{{stops}{inner}}}")).runs.spans(0..DEEP / 5).count(),
        DEEP / 5
    );
    assert_eq!(parse(&"}^?".repeat(DEEP / 10)).errors.len(), DEEP / 5);
}
