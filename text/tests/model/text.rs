//! Operations on several texts at a time, compared with a naive model: lists of characters.
//!
//! The model has no index and no runs. After every operation, a text must have the characters of its list, and equal a text made of
//! that list. The fuzz target `text` includes this file, too.

use std::ops::Range;

use acedia_text::{BaseText, Case, Character, Color, Format, Formats, IntoText, Matching, MutableText};
use arbitrary::{Arbitrary, Unstructured};

/// One step on a text. Numbers of texts count modulo `TEXTS`. Two `u16`s are a range, and the last number of a search is its way
/// to compare.
#[derive(Arbitrary, Clone, Debug)]
#[allow(missing_docs, reason = "named after what they call")]
pub enum Op {
    Push(Letter),
    AppendStr(Vec<Letter>, Option<u8>),
    AppendText(u8, Option<u8>),
    AppendMany(Letter, u8),
    LineBreak,
    Insert(u16, u8, Option<u8>),
    Prepend(Letter, Option<u8>),
    Remove(u16, u16),
    Slice(u16, u16, u8),
    SetFormat(u16, u16, Option<u8>),
    SetDefault(Option<u8>),
    Lower,
    Upper,
    Trim,
    Simplify,
    Clear,
    Replace(u8, u8, u8),
    ReplacePart(u16, u8, u8, u8),
    Find(u8, u16, u16, u8),
    FindPart(u16, u8, u16, u16, u8),
    FindOne(Letter, Option<u8>, u8),
    Compare(u8, u8),
    Split(u16),
    Object(bool),
    Utf8(u8),
}

/// A character, mostly one of few, so that equal ones are common.
#[derive(Clone, Copy, Debug)]
pub struct Letter(char);

impl<'a> Arbitrary<'a> for Letter {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let few = [
            'a', 'a', 'b', 'A', ' ', '\t', 'é', 'É', 'ς', 'Σ', '\u{a0}', '😀', '𐐀', '𐐨',
        ];
        let number = bytes.arbitrary::<u8>()? % 16;
        few.get(usize::from(number))
            .map_or_else(|| bytes.arbitrary(), |c| Ok(*c))
            .map(Self)
    }
}

/// The number of texts.
const TEXTS: usize = 4;
/// No text gets longer than this.
const MOST: usize = 2000;

/// A text and its characters.
#[derive(Clone, Default)]
struct Pair {
    text: BaseText,
    list: Vec<Character>,
}

impl Pair {
    fn within(&self, from: u16, to: u16) -> Range<usize> {
        let end = usize::from(to).min(self.list.len());
        usize::from(from).min(end)..end
    }

    fn part(&self, range: Range<usize>) -> Self {
        let text = self.text.slice(range.clone());
        let list = self.list[range].to_vec();
        Self { text, list }
    }

    /// The text must have the characters of the list, and no trace of how it got them.
    fn check(&self) {
        assert!(self.text.characters().eq(self.list.iter().copied()));
        assert_eq!(self.text.len(), self.list.len());
        let fresh: BaseText = self.list.iter().collect();
        assert!(self.text.compare(&fresh, Matching::FORMATTED));
        assert_eq!(self.text, fresh);
        assert_eq!(self.text.key_hash(), fresh.key_hash());
        let codes = self.list.iter().map(|c| c.code as i32);
        let djb2 = codes.fold(5381i32, |hash, code| hash.wrapping_mul(33).wrapping_add(code));
        assert_eq!(self.text.hash_code(), djb2);
        assert!(self.text.as_str().chars().eq(self.list.iter().map(|c| c.code)));
        assert!(self.text.chars().rev().eq(self.list.iter().rev().map(|c| c.code)));
        for at in [
            0,
            self.list.len() / 2,
            self.list.len().saturating_sub(1),
            self.list.len(),
        ] {
            let character = self.list.get(at).copied();
            assert_eq!(self.text.character_at(at), character);
            assert_eq!(self.text.chars().nth(at), character.map(|c| c.code));
            assert_eq!(self.text.format_at(at), character.map_or(Format::PLAIN, |c| c.format));
        }
    }
}

fn format(color: Option<u8>) -> Format {
    color.map(|color| Color::rgb(color, 1, 2)).into()
}

fn matching(how: u8) -> Matching {
    Matching {
        case: [Case::Sensitive, Case::Insensitive][usize::from(how & 1)],
        formats: [Formats::Ignored, Formats::Compared][usize::from(how >> 1 & 1)],
    }
}

fn same(ours: &[Character], theirs: &[Character], matching: Matching) -> bool {
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| a.is_same(*b, matching))
}

/// Runs the steps.
///
/// # Panics
///
/// If a text differs from the model.
pub fn run(ops: &[(u8, Op)]) {
    let mut pairs: [Pair; TEXTS] = Default::default();
    for (text, op) in ops {
        let place = usize::from(*text) % TEXTS;
        let mut pair = pairs[place].clone();
        step(&mut pair, &mut pairs, op);
        if pair.list.len() > MOST {
            pair.text.remove(MOST / 2..);
            pair.list.truncate(MOST / 2);
        }
        pairs[place] = pair;
    }
    pairs.iter().for_each(Pair::check);
}

#[expect(clippy::too_many_lines, reason = "one arm for each operation")]
fn step(pair: &mut Pair, pairs: &mut [Pair; TEXTS], op: &Op) {
    let other = |choice: u8| usize::from(choice) % TEXTS;
    // Mostly inside of the text.
    let len = pair.list.len();
    let near = |at: u16| at % u16::try_from(len + 3).unwrap_or(u16::MAX);
    let Pair { text, list } = pair;
    match op.clone() {
        Op::Push(Letter(c)) => {
            text.push(c);
            list.push(c.into());
        }
        Op::AppendStr(content, color) => {
            let content: String = content.iter().map(|letter| letter.0).collect();
            text.append_or(&content, format(color));
            list.extend(content.chars().map(|c| Character::new(c, format(color))));
        }
        Op::AppendText(from, color) => {
            let from = &pairs[other(from)];
            text.append_or(&from.text, format(color));
            list.extend(from.list.iter().map(|c| c.with_format(c.format.or(format(color)))));
        }
        Op::LineBreak => {
            text.append_line_break();
            let format = list.last().map_or(Format::PLAIN, |c| c.format);
            list.push(Character::new('\n', format));
        }
        Op::AppendMany(Letter(c), count) => {
            text.extend(std::iter::repeat_n(c, count.into()));
            list.extend(std::iter::repeat_n(Character::from(c), count.into()));
        }
        Op::Insert(at, from, color) => {
            let from = &pairs[other(from)];
            let at = near(at);
            text.insert_or(at.into(), &from.text, format(color));
            let at = usize::from(at).min(list.len());
            list.splice(
                at..at,
                from.list.iter().map(|c| c.with_format(c.format.or(format(color)))),
            );
        }
        Op::Prepend(Letter(c), color) => {
            let character = Character::new(c, format(color));
            text.prepend(character);
            list.insert(0, character);
        }
        Op::Remove(from, to) => {
            let (from, to) = (near(from), near(to));
            text.remove(usize::from(from)..usize::from(to));
            let range = pair.within(from, to);
            pair.list.drain(range);
        }
        Op::Slice(from, to, target) => {
            let (from, to) = (near(from), near(to));
            let text = text.slice(usize::from(from)..usize::from(to));
            let list = pair.part(pair.within(from, to)).list;
            let part = Pair { text, list };
            part.check();
            pairs[other(target)] = part;
        }
        Op::SetFormat(from, to, color) => {
            let (from, to) = (near(from), near(to));
            text.set_format(usize::from(from)..usize::from(to), format(color));
            let range = pair.within(from, to);
            pair.list[range].iter_mut().for_each(|c| c.format = format(color));
        }
        Op::SetDefault(color) => {
            text.set_default_format(format(color));
            for c in list {
                c.format = c.format.or(format(color));
            }
        }
        Op::Lower => {
            text.make_lowercase();
            for c in list {
                *c = c.to_lowercase();
            }
        }
        Op::Upper => {
            text.make_uppercase();
            for c in list {
                *c = c.to_uppercase();
            }
        }
        Op::Trim => {
            text.trim();
            let last = list.iter().rposition(|c| !c.is_whitespace());
            list.truncate(last.map_or(0, |last| last + 1));
            let start = list.iter().position(|c| !c.is_whitespace());
            list.drain(..start.unwrap_or(0));
        }
        Op::Simplify => {
            text.simplify();
            let mut simple: Vec<Character> = Vec::new();
            for c in list.drain(..) {
                let after_space = simple.last().is_none_or(|last| last.is_whitespace());
                simple.extend((!c.is_whitespace() || !after_space).then_some(c));
            }
            let is_space = simple.last().is_some_and(|last| last.is_whitespace());
            simple.truncate(simple.len() - usize::from(is_space));
            *list = simple;
        }
        Op::Clear => {
            text.clear();
            list.clear();
        }
        Op::Replace(before, after, how) => {
            let before = pairs[other(before)].clone();
            replace(pair, &before, &pairs[other(after)], matching(how));
        }
        Op::ReplacePart(from, len, after, how) => {
            let from = near(from);
            let before = pair.part(pair.within(from, from.saturating_add(len.into())));
            replace(pair, &before, &pairs[other(after)], matching(how));
        }
        Op::Find(needle, from, to, how) => find(pair, &pairs[other(needle)], near(from), near(to), matching(how)),
        Op::FindPart(at, len, from, to, how) => {
            let at = near(at);
            let needle = pair.part(pair.within(at, at.saturating_add(len.into())));
            find(pair, &needle, near(from), near(to), matching(how));
        }
        Op::Compare(other_text, how) => {
            let (other, matching) = (&pairs[other(other_text)], matching(how));
            let is_same = same(list, &other.list, matching);
            assert_eq!(text.compare(&other.text, matching), is_same);
            let (longer, part) = (&*list, &other.list);
            let start = longer
                .get(..part.len())
                .is_some_and(|start| same(start, part, matching));
            assert_eq!(text.starts_with(&other.text, matching), start);
            let end = longer.len().checked_sub(part.len()).map(|at| &longer[at..]);
            assert_eq!(
                text.ends_with(&other.text, matching),
                end.is_some_and(|end| same(end, part, matching))
            );
            assert_eq!(
                text.contains(&other.text, matching),
                text.find(&other.text, .., matching).is_some()
            );
            let codes = |list: &[Character]| list.iter().map(|c| c.code).collect::<Vec<_>>();
            assert_eq!((*text).cmp(&other.text), codes(list).cmp(&codes(&other.list)));
        }
        Op::FindOne(Letter(c), color, how) => {
            let (character, matching) = (Character::new(c, format(color)), matching(how));
            let place = list.iter().position(|other| other.is_same(character, matching));
            assert_eq!(text.find(character, .., matching), place);
            assert_eq!(text.starts_with(character, matching), place == Some(0));
            let last = list.iter().rposition(|other| other.is_same(c, matching));
            assert_eq!(text.rfind(c, .., matching), last);
        }
        Op::Split(at) => {
            if let Some(separator) = list.get(usize::from(near(at))) {
                let parts = text
                    .split(separator.code)
                    .map(|part| part.characters().collect::<Vec<_>>());
                assert!(parts.eq(list.split(|c| c.code == separator.code)));
            }
            let parts = text.parts().map(|part| part.characters().collect::<Vec<_>>());
            let expected = list
                .split_first()
                .map(|(first, rest)| rest.split(|c| c.code == first.code));
            assert!(parts.eq(expected.into_iter().flatten()));
        }
        Op::Object(shared) => {
            let mutable = MutableText::from(&*text);
            let other = shared.then(|| mutable.clone());
            let object = mutable.into_text();
            assert_eq!(object.to_string(), list.iter().map(|c| c.code).collect::<String>());
            assert!(other.is_none_or(|other| other.compare(&*text, Matching::FORMATTED)));
            *text = object.into_mutable_text().read().clone();
        }
        Op::Utf8(piece) => {
            let mut read = BaseText::new();
            let mut decoder = acedia_text::Utf8Decoder::new();
            for piece in text.to_utf8().chunks(usize::from(piece).max(1)) {
                decoder.feed(piece, &mut read).expect("made of characters");
            }
            decoder.finish().expect("made of whole characters");
            assert_eq!(read, *text);
        }
    }
}

fn replace(pair: &mut Pair, before: &Pair, after: &Pair, matching: Matching) {
    let (wanted, by) = (&before.list, &after.list[..after.list.len().min(50)]);
    pair.text.replace(&before.text, after.text.slice(..50), matching);
    let (list, mut rest) = (std::mem::take(&mut pair.list), 0);
    while rest < list.len() {
        let part = list.get(rest..rest + wanted.len());
        if !wanted.is_empty() && part.is_some_and(|part| same(part, wanted, matching)) {
            pair.list.extend(by);
            rest += wanted.len();
        } else {
            pair.list.push(list[rest]);
            rest += 1;
        }
    }
}

fn find(pair: &Pair, needle: &Pair, from: u16, to: u16, matching: Matching) {
    let range = pair.within(from, to);
    let found = |at: &usize| {
        let part = pair.list[..range.end].get(*at..*at + needle.list.len());
        part.is_some_and(|part| same(part, &needle.list, matching))
    };
    let exists = usize::from(from) <= range.end;
    let first = (range.start..=range.end).find(found).filter(|_| exists);
    let last = (range.start..=range.end).rev().find(found).filter(|_| exists);
    let asked = usize::from(from)..usize::from(to);
    assert_eq!(pair.text.find(&needle.text, asked.clone(), matching), first);
    assert_eq!(pair.text.rfind(&needle.text, asked, matching), last);
}
