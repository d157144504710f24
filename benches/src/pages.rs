//! The pages that show measurements. The text between two marks is made from the files that the binaries saved:
//!
//! ```text
//! <!-- measured: goals text -->
//! (a table)
//! <!-- end of what is measured -->
//! ```
//!
//! | mark | |
//! |---|---|
//! | `tables BINARY` | the medians of each workload of that binary, under its title |
//! | `goals BINARY` | the ratios of them that have a limit |
//! | `ratios BINARY` | the ratios of them without a limit |
//! | `goals BINARY OTHER…`, `ratios BINARY OTHER…` | the same, with a column for each run that is saved as `OTHER`, too |
//! | `peers` | for the README: acedia and the best-known peers |
//! | `choosing` | for the guide: more columns and more peers |

use crate::{
    actors, boxes, collections, json,
    report::{self, Measured, Ratios},
    text,
    workload::Workload,
    workloads,
};

/// The pages, from the root of the workspace.
pub const PAGES: [&str; 8] = [
    "README.md",
    "docs/choosing.md",
    "benches/README.md",
    "benches/actors.md",
    "benches/boxes.md",
    "benches/collections.md",
    "benches/json.md",
    "benches/text.md",
];

/// The guide, whose sentences have figures, too.
pub const GUIDE: &str = "docs";

/// Another page whose sentences have figures.
pub const INTEGRATIONS: &str = "integrations/README.md";

const BEGIN: &str = "<!-- measured: ";
const BEGIN_ENDS: &str = " -->";
const END: &str = "<!-- end of what is measured -->";

/// The measurements that the binaries saved, found by the binaries' names.
pub trait Data {
    /// The workloads of a binary.
    ///
    /// # Errors
    ///
    /// A sentence, if it saved nothing that can be read.
    fn measured(&self, binary: &str) -> Result<Measured, String>;
}

/// The page with all that is measured written anew.
///
/// # Errors
///
/// A sentence, if a mark is not understood or has no end, if there is none at all, or if data are missing.
pub fn renewed(page: &str, data: &impl Data) -> Result<String, String> {
    let mut result = String::new();
    let mut marks = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        result += line;
        result += "\n";
        let Some(mark) = line.strip_prefix(BEGIN).and_then(|mark| mark.strip_suffix(BEGIN_ENDS)) else {
            continue;
        };
        marks += 1;
        if !lines.any(|line| line == END) {
            return Err(format!("`{mark}` has no end: {END}"));
        }
        result.extend(["\n", &written(mark, data)?, "\n", END, "\n"]);
    }
    if marks == 0 {
        return Err(format!("nothing begins with `{BEGIN}`"));
    }
    Ok(result)
}

/// The text that a mark stands for.
fn written(mark: &str, data: &impl Data) -> Result<String, String> {
    let words: Vec<_> = mark.split(' ').collect();
    match *words {
        [kind @ ("goals" | "ratios"), binary, ref others @ ..] => {
            let heading = |name: &str| if others.is_empty() { "ratio" } else { processor(name) }.to_owned();
            let runs = std::iter::once(&binary).chain(others);
            let runs: Result<Vec<_>, String> = runs.map(|name| Ok((heading(name), data.measured(name)?))).collect();
            let kind = if kind == "goals" {
                Ratios::Limited
            } else {
                Ratios::Unlimited
            };
            Ok(report::ratios(workloads_of(binary)?, &runs?, kind))
        }
        ["tables", binary] => {
            let workloads = data.measured(binary)?.workloads;
            let tables = workloads
                .iter()
                .map(|one| format!("### {}\n\n{}", one.heading(), one.table()));
            Ok(tables.collect::<Vec<_>>().join("\n"))
        }
        ["peers"] => PEERS.table(&data.measured("table")?),
        ["choosing"] => CHOOSING.table(&data.measured("table")?),
        _ => Err(format!("`{mark}` is not a mark")),
    }
}

/// The workloads that a binary measures.
fn workloads_of(binary: &str) -> Result<&'static [Workload], String> {
    match binary {
        "table" => Ok(workloads::ALL),
        "actors" => Ok(actors::ALL),
        "boxes" => Ok(boxes::ALL),
        "collections" => Ok(collections::ALL),
        "json" => Ok(json::ALL),
        "text" => Ok(text::ALL),
        _ => Err(format!("no binary is called {binary}")),
    }
}

/// The processor of a run of `table`, by the name under which it is saved.
fn processor(saved: &str) -> &str {
    match saved {
        "table" => "Zen 5",
        "zen-4" => "Zen 4",
        "another-processor" => "another processor",
        other => other,
    }
}

/// Some contenders in some columns of several workloads.
struct Excerpt {
    /// The heading, the workload and the payload of each column.
    columns: &'static [[&'static str; 3]],
    contenders: &'static [&'static str],
}

const PEERS: Excerpt = Excerpt {
    columns: &[
        ["allocate and free", "pair", "64 B"],
        ["on two threads at once", "churn", "64 B"],
        ["freed on another thread", "handoff", "64 B"],
        ["read", "read", "1,000 live"],
        ["read a stale handle", "read", "1,000 dead"],
    ],
    contenders: &[
        "acedia",
        "Box, jemalloc",
        "Arc",
        "slotmap",
        "sharded-slab",
        "concurrent-slotmap",
        "papaya",
    ],
};

const CHOOSING: Excerpt = Excerpt {
    columns: &[
        ["allocate and free", "pair", "64 B"],
        ["allocate and free a `String`", "pair", "String of 64"],
        ["on two threads", "churn", "64 B"],
        ["read", "read", "1,000 live"],
        ["read a stale handle", "read", "1,000 dead"],
        ["read on two cores", "hot", "16 B"],
    ],
    contenders: &[
        "acedia",
        "Box, mimalloc",
        "Box, jemalloc",
        "Box, snmalloc",
        "Arc",
        "slotmap",
        "sharded-slab",
        "concurrent-slotmap",
        "generational-box, sync",
        "idr-ebr",
        "plurality",
        "papaya",
        "DashMap",
    ],
};

impl Excerpt {
    fn table(&self, measured: &Measured) -> Result<String, String> {
        let headings = self.columns.iter().map(|[heading, ..]| (*heading).to_owned());
        let mut table = report::row("", headings) + &report::row("---", self.columns.iter().map(|_| "--:".to_owned()));
        for contender in self.contenders {
            let median =
                |[_, workload, payload]: &[&str; 3]| Ok(measured.workload(workload)?.median(payload, contender));
            let medians: Vec<_> = self.columns.iter().map(median).collect::<Result<_, String>>()?;
            if medians.iter().all(|median| median == "–") {
                continue;
            }
            table += &report::row(contender, medians);
        }
        Ok(table)
    }
}

pub mod prose;
