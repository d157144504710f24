//! [`Notes`]: the state of parsing a document.

use std::cell::Cell;

use super::shapes::{Ahead, Keys, Shapes};
use acedia_collections::__private::Stack;

/// The state of parsing a document.
pub(super) struct Notes {
    /// The open lists and tables, the innermost last. They are changed in place: a move right after a partial write would
    /// stall on store forwarding.
    pub(super) open: Vec<Open>,
    /// The items that all open lists and tables have so far.
    pub(super) items: Stack,
    pub(super) shapes: Shapes,
}

thread_local! {
    /// Empty notes with their memory, because allocating it takes longer than parsing a small document.
    static SPARE: Cell<Option<Box<Notes>>> = const { Cell::new(None) };
}

impl Notes {
    /// The number of open collections that fit without growing.
    const FEW: usize = 16;

    /// The most items and open collections whose memory is kept.
    const KEPT: usize = 1024;

    pub(super) fn take() -> Box<Self> {
        // There is none at the end of the thread, and none inside the reader of another document.
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        spare.unwrap_or_else(|| {
            Box::new(Self {
                open: Vec::with_capacity(Self::FEW),
                items: Stack::default(),
                shapes: Shapes::default(),
            })
        })
    }

    /// Clears everything, and keeps some memory for the next document.
    pub(super) fn put_back(mut self: Box<Self>) {
        self.open.clear();
        self.open.shrink_to(Self::KEPT);
        self.items.clear(Self::KEPT);
        self.shapes.clear();
        let _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }
}

/// An open list or table.
pub(super) struct Open {
    pub(super) kind: Kind,
    /// The keys so far of the nearest enclosing table that may have a shape.
    pub(super) around: Keys,
    /// The position of its first item on the stack.
    pub(super) start: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    List,
    /// A table that may have a shape. The stack has the items of these keys; the last may be still to come.
    Shaped(Ahead),
    /// Any other table. On the stack, keys and items alternate.
    Table,
}
