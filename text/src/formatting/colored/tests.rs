use proptest::prelude::*;

use super::*;

const RED: Format = Format::colored(Color::rgb(255, 1, 2));
const BLACK: Color = Color::rgb(0, 0, 0);
const BLUE: Color = Color::rgb(1, 2, 255);

/// Each character with its format.
fn pairs(text: &str, format: Format) -> Vec<(char, Format)> {
    let pieces = read(text, format);
    pieces
        .flat_map(|(piece, format)| piece.chars().map(move |c| (c, format)))
        .collect()
}

fn parsed(text: &str) -> Vec<(char, Format)> {
    pairs(text, Format::PLAIN)
}

fn written(chars: &[(char, Format)], default: Color) -> String {
    let text: String = chars.iter().map(|(c, _)| *c).collect();
    let starts = text.char_indices().map(|(start, c)| &text[start..start + c.len_utf8()]);
    write(starts.zip(chars).map(|(piece, (_, format))| (piece, *format)), default)
}

#[test]
fn codes_switch_the_color() {
    assert_eq!(
        parsed("a\u{1b}\u{ff}\u{1}\u{2}bc\u{1b}\u{3}\u{4}\u{5}d"),
        [
            ('a', Format::PLAIN),
            ('b', RED),
            ('c', RED),
            ('d', Color::rgb(3, 4, 5).into()),
        ]
    );
    assert_eq!(pairs("a", RED), [('a', RED)]);
}

#[test]
fn an_incomplete_code_ends_the_string() {
    for text in ["a\u{1b}", "a\u{1b}b", "a\u{1b}bc", "a\u{1b}bcd", "a\u{1b}\u{1b}\u{1b}"] {
        assert_eq!(parsed(text), [('a', Format::PLAIN)], "{text:?}");
    }
    // Inside a code, the opening character is a channel.
    assert_eq!(
        parsed("\u{1b}\u{1b}\u{1b}\u{1b}a"),
        [('a', Color::rgb(27, 27, 27).into())]
    );
}

#[test]
fn lone_surrogates_and_large_characters() {
    let text = String::from_utf16_lossy(&[0x1b, 0xd800, 0x1, 0x2, 0xdc00, 0x61]);
    assert_eq!(parsed(&text), [('\u{fffd}', RED), ('a', RED)]);
}

#[test]
fn written_with_as_few_codes_as_possible() {
    let faint = Format::from(Color::rgba(255, 1, 2, 9));
    let chars = [('a', Format::PLAIN), ('b', RED), ('c', faint), ('d', BLACK.into())];
    assert_eq!(
        written(&chars, BLACK),
        "\u{1b}\u{1}\u{1}\u{1}a\u{1b}\u{ff}\u{1}\u{2}bc\u{1b}\u{1}\u{1}\u{1}d"
    );
    assert_eq!(written(&[], BLACK), "");
}

#[test]
fn what_opens_a_code_is_left_out() {
    let blue = Format::from(BLUE);
    let chars = [
        (ESCAPE, blue),
        ('a', RED),
        (ESCAPE, blue),
        (ESCAPE, RED),
        ('b', RED),
        (ESCAPE, blue),
    ];
    assert_eq!(written(&chars, BLACK), "\u{1b}\u{ff}\u{1}\u{2}ab");
}

#[test]
fn no_channel_is_a_line_break_or_nul() {
    let chars = [('a', Color::rgb(0, 10, 11).into())];
    assert_eq!(written(&chars, BLACK), "\u{1b}\u{1}\u{b}\u{b}a");
}

proptest! {
    #[test]
    fn any_characters(text in proptest::collection::vec(prop_oneof![Just(ESCAPE), any::<char>()], 0..20)) {
        let text = String::from_iter(text);
        let mut pieces = read(&text, Format::PLAIN);
        let total: usize = pieces.by_ref().map(|(piece, _)| piece.len()).sum();
        prop_assert!(total <= text.len() && pieces.next().is_none());
    }
}
