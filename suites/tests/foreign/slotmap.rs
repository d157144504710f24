//! The interface of slotmap's `SlotMap` over a pool of values that is used through `&mut`, in safe code.
#![forbid(unsafe_code)]

use std::collections::TryReserveError;
use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use acedia::{Handle, Pinned, Values, pin};

/// The bits of a handle, or 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct KeyData(u64);

impl KeyData {
    pub fn as_ffi(self) -> u64 {
        self.0
    }

    pub fn from_ffi(bits: u64) -> Self {
        Self(bits)
    }
}

pub trait Key:
    From<KeyData> + Copy + Clone + Default + Eq + PartialEq + Ord + PartialOrd + std::hash::Hash + fmt::Debug
{
    fn data(&self) -> KeyData;
    fn null() -> Self {
        Self::default()
    }
    fn is_null(&self) -> bool {
        self.data().0 == 0
    }
}

#[macro_export]
macro_rules! new_key_type {
    ($($(#[$outer:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$outer])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        $vis struct $name($crate::KeyData);
        impl ::core::convert::From<$crate::KeyData> for $name {
            fn from(data: $crate::KeyData) -> Self {
                $name(data)
            }
        }
        impl $crate::Key for $name {
            fn data(&self) -> $crate::KeyData {
                self.0
            }
        }
    )*};
}

new_key_type! {
    pub struct DefaultKey;
}

pub struct SlotMap<K: Key, V: Send + Sync + 'static> {
    pool: Values<V>,
    /// Lets `&self` read without a guard.
    pinned: Pinned,
    capacity: usize,
    key: PhantomData<fn(K) -> K>,
}

impl<V: Send + Sync + 'static> SlotMap<DefaultKey, V> {
    pub fn new() -> Self {
        Self::with_key()
    }

    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_key(capacity)
    }
}

fn key<K: Key, V>(handle: Handle<V>) -> K {
    KeyData(handle.to_bits()).into()
}

fn handle<V>(key: impl Key) -> Option<Handle<V>> {
    Handle::from_bits(key.data().0)
}

impl<K: Key, V: Send + Sync + 'static> SlotMap<K, V> {
    pub fn with_key() -> Self {
        Self::with_capacity_and_key(0)
    }

    pub fn with_capacity_and_key(capacity: usize) -> Self {
        Self {
            pool: Values::new(),
            pinned: pin(),
            capacity,
            key: PhantomData,
        }
    }

    pub fn len(&self) -> usize {
        self.pool.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pool.is_empty()
    }

    pub fn capacity(&self) -> usize {
        self.capacity.max(self.len())
    }

    pub fn reserve(&mut self, additional: usize) {
        self.capacity = self.capacity().max(self.len() + additional);
    }

    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.reserve(additional);
        Ok(())
    }

    pub fn contains_key(&self, key: K) -> bool {
        handle(key).is_some_and(|handle| self.pool.contains(handle))
    }

    pub fn insert(&mut self, value: V) -> K {
        key(self.pool.add(value))
    }

    pub fn insert_with_key<F: FnOnce(K) -> V>(&mut self, f: F) -> K {
        key(self.pool.insert_with_handle(|handle| f(key(handle))).into_manual())
    }

    pub fn try_insert_with_key<F: FnOnce(K) -> Result<V, E>, E>(&mut self, f: F) -> Result<K, E> {
        let reserved = self.pool.reserve();
        let value = f(key(reserved.handle()))?;
        Ok(key(reserved.insert(value).into_manual()))
    }

    pub fn remove(&mut self, key: K) -> Option<V> {
        self.pool.remove(handle(key)?).ok()
    }

    pub fn retain<F: FnMut(K, &mut V) -> bool>(&mut self, mut f: F) {
        self.pool.retain(|handle, value| f(key(handle), value));
    }

    pub fn clear(&mut self) {
        self.pool.clear();
    }

    pub fn drain(&mut self) -> std::vec::IntoIter<(K, V)> {
        let keys: Vec<K> = self.keys().collect();
        let values: Vec<_> = keys
            .into_iter()
            .filter_map(|key| Some((key, self.remove(key)?)))
            .collect();
        values.into_iter()
    }

    pub fn get(&self, key: K) -> Option<&V> {
        self.pool.get(handle(key)?, &self.pinned)
    }

    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.pool.get_mut(handle(key)?)
    }

    /// The engine lacks this look-up, so it iterates the pool.
    pub fn get_disjoint_mut<const N: usize>(&mut self, keys: [K; N]) -> Option<[&mut V; N]> {
        disjoint(self.iter_mut(), keys)
    }

    pub fn iter(&self) -> Each<(K, &V)> {
        each(self.pool.iter(&self.pinned).map(|(handle, value)| (key(handle), value)))
    }

    pub fn iter_mut(&mut self) -> Each<(K, &mut V)> {
        each(self.pool.iter_mut().map(|(handle, value)| (key(handle), value)))
    }

    pub fn keys(&self) -> Each<K> {
        each(self.iter().map(|(key, _)| key))
    }

    pub fn values(&self) -> Each<&V> {
        each(self.iter().map(|(_, value)| value))
    }

    pub fn values_mut(&mut self) -> Each<&mut V> {
        each(self.iter_mut().map(|(_, value)| value))
    }
}

fn disjoint<'a, K: Key, V, const N: usize>(all: Each<(K, &'a mut V)>, keys: [K; N]) -> Option<[&'a mut V; N]> {
    let mut found = [const { None }; N];
    for (key, value) in all {
        if let Some(at) = keys.iter().position(|one| *one == key) {
            found[at] = Some(value);
        }
    }
    found
        .iter()
        .all(Option::is_some)
        .then(|| found.map(|one| one.expect("all are there")))
}

/// Collected, because slotmap's iterators have a length.
#[derive(Clone)]
pub struct Each<T>(std::vec::IntoIter<T>);

fn each<T>(all: impl Iterator<Item = T>) -> Each<T> {
    Each(all.collect::<Vec<_>>().into_iter())
}

impl<T> Iterator for Each<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        self.0.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> ExactSizeIterator for Each<T> {}
impl<T> FusedIterator for Each<T> {}

impl<K: Key, V: Send + Sync + 'static> Default for SlotMap<K, V> {
    fn default() -> Self {
        Self::with_key()
    }
}

impl<K: Key, V: Send + Sync + 'static> Index<K> for SlotMap<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        self.get(key).expect("invalid SlotMap key used")
    }
}

impl<K: Key, V: Send + Sync + 'static> IndexMut<K> for SlotMap<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        self.get_mut(key).expect("invalid SlotMap key used")
    }
}

impl<K: Key, V: Send + Sync + 'static> IntoIterator for SlotMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;
    fn into_iter(mut self) -> Self::IntoIter {
        self.drain()
    }
}

impl<'a, K: Key, V: Send + Sync + 'static> IntoIterator for &'a SlotMap<K, V> {
    type Item = (K, &'a V);
    type IntoIter = Each<(K, &'a V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K: Key, V: Send + Sync + 'static> IntoIterator for &'a mut SlotMap<K, V> {
    type Item = (K, &'a mut V);
    type IntoIter = Each<(K, &'a mut V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
