//! Formatted strings, and a naive model that says which color each character of them has.
//!
//! The model builds the tree of the blocks, by recursion, and then asks each block for its characters. It shares
//! nothing with the reader of the crate but the notations of colors, which it tries on every part of a tag. The fuzz target `text`
//! takes this file in, too.

use std::iter::Peekable;
use std::str::Chars;

use acedia_text::{BaseText, Character, Color, Format, MarkupErrorKind, Matching, Template, markup_errors};
use arbitrary::Arbitrary;

/// A piece of a formatted string.
#[derive(Arbitrary, Clone, Debug)]
#[allow(missing_docs, reason = "named after what they write")]
pub enum Token {
    Open(Vec<Stop>),
    OpenRaw(String),
    Close,
    Short(char),
    Escape(char),
    Text(String),
    Space(u8),
    Plain(u8),
}

/// A color of a tag.
#[derive(Arbitrary, Clone, Debug)]
pub struct Stop {
    color: Notation,
    point: Point,
}

#[derive(Arbitrary, Clone, Debug)]
enum Notation {
    Rgb(u8, u8, u8),
    Rgba(u8, u8, u8, u8),
    Named(u8, u8, u8),
    Bare(u8, u8, u16),
    Hexadecimal(u8, u8, u8),
    Alias(u8),
    Raw(String),
}

#[derive(Arbitrary, Clone, Debug)]
enum Point {
    None,
    Percent(i16),
    Thousandth(i16),
    Raw(String),
}

/// Writes the tokens, and checks how the crate reads them.
///
/// # Panics
///
/// As [`check`].
pub fn run(tokens: &[Token]) {
    check(&tokens.iter().map(write).collect::<String>());
}

/// Checks how the crate reads a formatted string.
///
/// # Panics
///
/// If the crate and the model disagree.
pub fn check(markup: &str) {
    let text = BaseText::from_markup(markup);
    let mut tree = Tree::default();
    tree.read(&mut markup.chars().peekable(), 0);
    let expected = tree.characters();
    assert!(
        text.characters().eq(expected.iter().copied()),
        "{markup:?}: {text:?}, {expected:?}"
    );

    let errors = markup_errors(markup);
    match BaseText::try_from_markup(markup) {
        Ok(read) => assert!(errors.is_empty() && read.compare(&text, Matching::FORMATTED)),
        Err(error) => {
            assert!(!errors.is_empty() && error.errors() == errors);
            assert!(error.into_text().compare(&text, Matching::FORMATTED));
        }
    }
    assert!(
        errors.is_sorted_by_key(|error| (error.kind(), error.offset())),
        "{errors:?}"
    );
    for error in &errors {
        assert!(markup[error.offset()..].starts_with(error.cause()), "{error:?}");
        assert!(!error.to_string().is_empty());
    }
    let count = |kind| errors.iter().filter(|error| error.kind() == kind).count();
    assert_eq!(count(MarkupErrorKind::UnmatchedBracket), tree.unmatched);
    assert_eq!(count(MarkupErrorKind::EmptyTag), tree.empty);

    let normal = text.to_markup(..);
    assert_eq!(markup_errors(&normal), []);
    let again = BaseText::from_markup(&normal);
    assert!(again.compare(&text, Matching::FORMATTED), "{markup:?}: {normal:?}");
    assert_eq!(again.to_markup(..), normal);
    // No objects here: the objects that pools keep look like leaks when the fuzzer ends.
    let argument = BaseText::from_markup(&Template::new("%1").arg(&text).to_string());
    assert!(argument.compare(&text, Matching::FORMATTED), "{markup:?}");

    check_colored(&text);
}

/// A colored string returns all that it can hold: opaque colors without the channels 0 and 10.
fn check_colored(text: &BaseText) {
    let default = Color::rgb(7, 8, 9);
    let channel = |value| if matches!(value, 0 | 10) { value + 1 } else { value };
    let expected = text
        .characters()
        .filter(|character| character.code != '\u{1b}')
        .map(|character| {
            let Color { red, green, blue, .. } = character.color().unwrap_or(default);
            let color = Color::rgb(channel(red), channel(green), channel(blue));
            character.with_format(color.into())
        });
    let colored = text.to_colored(.., default);
    assert!(
        BaseText::from_colored(&colored).characters().eq(expected),
        "{colored:?}"
    );
}

fn write(token: &Token) -> String {
    match token {
        Token::Open(stops) => {
            let tag: Vec<_> = stops.iter().map(write_stop).collect();
            format!("{{{} ", tag.join(":"))
        }
        Token::OpenRaw(tag) => format!("{{{tag} "),
        Token::Close => "}".into(),
        Token::Short(tag) => format!("^{tag}"),
        Token::Escape(c) => format!("&{c}"),
        Token::Text(text) => text.clone(),
        Token::Space(space) => ["\t", "\n", "\u{3000}", " "][usize::from(space % 4)].into(),
        Token::Plain(count) => "é".repeat(usize::from(*count)),
    }
}

fn write_stop(Stop { color, point }: &Stop) -> String {
    const ALIASES: [&str; 5] = ["$red", "$LimeGreen", "$none", "$rebeccapurple", "$"];
    let color = match color {
        Notation::Rgb(r, g, b) => format!("rgb({r},{g},{b})"),
        Notation::Rgba(r, g, b, a) => format!("rgba({r},{g},{b},{a})"),
        Notation::Named(r, g, b) => format!("rgb(r={r},g={g},b={b})"),
        Notation::Bare(r, g, b) => format!("{r},{g},{b}"),
        Notation::Hexadecimal(r, g, b) => format!("#{r:02x}{g:02X}{b:02x}"),
        Notation::Alias(choice) => ALIASES[usize::from(*choice) % ALIASES.len()].into(),
        Notation::Raw(raw) => raw.clone(),
    };
    color
        + &match point {
            Point::None => String::new(),
            Point::Percent(value) => format!("[{}%]", value % 120),
            Point::Thousandth(value) => format!("[{}]", f64::from(*value % 1200) / 1000.0),
            Point::Raw(raw) => raw.clone(),
        }
}

/// A part of a block.
enum Node {
    Char(char),
    Short(Color),
    Block(Vec<Node>, Vec<(Color, f64)>),
}

/// A formatted string as a tree.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    unmatched: usize,
    empty: usize,
}

impl Tree {
    fn read(&mut self, chars: &mut Peekable<Chars<'_>>, depth: usize) {
        let mut outer = std::mem::take(&mut self.nodes);
        while let Some(c) = chars.next() {
            match c {
                '{' => {
                    let mut tag = String::new();
                    for c in chars.by_ref() {
                        if Character::from(c).is_whitespace() {
                            break;
                        }
                        tag.push(c);
                    }
                    self.empty += usize::from(tag.is_empty());
                    let colors = colors(&tag);
                    self.read(chars, depth + 1);
                    outer.push(Node::Block(std::mem::take(&mut self.nodes), colors));
                }
                '}' if depth > 0 => break,
                '}' => self.unmatched += 1,
                '^' => outer.extend(chars.next().and_then(short).map(Node::Short)),
                '&' => outer.extend(chars.next().map(Node::Char)),
                _ => outer.push(Node::Char(c)),
            }
        }
        self.nodes = outer;
    }

    fn characters(&self) -> Vec<Character> {
        let mut characters = Vec::new();
        paint(&self.nodes, &[], &mut characters);
        characters
    }
}

/// Adds the characters of a block to `out`.
fn paint(nodes: &[Node], colors: &[(Color, f64)], out: &mut Vec<Character>) {
    let steps = number(count(nodes).saturating_sub(1).max(1));
    let start = out.len();
    let mut switched = None;
    for node in nodes {
        match node {
            Node::Char(c) => {
                let place = number(out.len() - start) / steps;
                let color = switched.or_else(|| at(colors, place));
                out.push(Character::new(*c, Format::from(color)));
            }
            Node::Short(color) => switched = Some(*color),
            Node::Block(nodes, colors) => paint(nodes, colors, out),
        }
    }
}

fn count(nodes: &[Node]) -> usize {
    let each = nodes.iter().map(|node| match node {
        Node::Char(_) => 1,
        Node::Short(_) => 0,
        Node::Block(nodes, _) => count(nodes),
    });
    each.sum()
}

/// The color at a place from 0 to 1.
fn at(colors: &[(Color, f64)], place: f64) -> Option<Color> {
    let after = colors.iter().position(|(_, point)| *point > place);
    let (Some(after), true) = (after, colors.len() > 1) else {
        return colors.last().map(|(color, _)| *color);
    };
    let ((from, low), (to, high)) = (colors[after - 1], colors[after]);
    let share = (place - low) / (high - low);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between two bytes"
    )]
    let channel = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share + 0.5).floor() as u8;
    Some(Color {
        red: channel(from.red, to.red),
        green: channel(from.green, to.green),
        blue: channel(from.blue, to.blue),
        alpha: channel(from.alpha, to.alpha),
    })
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("the fuzzer's inputs are short"))
}

/// The colors of a tag, with their points.
fn colors(tag: &str) -> Vec<(Color, f64)> {
    let mut colors: Vec<(Color, Option<f64>)> = tag.split(':').filter_map(color).collect();
    if let [first, inner @ .., last] = &mut *colors {
        (first.1, last.1) = (Some(0.0), Some(1.0));
        let mut low = 0.0;
        for (_, point) in inner {
            *point = point.filter(|point| *point > low && *point <= 1.0);
            low = point.unwrap_or(low);
        }
    }
    let known = |index: &usize| colors[*index].1.is_some();
    let spread = |index| {
        let before = (0..=index).rev().find(known)?;
        let after = (index..colors.len()).find(known)?;
        let (low, high) = (colors[before].1?, colors[after].1?);
        let step = (high - low) / number((after - before).max(1));
        Some(low + step * number(index - before))
    };
    let each = (0..colors.len()).map(|index| (colors[index].0, spread(index).unwrap_or(0.0)));
    each.collect()
}

/// The color at the start of a part of a tag, and its point.
fn color(part: &str) -> Option<(Color, Option<f64>)> {
    let ends = || (0..=part.len()).rev().filter(|end| part.is_char_boundary(*end));
    let end = if let Some(alias) = part.strip_prefix('$') {
        1 + alias.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(alias.len())
    } else {
        ends().find(|end| part[..*end].parse::<Color>().is_ok())?
    };
    let (color, rest) = part.split_at(end);
    Some((color.parse().ok()?, point(rest)))
}

/// The point at the start of `rest`.
fn point(rest: &str) -> Option<f64> {
    let (number, _) = rest.strip_prefix('[')?.split_once(']')?;
    let digits = number.strip_suffix('%').unwrap_or(number);
    let is_number = |c: char| c.is_ascii_digit() || "+-.".contains(c);
    let value: f64 = digits.chars().all(is_number).then(|| digits.parse().ok())??;
    Some(if digits.len() < number.len() {
        value / 100.0
    } else {
        value
    })
}

fn short(tag: char) -> Option<Color> {
    let colors = [
        ("0", "#000000"),
        ("1r", "#ff0000"),
        ("2g", "#00ff00"),
        ("3y", "#ffff00"),
        ("4b", "#0000ff"),
        ("5c", "#00ffff"),
        ("6p", "#ff00ff"),
        ("7w", "#ffffff"),
        ("8", "#ff7f00"),
        ("9", "#808080"),
        ("o", "#ffa500"),
    ];
    let (_, color) = colors.into_iter().find(|(tags, _)| tags.contains(tag))?;
    color.parse().ok()
}
