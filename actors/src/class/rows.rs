//! [`Rows`]: the actors of one class, as values of their Rust type.

use super::free_slots::FreeSlots;

/// The actors of one class. They are in `dropped` if the type [needs a drop](Self::IS_DROPPED), else in `plain`.
///
/// An actor in `plain` stays in its row after its finalizer, until the row is reused. So the row needs no flag, which could
/// make an actor span one more cache line.
pub(crate) struct Rows<T> {
    plain: Vec<T>,
    dropped: Vec<Option<T>>,
    free: FreeSlots,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            plain: Vec::new(),
            dropped: Vec::new(),
            free: FreeSlots::default(),
        }
    }
}

/// Puts a value into the row `free`, or into a new one. Returns the row.
fn put<T>(rows: &mut Vec<T>, free: Option<usize>, it: T) -> usize {
    let row = free.unwrap_or(rows.len());
    match rows.get_mut(row) {
        Some(place) => *place = it,
        None => rows.push(it),
    }
    row
}

impl<T> Rows<T> {
    const IS_DROPPED: bool = std::mem::needs_drop::<T>();

    pub(super) fn put(&mut self, actor: T) -> usize {
        let free = self.free.pop();
        if Self::IS_DROPPED {
            put(&mut self.dropped, free, Some(actor))
        } else {
            put(&mut self.plain, free, actor)
        }
    }

    /// Frees a row, calls `finalize` for its actor, and drops the actor.
    pub(super) fn reclaim(&mut self, row: usize, finalize: impl FnOnce(&mut T)) {
        if Self::IS_DROPPED {
            let Some(place) = self.dropped.get_mut(row) else { return };
            self.free.insert(row);
            if let Some(mut actor) = place.take() {
                finalize(&mut actor);
            }
        } else {
            let Some(actor) = self.plain.get_mut(row) else { return };
            self.free.insert(row);
            finalize(actor);
        }
    }

    /// The actor in a row that has not been reclaimed.
    #[inline]
    pub(crate) fn actor(&self, row: usize) -> &T {
        if Self::IS_DROPPED {
            self.dropped[row].as_ref().expect("it was not reclaimed")
        } else {
            &self.plain[row]
        }
    }

    #[inline]
    pub(super) fn actor_mut(&mut self, row: usize) -> &mut T {
        if Self::IS_DROPPED {
            self.dropped[row].as_mut().expect("it was not reclaimed")
        } else {
            &mut self.plain[row]
        }
    }
}
