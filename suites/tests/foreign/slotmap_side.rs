// The interfaces of slotmap's other maps, appended to slotmap.rs. `HopSlotMap` and `DenseSlotMap` are `SlotMap`; both secondary
// maps are side maps of handles.

pub type HopSlotMap<K, V> = SlotMap<K, V>;
pub type DenseSlotMap<K, V> = SlotMap<K, V>;

#[derive(Clone, Debug)]
pub struct SecondaryMap<K: Key, V> {
    map: acedia::SecondaryMap<Handle<()>, V>,
    capacity: usize,
    key: PhantomData<fn(K) -> K>,
}

impl<K: Key, V> SecondaryMap<K, V> {
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            map: acedia::SecondaryMap::new(),
            capacity,
            key: PhantomData,
        }
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub fn capacity(&self) -> usize {
        self.capacity.max(self.len())
    }

    pub fn set_capacity(&mut self, capacity: usize) {
        self.capacity = self.capacity().max(capacity);
    }

    pub fn try_set_capacity(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.set_capacity(capacity);
        Ok(())
    }

    pub fn reserve(&mut self, additional: usize) {
        self.set_capacity(self.len() + additional);
    }

    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.reserve(additional);
        Ok(())
    }

    pub fn contains_key(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.map.insert(handle(key)?, value)
    }

    pub fn remove(&mut self, key: K) -> Option<V> {
        self.map.remove(handle(key)?)
    }

    pub fn retain<F: FnMut(K, &mut V) -> bool>(&mut self, mut f: F) {
        self.map.retain(|handle, value| f(key(handle), value));
    }

    pub fn clear(&mut self) {
        self.map.clear();
    }

    pub fn drain(&mut self) -> std::vec::IntoIter<(K, V)> {
        let entries = self.map.drain().map(|(handle, value)| (key(handle), value));
        entries.collect::<Vec<_>>().into_iter()
    }

    pub fn get(&self, key: K) -> Option<&V> {
        self.map.get(handle(key)?)
    }

    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.map.get_mut(handle(key)?)
    }

    /// As of a `SlotMap`.
    pub fn get_disjoint_mut<const N: usize>(&mut self, keys: [K; N]) -> Option<[&mut V; N]> {
        disjoint(self.iter_mut(), keys)
    }

    pub fn iter(&self) -> Each<(K, &V)> {
        each(self.map.iter().map(|(handle, value)| (key(handle), value)))
    }

    pub fn iter_mut(&mut self) -> Each<(K, &mut V)> {
        each(self.map.iter_mut().map(|(handle, value)| (key(handle), value)))
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

    /// The engine does not tell whether a later life of the slot has a value, so this iterates over the map.
    pub fn entry(&mut self, key: K) -> Option<secondary::Entry<'_, K, V>> {
        let own: Handle<()> = handle(key)?;
        let is_later = |other: Handle<()>| other.index() == own.index() && other.life() > own.life();
        if self.map.keys().any(is_later) {
            return None;
        }
        Some(if self.contains_key(key) {
            secondary::Entry::Occupied(secondary::OccupiedEntry { map: self, key })
        } else {
            secondary::Entry::Vacant(secondary::VacantEntry { map: self, key })
        })
    }
}

impl<K: Key, V> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, V> Index<K> for SecondaryMap<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        self.get(key).expect("invalid key used")
    }
}

impl<K: Key, V> IndexMut<K> for SecondaryMap<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        self.get_mut(key).expect("invalid key used")
    }
}

impl<K: Key, V: PartialEq> PartialEq for SecondaryMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Key, V: Eq> Eq for SecondaryMap<K, V> {}

impl<K: Key, V> FromIterator<(K, V)> for SecondaryMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Key, V> Extend<(K, V)> for SecondaryMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<'a, K: Key, V: Copy> Extend<(K, &'a V)> for SecondaryMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, &'a V)>>(&mut self, entries: I) {
        self.extend(entries.into_iter().map(|(key, value)| (key, *value)));
    }
}

impl<K: Key, V> IntoIterator for SecondaryMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;
    fn into_iter(mut self) -> Self::IntoIter {
        self.drain()
    }
}

impl<'a, K: Key, V> IntoIterator for &'a SecondaryMap<K, V> {
    type Item = (K, &'a V);
    type IntoIter = Each<(K, &'a V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K: Key, V> IntoIterator for &'a mut SecondaryMap<K, V> {
    type Item = (K, &'a mut V);
    type IntoIter = Each<(K, &'a mut V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

pub mod secondary {
    use super::{Key, SecondaryMap};

    pub enum Entry<'a, K: Key, V> {
        Occupied(OccupiedEntry<'a, K, V>),
        Vacant(VacantEntry<'a, K, V>),
    }

    impl<'a, K: Key, V> Entry<'a, K, V> {
        pub fn or_insert(self, default: V) -> &'a mut V {
            self.or_insert_with(|| default)
        }

        pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &'a mut V {
            let (map, key) = match self {
                Self::Occupied(entry) => (entry.map, entry.key),
                Self::Vacant(entry) => (entry.map, entry.key),
            };
            let own = super::handle(key).expect("`entry` refuses the null key");
            map.map
                .get_or_insert_with(own, default)
                .expect("no later life has a value")
        }

        pub fn key(&self) -> K {
            match self {
                Self::Occupied(entry) => entry.key,
                Self::Vacant(entry) => entry.key,
            }
        }

        pub fn and_modify<F: FnOnce(&mut V)>(mut self, f: F) -> Self {
            if let Self::Occupied(entry) = &mut self {
                f(entry.get_mut());
            }
            self
        }
    }

    impl<'a, K: Key, V: Default> Entry<'a, K, V> {
        pub fn or_default(self) -> &'a mut V {
            self.or_insert_with(V::default)
        }
    }

    pub struct OccupiedEntry<'a, K: Key, V> {
        pub(crate) map: &'a mut SecondaryMap<K, V>,
        pub(crate) key: K,
    }

    impl<'a, K: Key, V> OccupiedEntry<'a, K, V> {
        pub fn key(&self) -> K {
            self.key
        }

        pub fn remove_entry(self) -> (K, V) {
            (self.key, self.remove())
        }

        pub fn get(&self) -> &V {
            &self.map[self.key]
        }

        pub fn get_mut(&mut self) -> &mut V {
            &mut self.map[self.key]
        }

        pub fn into_mut(self) -> &'a mut V {
            &mut self.map[self.key]
        }

        pub fn insert(&mut self, value: V) -> V {
            std::mem::replace(self.get_mut(), value)
        }

        pub fn remove(self) -> V {
            self.map.remove(self.key).expect("it is occupied")
        }
    }

    pub struct VacantEntry<'a, K: Key, V> {
        pub(crate) map: &'a mut SecondaryMap<K, V>,
        pub(crate) key: K,
    }

    impl<'a, K: Key, V> VacantEntry<'a, K, V> {
        pub fn key(&self) -> K {
            self.key
        }

        pub fn insert(self, value: V) -> &'a mut V {
            self.map.insert(self.key, value);
            &mut self.map[self.key]
        }
    }
}

pub use SecondaryMap as SparseSecondaryMap;
pub use secondary as sparse_secondary;
