//! [`Store`]: the pages.

use acedia::collections::HashTable;
use acedia::{Guard, Owned};

use crate::objects::Page;
use crate::tally::Tally;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Store {
    /// Owns the pages. Locked for a look-up, never across an `await`.
    pages: Owned<HashTable>,
    pub(crate) tally: Tally,
}

impl Store {
    pub(crate) fn new() -> Self {
        Self {
            pages: HashTable::new(),
            tally: Tally::default(),
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

    /// What was counted. The pages are freed.
    pub(crate) fn into_tally(self) -> Tally {
        self.tally
    }
}
