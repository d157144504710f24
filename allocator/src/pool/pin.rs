//! [`Pinned`]: a thread's announcement that it reads, and [`Readers`]: which threads may read the objects of a pool by handle. A domain of
//! readers is a set of pins of its own.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use crate::pool::pins::{Flag, NOT_SOLO, Participant, Pins};
use crate::pool::threads;
use crate::report::pinned_thread::PinnedThread;
use crate::sync::{process_static, thread_static};

/// Marks a thread as reading: objects of the domain `D` are neither finalized nor reused before the pin is dropped.
///
/// Made by [`pin`], or by [`Domain::pin`] in another domain. One pin serves any number of reads of any pool of its domain.
/// It stays on its thread; for a reference that crosses threads or an `await`, take a [`Guard`](crate::pool::Guard).
///
/// Hold a pin for a burst of reads, not for the life of a program: objects that are freed meanwhile are not reused (unless
/// no handle of them was made), and every pool of the domain makes new ones. A finalizer that waits for pins runs on the
/// thread that drops the last of them. If another pin ends or an object is freed at the same moment, the thread may miss objects
/// that wait. Their finalizers then run later: at the end of another pin of the domain, in
/// [`Pool::settle`](crate::pool::Pool::settle) or a collection, or in an allocation that finds no free object at hand.
///
/// ```
/// use acedia::{Pool, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let owner = pool.allocate_with(|n| *n = 7);
/// let handle = owner.handle();
/// let pinned = pin();
/// let seen = pool.get(handle, &pinned).unwrap();
/// drop(owner);
/// assert_eq!(*seen, 7, "a reference stays valid under its pin");
/// assert!(pool.get(handle, &pinned).is_none(), "a later look-up finds nothing");
/// ```
#[must_use = "reads are allowed only while the pin lives"]
pub struct Pinned<D: Readers = Global> {
    /// A pin belongs to the thread that made it.
    not_send: PhantomData<*mut D>,
}

/// A set of pins: the pools of a domain wait for these pins, and for no others.
///
/// [`Global`] is a domain, and [`domain!`](crate::domain!) declares others.
#[diagnostic::on_unimplemented(
    message = "the objects of this pool or class are read by guards only: use `guard` or `try_guard`"
)]
pub trait Domain: Readers + Sized {
    /// Like [`pin`](crate::pool::pin), but in this domain.
    ///
    /// ```
    /// use acedia::pool::{Domain, Plain};
    /// use acedia::{Pool, domain};
    ///
    /// domain! { Audio }
    ///
    /// static VOICES: Pool<u64, Plain<Audio>> = Pool::with_hooks();
    /// let voice = VOICES.allocate();
    /// assert_eq!(VOICES.get(voice.handle(), &Audio::pin()), Some(&0));
    /// ```
    #[inline]
    #[track_caller]
    fn pin() -> Pinned<Self> {
        Pinned::new()
    }

    /// The threads that hold a pin of this domain now: those that delay finalizers and the reuse of memory.
    /// [`Stats::waiting`](crate::pool::Stats::waiting) tells how many objects of a pool wait.
    ///
    /// ```
    /// use acedia::pool::{Domain, Global};
    /// use acedia::pin;
    ///
    /// let pinned = pin();
    /// let threads = Global::pinned_threads();
    /// assert!(threads.iter().any(|thread| thread.name() == std::thread::current().name()));
    /// for thread in threads {
    ///     println!("{thread}"); // thread 'main', pinned for 0.001 s at src/main.rs:5:14
    /// }
    /// # drop(pinned);
    /// ```
    ///
    /// # Cost
    ///
    /// Visits the record of every thread that has pinned. Threads reuse the records of threads that have ended.
    #[must_use]
    fn pinned_threads() -> Vec<PinnedThread> {
        Self::pins().pinned_threads().collect()
    }
}

#[diagnostic::do_not_recommend]
impl Domain for Global {}

/// Declares a domain of readers: a type with pins of its own.
///
/// Only pools and classes of that domain wait for its pins, and reading them with other pins does not compile. See
/// the chapter "Pins and guards" of the guide (`docs/pins-and-guards.md`) for when to declare one.
///
/// ```
/// use acedia::pool::{Domain, Plain};
/// use acedia::{Pool, domain, pin};
///
/// domain! {
///     /// The thread that mixes sound reads for a long time.
///     pub Audio
/// }
///
/// let voices: Pool<u64, Plain<Audio>> = Pool::with_hooks();
/// let names: Pool<String> = Pool::new();
/// let voice = voices.allocate();
/// let pinned = Audio::pin();
/// assert!(voices.get(voice.handle(), &pinned).is_some());
/// drop(names.allocate()); // not delayed by the pin
/// ```
///
/// ```compile_fail
/// # use acedia::pool::Plain;
/// # use acedia::{Pool, domain, pin};
/// # domain! { pub Audio }
/// let voices: Pool<u64, Plain<Audio>> = Pool::with_hooks();
/// voices.get(voices.allocate().handle(), &pin()); // a pin of the domain `Global`
/// ```
#[macro_export]
macro_rules! domain {
    ($(#[$meta:meta])* $vis:vis $name:ident $(;)?) => {
        $(#[$meta])*
        #[derive(Debug)]
        $vis enum $name {}

        const _: () = {
            static PINS: $crate::__private::Pins = $crate::__private::Pins::new();
            ::std::thread_local! {
                static THREAD: $crate::__private::Participant = const { $crate::__private::Participant::new() };
            }
            $crate::__readers!($name, by_pin: true);
            impl $crate::pool::Domain for $name {}
        };
    };
}

/// Pins this thread: until the [`Pinned`] is dropped, no object that the thread reads is finalized, reused or dropped, even if another thread
/// frees it. One pin protects any number of reads, of any class and pool of the domain.
///
/// ```
/// use acedia::{Pool, pin};
///
/// let pool: Pool<String> = Pool::new();
/// let owners = ["one", "two"].map(|word| pool.allocate_with(|text| text.push_str(word)));
/// let handles = owners.each_ref().map(|owner| owner.handle());
/// let pinned = pin();
/// let words: Vec<&String> = handles.iter().filter_map(|&handle| pool.get(handle, &pinned)).collect();
/// drop(owners); // the objects are freed; the references stay valid until the pin ends
/// assert_eq!(words, ["one", "two"]);
/// assert!(pool.get(handles[0], &pinned).is_none());
/// ```
///
/// Take one pin around a loop, not one for each read, and keep it short: the memory of objects that are freed meanwhile is not reused before
/// the pin ends. Cheap if the thread is already pinned; otherwise it costs one fence.
///
/// On Linux and Windows, the first pin in a domain, and the first pin of a second thread there, also interrupt every
/// running thread of the process briefly. In return, a thread frees without a fence while no other thread has pinned.
///
/// Works at any time, even in destructors of thread-locals, and for any number of threads.
#[inline]
#[track_caller]
pub fn pin() -> Pinned {
    Pinned::new()
}

impl<D: Readers> Pinned<D> {
    #[inline]
    #[track_caller]
    pub(super) fn new() -> Self {
        // Called here: a function passed by name does not know its caller's caller.
        let place = if cfg!(debug_assertions) {
            Some(Location::caller())
        } else {
            None
        };
        D::with(|thread| {
            let depth = thread.depth.get();
            if depth == 0 {
                announce::<D>(thread, place);
            }
            // Cannot overflow: leaking 2^64 pins one by one is not feasible.
            thread.depth.set(depth + 1);
        });
        Self { not_send: PhantomData }
    }
}

impl<D: Readers> Drop for Pinned<D> {
    #[inline]
    fn drop(&mut self) {
        D::with(|thread| {
            // First the depth: finalizers that `withdraw` runs may pin, and begin a pin of their own.
            let depth = thread.depth.get() - 1;
            thread.depth.set(depth);
            if depth == 0 {
                withdraw::<D>(thread);
            }
        });
    }
}

impl<D: Readers> fmt::Debug for Pinned<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pinned")
    }
}

#[inline]
fn announce<D: Readers>(thread: &Participant, place: Option<&'static Location<'static>>) {
    let flag = match thread.flag.get() {
        Some(flag) => flag,
        None => register::<D>(thread),
    };
    // This thread's own frees ask it: under its own pin, they may not reuse an object at once.
    thread.solo.set(NOT_SOLO);
    D::pins().begin(flag, place);
}

#[inline]
fn withdraw<D: Readers>(thread: &Participant) {
    // First the flag: the look below, and those of other threads, may then find that nothing holds the objects that wait.
    if let Some(flag) = thread.flag.get() {
        flag.end();
    }
    // Its own frees need no look from here on, unless the mode names another thread.
    thread.solo.set(threads::id());
    // The exit hook has run, and nothing else would release the flag.
    if threads::is_gone() {
        release(thread);
    }
    if D::pins().is_wait_over() {
        finish_generations(D::pins(), thread);
    }
}

/// The generations of objects that one unpin finishes; finalizers of one generation free the next under a pin. The rest
/// waits for the next unpin, so that an endless chain does not occupy a thread forever.
pub(super) const GENERATIONS: usize = 100;

/// Finishes objects that waited for pins that have ended, in every pool of the domain. `thread` has ended its outermost pin.
#[cold]
#[inline(never)]
fn finish_generations(pins: &Pins, thread: &Participant) {
    // A finalizer that pins and unpins must not recurse: the loop finishes the objects that it leaves.
    if thread.finishing.replace(true) {
        return;
    }
    for _ in 0..GENERATIONS {
        // Objects that finalizers leave in this round are for the next.
        pins.finish_waiting();
        if !pins.is_wait_over() {
            break;
        }
    }
    thread.finishing.set(false);
}

/// Gives this thread an identity and a flag in the domain.
#[cold]
fn register<D: Readers>(thread: &Participant) -> &'static Flag {
    let pins = D::pins();
    pins.prepare();
    threads::identify();
    let is_gone = threads::is_gone();
    if !is_gone {
        let before = threads::release_with(release_in::<D>);
        thread.release_next.set(before);
    }
    let flag = pins.claim_flag();
    // A thread that is ending may have lost its name.
    let named = (!is_gone).then(std::thread::current);
    flag.holder.set_thread(named);
    thread.flag.set(Some(flag));
    flag
}

/// Releases this ending thread's flags in the domain and in the domains in which it pinned earlier.
fn release_in<D: Readers>() {
    let next = D::with(|thread| {
        release(thread);
        thread.release_next.take()
    });
    if let Some(next) = next {
        next();
    }
}

/// Releases the flag of this thread, which is ending, for another thread.
fn release(thread: &Participant) {
    // A leaked pin permits reads for the rest of the process: its flag stays up.
    if thread.depth.get() == 0 {
        thread.flag.take().into_iter().for_each(Flag::give_back);
    }
}

/// The way in which other threads read the objects of a pool by handle: under pins of one [`Domain`](crate::pool::Domain), or
/// by guards alone ([`GuardsOnly`]).
///
/// Implemented by [`Global`], by [`GuardsOnly`], and by the domains that [`domain!`](crate::domain!) declares.
///
/// # Safety
///
/// Only [`domain!`](crate::domain!) implements this trait for types of other crates. `pins` always returns the same record,
/// and `with` this thread's record for it. No other type uses these two.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no domain of readers",
    note = "declare it by `domain! {{ {Self} }}`, or use `Global` or `GuardsOnly`"
)]
pub unsafe trait Readers: 'static {
    /// Whether threads may pin.
    #[doc(hidden)]
    const BY_PIN: bool;

    /// The record that all threads share.
    #[doc(hidden)]
    fn pins() -> &'static Pins;

    /// Runs `f` with this thread's record.
    #[doc(hidden)]
    fn with<R>(f: impl FnOnce(&Participant) -> R) -> R;
}

/// The domain of [`pin`](crate::pool::pin), and of every pool and class that names no other.
#[derive(Debug)]
pub struct Global;

/// No domain: objects are read by guards alone.
///
/// A pool whose [`Hooks::Readers`](crate::pool::Hooks::Readers) is `GuardsOnly` has no `get`, `try_get` and `reader`. No pin
/// of any domain delays its finalizers: a finalizer runs at the free, or at the drop of the object's last guard, on that
/// thread.
///
/// ```
/// use acedia::pool::{GuardsOnly, Plain};
/// use acedia::{Pool, pin};
///
/// let sessions: Pool<String, Plain<GuardsOnly>> = Pool::with_hooks();
/// let owner = sessions.allocate();
/// let handle = owner.handle();
/// let pinned = pin(); // changes nothing for this pool
/// let guard = sessions.guard(handle).unwrap();
/// drop(owner);
/// drop(guard); // the object is free from here on
/// assert_eq!(sessions.stats().waiting, 0);
/// # drop(pinned);
/// ```
///
/// ```compile_fail
/// use acedia::pool::{GuardsOnly, Plain};
/// use acedia::{Pool, pin};
///
/// let sessions: Pool<String, Plain<GuardsOnly>> = Pool::with_hooks();
/// let handle = sessions.allocate().handle();
/// sessions.get(handle, &pin()); // there is no `get`
/// ```
#[derive(Debug)]
pub struct GuardsOnly;

/// Whether this thread may reuse at once an object that it frees, as far as pins decide: no other thread can be reading, and this one
/// is not reading either.
#[inline]
pub(super) fn is_solo<D: Readers>() -> bool {
    // The life ended before the load in program order. This is the light side of the fence in `Threads::include`.
    threads::here();
    D::pins().mode.is_none_but(|| D::with(|thread| thread.solo.get()))
}

/// Implements [`Readers`] by two statics of the surrounding scope: `PINS`, and the thread-local `THREAD`.
#[doc(hidden)]
#[macro_export]
macro_rules! __readers {
    ($name:ident, by_pin: $by_pin:expr) => {
        // SAFETY: the statics belong to this implementation alone.
        unsafe impl $crate::pool::Readers for $name {
            const BY_PIN: bool = $by_pin;

            #[inline]
            fn pins() -> &'static $crate::__private::Pins {
                &PINS
            }

            #[inline]
            fn with<R>(f: impl ::core::ops::FnOnce(&$crate::__private::Participant) -> R) -> R {
                THREAD.with(f)
            }
        }
    };
}

/// The records of [`Global`].
mod global {
    use super::{Global, Participant, Pins, process_static, thread_static};

    process_static! { static PINS: Pins = Pins::new(); }
    thread_static! { static THREAD: Participant = Participant::new(); }
    crate::__readers!(Global, by_pin: true);
}

/// The records of [`GuardsOnly`]: a domain in which no thread ever pins.
mod guards_only {
    use super::{GuardsOnly, Participant, Pins, process_static, thread_static};

    process_static! { static PINS: Pins = Pins::new(); }
    thread_static! { static THREAD: Participant = Participant::new(); }
    crate::__readers!(GuardsOnly, by_pin: false);
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod tests;
