//! The bare loop: the least that a pool with lives has to do, without a pool.

use std::cell::Cell;
use std::hint::black_box;

/// An object with its life before it, as in a slot of the engine.
struct Room<T> {
    life: Cell<i64>,
    object: Cell<T>,
}

/// A magazine of rooms, which each free has at hand. The engine finds its own by way of the slot's chunk.
pub(crate) struct Magazine<T: 'static> {
    rooms: Vec<Cell<Option<&'static Room<T>>>>,
    len: Cell<usize>,
}

impl<T: Default> Magazine<T> {
    pub(crate) fn new() -> Self {
        let room = || {
            &*Box::leak(Box::new(Room {
                life: Cell::new(-1),
                object: Cell::default(),
            }))
        };
        Self {
            rooms: (0..64).map(|_| Cell::new(Some(room()))).collect(),
            len: Cell::new(64),
        }
    }

    #[inline]
    fn pop(&self) -> &'static Room<T> {
        let len = self.len.get() - 1;
        self.len.set(len);
        self.rooms[len].get().expect("filled by `new` and `push`")
    }

    /// A call, as the engine's free is.
    #[inline(never)]
    fn push(&self, room: &'static Room<T>) {
        room.life.set(-1 - room.life.get());
        let len = self.len.get();
        self.rooms[len].set(Some(room));
        self.len.set(len + 1);
    }

    /// One life.
    #[inline]
    pub(crate) fn pair(&self, value: T) {
        let room = self.pop();
        room.life.set(-room.life.get());
        room.object.set(value);
        black_box(room);
        self.push(room);
    }
}
