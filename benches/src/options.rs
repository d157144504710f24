//! The command line of `table`.

use std::path::PathBuf;

use crate::measure::Effort;

/// The text of `--help`.
pub const HELP: &str = "\
Measures the pool engine and its peers, and prints markdown.

Usage: table [WORKLOAD…] [--guards] [--processes N] [--quick | --cycles] [--json] [--save FILE] [--list]

  WORKLOAD      which workloads to run (all of them, if none is named)
  --guards      another thread has made a guard in each of our pools before
                anything is measured
  --processes N in so many processes, one after another, each of which has
                other addresses: the medians of what they say
  --quick       few short rounds: a first look, not for quoting
  --cycles      many very short rounds, in cycles of the core, of which the
                quietest count: to find out why, for what one thread does
  --json        one JSON object instead of markdown
  --save FILE   the JSON goes there too, for `pages`
  --list        the names of the workloads";

/// The request of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Print [`HELP`].
    Help,
    /// Print the workloads' names.
    List,
    /// Measure.
    Measure(Options),
}

/// The workloads to measure, and the form of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The workloads by name; none means all.
    pub workloads: Vec<String>,
    /// How long and how often.
    pub effort: Effort,
    /// Another thread has made a guard in each of our pools.
    pub guards: bool,
    /// In how many processes to measure.
    pub processes: usize,
    /// JSON instead of markdown.
    pub json: bool,
    /// The file to which the JSON is saved as well.
    pub save: Option<PathBuf>,
}

impl Options {
    /// The arguments of a process that measures the same once, and prints JSON.
    pub(crate) fn of_one_process(&self) -> impl Iterator<Item = &str> {
        let flags = [
            ("--guards", self.guards),
            ("--quick", self.effort == Effort::QUICK),
            ("--cycles", self.effort == Effort::CYCLES),
            ("--json", true),
        ];
        let flags = flags.into_iter().filter_map(|(flag, wanted)| wanted.then_some(flag));
        self.workloads.iter().map(String::as_str).chain(flags)
    }
}

impl Request {
    /// Reads arguments, the program's name left out.
    ///
    /// # Errors
    ///
    /// A sentence for the user, if an option is unknown.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Options {
            workloads: Vec::new(),
            effort: Effort::FULL,
            guards: false,
            processes: 1,
            json: false,
            save: None,
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => return Ok(Self::Help),
                "--list" => return Ok(Self::List),
                "--guards" => options.guards = true,
                "--quick" => options.effort = Effort::QUICK,
                "--cycles" => options.effort = Effort::CYCLES,
                "--processes" => {
                    let number = arguments.next().and_then(|number| number.parse().ok());
                    options.processes = number
                        .filter(|number| *number > 0)
                        .ok_or("--processes needs a number")?;
                }
                "--json" => options.json = true,
                "--save" => options.save = Some(arguments.next().ok_or("--save needs a file")?.into()),
                option if option.starts_with('-') => {
                    return Err(format!("unknown option {option}; --help lists them"));
                }
                _ => options.workloads.push(argument),
            }
        }
        Ok(Self::Measure(options))
    }
}

#[cfg(test)]
mod tests;
