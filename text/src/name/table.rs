//! The table of names: at most one living [`Entry`] for each text.
//!
//! The table owns each entry, and so do its users, through [owners](crate::NameOwner). An entry may be cloned out of the table only
//! under the lock, and an owner may be dropped only under the lock. So if the dropped owner and the table's are the only two, no
//! third can appear, and both are dropped before the lock is released. Otherwise a text could get a second entry while the first
//! one still lives.
//!
//! The lock is divided by the hash, so that threads seldom wait for each other.

#[cfg(all(test, target_pointer_width = "64"))]
mod models;

use acedia::{Handle, Object, Owned};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry as Place;
use parking_lot::Mutex;

use super::entry::Entry;
use crate::hash;

type Names = Mutex<HashTable<Owned<Entry>>>;

const PARTS: usize = 16;

static TABLE: [Names; PARTS] = [const { Mutex::new(HashTable::new()) }; PARTS];

/// The part of the table for a hash, by bits that tables do not use.
fn part(hash: u64) -> &'static Names {
    let bits = usize::from(hash.to_be_bytes()[2]);
    &TABLE[bits % PARTS]
}

/// The entry of a text, if the text has one.
pub(super) fn find(text: &str) -> Option<Owned<Entry>> {
    find_hashed(text, hash::keyed(text))
}

fn find_hashed(text: &str, hash: u64) -> Option<Owned<Entry>> {
    let names = part(hash).lock();
    names.find(hash, |entry| entry.text == text).cloned()
}

/// The entry of a text, which is made if there is none.
#[track_caller]
pub(super) fn intern(text: &str) -> Owned<Entry> {
    let hash = hash::keyed(text);
    if let Some(known) = find_hashed(text, hash) {
        return known;
    }
    // Made without the lock, since the first entry of the process waits for static constructors.
    let made = Entry::allocate_with(|entry| {
        entry.text.push_str(text);
        entry.hash = hash;
    });
    let mut names = part(hash).lock();
    match names.entry(hash, |entry| entry.text == text, |entry| entry.hash) {
        // Another thread was faster. `made` is dropped after the lock is released; it never had a handle.
        Place::Occupied(known) => known.get().clone(),
        Place::Vacant(place) => {
            place.insert(made.clone());
            made
        }
    }
}

/// One owner more of a living entry.
pub(super) fn hold(name: Handle<Entry>) -> Option<Owned<Entry>> {
    // The pin ends before the lock is taken, because its end may run finalizers, which may drop names.
    let hash = name.with(|entry| entry.hash)?;
    let names = part(hash).lock();
    names.find(hash, |entry| entry.handle() == name).cloned()
}

/// Drops an owner, and ends the entry's life if it was the last one.
pub(super) fn release(entry: Owned<Entry>) {
    let mut names = part(entry.hash).lock();
    leave(entry, |entry| {
        let kept = names.find_entry(entry.hash, |kept| kept.is_same(entry));
        kept.ok().map(|kept| kept.remove().0)
    });
}

/// An owner. The models count others.
trait Share {
    fn owners(&self) -> usize;
}

impl Share for Owned<Entry> {
    fn owners(&self) -> usize {
        Self::owners(self)
    }
}

/// Drops an owner, and with it the table's, if the two are the only ones. Call it under the lock.
fn leave<O: Share>(owner: O, take_kept: impl FnOnce(&O) -> Option<O>) {
    // Exact: no third owner can appear, and every earlier drop was under the lock.
    if owner.owners() == 2 {
        drop(take_kept(&owner));
    }
    drop(owner);
}
