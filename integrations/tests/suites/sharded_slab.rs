//! The face of sharded-slab's `Slab` over a pool of values, in safe code. For 64-bit systems: a key is a `usize`.
#![forbid(unsafe_code)]

use std::fmt;
use std::ops::Deref;

use acedia::pool::{Dropping, Guard, Key, Pool, Reserved, Value, Values};

pub struct Slab<T: Send + Sync + 'static>(Values<T>);

fn key(bits: usize) -> Option<Key> {
    Key::from_bits(bits as u64)
}

impl<T: Send + Sync + 'static> Default for Slab<T> {
    fn default() -> Self {
        Self(Pool::values())
    }
}

impl<T: Send + Sync + 'static> Slab<T> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn insert(&self, value: T) -> Option<usize> {
        Some(self.0.insert(value).into_manual().to_bits() as usize)
    }

    pub fn vacant_entry(&self) -> Option<VacantEntry<'_, T>> {
        self.0.try_reserve().ok().map(VacantEntry)
    }

    pub fn get(&self, bits: usize) -> Option<Entry<'_, T>> {
        self.0.guard(key(bits)?).map(Entry)
    }

    pub fn contains(&self, bits: usize) -> bool {
        key(bits).is_some_and(|key| self.0.contains(key))
    }

    pub fn remove(&self, bits: usize) -> bool {
        key(bits).is_some_and(|key| self.0.free(key).is_ok())
    }

    pub fn take(&self, bits: usize) -> Option<T> {
        self.0.take(key(bits)?).ok()
    }
}

pub struct VacantEntry<'a, T: Send + Sync + 'static>(Reserved<'a, Value<T>, Dropping>);

impl<T: Send + Sync + 'static> VacantEntry<'_, T> {
    pub fn key(&self) -> usize {
        self.0.key().to_bits() as usize
    }

    pub fn insert(self, value: T) {
        self.0.insert(value).into_manual();
    }
}

pub struct Entry<'a, T: 'static>(Guard<'a, Value<T>>);

impl<T: 'static> Deref for Entry<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug + 'static> fmt::Debug for Entry<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl<T: PartialEq<U> + 'static, U> PartialEq<U> for Entry<'_, T> {
    fn eq(&self, other: &U) -> bool {
        **self == *other
    }
}
