//! The protocols' atomics, thread-locals and locks, which a model checker replaces. (A few locks and cells that belong
//! to no protocol are defined where they are used.)
//!
//! Under `cfg(acedia_loom)` the protocols' atomics are loom's, in one of two modes. Native mode explores stale values.
//! With `ACEDIA_LOOM_RMW` in the environment every load is a read-modify-write that cannot succeed, because stock loom
//! explores almost nothing of a load that comes before a compare-exchange of the same thread. With the feature
//! `shuttle` the atomics are shuttle's, which have the same names. All orderings are then sequentially consistent.
//!
//! [`plain`] holds the standard atomics for data outside the protocols under test: statistics, and words that are
//! written once before another thread can read them.

/// Standard atomics, also under loom: counters and registries that no model explores.
pub(crate) mod plain {
    pub(crate) use super::lock::Mutex;
    #[cfg(not(acedia_loom))]
    pub(crate) use std::sync::atomic::compiler_fence;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
}

#[cfg(test)]
std::thread_local! {
    /// How often this thread took a lock of the engine.
    pub(crate) static LOCKS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Declares the locks of the engine, on top of those of a crate. A panic does not poison them. With loom's words in them, they cannot be made
/// by a `const fn`.
macro_rules! locks {
    ($of:ident $($const:ident)?) => {
        #[derive(Debug, Default)]
        pub(crate) struct Mutex<T>($of::sync::Mutex<T>);

        impl<T> Mutex<T> {
            pub(crate) $($const)? fn new(value: T) -> Self {
                Self($of::sync::Mutex::new(value))
            }

            #[track_caller]
            pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
                #[cfg(test)]
                crate::sync::LOCKS.set(crate::sync::LOCKS.get() + 1);
                self.0.lock().unwrap_or_else(PoisonError::into_inner)
            }
        }

        pub(crate) use $of::sync::MutexGuard;

        /// A condition variable of such locks.
        #[derive(Debug)]
        pub(crate) struct Condvar($of::sync::Condvar);

        #[allow(dead_code, reason = "models use the checker's")]
        impl Condvar {
            pub(crate) $($const)? fn new() -> Self {
                Self($of::sync::Condvar::new())
            }

            #[track_caller]
            pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
                self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
            }

            #[track_caller]
            pub(crate) fn notify_all(&self) {
                self.0.notify_all();
            }
        }
    };
}

/// The locks of the standard library, each with one word of its own.
pub(crate) mod lock {
    use std::sync::PoisonError;

    locks!(std const);
}

#[cfg(not(acedia_loom))]
mod real {
    pub(crate) use super::lock::{Condvar, Mutex};
    pub(crate) use crossbeam_queue::SegQueue as Queue;
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };

    /// Declares one static of per-process state.
    macro_rules! process_static {
        ($(#[$meta:meta])* $vis:vis static $name:ident: $type:ty = $init:expr;) => {
            $(#[$meta])*
            $vis static $name: $type = $init;
        };
    }
    /// Declares one constant-initialised thread-local without a destructor.
    macro_rules! thread_static {
        ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
            std::thread_local! { $(#[$meta])* static $name: $type = const { $init }; }
        };
    }
    /// Declares a function that makes a value for a static. With loom's words in the value, it cannot be `const`.
    macro_rules! const_fn {
        ($(#[$meta:meta])* $vis:vis const fn $($rest:tt)*) => { $(#[$meta])* $vis const fn $($rest)* };
    }
    pub(crate) use {const_fn, process_static, thread_static};
}

/// The model checker of this build.
#[cfg(all(acedia_loom, not(feature = "shuttle")))]
pub(crate) use ::loom as checker;
#[cfg(all(acedia_loom, feature = "shuttle"))]
pub(crate) use ::shuttle as checker;

#[cfg(acedia_loom)]
mod real {
    use std::sync::PoisonError;

    use super::{checker, lock};
    pub(crate) use checker::sync::atomic::{Ordering, fence};

    locks!(checker);

    /// The mode of this run.
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

            #[allow(dead_code, reason = "one shape for every word; no word uses all of it")]
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

                /// Panics if an access to the word is not ordered before this one, after which its memory is freed.
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

    /// A flag. Every pattern of a `bool` is possible, so the flag is a whole word.
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

    /// The same shape for a pointer.
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

        /// As loom's, but scheduled: shuttle drops a static on a thread of the model.
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

    /// A queue with the weakest order that crossbeam's documents: an entry's push happens before its pop, and a pop may miss an entry whose
    /// push it is not ordered after. The entries stand behind an ordinary lock, which loom does not see, so that it orders nothing.
    #[derive(Debug)]
    pub(crate) struct Queue<T> {
        entries: lock::Mutex<Entries<T>>,
        /// Each entry's push and pop synchronize by one of these words.
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
}

#[cfg(acedia_loom)]
pub use real::loads_are_rmw;
pub(crate) use real::*;

/// A number that no other living thread has. Valid for a thread's whole life, its last thread-local destructor
/// included.
pub(crate) fn thread_token() -> usize {
    // The address of a thread-local byte. The byte has no destructor, so the number is available at any time.
    thread_static! { static HERE: u8 = 0; }
    HERE.with(|here| std::ptr::from_ref(here).addr())
}
