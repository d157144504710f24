//! The common parts of the engine's loom models: objects that detect races, and threads that end.
//!
//! loom removes all thread-local values of a thread before it drops the first of them, and lets other threads join the
//! thread even before that. So the engine's exit hook cannot be a thread-local value here: [`both`] and [`model`] call
//! it.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;

use loom::cell::UnsafeCell;

use super::threads;
use super::{Global, Handle, Hooks, Owned, Pool, PoolOf, Readers, pin};
use crate::models;

pub(crate) use crate::models::saw;

std::thread_local! {
    // loom runs all threads of a model on the calling thread, and each test has its own thread.
    static RACED: Cell<bool> = const { Cell::new(false) };
    static ENDS: Cell<u32> = const { Cell::new(0) };
}

/// The number of objects that exist.
pub(crate) fn exist<T: Send + Sync + 'static, H: Hooks<T>>(pool: &Pool<T, H>) -> u64 {
    let stats = pool.stats();
    stats.live + stats.kept
}

/// How often [`Ending`]'s finalizer ran in this execution.
pub(crate) fn ends() -> u32 {
    ENDS.get()
}

/// Explores `body`. Checks that each of `outcomes` was seen, and that no access raced, even if its panic was caught.
pub(crate) fn model(outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    model_by(models::model, outcomes, body);
}

fn model_by<F: Fn() + Send + Sync + 'static>(
    explore: impl FnOnce(&[&'static str], Box<dyn Fn() + Send + Sync>),
    outcomes: &[&'static str],
    body: F,
) {
    RACED.set(false);
    let body = move || {
        ENDS.set(0);
        body();
        assert!(!RACED.get(), "an object was changed while somebody looked");
        threads::end_thread();
    };
    explore(outcomes, Box::new(body));
}

/// Like [`model`], but with the asymmetric fence: the modes of reading and guarding change. Explores at most `preemptions`
/// preemptions, because each change takes many steps. The planted bugs show that this number is sufficient.
pub(crate) fn model_with_fence(preemptions: usize, outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    let explore = |outcomes: &[_], body| models::model_within(preemptions, outcomes, body);
    threads::with_fence(|| model_by(explore, outcomes, body));
}

/// Runs two closures at the same time, the second on a separate thread that has ended when this returns.
pub(crate) fn both<'a, A, B: 'static>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + 'a) -> (A, B) {
    let there: Box<dyn FnOnce() -> B + 'a> = Box::new(there);
    // SAFETY: the thread is joined before this returns. If `here` panics it is not joined, but then loom runs it no
    // further.
    let there: Box<dyn FnOnce() -> B + 'static> = unsafe { std::mem::transmute(there) };
    let thread = loom::thread::spawn(move || {
        let result = there();
        threads::end_thread();
        result
    });
    let a = here();
    (a, thread.join().unwrap())
}

/// An object whose every access loom checks for races.
#[derive(Debug)]
pub(crate) struct Payload(UnsafeCell<u32>);

// SAFETY: the pool promises that writes and reads never overlap; loom checks that here.
unsafe impl Send for Payload {}
// SAFETY: as above.
unsafe impl Sync for Payload {}

impl Default for Payload {
    fn default() -> Self {
        Self(UnsafeCell::new(0))
    }
}

impl Payload {
    pub(crate) fn read(&self) -> u32 {
        // SAFETY: loom panics if a write is neither ordered before nor after this read.
        self.0.with(|value| unsafe { *value })
    }

    pub(crate) fn write(&mut self, new: u32) {
        /// The engine catches panics of finalizers. This one must be recorded.
        struct Note;
        impl Drop for Note {
            fn drop(&mut self) {
                RACED.set(true);
            }
        }
        let note = Note;
        // SAFETY: loom panics if an access is neither ordered before nor after this write.
        self.0.with_mut(|value| unsafe { *value = new });
        std::mem::forget(note);
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        self.write(u32::MAX);
    }
}

/// Reads the object that a handle or a guard resolved to, and checks that it still holds [`BEGUN`]. Without an object, notes `missed`.
pub(crate) fn look(found: Option<impl Deref<Target = Payload>>, missed: &'static str) {
    match found {
        Some(object) => {
            assert_eq!(object.read(), BEGUN);
            saw("live");
        }
        None => saw(missed),
    }
}

/// Frees the object of a handle, and writes to the next one, which may have the same slot.
pub(crate) fn reuse<'p>(
    pool: &'p Pool<Payload, Beginning>,
    owner: Owned<Payload, &'p Pool<Payload, Beginning>>,
    handle: Handle<Payload>,
) -> Owned<Payload, &'p Pool<Payload, Beginning>> {
    drop(owner);
    let next = pool.allocate_with(|object| object.write(1));
    saw_reuse(next.index() == handle.index());
    next
}

/// An object is freed, and its slot reused, while another thread reads the object by `read`. `before` comes first, on the
/// thread that frees.
pub(crate) fn free_against(
    before: impl FnOnce(&Pool<Payload, Beginning>, Handle<Payload>),
    read: impl FnOnce(&Pool<Payload, Beginning>, Handle<Payload>),
) {
    let pool = Pool::<_, Beginning>::with_hooks();
    let owner = pool.allocate();
    let handle = owner.handle();
    before(&pool, handle);
    both(|| drop(reuse(&pool, owner, handle)), || read(&pool, handle));
    assert!(!pool.contains(handle));
}

/// Reads for [`free_against`].
pub(crate) fn by_pin<H: Hooks<Payload, Readers = Global>>(pool: &Pool<Payload, H>, handle: Handle<Payload>) {
    look(pool.get(handle, &pin()), "stale");
}

pub(crate) fn by_guard<H: Hooks<Payload>>(pool: &Pool<Payload, H>, handle: Handle<Payload>) {
    look(pool.guard(handle), "stale");
}

/// Drops an owner. Returns whether this thread then ran the only finalizer of the execution.
pub(crate) fn ends_here<P: PoolOf<Payload>>(owner: Owned<Payload, P>) -> bool {
    assert_eq!(owner.read(), BEGUN);
    let before = ends();
    drop(owner);
    before == 0 && ends() == 1
}

/// Asserts that `found`, once sorted, equals `all`.
#[track_caller]
pub(crate) fn are_all(found: impl IntoIterator<Item = u32>, all: &[u32]) {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable();
    assert_eq!(found, all);
}

/// Notes whether an object got the slot of an earlier one.
pub(crate) fn saw_reuse(is_reused: bool) {
    saw(if is_reused { "reused" } else { "not reused" });
}

/// Hooks that write at the start of each life.
#[derive(Debug)]
pub(crate) struct Beginning;

/// The value that [`Beginning`] and [`Ending`] write into a new object.
pub(crate) const BEGUN: u32 = 7;

impl Hooks<Payload> for Beginning {
    type Readers = Global;

    fn make() -> Payload {
        Payload::default()
    }

    fn begin(object: &mut Payload) {
        object.write(BEGUN);
    }
}

/// Hooks that write at both ends of each life.
#[derive(Debug)]
pub(crate) struct Ending<D: Readers = Global>(PhantomData<fn() -> D>);

impl<D: Readers> Hooks<Payload> for Ending<D> {
    type Readers = D;

    fn make() -> Payload {
        Payload::default()
    }

    fn begin(object: &mut Payload) {
        object.write(BEGUN);
    }

    const END: Option<fn(&mut Payload)> = Some(|object| {
        ENDS.set(ENDS.get() + 1);
        object.write(0);
    });
}
