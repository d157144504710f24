//! Static constructors and finalizers: each once, in order.
//!
//! Everything here but [`Class::is_constructed`] is off the hot path, so there is one lock for all classes. No user code
//! runs under it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::Class;
use crate::configure;
use crate::sync::plain::{Condvar, Mutex, thread_token};

/// What is going on, in all classes.
struct Book {
    /// Static constructors that run, and on which thread.
    running: Vec<(&'static Class, usize)>,
    /// Threads that wait for one.
    waiting: Vec<(usize, &'static Class)>,
    /// Classes whose static constructor has run, in the order in which they finished.
    constructed: Vec<&'static Class>,
    shutting_down: bool,
}

static BOOK: Mutex<Book> = Mutex::new(Book {
    running: Vec::new(),
    waiting: Vec::new(),
    constructed: Vec::new(),
    shutting_down: false,
});
/// A static constructor is over.
static OVER: Condvar = Condvar::new();

impl Book {
    /// The thread that runs the static constructor of `class`.
    fn runner(&self, class: &Class) -> Option<usize> {
        self.running
            .iter()
            .find(|(running, _)| *running == class)
            .map(|&(_, thread)| thread)
    }

    /// Whether `thread` is `other`, or waits for it, directly or through others. Never a circle: nobody closes one.
    fn waits_for(&self, mut thread: usize, other: usize) -> bool {
        while thread != other {
            let wanted = self.waiting.iter().find(|&&(waiting, _)| waiting == thread);
            match wanted.and_then(|(_, class)| self.runner(class)) {
                Some(runner) => thread = runner,
                None => return false,
            }
        }
        true
    }
}

/// Takes a class off the list of running ones, whether or not its static constructor came to its end.
struct Running(&'static Class);

impl Drop for Running {
    fn drop(&mut self) {
        BOOK.lock().running.retain(|&(class, _)| class != self.0);
        OVER.notify_all();
    }
}

/// Runs the static constructor of `class` unless it has run, waiting for a thread that does.
#[cold]
pub(crate) fn construct(class: &'static Class) {
    let me = thread_token();
    let mut book = BOOK.lock();
    loop {
        if class.is_constructed() {
            return;
        }
        match book.runner(class) {
            None => break,
            // Its own class, or one that waits for this thread.
            Some(runner) if book.waits_for(runner, me) => return,
            Some(_) => {
                book.waiting.push((me, class));
                OVER.wait(&mut book);
                book.waiting.retain(|&(thread, _)| thread != me);
            }
        }
    }
    book.running.push((class, me));
    drop(book);
    let running = Running(class);
    configure::apply_pending(class);
    (class.ops.static_constructor)();
    {
        let mut book = BOOK.lock();
        book.constructed.push(class);
        class.set_constructed(true);
    }
    drop(running);
}

/// How often one shutdown finalizes one class that other static finalizers bring back.
const MOST_ROUNDS: usize = 2;

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
#[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
pub fn shutdown() -> bool {
    struct Over;
    impl Drop for Over {
        fn drop(&mut self) {
            BOOK.lock().shutting_down = false;
        }
    }
    {
        let mut book = BOOK.lock();
        if book.shutting_down {
            return false;
        }
        book.shutting_down = true;
    }
    let over = Over;
    let mut done: Vec<&'static Class> = Vec::new();
    let mut panic = None;
    loop {
        let rounds = |class: &Class| done.iter().filter(|&&one| one == class).count();
        let class = {
            let mut book = BOOK.lock();
            let last = book.constructed.iter().rposition(|class| rounds(class) < MOST_ROUNDS);
            match last {
                Some(at) => book.constructed.remove(at),
                None => break,
            }
        };
        done.push(class);
        let finalized = catch_unwind(class.ops.static_finalizer);
        class.set_constructed(false);
        let collected = catch_unwind(AssertUnwindSafe(|| class.collect()));
        panic = panic.or(finalized.err()).or(collected.err());
    }
    drop(over);
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    true
}
