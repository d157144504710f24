//! [`Place`]: a static that keeps objects of [`Text`](crate::Text) until a shutdown.

use parking_lot::Mutex;

/// A static that keeps owners of text objects.
pub(crate) trait Place: Sync {
    /// Drops the owners. Called without a lock.
    fn release(&self);
}

/// The places that keep objects. `None` while the class [`Text`](crate::Text) is not statically constructed: then no place may
/// keep one.
static PLACES: Mutex<Option<Vec<&dyn Place>>> = Mutex::new(None);

/// Allows places to keep objects.
pub(crate) fn begin() {
    PLACES.lock().get_or_insert_default();
}

/// Drops the owners of all places. An object lives on if it has other owners.
pub(crate) fn end() {
    let places = PLACES.lock().take();
    for place in places.into_iter().flatten() {
        place.release();
    }
}

/// Calls `keep` with the list of places, to which it adds the place that keeps its first object. `None` during a shutdown.
pub(crate) fn with_list<R>(keep: impl FnOnce(&mut Vec<&'static dyn Place>) -> R) -> Option<R> {
    PLACES.lock().as_mut().map(keep)
}
