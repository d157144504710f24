//! [`Command`]: what a line asks for.

use std::str::FromStr;
use std::time::Duration;

/// The request in a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command<'a> {
    /// `put KEY VALUE`
    Put(&'a str, &'a str),
    /// `get KEY`
    Get(&'a str),
    /// `drop KEY`
    Drop(&'a str),
    /// `later MILLISECONDS WORDS`
    Later(Duration, &'a str),
    /// `quit`
    Quit,
}

/// A longer wait is refused.
const LONGEST: Duration = Duration::from_secs(60);

impl<'a> Command<'a> {
    /// Reads a line without its end. The error is the reply.
    pub(crate) fn parse(line: &'a str) -> Result<Self, &'static str> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let two = || rest.split_once(' ').filter(|(first, _)| !first.is_empty());
        match verb {
            "put" => {
                let (key, value) = two().ok_or("error: put needs a key and a value\n")?;
                Ok(Self::Put(key, value))
            }
            "get" | "drop" if rest.is_empty() || rest.contains(' ') => Err("error: get and drop need one key\n"),
            "get" => Ok(Self::Get(rest)),
            "drop" => Ok(Self::Drop(rest)),
            "later" => {
                let (wait, words) = two().ok_or("error: later needs milliseconds and words\n")?;
                let wait = u64::from_str(wait).ok().map(Duration::from_millis);
                let wait = wait.filter(|wait| *wait <= LONGEST);
                Ok(Self::Later(
                    wait.ok_or("error: later needs 0 to 60000 milliseconds\n")?,
                    words,
                ))
            }
            "quit" if rest.is_empty() => Ok(Self::Quit),
            _ => Err("error: the commands are put, get, drop, later and quit\n"),
        }
    }
}
