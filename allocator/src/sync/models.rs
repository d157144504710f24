//! The stand-ins of a model checker: its atomics, whose loads may be read-modify-writes, and a queue that is ordered as weakly as
//! crossbeam's documentation permits.

use std::sync::PoisonError;

use super::{checker, lock};
pub(crate) use checker::sync::atomic::{Ordering, fence};

locks!(checker);

/// Whether each load is a compare-exchange that cannot succeed (`ACEDIA_LOOM_RMW`).
pub fn loads_are_rmw() -> bool {
    static MODE: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *MODE.get_or_init(|| std::env::var_os("ACEDIA_LOOM_RMW").is_some())
}

macro_rules! atomic {
    (@forward $int:ty: $($method:ident)+) => {$(
        #[track_caller]
        pub(crate) fn $method(&self, value: $int, order: Ordering) -> $int {
            self.0.$method(value, order)
        }
    )+};
    ($name:ident, $inner:ident, $int:ty, $never:expr) => {
        #[derive(Debug)]
        pub(crate) struct $name(checker::sync::atomic::$inner);

        #[allow(dead_code, reason = "each type gets all methods; none uses all of them")]
        impl $name {
            #[track_caller]
            pub(crate) fn new(value: $int) -> Self {
                Self(checker::sync::atomic::$inner::new(value))
            }

            #[track_caller]
            pub(crate) fn load(&self, order: Ordering) -> $int {
                if loads_are_rmw() {
                    // A bit pattern that no protocol word ever holds, so the exchange always fails.
                    let never: $int = $never;
                    match self.0.compare_exchange(never, never, Ordering::SeqCst, order) {
                        Ok(_) => unreachable!("a protocol word held the impossible pattern"),
                        Err(value) => value,
                    }
                } else {
                    self.0.load(order)
                }
            }

            /// Panics if an access to the word does not happen before this call, after which its memory is
            /// freed.
            #[track_caller]
            pub(crate) fn end(&mut self) {
                // shuttle has no such check.
                #[cfg(not(feature = "shuttle"))]
                self.0.with_mut(|_| ());
            }

            #[track_caller]
            pub(crate) fn store(&self, value: $int, order: Ordering) {
                self.0.store(value, order);
            }

            atomic!(@forward $int: swap fetch_min fetch_add fetch_sub fetch_or fetch_and);

            #[track_caller]
            pub(crate) fn compare_exchange(
                &self,
                old: $int,
                new: $int,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$int, $int> {
                self.0.compare_exchange(old, new, success, failure)
            }

            #[track_caller]
            pub(crate) fn fetch_update(
                &self,
                success: Ordering,
                failure: Ordering,
                next: impl Fn($int) -> Option<$int>,
            ) -> Result<$int, $int> {
                let mut now = self.load(failure);
                loop {
                    match self.compare_exchange(now, next(now).ok_or(now)?, success, failure) {
                        Err(other) => now = other,
                        done => return done,
                    }
                }
            }
        }
    };
}
atomic!(AtomicI64, AtomicI64, i64, i64::MAX - 0xBEEF);
atomic!(AtomicU32, AtomicU32, u32, 0x3EAD_BEEF);
atomic!(AtomicU64, AtomicU64, u64, 0xDEAD_BEEF_DEAD_BEEE);
atomic!(AtomicUsize, AtomicUsize, usize, usize::MAX - 0xBEEF);

/// A flag. It is a whole word, because a `bool` has no pattern that is never held.
#[derive(Debug)]
pub(crate) struct AtomicBool(AtomicU32);

impl AtomicBool {
    #[track_caller]
    pub(crate) fn new(value: bool) -> Self {
        Self(AtomicU32::new(value.into()))
    }

    #[track_caller]
    pub(crate) fn load(&self, order: Ordering) -> bool {
        self.0.load(order) != 0
    }

    #[track_caller]
    pub(crate) fn swap(&self, value: bool, order: Ordering) -> bool {
        self.0.swap(value.into(), order) != 0
    }

    #[track_caller]
    pub(crate) fn store(&self, value: bool, order: Ordering) {
        self.0.store(value.into(), order);
    }
}

#[cfg(not(feature = "shuttle"))]
type PtrPlace<T> = checker::sync::atomic::AtomicPtr<T>;
/// shuttle's atomic is too large for the header of a chunk.
#[cfg(feature = "shuttle")]
type PtrPlace<T> = Box<checker::sync::atomic::AtomicPtr<T>>;

#[derive(Debug)]
pub(crate) struct AtomicPtr<T>(PtrPlace<T>);

impl<T> AtomicPtr<T> {
    #[track_caller]
    pub(crate) fn new(value: *mut T) -> Self {
        Self(checker::sync::atomic::AtomicPtr::new(value).into())
    }

    #[track_caller]
    pub(crate) fn load(&self, order: Ordering) -> *mut T {
        if loads_are_rmw() {
            let never = std::ptr::without_provenance_mut(usize::MAX);
            match self.0.compare_exchange(never, never, Ordering::SeqCst, order) {
                Ok(_) => unreachable!("a pointer held the impossible pattern"),
                Err(value) => value,
            }
        } else {
            self.0.load(order)
        }
    }

    #[track_caller]
    pub(crate) fn store(&self, value: *mut T, order: Ordering) {
        self.0.store(value, order);
    }

    #[track_caller]
    pub(crate) fn swap(&self, value: *mut T, order: Ordering) -> *mut T {
        self.0.swap(value, order)
    }

    /// Like loom's function, but with scheduling: shuttle drops a static on a thread of the model.
    #[cfg(feature = "shuttle")]
    pub(crate) fn unsync_load(&self) -> *mut T {
        self.load(Ordering::Relaxed)
    }

    #[cfg(feature = "shuttle")]
    pub(crate) fn inner(&self) -> &Self {
        self
    }

    /// loom's own word, for an access without scheduling.
    #[cfg(not(feature = "shuttle"))]
    pub(crate) fn inner(&self) -> &checker::sync::atomic::AtomicPtr<T> {
        &self.0
    }

    #[track_caller]
    pub(crate) fn compare_exchange(
        &self,
        old: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        self.0.compare_exchange(old, new, success, failure)
    }
}

/// A queue with the weakest order that crossbeam documents: an entry's push happens before its pop, and a pop may miss an entry whose
/// push it is not ordered after. The entries stand behind an ordinary lock, which loom does not see, so that it orders nothing.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    entries: lock::Mutex<Entries<T>>,
    /// The push and the pop of an entry synchronize by one of these words.
    order: [AtomicUsize; 4],
    len: AtomicUsize,
}

#[derive(Debug)]
struct Entries<T> {
    queue: std::collections::VecDeque<(T, usize)>,
    pushed: usize,
}

impl<T> Queue<T> {
    pub(crate) fn new() -> Self {
        Self {
            entries: lock::Mutex::new(Entries {
                queue: std::collections::VecDeque::new(),
                pushed: 0,
            }),
            order: std::array::from_fn(|_| AtomicUsize::new(0)),
            len: AtomicUsize::new(0),
        }
    }

    #[track_caller]
    pub(crate) fn push(&self, entry: T) {
        let nth = {
            let mut entries = self.entries.lock();
            entries.pushed += 1;
            entries.pushed % self.order.len()
        };
        self.order[nth].fetch_add(1, Ordering::Release);
        self.entries.lock().queue.push_back((entry, nth));
        self.len.fetch_add(1, Ordering::Relaxed);
    }

    #[track_caller]
    pub(crate) fn pop(&self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        let (entry, nth) = self.entries.lock().queue.pop_front()?;
        self.len.fetch_sub(1, Ordering::Relaxed);
        self.order[nth].fetch_add(1, Ordering::Acquire);
        Some(entry)
    }

    #[track_caller]
    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    #[track_caller]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

macro_rules! process_static {
    ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
        $crate::sync::checker::lazy_static! { $(#[$meta])* static ref $name: $type = $init; }
    };
    ($(#[$meta:meta])* pub($($vis:tt)+) static $name:ident: $type:ty = $init:expr;) => {
        $crate::sync::checker::lazy_static! { $(#[$meta])* pub($($vis)+) static ref $name: $type = $init; }
    };
}
macro_rules! thread_static {
    ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
        $crate::sync::checker::thread_local! { $(#[$meta])* static $name: $type = $init; }
    };
}
macro_rules! const_fn {
    ($(#[$meta:meta])* $vis:vis const fn $($rest:tt)*) => { $(#[$meta])* $vis fn $($rest)* };
}
pub(crate) use {const_fn, process_static, thread_static};
