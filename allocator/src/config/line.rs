//! Reads one line of a configuration file, from left to right.
//!
//! The result depends on the line and its section only. No step goes back, so the cost is linear in the line's length. Every
//! fault has the byte where it was found.

use std::fmt;

use crate::near::{near_matches, suggestion};
use crate::pool::PoolPolicy;

pub(super) const SECTION: &str = "AcediaCore.AcediaObjectPool";
pub(super) const KEY: &str = "poolSizeOverwrite";
const CLASS_FIELD: &str = "objectClass";
const SIZE_FIELD: &str = "maxPoolSize";
const WANTED: &str = "`poolSizeOverwrite=(objectClass=<class>,maxPoolSize=<number>)`";

/// The meaning of one line.
#[derive(Debug)]
pub(super) enum Line<'a> {
    /// A blank line, a comment, or a line in a section that is not read.
    Nothing,
    /// A section header.
    Section(Section),
    /// A limit for a class.
    Entry { class: &'a str, policy: PoolPolicy },
}

/// How a section is treated.
#[derive(Debug, Clone, Copy)]
pub(super) enum Section {
    /// The section that is read.
    Ours,
    /// Its name or its package is nearly that of [`Ours`](Self::Ours), so a limit in it is a mistake.
    Misspelt,
    /// Any other section, and the lines before the first.
    Other,
}

/// A mistake in a line: its byte, and the message.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

/// Reads `line`, which is in `section`.
pub(super) fn read(line: &str, section: Section) -> Result<Line<'_>, Fault> {
    let mut cursor = Cursor { line, at: 0 };
    cursor.skip_space();
    match cursor.peek() {
        None | Some(';' | '#') => Ok(Line::Nothing),
        Some('[') => cursor.section(),
        Some(_) => match section {
            Section::Ours => cursor.entry(),
            Section::Misspelt => cursor.stray(),
            Section::Other => Ok(Line::Nothing),
        },
    }
}

/// A piece of a line and the byte it starts at.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    at: usize,
}

impl Piece<'_> {
    fn fault(self, message: impl Into<String>) -> Fault {
        Fault {
            at: self.at,
            message: message.into(),
        }
    }
}

/// Reads one line from left to right. `at` is always the boundary of a character.
#[derive(Debug)]
struct Cursor<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// `[name]`
    fn section(mut self) -> Result<Line<'a>, Fault> {
        let start = self.here();
        self.eat('[');
        let name = self.take_until(|c| c == ']').text.trim();
        if !self.eat(']') {
            return Err(start.fault("expected a `]` to close this section header"));
        }
        self.end("the section header")?;
        Ok(Line::Section(if name.eq_ignore_ascii_case(SECTION) {
            Section::Ours
        } else if near_matches(name, [SECTION]).is_empty() {
            Section::Other
        } else {
            Section::Misspelt
        }))
    }

    /// Any line but `poolSizeOverwrite=…`
    fn stray(mut self) -> Result<Line<'a>, Fault> {
        let key = self.take_until(|c| c == '=' || c == ';');
        if key.text.trim_end().eq_ignore_ascii_case(KEY) {
            return Err(key.fault(format!(
                "expected `{KEY}` in the section `[{SECTION}]` only; this section has another name"
            )));
        }
        Ok(Line::Nothing)
    }

    /// `poolSizeOverwrite=(…)`, the value perhaps in quotes
    fn entry(mut self) -> Result<Line<'a>, Fault> {
        let key = self.take_until(|c| c == '=' || c == ';');
        let name = key.text.trim_end();
        if name.is_empty() {
            return Err(key.fault(format!("expected {WANTED}, found no key before the `=`")));
        }
        if !name.eq_ignore_ascii_case(KEY) {
            return Err(key.fault(format!(
                "unknown key `{}`{}; expected {WANTED}",
                excerpt(name),
                suggestion(name, [KEY]),
            )));
        }
        self.expect('=', format_args!("after the key"))?;
        self.skip_space();
        let open = self.here();
        let quote = self.eat_quote();
        self.skip_space();
        self.expect('(', format_args!("to open the value"))?;
        let (class, policy) = self.fields()?;
        if let Some(quote) = quote {
            self.skip_space();
            if !self.eat(quote) {
                return Err(open.fault(format!("expected a second `{quote}` after the `)` to close this one")));
            }
        }
        self.end("the value")?;
        Ok(Line::Entry { class, policy })
    }

    /// `objectClass=…,maxPoolSize=…)` in either order
    fn fields(&mut self) -> Result<(&'a str, PoolPolicy), Fault> {
        let mut class = None;
        let mut policy = None;
        loop {
            self.skip_space();
            let field = self.take_until(|c| c.is_whitespace() || "=,();\"'".contains(c));
            let is_class = field.text.eq_ignore_ascii_case(CLASS_FIELD);
            let is_size = field.text.eq_ignore_ascii_case(SIZE_FIELD);
            if !is_class && !is_size {
                return Err(unknown_field(field, &self.found()));
            }
            if (is_class && class.is_some()) || (is_size && policy.is_some()) {
                return Err(field.fault(format!("expected `{}` only once", field.text)));
            }
            self.skip_space();
            self.expect('=', format_args!("after `{}`", field.text))?;
            let value = self.scalar(field.text)?;
            if is_class {
                class = Some(class_name(value)?);
            } else {
                policy = Some(pool_policy(value)?);
            }
            self.skip_space();
            let end = self.here();
            if self.eat(',') {
                continue;
            }
            if !self.eat(')') {
                return Err(end.fault(format!("expected `,` or `)`, found {}", self.found())));
            }
            return match (class, policy) {
                (Some(class), Some(policy)) => Ok((class, policy)),
                (None, _) => Err(end.fault("expected `,objectClass=<class>` before this `)`")),
                (_, None) => Err(end.fault("expected `,maxPoolSize=<number>` before this `)`")),
            };
        }
    }

    /// The raw text of a field's value: up to a `,`, `)`, `;` or a space outside quotes. A quoted part may follow a bare word,
    /// as in `class 'Package.Name'`.
    fn scalar(&mut self, field: &str) -> Result<Piece<'a>, Fault> {
        self.skip_space();
        let start = self.at;
        let word = self.take_until(|c| c.is_whitespace() || "=,();\"'".contains(c));
        let behind_word = self.at;
        self.skip_space();
        let open = self.here();
        let Some(quote) = self.eat_quote() else {
            if word.text.is_empty() {
                let found = self.found();
                return Err(open.fault(format!("expected a value for `{field}`, found {found}")));
            }
            self.at = behind_word;
            return Ok(word);
        };
        self.take_until(|c| c == quote);
        // Quotes of the other kind may be inside: "class'Package.Name'".
        if !self.eat(quote) {
            return Err(open.fault(format!("expected a second `{quote}` to close this one")));
        }
        Ok(Piece {
            text: &self.line[start..self.at],
            at: start,
        })
    }

    /// Refuses a rest that is more than space and a comment.
    fn end(&mut self, behind: &str) -> Result<(), Fault> {
        self.skip_space();
        match self.peek() {
            None | Some(';') => Ok(()),
            Some(_) => Err(self.here().fault(format!(
                "expected the end of the line or a `;` comment after {behind}, found {}",
                self.found()
            ))),
        }
    }

    fn expect(&mut self, wanted: char, place: fmt::Arguments<'_>) -> Result<(), Fault> {
        if self.eat(wanted) {
            return Ok(());
        }
        Err(self.here().fault(format!(
            "expected `{wanted}` {place}, found {}; an entry is {WANTED}",
            self.found()
        )))
    }

    /// The rest of the line, for an error.
    fn found(&self) -> String {
        match self.peek() {
            None => "the end of the line".to_owned(),
            Some(_) => format!("`{}`", excerpt(self.rest())),
        }
    }

    fn here(&self) -> Piece<'a> {
        Piece { text: "", at: self.at }
    }

    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn eat_quote(&mut self) -> Option<char> {
        ['"', '\''].into_iter().find(|&quote| self.eat(quote))
    }

    fn skip_space(&mut self) {
        self.take_until(|c| !c.is_whitespace());
    }

    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> Piece<'a> {
        let at = self.at;
        let rest = self.rest();
        let text = &rest[..rest.find(stop).unwrap_or(rest.len())];
        self.at += text.len();
        Piece { text, at }
    }
}

fn unknown_field(field: Piece<'_>, found: &str) -> Fault {
    const EXPECTED: &str = "`objectClass=<class>` or `maxPoolSize=<number>`";
    if field.text.is_empty() {
        return field.fault(format!("expected {EXPECTED}, found {found}"));
    }
    field.fault(format!(
        "unknown field `{}`{}; expected {EXPECTED}",
        excerpt(field.text),
        suggestion(field.text, [CLASS_FIELD, SIZE_FIELD]),
    ))
}

/// `text` without the quotes around it, if there are any.
fn unquoted(text: &str) -> Option<&str> {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
        .map(str::trim)
}

/// `Package.Name`, `"Package.Name"`, `class'Package.Name'` or `"class'Package.Name'"`
fn class_name(value: Piece<'_>) -> Result<&str, Fault> {
    let mut name = unquoted(value.text).unwrap_or(value.text);
    if let Some((word, rest)) = split_word(name) {
        if let Some(inner) = unquoted(rest.trim_start()) {
            if !word.eq_ignore_ascii_case("class") {
                return Err(value.fault(format!(
                    "expected `class'Package.Name'`, found a reference to `{}`",
                    excerpt(word)
                )));
            }
            name = inner;
        }
    }
    if name.is_empty() {
        return Err(value.fault("expected the name of a class for `objectClass`, found none"));
    }
    if name.eq_ignore_ascii_case("none") {
        return Err(value.fault("expected the name of a class for `objectClass`; `None` is not a class"));
    }
    if let Some(bad) = name
        .chars()
        .find(|&c| c.is_whitespace() || c.is_control() || "=,();\"'`".contains(c))
    {
        return Err(value.fault(format!(
            "expected the name of a class for `objectClass`, found `{}`, which contains {bad:?}",
            excerpt(name)
        )));
    }
    if name.split('.').any(str::is_empty) {
        return Err(value.fault(format!(
            "expected `Package.Name` for `objectClass`, found `{}`, which has an empty part",
            excerpt(name)
        )));
    }
    Ok(name)
}

/// The word before the first quote or space, and the text behind it.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| c.is_whitespace() || c == '"' || c == '\'')?;
    (end > 0).then(|| text.split_at(end))
}

/// The policy for a 32-bit number.
fn pool_policy(value: Piece<'_>) -> Result<PoolPolicy, Fault> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};

    let text = unquoted(value.text).unwrap_or(value.text);
    match text.parse::<i32>() {
        Ok(..=-1) => Ok(PoolPolicy::KeepAll),
        Ok(0) => Ok(PoolPolicy::KeepNone),
        Ok(size) => Ok(PoolPolicy::KeepAtMost(usize::try_from(size).unwrap_or(usize::MAX))),
        Err(error) if matches!(error.kind(), NegOverflow | PosOverflow) => Err(value.fault(format!(
            "expected a number from {} to {} for `maxPoolSize`, found `{}`",
            i32::MIN,
            i32::MAX,
            excerpt(text)
        ))),
        Err(_) if text.is_empty() => Err(value.fault("expected a whole number for `maxPoolSize`, found none")),
        Err(_) => Err(value.fault(format!(
            "expected a whole number for `maxPoolSize`, found `{}`",
            excerpt(text)
        ))),
    }
}

/// The start of `text`, short enough for an error, with control characters escaped.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            '"' | '\'' | '\\' => short.push(c),
            _ => short.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests;
