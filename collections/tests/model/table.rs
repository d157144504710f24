//! Steps on the table.

use acedia_collections::{HashTable, Reason, Refused};

use super::op::Op;
use super::world::{Value, World};

impl World {
    pub(super) fn step_table(&mut self, op: Op) {
        let table = self.table.clone();
        let mut table = table.write();
        match op {
            // Several keys of one kind, because the other steps leave few.
            Op::SetKeys { key, code } => {
                for number in 0..4 {
                    let key = self.value(key.wrapping_add(8 * number));
                    let value = self.beside(key, code);
                    let refused = |refused: Refused| {
                        assert_eq!(refused.reason(), Reason::NoKey);
                        assert!(self.reads_as_none(key));
                    };
                    let before = table.try_set(self.item(key), self.item(value));
                    let before = before.map_err(refused).unwrap_or_default();
                    let found = self.find_entry(key);
                    assert_eq!(before.is_some(), found.is_some());
                    self.put(found, key, value);
                }
            }
            Op::TakeKey { key } => {
                let key = self.value(key);
                let taken = table.take(self.item(key));
                let found = self.find_entry(key);
                // Releasing the key may also free the object that the item only watches.
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
                let key = self.value(key);
                let found = self.find_entry(key);
                let there = found.is_some_and(|at| !self.reads_as_none(self.entries[at].1));
                // An existing entry keeps its key.
                let kept = found.map_or(key, |at| self.entries[at].0);
                let value = self.beside(kept, code);
                table.entry(self.item(key)).or_insert(self.item(value));
                if !there {
                    self.put(found, kept, value);
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
            // Only a table that has become large.
            Op::ClearTable | Op::NewTable if self.entries.len() < 16 => {}
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

    /// An item for a key. It does not own an object that the key may watch, because the object's lifetime would be undetermined.
    fn beside(&self, key: Value, code: u8) -> Value {
        match (key, self.value(code)) {
            (Value::Watched(_), Value::Owned(which)) => Value::Watched(which),
            (_, value) => value,
        }
    }

    fn put(&mut self, found: Option<usize>, key: Value, value: Value) {
        match found {
            Some(at) => self.entries[at] = (key, value),
            None if self.reads_as_none(key) => {}
            None => self.entries.push((key, value)),
        }
    }
}
