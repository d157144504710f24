//! Pool limits from a configuration file, in the dialect of `AcediaSystem.ini`; [`Config`] describes it.
//!
//! No library reads this dialect. `configparser` and `tini` keep only the last of repeated keys. `rust-ini` has no line numbers for values
//! and adds nine crates. `ini_core` and `ini-roundtrip` do not support comments at the end of a line, and contain `unsafe` code. No
//! library parses the value in parentheses, which is most of this file.

use std::error::Error;
use std::fmt;

use crate::near::{near_matches, suggestion};
use crate::pool::PoolPolicy;

const SECTION: &str = "AcediaCore.AcediaObjectPool";
const KEY: &str = "poolSizeOverwrite";
const CLASS_FIELD: &str = "objectClass";
const SIZE_FIELD: &str = "maxPoolSize";
const WANTED: &str = "`poolSizeOverwrite=(objectClass=<class>,maxPoolSize=<number>)`";

/// Limits for the pools of single classes, read from a file or built in code.
///
/// A configuration is a list of class names and policies. It changes nothing until it is passed to `configure`. The names
/// need not belong to any class yet.
///
/// # The file
///
/// ```ini
/// [AcediaCore.AcediaObjectPool]
/// ; at most 500 freed boxes are kept, freed fireballs without limit, freed smoke not at all
/// poolSizeOverwrite=(objectClass=Acedia.IntBox,maxPoolSize=500)
/// poolSizeOverwrite=(objectClass=class'Game.Fireball',maxPoolSize=-1)
/// poolSizeOverwrite=(objectClass="Game.Smoke",maxPoolSize=0)
/// ```
///
/// | In the file | Meaning |
/// |---|---|
/// | `[AcediaCore.AcediaObjectPool]` | the only section that is read; it may appear several times |
/// | any other section, and the lines before the first section | ignored |
/// | `poolSizeOverwrite=(…)` | one limit for one class; the key may repeat, and its two fields may be in either order |
/// | `maxPoolSize` below zero | [`PoolPolicy::KeepAll`] |
/// | `maxPoolSize=0` | [`PoolPolicy::KeepNone`] |
/// | `maxPoolSize` above zero, up to 2147483647 | [`PoolPolicy::KeepAtMost`] that many |
/// | a second entry for a class | kept, but only the first entry applies |
/// | any other key in the section | an error, so that a misspelt limit is not ignored |
/// | `poolSizeOverwrite` in a section with a similar name | an error, for the same reason |
/// | a line `; …` or `# …`, and `; …` after a section or entry | a comment |
/// | `"…"` or `'…'` around a value, class or number | the quotes are removed |
/// | `class'Package.Name'` | the class `Package.Name` |
/// | spaces around any part of a line, and a byte order mark | ignored |
/// | `\n` or `\r\n` | the end of a line; a file may mix them |
///
/// The ASCII case of section, key, field and class names is ignored, as in UnrealScript. In every part of the file, a
/// line that starts with `[` must be a complete section header. With a broken header, the lines below it would count as
/// part of the wrong section.
///
/// # Example
///
/// ```
/// use acedia::{Config, PoolPolicy};
///
/// let config = Config::from_ini(
///     "[AcediaCore.AcediaObjectPool]
///      poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=500) ; enough for one wave
///      poolSizeOverwrite=(objectClass=class'Game.Smoke',maxPoolSize=0)",
/// )?
/// .with("Game.Trail", PoolPolicy::KeepAll);
///
/// assert!(config.iter().eq([
///     ("Game.Fireball", PoolPolicy::KeepAtMost(500)),
///     ("Game.Smoke", PoolPolicy::KeepNone),
///     ("Game.Trail", PoolPolicy::KeepAll),
/// ]));
/// # Ok::<(), acedia::ConfigError>(())
/// ```
///
/// Two configurations are equal if their entries are equal, including the line numbers.
///
/// In Acedia, the UnrealScript library: the settings of `AcediaObjectPool` in `AcediaSystem.ini`.
#[doc(alias = "poolSizeOverwrite")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    entries: Vec<Entry>,
}

/// One limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The class's name as it was written, without quotes: `"Package.Name"`, or the name alone.
    pub(crate) class: String,
    pub(crate) policy: PoolPolicy,
    /// The line of the file, counted from 1; 0 for an entry that was made in code.
    pub(crate) line: usize,
}

impl Config {
    /// A configuration that changes no class.
    ///
    /// ```
    /// # use acedia::Config;
    /// assert_eq!(Config::new().iter().count(), 0);
    /// ```
    ///
    /// Never panics, allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Reads the limits from the text of a configuration file. [`Config`] describes the format.
    ///
    /// A text without the section `[AcediaCore.AcediaObjectPool]` gives an empty configuration. Unreal tools often
    /// write UTF-16; decode such a file first.
    ///
    /// ```
    /// # use acedia::{Config, PoolPolicy};
    /// let config = Config::from_ini(
    ///     "[Engine.GameEngine]\r\n\
    ///      CacheSizeMegs=32\r\n\
    ///      \r\n\
    ///      [AcediaCore.AcediaObjectPool]\r\n\
    ///      ; never more than ten\r\n\
    ///      poolSizeOverwrite = ( maxPoolSize = 10, objectClass = \"Game.Fireball\" )\r\n",
    /// )?;
    /// assert!(config.iter().eq([("Game.Fireball", PoolPolicy::KeepAtMost(10))]));
    ///
    /// let error = Config::from_ini(
    ///     "[AcediaCore.AcediaObjectPool]\n\
    ///      poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=ten)",
    /// )
    /// .unwrap_err();
    /// assert!(error.to_string().starts_with("line 2: expected a whole number"));
    /// # Ok::<(), acedia::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`ConfigError`] for the first mistake: a malformed line of the section (a bracket, comma, quote, field or number
    /// that is missing, unknown, repeated or out of range), a broken section header anywhere, or a limit in a section with a
    /// similar name.
    ///
    /// The class names are not looked up, because a class may appear later.
    ///
    /// # Panics
    ///
    /// Never.
    ///
    /// # Cost
    ///
    /// Linear in the length of the text, and one allocation for each entry.
    #[doc(alias = "poolSizeOverwrite")]
    pub fn from_ini(text: &str) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut config, mut section) = (Self::new(), "");
        for (content, line) in text.lines().map(str::trim).zip(1..) {
            let fault = |message| ConfigError {
                line,
                class: None,
                message,
            };
            if content.is_empty() || content.starts_with([';', '#']) {
                continue;
            }
            if let Some(header) = content.strip_prefix('[') {
                section = section_name(header).map_err(fault)?;
                continue;
            }
            let (key, value) = content.split_once('=').unwrap_or((content, ""));
            let key = key.trim_end();
            let is_key = key.eq_ignore_ascii_case(KEY);
            if section.eq_ignore_ascii_case(SECTION) {
                if !is_key {
                    let near = suggestion(key, [KEY]);
                    return Err(fault(format!(
                        "unknown key `{}`{near}; expected {WANTED}",
                        excerpt(key)
                    )));
                }
                let (class, policy) = entry(value).map_err(fault)?;
                config.entries.push(Entry { class, policy, line });
            } else if is_key && !near_matches(section, [SECTION]).is_empty() {
                return Err(fault(format!(
                    "unexpected `{KEY}` in the section `[{}]` (did you mean `[{SECTION}]`?)",
                    excerpt(section)
                )));
            }
        }
        Ok(config)
    }

    /// The same configuration with one more entry at its end.
    ///
    /// As in a file, the first entry for a class applies. So entries that the program adds after those of a file are
    /// defaults for the classes that the file leaves out.
    ///
    /// ```
    /// # use acedia::{Config, PoolPolicy};
    /// let config = Config::new().with("Game.Fireball", PoolPolicy::KeepAtMost(500));
    /// assert_eq!(config.iter().count(), 1);
    /// ```
    ///
    /// Never panics. Costs one push to a `Vec`, and an allocation if `class` is not a `String`.
    #[must_use]
    #[doc(alias = "set")]
    pub fn with(mut self, class: impl Into<String>, policy: PoolPolicy) -> Self {
        self.entries.push(Entry {
            class: class.into(),
            policy,
            line: 0,
        });
        self
    }

    /// The class name and the policy of each entry, in order, including repeated entries for a class.
    ///
    /// ```
    /// # use acedia::{Config, PoolPolicy};
    /// let config = Config::new().with("Game.Fireball", PoolPolicy::KeepAll);
    /// assert!(config.iter().eq([("Game.Fireball", PoolPolicy::KeepAll)]));
    /// ```
    ///
    /// Never panics, costs nothing.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, PoolPolicy)> {
        self.entries.iter().map(|one| (&*one.class, one.policy))
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// Why a line of a configuration file could not be read, or an entry could not be applied.
///
/// ```
/// # use acedia::Config;
/// let error =
///     Config::from_ini("[AcediaCore.AcediaObjectPool]\npoolSizeOverwite=()").unwrap_err();
/// assert_eq!(error.line(), Some(2));
/// assert!(error.to_string().contains("did you mean `poolSizeOverwrite`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    pub(crate) line: usize,
    pub(crate) class: Option<String>,
    pub(crate) message: String,
}

impl ConfigError {
    /// The line of the text, counted from 1. `None` for an entry that was made in code.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        (self.line > 0).then_some(self.line)
    }

    /// The class name of an entry that was read and could not be applied. `None` for a line that could not be read.
    #[must_use]
    pub fn class(&self) -> Option<&str> {
        self.class.as_deref()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line() {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Error for ConfigError {}

/// The name of the section whose header is `[` and `header`.
fn section_name(header: &str) -> Result<&str, String> {
    let (name, rest) = header
        .split_once(']')
        .ok_or("expected a `]` to close this section header")?;
    let rest = rest.trim_start();
    if rest.is_empty() || rest.starts_with(';') {
        return Ok(name.trim());
    }
    Err(format!(
        "expected nothing but a `;` comment after the section header, found `{}`",
        excerpt(rest)
    ))
}

/// The class and the policy of the value `(objectClass=…,maxPoolSize=…)`, whose fields are in either order.
fn entry(value: &str) -> Result<(String, PoolPolicy), String> {
    // Neither a name nor a number contains a `;`, so the first `;` begins a comment.
    let value = unquoted(value.split(';').next().unwrap_or_default().trim());
    let fields = value.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let fields = fields.ok_or_else(|| format!("expected {WANTED}, found the value `{}`", excerpt(value)))?;
    let (mut class, mut policy) = (None, None);
    for field in fields.split(',') {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let (name, value) = (name.trim(), unquoted(value.trim()));
        let is_second = if name.eq_ignore_ascii_case(CLASS_FIELD) {
            class.replace(class_name(value)?).is_some()
        } else if name.eq_ignore_ascii_case(SIZE_FIELD) {
            policy.replace(pool_policy(value)?).is_some()
        } else {
            let near = suggestion(name, [CLASS_FIELD, SIZE_FIELD]);
            return Err(format!("unknown field `{}`{near}; expected {WANTED}", excerpt(name)));
        };
        if is_second {
            return Err(format!("expected `{name}` only once"));
        }
    }
    match (class, policy) {
        (Some(class), Some(policy)) => Ok((class.to_owned(), policy)),
        (None, _) => Err(format!("missing field `{CLASS_FIELD}`; expected {WANTED}")),
        (_, None) => Err(format!("missing field `{SIZE_FIELD}`; expected {WANTED}")),
    }
}

/// `Package.Name` or `class'Package.Name'`
fn class_name(value: &str) -> Result<&str, String> {
    let word = value.get(..5).filter(|word| word.eq_ignore_ascii_case("class"));
    let quoted = word
        .map(|_| value[5..].trim_start())
        .filter(|rest| rest.starts_with(['"', '\'']));
    let name = quoted.map_or(value, unquoted);
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || "=()\"'`".contains(c);
    if name.contains(is_bad) || name.split('.').any(str::is_empty) || name.eq_ignore_ascii_case("none") {
        return Err(format!(
            "expected the name of a class for `{CLASS_FIELD}`, found `{}`",
            excerpt(value)
        ));
    }
    Ok(name)
}

/// The policy for a 32-bit number.
fn pool_policy(value: &str) -> Result<PoolPolicy, String> {
    let size: i32 = value.parse().map_err(|_| {
        format!(
            "expected a whole number from {} to {} for `{SIZE_FIELD}`, found `{}`",
            i32::MIN,
            i32::MAX,
            excerpt(value)
        )
    })?;
    Ok(PoolPolicy::from_limit(size.into()))
}

/// `text` without the quotes around it, if there are any.
fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\''].into_iter().find_map(inner).map_or(text, str::trim)
}

/// The start of `text`, short enough for an error, without control characters.
fn excerpt(text: &str) -> String {
    let start = text.chars().take(40);
    start.map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests;
