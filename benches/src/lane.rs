//! The way from one thread to another: bounded, in chunks, the same for every contender.

use crossbeam_queue::ArrayQueue;
use crossbeam_utils::Backoff;

/// How many objects travel together, so that the lane costs each of them next to nothing.
pub(crate) const CHUNK: usize = 64;

/// How many chunks may be on their way.
const CHUNKS: usize = 16;

/// A bounded lane for owners; emptied chunks travel back and are filled again.
#[derive(Debug)]
pub(crate) struct Lane<T> {
    full: ArrayQueue<Vec<T>>,
    empty: ArrayQueue<Vec<T>>,
}

impl<T> Lane<T> {
    /// A lane with all its chunks at the sender's end.
    pub(crate) fn new() -> Self {
        let empty = ArrayQueue::new(CHUNKS);
        while empty.push(Vec::with_capacity(CHUNK)).is_ok() {}
        Self {
            full: ArrayQueue::new(CHUNKS),
            empty,
        }
    }

    /// Fills one chunk with what `make` makes and sends it, as soon as there is a chunk to fill.
    #[inline]
    pub(crate) fn send(&self, make: impl FnMut() -> T) {
        let mut chunk = take(&self.empty);
        chunk.resize_with(CHUNK, make);
        put(&self.full, chunk);
    }

    /// Waits for one chunk and passes everything in it to `take`.
    #[inline]
    pub(crate) fn receive(&self, free: impl FnMut(T)) {
        let mut chunk = take(&self.full);
        chunk.drain(..).for_each(free);
        put(&self.empty, chunk);
    }
}

/// The next chunk of a queue, however long it takes to come.
fn take<T>(queue: &ArrayQueue<Vec<T>>) -> Vec<T> {
    let backoff = Backoff::new();
    loop {
        if let Some(chunk) = queue.pop() {
            return chunk;
        }
        backoff.snooze();
    }
}

/// Puts a chunk into a queue. There are never more chunks than places.
fn put<T>(queue: &ArrayQueue<Vec<T>>, chunk: Vec<T>) {
    assert!(queue.push(chunk).is_ok(), "a lane has one place for each of its chunks");
}

#[cfg(test)]
mod tests;
