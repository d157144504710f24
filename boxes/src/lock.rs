//! [`Lock`]: a lock that does not let a thread wait for itself.

use std::cell::RefCell;
use std::fmt;

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A read-write lock under which user code may run.
///
/// A thread that already holds it can take it again for reading if it holds it for reading. Any other second time would
/// wait for ever, and panics instead.
///
/// `parking_lot`'s lock does the work. There is no protocol of our own that a model could check: `tests/threads.rs` holds
/// what is said here to real threads.
///
/// Holding it costs nothing extra where no user code runs. `with` and `with_mut` leave a note for their thread, which is
/// looked up only if the lock is not free.
#[derive(Default)]
pub struct Lock<T>(RwLock<T>);

/// How a thread holds a lock while user code runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Access {
    Reading,
    Writing,
}

thread_local! {
    /// The locks that this thread holds while user code runs, by address.
    static HELD: RefCell<Vec<(usize, Access)>> = const { RefCell::new(Vec::new()) };
}

/// Takes the last note of this thread away again.
struct Note;

impl Note {
    /// A thread that is past its thread-locals goes without.
    fn leave(address: usize, access: Access) -> Option<Self> {
        HELD.try_with(|held| held.borrow_mut().push((address, access))).ok()?;
        Some(Self)
    }

    /// The strongest access that this thread has.
    fn find(address: usize) -> Option<Access> {
        let held = HELD.try_with(|held| {
            let held = held.borrow();
            let mut ours = held.iter().filter(|(at, _)| *at == address).map(|(_, access)| *access);
            let first = ours.next();
            ours.find(|access| *access == Access::Writing).or(first)
        });
        held.ok().flatten()
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        // What closures nest is taken away in the opposite order, by unwinding too.
        let _ = HELD.try_with(|held| held.borrow_mut().pop());
    }
}

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RwLock::new(value))
    }

    /// For reading by code of this crate.
    #[inline]
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.try_read().unwrap_or_else(|| self.wait_to_read())
    }

    /// For changing by code of this crate.
    #[inline]
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.try_write().unwrap_or_else(|| self.wait_to_write())
    }

    /// For reading, unless that would have to wait.
    pub(crate) fn try_read(&self) -> Option<RwLockReadGuard<'_, T>> {
        self.0.try_read()
    }

    /// Lets user code read.
    pub(crate) fn with<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        let value = self.read();
        let _note = Note::leave(self.address(), Access::Reading);
        read(&value)
    }

    /// Lets user code change.
    pub(crate) fn with_mut<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let mut value = self.write();
        let _note = Note::leave(self.address(), Access::Writing);
        change(&mut value)
    }

    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    #[cold]
    fn wait_to_read(&self) -> RwLockReadGuard<'_, T> {
        match Note::find(self.address()) {
            None => self.0.read(),
            // Not `read`: that lets a waiting writer go first, which waits for this thread.
            Some(Access::Reading) => self.0.read_recursive(),
            Some(Access::Writing) => panic!(
                "a ref was read inside its own `with_mut` or `update`, which would wait for itself; \
                 read through the closure's argument"
            ),
        }
    }

    #[cold]
    fn wait_to_write(&self) -> RwLockWriteGuard<'_, T> {
        match Note::find(self.address()) {
            None => self.0.write(),
            Some(_) => panic!(
                "a ref was changed inside its own `with`, `with_mut` or `update`, which would wait for itself; \
                 change it after the closure, or through the argument of `with_mut` or `update`"
            ),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Lock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_read() {
            Some(value) => {
                // What is written to is user code.
                let _note = Note::leave(self.address(), Access::Reading);
                value.fmt(f)
            }
            None => f.write_str("<locked>"),
        }
    }
}
