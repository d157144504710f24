//! How the items of a collection are released, without using up the stack for deep ones.

use std::cell::{Cell, RefCell};

use acedia_allocator::__private::{FirstPanic, drop_all};

use crate::Item;

/// What was taken out of a collection, and is released if nobody asks for it.
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

/// What a collection lets go of when its life ends.
pub(crate) trait Contents {
    /// Releases everything, and keeps some memory for the next life.
    fn release(&mut self);

    /// Everything, to be released later.
    fn take(&mut self) -> Vec<Item>;
}

/// How many collections are released inside each other before the rest has to wait.
const DEEPEST: u32 = 50;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<Vec<Item>>> = const { RefCell::new(Vec::new()) };
}

/// Releases what a collection has, in which there may be collections to any depth: those far down wait until the stack is
/// short again.
#[inline]
pub(crate) fn release(contents: &mut impl Contents) {
    /// One step deeper; back again, and with nothing left that waits, also when somebody's finalizer panics.
    struct Deeper(u32);
    impl Drop for Deeper {
        #[inline]
        fn drop(&mut self) {
            if self.0 == 0 {
                release_waiting();
            }
            let _ = DEPTH.try_with(|depth| depth.set(self.0));
        }
    }
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
    let mut items = Some(contents.take());
    // When the thread is ending there may be no list any more; then they are released right here.
    let _ = WAITING.try_with(|waiting| waiting.borrow_mut().extend(items.take()));
}

/// Releases what was put off, and what is put off meanwhile.
#[inline(never)]
fn release_waiting() {
    let mut panics = FirstPanic::new();
    while let Ok(Some(items)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
        panics.catch(|| drop_all(items.into_iter()));
    }
    panics.resume();
}
