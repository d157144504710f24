//! [`Kept`]: objects of [`Text`] that a static keeps until a shutdown.

use acedia::__private::{KeptObjects, inventory};
use acedia::{Object, Owned};
use parking_lot::{Mutex, MutexGuard};

use crate::Text;

/// The objects that a static keeps. `None` if the static is not in [`PLACES`].
#[derive(Default)]
pub(crate) struct Kept<T>(Mutex<Option<T>>);

pub(crate) trait Objects: Default + Send {
    fn each(&self, each: &mut dyn FnMut(&Owned<Text>));
}

impl Objects for Option<Owned<Text>> {
    fn each(&self, each: &mut dyn FnMut(&Owned<Text>)) {
        self.iter().for_each(each);
    }
}

/// A static that keeps objects.
trait Place: Sync {
    /// Drops the owners. Called without a lock.
    fn release(&self);

    /// Calls `each` with the objects. Called under the lock of the list.
    fn visit(&self, each: &mut dyn FnMut(&Owned<Text>));
}

impl<T: Objects> Place for Kept<T> {
    fn release(&self) {
        // Dropped after the lock is released.
        let objects = self.lock().take();
        drop(objects);
    }

    fn visit(&self, each: &mut dyn FnMut(&Owned<Text>)) {
        if let Some(objects) = &*self.lock() {
            objects.each(each);
        }
    }
}

impl<T: Objects> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.0.lock()
    }

    /// The object that `find` returns, or else the result of `put` for a new object.
    pub(crate) fn get(
        &'static self,
        find: impl FnOnce(&T) -> Option<Owned<Text>>,
        make: impl FnOnce() -> Owned<Text>,
        put: impl FnOnce(&mut T, &Owned<Text>) -> Owned<Text>,
    ) -> Owned<Text> {
        let known = self.lock().as_ref().and_then(find);
        if let Some(known) = known {
            return known;
        }
        // No lock is held while the object is made, nor while it is dropped because `put` did not keep it: the first text of the
        // process waits for static constructors and finalizers.
        let object = make();
        let mut places = PLACES.lock();
        // Without a list, another thread has shut down.
        let Some(places) = &mut *places else {
            return object.clone();
        };
        let mut objects = self.lock();
        if objects.is_none() {
            places.push(self);
        }
        put(objects.get_or_insert_default(), &object)
    }
}

/// The places that keep objects. `None` while the class [`Text`] is not statically constructed: then no place may
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
