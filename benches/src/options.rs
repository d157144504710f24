//! The command line of the binaries that measure a list of workloads.

use std::path::PathBuf;

use crate::measure::Effort;

/// The text of `--help` of a binary that measures a list of workloads.
#[must_use]
pub fn help(binary: &str, about: &str) -> String {
    format!(
        "\
{about}, and prints markdown.

Usage: {binary} [WORKLOAD…] [--guards] [--processes N] [--quick | --cycles] [--json] [--save FILE] [--list]

  WORKLOAD      measure this workload; without a name, measure all
  --guards      only for `table`: before measuring, another thread makes a guard
                in each pool of acedia
  --processes N measure in N processes, one after another, and print the
                medians
  --quick       few short rounds; do not quote the figures
  --cycles      many very short rounds; print processor cycles of the fastest
                ones; only for work on one thread
  --json        print one JSON object instead of markdown
  --save FILE   also write JSON to FILE, for `pages`
  --list        print the names of the workloads"
    )
}

/// The request of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Print [`help`].
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
