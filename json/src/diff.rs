//! [`diff`]: the JSON Patch between two documents.

use std::collections::HashSet;
use std::{iter, ptr};

use super::patch::{PatchProblem, Patcher};
use acedia_collections::__private::Collection;
use acedia_collections::Pointer;
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_text::Keyed;

/// A JSON Patch (RFC 6902) that turns `before` into `after`: [`patch(before, &diff(before, after))`](super::patch()) has the
/// content of `after`. The order of keys is ignored. Lists of one length are compared index by index. If the lengths differ, equal
/// items at the end are skipped first.
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
/// A document is nested too deep, or the pointers of the patch would have too many components: see [`Patcher`].
///
/// # Panics
///
/// As [`Item::same_content`].
///
/// # Cost
///
/// Linear in the size of both documents and of the patch.
pub fn diff(before: &Item, after: &Item) -> Result<Item, PatchProblem> {
    Patcher::new().diff(before, after)
}

/// So many components of each pointer are not counted. Beyond them, a patch can be as long as the square of both documents: many
/// items that differ, each behind a long pointer.
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
            limit: self.max_items,
            ..Edits::default()
        };
        edits.push(Step::Whole, before, after);
        // Lists and tables add their items to `open`, so that deep documents need no deep stack.
        while let Some(open) = edits.open.pop() {
            match open {
                Open::Pair { depth, step, pair } => {
                    edits.path.truncate(depth);
                    edits.path.push(step);
                    edits.of_pair(&pair)?;
                }
                Open::Same { pair, edits: count } if edits.all.len() == count => _ = edits.same.insert(pair),
                Open::Same { .. } => {}
            }
        }
        Ok(ArrayList::from(edits.all).into())
    }
}

/// The operations so far, and what is still to be compared.
#[derive(Default)]
struct Edits {
    all: Vec<Item>,
    open: Vec<Open>,
    /// The place of the pair that is being compared. The last one in `open` is inside of it, or beside it or one around it, so their
    /// paths begin alike.
    path: Vec<Step>,
    /// Pairs of collections without a difference. A collection that is in many places is compared once.
    same: HashSet<Addresses, Keyed>,
    /// Components of pointers beyond the first [`FREE`] of each.
    components: u64,
    limit: u64,
}

enum Open {
    Pair {
        /// The number of steps around it.
        depth: usize,
        step: Step,
        pair: [Item; 2],
    },
    /// Behind everything inside this pair: no difference was found if there are still so many edits.
    Same { pair: Addresses, edits: usize },
}

type Addresses = [usize; 2];

/// The last component of the place of an item.
#[derive(Clone)]
enum Step {
    Whole,
    Index(usize),
    /// A text.
    Key(Item),
}

impl Edits {
    fn push(&mut self, step: Step, before: &Item, after: &Item) {
        // Two numbers, texts or owners of one object that are equal.
        if before != after {
            self.open.push(Open::Pair {
                depth: self.path.len(),
                step,
                pair: [before.clone(), after.clone()],
            });
        }
    }

    /// Adds an operation on an item of the pair that is being compared, or on all of it.
    fn add(&mut self, op: &str, step: Option<&Step>, value: Option<&Item>) -> Result<(), PatchProblem> {
        let steps = self.path.iter().chain(step);
        let pointer: Pointer = steps
            .filter_map(|step| match step {
                Step::Whole => None,
                Step::Index(index) => Some(index.to_string()),
                Step::Key(key) => key.to_string(),
            })
            .collect();
        self.components = self
            .components
            .saturating_add(pointer.len().saturating_sub(FREE) as u64);
        if self.components > self.limit {
            return Err(PatchProblem::TooLong(self.limit));
        }
        let operation = HashTable::from([("op", op.to_owned()), ("path", pointer.to_string())]);
        if let Some(value) = value {
            operation.write().set("value", value.deep_clone());
        }
        self.all.push(operation.into());
        Ok(())
    }

    fn of_pair(&mut self, pair: &[Item; 2]) -> Result<(), PatchProblem> {
        let [before, after] = pair.each_ref().map(|item| item.object().and_then(Collection::of));
        match (before, after) {
            (Some(Collection::Table(before)), Some(Collection::Table(after))) => {
                if self.enter([ptr::from_ref(before).addr(), ptr::from_ref(after).addr()]) {
                    self.of_tables(before, after)?;
                }
            }
            (Some(Collection::List(before)), Some(Collection::List(after))) => {
                if self.enter([ptr::from_ref(before).addr(), ptr::from_ref(after).addr()]) {
                    self.of_lists(before, after)?;
                }
            }
            _ if pair[0].same_content(&pair[1]) => {}
            _ => self.add("replace", None, Some(&pair[1]))?,
        }
        Ok(())
    }

    /// Whether this pair of collections is to be compared.
    fn enter(&mut self, pair: Addresses) -> bool {
        let is_new = !self.same.contains(&pair);
        if is_new {
            let edits = self.all.len();
            self.open.push(Open::Same { pair, edits });
        }
        is_new
    }

    /// Only one of both is locked at a time, and none while items are compared. Keys that are no texts have no pointer.
    fn of_tables(&mut self, before: &HashTable, after: &HashTable) -> Result<(), PatchProblem> {
        let entries = |table: &HashTable| -> Vec<(Item, Item)> {
            let entries = table.read();
            let with_text = entries.iter().filter(|(key, _)| key.to_text().is_some());
            with_text.map(|(key, item)| (key.clone(), item.clone())).collect()
        };
        for (key, _) in entries(before) {
            let is_left = after.read().contains_key(&key);
            if !is_left {
                self.add("remove", Some(&Step::Key(key)), None)?;
            }
        }
        for (key, item) in entries(after) {
            let known = before.read().get_entry(&key).map(|(_, item)| item.clone());
            match known {
                Some(known) => self.push(Step::Key(key), &known, &item),
                None => self.add("add", Some(&Step::Key(key)), Some(&item))?,
            }
        }
        Ok(())
    }

    fn of_lists(&mut self, before: &ArrayList, after: &ArrayList) -> Result<(), PatchProblem> {
        let [before, after] = [before, after].map(|list| list.read().iter().cloned().collect::<Vec<_>>());
        let both = before.len().min(after.len());
        // Of two items that are compared here, one is equal, added or removed, so it is not compared again at a deeper level.
        let last = if before.len() == after.len() {
            0
        } else {
            let first = iter::zip(&before, &after).take_while(|(before, after)| before == after);
            let behind = iter::zip(before.iter().rev(), after.iter().rev()).take(both - first.count());
            behind.take_while(|(before, after)| before.same_content(after)).count()
        };
        let both = both - last;
        for (index, (before, after)) in iter::zip(&before, &after).take(both).enumerate() {
            self.push(Step::Index(index), before, after);
        }
        // Removed from behind, so that no removal moves an item that is still to be removed.
        for index in (both..before.len() - last).rev() {
            self.add("remove", Some(&Step::Index(index)), None)?;
        }
        for (index, item) in after.iter().enumerate().take(after.len() - last).skip(both) {
            self.add("add", Some(&Step::Index(index)), Some(item))?;
        }
        Ok(())
    }
}
