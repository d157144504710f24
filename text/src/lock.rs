//! [`Lock`]: a lock whose guards never wait in a circle.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::thread::{self, ThreadId};
use std::time::Duration;

use parking_lot::{Mutex, RwLock, RwLockReadGuard};

/// A read-write lock that panics where waiting would have no end.
///
/// Threads wait in a circle if each of them holds what the next one wants. A thread alone can do it, too. In a circle
/// everybody waits while holding something; so whoever holds a lock and is about to wait says so, and looks whether it is the
/// one that closes the circle. Taking a lock that is free costs a note for the thread; who holds no other lock waits without
/// further ado.
///
/// `parking_lot`'s lock does the work. What is said here is held to real threads by the tests below.
#[derive(Default)]
pub(crate) struct Lock<T>(RwLock<T>);

/// One lock, as it is held or wanted by a thread.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Access {
    address: usize,
    writes: bool,
}

/// A thread that waits, and what it holds meanwhile.
struct Waiter {
    thread: ThreadId,
    wanted: Access,
    held: Vec<Access>,
}

/// How long somebody who wants to read sleeps at a time.
const PATIENCE: Duration = Duration::from_millis(2);

thread_local! {
    /// What this thread holds.
    static HELD: RefCell<Vec<Access>> = const { RefCell::new(Vec::new()) };
}

/// The threads that wait and hold something.
static WAITING: Mutex<Vec<Waiter>> = Mutex::new(Vec::new());

/// The addresses where guards were forgotten. Their notes stay, and say nothing of the locks that are there later.
static FORGOTTEN: Mutex<Option<HashSet<usize>>> = Mutex::new(None);

impl Waiter {
    /// Whether somebody who wants this has to wait for this thread.
    fn blocks(&self, wanted: Access) -> bool {
        let blocks = |held: &Access| held.address == wanted.address && (held.writes || wanted.writes);
        self.held.iter().any(blocks)
    }

    /// Whether it waits for itself, directly or through `others`.
    fn closes_a_circle(&self, others: &[Self]) -> bool {
        let mut seen = vec![false; others.len()];
        let mut wanted = vec![self.wanted];
        while let Some(next) = wanted.pop() {
            if self.blocks(next) {
                return true;
            }
            for (other, seen) in others.iter().zip(&mut seen) {
                if !*seen && other.blocks(next) {
                    *seen = true;
                    wanted.push(other.wanted);
                }
            }
        }
        false
    }
}

/// Lets `wait` wait, unless that would have no end.
#[cold]
fn wait<R>(wanted: Access, wait: impl FnOnce() -> R) -> R {
    let mut held = HELD.try_with(|held| held.borrow().clone()).unwrap_or_default();
    if let Some(forgotten) = &*FORGOTTEN.lock() {
        held.retain(|access| !forgotten.contains(&access.address));
    }
    if held.is_empty() {
        return wait();
    }
    let thread = thread::current().id();
    let waiter = Waiter { thread, wanted, held };
    let mut waiting = WAITING.lock();
    let circle = waiter.closes_a_circle(&waiting);
    if !circle {
        waiting.push(waiter);
    }
    drop(waiting);
    assert!(
        !circle,
        "a mutable text was locked by a thread that holds it, or another one that somebody waits for who holds it: this \
         would wait for ever; copy what is to be put into another text before that one is locked"
    );
    let result = wait();
    WAITING.lock().retain(|waiter| waiter.thread != thread);
    result
}

/// A lock that is held. Belongs to its thread.
pub(crate) struct Held<G> {
    guard: G,
    access: Access,
    not_send: PhantomData<*const ()>,
}

impl<G> Held<G> {
    fn new(guard: G, access: Access) -> Self {
        // A thread that is past its thread-locals goes without a note.
        let _ = HELD.try_with(|held| held.borrow_mut().push(access));
        Self {
            guard,
            access,
            not_send: PhantomData,
        }
    }
}

impl<G> Drop for Held<G> {
    fn drop(&mut self) {
        // Mostly the last one.
        let _ = HELD.try_with(|held| {
            let mut held = held.borrow_mut();
            let place = held.iter().rposition(|access| *access == self.access);
            place.map(|place| held.remove(place))
        });
    }
}

impl<G: Deref<Target: fmt::Debug>> fmt::Debug for Held<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<G: Deref> Deref for Held<G> {
    type Target = G::Target;

    #[inline]
    fn deref(&self) -> &G::Target {
        &self.guard
    }
}

impl<G: DerefMut> DerefMut for Held<G> {
    #[inline]
    fn deref_mut(&mut self) -> &mut G::Target {
        &mut self.guard
    }
}

impl<T> Lock<T> {
    fn access(&self, writes: bool) -> Access {
        let address = std::ptr::from_ref(self).addr();
        Access { address, writes }
    }

    /// For reading. Readers overtake who waits to write, so that a thread may read what it is reading already.
    pub(crate) fn read(&self) -> Held<impl Deref<Target = T> + '_> {
        let access = self.access(false);
        let guard = self.0.try_read_recursive();
        Held::new(guard.unwrap_or_else(|| wait(access, || self.wait_to_read())), access)
    }

    /// Tries anew every now and then: who sleeps in `parking_lot`'s queue is not told that only others who read have the
    /// lock by now if there is somebody in front who wants to write, and so would wait for those, whom no circle is known of.
    fn wait_to_read(&self) -> RwLockReadGuard<'_, T> {
        loop {
            if let Some(guard) = self.0.try_read_recursive_for(PATIENCE) {
                return guard;
            }
        }
    }

    /// For writing.
    pub(crate) fn write(&self) -> Held<impl DerefMut<Target = T> + '_> {
        let access = self.access(true);
        let guard = self.0.try_write();
        Held::new(guard.unwrap_or_else(|| wait(access, || self.0.write())), access)
    }

    /// For who alone has it.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}

impl<T: Default> Lock<T> {
    /// Makes a lock that nobody can hold any more free: who forgot a guard left it locked.
    #[inline]
    pub(crate) fn unlock(&mut self) {
        if self.0.is_locked() {
            self.0 = RwLock::new(std::mem::take(self.0.get_mut()));
            FORGOTTEN
                .lock()
                .get_or_insert_default()
                .insert(self.access(false).address);
        }
    }
}

impl<T: Clone> Lock<T> {
    /// A copy of what is in it, unless that would have to wait.
    pub(crate) fn try_copy(&self) -> Option<T> {
        self.0.try_read().map(|value| value.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    use super::*;

    fn panics(work: impl FnOnce()) -> bool {
        let result = catch_unwind(AssertUnwindSafe(work));
        let message = result.err().and_then(|panic| panic.downcast::<&str>().ok());
        message.is_some_and(|message| message.contains("would wait for ever"))
    }

    #[test]
    fn a_thread_does_not_wait_for_itself() {
        let (lock, other) = (Lock::<i32>::default(), Lock::<i32>::default());
        let read = lock.read();
        assert_eq!(*read + *lock.read(), 0, "reading twice is no matter");
        assert!(panics(|| *lock.write() += 1));
        drop(read);
        let mut written = lock.write();
        *written += 1;
        assert!(panics(|| drop(lock.write())) && panics(|| drop(lock.read())));
        // In whatever order they are given back.
        let between = other.write();
        drop(written);
        assert_eq!(*lock.read(), 1);
        drop(between);
        *lock.write() += 1;
        *other.write() += 1;
        assert_eq!((lock.try_copy(), other.try_copy()), (Some(2), Some(1)));
        assert!(HELD.with_borrow(Vec::is_empty) && WAITING.lock().iter().all(|it| it.thread != thread::current().id()));
    }

    /// As many threads as locks; each holds one and wants the next. One of them is told, and then the others go on.
    #[test]
    fn threads_do_not_wait_in_a_circle() {
        for threads in 2..5 {
            let locks: Vec<Lock<usize>> = (0..threads).map(|_| Lock::default()).collect();
            let everybody = Barrier::new(threads);
            let told: usize = thread::scope(|scope| {
                let work = |at: usize| {
                    let (locks, everybody) = (&locks, &everybody);
                    scope.spawn(move || {
                        let mut own = locks[at].write();
                        everybody.wait();
                        let told = panics(|| *own += *locks[(at + 1) % threads].read() + 1);
                        usize::from(told)
                    })
                };
                let threads: Vec<_> = (0..threads).map(work).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(told, 1, "one of {threads}");
            assert!(locks.iter().filter(|lock| *lock.read() > 0).count() == threads - 1);
        }
    }

    /// The next life of a lock is waited for as any other, also by who forgot a guard of the last one.
    #[test]
    fn forgotten_guards_end_with_the_life() {
        // In a place and on a thread that no other test has later.
        let lock: &mut Lock<i32> = Box::leak(Box::default());
        let forgetful = thread::spawn(|| {
            std::mem::forget(lock.write());
            lock.unlock();
            let everybody = Barrier::new(2);
            thread::scope(|scope| {
                scope.spawn(|| {
                    let mut value = lock.write();
                    everybody.wait();
                    thread::sleep(Duration::from_millis(50));
                    *value += 1;
                });
                everybody.wait();
                assert_eq!(*lock.read(), 1);
            });
        });
        forgetful.join().expect("it waits");
    }

    /// Who waits for a thread that only reads elsewhere is in no circle.
    #[test]
    fn readers_of_one_lock_are_in_no_circle() {
        let (shared, own) = (Lock::<i32>::default(), Lock::<i32>::default());
        let everybody = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                let read = shared.read();
                let mut own = own.write();
                everybody.wait();
                *own += *shared.read() + 1;
                drop(read);
            });
            let read = shared.read();
            everybody.wait();
            assert_eq!(*own.read() + *read, 1);
        });
    }
}
