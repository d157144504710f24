//! The stand-ins of loom's models: a mutex and a read-write lock in the shape of `parking_lot`'s, without its queue. loom's own
//! read-write lock blocks a thread that only tries to lock it.

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::time::Duration;

use loom::sync::Condvar;

/// loom's mutex in the shape of `parking_lot`'s.
#[derive(Debug)]
pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(loom::sync::Mutex::new(value))
    }

    #[track_caller]
    pub(crate) fn lock(&self) -> loom::sync::MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

macro_rules! process_static {
    ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
        loom::lazy_static! { $(#[$meta])* static ref $name: $type = $init; }
    };
}
macro_rules! thread_static {
    ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
        loom::thread_local! { $(#[$meta])* static $name: $type = $init; }
    };
}
pub(crate) use {process_static, thread_static};

/// loom's mutex and condition variable as a lock.
#[derive(Debug)]
pub(crate) struct RwLock<T> {
    holders: Mutex<Holders>,
    changed: Condvar,
    /// Uncontended for a thread that is among the holders.
    content: std::sync::RwLock<T>,
}

#[derive(Debug)]
enum Holders {
    Readers(usize),
    Writer,
}

impl Holders {
    fn enter(&mut self, writes: bool) -> bool {
        match self {
            Self::Readers(0) if writes => *self = Self::Writer,
            Self::Readers(count) if !writes => *count += 1,
            _ => return false,
        }
        true
    }

    fn leave(&mut self) {
        *self = match self {
            Self::Readers(count) => Self::Readers(*count - 1),
            Self::Writer => Self::Readers(0),
        };
    }
}

impl<T> RwLock<T> {
    pub(crate) fn new(content: T) -> Self {
        Self {
            holders: Mutex::new(Holders::Readers(0)),
            changed: Condvar::new(),
            content: std::sync::RwLock::new(content),
        }
    }

    #[track_caller]
    fn enter(&self, writes: bool, waits: bool) -> bool {
        let mut holders = self.holders.lock();
        loop {
            let entered = holders.enter(writes);
            if entered || !waits {
                return entered;
            }
            holders = self.changed.wait(holders).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn leave(&self) {
        self.holders.lock().leave();
        self.changed.notify_all();
    }

    fn reader(&self) -> RwLockReadGuard<'_, T> {
        let content = self.content.try_read().ok().expect("there is no writer");
        RwLockReadGuard {
            content: Some(content),
            lock: self,
        }
    }

    fn writer(&self) -> RwLockWriteGuard<'_, T> {
        let content = self.content.try_write().ok().expect("there is nobody else");
        RwLockWriteGuard {
            content: Some(content),
            lock: self,
        }
    }

    #[track_caller]
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, T> {
        self.enter(false, true);
        self.reader()
    }

    #[track_caller]
    pub(crate) fn try_read(&self) -> Option<RwLockReadGuard<'_, T>> {
        self.enter(false, false).then(|| self.reader())
    }

    #[track_caller]
    pub(crate) fn try_read_recursive(&self) -> Option<RwLockReadGuard<'_, T>> {
        self.try_read()
    }

    /// Time does not pass.
    #[track_caller]
    pub(crate) fn try_read_recursive_for(&self, _: Duration) -> Option<RwLockReadGuard<'_, T>> {
        Some(self.read())
    }

    #[track_caller]
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.enter(true, true);
        self.writer()
    }

    #[track_caller]
    pub(crate) fn try_write(&self) -> Option<RwLockWriteGuard<'_, T>> {
        self.enter(true, false).then(|| self.writer())
    }

    pub(crate) fn is_locked(&mut self) -> bool {
        !matches!(self.holders.get_mut(), Holders::Readers(0))
    }

    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.content.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

macro_rules! guard {
    ($guard:ident) => {
        /// Dropped before other threads can enter the lock.
        #[derive(Debug)]
        pub(crate) struct $guard<'a, T> {
            content: Option<std::sync::$guard<'a, T>>,
            lock: &'a RwLock<T>,
        }

        impl<T> Deref for $guard<'_, T> {
            type Target = T;

            fn deref(&self) -> &T {
                self.content.as_ref().expect("only dropping takes it")
            }
        }

        impl<T> Drop for $guard<'_, T> {
            fn drop(&mut self) {
                self.content = None;
                self.lock.leave();
            }
        }
    };
}
guard!(RwLockReadGuard);
guard!(RwLockWriteGuard);

impl<T> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.content.as_mut().expect("only dropping takes it")
    }
}
