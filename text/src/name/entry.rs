//! [`Entry`]: the object of one name.

use acedia::{Object, class};

/// A recycled buffer of more bytes than this is given back.
const KEPT: usize = 1024;

/// The characters of a name. An object of the pool: its life is the life of the name, and its handle is the name.
#[derive(Default)]
pub(crate) struct Entry {
    pub(super) text: String,
    pub(super) hash: u64,
}

impl Object for Entry {
    class!(Entry, "AcediaCore.Name");

    fn constructor(&mut self) {
        self.text.clear();
        self.text.shrink_to(KEPT);
    }
}
