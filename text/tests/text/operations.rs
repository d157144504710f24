//! Every operation against a list of characters, on texts of all widths.

use acedia_text::{BaseText, Case, Character, Color, Format, Formats, Matching, MutableText};
use proptest::collection::vec;
use proptest::prelude::*;

const FORMATS: [Format; 3] = [
    Format::PLAIN,
    Format::colored(Color::rgb(255, 0, 0)),
    Format::colored(Color::rgba(1, 2, 3, 4)),
];

fn character() -> impl Strategy<Value = Character> {
    let code = prop_oneof![
        6 => proptest::sample::select(vec!['a', 'b', 'A', ' ', '\t']),
        2 => proptest::sample::select(vec!['é', 'É', 'ς', 'Σ', '\u{a0}']),
        1 => proptest::sample::select(vec!['😀', '𐐀', '𐐨']),
    ];
    (code, proptest::sample::select(&FORMATS[..])).prop_map(|(code, format)| Character::new(code, format))
}

fn characters() -> impl Strategy<Value = Vec<Character>> {
    prop_oneof![
        vec(character(), 0..12),
        vec(character().prop_map(|c| c.with_format(Format::PLAIN)), 0..12),
    ]
}

/// A text of these characters. Made of one string if possible, which is then kept, otherwise character by character.
fn of(characters: &[Character]) -> BaseText {
    if characters.iter().all(|c| c.format == Format::PLAIN) {
        return characters.iter().map(|c| c.code).collect::<String>().into();
    }
    characters.iter().collect()
}

fn matching() -> impl Strategy<Value = Matching> {
    let case = prop_oneof![Just(Case::Sensitive), Just(Case::Insensitive)];
    let formats = prop_oneof![Just(Formats::Ignored), Just(Formats::Compared)];
    (case, formats).prop_map(|(case, formats)| Matching { case, formats })
}

fn same(ours: &[Character], theirs: &[Character], matching: Matching) -> bool {
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| a.is_same(*b, matching))
}

/// The positions of `needle` in `text`, found by trying every place.
fn places<'a>(text: &'a [Character], needle: &'a [Character], matching: Matching) -> impl Iterator<Item = usize> + 'a {
    (0..=text.len()).filter(move |at| {
        let part = text.get(*at..at + needle.len());
        part.is_some_and(|part| same(part, needle, matching))
    })
}

proptest! {
    #[test]
    fn comparing(a in characters(), b in characters(), matching in matching()) {
        let (text, other) = (of(&a), of(&b));
        prop_assert_eq!(text.compare(&other, matching), same(&a, &b, matching));
        prop_assert!(text.compare(&text, matching));
        prop_assert_eq!(text.starts_with(&other, matching), a.get(..b.len()).is_some_and(|a| same(a, &b, matching)));
        let end = a.len().checked_sub(b.len()).map(|start| &a[start..]);
        prop_assert_eq!(text.ends_with(&other, matching), end.is_some_and(|a| same(a, &b, matching)));
    }

    #[test]
    fn single_characters_as_content(a in characters(), c in character(), at in 0..14usize, matching in matching()) {
        let mut text = of(&a);
        let place = a.iter().position(|other| other.is_same(c, matching));
        prop_assert_eq!(text.find(c, .., matching), place);
        prop_assert_eq!(text.starts_with(c, matching), place == Some(0));
        let plain = c.with_format(Format::PLAIN);
        let place = a.iter().rposition(|other| other.is_same(plain, matching));
        prop_assert_eq!(text.rfind(c.code, .., matching), place);
        let mut model = a;
        model.insert(at.min(model.len()), c);
        prop_assert_eq!(text.insert(at, c).characters().collect::<Vec<_>>(), model);
    }

    #[test]
    fn finding(
        a in vec(character(), 0..20),
        b in vec(character(), 0..4),
        part in any::<Option<(usize, usize)>>(),
        (from, to) in (0..22usize, 0..22usize),
        matching in matching(),
    ) {
        // Half of the needles are parts of the text, so that they are found.
        let needle: Vec<Character> = match part {
            Some((x, y)) => {
                let (x, y) = (x % (a.len() + 1), y % (a.len() + 1));
                a[x.min(y)..x.max(y)].to_vec()
            }
            None => b,
        };
        let (text, wanted) = (of(&a), of(&needle));
        let (start, end) = (from.min(to.min(a.len())), to.min(a.len()));
        let mut expected: Vec<usize> = places(&a[start..end], &needle, matching).map(|at| start + at).collect();
        if from > end {
            expected.clear();
        }
        prop_assert_eq!(text.find(&wanted, from..to, matching), expected.first().copied());
        prop_assert_eq!(text.rfind(&wanted, from..to, matching), expected.last().copied());
        prop_assert_eq!(text.contains(&wanted, matching), places(&a, &needle, matching).next().is_some());
    }

    #[test]
    fn replacing(a in vec(character(), 0..20), b in vec(character(), 0..3), c in characters(), matching in matching()) {
        let mut text = of(&a);
        let (before, after) = (of(&b), of(&c));
        text.replace(&before, &after, matching);
        let (mut expected, mut rest) = (Vec::new(), &a[..]);
        while let Some(first) = rest.first() {
            let found = rest.get(..b.len()).is_some_and(|part| !b.is_empty() && same(part, &b, matching));
            expected.extend_from_slice(if found { &c } else { std::slice::from_ref(first) });
            rest = &rest[if found { b.len() } else { 1 }..];
        }
        prop_assert_eq!(text.characters().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn changing(mut model in characters(), other in characters(), (kind, a, b) in (0..12u8, 0..14usize, 0..14usize)) {
        let mut text = of(&model);
        let content = of(&other);
        let (start, end) = (a.min(b.min(model.len())), b.min(model.len()));
        match kind {
            0 => {
                text.append(&content);
                model.extend(&other);
            }
            1 => {
                text.append_or(&content, FORMATS[1]);
                model.extend(other.iter().map(|c| c.with_format(c.format.or(FORMATS[1]))));
            }
            2 => {
                text.insert(a, &content);
                let at = a.min(model.len());
                model.splice(at..at, other);
            }
            3 => {
                text.insert_or(0, &content, FORMATS[2]);
                model.splice(0..0, other.iter().map(|c| c.with_format(c.format.or(FORMATS[2]))));
            }
            4 => {
                text.remove(a..b);
                model.drain(start..end);
            }
            5 => {
                text.set_format(a..b, FORMATS[2]);
                model[start..end].iter_mut().for_each(|c| c.format = FORMATS[2]);
            }
            6 => {
                text.set_default_format(FORMATS[2]);
                for c in &mut model {
c.format = c.format.or(FORMATS[2]);
}
            }
            7 => {
                text.make_lowercase();
                for c in &mut model {
*c = c.to_lowercase();
}
            }
            8 => {
                text.make_uppercase();
                for c in &mut model {
*c = c.to_uppercase();
}
            }
            9 => {
                text.trim();
                while model.last().is_some_and(|c| c.is_whitespace()) {
                    model.pop();
                }
                while model.first().is_some_and(|c| c.is_whitespace()) {
                    model.remove(0);
                }
            }
            10 => {
                text.simplify();
                let mut simple: Vec<Character> = Vec::new();
                for c in model {
                    if !c.is_whitespace() || simple.last().is_some_and(|last| !last.is_whitespace()) {
                        simple.push(c);
                    }
                }
                while simple.last().is_some_and(|c| c.is_whitespace()) {
                    simple.pop();
                }
                model = simple;
            }
            _ => {
                text.append_line_break();
                let format = model.last().map_or(Format::PLAIN, |c| c.format);
                model.push(Character::new('\n', format));
            }
        }
        prop_assert_eq!(text.characters().collect::<Vec<_>>(), &model[..]);
        let fresh: BaseText = model.iter().collect();
        prop_assert!(text.compare(&fresh, Matching::FORMATTED), "in normal form");
        prop_assert_eq!(text.key_hash(), fresh.key_hash());
        prop_assert!(text.chars().rev().eq(model.iter().rev().map(|c| c.code)));
        for (index, c) in model.iter().enumerate() {
            prop_assert_eq!(text.character_at(index), Some(*c));
            prop_assert_eq!(text.chars().nth(index), Some(c.code));
        }
        prop_assert_eq!((text.len(), text.character_at(model.len())), (model.len(), None));
        prop_assert_eq!(text.format_at(model.len()), Format::PLAIN);
    }

    #[test]
    fn splitting(a in characters(), at in character()) {
        let text = of(&a);
        let parts: Vec<Vec<Character>> = text.split(at.code).map(|part| part.characters().collect()).collect();
        let expected: Vec<&[Character]> = a.split(|c| c.code == at.code).collect();
        prop_assert_eq!(parts, expected);
        let parts: Vec<Vec<Character>> = text.parts().map(|part| part.characters().collect()).collect();
        let expected: Vec<&[Character]> = match a.split_first() {
            Some((first, rest)) => rest.split(|c| c.code == first.code).collect(),
            None => Vec::new(),
        };
        prop_assert_eq!(parts, expected);
    }

    #[test]
    fn colored_and_marked_up(a in vec(character(), 0..12)) {
        let text = of(&a);
        let parsed = BaseText::from_markup(&text.to_markup(..));
        prop_assert!(parsed.compare(&text, Matching::FORMATTED));
        let colored = BaseText::from_colored(&text.to_colored(.., Color::rgb(9, 9, 9)));
        prop_assert!(colored.compare(&text, Matching::EXACT));
    }
}

#[test]
fn mutable_texts_out_of_many_parts() {
    let shared = MutableText::new("a");
    // The iterator may use the text that it extends, which is not locked meanwhile.
    (&*shared).extend((0..3).map(|_| shared.read().char_at(0).unwrap_or('?')));
    assert_eq!(*shared.read(), "aaaa");
    assert_eq!("ж".parse::<MutableText>().unwrap().to_string(), "ж");
    assert_eq!(MutableText::from_display(-7).to_string(), "-7");
}

/// Plain characters of markup get the default format, and so do characters before the first code.
#[test]
fn markup_and_codes_are_added_in_a_default_format() {
    let (red, blue) = (Color::rgb(255, 0, 0), Color::rgb(0, 0, 255));
    let color = |text: &BaseText, at| text.format_at(at).color();
    let mut text = BaseText::from("a");
    text.append_markup("b{#0000ff c}d", red.into());
    assert_eq!(text, "abcd");
    assert_eq!(
        [0, 1, 2, 3].map(|at| color(&text, at)),
        [None, Some(red), Some(blue), Some(red)]
    );
    // In codes, no channel of a color is zero.
    let blue = Color::rgb(1, 1, 255);
    let mut text = BaseText::from("a");
    let coded = BaseText::from_markup("{#0000ff c}").to_colored(.., red);
    text.append_colored(&format!("b{coded}"), red.into());
    assert_eq!(text, "abc");
    assert_eq!([0, 1, 2].map(|at| color(&text, at)), [None, Some(red), Some(blue)]);
}

#[test]
fn names_are_short_and_simple() {
    for name in ["a", "Z9._", "Player.Start_1", &"n".repeat(50)] {
        assert!(BaseText::from(name).is_valid_name(), "{name}");
    }
    for name in ["", "a b", "a-b", "\u{e4}", "a\n", "[a]", &"n".repeat(51)] {
        assert!(!BaseText::from(name).is_valid_name(), "{name}");
    }
}
