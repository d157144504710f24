//! [`diff`]: the JSON Patch between two documents.

use acedia_collections::Pointer;
use acedia_collections::{ArrayList, HashTable, Item};

/// A JSON Patch (RFC 6902) that makes `after` of `before`: [`patch(before, &diff(before, after))`](super::patch()) has the content of
/// `after`. The order of keys is not part of it. In lists, items are compared place by place between the equal items at both ends.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let before = json!({"name": "Eve", "tags": ["a", "b", "c"], "old": 1});
/// let after = json!({"name": "Bob", "tags": ["a", "c"]});
/// let patch = json::diff(&before, &after);
/// assert!(json::patch(&before, &patch)?.same_content(&after));
/// assert_eq!(json::to_string(&patch).unwrap(), concat!(
///     r#"[{"op":"remove","path":"/old"},{"op":"remove","path":"/tags/1"},"#,
///     r#"{"op":"replace","path":"/name","value":"Bob"}]"#,
/// ));
/// # Ok::<(), json::PatchError>(())
/// ```
///
/// # Panics
///
/// As [`Item::same_content`].
///
/// # Cost
///
/// The items of lists are compared at each level around them, so at most the size of both documents times their depth.
#[must_use]
pub fn diff(before: &Item, after: &Item) -> Item {
    let mut edits = Edits {
        all: Vec::new(),
        open: vec![(Pointer::new(), before.clone(), after.clone())],
    };
    while let Some((path, before, after)) = edits.open.pop() {
        if let (Some(before), Some(after)) = (before.to_table(), after.to_table()) {
            edits.of_tables(&path, &before, &after);
        } else if let (Some(before), Some(after)) = (before.to_list(), after.to_list()) {
            edits.of_lists(&path, &before, &after);
        } else if !before.same_content(&after) {
            edits.add("replace", &path, Some(&after));
        }
    }
    ArrayList::from(edits.all).into()
}

/// The operations so far, and the pairs that are to be compared, with their places.
struct Edits {
    all: Vec<Item>,
    open: Vec<(Pointer, Item, Item)>,
}

impl Edits {
    fn add(&mut self, op: &str, path: &Pointer, value: Option<&Item>) {
        let operation = HashTable::from([("op", op.to_owned()), ("path", path.to_string())]);
        if let Some(value) = value {
            operation.write().set("value", value.deep_clone());
        }
        self.all.push(operation.into());
    }

    fn of_tables(&mut self, path: &Pointer, before: &HashTable, after: &HashTable) {
        let [before, after] = [before, after].map(|table| {
            let entries = table.read();
            let entries = entries.iter().map(|(key, item)| (key.clone(), item.clone()));
            entries.collect::<Vec<_>>()
        });
        let known = HashTable::from(before.iter().cloned());
        let wanted = HashTable::from(after.iter().cloned());
        for (key, _) in &before {
            if !wanted.read().contains_key(key) {
                self.at_key(path, key, |edits, inner| edits.add("remove", inner, None));
            }
        }
        for (key, item) in &after {
            let found = known.read().get_entry(key).map(|(_, item)| item.clone());
            self.at_key(path, key, |edits, inner| match found {
                Some(found) => edits.open.push((inner.clone(), found, item.clone())),
                None => edits.add("add", inner, Some(item)),
            });
        }
    }

    /// Calls `edit` with the pointer of a key. Keys that are no texts have none.
    fn at_key(&mut self, path: &Pointer, key: &Item, edit: impl FnOnce(&mut Self, &Pointer)) {
        if let Some(key) = key.to_text() {
            let mut inner = path.clone();
            inner.push(key.to_string());
            edit(self, &inner);
        }
    }

    fn of_lists(&mut self, path: &Pointer, before: &ArrayList, after: &ArrayList) {
        let [before, after] = [before, after].map(|list| list.read().iter().cloned().collect::<Vec<_>>());
        let same = |pair: &(&Item, &Item)| pair.0.same_content(pair.1);
        let first = before.iter().zip(&after).take_while(same).count();
        let (before, after) = (&before[first..], &after[first..]);
        let last = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
        let (before, after) = (&before[..before.len() - last], &after[..after.len() - last]);
        let at = |index: usize| {
            let mut inner = path.clone();
            inner.push_number(first + index);
            inner
        };
        for (index, (before, after)) in before.iter().zip(after).enumerate() {
            self.open.push((at(index), before.clone(), after.clone()));
        }
        let both = before.len().min(after.len());
        for index in (both..before.len()).rev() {
            self.add("remove", &at(index), None);
        }
        for (index, item) in after.iter().enumerate().skip(both) {
            self.add("add", &at(index), Some(item));
        }
    }
}
