//! Waiting for room in a bounded pool.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use crate::AllocateError;
use crate::pool::models::{BEGUN, Beginning, Payload, both, model, model_with_fence, saw};
use crate::pool::{Owner, Pool, pin};
use crate::room::block_on;
use crate::sync::plain::{AtomicBool, Ordering};

type Rooms = Pool<Payload, Beginning>;
type Allocated<'p> = Result<Owner<'p, Payload, Beginning>, AllocateError>;

fn allocate(pool: &Rooms) {
    let (owner, how) = match pool.try_allocate() {
        Ok(owner) => (owner, "at once"),
        Err(_) => (pool.allocate_waiting(None).unwrap(), "waited"),
    };
    assert_eq!(owner.read(), BEGUN);
    saw(how);
}

fn allocate_async(pool: &Rooms) {
    let owner = block_on(pool.allocate_async(), None).unwrap().unwrap();
    assert_eq!(owner.read(), BEGUN);
}

/// A waiter is woken by the thread that makes room.
#[test]
fn room_for_a_waiter() {
    model(&["at once", "waited"], || {
        let pool = Rooms::with_hooks().bounded(1);
        let owner = pool.allocate();
        both(|| drop(owner), || allocate(&pool));
        assert_eq!(pool.stats().live, 0);
    });
}

/// Of two waiters, one wakes the other.
#[test]
fn room_for_two_waiters() {
    model(&["at once", "waited"], || {
        let pool = Rooms::with_hooks().bounded(1);
        let owner = pool.allocate();
        both(|| both(|| drop(owner), || allocate_async(&pool)), || allocate(&pool));
        assert_eq!(pool.stats().live, 0);
    });
}

/// A task that was polled once and waits.
struct Task<'p> {
    future: Pin<Box<dyn Future<Output = Allocated<'p>> + Send + 'p>>,
    woken: Arc<Woken>,
}

/// The order is that of loom's locks, so these models see whether a task was woken, and not when.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl<'p> Task<'p> {
    fn new(pool: &'p Rooms) -> Self {
        Self {
            future: Box::pin(pool.allocate_async()),
            woken: Arc::new(Woken(AtomicBool::new(false))),
        }
    }

    /// A task in the queue of a full pool.
    fn queued(pool: &'p Rooms) -> Self {
        let mut task = Self::new(pool);
        assert!(task.poll().is_pending());
        task
    }

    fn poll(&mut self) -> Poll<Allocated<'p>> {
        let waker = Waker::from(Arc::clone(&self.woken));
        self.future.as_mut().poll(&mut Context::from_waker(&waker))
    }

    fn is_woken(&self) -> bool {
        self.woken.0.load(Ordering::SeqCst)
    }

    /// Everything that makes room has happened: the task was woken, and has it.
    fn has_room(mut self) {
        assert!(self.is_woken(), "a lost wake-up");
        match self.poll() {
            Poll::Ready(owner) => assert_eq!(owner.unwrap().read(), BEGUN),
            Poll::Pending => panic!("woken without room"),
        }
    }
}

/// The pool's room is free, and nobody waits.
fn is_whole(pool: &Rooms) {
    let owner = pool.try_allocate().expect("room was lost");
    assert!(pool.try_allocate().is_err(), "room was made twice");
    drop(owner);
    assert_eq!(pool.stats().panics, 0);
}

/// A task is dropped while its room comes. The next in the queue gets it.
#[test]
fn a_task_is_dropped_before_its_room_comes_or_after() {
    model(&["in the queue", "with room"], || {
        let pool = Rooms::with_hooks().bounded(1);
        let owner = pool.allocate();
        let (first, next) = (Task::queued(&pool), Task::queued(&pool));
        both(
            || drop(owner),
            || {
                saw(if first.is_woken() { "with room" } else { "in the queue" });
                drop(first);
            },
        );
        next.has_room();
        is_whole(&pool);
    });
}

/// A task is dropped during its first poll's race for room, or after that poll.
#[test]
fn a_task_is_dropped_after_its_first_poll() {
    model(&["ready", "pending"], || {
        let pool = Rooms::with_hooks().bounded(1);
        let owner = pool.allocate();
        both(
            || drop(owner),
            || {
                let mut task = Task::new(&pool);
                saw(if task.poll().is_ready() { "ready" } else { "pending" });
            },
        );
        is_whole(&pool);
    });
}

/// A task is polled again, by another waker, while its room comes.
#[test]
fn a_task_is_polled_while_its_room_comes() {
    model(&["ready", "pending"], || {
        let pool = Rooms::with_hooks().bounded(1);
        let owner = pool.allocate();
        let mut task = Task::queued(&pool);
        let (_, left) = both(
            || drop(owner),
            || {
                task.woken = Arc::new(Woken(AtomicBool::new(false)));
                match task.poll() {
                    Poll::Ready(owner) => {
                        assert_eq!(owner.unwrap().read(), BEGUN);
                        saw("ready");
                        false
                    }
                    Poll::Pending => {
                        saw("pending");
                        true
                    }
                }
            },
        );
        if left {
            task.has_room();
        } else {
            drop(task);
        }
        is_whole(&pool);
    });
}

/// An object is freed while a pin ends and a task waits: the free or the end of the pin wakes the task.
fn freed_under_a_pin() {
    let pool = Rooms::with_hooks().bounded(1);
    let owner = pool.allocate();
    let _ = owner.key();
    let task = Task::queued(&pool);
    both(
        || {
            drop(owner);
            saw(if pool.stats().waiting > 0 {
                "later"
            } else {
                "at the free"
            });
        },
        || drop(pin()),
    );
    task.has_room();
    is_whole(&pool);
}

#[test]
fn room_after_a_pin() {
    model(&["later", "at the free"], freed_under_a_pin);
}

#[test]
fn room_after_a_pin_with_modes() {
    model_with_fence(3, &["later", "at the free"], freed_under_a_pin);
}

/// A task begins to wait while a pin ends for which a freed object waits.
fn queued_under_a_pin() {
    let pool = Rooms::with_hooks().bounded(1);
    let owner = pool.allocate();
    let _ = owner.key();
    let mut task = Task::new(&pool);
    let ((), queued) = both(
        || drop(pin()),
        || {
            drop(owner);
            match task.poll() {
                Poll::Ready(owner) => {
                    saw("at once");
                    drop(owner);
                    false
                }
                Poll::Pending => {
                    saw("waits");
                    true
                }
            }
        },
    );
    if queued {
        task.has_room();
    }
    is_whole(&pool);
}

#[test]
fn a_wait_begins_under_a_pin() {
    model(&["at once", "waits"], queued_under_a_pin);
}

#[test]
fn a_wait_begins_under_a_pin_with_modes() {
    model_with_fence(3, &["at once", "waits"], queued_under_a_pin);
}

/// Two pins end at the same time, and a freed object waits for both: one of the two finishes it.
#[test]
fn room_after_two_pins() {
    model(&["one", "both"], || {
        let pool = Rooms::with_hooks().bounded(1);
        let owner = pool.allocate();
        let _ = owner.key();
        let task = Task::queued(&pool);
        let here = pin();
        let before = pool.stats().waiting;
        assert_eq!(before, 0);
        both(
            || {
                drop(owner);
                drop(here);
                saw(if task.is_woken() { "one" } else { "both" });
            },
            || drop(pin()),
        );
        task.has_room();
        is_whole(&pool);
    });
}
