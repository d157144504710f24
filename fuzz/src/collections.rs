//! Operations on a list and a table, and the same on `Vec`s in the plainest way.
//!
//! Also the property tests of `acedia-collections`, which take this file in.

use acedia_allocator::{Handle, Owned};
use acedia_boxes::{IntBox, IntRef};
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_text::Text;
use arbitrary::Arbitrary;

/// A list that is longer than this grows no further.
const MOST: usize = 200;

/// One step. Items are chosen by code, see [`Value`]; numbers choose among what there is, and sometimes a bit beyond.
#[derive(Arbitrary, Clone, Copy, Debug)]
#[allow(missing_docs, reason = "named after what they call")]
pub enum Op {
    NewObject,
    DropObject { which: u8 },
    Push { code: u8 },
    PushNone { count: u8 },
    Set { index: u8, code: u8 },
    Insert { index: u8, code: u8 },
    InsertNone { index: u8, count: u8 },
    Remove { index: u8 },
    RemoveMany { index: u8, count: u8 },
    RemoveAll { code: u8 },
    RemoveFirst { code: u8 },
    Take { index: u8 },
    SetLen { len: u8 },
    Retain { parity: bool },
    Drain { start: u8, end: u8 },
    SortByInt,
    ClearList,
    NewList,
    SetKey { key: u8, code: u8 },
    TakeKey { key: u8 },
    TakeEntry { key: u8 },
    RemoveKey { key: u8 },
    OrInsert { key: u8, code: u8 },
    RetainKeys { parity: bool },
    Sweep,
    Capacity { capacity: u8 },
    ClearTable,
    NewTable,
}

/// What the model knows of an item. Objects are numbers in the list of all.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    None,
    Int(i32),
    Boxed(i32),
    Float(i32),
    Text(i32),
    Owned(usize),
    Watched(usize),
}

/// An object, and what became of it. It holds its own number.
struct Object {
    external: Option<Owned<IntRef>>,
    handle: Handle<IntRef>,
}

struct World {
    objects: Vec<Object>,
    list: Owned<ArrayList>,
    items: Vec<Value>,
    table: Owned<HashTable>,
    /// Entries whose keys are dead stay until somebody looks.
    entries: Vec<(Value, Value)>,
}

impl World {
    fn new() -> Self {
        Self {
            objects: Vec::new(),
            list: ArrayList::new(),
            items: Vec::new(),
            table: HashTable::new(),
            entries: Vec::new(),
        }
    }

    /// The value of a code. What can't be had is nothing.
    fn value(&self, code: u8) -> Value {
        let number = i32::from(code / 8 % 5);
        let which = usize::from(code / 8) % self.objects.len().max(1);
        match code % 8 {
            1 => Value::Int(number),
            2 => Value::Boxed(number),
            3 => Value::Float(number),
            4 => Value::Text(number),
            5 if self.external(which).is_some() => Value::Owned(which),
            6 | 7 if self.is_alive(which) => Value::Watched(which),
            _ => Value::None,
        }
    }

    fn external(&self, which: usize) -> Option<&Owned<IntRef>> {
        self.objects.get(which)?.external.as_ref()
    }

    fn is_alive(&self, which: usize) -> bool {
        let held = |value: &Value| *value == Value::Owned(which);
        which < self.objects.len()
            && (self.external(which).is_some()
                || self.items.iter().any(held)
                || self.entries.iter().any(|(key, value)| held(key) || held(value)))
    }

    fn item(&self, value: Value) -> Item {
        match value {
            Value::None => Item::NONE,
            Value::Int(number) => number.into(),
            Value::Boxed(number) => IntBox::new(number).into(),
            Value::Float(number) => float(number).into(),
            Value::Text(number) => Text::from(text(number)).into(),
            Value::Owned(which) => self.external(which).into(),
            Value::Watched(which) => self.objects[which].handle.into(),
        }
    }

    fn reads_as_none(&self, value: Value) -> bool {
        match value {
            Value::None => true,
            Value::Watched(which) => !self.is_alive(which),
            _ => false,
        }
    }

    fn equal(&self, left: Value, right: Value) -> bool {
        match (left, right) {
            _ if self.reads_as_none(left) || self.reads_as_none(right) => {
                self.reads_as_none(left) && self.reads_as_none(right)
            }
            (Value::Int(left) | Value::Boxed(left), Value::Int(right) | Value::Boxed(right))
            | (Value::Float(left), Value::Float(right))
            | (Value::Text(left), Value::Text(right)) => left == right,
            (Value::Owned(left) | Value::Watched(left), Value::Owned(right) | Value::Watched(right)) => left == right,
            _ => false,
        }
    }

    /// What an integer getter gives.
    fn int(&self, value: Value) -> Option<i32> {
        match value {
            _ if self.reads_as_none(value) => None,
            Value::Int(number) | Value::Boxed(number) | Value::Float(number) => Some(number),
            Value::Owned(which) | Value::Watched(which) => i32::try_from(which).ok(),
            Value::Text(_) | Value::None => None,
        }
    }

    fn find(&self, wanted: Value) -> Option<usize> {
        self.items.iter().position(|item| self.equal(*item, wanted))
    }

    fn find_entry(&self, wanted: Value) -> Option<usize> {
        let findable = !self.reads_as_none(wanted);
        findable.then(|| self.entries.iter().position(|(key, _)| self.equal(*key, wanted)))?
    }

    fn kept(&self, value: Value, parity: bool) -> bool {
        self.int(value).is_none_or(|int| (int % 2 == 0) == parity)
    }

    fn step(&mut self, op: Op) {
        match op {
            Op::NewObject if self.objects.len() < 20 => {
                let object = IntRef::new(i32::try_from(self.objects.len()).unwrap_or(-1));
                self.objects.push(Object {
                    handle: object.handle(),
                    external: Some(object),
                });
            }
            Op::NewObject => {}
            Op::DropObject { which } => {
                let count = self.objects.len().max(1);
                if let Some(object) = self.objects.get_mut(usize::from(which) % count) {
                    object.external = None;
                }
            }
            _ => {
                self.grow_list(op);
                self.shrink_list(op);
                self.step_table(op);
            }
        }
    }

    fn grow_list(&mut self, op: Op) {
        let list = self.list.clone();
        let mut list = list.write();
        let len = self.items.len();
        match op {
            Op::Push { code } if len < MOST => {
                let value = self.value(code);
                list.push(self.item(value));
                self.items.push(value);
            }
            Op::PushNone { count } if len < MOST => {
                list.push_none(usize::from(count % 8));
                self.items.resize(len + usize::from(count % 8), Value::None);
            }
            Op::Set { index, code } => {
                let (index, value) = (place(index, len), self.value(code));
                list.set(index, self.item(value));
                self.items.resize(len.max(index + 1), Value::None);
                self.items[index] = value;
            }
            Op::Insert { index, code } if len < MOST => {
                let (index, value) = (place(index, len), self.value(code));
                list.insert(index, self.item(value));
                if index <= len {
                    self.items.insert(index, value);
                }
            }
            Op::InsertNone { index, count } if len < MOST => {
                let (index, count) = (place(index, len), usize::from(count % 8));
                list.insert_none(index, count);
                if index <= len {
                    (0..count).for_each(|_| self.items.insert(index, Value::None));
                }
            }
            _ => {}
        }
    }

    fn shrink_list(&mut self, op: Op) {
        let list = self.list.clone();
        let mut list = list.write();
        let len = self.items.len();
        match op {
            Op::Remove { index } => {
                let index = place(index, len);
                let removed = list.remove(index);
                let expected = self.items.get(index).copied();
                self.same(&removed, expected);
                if index < len {
                    self.items.remove(index);
                }
            }
            Op::RemoveMany { index, count } => {
                let (index, count) = (place(index, len), usize::from(count));
                list.remove_many(index, count);
                for _ in 0..count {
                    if index < self.items.len() {
                        self.items.remove(index);
                    }
                }
            }
            Op::RemoveAll { code } => {
                let value = self.value(code);
                let removed = list.remove_all(self.item(value));
                let kept: Vec<_> = self
                    .items
                    .iter()
                    .copied()
                    .filter(|item| !self.equal(*item, value))
                    .collect();
                assert_eq!(removed, len - kept.len());
                self.items = kept;
            }
            Op::RemoveFirst { code } => {
                let value = self.value(code);
                let found = self.find(value);
                assert_eq!(list.remove_first(self.item(value)), found.is_some());
                found.map(|index| self.items.remove(index));
            }
            Op::Take { index } => {
                let index = place(index, len);
                let taken = list.take(index);
                let expected = self.items.get(index).copied();
                self.same(&taken, expected);
                if index < len {
                    self.items[index] = Value::None;
                }
            }
            Op::SetLen { len } => {
                let len = usize::from(len) % MOST;
                list.set_len(len);
                self.items.resize(len, Value::None);
            }
            Op::Retain { parity } => {
                list.retain(|item| item.as_int().is_none_or(|int| (int % 2 == 0) == parity));
                let kept = self
                    .items
                    .iter()
                    .copied()
                    .filter(|item| self.kept(*item, parity))
                    .collect();
                self.items = kept;
            }
            Op::Drain { start, end } => {
                let (start, end) = (place(start, len).min(len), place(end, len).min(len));
                let range = start.min(end)..start.max(end);
                let drained: Vec<_> = list.drain(range.clone()).collect();
                assert_eq!(drained.len(), range.len());
                for (item, index) in drained.iter().zip(range.clone()) {
                    self.same(item, Some(self.items[index]));
                }
                self.items.drain(range);
            }
            Op::SortByInt => {
                list.sort_by(|left, right| left.as_int().cmp(&right.as_int()));
                let mut sorted = self.items.clone();
                sorted.sort_by_key(|item| self.int(*item));
                self.items = sorted;
            }
            Op::ClearList => {
                list.clear();
                self.items.clear();
            }
            Op::NewList => {
                drop(list);
                self.list = ArrayList::new();
                self.items.clear();
            }
            _ => {}
        }
    }

    fn step_table(&mut self, op: Op) {
        let table = self.table.clone();
        let mut table = table.write();
        match op {
            Op::SetKey { key, code } => {
                let (key, value) = self.pair(key, code);
                let before = table.try_set(self.item(key), self.item(value)).expect("no collection");
                let found = self.find_entry(key);
                assert_eq!(before.is_some(), found.is_some());
                self.put(found, key, value);
            }
            Op::TakeKey { key } => {
                let key = self.value(key);
                let taken = table.take(self.item(key));
                let found = self.find_entry(key);
                // The key is released, and with it perhaps what the item only watches.
                match found.map(|at| self.entries.remove(at).1) {
                    Some(Value::Owned(which)) => assert_eq!(taken.as_int(), i32::try_from(which).ok()),
                    watched => self.same(&taken, watched),
                }
            }
            Op::TakeEntry { key } => {
                let key = self.value(key);
                let taken = table.take_entry(self.item(key));
                let found = self.find_entry(key);
                assert_eq!(taken.is_some(), found.is_some());
                if let (Some((key, value)), Some(at)) = (&taken, found) {
                    self.same(key, Some(self.entries[at].0));
                    self.same(value, Some(self.entries[at].1));
                    self.entries.remove(at);
                }
            }
            Op::RemoveKey { key } => {
                let key = self.value(key);
                let found = self.find_entry(key);
                assert_eq!(table.remove(self.item(key)), found.is_some());
                found.map(|at| self.entries.remove(at));
            }
            Op::OrInsert { key, code } => {
                let (key, value) = self.pair(key, code);
                let found = self.find_entry(key);
                let there = found.is_some_and(|at| !self.reads_as_none(self.entries[at].1));
                table.entry(self.item(key)).or_insert(self.item(value));
                if !there {
                    self.put(found, key, value);
                }
            }
            Op::RetainKeys { parity } => {
                table.retain(|key, _| key.as_int().is_none_or(|int| (int % 2 == 0) == parity));
                let kept = |key: Value| !self.reads_as_none(key) && self.kept(key, parity);
                self.entries = self.entries.iter().copied().filter(|entry| kept(entry.0)).collect();
            }
            Op::Sweep => {
                table.sweep();
            }
            Op::Capacity { capacity } => {
                table.set_minimal_capacity(capacity.into());
                assert!(table.capacity() >= usize::from(capacity));
            }
            Op::ClearTable => {
                table.clear();
                self.entries.clear();
            }
            Op::NewTable => {
                drop(table);
                self.table = HashTable::new();
                self.entries.clear();
            }
            _ => {}
        }
    }

    /// A key and an item. What a watched key leads to is not owned: nobody can say how long it would live.
    fn pair(&self, key: u8, code: u8) -> (Value, Value) {
        let (key, value) = (self.value(key), self.value(code));
        match (key, value) {
            (Value::Watched(_), Value::Owned(which)) => (key, Value::Watched(which)),
            pair => pair,
        }
    }

    fn put(&mut self, found: Option<usize>, key: Value, value: Value) {
        match found {
            Some(at) => self.entries[at] = (key, value),
            None if self.reads_as_none(key) => {}
            None => self.entries.push((key, value)),
        }
    }

    /// The item is what the model says.
    fn same(&self, item: &Item, value: Option<Value>) {
        let value = value.unwrap_or(Value::None);
        assert_eq!(item.is_none(), self.reads_as_none(value), "{item:?} is {value:?}");
        assert_eq!(item.as_int(), self.int(value), "{item:?} is {value:?}");
        if let Value::Text(number) = value {
            assert_eq!(item.as_string().as_deref(), Some(text(number)));
        }
    }

    fn check(&self) {
        for (which, object) in self.objects.iter().enumerate() {
            assert_eq!(object.handle.is_allocated(), self.is_alive(which), "object {which}");
        }
        let items = self.list.read();
        assert_eq!(items.len(), self.items.len());
        for (index, value) in self.items.iter().enumerate() {
            self.same(&items[index], Some(*value));
            assert_eq!(items.is_none(index), self.reads_as_none(*value));
            assert_eq!(items.get(index).is_none(), self.reads_as_none(*value));
        }
        let entries = self.table.read();
        let alive = |entry: &&(Value, Value)| !self.reads_as_none(entry.0);
        assert_eq!(entries.len(), self.entries.iter().filter(alive).count());
        assert_eq!(entries.iter().count(), entries.len());
        for (key, value) in self.entries.iter().filter(alive) {
            let (stored, item) = match key {
                // Its share may be the last one, so it can't be had from outside.
                Value::Owned(which) => entries.get_entry(self.objects[*which].handle),
                key => entries.get_entry(self.item(*key)),
            }
            .expect("an entry");
            self.same(stored, Some(*key));
            self.same(item, Some(*value));
        }
        for code in 0..40 {
            let wanted = self.value(code);
            let item = self.item(wanted);
            assert_eq!(items.find(&item), self.find(wanted), "{wanted:?}");
            assert_eq!(
                entries.contains_key(&item),
                self.find_entry(wanted).is_some(),
                "{wanted:?}"
            );
            match wanted {
                Value::Int(number) => assert_eq!(entries.contains_key(number), entries.contains_key(&item)),
                Value::Float(number) => assert_eq!(entries.contains_key(float(number)), entries.contains_key(&item)),
                Value::Text(number) => assert_eq!(entries.contains_key(text(number)), entries.contains_key(&item)),
                _ => {}
            }
        }
    }
}

fn float(number: i32) -> f32 {
    [0.0, 1.0, 2.0, 3.0, 4.0][usize::try_from(number).unwrap_or(0)]
}

fn text(number: i32) -> &'static str {
    ["", "a", "ab", "ключ", "a rather long text, longer than a word"][usize::try_from(number).unwrap_or(0)]
}

/// An index in a list of `len` items, or a bit beyond.
fn place(index: u8, len: usize) -> usize {
    usize::from(index) % (len + 3)
}

/// Does what `ops` say to collections and to the model.
///
/// # Panics
///
/// If they disagree.
pub fn run(ops: &[Op]) {
    let mut world = World::new();
    for op in ops {
        world.step(*op);
        world.check();
    }
    let World {
        objects, list, table, ..
    } = world;
    drop((list, table));
    for object in objects {
        let external = object.external.is_some();
        assert_eq!(object.handle.is_allocated(), external, "something is kept");
        drop(object.external);
        assert!(!object.handle.is_allocated());
    }
}
