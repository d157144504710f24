//! [`Ids`]: numbers that are borrowed and come back.

use std::collections::TryReserveError;

/// Borrowed ids from `next` downwards, those that came back included. `N` is a number, perhaps with a note.
pub(in crate::pool) struct Ids<N> {
    next: u32,
    returned: Vec<N>,
}

impl<N> Ids<N> {
    pub(in crate::pool) const fn from(first: u32) -> Self {
        Self {
            next: first,
            returned: Vec::new(),
        }
    }

    /// A number that came back, or a new one below `end`. `None` if all are borrowed, an error if there is no memory for returning it
    /// later.
    pub(in crate::pool) fn borrow(
        &mut self,
        end: u32,
        new: impl FnOnce(u32) -> N,
    ) -> Result<Option<N>, TryReserveError> {
        if let Some(number) = self.returned.pop() {
            return Ok(Some(number));
        }
        if self.next == end {
            return Ok(None);
        }
        // Capacity for every borrowed number: returning one allocates nothing.
        self.returned.try_reserve(self.next as usize + 1)?;
        self.next += 1;
        Ok(Some(new(self.next - 1)))
    }

    pub(in crate::pool) fn give_back(&mut self, number: N) {
        self.returned.push(number);
    }
}
