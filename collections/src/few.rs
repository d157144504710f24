//! [`Few`]: a few items in the place of a vector.

use std::mem;
use std::slice;

use acedia_allocator::__private::contain;

/// Up to so many items, which stand where this stands: whoever reads a collection of them finds them in the memory that it has
/// read already.
pub(crate) struct Few<T, const ROOM: usize> {
    len: u8,
    /// Nothings, behind so many.
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

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.items.get(index).filter(|_| index < self.len())
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

    /// Takes what `take` makes of items, where there were none. `false`, and nothing done, if there is no room for so many.
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
            // A nothing, which need not be dropped.
            mem::forget(mem::replace(place, take(item)));
        }
        true
    }

    /// Gives all items away, if need be while a panic of `take` goes on.
    #[inline]
    pub(crate) fn empty(&mut self, take: impl FnMut(T)) {
        let len = usize::from(mem::take(&mut self.len));
        Rest(self.items[..len].iter_mut(), take).empty();
    }
}

/// The items that were not given away yet.
struct Rest<'a, T: Default, F: FnMut(T)>(slice::IterMut<'a, T>, F);

impl<T: Default, F: FnMut(T)> Rest<'_, T, F> {
    #[expect(
        clippy::inline_always,
        reason = "else each step is written down for the panic that may come"
    )]
    #[inline(always)]
    fn empty(&mut self) {
        let Self(items, take) = self;
        items.for_each(|item| take(mem::take(item)));
    }
}

impl<T: Default, F: FnMut(T)> Drop for Rest<'_, T, F> {
    /// Something is left if `take` has panicked; what it does with that must not panic again.
    #[inline]
    fn drop(&mut self) {
        while self.0.len() > 0 {
            contain(|| self.empty());
        }
    }
}

#[cfg(test)]
mod tests;
