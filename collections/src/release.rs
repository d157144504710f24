//! Releasing the items of collections, nested to any depth, with bounded stack.

use std::cell::Cell;
use std::mem::ManuallyDrop;

use acedia::__private::{FirstPanic, drop_all};

use crate::Item;

/// Items that were taken out of a collection. Dropping the iterator releases the rest.
pub(crate) struct Taken<I: Iterator>(pub(crate) I);

impl<I: Iterator> Iterator for Taken<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Taken<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.0.next_back()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Taken<I> {}

impl<I: Iterator> Drop for Taken<I> {
    fn drop(&mut self) {
        drop_all(self.0.by_ref());
    }
}

/// The contents of a collection, released when its life ends.
pub(crate) trait Contents {
    /// Releases everything, and keeps some memory for the next life.
    fn release(&mut self);

    /// Everything, to be released later.
    fn take(&mut self) -> Vec<Item>;
}

/// Collections nested deeper than this are put off until the stack is short again.
const DEEPEST: u32 = 50;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The items that were put off. Without a destructor, so that the list lasts to the end of the thread: destructors of other
    /// thread-locals release collections, too. The outermost release frees its memory.
    static WAITING: ManuallyDrop<Cell<Vec<Vec<Item>>>> = const { ManuallyDrop::new(Cell::new(Vec::new())) };
}

/// Releases the contents of a collection. Collections nested deeper than [`DEEPEST`] are put off, and released by the
/// outermost call.
#[inline]
pub(crate) fn release(contents: &mut impl Contents) {
    /// One level deeper until it is dropped. The outermost one releases everything that was put off, even if a
    /// finalizer panics.
    struct Deeper(u32);
    impl Drop for Deeper {
        #[inline]
        fn drop(&mut self) {
            match self.0 {
                0 => release_waiting(),
                depth => _ = DEPTH.try_with(|here| here.set(depth)),
            }
        }
    }
    // At the end of the thread the counter may be gone. Then each collection is an outermost one.
    let depth = DEPTH.try_with(|depth| depth.replace(depth.get() + 1)).unwrap_or(0);
    let _deeper = Deeper(depth);
    if depth < DEEPEST {
        contents.release();
    } else {
        put_off(contents);
    }
}

#[cold]
#[inline(never)]
fn put_off(contents: &mut impl Contents) {
    let items = contents.take();
    WAITING.with(|waiting| {
        let mut all = waiting.take();
        all.push(items);
        waiting.set(all);
    });
}

fn take_last(waiting: &ManuallyDrop<Cell<Vec<Vec<Item>>>>) -> Option<Vec<Item>> {
    let mut all = waiting.take();
    let last = all.pop()?;
    waiting.set(all);
    Some(last)
}

/// Releases everything that was put off, including what is put off meanwhile.
#[inline(never)]
fn release_waiting() {
    let mut panics = FirstPanic::new();
    while let Some(items) = WAITING.with(take_last) {
        panics.catch(|| drop_all(items.into_iter()));
    }
    // Before the panic resumes, because otherwise no later release of this thread would be an outermost one.
    let _ = DEPTH.try_with(|depth| depth.set(0));
    panics.resume();
}
