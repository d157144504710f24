//! [`Lock`]: the lock of a collection, which lets no thread wait for itself.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::MutexGuard;

use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A read-write lock. A thread that reads may read again; any other second time would wait for ever, and panics instead.
///
/// `parking_lot`'s lock does the work. Whoever holds it leaves a note for its own thread, a few stores, which is looked up
/// only if the lock is not free.
#[derive(Default)]
pub(crate) struct Lock<T>(RwLock<T>);

/// The content, to be read.
pub(crate) struct Reading<'a, T> {
    content: RwLockReadGuard<'a, T>,
    _note: Note,
}

/// The content, to be changed.
pub(crate) struct Writing<'a, T> {
    content: RwLockWriteGuard<'a, T>,
    _note: Note,
}

impl<T: fmt::Debug> fmt::Debug for Reading<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> Lock<T> {
    #[inline]
    #[track_caller]
    pub(crate) fn read(&self) -> Reading<'_, T> {
        // Recursively: otherwise a writer that waits goes first, and waits for this thread.
        let content = self.0.try_read_recursive();
        self.reading(content.unwrap_or_else(|| self.wait_to_read()))
    }

    #[inline]
    #[track_caller]
    pub(crate) fn write(&self) -> Writing<'_, T> {
        let content = self.0.try_write();
        let content = content.unwrap_or_else(|| self.wait_to_write());
        Writing {
            content,
            _note: Note::leave(self.address()),
        }
    }

    /// For reading, unless that would have to wait.
    pub(crate) fn try_read(&self) -> Option<Reading<'_, T>> {
        self.0.try_read_recursive().map(|content| self.reading(content))
    }

    /// For changing, unless that would have to wait.
    pub(crate) fn try_write(&self) -> Option<Writing<'_, T>> {
        let content = self.0.try_write()?;
        Some(Writing {
            content,
            _note: Note::leave(self.address()),
        })
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }

    /// Whoever forgot a guard left the lock locked, which must not outlive the life.
    #[inline]
    pub(crate) fn unlock(&mut self)
    where
        T: Default,
    {
        if self.0.is_locked() {
            self.replace();
        }
    }

    #[cold]
    fn replace(&mut self)
    where
        T: Default,
    {
        self.0 = RwLock::new(std::mem::take(self.0.get_mut()));
        FORGOTTEN.lock().get_or_insert_default().insert(self.address());
    }

    #[inline]
    fn reading<'a>(&self, content: RwLockReadGuard<'a, T>) -> Reading<'a, T> {
        Reading {
            content,
            _note: Note::leave(self.address()),
        }
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    #[cold]
    #[track_caller]
    fn wait_to_read(&self) -> RwLockReadGuard<'_, T> {
        // A thread that reads could have read again without waiting.
        assert!(
            !Note::is_left(self.address()),
            "a collection is read by the thread that is changing it, which would wait for itself; \
             read through what `write` gave, or before"
        );
        self.0.read_recursive()
    }

    #[cold]
    #[track_caller]
    fn wait_to_write(&self) -> RwLockWriteGuard<'_, T> {
        assert!(
            !Note::is_left(self.address()),
            "a collection is changed by a thread that is reading or changing it, which would wait for itself; \
             let go of what `read` or `write` gave before"
        );
        self.0.write()
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

/// Locks that a thread can hold at a time and be told of. Who holds more may wait for itself.
const MOST: usize = 32;

thread_local! {
    /// The addresses of the locks that this thread holds, the first `COUNT` of these.
    static HELD: [Cell<usize>; MOST] = const { [const { Cell::new(0) }; MOST] };
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The addresses where guards were forgotten. Their notes stay, and say nothing of the locks that are there later.
static FORGOTTEN: Mutex<Option<HashSet<usize>>> = Mutex::new(None);

/// That this thread holds the lock at an address, until it is dropped; 0 for a lock that is not told of. Can't go to other
/// threads, even where somebody has switched on that `parking_lot`'s guards can.
struct Note(usize, PhantomData<MutexGuard<'static, ()>>);

impl Note {
    #[inline]
    fn leave(address: usize) -> Self {
        let count = COUNT.get();
        if count == MOST {
            return Self(0, PhantomData);
        }
        HELD.with(|held| held[count].set(address));
        COUNT.set(count + 1);
        Self(address, PhantomData)
    }

    fn is_left(address: usize) -> bool {
        HELD.with(|held| held[..COUNT.get()].iter().any(|at| at.get() == address))
            && !FORGOTTEN.lock().as_ref().is_some_and(|all| all.contains(&address))
    }
}

impl Drop for Note {
    #[inline]
    fn drop(&mut self) {
        if self.0 == 0 {
            return;
        }
        let last = COUNT.get() - 1;
        COUNT.set(last);
        HELD.with(|held| {
            let moved = held[last].get();
            if moved != self.0 {
                // Guards were not dropped in the opposite order. Any note of this address is as good as ours.
                if let Some(own) = held[..last].iter().find(|at| at.get() == self.0) {
                    own.set(moved);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever `parking_lot` says of its guards.
    #[test]
    fn notes_stay_on_their_thread() {
        trait Ambiguous<A> {
            const IS_CLEAR: bool = true;
        }
        impl<T> Ambiguous<()> for T {}
        impl<T: Send> Ambiguous<u8> for T {}
        // Does not compile if a note can be sent.
        const { assert!(<Note as Ambiguous<_>>::IS_CLEAR) };
    }

    /// The next life of a lock is waited for as any other, also by who forgot a guard of the last one.
    #[test]
    fn forgotten_guards_end_with_the_life() {
        // In a place and on a thread that no other test has later.
        let lock: &mut Lock<u32> = Box::leak(Box::default());
        let forgetful = std::thread::spawn(|| {
            std::mem::forget(lock.read());
            lock.unlock();
            std::thread::scope(|scope| {
                let (has_begun, begun) = std::sync::mpsc::channel();
                let lock = &*lock;
                scope.spawn(move || {
                    let mut content = lock.write();
                    has_begun.send(()).expect("is waited for");
                    std::thread::sleep(std::time::Duration::from_millis(50));
                    *content += 1;
                });
                begun.recv().expect("it locks");
                assert_eq!(*lock.read(), 1);
            });
        });
        forgetful.join().expect("it waits");
    }

    #[test]
    fn notes_are_taken_away_in_any_order() {
        let locks: Vec<Lock<u32>> = (0..2 * MOST).map(|_| Lock::default()).collect();
        for first in [0, 1, MOST - 1, MOST, MOST + 1] {
            let mut guards: Vec<_> = locks.iter().map(Lock::read).collect();
            assert!(
                Note::is_left(locks[0].address()) && !Note::is_left(locks[MOST].address()),
                "as many as there is room for"
            );
            guards.rotate_left(first);
            for guard in guards {
                drop(guard);
            }
            assert_eq!(COUNT.get(), 0);
            assert!(locks.iter().all(|lock| !Note::is_left(lock.address())));
        }
        let (outer, inner) = (locks[0].read(), locks[0].read());
        drop(outer);
        assert!(Note::is_left(locks[0].address()));
        drop(inner);
        assert!(!Note::is_left(locks[0].address()));
    }
}
