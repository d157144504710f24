//! The rule: what is wrong with files in an order.

use std::collections::{BTreeMap, BTreeSet};

use crate::list::{Knot, List};
use crate::names::{Names, Sources, Target};
use crate::source::{self, Call};

/// The most lines of code in a file.
pub(crate) const MOST_LINES: usize = 500;

/// Each name that a file has from another file of its crate, with the line where it first stands.
pub(crate) type Edges = BTreeMap<Knot, usize>;

/// The names that the files of all crates use from each other.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) edges: Edges,
    /// Those `std` names of the list without which a call would be refused.
    std_names: BTreeSet<String>,
    /// Everything that is wrong, a line each.
    pub(crate) mistakes: Vec<String>,
}

/// Checks `files`, which are the texts by their paths.
pub(crate) fn check(files: &BTreeMap<String, String>, list: &List) -> Found {
    let mut wrong = list.mistakes.clone();
    for file in files.keys().filter(|file| list.place(file).is_none()) {
        wrong.push(format!(
            "{file}: not in tests/house.txt; list it above the files that import it and below those that it imports"
        ));
    }
    for file in list.files().filter(|file| !files.contains_key(*file)) {
        wrong.push(format!("house.txt: `{file}` is no source file; remove the line"));
    }
    let sources = sources(files, &mut wrong);
    let complete = wrong.is_empty();
    for (file, source) in &sources {
        let lines = source.code_lines;
        if lines <= MOST_LINES && list.long_files.contains(file) {
            wrong.push(format!("house.txt: `long {file}` is no longer needed; remove it"));
        }
        if lines > MOST_LINES && !list.long_files.contains(file) {
            wrong.push(format!(
                "{file}: {lines} lines of code, but at most {MOST_LINES}; split it by its nouns"
            ));
        }
    }
    let mut found = find(&sources, list);
    for (knot, line) in found.edges.iter().filter(|(knot, _)| is_upward(knot, list)) {
        if !list.knots.contains(knot) {
            wrong.push(upward(knot, *line, list));
        }
    }
    for knot in &list.knots {
        if !found.edges.contains_key(knot) || !is_upward(knot, list) {
            let Knot { from, to, name } = knot;
            wrong.push(format!(
                "house.txt: `knot {from} -> {to}: {name}` is no longer needed; remove it"
            ));
        }
    }
    // Without a file's place it cannot be said which names are needed.
    for name in list.std_names.difference(&found.std_names).filter(|_| complete) {
        wrong.push(format!("house.txt: `std {name}` is no longer needed; remove the name"));
    }
    found.mistakes = wrong;
    found
}

fn sources(files: &BTreeMap<String, String>, wrong: &mut Vec<String>) -> Sources {
    let mut sources = Sources::new();
    for (file, text) in files {
        match source::read(text) {
            Ok(source) => {
                sources.insert(file.clone(), source);
            }
            Err(error) => wrong.push(format!("{file}:{}: {error}", error.span().start().line)),
        }
    }
    sources
}

pub(crate) fn is_upward(knot: &Knot, list: &List) -> bool {
    match (list.place(&knot.from), list.place(&knot.to)) {
        (Some(from), Some(to)) => from < to,
        _ => false,
    }
}

fn upward(knot: &Knot, line: usize, list: &List) -> String {
    let Knot { from, to, name } = knot;
    let (low, high) = (list.floor(from), list.floor(to));
    let (verb, or) = match name.strip_suffix("()") {
        Some(function) => ("calls", format!("`std {function}` if another type's is meant, or ")),
        None => ("names", String::new()),
    };
    format!(
        "{from}:{line}: {verb} `{name}` of {to}, which stands later in tests/house.txt (\"{low}\" may not use \"{high}\"). \
         Move the code up or the definition down; if neither can be, add {or}`knot {from} -> {to}: {name}`"
    )
}

/// All names that files have from others. Of functions only those that no earlier file defines.
fn find(sources: &Sources, list: &List) -> Found {
    let names = Names::new(sources);
    let methods = Methods::new(sources, &names);
    let mut found = Found::default();
    for (from, source) in sources.iter().filter(|(_, source)| !source.is_contents()) {
        let mut add = |to: &String, name: String, line: usize| {
            if to != from {
                let (from, to) = (from.clone(), to.clone());
                let first = found.edges.entry(Knot { from, to, name }).or_insert(line);
                *first = line.min(*first);
            }
        };
        let declares = source.declares();
        for mention in source
            .mentions
            .iter()
            .filter(|mention| !(declares && mention.re_export))
        {
            for target in names.find(from, mention.module, &mention.path) {
                let Target::Item { file, name, rest } = target else {
                    continue;
                };
                if let Some(function) = rest.first() {
                    let to = methods.only_later(&file, &name, function, from, list);
                    // If the type itself stands later, its name is the finding.
                    if let Some(to) = to.filter(|to| **to != file) {
                        add(to, format!("{function}()"), mention.line);
                    }
                }
                add(&file, name, mention.line);
            }
        }
        for call in &source.calls {
            let own = methods.of_self(&names, from, call);
            // Without the receiver's type, any earlier function of that name may be meant, also of another crate.
            let files = own.or_else(|| methods.by_name.get(&call.name));
            let Some(to) = files.and_then(|files| first_of_later(files, from, list)) else {
                continue;
            };
            if names.crate_of(from) != names.crate_of(to) {
                continue;
            }
            if own.is_none() && list.std_names.contains(&call.name) {
                found.std_names.insert(call.name.clone());
            } else {
                add(to, format!("{}()", call.name), call.line);
            }
        }
    }
    found
}

/// The functions of types and traits, and the files that define them.
struct Methods {
    /// By the type's file and name.
    of_types: BTreeMap<(String, String, String), BTreeSet<String>>,
    by_name: BTreeMap<String, BTreeSet<String>>,
}

impl Methods {
    fn new(sources: &Sources, names: &Names<'_>) -> Self {
        let mut methods = Methods {
            of_types: BTreeMap::new(),
            by_name: BTreeMap::new(),
        };
        for (file, source) in sources {
            for method in &source.methods {
                let on = method.on.iter().flat_map(|on| names.find(file, method.module, on));
                for target in on {
                    if let Target::Item { file: home, name, .. } = target {
                        let key = (home, name, method.name.clone());
                        methods.of_types.entry(key).or_default().insert(file.clone());
                    }
                }
                methods
                    .by_name
                    .entry(method.name.clone())
                    .or_default()
                    .insert(file.clone());
            }
        }
        methods
    }

    /// The file with `function` of a type, if only files after `from` define it.
    fn only_later(&self, home: &str, name: &str, function: &str, from: &str, list: &List) -> Option<&String> {
        let key = (home.to_owned(), name.to_owned(), function.to_owned());
        first_of_later(self.of_types.get(&key)?, from, list)
    }

    /// The files with the function that is called, if the receiver is `self` and its type has it.
    fn of_self(&self, names: &Names<'_>, from: &str, call: &Call) -> Option<&BTreeSet<String>> {
        let types = names.find(from, call.module, call.on.as_ref()?);
        types.into_iter().find_map(|target| match target {
            Target::Item { file, name, .. } => self.of_types.get(&(file, name, call.name.clone())),
            Target::Module(_) => None,
        })
    }
}

/// The first of `files`, if all of them stand after `from`.
fn first_of_later<'f>(files: &'f BTreeSet<String>, from: &str, list: &List) -> Option<&'f String> {
    let place = list.place(from)?;
    let first = files.iter().min_by_key(|file| list.place(file))?;
    list.place(first).is_some_and(|other| place < other).then_some(first)
}
