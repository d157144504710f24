//! [`Reader`]: a pool under a pin, for many reads.

use std::fmt;

use super::chunk::Span;
use super::depot::Depot;
use super::directory::tag;
use super::hooks::{Hooks, Plain};
use super::{Key, Pinned, Pool, find, read};
use crate::hint::uncommon;
use crate::{AccessError, Reason};

/// A pool and a pin: reads by key, without naming either again.
///
/// Made by [`Pool::reader`]. It has asked the pool once what [`Pool::get`] asks at every read, and knows where the objects are if
/// they stand in one chunk, as up to four thousand small ones do: in a loop that does little else, a read then takes two thirds of
/// the time, and among more objects six sevenths. Copies are free. It stays on the thread of the pin, and sees what is allocated
/// while it exists.
///
/// ```
/// use acedia_allocator::Reason;
/// use acedia_allocator::pool::{Pool, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let pinned = pin();
/// let reader = pool.reader(&pinned);
/// let owners: Vec<_> = (0..10).map(|n| pool.allocate_with(|it| *it = n)).collect();
/// let keys: Vec<_> = owners.iter().map(|owner| owner.key()).collect();
/// assert_eq!(keys.iter().filter_map(|&key| reader.get(key)).sum::<u64>(), 45);
/// drop(owners);
/// assert_eq!(reader.try_get(keys[3]).unwrap_err().reason(), Reason::Freed);
/// ```
#[must_use = "a reader does nothing by itself"]
pub struct Reader<'g, T: 'static, H: Hooks<T> = Plain> {
    pool: &'g Pool<T, H>,
    pinned: &'g Pinned,
    /// The only chunk that the pool had when the reader was made.
    span: Span,
    /// The pool's number in the directory.
    number: u32,
}

impl<'g, T: Send + Sync + 'static, H: Hooks<T>> Reader<'g, T, H> {
    #[inline]
    pub(super) fn new(pool: &'g Pool<T, H>, pinned: &'g Pinned, depot: &'g Depot) -> Self {
        Self {
            pool,
            pinned,
            span: depot.only_span(),
            number: tag::number(depot.tag),
        }
    }

    /// The object that `key` names, if its life goes on: as [`Pool::get`].
    #[inline]
    #[must_use]
    pub fn get(self, key: Key) -> Option<&'g T> {
        // Inline: around a call, a loop would keep all it has on the stack.
        let far = || read(find::<T>(key, self.number)?, key, self.pinned);
        // Of a loop, the compiler makes two.
        let Some(slot) = self.span.slot::<T>(key) else {
            return far();
        };
        match slot.life().is_if_its_slot(key) {
            // SAFETY: as in `read`: the life is visible, and the pin is there for as long as the reference.
            Some(true) => Some(unsafe { slot.object().as_ref() }),
            Some(false) => None,
            // The key is another chunk's.
            None => {
                uncommon();
                far()
            }
        }
    }

    /// As [`get`](Self::get), saying why there is nothing.
    ///
    /// # Errors
    ///
    /// As [`Pool::try_get`].
    pub fn try_get(self, key: Key) -> Result<&'g T, AccessError> {
        self.get(key).ok_or_else(|| self.pool.explain(key, Reason::Hidden))
    }
}

impl<T: 'static, H: Hooks<T>> Clone for Reader<'_, T, H> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static, H: Hooks<T>> Copy for Reader<'_, T, H> {}

impl<T: 'static, H: Hooks<T>> fmt::Debug for Reader<'_, T, H> {
    /// `Reader(Pool { … })`; never touches an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reader").field(self.pool).finish()
    }
}
