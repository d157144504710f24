//! Describes each class once, and rejects a cycle of classes whose descriptions ask for each other.

use std::any::TypeId;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

use acedia::Object;

use super::actor::Actor;
use super::actor_class::ActorClass;
use super::builder::ClassBuilder;
use super::column::Methods;
use super::statics::Statics;

/// The classes that the program is describing, and the threads that wait for them.
struct Book {
    /// By age, so that those of one thread stand in the order in which they asked for each other.
    turns: Vec<Turn>,
    /// Waiting threads, and the class that each waits for. A thread that was just woken may still be listed.
    waiting: Vec<(ThreadId, TypeId)>,
}

/// A class that a thread is describing.
struct Turn {
    thread: ThreadId,
    class: TypeId,
    name: &'static str,
}

static BOOK: Mutex<Book> = Mutex::new(Book {
    turns: Vec::new(),
    waiting: Vec::new(),
});

/// A turn has ended.
static ENDED: Condvar = Condvar::new();

/// No description runs under this lock, only code of this file.
fn book() -> MutexGuard<'static, Book> {
    BOOK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Book {
    /// The cycle that would close if `thread` waited for `class`: the names of the classes, each of which asks for the
    /// next.
    fn circle(&self, thread: ThreadId, class: TypeId) -> Option<Vec<&'static str>> {
        let mut names = Vec::new();
        let mut wanted = class;
        loop {
            let at = self.turns.iter().position(|turn| turn.class == wanted)?;
            let describing = self.turns[at].thread;
            let asking = self.turns[at..].iter().filter(|turn| turn.thread == describing);
            names.extend(asking.map(|turn| turn.name));
            if describing == thread {
                names.push(names[0]);
                return Some(names);
            }
            wanted = self.waiting.iter().find(|(waits, _)| *waits == describing)?.1;
        }
    }
}

/// This thread's turn to describe a class, until it is dropped.
struct Describing(TypeId);

impl Describing {
    /// Waits while another thread describes the class. `None` if the class is described then.
    fn begin(place: &OnceLock<ActorClass>, class: TypeId, name: &'static str) -> Option<Self> {
        let thread = thread::current().id();
        let mut book = book();
        while place.get().is_none() {
            // No thread describes it: this one does.
            if book.turns.iter().all(|turn| turn.class != class) {
                book.turns.push(Turn { thread, class, name });
                return Some(Self(class));
            }
            // A wait that closed a circle would never end.
            if let Some(names) = book.circle(thread, class) {
                drop(book);
                panic!(
                    "`describe` of class {} needs {}, so it would never end; move one of these uses into the body of an event",
                    names[0],
                    names[1..].join(", whose `describe` needs ")
                );
            }
            // Other threads look for circles through this wait.
            book.waiting.push((thread, class));
            book = ENDED.wait(book).unwrap_or_else(PoisonError::into_inner);
            book.waiting.retain(|(waits, _)| *waits != thread);
        }
        None
    }
}

impl Drop for Describing {
    fn drop(&mut self) {
        book().turns.retain(|turn| turn.class != self.0);
        ENDED.notify_all();
    }
}

/// The class of `T`, for [`actor!`](crate::actor!), whose static is not set yet.
///
/// # Panics
///
/// If descriptions ask for each other in a cycle, or if a description panics.
#[doc(hidden)]
#[cold]
pub fn describe<T: Actor>(
    place: &'static OnceLock<ActorClass>,
    name: &'static str,
    parent: fn() -> &'static ActorClass,
) -> &'static ActorClass {
    let _turn = Describing::begin(place, TypeId::of::<T>(), name);
    // Until it is set, only the thread whose turn it is comes here.
    place.get_or_init(|| described::<T>(name, parent()))
}

/// The class of `T`, as it describes itself.
fn described<T: Actor>(name: &'static str, parent: &'static ActorClass) -> ActorClass {
    let mut class = ActorClass::below(parent, name, Methods::of::<T>(), Statics::<T>::class());
    let mut pending = Vec::new();
    T::describe(&mut ClassBuilder::new(&mut class, &mut pending));
    class.complete(pending)
}
