//! Steps on the list.

use acedia_collections::ArrayList;

use super::op::Op;
use super::world::{Value, World};

/// A list longer than this does not grow.
const MOST: usize = 200;

impl World {
    pub(super) fn grow_list(&mut self, op: Op) {
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
                list.set_len(len + usize::from(count % 8));
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
                let inserted = list.try_insert(index, self.item(value));
                assert_eq!(inserted.is_ok(), index <= len);
                if index <= len {
                    self.items.insert(index, value);
                }
            }
            Op::InsertNone { index, count } if len < MOST => {
                let (index, count) = (place(index, len), usize::from(count % 8));
                if index <= len {
                    list.insert_none(index, count);
                    (0..count).for_each(|_| self.items.insert(index, Value::None));
                }
            }
            _ => {}
        }
    }

    pub(super) fn shrink_list(&mut self, op: Op) {
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
}

/// An index in a list of `len` items, or a bit beyond.
fn place(index: u8, len: usize) -> usize {
    usize::from(index) % (len + 3)
}
