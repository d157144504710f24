//! [`Chat`]: lines made on one thread, and freed on another.

use std::hint::black_box;

use crate::arena::Arena;
use crate::script::Script;
use crate::world::World;

/// Lines that a thread says per tick.
const LINES: usize = 16;
/// The most lines that wait for a listener. Further lines are lost.
const PATIENCE: usize = 16_384;

/// The chat of one thread with the next.
pub(crate) struct Chat<W: World> {
    /// The line of the script to be said next.
    next: usize,
    batch: Vec<W::Line>,
    talk: Talk,
}

/// The fate of the lines, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Talk {
    pub(crate) heard: u64,
    pub(crate) lost: u64,
}

impl<W: World> Chat<W> {
    /// Begins at line `first` of the script.
    pub(crate) fn new(first: usize) -> Self {
        Self {
            next: first,
            batch: Vec::new(),
            talk: Talk::default(),
        }
    }

    /// Says some lines to the next thread, then listens to what was said to this one.
    pub(crate) fn act(&mut self, thread: usize, arena: &Arena<W>, script: &Script) {
        if !script.is_empty() {
            for _ in 0..LINES {
                self.batch.push(W::line(script.line(self.next)));
                self.next += 1;
            }
            arena.next(thread).mail.send(&mut self.batch, PATIENCE);
            self.talk.lost += self.batch.len() as u64;
            self.batch.clear();
        }
        arena.corner(thread).mail.receive(&mut self.batch);
        for line in self.batch.drain(..) {
            black_box(W::length(&line));
            self.talk.heard += 1;
        } // Here the lines are freed, by a thread that did not make them.
    }

    pub(crate) fn talk(&self) -> Talk {
        self.talk
    }
}
