//! The rule: what is wrong with files in an order.

use std::collections::BTreeMap;

use crate::list::{Knot, List, is_in};
use crate::names::{Names, Sources, Target};
use crate::source;

/// The most lines of code in a file.
pub(crate) const MOST_LINES: usize = 500;

/// Each name that a file has from another file of its crate, with the line where it first stands.
pub(crate) type Edges = BTreeMap<Knot, usize>;

/// Checks `files`, which are the texts by their paths. Returns the edges, and everything that is wrong, a line each.
pub(crate) fn check(files: &BTreeMap<String, String>, list: &List) -> (Edges, Vec<String>) {
    let mut wrong = list.mistakes.clone();
    for file in files.keys().filter(|file| list.layer(file).is_none()) {
        wrong.push(format!("{file}: in no folder of tests/house.txt"));
    }
    for path in list.paths().filter(|path| !files.keys().any(|file| is_in(file, path))) {
        wrong.push(format!("house.txt: `{path}` has no source file; remove it"));
    }
    let sources = sources(files, &mut wrong);
    for (file, source) in &sources {
        let lines = source.code_lines;
        if lines > MOST_LINES {
            wrong.push(format!(
                "{file}: {lines} lines of code, but at most {MOST_LINES}; split it by its nouns"
            ));
        }
    }
    let edges = edges(&sources);
    for (knot, line) in edges.iter().filter(|(knot, _)| is_upward(knot, list)) {
        if !list.knots.contains(knot) {
            wrong.push(upward(knot, *line, list));
        }
    }
    for knot in &list.knots {
        if !edges.contains_key(knot) || !is_upward(knot, list) {
            let Knot { from, to, name } = knot;
            wrong.push(format!(
                "house.txt: `knot {from} -> {to}: {name}` is no longer needed; remove it"
            ));
        }
    }
    (edges, wrong)
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
    match (list.layer(&knot.from), list.layer(&knot.to)) {
        (Some(from), Some(to)) => from < to,
        _ => false,
    }
}

fn upward(knot: &Knot, line: usize, list: &List) -> String {
    let Knot { from, to, name } = knot;
    let above = list.layer(to).map_or_else(String::new, |layer| list.on(layer));
    format!(
        "{from}:{line}: names `{name}` of {to}, which is in a higher layer of tests/house.txt ({above}). \
         Move the code up or the definition down; if neither can be, add `knot {from} -> {to}: {name}`"
    )
}

/// All names that files have from others.
fn edges(sources: &Sources) -> Edges {
    let names = Names::new(sources);
    let mut edges = Edges::new();
    for (from, source) in sources.iter().filter(|(_, source)| !source.is_contents()) {
        let declares = source.declares();
        let mentions = source.mentions.iter();
        for mention in mentions.filter(|mention| !(declares && mention.re_export)) {
            for target in names.find(from, mention.module, &mention.path) {
                let Target::Item { file: to, name, .. } = target else {
                    continue;
                };
                if to != *from {
                    let from = from.clone();
                    let first = edges.entry(Knot { from, to, name }).or_insert(mention.line);
                    *first = mention.line.min(*first);
                }
            }
        }
    }
    edges
}
