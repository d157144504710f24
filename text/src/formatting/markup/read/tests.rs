use super::*;
use crate::BaseText;

/// Plain text, and the color of each character.
fn colors(markup: &str) -> (String, Vec<Option<Color>>) {
    let Parsed { plain, runs, .. } = parse(markup);
    let colors = (0..plain.chars().count()).map(|index| runs.at(index).color()).collect();
    (plain, colors)
}

/// The rows of `tests.txt`.
#[test]
fn markup_is_read_and_its_errors_are_told() {
    for row in include_str!("tests.txt").lines().skip(1) {
        let row = row.replace("\\n", "\n");
        let [markup, normal, expected] = row.splitn(3, '\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let found = parse(markup).errors;
        let found = found.iter().map(|error| {
            format!("{:?} {} {}", error.kind(), error.offset(), error.cause())
                .trim_end()
                .to_owned()
        });
        assert_eq!(found.collect::<Vec<_>>().join("; "), expected, "{markup}");
        let read = BaseText::from_markup(markup).to_markup(..);
        assert!(normal == "?" || read == normal, "{markup}: {read}");
    }
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
