//! Reads markup, from left to right.

use super::gradient::{Gradient, NO_POINT, Stop};
use super::{MarkupError, MarkupErrorKind, special};
use crate::formatting::Runs;
use crate::formatting::palette;
use crate::{Character, Color, Format};

/// What a formatted string says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parsed {
    /// The text itself.
    pub(crate) plain: String,
    /// Its formatting.
    pub(crate) runs: Runs,
    /// What was not understood, by kind, and in order of place within a kind.
    pub(crate) errors: Vec<MarkupError>,
}

/// Reads a formatted string. Linear in it.
pub(crate) fn parse(source: &str) -> Parsed {
    let mut reader = Reader {
        source,
        ..Reader::default()
    };
    reader.read();
    reader.finish()
}

/// What characters get.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Paint {
    Solid(Format),
    /// The gradient of this number.
    Gradient(usize),
}

impl Default for Paint {
    fn default() -> Self {
        Self::Solid(Format::PLAIN)
    }
}

/// A block that is not closed yet.
#[derive(Debug)]
struct Block {
    /// What the outer block goes on with.
    outer: Paint,
    /// The gradient that ends with the block.
    gradient: Option<usize>,
}

/// Reads `source`. `at` is always at a character's boundary.
#[derive(Debug, Default)]
struct Reader<'a> {
    source: &'a str,
    at: usize,
    plain: String,
    /// Of `plain`, in characters.
    len: usize,
    paint: Paint,
    blocks: Vec<Block>,
    gradients: Vec<Gradient>,
    /// Where the paint changes. The colors of a gradient are known when its block ends.
    strokes: Vec<(usize, Paint)>,
    errors: Vec<MarkupError>,
}

impl Reader<'_> {
    fn read(&mut self) {
        loop {
            let rest = &self.source[self.at..];
            self.text(special(rest).unwrap_or(rest.len()));
            let start = self.at;
            match self.next() {
                None => break,
                Some('{') => self.open(start),
                Some('}') => self.close(start),
                Some('^') => self.short_tag(start),
                // `&`: the next character is text, whatever it is
                Some(_) => self.text(self.source[self.at..].chars().next().map_or(0, char::len_utf8)),
            }
        }
    }

    /// Takes the next character.
    fn next(&mut self) -> Option<char> {
        let c = self.source[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes `count` bytes as text.
    fn text(&mut self, count: usize) {
        let text = &self.source[self.at..self.at + count];
        self.at += count;
        if text.is_empty() {
            return;
        }
        if self.strokes.last().map_or(Paint::default(), |stroke| stroke.1) != self.paint {
            self.strokes.push((self.len, self.paint));
        }
        self.plain.push_str(text);
        self.len += text.chars().count();
    }

    /// `{tag `
    fn open(&mut self, start: usize) {
        let tag_at = self.at;
        let rest = &self.source[tag_at..];
        let tag = &rest[..rest.find(is_whitespace).unwrap_or(rest.len())];
        self.at += tag.len();
        self.next();
        if tag.is_empty() {
            self.error(MarkupErrorKind::EmptyTag, start, "");
        }
        let outer = self.paint;
        let (paint, gradient) = self.tag(tag, tag_at);
        self.paint = paint;
        self.blocks.push(Block { outer, gradient });
    }

    /// What a tag asks for, and the gradient that it opens.
    fn tag(&mut self, tag: &str, mut at: usize) -> (Paint, Option<usize>) {
        let solid = |stop: Option<Stop>| (Paint::Solid(stop.map(|stop| stop.color).into()), None);
        if tag.is_empty() {
            return solid(None);
        }
        if !tag.contains(':') {
            return solid(self.stop(tag, at));
        }
        let mut stops = Vec::new();
        for part in tag.split(':') {
            stops.extend(self.stop(part, at));
            at += part.len() + 1;
        }
        if stops.len() < 2 {
            return solid(stops.pop());
        }
        let number = self.gradients.len();
        self.gradients.push(Gradient::new(stops, self.len));
        (Paint::Gradient(number), Some(number))
    }

    /// A color of a tag, and its point. `at` is where `part` stands.
    fn stop(&mut self, part: &str, at: usize) -> Option<Stop> {
        let Ok((color, rest)) = Color::read(part) else {
            self.error(MarkupErrorKind::BadColor, at, part);
            return None;
        };
        let point = self.point(rest, at + part.len() - rest.len());
        Some(Stop { color, point })
    }

    /// The point behind a color: nothing, `[0.3]` or `[30%]`. `at` is where `rest` stands.
    fn point(&mut self, rest: &str, at: usize) -> f64 {
        if rest.is_empty() {
            return NO_POINT;
        }
        let (point, left) = read_point(rest);
        if !left.is_empty() || point.is_none() {
            self.error(MarkupErrorKind::BadPoint, at + rest.len() - left.len(), left);
        }
        point.unwrap_or(NO_POINT)
    }

    /// `}`
    fn close(&mut self, start: usize) {
        match self.blocks.pop() {
            Some(block) => self.leave(&block),
            None => self.error(MarkupErrorKind::UnmatchedBracket, start, ""),
        }
    }

    fn leave(&mut self, block: &Block) {
        self.paint = block.outer;
        if let Some(number) = block.gradient {
            self.gradients[number].close(self.len);
        }
    }

    /// `^x`
    fn short_tag(&mut self, start: usize) {
        let Some(tag) = self.next() else { return };
        match palette::short(tag) {
            Some(color) => self.paint = Paint::Solid(color.into()),
            None => self.error(MarkupErrorKind::BadShortTag, start, &self.source[start..self.at]),
        }
    }

    fn error(&mut self, kind: MarkupErrorKind, offset: usize, cause: &str) {
        let cause = cause.into();
        self.errors.push(MarkupError { kind, offset, cause });
    }

    /// Closes what is still open, and colors the gradients.
    fn finish(mut self) -> Parsed {
        while let Some(block) = self.blocks.pop() {
            self.leave(&block);
        }
        let mut runs = Runs::new();
        let ends = self.strokes.iter().skip(1).map(|stroke| stroke.0).chain([self.len]);
        for (&(start, paint), end) in self.strokes.iter().zip(ends) {
            match paint {
                Paint::Solid(format) => runs.push(start, end - start, format),
                Paint::Gradient(number) => {
                    for (index, color) in (start..end).zip(self.gradients[number].colors(start..end)) {
                        runs.push(index, 1, color.into());
                    }
                }
            }
        }
        self.errors.sort_by_key(MarkupError::kind);
        Parsed {
            plain: self.plain,
            runs,
            errors: self.errors,
        }
    }
}

/// The point at the start of `text`, and what is left at the place where reading stopped.
fn read_point(text: &str) -> (Option<f64>, &str) {
    let Some(number) = text.strip_prefix('[') else {
        return (None, text);
    };
    let end = number
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-')))
        .unwrap_or(number.len());
    let (digits, rest) = number.split_at(end);
    let Ok(point) = digits.parse::<f64>() else {
        return (None, number);
    };
    let (point, rest) = match rest.strip_prefix('%') {
        Some(rest) => (point / 100.0, rest),
        None => (point, rest),
    };
    match rest.strip_prefix(']') {
        Some(rest) => (Some(point), rest),
        None => (None, rest),
    }
}

fn is_whitespace(c: char) -> bool {
    Character::from(c).is_whitespace()
}

#[cfg(test)]
mod tests {
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

    /// What `markup` says: pieces of text with their colors.
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
        // What isn't understood is left out of the colors.
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

    /// Time that isn't linear, or a stack that is the program's, would not come to an end here.
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
}
