//! [`World`]: a list, a table and some objects, and their model.

use acedia::{Handle, Owned};
use acedia_boxes::{IntBox, IntRef};
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_text::Text;

/// The model of an item. Objects are indices into the list of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    None,
    Int(i32),
    Boxed(i32),
    Float(i32),
    Text(i32),
    Owned(usize),
    Watched(usize),
}

/// An object, and its owner outside the collections. It holds its own number.
pub(super) struct Object {
    pub(super) external: Option<Owned<IntRef>>,
    pub(super) handle: Handle<IntRef>,
}

pub(super) struct World {
    pub(super) objects: Vec<Object>,
    pub(super) list: Owned<ArrayList>,
    pub(super) items: Vec<Value>,
    pub(super) table: Owned<HashTable>,
    /// Entries whose keys are dead stay until the next operation removes them.
    pub(super) entries: Vec<(Value, Value)>,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            objects: Vec::new(),
            list: ArrayList::new(),
            items: Vec::new(),
            table: HashTable::new(),
            entries: Vec::new(),
        }
    }

    /// The value of a code, or nothing if there is no such object.
    pub(super) fn value(&self, code: u8) -> Value {
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

    pub(super) fn external(&self, which: usize) -> Option<&Owned<IntRef>> {
        self.objects.get(which)?.external.as_ref()
    }

    pub(super) fn is_alive(&self, which: usize) -> bool {
        let held = |value: &Value| *value == Value::Owned(which);
        which < self.objects.len()
            && (self.external(which).is_some()
                || self.items.iter().any(held)
                || self.entries.iter().any(|(key, value)| held(key) || held(value)))
    }

    pub(super) fn item(&self, value: Value) -> Item {
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

    pub(super) fn reads_as_none(&self, value: Value) -> bool {
        match value {
            Value::None => true,
            Value::Watched(which) => !self.is_alive(which),
            _ => false,
        }
    }

    pub(super) fn equal(&self, left: Value, right: Value) -> bool {
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

    /// The result of an integer getter.
    pub(super) fn int(&self, value: Value) -> Option<i32> {
        match value {
            _ if self.reads_as_none(value) => None,
            Value::Int(number) | Value::Boxed(number) | Value::Float(number) => Some(number),
            Value::Owned(which) | Value::Watched(which) => i32::try_from(which).ok(),
            Value::Text(_) | Value::None => None,
        }
    }

    pub(super) fn find(&self, wanted: Value) -> Option<usize> {
        self.items.iter().position(|item| self.equal(*item, wanted))
    }

    pub(super) fn find_entry(&self, wanted: Value) -> Option<usize> {
        let findable = !self.reads_as_none(wanted);
        findable.then(|| self.entries.iter().position(|(key, _)| self.equal(*key, wanted)))?
    }

    pub(super) fn kept(&self, value: Value, parity: bool) -> bool {
        self.int(value).is_none_or(|int| (int % 2 == 0) == parity)
    }

    /// Checks that the item agrees with the model.
    pub(super) fn same(&self, item: &Item, value: Option<Value>) {
        let value = value.unwrap_or(Value::None);
        assert_eq!(item.is_none(), self.reads_as_none(value), "{item:?} is {value:?}");
        assert_eq!(item.as_int(), self.int(value), "{item:?} is {value:?}");
        let is_owned = matches!(value, Value::Boxed(_) | Value::Text(_) | Value::Owned(_));
        assert_eq!(item.is_owned(), is_owned, "{item:?} is {value:?}");
        if let Value::Text(number) = value {
            assert_eq!(item.to_string().as_deref(), Some(text(number)));
        }
    }

    pub(super) fn check(&self) {
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
        for ((key, value), (first, _)) in self.entries.iter().filter(alive).zip(entries.iter()) {
            self.same(first, Some(*key));
            let (stored, item) = match key {
                // It may be the last owner: then no other exists.
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

pub(super) fn float(number: i32) -> f32 {
    [0.0, 1.0, 2.0, 3.0, 4.0][usize::try_from(number).unwrap_or(0)]
}

pub(super) fn text(number: i32) -> &'static str {
    ["", "a", "ab", "ключ", "a rather long text, longer than a word"][usize::try_from(number).unwrap_or(0)]
}
