//! Looking at objects through references that may be stale: [`Note`], [`Notebook`], [`Sightings`].

use std::ops::AddAssign;

use crate::objects::Entity;
use crate::random::Random;
use crate::world::World;

/// The results of looks, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sightings {
    /// The object was alive, and the right one.
    pub(crate) alive: u64,
    /// The object was dead, and the reference said so.
    pub(crate) refused: u64,
    /// The reference led to another object. Must never happen.
    pub(crate) wrong: u64,
    /// The object had been freed and was still reachable, because another thread was reading it.
    pub(crate) lingering: u64,
}

impl AddAssign for Sightings {
    fn add_assign(&mut self, other: Self) {
        self.alive += other.alive;
        self.refused += other.refused;
        self.wrong += other.wrong;
        self.lingering += other.lingering;
    }
}

/// A reference, and the id of the object that it must lead to.
pub(crate) struct Note<W: World, T: Entity> {
    link: W::Link<T>,
    id: u64,
}

// By hand, because a derive would require `W: Clone` and `T: Clone`.
impl<W: World, T: Entity> Clone for Note<W, T> {
    fn clone(&self) -> Self {
        Self {
            link: self.link.clone(),
            id: self.id,
        }
    }
}

impl<W: World, T: Entity> Note<W, T> {
    /// A note of a living object.
    pub(crate) fn of(object: &W::Owned<T>) -> Self {
        Self {
            link: W::link(object),
            id: object.id(),
        }
    }

    /// Whether the reference leads to the right object, or `None` if it leads to nothing. Shows the object to `visit`.
    fn look(&self, reader: &W::Reader, visit: impl FnOnce(&T)) -> Option<bool> {
        W::look(&self.link, reader, |object| {
            visit(object);
            object.id() == self.id
        })
    }

    /// Keeps the object readable, if it is alive, and gives back its id.
    pub(crate) fn hold(&self) -> Option<(W::Held<T>, u64)> {
        Some((W::hold(&self.link)?, self.id))
    }
}

/// A fixed number of notes. New notes replace random old ones.
pub(crate) struct Notebook<W: World, T: Entity> {
    notes: Vec<Note<W, T>>,
    pages: usize,
}

impl<W: World, T: Entity> Notebook<W, T> {
    /// An empty notebook for `room` notes, at least 1.
    pub(crate) fn new(pages: usize) -> Self {
        Self {
            notes: Vec::with_capacity(pages),
            pages,
        }
    }

    pub(crate) fn write(&mut self, note: Note<W, T>, random: &mut Random) {
        if self.notes.len() < self.pages {
            self.notes.push(note);
        } else {
            self.notes[random.below(self.pages)] = note;
        }
    }

    /// Any note, if there are some.
    fn any(&self, random: &mut Random) -> Option<usize> {
        (!self.notes.is_empty()).then(|| random.below(self.notes.len()))
    }

    /// Looks at `count` objects at random, and strikes out those that are gone.
    pub(crate) fn look(
        &mut self,
        count: usize,
        reader: &W::Reader,
        random: &mut Random,
        mut visit: impl FnMut(&T),
    ) -> Sightings {
        let mut seen = Sightings::default();
        for _ in 0..count {
            let Some(page) = self.any(random) else { break };
            match self.notes[page].look(reader, &mut visit) {
                Some(true) => seen.alive += 1,
                Some(false) => seen.wrong += 1,
                None => {
                    seen.refused += 1;
                    self.notes.swap_remove(page);
                }
            }
        }
        seen
    }

    /// Looks at `count` objects that were all freed by this very thread: there must be nothing to see.
    pub(crate) fn look_at_dead(&self, count: usize, reader: &W::Reader, random: &mut Random) -> Sightings {
        let mut seen = Sightings::default();
        for _ in 0..count {
            let Some(page) = self.any(random) else { break };
            match self.notes[page].look(reader, |_| {}) {
                Some(true) => seen.lingering += 1,
                Some(false) => seen.wrong += 1,
                None => seen.refused += 1,
            }
        }
        seen
    }

    /// Keeps an object at random readable, if it is alive.
    pub(crate) fn hold(&self, random: &mut Random) -> Option<(W::Held<T>, u64)> {
        self.notes[self.any(random)?].hold()
    }
}
