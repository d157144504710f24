//! Looking at objects through references that may be stale: [`Note`], [`Notebook`], [`Sightings`].

use std::ops::AddAssign;

use crate::random::Random;

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

/// A reference of type `L`, and the id of the object that it must lead to.
#[derive(Clone)]
pub(crate) struct Note<L> {
    pub(crate) link: L,
    pub(crate) id: u64,
}

/// A fixed number of notes. New notes replace random old ones.
pub(crate) struct Notebook<L> {
    notes: Vec<Note<L>>,
    pages: usize,
}

impl<L> Notebook<L> {
    /// An empty notebook for so many notes, at least 1.
    pub(crate) fn new(pages: usize) -> Self {
        Self {
            notes: Vec::with_capacity(pages),
            pages,
        }
    }

    pub(crate) fn write(&mut self, note: Note<L>, random: &mut Random) {
        if self.notes.len() < self.pages {
            self.notes.push(note);
        } else {
            self.notes[random.below(self.pages)] = note;
        }
    }

    /// Any note, if there are some.
    pub(crate) fn any(&self, random: &mut Random) -> Option<&Note<L>> {
        Some(&self.notes[self.any_page(random)?])
    }

    fn any_page(&self, random: &mut Random) -> Option<usize> {
        (!self.notes.is_empty()).then(|| random.below(self.notes.len()))
    }

    /// Looks at `count` objects at random, and strikes out those that are gone. `read` gives the id of the object to which a
    /// reference leads.
    pub(crate) fn look(
        &mut self,
        count: usize,
        random: &mut Random,
        mut read: impl FnMut(&L) -> Option<u64>,
    ) -> Sightings {
        let mut seen = Sightings::default();
        for _ in 0..count {
            let Some(page) = self.any_page(random) else { break };
            let Note { link, id } = &self.notes[page];
            match read(link) {
                Some(found) if found == *id => seen.alive += 1,
                Some(_) => seen.wrong += 1,
                None => {
                    seen.refused += 1;
                    self.notes.swap_remove(page);
                }
            }
        }
        seen
    }

    /// Looks at `count` objects that were all freed by this very thread: there must be nothing to see.
    pub(crate) fn look_at_dead(
        &self,
        count: usize,
        random: &mut Random,
        read: impl Fn(&L) -> Option<u64>,
    ) -> Sightings {
        let mut seen = Sightings::default();
        for _ in 0..count {
            let Some(Note { link, id }) = self.any(random) else {
                break;
            };
            match read(link) {
                Some(found) if found == *id => seen.lingering += 1,
                Some(_) => seen.wrong += 1,
                None => seen.refused += 1,
            }
        }
        seen
    }
}
