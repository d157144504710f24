//! The command line of the board.

use lexopt::{Arg, Parser, ValueExt};

pub(crate) const HELP: &str = "\
A board of prices: one thread sets quotes, and other threads read them without a pin or a lock.

Usage: cargo run --release --example board -- [OPTIONS]

      --instruments N  how many instruments are on the board [default: 100000]
      --sets N         how many quotes are set [default: 20000000]
      --readers N      how many threads read [default: 1]
  -h, --help           print this

Exit status: 1 if a reader got a mix of two quotes or another instrument's quote; 2 for wrong options; otherwise 0.
";

pub(crate) struct Options {
    pub(crate) instruments: u64,
    pub(crate) sets: u64,
    pub(crate) readers: u64,
}

impl Options {
    /// The options, or `None` if help is asked for.
    pub(crate) fn parse(mut parser: Parser) -> Result<Option<Self>, String> {
        let mut options = Self {
            instruments: 100_000,
            sets: 20_000_000,
            readers: 1,
        };
        while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
            let (name, target) = match arg {
                Arg::Long("instruments") => ("--instruments", &mut options.instruments),
                Arg::Long("sets") => ("--sets", &mut options.sets),
                Arg::Long("readers") => ("--readers", &mut options.readers),
                Arg::Short('h') | Arg::Long("help") => return Ok(None),
                other => return Err(other.unexpected().to_string()),
            };
            let value = parser.value().and_then(|value| value.parse());
            *target = value.map_err(|error| format!("{name}: {error}"))?;
        }
        if options.instruments == 0 {
            return Err("--instruments: at least one".to_owned());
        }
        Ok(Some(options))
    }
}
