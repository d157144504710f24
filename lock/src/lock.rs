//! [`Lock`]: a lock that panics if threads would wait in a cycle for locks of this kind.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::time::Duration;

use crate::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::circle::{self, Circle, Waiting};
use crate::notes::{self, Access, Note};

/// Names the kind of value that a [`Lock`] protects, for the messages of panics. The [crate documentation](crate) has
/// an example.
pub trait Subject {
    /// The name with its article, such as "a ref".
    const NAME: &'static str;
    /// Advice for a thread that would wait for itself.
    const WAY_OUT: &'static str;
}

/// A read-write lock that panics if threads would wait for each other in a cycle of such locks.
///
/// It wraps `parking_lot`'s lock. A thread that holds the lock while other code may run makes a note in its thread-locals,
/// at the cost of a few stores. Notes are read only when a lock is not free: a thread that has to wait while it holds
/// another lock checks whether its wait would close a cycle of threads (`circle.rs`).
///
/// [`read`](Self::read) does not wait for waiting writers, so a thread may read a value that it is already reading. But in
/// [`read_in_turn`](Self::read_in_turn) and [`read_briefly`](Self::read_briefly), a thread that holds no lock lets a waiting writer
/// go first.
///
/// Two kinds of deadlock are not detected: one that involves another kind of wait, such as an allocation that waits for a static
/// constructor, and a leaked guard of a lock that stays in use. The note of a forgotten guard is voided when the lock is dropped and by
/// [`unlock`](Self::unlock); if the lock is moved before that, the note stays valid for the old address.
pub struct Lock<T, S>(RwLock<T>, PhantomData<fn() -> S>);

/// Read access to the content.
pub struct Reading<'a, T> {
    content: RwLockReadGuard<'a, T>,
    _note: Note,
}

/// Write access to the content.
pub struct Writing<'a, T> {
    content: RwLockWriteGuard<'a, T>,
    _note: Note,
}

/// How long a reader that holds other locks sleeps before its second try.
const PATIENCE: Duration = Duration::from_millis(2);

/// The same for a reader that holds no lock according to its notes, so that no thread can be waiting for it.
const MORE_PATIENCE: Duration = Duration::from_millis(100);

impl<T, S: Subject> Lock<T, S> {
    /// A lock with this content.
    pub fn new(content: T) -> Self {
        Self(RwLock::new(content), PhantomData)
    }

    /// Locks the content for reading.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let balance: Lock<u32, Account> = Lock::new(7);
    /// let first = balance.read();
    /// assert_eq!(*first + *balance.read(), 14); // the same thread may read twice
    /// ```
    ///
    /// # Panics
    ///
    /// If waiting would deadlock.
    #[inline]
    #[track_caller]
    pub fn read(&self) -> Reading<'_, T> {
        match self.checked_read() {
            Ok(reading) => reading,
            Err(circle) => refuse::<S>(circle, self.access(false)),
        }
    }

    /// Locks the content for reading, after the writers that are waiting. A thread that holds a lock overtakes these
    /// writers, because it may be reading this content already.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let balance: Lock<u32, Account> = Lock::new(7);
    /// assert_eq!(*balance.read_in_turn(), 7);
    /// ```
    ///
    /// # Panics
    ///
    /// If waiting would deadlock.
    #[inline]
    #[track_caller]
    pub fn read_in_turn(&self) -> Reading<'_, T> {
        match self.reader_in_turn() {
            Ok(content) => self.reading(content, Location::caller()),
            Err(circle) => refuse::<S>(circle, self.access(false)),
        }
    }

    /// Locks the content for writing.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let balance: Lock<u32, Account> = Lock::new(7);
    /// *balance.write() += 1;
    /// assert_eq!(*balance.read(), 8);
    /// ```
    ///
    /// # Panics
    ///
    /// If waiting would deadlock.
    #[inline]
    #[track_caller]
    pub fn write(&self) -> Writing<'_, T> {
        match self.checked_write() {
            Ok(writing) => writing,
            Err(circle) => refuse::<S>(circle, self.access(true)),
        }
    }

    /// Like [`read_in_turn`](Self::read_in_turn), but without a note. For code that takes no lock and calls no foreign code
    /// meanwhile.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let balance: Lock<u32, Account> = Lock::new(7);
    /// assert_eq!(*balance.read_briefly(), 7);
    /// ```
    ///
    /// # Panics
    ///
    /// If waiting would deadlock.
    #[inline]
    #[track_caller]
    pub fn read_briefly(&self) -> impl Deref<Target = T> + '_ {
        match self.reader_in_turn() {
            Ok(content) => content,
            Err(circle) => refuse::<S>(circle, self.access(false)),
        }
    }

    /// Like [`write`](Self::write), but without a note. For code that takes no lock and calls no foreign code meanwhile.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let balance: Lock<u32, Account> = Lock::new(7);
    /// *balance.write_briefly() = 8;
    /// assert_eq!(*balance.read_briefly(), 8);
    /// ```
    ///
    /// # Panics
    ///
    /// If waiting would deadlock.
    #[inline]
    #[track_caller]
    pub fn write_briefly(&self) -> impl DerefMut<Target = T> + '_ {
        match self.writer() {
            Ok(content) => content,
            Err(circle) => refuse::<S>(circle, self.access(true)),
        }
    }

    #[inline]
    #[track_caller]
    fn checked_read(&self) -> Result<Reading<'_, T>, Circle> {
        let place = Location::caller();
        self.reader().map(|content| self.reading(content, place))
    }

    #[inline]
    #[track_caller]
    fn checked_write(&self) -> Result<Writing<'_, T>, Circle> {
        let place = Location::caller();
        self.writer().map(|content| self.writing(content, place))
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
        // Retries from time to time. A reader in `parking_lot`'s queue behind a writer is not woken when only readers hold
        // the lock. It would go on waiting for those readers, a wait that the search for cycles does not know. Each retry
        // goes to the end of the queue, so the sleeps get longer, until the reader gets its turn.
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

    /// Locks the content for reading. `None` if that would have to wait.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let balance: Lock<u32, Account> = Lock::new(7);
    /// let writing = balance.write();
    /// assert!(balance.try_read().is_none());
    /// ```
    #[track_caller]
    pub fn try_read(&self) -> Option<Reading<'_, T>> {
        let content = self.0.try_read_recursive()?;
        Some(self.reading(content, Location::caller()))
    }

    /// Locks the content for reading. `None` if that would have to wait for longer than `patience`, or for a guard of
    /// this thread.
    ///
    /// The wait is not entered into the book of waiting threads, because it ends by itself and so cannot be part of a
    /// cycle.
    #[track_caller]
    pub fn try_read_for(&self, patience: Duration) -> Option<Reading<'_, T>> {
        let place = Location::caller();
        self.try_read().or_else(|| {
            let wanted = self.access(false);
            if notes::held().iter().any(|held| held.access.excludes(wanted)) {
                return None;
            }
            let content = self.0.try_read_recursive_for(patience)?;
            Some(self.reading(content, place))
        })
    }

    /// Locks the content for writing. `None` if that would have to wait.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let balance: Lock<u32, Account> = Lock::new(7);
    /// let reading = balance.read();
    /// assert!(balance.try_write().is_none());
    /// ```
    #[track_caller]
    pub fn try_write(&self) -> Option<Writing<'_, T>> {
        let content = self.0.try_write()?;
        Some(self.writing(content, Location::caller()))
    }

    #[inline]
    fn reading<'a>(&self, content: RwLockReadGuard<'a, T>, place: &'static Location<'static>) -> Reading<'a, T> {
        Reading {
            content,
            _note: Note::leave(self.access(false), place),
        }
    }

    #[inline]
    fn writing<'a>(&self, content: RwLockWriteGuard<'a, T>, place: &'static Location<'static>) -> Writing<'a, T> {
        Writing {
            content,
            _note: Note::leave(self.access(true), place),
        }
    }
}

impl<T, S> Lock<T, S> {
    /// The content, through exclusive access to the lock.
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }

    /// Frees a lock that a forgotten guard left locked.
    ///
    /// ```
    /// # use acedia_lock::{Lock, Subject};
    /// # struct Account;
    /// # impl Subject for Account {
    /// #     const NAME: &'static str = "an account";
    /// #     const WAY_OUT: &'static str = "drop the guard first";
    /// # }
    /// let mut balance: Lock<u32, Account> = Lock::new(7);
    /// std::mem::forget(balance.write());
    /// balance.unlock();
    /// assert_eq!(*balance.read(), 7);
    /// ```
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
        // A guard of this lock was forgotten, and another lock may be created at this address.
        if self.0.is_locked() {
            circle::forget(self.access(false).address());
        }
    }
}

/// Panics with the reason why waiting would deadlock.
#[cold]
#[track_caller]
fn refuse<S: Subject>(circle: Circle, wanted: Access) -> ! {
    let (name, way_out) = (S::NAME, S::WAY_OUT);
    let held = notes::held().into_iter().find(|held| held.access.excludes(wanted));
    // A guard in the scrutinee of an `if let` or `match` lives longer than it seems, so its place is the most
    // helpful part.
    let guard = held.map_or_else(String::new, |held| format!(" (the guard was taken at {})", held.place));
    match (circle, wanted.writes()) {
        (Circle::Own, false) => {
            panic!("deadlock: this thread tries to read {name} that it is changing{guard}; {way_out}")
        }
        (Circle::Own, true) => {
            panic!(
                "deadlock: this thread tries to change {name} that it is already reading or changing{guard}; {way_out}"
            )
        }
        (Circle::Others, _) => panic!(
            "deadlock: this thread would wait for {name} whose holder waits for this thread, directly or through other \
             threads; hold one lock at a time, or take locks in the same order on every thread"
        ),
    }
}

impl<T: Default, S: Subject> Default for Lock<T, S> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: fmt::Debug, S: Subject> fmt::Debug for Lock<T, S> {
    /// Prints the content, or `<locked>` if reading it would have to wait.
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

#[cfg(all(test, acedia_loom, feature = "loom"))]
mod models;
#[cfg(all(test, not(acedia_loom)))]
mod tests;
