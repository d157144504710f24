//! The threads that read through handles besides the one that measures: they decide how the engine reuses freed slots.

use acedia::pool::{Hooks, Pool, pin};
use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// Makes this a process in which this thread and another one, which has ended, have read under a pin. So frees look for pins.
///
/// # Panics
///
/// If no thread can be started.
pub fn readers() {
    drop(pin());
    elsewhere(|| drop(pin()));
}

/// Whether [`among_guards`] was called.
static GUARDS: AtomicBool = AtomicBool::new(false);

/// From now on, another thread makes a guard in each of our pools before it is measured. The guard is gone by then, but the
/// next one may be anywhere, so the engine looks for guards when it reuses slots of such a pool: the most expensive case.
pub fn among_guards() {
    GUARDS.store(true, Ordering::Relaxed);
}

/// Has another thread make a guard in a new pool, after [`among_guards`].
pub(crate) fn guard_if_asked<T: Send + Sync, H: Hooks<T>>(pool: &Pool<T, H>) {
    if GUARDS.load(Ordering::Relaxed) {
        let owner = pool.allocate();
        elsewhere(|| assert!(pool.guard(owner.key()).is_some(), "it is alive"));
    }
}

/// Runs `work` while two other threads pin a thousand times a second. They have pinned before it begins, so the engine's mode is
/// that of several readers.
pub(crate) fn while_others_read<R>(work: impl FnOnce() -> R) -> R {
    let (gate, done) = (Barrier::new(3), AtomicBool::new(false));
    let read = || {
        drop(pin());
        gate.wait();
        while !done.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
            drop(pin());
        }
    };
    thread::scope(|scope| {
        scope.spawn(read);
        scope.spawn(read);
        gate.wait();
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

fn elsewhere(work: impl FnOnce() + Send) {
    thread::scope(|scope| scope.spawn(work).join().expect("reading does not panic"));
}
