//! Tables with text keys against maps with `String` keys.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    hint::black_box,
};

use acedia::Owned;
use acedia_collections::{Entries, HashTable, Item, Key};
use acedia_text::Text;
use indexmap::IndexMap;

use super::keys;
use crate::case::{Case, nanoseconds};

/// Ours, by what the look-up has in hand.
pub(super) const BY_TEXT: &str = "acedia, by a text";
pub(super) const BY_STORED: &str = "acedia, by the stored text";
pub(super) const BY_STR: &str = "acedia, by &str";
/// The same table with ordinary keys, and with keys that have one DJB2.
pub(super) const ORDINARY: &str = "acedia";
pub(super) const FLOODED: &str = "acedia, flooded";
/// The peers.
pub(super) const STD: &str = "HashMap";
pub(super) const FOLDHASH: &str = "hashbrown, foldhash";
pub(super) const AHASH: &str = "hashbrown, ahash";
pub(super) const INDEXMAP: &str = "indexmap, foldhash";

/// How many keys a flood has.
const FLOOD: usize = 100_000;

/// How many entries are walked over.
const WALKED: usize = 10_000;

type Fold = foldhash::fast::RandomState;

/// Look-ups of keys that are there.
pub(super) fn hit<const COUNT: usize>() -> Vec<Case> {
    let keys = Keys::new(COUNT, 0, 8);
    let stored = keys.ours();
    let mut cases = keys.look_ups(&stored);
    let own = keys.order.iter().map(|&i| stored[i].clone()).collect();
    let table = table(&stored);
    cases.insert(1, on_table(BY_STORED, &table, own));
    cases
}

/// Look-ups of keys that are not there.
pub(super) fn miss<const COUNT: usize>() -> Vec<Case> {
    let keys = Keys::new(COUNT, 1, 8);
    keys.look_ups(&keys.ours())
}

/// Look-ups of keys of `LEN` bytes among 10,000.
pub(super) fn long_hit<const LEN: usize>() -> Vec<Case> {
    let keys = Keys::new(10_000, 0, LEN);
    keys.look_ups(&keys.ours())
}

type Walked = (
    Owned<HashTable>,
    hashbrown::HashMap<String, i32, Fold>,
    IndexMap<String, i32, Fold>,
);

/// The same 10,000 entries in ours and in its peers.
fn walked() -> Walked {
    let keys = Keys::new(WALKED, 0, 8);
    (table(&keys.ours()), keys.entries().collect(), keys.entries().collect())
}

/// The sum of all items of a table of 10,000 entries.
pub(super) fn values() -> Vec<Case> {
    let (ours, hashbrown, indexmap) = walked();
    vec![
        Case::batches(ORDINARY, WALKED, move || {
            black_box(ours.read().values().filter_map(Item::as_int).fold(0, i32::wrapping_add));
        }),
        Case::batches(FOLDHASH, WALKED, move || {
            black_box(hashbrown.values().copied().fold(0, i32::wrapping_add));
        }),
        Case::batches(INDEXMAP, WALKED, move || {
            black_box(indexmap.values().copied().fold(0, i32::wrapping_add));
        }),
    ]
}

/// The sum of all items and of the lengths of all keys.
pub(super) fn entries() -> Vec<Case> {
    let (ours, hashbrown, indexmap) = walked();
    vec![
        Case::batches(ORDINARY, WALKED, move || {
            let entries = ours.read();
            let both = entries.iter().map(|(key, item)| {
                let len = key.with(|text: &Text| text.len()).unwrap_or_default();
                usize::try_from(item.as_int().unwrap_or_default()).unwrap_or_default() + len
            });
            black_box(both.fold(0, usize::wrapping_add));
        }),
        Case::batches(FOLDHASH, WALKED, move || {
            let both = hashbrown
                .iter()
                .map(|(key, item)| usize::try_from(*item).unwrap_or_default() + key.chars().count());
            black_box(both.fold(0, usize::wrapping_add));
        }),
        Case::batches(INDEXMAP, WALKED, move || {
            let both = indexmap
                .iter()
                .map(|(key, item)| usize::try_from(*item).unwrap_or_default() + key.chars().count());
            black_box(both.fold(0, usize::wrapping_add));
        }),
    ]
}

/// The keys of a table, and the keys that are looked up in it.
struct Keys {
    known: Vec<String>,
    /// The order of the look-ups.
    order: Vec<usize>,
    /// The keys to look up, in this order: every contender walks over it from front to back.
    wanted: Vec<String>,
}

impl Keys {
    /// Keys of `len` bytes, the first of them the same.
    fn new(count: usize, kind: u32, len: usize) -> Self {
        let order = keys::shuffled(count);
        let padded = |kind| keys::short(count, kind).into_iter().map(|key| format!("{key:->len$}"));
        let asked: Vec<_> = padded(kind).collect();
        Self {
            known: padded(0).collect(),
            wanted: order.iter().map(|&i| asked[i].clone()).collect(),
            order,
        }
    }

    fn ours(&self) -> Vec<Owned<Text>> {
        self.known.iter().map(Text::from).collect()
    }

    fn look_ups(&self, stored: &[Owned<Text>]) -> Vec<Case> {
        let table = table(stored);
        let texts: Vec<_> = self.wanted.iter().map(Text::from).collect();
        for text in &texts {
            black_box(text.key_hash()); // a program that looks up by an object has hashed it before
        }
        vec![
            on_table(BY_TEXT, &table, texts),
            on_table(BY_STR, &table, self.wanted.clone()),
            self.on_std(STD, RandomState::new()),
            self.on_hashbrown(FOLDHASH, Fold::default()),
            self.on_hashbrown(AHASH, ahash::RandomState::new()),
            self.on_indexmap(INDEXMAP, Fold::default()),
        ]
    }

    fn entries(&self) -> impl Iterator<Item = (String, i32)> {
        self.known.iter().cloned().zip(0..)
    }

    fn on_std(&self, name: &'static str, hasher: impl BuildHasher + 'static) -> Case {
        let mut map = HashMap::with_hasher(hasher);
        map.extend(self.entries());
        look_up(name, self.wanted.clone(), move |key: &String| map.get(key).copied())
    }

    fn on_hashbrown(&self, name: &'static str, hasher: impl BuildHasher + 'static) -> Case {
        let mut map = hashbrown::HashMap::with_hasher(hasher);
        map.extend(self.entries());
        look_up(name, self.wanted.clone(), move |key: &String| map.get(key).copied())
    }

    fn on_indexmap(&self, name: &'static str, hasher: impl BuildHasher + 'static) -> Case {
        let mut map = IndexMap::with_hasher(hasher);
        map.extend(self.entries());
        look_up(name, self.wanted.clone(), move |key: &String| map.get(key).copied())
    }
}

fn table(keys: &[Owned<Text>]) -> Owned<HashTable> {
    HashTable::from(keys.iter().zip(0..))
}

/// Ours: the table is locked once for every run.
fn on_table<K: 'static>(name: &'static str, table: &Owned<HashTable>, wanted: Vec<K>) -> Case
where
    for<'a> &'a K: Key,
{
    let table = table.clone();
    let mut next = 0;
    Case::new(name, move |n| {
        let entries = table.read();
        let get = |entries: &Entries, key: &K| entries.get(key).and_then(Item::as_int);
        run(n, &wanted, &mut next, |key| get(&entries, key))
    })
}

fn look_up<K: 'static>(name: &'static str, wanted: Vec<K>, get: impl Fn(&K) -> Option<i32> + 'static) -> Case {
    let mut next = 0;
    Case::new(name, move |n| run(n, &wanted, &mut next, &get))
}

/// `n` look-ups, going on where the last run ended.
fn run<K>(n: u64, wanted: &[K], next: &mut usize, get: impl Fn(&K) -> Option<i32>) -> f64 {
    nanoseconds(|| {
        for _ in 0..n {
            let key = &wanted[*next];
            *next += 1;
            if *next == wanted.len() {
                *next = 0;
            }
            black_box(get(black_box(key)));
        }
    })
}

/// Tables of 100,000 entries, filled by `&str` and freed.
pub(super) fn flood() -> Vec<Case> {
    let (ordinary, flooding) = (keys::ordinary(FLOOD), keys::flooding(FLOOD));
    vec![
        filled(ORDINARY, ordinary.clone()),
        filled(FLOODED, flooding.clone()),
        filled_map(FOLDHASH, ordinary),
        filled_map("hashbrown, foldhash, flooded", flooding),
    ]
}

fn filled(name: &'static str, keys: Vec<String>) -> Case {
    Case::batches(name, FLOOD, move || {
        let table = HashTable::new();
        let mut entries = table.write();
        for key in &keys {
            entries.set(key.as_str(), 1);
        }
        black_box(entries.len());
    })
}

fn filled_map(name: &'static str, keys: Vec<String>) -> Case {
    Case::batches(name, FLOOD, move || {
        let mut map = hashbrown::HashMap::with_hasher(Fold::default());
        for key in &keys {
            map.insert(key.clone(), 1);
        }
        black_box(map.len());
    })
}
