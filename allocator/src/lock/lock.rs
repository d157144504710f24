//! [`Lock`]: a lock that panics where threads would wait in a circle for locks of this kind.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use crate::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::circle::{self, Circle, Waiting};
use super::notes::{self, Access, Note};

/// What a [`Lock`] locks, for the sentence of its panics.
pub trait Subject {
    /// With its article, such as "a ref".
    const NAME: &'static str;
    /// What a thread should do that would have waited for itself.
    const WAY_OUT: &'static str;
}

/// A read-write lock that panics where waiting would have no end, whatever locks of this kind a thread holds.
///
/// `parking_lot`'s lock does the work. Whoever holds it while anything can happen leaves a note for its own thread, a few
/// stores, which is looked up only if a lock is not free. Who has to wait while it holds another one looks whether that closes
/// a circle of threads (`circle.rs`).
///
/// Readers overtake a writer that waits, so a thread may read what it is reading, and wait meanwhile for another one that
/// reads it. Only who reads in turn or briefly, and holds nothing, lets that writer go first.
///
/// What remains without an end: a circle through anything else that threads wait for, such as the static constructor that an
/// allocation waits for; and a guard that was forgotten, while the lock stays in use. Its note ends with the lock, or with
/// [`unlock`](Self::unlock), and so is left behind, to be believed, if the lock is moved meanwhile.
pub struct Lock<T, S>(RwLock<T>, PhantomData<fn() -> S>);

/// The content, to be read.
pub struct Reading<'a, T> {
    content: RwLockReadGuard<'a, T>,
    _note: Note,
}

/// The content, to be changed.
pub struct Writing<'a, T> {
    content: RwLockWriteGuard<'a, T>,
    _note: Note,
}

/// How long somebody who wants to read sleeps at first, before trying anew.
const PATIENCE: Duration = Duration::from_millis(2);

/// As long as nobody can wait for who wants to read, as far as is known here.
const MORE_PATIENCE: Duration = Duration::from_millis(100);

impl<T, S: Subject> Lock<T, S> {
    /// A lock with this content.
    pub fn new(content: T) -> Self {
        Self(RwLock::new(content), PhantomData)
    }

    /// For reading.
    ///
    /// # Panics
    ///
    /// If waiting would have no end.
    #[inline]
    #[track_caller]
    pub fn read(&self) -> Reading<'_, T> {
        match self.checked_read() {
            Ok(reading) => reading,
            Err(circle) => refuse::<S>(circle, self.access(false)),
        }
    }

    /// For reading, after those who wait to change the content. Who holds something overtakes them, as it may be reading this.
    ///
    /// # Panics
    ///
    /// If waiting would have no end.
    #[inline]
    #[track_caller]
    pub fn read_in_turn(&self) -> Reading<'_, T> {
        match self.reader_in_turn() {
            Ok(content) => self.reading(content),
            Err(circle) => refuse::<S>(circle, self.access(false)),
        }
    }

    /// For changing.
    ///
    /// # Panics
    ///
    /// If waiting would have no end.
    #[inline]
    #[track_caller]
    pub fn write(&self) -> Writing<'_, T> {
        match self.checked_write() {
            Ok(writing) => writing,
            Err(circle) => refuse::<S>(circle, self.access(true)),
        }
    }

    /// As [`read_in_turn`](Self::read_in_turn), by code that locks nothing and runs nobody else's code meanwhile; so it needs
    /// no note.
    ///
    /// # Panics
    ///
    /// If waiting would have no end.
    #[inline]
    #[track_caller]
    pub fn read_briefly(&self) -> impl Deref<Target = T> + '_ {
        match self.reader_in_turn() {
            Ok(content) => content,
            Err(circle) => refuse::<S>(circle, self.access(false)),
        }
    }

    /// For changing by code that locks nothing and runs nobody else's code meanwhile; so it needs no note.
    ///
    /// # Panics
    ///
    /// If waiting would have no end.
    #[inline]
    #[track_caller]
    pub fn write_briefly(&self) -> impl DerefMut<Target = T> + '_ {
        match self.writer() {
            Ok(content) => content,
            Err(circle) => refuse::<S>(circle, self.access(true)),
        }
    }

    fn checked_read(&self) -> Result<Reading<'_, T>, Circle> {
        self.reader().map(|content| self.reading(content))
    }

    fn checked_write(&self) -> Result<Writing<'_, T>, Circle> {
        self.writer().map(|content| self.writing(content))
    }

    #[inline]
    fn reader(&self) -> Result<RwLockReadGuard<'_, T>, Circle> {
        self.0.try_read_recursive().map_or_else(|| self.wait_to_read(), Ok)
    }

    #[inline]
    fn reader_in_turn(&self) -> Result<RwLockReadGuard<'_, T>, Circle> {
        self.0.try_read().map_or_else(|| self.wait_to_read_in_turn(), Ok)
    }

    #[inline]
    fn writer(&self) -> Result<RwLockWriteGuard<'_, T>, Circle> {
        self.0.try_write().map_or_else(|| self.wait_to_write(), Ok)
    }

    #[cold]
    fn wait_to_read(&self) -> Result<RwLockReadGuard<'_, T>, Circle> {
        let waiting = Waiting::begin(self.access(false))?;
        // Tries anew every now and then: who sleeps in `parking_lot`'s queue is not told that only others who read have the
        // lock by now if there is somebody in front who wants to write, and so would wait for those, whom no circle is known
        // of. But each time it goes to the end of the queue, so it sleeps longer and longer, and its turn comes at last.
        let mut patience = if waiting.is_some() { PATIENCE } else { MORE_PATIENCE };
        loop {
            if let Some(content) = self.0.try_read_recursive_for(patience) {
                return Ok(content);
            }
            patience = patience.saturating_mul(2);
        }
    }

    #[cold]
    fn wait_to_read_in_turn(&self) -> Result<RwLockReadGuard<'_, T>, Circle> {
        if notes::held().is_empty() {
            Ok(self.0.read())
        } else {
            self.reader()
        }
    }

    #[cold]
    fn wait_to_write(&self) -> Result<RwLockWriteGuard<'_, T>, Circle> {
        let _waiting = Waiting::begin(self.access(true))?;
        Ok(self.0.write())
    }

    /// For reading, unless that would have to wait.
    pub fn try_read(&self) -> Option<Reading<'_, T>> {
        self.0.try_read_recursive().map(|content| self.reading(content))
    }

    /// For reading, unless that would have to wait for longer than `patience`, or for this thread.
    ///
    /// Other threads are not told that this one waits: its wait ends by itself, so it is no part of a circle.
    pub fn try_read_for(&self, patience: Duration) -> Option<Reading<'_, T>> {
        self.try_read().or_else(|| {
            let wanted = self.access(false);
            if notes::held().iter().any(|held| held.access.excludes(wanted)) {
                return None;
            }
            let content = self.0.try_read_recursive_for(patience)?;
            Some(self.reading(content))
        })
    }

    /// For changing, unless that would have to wait.
    pub fn try_write(&self) -> Option<Writing<'_, T>> {
        self.0.try_write().map(|content| self.writing(content))
    }

    #[inline]
    fn reading<'a>(&self, content: RwLockReadGuard<'a, T>) -> Reading<'a, T> {
        Reading {
            content,
            _note: Note::leave(self.access(false)),
        }
    }

    #[inline]
    fn writing<'a>(&self, content: RwLockWriteGuard<'a, T>) -> Writing<'a, T> {
        Writing {
            content,
            _note: Note::leave(self.access(true)),
        }
    }
}

impl<T, S> Lock<T, S> {
    /// For who alone has it.
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }

    /// Makes a lock that nobody can hold any more free: who forgot a guard left it locked.
    #[inline]
    pub fn unlock(&mut self)
    where
        T: Default,
    {
        if self.0.is_locked() {
            let content = std::mem::take(self.0.get_mut());
            self.0 = RwLock::new(content);
            circle::forget(self.access(false).address());
        }
    }

    #[inline]
    fn access(&self, writes: bool) -> Access {
        Access::new(std::ptr::from_ref(self).addr(), writes)
    }
}

impl<T, S> Drop for Lock<T, S> {
    fn drop(&mut self) {
        // Another lock may come to stand where a guard of this one was forgotten.
        if self.0.is_locked() {
            circle::forget(self.access(false).address());
        }
    }
}

/// Says why waiting would have no end.
#[cold]
#[track_caller]
fn refuse<S: Subject>(circle: Circle, wanted: Access) -> ! {
    let (name, way_out) = (S::NAME, S::WAY_OUT);
    match (circle, wanted.writes()) {
        (Circle::Own, false) => {
            panic!("{name} is read by the thread that is changing it, which would wait for itself; {way_out}")
        }
        (Circle::Own, true) => {
            panic!(
                "{name} is changed by a thread that is reading or changing it, which would wait for itself; {way_out}"
            )
        }
        (Circle::Others, _) => panic!(
            "{name} is wanted by a thread that others wait for, and it would wait for them: that would have no end; \
             hold one thing at a time, or lock them in the same order on every thread"
        ),
    }
}

impl<T: Default, S: Subject> Default for Lock<T, S> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: fmt::Debug, S: Subject> fmt::Debug for Lock<T, S> {
    /// The content, or `<locked>` if it can't be had without waiting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_read() {
            Some(content) => content.fmt(f),
            None => f.write_str("<locked>"),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Reading<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Debug> fmt::Debug for Writing<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> Deref for Reading<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T> Deref for Writing<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T> DerefMut for Writing<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.content
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
#[cfg(all(test, not(acedia_loom)))]
mod tests;
