//! Changes of documents that are documents themselves: JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396).

use std::error::Error;
use std::fmt;

use acedia::Owned;

use acedia_collections::__private::{DEEPEST, number};
use acedia_collections::Nested;
use acedia_collections::Pointer;
use acedia_collections::{ArrayList, HashTable, Item};

/// A copy of a document, changed by a JSON Patch (RFC 6902). The document itself is not changed, even after an error.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let document = json!({"name": "Bob", "inventory": ["rope"]});
/// let patch = json!([
///     {"op": "test", "path": "/name", "value": "Bob"},
///     {"op": "add", "path": "/inventory/-", "value": "sword"},
///     {"op": "remove", "path": "/name"},
/// ]);
/// let patched = json::patch(&document, &patch)?;
/// assert_eq!(json::show(&patched).to_string(), r#"{"inventory":["rope","sword"]}"#);
/// # Ok::<(), json::PatchError>(())
/// ```
///
/// Pointers are parsed strictly: they begin with `/`, and indices have no leading zeros. `test` compares numbers by value, so `1`
/// equals `1.0`.
///
/// The limits are those of [`Patcher::new`].
///
/// # Errors
///
/// The patch is not a list of operations, a pointer refers to no item, a test fails, or the result would exceed a limit.
///
/// # Panics
///
/// As [`Item::deep_clone`].
///
/// # Cost
///
/// One copy of the document, and the operations. An operation on a list moves the items after its index.
pub fn patch(document: &Item, patch: &Item) -> Result<Item, PatchError> {
    Patcher::new().patch(document, patch)
}

/// A copy of a document, changed by a JSON Merge Patch (RFC 7396): entries of the patch replace those of the document at every level,
/// and `null` removes them.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let document = json!({"title": "Goodbye!", "author": {"given": "John", "family": "Doe"}});
/// let patch = json!({"title": "Hello!", "author": {"family": null}});
/// let merged = json::merge_patch(&document, &patch)?;
/// assert_eq!(
///     json::show(&merged).to_string(),
///     r#"{"title":"Hello!","author":{"given":"John"}}"#
/// );
/// # Ok::<(), json::PatchProblem>(())
/// ```
///
/// The limits are those of [`Patcher::new`].
///
/// # Errors
///
/// The patch is nested too deep.
///
/// # Panics
///
/// As [`Item::deep_clone`].
///
/// # Cost
///
/// One copy of both documents.
pub fn merge_patch(document: &Item, patch: &Item) -> Result<Item, PatchProblem> {
    Patcher::new().merge(document, patch)
}

/// Changes documents by patches, within limits. A patch that exceeds a limit is an error, and the document is not
/// changed.
///
/// | Method | [`max_items`](Self::max_items) limits | [`max_depth`](Self::max_depth) limits |
/// |---|---|---|
/// | [`patch`](Self::patch) | the items that all `copy` operations together add | the levels around and in each inserted item |
/// | [`merge`](Self::merge) | nothing, because the result has at most the items of both documents | the levels of the patch |
/// | [`diff`](Self::diff) | the components of all pointers of the patch together, without the first 16 of each | the levels of both documents |
///
/// ```
/// use acedia_json::{self as json, json};
/// use acedia_json::{PatchProblem, Patcher};
///
/// // Each operation doubles the list.
/// let copy = json!({"op": "copy", "from": "/a", "path": "/a/-"});
/// let patch = acedia_collections::ArrayList::from(vec![copy; 21]).into();
/// let error = json::patch(&json!({"a": [0]}), &patch).unwrap_err();
/// assert!(matches!(error.problem(), PatchProblem::TooMany(262_144)));
/// let error = Patcher::new().max_items(10).patch(&json!({"a": [0]}), &patch).unwrap_err();
/// assert_eq!(error.to_string(), "operation 2: this would add more than 10 items");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Patcher {
    pub(super) max_items: u64,
    pub(super) max_depth: usize,
}

impl Default for Patcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Patcher {
    /// A patcher with limits of 262,144 items and, like [`Parser::new`](super::Parser::new), 131,072 levels.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_items: 1 << 18,
            max_depth: DEEPEST,
        }
    }

    /// The greatest number of items by which a document may grow beyond the size of its patch, and of components by which a patch may
    /// grow beyond the size of its documents.
    #[must_use]
    pub const fn max_items(self, items: u64) -> Self {
        Self {
            max_items: items,
            ..self
        }
    }

    /// The greatest number of lists and tables that may be nested.
    #[must_use]
    pub const fn max_depth(self, levels: usize) -> Self {
        Self {
            max_depth: levels,
            ..self
        }
    }

    /// Like [`patch()`], but with these limits.
    ///
    /// # Errors
    ///
    /// As [`patch()`].
    pub fn patch(&self, document: &Item, patch: &Item) -> Result<Item, PatchError> {
        let mut document = document.deep_clone();
        let failed = |operation, problem| PatchError { operation, problem };
        let operations = patch
            .to_list()
            .ok_or(failed(0, PatchProblem::Malformed("a patch must be a list")))?;
        let operations: Vec<Item> = operations.read().iter().cloned().collect();
        let mut left = self.max_items;
        for (index, operation) in operations.iter().enumerate() {
            document = self
                .apply(document, operation, &mut left)
                .map_err(|problem| failed(index, problem))?;
        }
        Ok(document)
    }

    /// Like [`merge_patch`], but with these limits.
    ///
    /// # Errors
    ///
    /// As [`merge_patch`].
    pub fn merge(&self, document: &Item, patch: &Item) -> Result<Item, PatchProblem> {
        self.check_depth(0, patch)?;
        let Some(patch) = patch.to_owned_as::<HashTable>() else {
            return Ok(patch.deep_clone());
        };
        let merged = document.deep_clone().to_owned_as::<HashTable>().unwrap_or_default();
        // Tables within tables wait in `open`, so that deep patches need no deep stack.
        let mut open = vec![(merged.clone(), patch)];
        while let Some((target, patch)) = open.pop() {
            // Copied, so that only one of both tables is locked at a time.
            let entries: Vec<(Item, Item)> = {
                let entries = patch.read();
                entries.iter().map(|(key, item)| (key.clone(), item.clone())).collect()
            };
            let mut target = target.write();
            for (key, item) in entries {
                if item.is_none() {
                    target.take(&key);
                } else if let Some(inner) = item.to_owned_as::<HashTable>() {
                    // An object is merged with the one that is there, or with an empty one, which removes its nulls.
                    let known = target[&key].to_owned_as::<HashTable>();
                    let table = known.unwrap_or_else(|| {
                        let table = HashTable::new();
                        target.set(&key, &table);
                        table
                    });
                    open.push((table, inner));
                } else {
                    target.set(key, item.deep_clone());
                }
            }
        }
        Ok(merged.into())
    }

    /// Whether an item may be put into this number of collections.
    pub(super) fn check_depth(&self, around: usize, item: &Item) -> Result<(), PatchProblem> {
        if around + item.levels() > self.max_depth {
            return Err(PatchProblem::TooDeep(self.max_depth));
        }
        Ok(())
    }

    /// The document after one operation, which changes it in place where it can. `left` is the number of items that may still be copied.
    fn apply(self, document: Item, operation: &Item, left: &mut u64) -> Result<Item, PatchProblem> {
        let operation = operation
            .to_table()
            .ok_or(PatchProblem::Malformed("an operation must be an object"))?;
        let operation = operation.read();
        let pointer = |member: &str, missing| {
            let text = operation[member].as_string();
            let pointer = text.as_deref().and_then(strict);
            pointer.ok_or(PatchProblem::Malformed(missing))
        };
        // Only some operations have these members, so they are read where they are needed.
        let from = || pointer("from", "`from` must be a JSON pointer");
        let value = |path: &Pointer| {
            let value = operation.get_entry("value").ok_or(NO_VALUE)?.1;
            self.check_depth(path.len(), value)?;
            Ok(value.deep_clone())
        };
        let name = operation["op"].as_string();
        let path = pointer("path", "`path` must be a JSON pointer")?;
        match name.as_deref() {
            Some("add") => {
                let value = value(&path)?;
                add(document, path, value)
            }
            Some("remove") => Ok(remove(document, path)?.0),
            Some("replace") => {
                let value = value(&path)?;
                // Unlike `add`, it needs an item that is there.
                find(&document, &path)?;
                match Place::of(&document, path)? {
                    Place::Whole => return Ok(value),
                    Place::Index(list, index) => {
                        list.write().set(index, value);
                    }
                    Place::Key(table, key) => {
                        table.write().set(key, value);
                    }
                }
                Ok(document)
            }
            Some("move") => {
                let from = from()?;
                // An item that is moved into itself would be lost.
                if from.len() < path.len() && from.components().zip(path.components()).all(|(a, b)| a == b) {
                    return Err(PatchProblem::Inside(path));
                }
                let (document, moved) = remove(document, from)?;
                self.check_depth(path.len(), &moved)?;
                add(document, path, moved)
            }
            Some("copy") => {
                // A copy that is copied again grows twofold each time, so copies are limited.
                let copied = find(&document, &from()?)?.copy_within(left);
                let copied = copied.ok_or(PatchProblem::TooMany(self.max_items))?;
                self.check_depth(path.len(), &copied)?;
                add(document, path, copied)
            }
            Some("test") => {
                let item = find(&document, &path)?;
                let value = operation.get_entry("value").ok_or(NO_VALUE)?.1;
                if item.same_by(value, Item::same_value) {
                    Ok(document)
                } else {
                    Err(PatchProblem::Differs(path))
                }
            }
            _ => Err(PatchProblem::Malformed(
                "`op` must be add, remove, replace, move, copy or test",
            )),
        }
    }
}

/// The error of a [`patch`] that was not applied.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let error =
///     json::patch(&json!({}), &json!([{"op": "remove", "path": "/a"}])).unwrap_err();
/// let missing = json::PatchProblem::Missing("/a".parse().unwrap());
/// assert_eq!(*error.problem(), missing);
/// assert_eq!(
///     (error.operation(), error.to_string().as_str()),
///     (0, "operation 0: /a refers to no item")
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchError {
    operation: usize,
    problem: PatchProblem,
}

/// The cause of a [`PatchError`], and the error of [`merge_patch`] and [`diff()`](super::diff()).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchProblem {
    /// The patch or the operation is malformed: this part is missing or wrong.
    Malformed(&'static str),
    /// The pointer refers to no item.
    Missing(Pointer),
    /// The item differs from the value of the operation `test`.
    Differs(Pointer),
    /// The operation would move the item into itself.
    Inside(Pointer),
    /// Lists and tables would be nested deeper than this limit: [`Patcher::max_depth`].
    TooDeep(usize),
    /// The operations would add more items than this limit: [`Patcher::max_items`].
    TooMany(u64),
    /// The pointers of a patch made by [`diff()`](super::diff()) would have more components than this limit:
    /// [`Patcher::max_items`].
    TooLong(u64),
}

impl PatchError {
    /// The index of the operation that failed.
    #[must_use]
    pub fn operation(&self) -> usize {
        self.operation
    }

    /// The cause.
    #[must_use]
    pub fn problem(&self) -> &PatchProblem {
        &self.problem
    }
}

impl fmt::Display for PatchProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => f.write_str(what),
            Self::Missing(pointer) => write!(f, "{pointer} refers to no item"),
            Self::Differs(pointer) => write!(f, "the item at `{pointer}` differs from the tested value"),
            Self::Inside(pointer) => write!(f, "{pointer} is inside the moved item"),
            Self::TooDeep(limit) => write!(f, "lists and tables would be nested deeper than {limit}"),
            Self::TooMany(limit) => write!(f, "this would add more than {limit} items"),
            Self::TooLong(limit) => write!(
                f,
                "the pointers of the patch would have more than {limit} components beyond the first 16 of each; raise `max_items`, or \
                 replace the whole document"
            ),
        }
    }
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.operation, self.problem)
    }
}

impl Error for PatchProblem {}

impl Error for PatchError {}

const NO_VALUE: PatchProblem = PatchProblem::Malformed("`value` is missing");

/// The place that a pointer refers to.
enum Place {
    Whole,
    /// An index up to the length.
    Index(Owned<ArrayList>, usize),
    Key(Owned<HashTable>, String),
}

impl Place {
    fn of(document: &Item, path: Pointer) -> Result<Self, PatchProblem> {
        let mut parent = path.clone();
        let Some(last) = parent.pop() else {
            return Ok(Self::Whole);
        };
        let parent = find(document, &parent)?;
        // Not one that is only watched: the document is a copy, but what it watches is not.
        if let Some(table) = parent.to_owned_as::<HashTable>() {
            return Ok(Self::Key(table, last));
        }
        // `-` is the place behind the last item, which only `add` can fill.
        let place = parent.to_owned_as::<ArrayList>().and_then(|list| {
            let len = list.read().len();
            let index = if last == "-" { Some(len) } else { number(&last) };
            Some((list, index.filter(|index| *index <= len)?))
        });
        place.map_or(Err(PatchProblem::Missing(path)), |(list, index)| {
            Ok(Self::Index(list, index))
        })
    }
}

fn add(document: Item, path: Pointer, value: Item) -> Result<Item, PatchProblem> {
    match Place::of(&document, path)? {
        Place::Whole => return Ok(value),
        Place::Index(list, index) => {
            list.write().insert(index, value);
        }
        Place::Key(table, key) => {
            table.write().set(key, value);
        }
    }
    Ok(document)
}

/// The document without an item, and the item.
fn remove(document: Item, path: Pointer) -> Result<(Item, Item), PatchProblem> {
    find(&document, &path)?;
    let removed = match Place::of(&document, path)? {
        Place::Whole => return Ok((Item::NONE, document)),
        Place::Index(list, index) => list.write().remove(index),
        Place::Key(table, key) => table.write().take(key),
    };
    Ok((document, removed))
}

/// The item that a pointer refers to.
fn find(document: &Item, path: &Pointer) -> Result<Item, PatchProblem> {
    let mut item = Some(document.clone());
    for component in path.components() {
        item = item.and_then(|item| match item.to_list() {
            Some(list) => {
                let items = list.read();
                number(component)
                    .filter(|index| *index < items.len())
                    .map(|index| items[index].clone())
            }
            None => item.find_by([component].into_iter().collect::<Pointer>()),
        });
    }
    item.ok_or_else(|| PatchProblem::Missing(path.clone()))
}

/// A pointer as RFC 6901 writes it.
fn strict(text: &str) -> Option<Pointer> {
    let mut escapes = text.split('~').skip(1);
    let is_strict = (text.is_empty() || text.starts_with('/')) && escapes.all(|rest| rest.starts_with(['0', '1']));
    is_strict.then(|| text.into())
}
