//! [`Arena`]: the data shared by the threads of a match.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::sight::Note;
use crate::world::World;

/// One corner for each thread.
pub(crate) struct Arena<W: World> {
    corners: Vec<Corner<W>>,
}

/// The data that one thread shows to the others, and their mail to it.
#[repr(align(128))] // Two threads that write to neighbouring corners must not fight for one cache line.
pub(crate) struct Corner<W: World> {
    pub(crate) projectiles: Board<Note<W::Mark>>,
    pub(crate) items: Board<Note<W::Link>>,
    pub(crate) mail: Board<W::Line>,
}

impl<W: World> Arena<W> {
    pub(crate) fn new(threads: usize) -> Self {
        let corner = |_| Corner {
            projectiles: Board::new(),
            items: Board::new(),
            mail: Board::new(),
        };
        Self {
            corners: (0..threads).map(corner).collect(),
        }
    }

    pub(crate) fn corner(&self, thread: usize) -> &Corner<W> {
        &self.corners[thread]
    }

    /// The corner after `thread`'s, or its own if it is alone.
    pub(crate) fn next(&self, thread: usize) -> &Corner<W> {
        &self.corners[(thread + 1) % self.corners.len()]
    }
}

/// A list behind a lock, handed over in whole batches so that the lock is never held for long.
pub(crate) struct Board<N>(Mutex<Vec<N>>);

impl<N> Board<N> {
    fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<N>> {
        // A list is consistent after every step, so a panic of another thread does no harm.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the content by `news`, and clears `news`.
    pub(crate) fn show(&self, news: &mut Vec<N>) {
        mem::swap(&mut *self.lock(), news);
        news.clear();
    }

    /// Appends a copy of the content to `into`.
    pub(crate) fn copy(&self, into: &mut Vec<N>)
    where
        N: Clone,
    {
        into.extend_from_slice(&self.lock());
    }

    /// Moves everything from `batch` to the list, unless the list is longer than `limit` already.
    pub(crate) fn send(&self, batch: &mut Vec<N>, limit: usize) {
        let mut list = self.lock();
        if list.len() < limit {
            list.append(batch);
        }
    }

    /// Takes everything; `into` must be empty, and its buffer is left for the next batch.
    pub(crate) fn receive(&self, into: &mut Vec<N>) {
        debug_assert!(into.is_empty());
        mem::swap(&mut *self.lock(), into);
    }
}
