//! Changes of documents that are documents themselves: JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396).

use std::error::Error;
use std::{fmt, mem};

use acedia::__private::FirstPanic;
use acedia::Owned;
use acedia_collections::__private::{DEEPEST, number};
use acedia_collections::{ArrayList, HashTable, Item, Nested as _, Pointer, Reason};

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
/// # Errors
///
/// The patch is not a list of operations, a pointer refers to no item, a test fails, or the result would exceed a limit of
/// [`Patcher::new`].
///
/// # Panics
///
/// As [`Item::deep_clone`].
///
/// # Cost
///
/// One copy of the document, and the cost of [`patch_in_place`].
pub fn patch(document: &Item, patch: &Item) -> Result<Item, PatchError> {
    let mut document = document.deep_clone();
    patch_in_place(&mut document, patch)?;
    Ok(document)
}

/// Changes a document by a JSON Patch (RFC 6902). After an error, the document has its old items, in their old order.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let mut document = json!({"name": "Bob", "inventory": ["rope"]});
/// let patch = json!([{"op": "replace", "path": "/name", "value": "Eve"}]);
/// json::patch_in_place(&mut document, &patch)?;
/// assert_eq!(json::show(&document).to_string(), r#"{"name":"Eve","inventory":["rope"]}"#);
///
/// let failing =
///     json!([{"op": "remove", "path": "/name"}, {"op": "remove", "path": "/age"}]);
/// assert!(json::patch_in_place(&mut document, &failing).is_err());
/// assert_eq!(json::show(&document).to_string(), r#"{"name":"Eve","inventory":["rope"]}"#);
/// # Ok::<(), json::PatchError>(())
/// ```
///
/// The lists and tables of the document are changed in place, so all their owners and handles see the changes. Only an operation with
/// an empty path replaces the item itself. The values of the patch are copied into the document.
///
/// Another thread can see the document between two operations. If that thread changes the document, an error may not undo all changes.
/// For example, a collection A that was removed from B is not put back if that thread has put B into A.
///
/// # Errors
///
/// As [`patch()`]. Also, another thread has been changing an inserted collection for 50 ms, or has put the target collection into it.
///
/// # Panics
///
/// If waiting for a collection on a path would deadlock, because this thread is reading or changing it. The document has its old items
/// again then, too.
///
/// # Cost
///
/// Independent of the size of the document. Each operation looks up its path. `add` and `replace` copy their value; `copy` copies an
/// item, and `move` visits the collections in it. An operation on a list moves the items after its index. After an error, the undone
/// operations cost as much once more.
pub fn patch_in_place(document: &mut Item, patch: &Item) -> Result<(), PatchError> {
    Patcher::new().patch_in_place(document, patch)
}

/// A copy of a document, changed by a JSON Merge Patch (RFC 7396): entries of the patch replace the document's entries at every level,
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
/// # Errors
///
/// The patch is nested deeper than the limit of [`Patcher::new`].
///
/// # Panics
///
/// As [`Item::deep_clone`].
///
/// # Cost
///
/// One copy of both documents.
pub fn merge_patch(document: &Item, patch: &Item) -> Result<Item, PatchProblem> {
    let mut document = document.deep_clone();
    merge_patch_in_place(&mut document, patch)?;
    Ok(document)
}

/// Changes a document by a JSON Merge Patch (RFC 7396), as [`patch_in_place`] does by a JSON Patch.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let mut document = json!({"title": "Goodbye!", "author": {"given": "John"}});
/// let patch = json!({"title": "Hello!", "author": {"given": null, "family": "Doe"}});
/// json::merge_patch_in_place(&mut document, &patch)?;
/// assert_eq!(
///     json::show(&document).to_string(),
///     r#"{"title":"Hello!","author":{"family":"Doe"}}"#
/// );
/// # Ok::<(), json::PatchProblem>(())
/// ```
///
/// # Errors
///
/// The patch is nested too deep. Nothing has changed then.
///
/// # Panics
///
/// As [`patch_in_place`], but entries that were changed before the panic stay changed.
///
/// # Cost
///
/// Linear in the patch.
pub fn merge_patch_in_place(document: &mut Item, patch: &Item) -> Result<(), PatchProblem> {
    Patcher::new().merge_patch_in_place(document, patch)
}

/// Changes documents by patches, within limits. A patch that exceeds a limit is an error, and the document is not
/// changed.
///
/// | Method | [`max_items`](Self::max_items) limits | [`max_depth`](Self::max_depth) limits |
/// |---|---|---|
/// | [`patch_in_place`](Self::patch_in_place) | the items that all `copy` operations together add | the levels around and in each inserted item |
/// | [`merge_patch_in_place`](Self::merge_patch_in_place) | nothing, because the result has at most the items of both documents | the levels of the patch |
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
/// let error = Patcher::new().max_items(10).patch_in_place(&mut json!({"a": [0]}), &patch).unwrap_err();
/// assert_eq!(error.to_string(), "operation at index 2: this would add more than 10 items");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Patcher {
    max_items: u64,
    max_depth: usize,
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

    /// The greatest number of items by which a document may grow beyond the size of its patch.
    #[must_use]
    pub const fn max_items(mut self, items: u64) -> Self {
        self.max_items = items;
        self
    }

    /// The greatest number of lists and tables that may be nested.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = levels;
        self
    }

    /// Like [`patch_in_place`], but with these limits.
    ///
    /// # Errors
    ///
    /// As [`patch_in_place`].
    pub fn patch_in_place(&self, document: &mut Item, patch: &Item) -> Result<(), PatchError> {
        let failed = |operation, problem| PatchError { operation, problem };
        let operations = patch
            .to_list()
            .ok_or(failed(0, PatchProblem::Malformed("a patch must be a list")))?;
        let operations: Vec<Item> = operations.read().iter().cloned().collect();
        let mut change = Change {
            document,
            limits: *self,
            left: self.max_items,
            undo: Vec::new(),
        };
        for (index, operation) in operations.iter().enumerate() {
            change.apply(operation).map_err(|problem| failed(index, problem))?;
        }
        change.finish();
        Ok(())
    }

    /// Like [`merge_patch_in_place`], but with these limits.
    ///
    /// # Errors
    ///
    /// As [`merge_patch_in_place`].
    pub fn merge_patch_in_place(&self, document: &mut Item, patch: &Item) -> Result<(), PatchProblem> {
        self.check_depth(0, patch)?;
        // Before anything changes: tables of the patch may be in the document, too.
        let copy = patch.deep_clone();
        let Some(patch) = copy.to_owned_as::<HashTable>() else {
            *document = copy;
            return Ok(());
        };
        let target = document.to_owned_as::<HashTable>().unwrap_or_else(|| {
            let table = HashTable::new();
            *document = Item::from(&table);
            table
        });
        // Tables within tables wait in `open`, so that deep patches need no deep stack.
        let mut open = vec![(target, patch)];
        while let Some((target, patch)) = open.pop() {
            // Copied, so that one table is locked at a time.
            let entries: Vec<(Item, Item)> = {
                let entries = patch.read();
                entries.iter().map(|(key, item)| (key.clone(), item.clone())).collect()
            };
            for (key, item) in entries {
                if item.is_none() {
                    target.write().take(&key);
                } else if let Some(inner) = item.to_owned_as::<HashTable>() {
                    // A table is merged into the table that is there, or into an empty one, which leaves out its nulls.
                    let known = target.get(&key).to_owned_as::<HashTable>();
                    let table = known.unwrap_or_else(|| {
                        let table = HashTable::new();
                        target.write().set(&key, &table);
                        table
                    });
                    open.push((table, inner));
                } else {
                    target.write().set(key, item);
                }
            }
        }
        Ok(())
    }

    /// Whether an item may be put into this number of collections.
    fn check_depth(&self, around: usize, item: &Item) -> Result<(), PatchProblem> {
        if around + item.levels() > self.max_depth {
            return Err(PatchProblem::TooDeep(self.max_depth));
        }
        Ok(())
    }
}

/// How often an undo tries to put an item back. Each time, the search for cycles waits up to 50 ms for a collection in the item that
/// another thread is changing.
const TRIES: usize = 20;

/// A document that is being changed. The drop undoes the changes, even after a panic.
struct Change<'a> {
    document: &'a mut Item,
    limits: Patcher,
    /// The number of items that may still be copied.
    left: u64,
    /// The undo steps of the changes so far, in the order of the changes.
    undo: Vec<Undo>,
}

/// Undoes a change. It holds the item that was removed, so nothing is released before the patch is done.
struct Undo {
    place: Place,
    change: Changed,
    /// The item that was there.
    item: Item,
}

enum Changed {
    Added,
    /// In a table, the removed entry had this place and this key.
    Removed(usize, Item),
    Replaced,
}

impl Undo {
    /// Undoes the change, unless a collection is refused.
    fn run(&mut self, document: &mut Item, searches: bool) -> Result<(), Reason> {
        let item = mem::take(&mut self.item);
        let done = match (&self.place, &self.change) {
            (Place::Whole, _) => {
                *document = item;
                Ok(())
            }
            (Place::Index(list, index), Changed::Added) => {
                list.write().remove(*index);
                Ok(())
            }
            (Place::Index(list, index), Changed::Removed(..)) => list.write_back(searches).try_insert(*index, item),
            (Place::Index(list, index), Changed::Replaced) => list.write_back(searches).try_set(*index, item).map(drop),
            (Place::Key(table, key), Changed::Added) => {
                table.write().take_out(&**key);
                Ok(())
            }
            (Place::Key(table, _), Changed::Removed(place, key)) => {
                table.write_back(searches).put_back(*place, [key.clone(), item])
            }
            (Place::Key(table, key), Changed::Replaced) => table.write_back(searches).replace(&**key, item).map(drop),
        };
        done.map_err(|refused| {
            let reason = refused.reason();
            self.item = refused.into_item();
            reason
        })
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        let mut panics = FirstPanic::new();
        for mut undo in mem::take(&mut self.undo).into_iter().rev() {
            panics.catch(|| {
                let is_busy = (0..TRIES).all(|_| undo.run(self.document, true) == Err(Reason::Busy));
                // A guard of a collection in the item is held by this thread beyond this call, or by a thread that waits for this one.
                is_busy.then(|| undo.run(self.document, false))
            });
        }
        panics.resume();
    }
}

impl Change<'_> {
    fn finish(mut self) {
        for undo in &mem::take(&mut self.undo) {
            if let (Place::Key(table, _), Changed::Removed(..)) = (&undo.place, &undo.change) {
                table.write().close();
            }
        }
    }

    /// Does one operation, or part of it before an error.
    fn apply(&mut self, operation: &Item) -> Result<(), PatchProblem> {
        let operation = operation
            .to_table()
            .ok_or(PatchProblem::Malformed("an operation must be an object"))?;
        let pointer = |member: &str, missing| {
            let text = operation.get(member).to_string();
            let pointer = text.as_deref().and_then(strict);
            pointer.ok_or(PatchProblem::Malformed(missing))
        };
        // Only some operations have these members, so they are read where they are needed.
        let from = || pointer("from", "`from` must be a JSON pointer");
        let value = || {
            let entries = operation.read();
            let value = entries.get_entry("value").map(|(_, value)| value.clone());
            value.ok_or(PatchProblem::Malformed("`value` is missing"))
        };
        let limits = self.limits;
        let copied = |path: &Pointer| {
            let value = value()?;
            limits.check_depth(path.len(), &value)?;
            Ok(value.deep_clone())
        };
        let path = pointer("path", "`path` must be a JSON pointer")?;
        match operation.get("op").to_string().as_deref() {
            Some("add") => {
                let value = copied(&path)?;
                self.put(&path, value, false)
            }
            Some("remove") => self.remove(&path).map(drop),
            Some("replace") => {
                let value = copied(&path)?;
                self.put(&path, value, true)
            }
            Some("move") => {
                let from = from()?;
                // An item that is moved into itself would be lost.
                if from.len() < path.len() && from.components().zip(path.components()).all(|(a, b)| a == b) {
                    return Err(PatchProblem::Inside(path));
                }
                let moved = self.remove(&from)?;
                limits.check_depth(path.len(), &moved)?;
                self.put(&path, moved, false)
            }
            Some("copy") => {
                // Copying a copy can double the document each time, so copies are limited.
                let copied = self.find(&from()?)?.copy_within(&mut self.left);
                let copied = copied.ok_or(PatchProblem::TooMany(limits.max_items))?;
                limits.check_depth(path.len(), &copied)?;
                self.put(&path, copied, false)
            }
            Some("test") => {
                let item = self.find(&path)?;
                if item.same_by(&value()?, Item::same_value) {
                    Ok(())
                } else {
                    Err(PatchProblem::Differs(path))
                }
            }
            _ => Err(PatchProblem::Malformed(
                "`op` must be add, remove, replace, move, copy or test",
            )),
        }
    }

    fn find(&self, path: &Pointer) -> Result<Item, PatchProblem> {
        self.document
            .find_in(path.components())
            .ok_or_else(|| PatchProblem::Missing(path.clone()))
    }

    /// Puts the item into its place. With `replaces`, an item must be there. Otherwise an item that is there is replaced in a table, and
    /// moved on in a list.
    fn put(&mut self, path: &Pointer, item: Item, replaces: bool) -> Result<(), PatchProblem> {
        let place = Place::of(self.document, path)?;
        let before = match &place {
            Place::Whole => Ok(Some(mem::replace(self.document, item))),
            Place::Index(list, index) if !replaces => list.write().try_insert(*index, item).map(|()| None),
            Place::Index(list, index) => {
                let mut items = list.write();
                if *index >= items.len() {
                    return Err(PatchProblem::Missing(path.clone()));
                }
                items.try_set(*index, item).map(Some)
            }
            Place::Key(table, key) => {
                let mut entries = table.write();
                // An existing entry keeps its key. Capacity is reserved first, because the places of removed entries must stay.
                match entries.replace(&**key, item) {
                    Err(refused) if refused.reason() == Reason::NoKey && !replaces => {
                        let set = entries.reserve(1).try_set(key.as_str(), refused.into_item());
                        set.map(|_| None)
                    }
                    done => done.map(Some),
                }
            }
        };
        let before = before.map_err(|refused| match refused.reason() {
            Reason::Beyond | Reason::NoKey => PatchProblem::Missing(path.clone()),
            reason => PatchProblem::Refused(reason),
        })?;
        let change = if before.is_some() {
            Changed::Replaced
        } else {
            Changed::Added
        };
        self.note(place, change, before.unwrap_or_default());
        Ok(())
    }

    fn remove(&mut self, path: &Pointer) -> Result<Item, PatchProblem> {
        let place = Place::of(self.document, path)?;
        let removed = match &place {
            Place::Whole => Some((0, [Item::NONE, mem::take(self.document)])),
            Place::Index(list, index) => {
                let mut items = list.write();
                let is_there = *index < items.len();
                is_there.then(|| (0, [Item::NONE, items.remove(*index)]))
            }
            Place::Key(table, key) => table.write().take_out(&**key),
        };
        let (at, [key, item]) = removed.ok_or_else(|| PatchProblem::Missing(path.clone()))?;
        self.note(place, Changed::Removed(at, key), item.clone());
        Ok(item)
    }

    fn note(&mut self, place: Place, change: Changed, item: Item) {
        self.undo.push(Undo { place, change, item });
    }
}

/// The error of a [`patch`] that was not applied.
///
/// ```
/// use acedia_json::{self as json, json};
///
/// let error =
///     json::patch(&json!({}), &json!([{"op": "remove", "path": "/a"}])).unwrap_err();
/// let missing = json::PatchProblem::Missing("/a".into());
/// assert_eq!(*error.problem(), missing);
/// assert_eq!(
///     (error.operation(), error.to_string().as_str()),
///     (0, "operation at index 0: `/a` refers to no item")
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchError {
    operation: usize,
    problem: PatchProblem,
}

/// The cause of a [`PatchError`], and the error of [`merge_patch`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchProblem {
    /// The patch or the operation is malformed: this part is missing or wrong.
    Malformed(&'static str),
    /// The pointer refers to no item.
    Missing(Pointer),
    /// The target collection cannot own the item, for this reason. Other code is changing the document.
    Refused(Reason),
    /// The item differs from the value of the operation `test`.
    Differs(Pointer),
    /// The operation would move the item into itself.
    Inside(Pointer),
    /// Lists and tables would be nested deeper than this limit: [`Patcher::max_depth`].
    TooDeep(usize),
    /// The operations would add more items than this limit: [`Patcher::max_items`].
    TooMany(u64),
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
            Self::Missing(pointer) => write!(f, "`{pointer}` refers to no item"),
            Self::Refused(reason) => reason.fmt(f),
            Self::Differs(pointer) => write!(f, "the item at `{pointer}` differs from the tested value"),
            Self::Inside(pointer) => write!(f, "cannot move an item into itself: `{pointer}` is inside the item"),
            Self::TooDeep(limit) => write!(f, "lists and tables would be nested deeper than {limit} levels"),
            Self::TooMany(limit) => write!(f, "this would add more than {limit} items"),
        }
    }
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation at index {}: {}", self.operation, self.problem)
    }
}

impl Error for PatchProblem {}

impl Error for PatchError {}

/// A place that a pointer refers to, with or without item.
enum Place {
    Whole,
    /// An index, which may be the end or beyond it.
    Index(Owned<ArrayList>, usize),
    Key(Owned<HashTable>, String),
}

impl Place {
    fn of(document: &Item, path: &Pointer) -> Result<Self, PatchProblem> {
        let mut components = path.components();
        let Some(last) = components.next_back() else {
            return Ok(Self::Whole);
        };
        let missing = || PatchProblem::Missing(path.clone());
        let parent = document.find_in(components).ok_or_else(missing)?;
        if let Some(table) = parent.to_owned_as::<HashTable>() {
            return Ok(Self::Key(table, last.to_owned()));
        }
        let items = parent.to_owned_as::<ArrayList>().ok_or_else(missing)?;
        // `-` is the place behind the last item.
        let index = if last == "-" { Some(items.len()) } else { number(last) };
        Ok(Self::Index(items, index.ok_or_else(missing)?))
    }
}

/// A pointer as RFC 6901 writes it.
fn strict(text: &str) -> Option<Pointer> {
    let mut escapes = text.split('~').skip(1);
    let is_strict = (text.is_empty() || text.starts_with('/')) && escapes.all(|rest| rest.starts_with(['0', '1']));
    is_strict.then(|| text.into())
}
