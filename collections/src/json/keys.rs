//! [`Keys`]: the keys of a document, each made once.

use acedia_allocator::Owned;
use acedia_text::{Text, key_hash};
use hashbrown::HashTable as RawTable;

use crate::Item;

/// Keys that were met: tables with the same keys share the texts.
#[derive(Default)]
pub(super) struct Keys(RawTable<Owned<Text>>);

/// So many different keys are remembered, and no longer ones: a document cannot make us keep more.
const MOST: usize = 1024;
const LONGEST: usize = 64;

impl Keys {
    /// The key, which may stand in other tables too.
    pub(super) fn item(&mut self, key: &str) -> Item {
        if key.len() > LONGEST {
            return key.into();
        }
        let hash = key_hash(key);
        if let Some(text) = self.0.find(hash, |text| **text == *key) {
            return text.into();
        }
        let text = Text::from(key);
        if self.0.len() < MOST {
            self.0.insert_unique(hash, text.clone(), |text| text.key_hash());
        }
        text.into()
    }
}
