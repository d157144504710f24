//! [`Place`]: a static that keeps objects of [`Text`](crate::Text) until a shutdown.

use acedia::__private::{KeptObjects, inventory};
use acedia::{Object, Owned};
use parking_lot::Mutex;

use crate::Text;

/// A static that keeps owners of text objects.
pub(crate) trait Place: Sync {
    /// Drops the owners. Called without a lock.
    fn release(&self);

    /// Calls `each` with the objects. Called under the lock of the list.
    fn visit(&self, each: &mut dyn FnMut(&Owned<Text>));
}

/// The places that keep objects. `None` while the class [`Text`](crate::Text) is not statically constructed: then no place may
/// keep one.
static PLACES: Mutex<Option<Vec<&dyn Place>>> = Mutex::new(None);

inventory::submit! {
    KeptObjects {
        class: Text::class,
        indices: || {
            let mut indices = Vec::new();
            for place in PLACES.lock().iter().flatten() {
                place.visit(&mut |text| if text.owners() == 1 { indices.push(text.index()) });
            }
            indices
        },
    }
}

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
