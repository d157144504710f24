//! Operations on several texts at a time, compared with a naive model: lists of characters.
//!
//! The model has no index and no runs. After every operation, a text must have the characters of its list, and equal a
//! text that is made of that list at once.

mod op;

use std::ops::Range;

use acedia_text::{BaseText, Case, Character, Color, Format, Formats, IntoText, Matching, MutableText};

pub use op::Op;

/// The number of texts.
const TEXTS: usize = 4;
/// No text gets longer than this.
const MOST: usize = 2000;

/// A text and its characters.
#[derive(Default)]
struct Pair {
    text: BaseText,
    list: Vec<Character>,
}

impl Pair {
    fn within(&self, from: u16, to: u16) -> Range<usize> {
        let end = usize::from(to).min(self.list.len());
        usize::from(from).min(end)..end
    }

    /// The text must have the characters of the list, and nothing that tells how it came to them.
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
    }
}

fn format(color: Option<u8>) -> Format {
    color.map(|color| Color::rgb(color, 1, 2)).into()
}

fn matching(how: u8) -> Matching {
    Matching {
        case: if how & 1 == 0 {
            Case::Sensitive
        } else {
            Case::Insensitive
        },
        formats: if how & 2 == 0 {
            Formats::Ignored
        } else {
            Formats::Compared
        },
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
pub fn run(ops: &[Op]) {
    let mut pairs: [Pair; TEXTS] = Default::default();
    for op in ops {
        step(&mut pairs, op);
        for pair in &mut pairs {
            if pair.list.len() > MOST {
                pair.text.remove(MOST / 2..);
                pair.list.truncate(MOST / 2);
            }
        }
    }
    pairs.iter().for_each(Pair::check);
}

#[expect(clippy::too_many_lines, reason = "one arm for each operation")]
fn step(pairs: &mut [Pair; TEXTS], op: &Op) {
    let place = |choice: u8| usize::from(choice) % TEXTS;
    let copy = |pairs: &[Pair; TEXTS], choice: u8| {
        let pair = &pairs[place(choice)];
        (pair.text.clone(), pair.list.clone())
    };
    match op.clone() {
        Op::Push(text, c) => {
            let pair = &mut pairs[place(text)];
            pair.text.push(c);
            pair.list.push(c.into());
        }
        Op::AppendStr(text, content, color) => {
            let pair = &mut pairs[place(text)];
            pair.text.append_or(&content, format(color));
            pair.list
                .extend(content.chars().map(|c| Character::new(c, format(color))));
        }
        Op::AppendText(text, other, color) => {
            let (other, list) = copy(pairs, other);
            let pair = &mut pairs[place(text)];
            pair.text.append_or(&other, format(color));
            pair.list
                .extend(list.iter().map(|c| c.with_format(c.format.or(format(color)))));
        }
        Op::AppendMany(text, c, count) => {
            let pair = &mut pairs[place(text)];
            pair.text.extend(std::iter::repeat_n(c, count.into()));
            pair.list.extend(std::iter::repeat_n(Character::from(c), count.into()));
        }
        Op::Insert(text, at, other) => {
            let (other, list) = copy(pairs, other);
            let pair = &mut pairs[place(text)];
            pair.text.insert(at.into(), &other);
            let at = usize::from(at).min(pair.list.len());
            pair.list.splice(at..at, list);
        }
        Op::Prepend(text, c, color) => {
            let pair = &mut pairs[place(text)];
            let character = Character::new(c, format(color));
            pair.text.prepend(character);
            pair.list.insert(0, character);
        }
        Op::Remove(text, from, to) => {
            let pair = &mut pairs[place(text)];
            pair.text.remove(usize::from(from)..usize::from(to));
            pair.list.drain(pair.within(from, to));
        }
        Op::Slice(text, from, to, target) => {
            let pair = &pairs[place(text)];
            let part = Pair {
                text: pair.text.slice(usize::from(from)..usize::from(to)),
                list: pair.list[pair.within(from, to)].to_vec(),
            };
            part.check();
            pairs[place(target)] = part;
        }
        Op::SetFormat(text, from, to, color) => {
            let pair = &mut pairs[place(text)];
            pair.text.set_format(usize::from(from)..usize::from(to), format(color));
            let range = pair.within(from, to);
            pair.list[range].iter_mut().for_each(|c| c.format = format(color));
        }
        Op::SetDefault(text, color) => {
            let pair = &mut pairs[place(text)];
            pair.text.set_default_format(format(color));
            pair.list.iter_mut().for_each(|c| c.format = c.format.or(format(color)));
        }
        Op::Lower(text) => {
            let pair = &mut pairs[place(text)];
            pair.text.make_lowercase();
            pair.list.iter_mut().for_each(|c| *c = c.to_lowercase());
        }
        Op::Upper(text) => {
            let pair = &mut pairs[place(text)];
            pair.text.make_uppercase();
            pair.list.iter_mut().for_each(|c| *c = c.to_uppercase());
        }
        Op::Trim(text) => {
            let pair = &mut pairs[place(text)];
            pair.text.trim();
            let end = pair
                .list
                .iter()
                .rposition(|c| !c.is_whitespace())
                .map_or(0, |last| last + 1);
            pair.list.truncate(end);
            let start = pair.list.iter().position(|c| !c.is_whitespace()).unwrap_or(0);
            pair.list.drain(..start);
        }
        Op::Simplify(text) => {
            let pair = &mut pairs[place(text)];
            pair.text.simplify();
            let mut simple: Vec<Character> = Vec::new();
            for c in pair.list.drain(..) {
                if !c.is_whitespace() || simple.last().is_some_and(|last| !last.is_whitespace()) {
                    simple.push(c);
                }
            }
            if simple.last().is_some_and(|last| last.is_whitespace()) {
                simple.pop();
            }
            pair.list = simple;
        }
        Op::Clear(text) => {
            let pair = &mut pairs[place(text)];
            pair.text.clear();
            pair.list.clear();
        }
        Op::Replace(text, before, after, how) => {
            let before = copy(pairs, before);
            replace(pairs, place(text), before, after, matching(how));
        }
        Op::ReplacePart(text, from, len, after, how) => {
            let pair = &pairs[place(text)];
            let range = pair.within(from, from.saturating_add(len.into()));
            let before = (pair.text.slice(range.clone()), pair.list[range].to_vec());
            replace(pairs, place(text), before, after, matching(how));
        }
        Op::Find(text, other, from, to, how) => {
            let needle = copy(pairs, other);
            find(&pairs[place(text)], &needle, from, to, matching(how));
        }
        Op::FindPart(text, at, len, from, to, how) => {
            let pair = &pairs[place(text)];
            let range = pair.within(at, at.saturating_add(len.into()));
            let needle = (pair.text.slice(range.clone()), pair.list[range].to_vec());
            find(pair, &needle, from, to, matching(how));
        }
        Op::Compare(text, other, how) => {
            let (pair, other) = (&pairs[place(text)], &pairs[place(other)]);
            let matching = matching(how);
            assert_eq!(
                pair.text.compare(&other.text, matching),
                same(&pair.list, &other.list, matching)
            );
            let codes = |pair: &Pair| pair.list.iter().map(|c| c.code).collect::<Vec<_>>();
            assert_eq!(pair.text.cmp(&other.text), codes(pair).cmp(&codes(other)));
        }
        Op::Split(text, at) => {
            let pair = &pairs[place(text)];
            let Some(separator) = pair.list.get(usize::from(at)) else {
                return;
            };
            let parts = pair.text.split(separator.code);
            let lists = pair.list.split(|c| c.code == separator.code);
            assert!(parts.map(|part| part.characters().collect::<Vec<_>>()).eq(lists));
        }
        Op::Object(text, shared) => {
            let pair = &mut pairs[place(text)];
            let mutable = MutableText::from(&pair.text);
            let other = shared.then(|| mutable.clone());
            let text = mutable.into_text();
            assert_eq!(text.to_string(), pair.list.iter().map(|c| c.code).collect::<String>());
            assert!(other.is_none_or(|other| other.compare(&pair.text, Matching::FORMATTED)));
            pair.text = text.into_mutable_text().read().clone();
        }
        Op::Utf8(text, piece) => {
            let pair = &pairs[place(text)];
            let mut read = BaseText::new();
            let mut decoder = acedia_text::Utf8Decoder::new();
            for piece in pair.text.to_utf8().chunks(usize::from(piece).max(1)) {
                decoder.feed(piece, &mut read).expect("made of characters");
            }
            decoder.finish().expect("made of whole characters");
            assert_eq!(read, pair.text);
        }
    }
}

fn replace(
    pairs: &mut [Pair; TEXTS],
    place: usize,
    (before, wanted): (BaseText, Vec<Character>),
    after: u8,
    matching: Matching,
) {
    let after = &pairs[usize::from(after) % TEXTS];
    let (after, by) = (after.text.slice(..50), after.list[..after.list.len().min(50)].to_vec());
    let pair = &mut pairs[place];
    pair.text.replace(&before, &after, matching);
    let (list, mut rest) = (std::mem::take(&mut pair.list), 0);
    while rest < list.len() {
        let part = list.get(rest..rest + wanted.len());
        if !wanted.is_empty() && part.is_some_and(|part| same(part, &wanted, matching)) {
            pair.list.extend(&by);
            rest += wanted.len();
        } else {
            pair.list.push(list[rest]);
            rest += 1;
        }
    }
}

fn find(pair: &Pair, (needle, wanted): &(BaseText, Vec<Character>), from: u16, to: u16, matching: Matching) {
    let range = pair.within(from, to);
    let found = |at: &usize| {
        let part = pair.list[..range.end].get(*at..*at + wanted.len());
        part.is_some_and(|part| same(part, wanted, matching))
    };
    let exists = usize::from(from) <= range.end;
    let first = (range.start..=range.end).find(found).filter(|_| exists);
    let last = (range.start..=range.end).rev().find(found).filter(|_| exists);
    let asked = usize::from(from)..usize::from(to);
    assert_eq!(pair.text.find(needle, asked.clone(), matching), first);
    assert_eq!(pair.text.rfind(needle, asked, matching), last);
}
