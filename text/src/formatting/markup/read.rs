//! Reads markup from left to right.

#[cfg(test)]
mod tests;

use super::gradient::{Gradient, NO_POINT, Stop};
use super::special::special;
use super::{MarkupError, MarkupErrorKind};
use crate::formatting::Runs;
use crate::formatting::palette;
use crate::{Character, Color, Format};

/// The errors in a string with markup, sorted by kind and then by position.
///
/// ```
/// use acedia_text::{MarkupErrorKind, markup_errors};
///
/// assert!(markup_errors("{$red R}ainbow &} ^gGreen").is_empty());
///
/// let errors = markup_errors("{$octarine Magic}}");
/// assert_eq!(errors[0].kind(), MarkupErrorKind::UnmatchedBracket);
/// assert_eq!(errors[0].offset(), 17);
/// assert_eq!(errors[1].to_string(), "byte 1: `$octarine` is not a color");
/// ```
///
/// # Markup
///
/// | Markup | Meaning |
/// |---|---|
/// | `{tag content}` | a block in the color of its tag; the first whitespace ends the tag and is dropped; blocks nest |
/// | `}` | ends the innermost block |
/// | `{a:b:c content}` | a gradient over the block, through the colors a, b and c |
/// | `{a:b[0.3]:c content}` | a gradient with the inner color b at 0.3 of the block; `[30%]` means the same |
/// | `^x` | the short color x, from here to the end of the block |
/// | `&x` | the character x itself |
///
/// A color is written in any of its [notations](crate::Color#notations): `{$red fire}`, `{#ff0000 fire}`. The short
/// colors are
///
/// | Short | Color | Short | Color | Short | Color |
/// |---|---|---|---|---|---|
/// | `^0` | black | `^4` `^b` | blue | `^8` | 255,127,0 |
/// | `^1` `^r` | red | `^5` `^c` | cyan | `^9` | gray |
/// | `^2` `^g` | 0,255,0 | `^6` `^p` | magenta | `^o` | orange |
/// | `^3` `^y` | yellow | `^7` `^w` | white | | |
///
/// A block with an empty tag or a malformed color is plain. The first character of a block has the first color of its gradient,
/// and the last character the last color. Characters of inner blocks count, too. Inner points must ascend, and be above 0 and
/// at most 1. Invalid and missing points are spread evenly between their neighbors. A block that is not closed ends with the
/// string, without an error.
///
/// # Cost
///
/// Linear in the string, at any depth of blocks.
#[must_use]
pub fn markup_errors(markup: &str) -> Vec<MarkupError> {
    parse(markup).errors
}

/// The text, formatting and errors of a string with markup.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parsed {
    pub(crate) plain: String,
    pub(crate) runs: Runs,
    /// The errors, sorted by kind, and by place within a kind.
    pub(crate) errors: Vec<MarkupError>,
}

/// Reads a string with markup, in linear time.
pub(crate) fn parse(source: &str) -> Parsed {
    let mut reader = Reader {
        source,
        ..Reader::default()
    };
    reader.read();
    reader.finish()
}

/// The format of characters, or the gradient that colors them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Paint {
    Solid(Format),
    /// The gradient at this index.
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
    /// The paint of the outer block, which continues after this one.
    outer: Paint,
    /// The gradient that ends with the block.
    gradient: Option<usize>,
}

/// Reads `source`. `at` is always on a character boundary.
#[derive(Debug, Default)]
struct Reader<'a> {
    source: &'a str,
    at: usize,
    plain: String,
    /// The length of `plain` in characters.
    len: usize,
    paint: Paint,
    blocks: Vec<Block>,
    gradients: Vec<Gradient>,
    /// The places where the paint changes. The colors of a gradient are known only when its block ends.
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
                // `&`: the next character is text.
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

    /// The paint of a tag, and the gradient that it opens.
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

    /// A color of a tag, and its point. `at` is the position of `part`.
    fn stop(&mut self, part: &str, at: usize) -> Option<Stop> {
        let Ok((color, rest)) = Color::read(part) else {
            self.error(MarkupErrorKind::BadColor, at, part);
            return None;
        };
        let point = self.point(rest, at + part.len() - rest.len());
        Some(Stop { color, point })
    }

    /// The point after a color: nothing, `[0.3]` or `[30%]`. `at` is the position of `rest`.
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
            Some([red, green, blue]) => self.paint = Paint::Solid(Color::rgb(red, green, blue).into()),
            None => self.error(MarkupErrorKind::BadShortTag, start, &self.source[start..self.at]),
        }
    }

    fn error(&mut self, kind: MarkupErrorKind, offset: usize, cause: &str) {
        let cause = cause.into();
        self.errors.push(MarkupError { kind, offset, cause });
    }

    /// Closes the open blocks, and colors the gradients.
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

/// The point at the start of `text`, and the rest from the end of the point or from the error on.
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
