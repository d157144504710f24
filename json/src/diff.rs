//! [`diff`]: the JSON Patch between two documents.

use super::patch::{PatchProblem, Patcher};
use acedia_collections::Pointer;
use acedia_collections::{ArrayList, HashTable, Item};

/// A JSON Patch (RFC 6902) that turns `before` into `after`: [`patch(before, &diff(before, after))`](super::patch()) has the
/// content of `after`. The order of keys is ignored. In lists, equal items at both ends are skipped, and the items between them are
/// compared index by index.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let before = json!({"name": "Eve", "tags": ["a", "b", "c"], "old": 1});
/// let after = json!({"name": "Bob", "tags": ["a", "c"]});
/// let patch = json::diff(&before, &after)?;
/// assert!(json::patch(&before, &patch)?.same_content(&after));
/// assert_eq!(json::to_string(&patch).unwrap(), concat!(
///     r#"[{"op":"remove","path":"/old"},{"op":"remove","path":"/tags/1"},"#,
///     r#"{"op":"replace","path":"/name","value":"Bob"}]"#,
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The limits are those of [`Patcher::new`].
///
/// # Errors
///
/// A document is nested too deep, or the comparison below the 16th level exceeds [`max_items`](Patcher::max_items).
///
/// # Panics
///
/// As [`Item::same_content`].
///
/// # Cost
///
/// At most proportional to the size of both documents times their depth, because the items of a list are compared again
/// at each level around the list.
pub fn diff(before: &Item, after: &Item) -> Result<Item, PatchProblem> {
    Patcher::new().diff(before, after)
}

/// Work at this many levels is in proportion to the documents, so only that below counts.
const FREE: usize = 16;

impl Patcher {
    /// Like [`diff()`], but with these limits.
    ///
    /// # Errors
    ///
    /// As [`diff()`].
    pub fn diff(&self, before: &Item, after: &Item) -> Result<Item, PatchProblem> {
        self.check_depth(0, before)?;
        self.check_depth(0, after)?;
        let mut edits = Edits {
            all: Vec::new(),
            open: vec![(Pointer::new(), before.clone(), after.clone())],
            done: 0,
            limit: self.max_items,
        };
        // Lists and tables add their items to `open`, so that deep documents need no deep stack.
        while let Some((path, before, after)) = edits.open.pop() {
            if let (Some(before), Some(after)) = (before.to_table(), after.to_table()) {
                edits.of_tables(&path, &before, &after)?;
            } else if let (Some(before), Some(after)) = (before.to_list(), after.to_list()) {
                edits.of_lists(&path, &before, &after)?;
            } else if !before.same_content(&after) {
                edits.add("replace", &path, Some(&after));
            }
        }
        Ok(ArrayList::from(edits.all).into())
    }
}

/// The operations so far, and the pairs that are to be compared, with their places.
struct Edits {
    all: Vec<Item>,
    open: Vec<(Pointer, Item, Item)>,
    /// Comparisons, and components of pointers, below the level [`FREE`].
    done: u64,
    limit: u64,
}

impl Edits {
    /// Counts work at this place.
    fn count(&mut self, path: &Pointer, work: u64) -> Result<(), PatchProblem> {
        if path.len() > FREE {
            self.done = self.done.saturating_add(work);
        }
        if self.done > self.limit {
            return Err(PatchProblem::TooMany(self.limit));
        }
        Ok(())
    }

    /// The place of an item in the collection at `path`.
    fn inside(&mut self, path: &Pointer, component: impl Into<String>) -> Result<Pointer, PatchProblem> {
        self.count(path, path.len() as u64)?;
        let mut inner = path.clone();
        inner.push(component);
        Ok(inner)
    }

    fn add(&mut self, op: &str, path: &Pointer, value: Option<&Item>) {
        let operation = HashTable::from([("op", op.to_owned()), ("path", path.to_string())]);
        if let Some(value) = value {
            operation.write().set("value", value.deep_clone());
        }
        self.all.push(operation.into());
    }

    fn of_tables(&mut self, path: &Pointer, before: &HashTable, after: &HashTable) -> Result<(), PatchProblem> {
        let [before, after] = [before, after].map(|table| {
            let entries = table.read();
            let entries = entries.iter().map(|(key, item)| (key.clone(), item.clone()));
            entries.collect::<Vec<_>>()
        });
        // Both are copies, so no lock is held while items are compared.
        let known = HashTable::from(before.iter().cloned());
        let wanted = HashTable::from(after.iter().cloned());
        for (key, _) in &before {
            if !wanted.read().contains_key(key) {
                self.at_key(path, key, |edits, inner| edits.add("remove", inner, None))?;
            }
        }
        for (key, item) in &after {
            let found = known.read().get_entry(key).map(|(_, item)| item.clone());
            self.at_key(path, key, |edits, inner| match found {
                Some(found) => edits.open.push((inner.clone(), found, item.clone())),
                None => edits.add("add", inner, Some(item)),
            })?;
        }
        Ok(())
    }

    /// Calls `edit` with the pointer of a key. Keys that are no texts have none.
    fn at_key(
        &mut self,
        path: &Pointer,
        key: &Item,
        edit: impl FnOnce(&mut Self, &Pointer),
    ) -> Result<(), PatchProblem> {
        if let Some(key) = key.to_text() {
            let inner = self.inside(path, key.to_string())?;
            edit(self, &inner);
        }
        Ok(())
    }

    fn of_lists(&mut self, path: &Pointer, before: &ArrayList, after: &ArrayList) -> Result<(), PatchProblem> {
        let [before, after] = [before, after].map(|list| list.read().iter().cloned().collect::<Vec<_>>());
        // Equal items at both ends stay. The comparisons are counted, because each may look at a whole tree.
        let mut pairs = 0;
        let mut same = |pair: &(&Item, &Item)| {
            pairs += 1;
            pair.0.same_by(pair.1, Item::eq, &mut pairs)
        };
        let first = before.iter().zip(&after).take_while(&mut same).count();
        let (before, after) = (&before[first..], &after[first..]);
        let last = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
        self.count(path, pairs)?;
        let (before, after) = (&before[..before.len() - last], &after[..after.len() - last]);
        // Items between the ends are compared place by place.
        for (index, (before, after)) in before.iter().zip(after).enumerate() {
            let inner = self.inside(path, (first + index).to_string())?;
            self.open.push((inner, before.clone(), after.clone()));
        }
        let both = before.len().min(after.len());
        // Removed from behind, so that no removal moves an item that is still to be removed.
        for index in (both..before.len()).rev() {
            let inner = self.inside(path, (first + index).to_string())?;
            self.add("remove", &inner, None);
        }
        for (index, item) in after.iter().enumerate().skip(both) {
            let inner = self.inside(path, (first + index).to_string())?;
            self.add("add", &inner, Some(item));
        }
        Ok(())
    }
}
