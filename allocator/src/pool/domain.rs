//! [`Readers`]: which threads may read the objects of a pool by handle. A domain of readers is a set of pins of its own.

use crate::pool::barrier;
use crate::pool::pins::{Participant, Pins};
use crate::sync::{process_static, thread_static};

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
/// use acedia::pool::{GuardsOnly, Plain, Pool, pin};
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
/// use acedia::pool::{GuardsOnly, Plain, Pool, pin};
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
    barrier::here();
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

#[cfg(all(test, not(acedia_loom)))]
mod tests;

#[cfg(all(test, acedia_loom))]
mod models;
