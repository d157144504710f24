//! [`Store`]: the pages, and what was counted.

use std::sync::atomic::{AtomicU64, Ordering};

use acedia::collections::HashTable;
use acedia::{Guard, Owned};

use crate::objects::Page;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Store {
    /// Owns the pages. Locked for a look-up, never across an `await`.
    pages: Owned<HashTable>,
    pub(crate) sessions: Count,
    pub(crate) requests: Count,
    /// Late replies whose session was over.
    pub(crate) stale: Count,
    /// Clients that hung up in the middle of a request.
    pub(crate) cut: Count,
    /// Connections that ended by an error, as a client's crash is one.
    pub(crate) broken: Count,
    /// Tasks that panicked. Must be 0.
    pub(crate) panicked: Count,
}

impl Store {
    pub(crate) fn new() -> Self {
        Self {
            pages: HashTable::new(),
            sessions: Count::default(),
            requests: Count::default(),
            stale: Count::default(),
            cut: Count::default(),
            broken: Count::default(),
            panicked: Count::default(),
        }
    }

    /// A page, for as long as somebody is busy with it: a client may take its time to read.
    pub(crate) fn page(&self, key: &str) -> Option<Guard<Page>> {
        self.pages.read()[key].handle()?.downcast::<Page>()?.guard()
    }

    /// The page that was there is freed, and its memory used again when the last guard is gone.
    pub(crate) fn put(&self, key: &str, value: &str) {
        let page = Page::new(value);
        self.pages.write().set(key, page);
    }

    /// Whether there was a page.
    pub(crate) fn remove(&self, key: &str) -> bool {
        self.pages.write().remove(key)
    }
}

/// A number that any task counts up.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self) {
        // Relaxed: read when all tasks have ended.
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
