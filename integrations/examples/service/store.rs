//! [`Store`]: the pages.

use acedia::{Guard, Owned};
use acedia_collections::HashTable;

use crate::objects::Page;
use crate::tally::Tally;

/// The state shared by all connections.
#[derive(Debug)]
pub(crate) struct Store {
    /// Owns the pages. Locked for a lookup, never across an `await`.
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

    /// A guard of a page: a client may take long to read it.
    pub(crate) fn page(&self, key: &str) -> Option<Guard<Page>> {
        self.pages.read()[key].handle()?.downcast::<Page>()?.guard()
    }

    /// The previous page is freed, and its memory reused when its last guard is gone.
    pub(crate) fn put(&self, key: &str, value: &str) {
        let page = Page::new(value);
        self.pages.write().set(key, page);
    }

    /// Whether there was a page.
    pub(crate) fn remove(&self, key: &str) -> bool {
        self.pages.write().remove(key)
    }

    /// The counts. Frees the pages.
    pub(crate) fn into_tally(self) -> Tally {
        self.tally
    }
}
