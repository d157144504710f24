//! Reads `tests/house.txt`.

use std::collections::{BTreeMap, BTreeSet};

/// The list: files in order, and exceptions.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Each file's place in the order, and its floor.
    places: BTreeMap<String, (usize, String)>,
    pub(crate) knots: BTreeSet<Knot>,
    /// Files that may be longer than others.
    pub(crate) long_files: BTreeSet<String>,
    /// Names of functions that types of `std` have too, so that a call says nothing.
    pub(crate) std_names: BTreeSet<String>,
    /// The mistakes in the list itself.
    pub(crate) mistakes: Vec<String>,
}

/// One name in one file, although the other file stands above it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Knot {
    pub(crate) from: String,
    pub(crate) to: String,
    /// With `()` for a function of a type.
    pub(crate) name: String,
}

impl List {
    pub(crate) fn read(text: &str) -> Self {
        let mut list = List::default();
        let mut floor = "";
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            let new = if let Some(heading) = line.strip_prefix("# ") {
                floor = heading;
                true
            } else if let Some(knot) = line.strip_prefix("knot ") {
                let Some((from, to, names)) = knot_parts(knot) else {
                    list.mistakes
                        .push(format!("house.txt:{number}: expected `knot PATH -> PATH: Name`"));
                    continue;
                };
                let before = list.knots.len();
                list.knots.extend(names.split(", ").map(|name| Knot {
                    from: from.to_owned(),
                    to: to.to_owned(),
                    name: name.to_owned(),
                }));
                list.knots.len() == before + names.split(", ").count()
            } else if let Some(file) = line.strip_prefix("long ") {
                list.long_files.insert(file.to_owned())
            } else if let Some(names) = line.strip_prefix("std ") {
                let before = list.std_names.len();
                list.std_names.extend(names.split(' ').map(str::to_owned));
                list.std_names.len() == before + names.split(' ').count()
            } else {
                let place = (number, floor.to_owned());
                line.is_empty() || list.places.insert(line.to_owned(), place).is_none()
            };
            if !new {
                list.mistakes
                    .push(format!("house.txt:{number}: `{line}` is there twice; remove one"));
            }
        }
        list
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &String> {
        self.places.keys()
    }

    /// The line of `file`; files on higher lines may import it.
    pub(crate) fn place(&self, file: &str) -> Option<usize> {
        self.places.get(file).map(|(line, _)| *line)
    }

    pub(crate) fn floor(&self, file: &str) -> &str {
        self.places.get(file).map_or("no floor", |(_, floor)| floor)
    }
}

fn knot_parts(knot: &str) -> Option<(&str, &str, &str)> {
    let (from, rest) = knot.split_once(" -> ")?;
    let (to, names) = rest.split_once(": ")?;
    Some((from, to, names))
}
