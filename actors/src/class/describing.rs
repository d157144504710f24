//! Describes each class once, and rejects a cycle of classes whose descriptions use each other.

use std::any::TypeId;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use acedia::Object;

use super::actor::Actor;
use super::actor_class::ActorClass;
use super::builder::ClassBuilder;
use super::column::Methods;
use super::statics::Statics;

/// One thread at a time describes classes, so that two never wait for each other.
static TURN: Mutex<()> = Mutex::new(());

type Asked = Vec<(TypeId, &'static str)>;

thread_local! {
    /// The classes that this thread is describing, from the outermost to the innermost. It has no destructor, because
    /// destructors of other thread-locals may use a class for the first time. An empty list holds no memory.
    static ASKED: ManuallyDrop<RefCell<Asked>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// Until this is dropped, the thread is describing a class. For its outermost class the thread holds `TURN`.
struct Describing(#[expect(dead_code, reason = "it is held")] Option<MutexGuard<'static, ()>>);

impl Describing {
    /// # Panics
    ///
    /// If the thread is describing the class already.
    fn begin(class: TypeId, name: &'static str) -> Self {
        ASKED.with(|asked| {
            let asked = asked.borrow();
            let Some(at) = asked.iter().position(|(its, _)| *its == class) else {
                return;
            };
            let names: Vec<_> = asked[at..].iter().map(|(_, name)| *name).chain([name]).collect();
            panic!(
                "`describe` of class {} needs {}, so it would never end; move one of these uses into the body of an event",
                names[0],
                names[1..].join(", whose `describe` needs ")
            );
        });
        let is_outermost = ASKED.with(|asked| asked.borrow().is_empty());
        let turn = is_outermost.then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
        ASKED.with(|asked| asked.borrow_mut().push((class, name)));
        Self(turn)
    }
}

impl Drop for Describing {
    fn drop(&mut self) {
        ASKED.with(|asked| {
            let mut asked = asked.borrow_mut();
            asked.pop();
            if asked.is_empty() {
                *asked = Vec::new();
            }
        });
    }
}

/// The class in `place`, described now unless another thread has described it.
///
/// # Panics
///
/// If the description uses the class itself, directly or through the descriptions of other classes.
#[doc(hidden)]
#[cold]
pub fn describe<T: Actor>(
    place: &'static OnceLock<ActorClass>,
    name: &'static str,
    parent: fn() -> &'static ActorClass,
) -> &'static ActorClass {
    let _turn = Describing::begin(TypeId::of::<T>(), name);
    // Until `place` is set, only the thread that holds `TURN` comes here.
    place.get_or_init(|| described::<T>(name, parent()))
}

/// A class with the description of its [`Actor`].
fn described<T: Actor>(name: &'static str, parent: &'static ActorClass) -> ActorClass {
    let mut class = ActorClass::below(parent, name, Methods::of::<T>(), Statics::<T>::class());
    let mut pending = Vec::new();
    T::describe(&mut ClassBuilder::new(&mut class, &mut pending));
    class.complete(pending)
}
