//! Static constructors and finalizers of classes: each runs once, in order.
//!
//! Only [`Class::is_constructed`] is on a hot path, so one lock serves all classes. This file knows the steps of construction
//! and shutdown; `book.rs` decides which thread runs them, and which threads wait.

use super::book::{Book, Constructed, Entry};
use super::class::Class;
use crate::panics::FirstPanic;
use crate::sync::process_static;

process_static! {
    /// The static constructors of all classes.
    static BOOK: Book<Class> = Book::new();
}

impl Entry for Class {
    fn constructed(&self) -> &Constructed {
        &self.constructed
    }
}

impl Class {
    /// Runs the static constructor, if it has not run since the program began or since the last
    /// [shutdown](crate::shutdown).
    ///
    /// The first allocation calls this. Call it to run the static constructor earlier.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use acedia::{Object, class};
    ///
    /// static RUNS: AtomicU32 = AtomicU32::new(0);
    /// #[derive(Default)]
    /// struct Sky;
    /// impl Object for Sky {
    ///     class!(Sky, "Doc.Sky");
    ///     fn static_constructor() {
    ///         RUNS.fetch_add(1, Ordering::Relaxed);
    ///         let _own = Sky::allocate(); // does not start it again
    ///     }
    /// }
    ///
    /// Sky::class().construct();
    /// let _sky = Sky::allocate();
    /// assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    /// ```
    ///
    /// # Threads
    ///
    /// One thread runs the static constructor. Other threads that allocate objects of the class meanwhile wait for its end.
    /// The thread that runs it does not wait for itself, and threads do not wait in a cycle. If the static constructors of
    /// two classes need each other's objects, and two threads run them, the thread whose wait would close the cycle does
    /// not wait: it uses the other class before the static constructor of that class has ended. The same happens if one
    /// thread runs both.
    ///
    /// A static constructor must not join a thread that allocates objects of the class, nor take a lock that such a
    /// thread holds. This deadlock is not detected.
    ///
    /// # Panics
    ///
    /// If the static constructor panics. It then counts as not run, and the next allocation runs it again.
    ///
    /// # Cost
    ///
    /// One load, once the static constructor has run.
    #[inline]
    #[doc(alias = "StaticConstructor")]
    #[doc(alias = "StaticConstructorGuard")]
    pub fn construct(&'static self) {
        if !self.is_constructed() {
            construct(self);
        }
    }
}

/// The slow path of [`Class::construct`].
#[cold]
fn construct(class: &'static Class) {
    BOOK.construct(class, || {
        #[cfg(feature = "config")]
        super::configure::at_first_use(class);
        (class.ops.static_constructor)();
    });
}

/// Shuts the classes down. Runs the static finalizer of each class whose static constructor has run, in reverse order of
/// construction, and drops the class's free objects. Classes can be used again afterwards: the static constructor of a class
/// runs again at its next use.
///
/// ```
/// use acedia::{Object, class, shutdown};
///
/// #[derive(Default)]
/// struct Cloud;
/// impl Object for Cloud {
///     class!(Cloud, "Doc.Cloud");
/// }
///
/// let cloud = Cloud::allocate();
/// assert!(shutdown());
/// assert!(!Cloud::class().is_constructed());
/// drop(cloud); // living objects stay alive
/// let _next = Cloud::allocate(); // begins again
/// ```
///
/// Living objects stay alive, with their owners and handles. If a static finalizer uses a class that was finalized before, the
/// class is constructed again, and then finalized a second time, but not a third time. A class whose static constructor is
/// still running after the last static finalizer is not finalized.
///
/// Finalizers and static constructors may call this function. While one shutdown runs, every other call, on any thread,
/// does nothing and returns `false` at once, because a static finalizer may be waiting for that thread.
///
/// # Panics
///
/// If a static finalizer or the drop of a free object panics. The first panic continues after all other steps.
#[doc(alias = "_cleanup")]
#[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
pub fn shutdown() -> bool {
    let Some(mut closing) = BOOK.close() else {
        return false;
    };
    let mut panics = FirstPanic::new();
    while let Some(class) = closing.take_last() {
        if let Err(panic) = closing.finalize(class, class.ops.static_finalizer) {
            panics.note(panic);
        }
        panics.catch(|| class.collect());
    }
    drop(closing);
    panics.resume();
    true
}
