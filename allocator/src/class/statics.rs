//! Static constructors and finalizers: each once, in order.
//!
//! Everything here but [`Class::is_constructed`] is off the hot path, so there is one lock for all classes. This file says
//! what is run; who runs it and who waits is in `book.rs`.

use super::book::{Book, Constructed, Entry};
use super::class::Class;
use crate::panics::FirstPanic;
use crate::sync::process_static;

process_static! {
    /// Of all classes.
    static BOOK: Book<Class> = Book::new();
}

impl Entry for Class {
    fn constructed(&self) -> &Constructed {
        &self.constructed
    }
}

impl Class {
    /// Runs the static constructor, if it has not run since the program began or was [shut down](crate::shutdown).
    ///
    /// Nobody has to call this: the first allocation does. By hand it is done earlier.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use acedia_allocator::{Object, class};
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
    /// One thread runs it; others that allocate objects of the class meanwhile wait until it is done. The thread that runs
    /// it does not wait for itself. Nor does anybody wait in a circle: if the static constructors of two classes need each
    /// other's objects on two threads, the one that would close the circle goes on, and finds the other class half
    /// prepared, as it would if one thread had run both. A static constructor that itself waits for another thread (joins
    /// it, or locks what it holds) must not do so while that thread allocates objects of the class: this circle cannot be
    /// seen from here.
    ///
    /// # Panics
    ///
    /// If the static constructor does. It then counts as not run, and the next allocation starts it again.
    ///
    /// # Cost
    ///
    /// One load, once it has run.
    #[inline]
    #[doc(alias = "StaticConstructor")]
    #[doc(alias = "StaticConstructorGuard")]
    pub fn construct(&'static self) {
        if !self.is_constructed() {
            construct(self);
        }
    }
}

/// Runs the static constructor of `class` unless it has run, waiting for a thread that does.
#[cold]
fn construct(class: &'static Class) {
    BOOK.construct(class, || {
        #[cfg(feature = "config")]
        super::configure::apply_pending(class);
        (class.ops.static_constructor)();
    });
}

/// Ends what the classes have begun: runs the static finalizer of each class whose static constructor has run, last
/// constructed first, and drops its free objects. After that the program can begin again: static constructors run again
/// at next use.
///
/// ```
/// use acedia_allocator::{Object, class, shutdown};
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
/// drop(cloud); // what is alive stays alive
/// let _next = Cloud::allocate(); // begins again
/// ```
///
/// Objects that are alive stay alive, with their owners and handles. A class that a static finalizer uses after its own
/// has run is constructed again, and finalized a second time; a third time it is left as it is. So is a class whose static
/// constructor is running at this moment.
///
/// May be called from anywhere, from finalizers and static constructors too. While one shutdown goes on, other calls do
/// nothing and return `false` at once, also on other threads: a static finalizer may be waiting for those.
///
/// # Panics
///
/// If a static finalizer or the drop of a free object panics: with the first panic, after everything else is done.
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
