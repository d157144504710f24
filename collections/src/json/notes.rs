//! [`Notes`]: what is known of a document while it is read.

use std::cell::Cell;

use super::shapes::{Ahead, Keys, Shapes};
use crate::stack::Stack;

/// What is known of a document while it is read.
pub(super) struct Notes {
    /// The lists and tables that have begun, the innermost last. They stay where they are: who moves one right after a part of it
    /// was changed waits until that is written.
    pub(super) open: Vec<Open>,
    /// What is in all of them so far.
    pub(super) items: Stack,
    pub(super) shapes: Shapes,
}

thread_local! {
    /// Empty ones with their memory, because getting that anew takes longer than a small document.
    static SPARE: Cell<Option<Notes>> = const { Cell::new(None) };
}

impl Notes {
    /// For so many open collections there is room from the beginning.
    const FEW: usize = 16;

    /// No more memory than for so many is kept.
    const KEPT: usize = 1024;

    pub(super) fn take() -> Self {
        // None at the end of the thread, and inside another document, whose reader makes one.
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        spare.unwrap_or_else(|| Self {
            open: Vec::with_capacity(Self::FEW),
            items: Stack::default(),
            shapes: Shapes::default(),
        })
    }

    /// Forgets everything, and keeps some memory for the next document.
    pub(super) fn put_back(mut self) {
        self.open.clear();
        self.open.shrink_to(Self::KEPT);
        self.items.clear(Self::KEPT);
        self.shapes.clear();
        let _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }
}

/// A list or table that has begun.
pub(super) struct Open {
    pub(super) kind: Kind,
    /// The keys so far of the nearest table around it that may have a shape.
    pub(super) around: Keys,
    /// Where in the items it begins.
    pub(super) start: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    List,
    /// A table that may have a shape: there are items for these keys, and one to come.
    Shaped(Ahead),
    /// Any other table: there are keys and items in turns.
    Table,
}
