//! What the loom models of the engine share: objects that notice races, and threads that end.
//!
//! loom takes a thread's values away before it drops the first of them, and lets others join the thread before that, so
//! the engine's exit hook cannot be one of them: [`both`] and [`model`] call it.

use std::cell::Cell;

use loom::cell::UnsafeCell;

use super::Hooks;
use super::reading::{barrier, exit};
use crate::models;

pub(super) use crate::models::saw;

std::thread_local! {
    // loom runs all threads of a model on the one that called it, and each test has its own.
    static RACED: Cell<bool> = const { Cell::new(false) };
    static ENDS: Cell<u32> = const { Cell::new(0) };
}

/// How often [`Ending`]'s finalizer ran in this execution.
pub(super) fn ends() -> u32 {
    ENDS.get()
}

/// Explores `body`, and checks that each of `outcomes` was seen, and no race by anybody, those included who catch panics.
pub(super) fn model(outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    model_within(usize::MAX, outcomes, body);
}

fn model_within(preemptions: usize, outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    RACED.set(false);
    models::model_within(preemptions, outcomes, move || {
        ENDS.set(0);
        body();
        assert!(!RACED.get(), "an object was changed while somebody looked");
        exit::run();
    });
}

/// As [`model`], with the asymmetric fence: the modes of reading and guarding change. With so many preemptions at most, because
/// each change takes many steps; the planted bugs show that these are enough.
pub(super) fn model_with_fence(preemptions: usize, outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    barrier::with_fence(|| model_within(preemptions, outcomes, body));
}

/// Runs two things at the same time, the second on a thread of its own that has ended when this returns.
pub(super) fn both<'a, A, B: 'static>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + 'a) -> (A, B) {
    let there: Box<dyn FnOnce() -> B + 'a> = Box::new(there);
    // SAFETY: the thread is joined before this returns. If `here` panics it is not, but then loom runs it no further.
    let there: Box<dyn FnOnce() -> B + 'static> = unsafe { std::mem::transmute(there) };
    let thread = loom::thread::spawn(move || {
        let result = there();
        exit::run();
        result
    });
    let a = here();
    (a, thread.join().unwrap())
}

/// An object whose every use loom checks for races.
#[derive(Debug)]
pub(super) struct Payload(UnsafeCell<u32>);

// SAFETY: the pool's promise is that changes and reads never overlap; that is what loom checks here.
unsafe impl Send for Payload {}
// SAFETY: as above.
unsafe impl Sync for Payload {}

impl Default for Payload {
    fn default() -> Self {
        Self(UnsafeCell::new(0))
    }
}

impl Payload {
    pub(super) fn read(&self) -> u32 {
        // SAFETY: loom panics if there is a change that does not come before or after.
        self.0.with(|value| unsafe { *value })
    }

    pub(super) fn write(&mut self, new: u32) {
        /// The engine catches panics of finalizers; this one must not be lost.
        struct Note;
        impl Drop for Note {
            fn drop(&mut self) {
                RACED.set(true);
            }
        }
        let note = Note;
        // SAFETY: loom panics if there is a use that does not come before or after.
        self.0.with_mut(|value| unsafe { *value = new });
        std::mem::forget(note);
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        self.write(u32::MAX);
    }
}

/// Hooks that write at the start of each life.
#[derive(Debug)]
pub(super) struct Beginning;

/// What [`Beginning`] and [`Ending`] leave in a new object.
pub(super) const BEGUN: u32 = 7;

impl Hooks<Payload> for Beginning {
    fn make() -> Payload {
        Payload::default()
    }

    fn begin(object: &mut Payload) {
        object.write(BEGUN);
    }
}

/// Hooks that write at both ends of each life.
#[derive(Debug)]
pub(super) struct Ending;

impl Hooks<Payload> for Ending {
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
