//! Reads `tests/house.txt`.

use std::collections::BTreeSet;

/// The list: folders in order, and exceptions.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Each folder or file with its layer, which is a line.
    places: Vec<(String, usize)>,
    pub(crate) knots: BTreeSet<Knot>,
    /// The mistakes in the list itself.
    pub(crate) mistakes: Vec<String>,
}

/// One name in one file, although the other file stands above it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Knot {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) name: String,
}

impl List {
    pub(crate) fn read(text: &str) -> Self {
        let mut list = List::default();
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            let twice = if let Some(knot) = line.strip_prefix("knot ") {
                let Some((from, to, names)) = knot_parts(knot) else {
                    list.mistakes
                        .push(format!("house.txt:{number}: expected `knot PATH -> PATH: Name`"));
                    continue;
                };
                let knots = names.split(", ").map(|name| Knot {
                    from: from.to_owned(),
                    to: to.to_owned(),
                    name: name.to_owned(),
                });
                let before = list.knots.len();
                list.knots.extend(knots);
                list.knots.len() != before + names.split(", ").count()
            } else if line.starts_with('#') {
                false
            } else {
                let before = list.places.len();
                list.places
                    .extend(line.split_whitespace().map(|path| (path.to_owned(), number)));
                let (old, new) = list.places.split_at(before);
                new.iter().any(|(path, _)| old.iter().any(|(other, _)| path == other))
            };
            if twice {
                list.mistakes
                    .push(format!("house.txt:{number}: `{line}` is there twice; remove one"));
            }
        }
        list
    }

    /// The folders and files of the list.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|(path, _)| path.as_str())
    }

    /// The layer of a file: that of the longest path that it is, or is in. Files in the same layer or in higher ones may import it.
    pub(crate) fn layer(&self, file: &str) -> Option<usize> {
        let around = self.places.iter().filter(|(path, _)| is_in(file, path));
        around.max_by_key(|(path, _)| path.len()).map(|&(_, layer)| layer)
    }

    /// The paths of a layer.
    pub(crate) fn on(&self, layer: usize) -> String {
        let here = self.places.iter().filter(|(_, other)| *other == layer);
        here.map(|(path, _)| path.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Whether a file is that path, or is in that folder.
pub(crate) fn is_in(file: &str, path: &str) -> bool {
    let rest = file.strip_prefix(path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn knot_parts(knot: &str) -> Option<(&str, &str, &str)> {
    let (from, rest) = knot.split_once(" -> ")?;
    let (to, names) = rest.split_once(": ")?;
    Some((from, to, names))
}
