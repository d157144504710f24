//! [`Few`]: a few items kept inline instead of in a vector.

use std::mem;

/// Up to `ROOM` items, kept inline: reading a collection of them touches no other memory.
pub(crate) struct Few<T, const ROOM: usize> {
    len: u8,
    /// The first `len` items, then defaults.
    items: [T; ROOM],
}

impl<T: Default, const ROOM: usize> Default for Few<T, ROOM> {
    fn default() -> Self {
        const { assert!(ROOM <= u8::MAX as usize) };
        Self {
            len: 0,
            items: std::array::from_fn(|_| T::default()),
        }
    }
}

impl<T: Default, const ROOM: usize> Few<T, ROOM> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// The item at `index`: a default from `len` on, and `None` from `ROOM` on.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.items.get(index)
    }

    #[inline]
    pub(crate) fn all(&self) -> &[T] {
        &self.items[..self.len()]
    }

    #[inline]
    pub(crate) fn all_mut(&mut self) -> &mut [T] {
        let len = self.len();
        &mut self.items[..len]
    }

    /// Fills an empty `Few` with the result of `take` on each of `items`. Returns `false` and does nothing if there are more
    /// than `ROOM` items.
    #[inline]
    pub(crate) fn fill<U>(&mut self, items: &mut [U], take: impl Fn(&mut U) -> T) -> bool {
        debug_assert!(self.len == 0);
        if items.len() > ROOM {
            return false;
        }
        #[expect(clippy::cast_possible_truncation, reason = "there is no more room")]
        let len = items.len() as u8;
        self.len = len;
        let mut rest = items.iter_mut();
        for place in &mut self.items {
            let Some(item) = rest.next() else { break };
            // The replaced value is a default, which need not be dropped.
            mem::forget(mem::replace(place, take(item)));
        }
        true
    }

    /// Adds an item. Panics if there are `ROOM` items already.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        self.items[self.len()] = item;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn take(&mut self) -> impl Iterator<Item = T> {
        let len = usize::from(mem::take(&mut self.len));
        self.items[..len].iter_mut().map(mem::take)
    }
}
