//! [`Part`]: a piece of a pool under a pin, which may be read on threads other than the pin's. [`PartMut`]: a piece by `&mut`.

use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::pool::chunk::Chunk;
use crate::pool::handle::Handle;
use crate::pool::lookup::Reader;
use crate::pool::pin::{Domain, Pinned};
use crate::pool::pool::{Hooks, Pool};
use crate::pool::slot::Slot;

/// A chunk of a pool under a pin, for threads other than the pinned one.
pub(crate) struct Part<'g, T: 'static, H: Hooks<T>> {
    reader: Reader<'g, T, H>,
    chunk: NonNull<Chunk>,
}

impl<T: 'static, H: Hooks<T>> Clone for Part<'_, T, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static, H: Hooks<T>> Copy for Part<'_, T, H> {}

// SAFETY: a thread that gets a part reads lives and objects by it. `T` is `Sync`, so it may share the objects. The pin's fence
// happens before the first read by a part, because the part was made under the pin; the end of the pin happens after the last
// read, because the part borrows the pin. So a thread that frees sees the pin's flag, or the part's reader sees the end of the
// life, as if the pin's own thread read (`reading_under_the_pin_of_another_thread`). The chunk lives as long as the pool, which
// `'g` borrows.
unsafe impl<T: Send + Sync + 'static, H: Hooks<T>> Send for Part<'_, T, H> {}
// SAFETY: `&Part` gives what a copy of the part gives, and a part may be sent.
unsafe impl<T: Send + Sync + 'static, H: Hooks<T>> Sync for Part<'_, T, H> {}

impl<'g, T: Send + Sync + 'static, H: Hooks<T>> Part<'g, T, H> {
    /// The number of slots that may ever have had an object.
    pub(crate) fn slots(self) -> usize {
        // SAFETY: the pool owns its chunks, and none ends before the pool.
        unsafe { self.chunk.as_ref() }.used().len()
    }

    /// The object in the slot at that place of the chunk, if a visible life goes on there.
    pub(crate) fn get(self, place: usize) -> Option<(Handle<T>, &'g T)> {
        // SAFETY: as above.
        let shape = unsafe { self.chunk.as_ref() }.shape;
        let key = Slot::at(self.chunk, place, shape).life().snapshot().key()?;
        let handle = Handle::of_key(key);
        Some((handle, self.reader.get(handle)?))
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// The chunks that the pool has now.
    pub(crate) fn parts<'g>(&'g self, pinned: &'g Pinned<H::Readers>) -> Vec<Part<'g, T, H>>
    where
        H::Readers: Domain,
    {
        let Some(depot) = self.untyped.depot.get() else {
            return Vec::new();
        };
        let reader = Reader::new(self, pinned, depot);
        let chunks = depot.locked.lock().chunks.clone();
        chunks.into_iter().map(|chunk| Part { reader, chunk }).collect()
    }
}

/// A chunk of a mutably borrowed pool, for any thread.
struct PartMut<'p, T>(NonNull<Chunk>, PhantomData<&'p mut T>);

// SAFETY: as `&mut T` for each object of the chunk, which lives as long as the pool.
unsafe impl<T: Send> Send for PartMut<'_, T> {}

impl<'p, T: 'static> PartMut<'p, T> {
    /// The visible living objects.
    fn into_objects(self) -> impl Iterator<Item = (Handle<T>, &'p mut T)> {
        // SAFETY: the pool owns its chunks, and none ends before the pool.
        let chunk = unsafe { self.0.as_ref() };
        let shape = chunk.shape;
        (0..chunk.used().len()).filter_map(move |place| {
            // All of it, not its pointer alone, which is not `Send`.
            let Self(chunk, _) = &self;
            let slot = Slot::at(*chunk, place, shape);
            let key = slot.life().snapshot().key()?;
            // SAFETY: the life is visible. The pool is borrowed by `&mut`, so there are no owners, guards and other references, or
            // they were forgotten. This part is the only one of the chunk, and the slots differ.
            Some((Handle::of_key(key), unsafe { slot.object().as_mut() }))
        })
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// The visible living objects of each chunk, for mutable access.
    pub(crate) fn parts_mut(&mut self) -> Vec<impl Iterator<Item = (Handle<T>, &mut T)> + Send> {
        let depot = self.untyped.depot.get();
        let chunks = depot.map(|depot| depot.locked.lock().chunks.clone());
        let parts = chunks.unwrap_or_default().into_iter();
        parts.map(|chunk| PartMut(chunk, PhantomData).into_objects()).collect()
    }
}
