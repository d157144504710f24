//! Pool limits from a configuration file, in the dialect of `AcediaSystem.ini`; [`Config`] describes it.
//!
//! This file has the public types; `line.rs` reads single lines.
//!
//! # Why not an INI library
//!
//! No maintained library reads this dialect. `rust-ini`, `serde_ini` and `light-ini` give no line numbers for values.
//! `configparser` and `tini` keep only the last of repeated keys. The pull parsers that count lines, `ini_core` and
//! `ini-roundtrip`, take an indented section or comment for a property, and know no comments at the end of a line. Such
//! a library would replace only the code that splits the text into lines, so the reader is our own.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::pool::PoolPolicy;

mod line;

use line::{Fault, KEY, Line, SECTION, Section};

/// The largest `maxPoolSize`: the largest `int` of UnrealScript.
const LARGEST: usize = 2_147_483_647;

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
/// | `\n`, `\r\n` or `\r` | the end of a line; a file may mix them |
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
/// assert_eq!(config.policy_of("Game.Fireball"), Some(PoolPolicy::KeepAtMost(500)));
/// assert_eq!(config.policy_of("Game.Smoke"), Some(PoolPolicy::KeepNone));
/// assert_eq!(config.policy_of("Game.Trail"), Some(PoolPolicy::KeepAll));
/// assert_eq!(config.policy_of("Game.Player"), None);
/// # Ok::<(), acedia::ConfigError>(())
/// ```
///
/// Two configurations are equal if their entries are equal, including the line numbers.
///
/// In Acedia, the UnrealScript library: the settings of `AcediaObjectPool` in `AcediaSystem.ini`.
#[doc(alias = "poolSizeOverwrite")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    overrides: Vec<PoolOverride>,
}

/// One limit: the class, its pool's policy, and the line of the file.
///
/// ```
/// use acedia::{Config, PoolPolicy};
///
/// let config: Config = "[AcediaCore.AcediaObjectPool]\n\
///                       poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=500)"
///     .parse()?;
/// let one = &config.overrides()[0];
/// assert_eq!(
///     (one.class.as_str(), one.policy, one.line),
///     ("Game.Fireball", PoolPolicy::KeepAtMost(500), 2)
/// );
/// # Ok::<(), acedia::ConfigError>(())
/// ```
///
/// In Acedia, the UnrealScript library: one entry of `poolSizeOverwrite`.
#[doc(alias = "poolSizeOverwrite")]
#[doc(alias = "objectClass")]
#[doc(alias = "maxPoolSize")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolOverride {
    /// The class's name as it was written, without quotes: `"Package.Name"`, or the name alone.
    pub class: String,
    /// The policy of the class's pool.
    pub policy: PoolPolicy,
    /// The line of the file, counted from 1; 0 for an entry that was made in code.
    pub line: usize,
}

impl Config {
    /// A configuration that changes no class.
    ///
    /// ```
    /// # use acedia::Config;
    /// assert!(Config::new().overrides().is_empty());
    /// ```
    ///
    /// Never panics, allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { overrides: Vec::new() }
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
    /// assert_eq!(config.overrides().len(), 1);
    /// assert_eq!(config.policy_of("Game.Fireball"), Some(PoolPolicy::KeepAtMost(10)));
    ///
    /// let error = Config::from_ini(
    ///     "[AcediaCore.AcediaObjectPool]\n\
    ///      poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=ten)",
    /// )
    /// .unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 58: expected a whole number for `maxPoolSize`, found `ten`"
    /// );
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
        let mut config = Self::new();
        let mut section = Section::Other;
        for (index, content) in lines(text).enumerate() {
            let line = index + 1;
            match line::read(content, section) {
                Ok(Line::Nothing) => {}
                Ok(Line::Section(next)) => section = next,
                Ok(Line::Entry { class, policy }) => config.overrides.push(PoolOverride {
                    class: class.to_owned(),
                    policy,
                    line,
                }),
                Err(fault) => return Err(ConfigError::new(line, content, fault)),
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
    /// let config = Config::new()
    ///     .with("Game.Fireball", PoolPolicy::KeepAtMost(500))
    ///     .with("Game.Fireball", PoolPolicy::KeepNone);
    /// assert_eq!(config.policy_of("Game.Fireball"), Some(PoolPolicy::KeepAtMost(500)));
    /// ```
    ///
    /// Never panics. Costs one push to a `Vec`, and an allocation if `class` is not a `String`.
    #[must_use]
    pub fn with(mut self, class: impl Into<String>, policy: PoolPolicy) -> Self {
        self.overrides.push(PoolOverride {
            class: class.into(),
            policy,
            line: 0,
        });
        self
    }

    /// All entries in their order, including those for repeated classes.
    ///
    /// ```
    /// # use acedia::{Config, PoolPolicy};
    /// let config = Config::new().with("Game.Fireball", PoolPolicy::KeepAll);
    /// for one in config.overrides() {
    ///     println!("{}: {:?}", one.class, one.policy);
    /// }
    /// ```
    ///
    /// Never panics, costs nothing.
    #[must_use]
    pub fn overrides(&self) -> &[PoolOverride] {
        &self.overrides
    }

    /// The policy of the first entry for `class`, if there is one.
    ///
    /// Compares complete names, and ignores ASCII case. So an entry for `Fireball` does not match `Game.Fireball` here.
    /// `configure` has the list of classes, and accepts short names, too.
    ///
    /// ```
    /// # use acedia::{Config, PoolPolicy};
    /// let config = Config::new().with("Game.Fireball", PoolPolicy::KeepAll);
    /// assert_eq!(config.policy_of("game.fireball"), Some(PoolPolicy::KeepAll));
    /// assert_eq!(config.policy_of("Fireball"), None);
    /// ```
    ///
    /// Never panics. Costs one comparison for each entry.
    #[must_use]
    pub fn policy_of(&self, class: &str) -> Option<PoolPolicy> {
        self.overrides
            .iter()
            .find(|one| one.class.eq_ignore_ascii_case(class))
            .map(|one| one.policy)
    }
}

impl fmt::Display for PoolOverride {
    /// The entry as a line of a file: `poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=500)`. Limits above the largest
    /// number of the format are printed as that number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, policy, .. } = self;
        write!(f, "{KEY}=(objectClass={class},maxPoolSize=")?;
        match policy.limit() {
            Some(limit) => write!(f, "{})", limit.min(LARGEST)),
            None => f.write_str("-1)"),
        }
    }
}

impl fmt::Display for Config {
    /// Prints a file that is read as the same limits, in the same order.
    ///
    /// ```
    /// # use acedia::{Config, PoolPolicy};
    /// let config = Config::new().with("Game.Fireball", PoolPolicy::KeepAtMost(500));
    /// assert_eq!(
    ///     config.to_string(),
    ///     "[AcediaCore.AcediaObjectPool]\n\
    ///      poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=500)\n"
    /// );
    /// let read: Config = config.to_string().parse()?;
    /// assert_eq!(read.policy_of("Game.Fireball"), Some(PoolPolicy::KeepAtMost(500)));
    /// # Ok::<(), acedia::ConfigError>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[{SECTION}]")?;
        self.overrides.iter().try_for_each(|one| writeln!(f, "{one}"))
    }
}

impl FromStr for Config {
    type Err = ConfigError;

    /// [`Config::from_ini`], for `text.parse::<Config>()`.
    fn from_str(text: &str) -> Result<Self, ConfigError> {
        Self::from_ini(text)
    }
}

/// A mistake in a configuration file, with its place.
///
/// ```
/// # use acedia::Config;
/// let error =
///     Config::from_ini("[AcediaCore.AcediaObjectPool]\npoolSizeOverwite=()").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 1));
/// assert!(error.to_string().contains("did you mean `poolSizeOverwrite`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    line: usize,
    column: usize,
    message: String,
}

impl ConfigError {
    fn new(line: usize, content: &str, fault: Fault) -> Self {
        Self {
            line,
            column: content[..fault.at].chars().count() + 1,
            message: fault.message,
        }
    }

    /// The line of the text, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The character of the line, counted from 1; one past the end where something is missing there.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// The message without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Error for ConfigError {}

/// The lines of `text` without their ends, which may be `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests;
