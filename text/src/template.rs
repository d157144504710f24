//! [`Template`]: a text with places for arguments.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::iter::once;

use acedia::Owned;

use crate::Text;
use crate::content::{Content, Piece};
use crate::formatting::markup;
use crate::hash::Keyed;

/// A text with places for arguments.
///
/// ```
/// use acedia_text::{BaseText, Template};
///
/// let mut template = Template::new("%1 was {$red killed} by %2 with %%weapon%%. Poor %1!");
/// template
///     .arg("Bob")
///     .arg("{Alice}")
///     .arg("Rob")
///     .text_arg("weapon", BaseText::from_markup("{$lime acid}"));
///
/// let text = template.collect_formatted();
/// assert_eq!(text.to_string(), "Bob was killed by Rob with acid. Poor {Alice}!");
/// assert_eq!(text.to_markup(27..31), "{rgb(0,255,0) acid}");
/// assert_eq!(template.numeric_args(), 3);
/// template.reset().plain_arg("Eve").plain_text_arg("weapon", "words");
/// assert_eq!(
///     template.collect().to_string(),
///     "Eve was {$red killed} by  with words. Poor !"
/// );
/// ```
///
/// | Notation | Meaning |
/// |---|---|
/// | `%1`, `%-5` | a place with a number; successive calls of [`arg`](Self::arg) fill such places in the order of their numbers, and places with equal numbers from left to right |
/// | `%%name%%`, `%%name%` | a place with a name: [`text_arg`](Self::text_arg) fills all places of that name |
/// | `&%` | a percent sign |
///
/// Any other `%` is dropped, and `&` before another character is unchanged. A place without an argument is empty. The rest
/// of the text may contain markup for [`collect_formatted`](Self::collect_formatted).
///
/// Unlike Acedia's template, this is a plain value and not an object.
///
/// # Cost
///
/// Reading and filling a template are linear in its text and the arguments.
#[doc(alias("TextTemplate", "MakeTemplate", "MakeTemplate_S"))]
#[derive(Clone, Default)]
pub struct Template {
    /// The text around the places.
    fixed: String,
    /// The places, in order.
    places: Vec<Place>,
    /// One for each place with a number, in the order of the numbers, then one for each name.
    arguments: Vec<String>,
    /// The number of places with a number.
    numeric: usize,
    /// How many of these are filled.
    filled: usize,
    /// The names, each with its index in the order of first places.
    names: HashMap<Box<str>, usize, Keyed>,
}

/// A place in a template: the length of `fixed` before it, and the index of its argument.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: usize,
    argument: usize,
}

impl Template {
    /// Reads a template. Ignores the formats of a text, and keeps markup in it.
    #[must_use]
    pub fn new(template: impl Content) -> Self {
        let mut reader = Reader::default();
        reader.read(&plain(&template));
        reader.finish()
    }

    /// Fills the next numbered place. Keeps the formats of `argument`, and treats nothing in it as markup.
    ///
    /// If there is no such place, nothing happens.
    #[doc(alias = "Arg")]
    pub fn arg(&mut self, argument: impl Content) -> &mut Self {
        self.next(formatted(&argument))
    }

    /// Like [`arg`](Self::arg), but ignores the formats of `argument` and keeps markup in it.
    pub fn plain_arg(&mut self, argument: impl Content) -> &mut Self {
        self.next(plain(&argument))
    }

    /// Fills all places of this name, and replaces an earlier argument. Keeps the formats of `argument`, and treats nothing
    /// in it as markup.
    ///
    /// If there is no such place, nothing happens.
    #[doc(alias = "TextArg")]
    pub fn text_arg(&mut self, name: &str, argument: impl Content) -> &mut Self {
        self.named(name, || formatted(&argument))
    }

    /// Like [`text_arg`](Self::text_arg), but ignores the formats of `argument` and keeps markup in it.
    pub fn plain_text_arg(&mut self, name: &str, argument: impl Content) -> &mut Self {
        self.named(name, || plain(&argument))
    }

    /// Empties all places.
    #[doc(alias = "Reset")]
    pub fn reset(&mut self) -> &mut Self {
        self.arguments.iter_mut().for_each(String::clear);
        self.filled = 0;
        self
    }

    /// The number of places with a number.
    #[must_use]
    #[doc(alias = "GetNumericArgsAmount")]
    pub fn numeric_args(&self) -> usize {
        self.numeric
    }

    /// The names of places, without repetitions, in the order of their first places.
    ///
    /// ```
    /// use acedia_text::Template;
    ///
    /// let template = Template::new("%%b%% %%a%% %%b%% %1");
    /// assert!(template.text_args().eq(["b", "a"]));
    /// ```
    #[must_use]
    #[doc(alias = "GetTextArgs")]
    pub fn text_args(&self) -> impl ExactSizeIterator<Item = &str> {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_unstable_by_key(|(_, number)| **number);
        names.into_iter().map(|(name, _)| &**name)
    }

    /// The filled template as a plain text. `&` and markup are unchanged, including the markup of arguments.
    ///
    /// [`to_string`](ToString) returns the same text as a string.
    #[doc(alias("Collect", "CollectM"))]
    pub fn collect(&self) -> Owned<Text> {
        Text::new(self.to_string())
    }

    /// The filled template, with its markup parsed.
    #[doc(alias("CollectFormatted", "CollectFormattedM"))]
    pub fn collect_formatted(&self) -> Owned<Text> {
        Text::from_markup(&self.to_string())
    }

    fn next(&mut self, argument: String) -> &mut Self {
        if self.filled < self.numeric {
            self.arguments[self.filled] = argument;
            self.filled += 1;
        }
        self
    }

    fn named(&mut self, name: &str, argument: impl FnOnce() -> String) -> &mut Self {
        if let Some(&index) = self.names.get(name) {
            self.arguments[self.numeric + index] = argument();
        }
        self
    }
}

impl fmt::Display for Template {
    /// Prints the filled template. `&` and markup are unchanged, including the markup of arguments.
    #[doc(alias = "Collect_S")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = 0;
        for place in &self.places {
            f.write_str(&self.fixed[written..place.at])?;
            f.write_str(&self.arguments[place.argument])?;
            written = place.at;
        }
        f.write_str(&self.fixed[written..])
    }
}

impl fmt::Debug for Template {
    /// Prints the text so far, and the number of filled numbered places: `Template("…", 1 of 2 filled)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, filled, numeric) = (self.to_string(), self.filled, self.numeric);
        write!(f, "Template({text:?}, {filled} of {numeric} filled)")
    }
}

/// A template that is being read.
#[derive(Debug, Default)]
struct Reader {
    template: Template,
    /// The places with numbers: the number and the index of the place.
    numbers: Vec<(i64, usize)>,
}

impl Reader {
    fn read(&mut self, mut rest: &str) {
        while let Some(special) = rest.find(['%', '&']) {
            self.template.fixed.push_str(&rest[..special]);
            rest = &rest[special..];
            rest = if let Some(after) = rest.strip_prefix("&%") {
                self.template.fixed.push('%');
                after
            } else if let Some(after) = rest.strip_prefix('&') {
                // Both characters stay. The second may be a `&` too.
                let next = after.chars().next().map_or(0, char::len_utf8);
                self.template.fixed.push_str(&rest[..=next]);
                &after[next..]
            } else if let Some(after) = rest.strip_prefix("%%") {
                let (name, after) = after.split_once('%').unwrap_or((after, ""));
                self.name(name);
                after.strip_prefix('%').unwrap_or(after)
            } else {
                self.number(&rest[1..])
            };
        }
        self.template.fixed.push_str(rest);
    }

    /// Adds a place with this name.
    fn name(&mut self, name: &str) {
        let template = &mut self.template;
        let next = template.names.len();
        let index = *template.names.entry(name.into()).or_insert(next);
        self.place(index);
    }

    /// Adds a place with a number, if there is one, and returns the text after it.
    fn number<'a>(&mut self, text: &'a str) -> &'a str {
        let sign = usize::from(text.starts_with(['+', '-']));
        let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return text;
        }
        let (number, rest) = text.split_at(sign + digits);
        let limit = if number.starts_with('-') { i64::MIN } else { i64::MAX };
        self.numbers
            .push((number.parse().unwrap_or(limit), self.template.places.len()));
        self.place(0);
        rest
    }

    fn place(&mut self, argument: usize) {
        let at = self.template.fixed.len();
        self.template.places.push(Place { at, argument });
    }

    /// Gives every place its argument.
    fn finish(mut self) -> Template {
        let mut template = self.template;
        template.numeric = self.numbers.len();
        template.arguments = vec![String::new(); template.numeric + template.names.len()];
        for place in &mut template.places {
            place.argument += template.numeric;
        }
        self.numbers.sort_unstable();
        for (argument, (_, place)) in self.numbers.into_iter().enumerate() {
            template.places[place].argument = argument;
        }
        template
    }
}

/// A content as a string without formats.
fn plain(content: &impl Content) -> String {
    content.piece().with(|text, _| text.to_owned())
}

/// A content as markup.
fn formatted(content: &impl Content) -> String {
    match content.piece() {
        Piece::Text(text) => text.to_markup(..),
        piece => piece.with(|text, runs| markup::write(once((text, runs.at(0))))),
    }
}
