//! Long and hostile input: no operation panics. With quadratic work these tests would take hours.

use acedia_text::{BaseText, Character, Color, Format, IntoText, Matching, Text, Utf8Decoder, Utf8Error};

const LONG: usize = 100_000_000;

#[test]
fn a_hundred_million_characters() {
    let mut text = BaseText::from("a".repeat(LONG));
    assert_eq!(
        (text.len(), text.char_at(LONG - 1), text.char_at(LONG)),
        (LONG, Some('a'), None)
    );
    text.append("b").make_uppercase();
    assert_eq!(text.find("B", .., Matching::EXACT), Some(LONG));
    assert_ne!(text.hash_code(), text.slice(1..).hash_code());
    assert_ne!(text.key_hash(), text.slice(1..).key_hash());
    text.remove(1..LONG);
    let text = text.into_text();
    assert_eq!(*text, "AB");
    assert_eq!(text.hash_code(), Text::new("AB").hash_code());
}

#[test]
fn searches_that_almost_match() {
    let (len, needle) = (100_000, 10_000);
    for letter in ['a', 'é', '😀'] {
        let letters = |count: usize| letter.to_string().repeat(count);
        let mut text = BaseText::from(letters(len));
        let wanted = BaseText::from(letters(needle) + "b");
        for matching in [Matching::EXACT, Matching::ANY_CASE, Matching::FORMATTED] {
            assert_eq!(text.find(&wanted, .., matching), None);
            let found = [&wanted, &BaseText::from(letters(needle))].map(|needle| text.contains(needle, matching));
            assert_eq!(found, [false, true]);
            assert_eq!(
                text.rfind(BaseText::from("b".to_owned() + &letters(needle)), .., matching),
                None
            );
            assert_eq!(
                text.rfind(BaseText::from(letters(needle)), .., matching),
                Some(len - needle)
            );
            text.replace(letter, "xy", matching).replace("xy", letter, matching);
            assert_eq!(text.len(), len);
        }
    }
}

#[test]
fn growing_and_shrinking_one_by_one() {
    let mut text = BaseText::new();
    for index in 0..200_000u32 {
        let format = if index % 2 == 0 {
            Format::PLAIN
        } else {
            Color::rgb(1, 2, 3).into()
        };
        text.append(Character::new('é', format));
    }
    while !text.is_empty() {
        text.remove(text.len() - 1..);
    }
}

/// A text of many megabytes in other scripts, in the smallest pieces, with an error at its end.
#[test]
fn long_utf8_in_small_pieces() {
    const LEN: usize = 2_000_000;
    let bytes = ["aé☕😀".repeat(LEN / 4).as_bytes(), b"\xed\xa0\x80"].concat();
    let (mut text, mut decoder) = (BaseText::new(), Utf8Decoder::new());
    let refused = bytes.chunks(1).find_map(|byte| decoder.feed(byte, &mut text).err());
    assert_eq!(refused.map(Utf8Error::offset), Some(bytes.len() as u64 - 3));
    assert_eq!(BaseText::from_utf8(&bytes).map_err(Some), Err(refused));
    assert_eq!((text.len(), text.char_at(LEN - 1)), (LEN, Some('😀')));
    let text = text.into_text();
    let again = BaseText::from_utf8(&text.to_utf8()).unwrap();
    assert!(**text == again && text.hash_code() == again.hash_code() && text.key_hash() == again.key_hash());
    assert_eq!(BaseText::from(text.to_string()), again);
}

/// Repeated changes must not rewrite the text each time.
#[test]
fn a_wide_character_comes_and_goes_in_a_long_text() {
    for wide in ['é', '😀'] {
        let ascii = "a".repeat(1_000_000);
        let mut text = BaseText::from(&*ascii);
        for _ in 0..200_000 {
            text.push(wide);
            let last = text.len() - 1;
            text.remove(last..);
        }
        let narrow = BaseText::from(&*ascii);
        assert!(text == narrow && text == *ascii && text.cmp(&narrow).is_eq());
        assert_eq!(
            (text.hash_code(), text.key_hash()),
            (narrow.hash_code(), narrow.key_hash())
        );
        assert!(narrow.compare(&text, Matching::EXACT) && text.compare(&narrow, Matching::EXACT));
        assert_eq!(
            (
                narrow.find(&text, .., Matching::EXACT),
                text.find(&narrow, .., Matching::EXACT)
            ),
            (Some(0), Some(0))
        );
        assert_eq!(text.clone().into_text().as_str(), &*ascii);
        let mutable = text.clone().into_mutable_text();
        mutable.write().push(wide).remove(1_000_000..);
        assert_eq!(mutable.into_text().as_str(), &*ascii);
        assert_eq!(text.to_text(..).as_str(), &*ascii);
    }
}

/// The unit tests of runs show that no change moves more of them than a chunk has.
#[test]
fn formats_one_character_after_another() {
    const LEN: usize = 50_000;
    let colors = [Format::from(Color::rgb(255, 0, 0)), Format::from(Color::rgb(0, 0, 255))];
    let color = |at: usize| colors[at % 2];
    // Forward, over formatted characters, from the end to the start, and the first half after the second.
    let forward = (0..LEN).collect::<Vec<_>>();
    let backward = (0..LEN).rev().collect::<Vec<_>>();
    let halves = (LEN / 2..LEN).chain(0..LEN / 2).collect::<Vec<_>>();
    for order in [[forward.clone(), forward].concat(), backward, halves] {
        let mut text = BaseText::from("a".repeat(LEN));
        for at in order {
            text.set_format(at..=at, color(at));
        }
        assert!((0..LEN).all(|at| text.format_at(at) == color(at)));
    }
    // Before all of them.
    let mut text = BaseText::new();
    for at in 0..LEN {
        text.append_or('a', color(at));
    }
    for _ in 0..2_000 {
        text.insert(0, "b").remove(1..3);
    }
    assert_eq!((text.len(), text.format_at(0)), (LEN - 2_000, Format::PLAIN));
    assert_eq!(text.format_at(LEN - 2_001), color(LEN - 1));
}

#[test]
fn whitespace_alone() {
    let mut text = BaseText::from(" \t".repeat(500_000));
    assert!(text.clone().simplify().is_empty());
    assert!(text.trim().is_empty());
    let mut text = BaseText::from("a ".repeat(500_000));
    assert_eq!(text.simplify().len(), 999_999);
    assert_eq!(text.split(' ').count(), 500_000);
}

#[test]
fn no_range_is_out_of_range() {
    let text = BaseText::from("größer");
    let (max, reversed) = (usize::MAX, std::ops::Range { start: 4, end: 2 });
    assert_eq!(*text.to_text(..=max), "größer");
    assert_eq!(*text.to_text(max..), "");
    assert_eq!(*text.to_text(2..=2), "ö");
    assert_eq!(*text.to_text(reversed.clone()), "");
    assert_eq!(
        *text.to_text((std::ops::Bound::Excluded(max), std::ops::Bound::Unbounded)),
        ""
    );
    assert_eq!((text.char_at(max), text.format_at(max)), (None, Format::PLAIN));
    assert_eq!(text.find("", max.., Matching::EXACT), None);
    assert_eq!(text.find("", 6.., Matching::EXACT), Some(6));
    for needle in ["", "r"] {
        for range in [reversed.clone(), 7..9, 7..7] {
            assert_eq!(text.find(needle, range.clone(), Matching::EXACT), None);
            assert_eq!(text.rfind(needle, range, Matching::EXACT), None);
        }
    }
    assert_eq!(text.rfind("", 1..9, Matching::EXACT), Some(6));
    assert_eq!(text.rfind("", 3..3, Matching::EXACT), Some(3));
    let mut changed = text.clone();
    changed
        .remove(max..)
        .set_format(max.., Color::rgb(1, 2, 3).into())
        .remove(reversed);
    assert!(changed.compare(&text, Matching::FORMATTED));
    changed.insert(max, "!");
    assert_eq!(changed, "größer!");
    assert_eq!(text.chars().nth(max), None);
}
