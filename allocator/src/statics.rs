//! Static constructors and finalizers: each once, in order.
//!
//! Everything here but [`Class::is_constructed`] is off the hot path, so there is one lock for all classes. This file says
//! what is run; who runs it and who waits is in `book.rs`.

use crate::Class;
use crate::panics::FirstPanic;
use crate::sync::process_static;

mod book;

use book::{Book, Entry};

pub(crate) use book::Constructed;

process_static! {
    /// Of all classes.
    static BOOK: Book<Class> = Book::new();
}

impl Entry for Class {
    fn constructed(&self) -> &Constructed {
        &self.constructed
    }
}

/// Runs the static constructor of `class` unless it has run, waiting for a thread that does.
#[cold]
pub(crate) fn construct(class: &'static Class) {
    BOOK.construct(class, || {
        #[cfg(feature = "config")]
        crate::configure::apply_pending(class);
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
