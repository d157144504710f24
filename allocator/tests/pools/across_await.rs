//! A guard held across `await`, in a task that goes from thread to thread.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin as pinned};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread::{self, ThreadId};

use acedia::{Guard, Handle, Pool, pin};

use super::support::{alone, elsewhere, hooks};

static ENDED: AtomicUsize = AtomicUsize::new(0);

// A finalizer that leaves a mark which a reader must not see.
hooks!(Ending: u64 = 0, end |object| {
    *object = u64::MAX;
    ENDED.fetch_add(1, Ordering::SeqCst);
});

/// Yields to the executor once.
async fn next_thread() -> ThreadId {
    let mut is_first = true;
    poll_fn(|_| {
        let here = Poll::Ready(thread::current().id());
        if std::mem::take(&mut is_first) {
            Poll::Pending
        } else {
            here
        }
    })
    .await
}

/// Runs a task to its end, each step on a new thread, and `between` after each.
fn run<T: Send>(task: impl Future<Output = T> + Send, mut between: impl FnMut(usize)) -> T {
    let mut task: Pin<&mut (dyn Future<Output = T> + Send)> = pinned!(task);
    for step in 0.. {
        let one_step = || task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        match elsewhere(one_step) {
            Poll::Ready(done) => return done,
            Poll::Pending => between(step),
        }
    }
    unreachable!("the steps have no end")
}

#[test]
fn guards_go_with_the_task() {
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks();
    let owner = pool.allocate_with(|object| *object = 7);
    let handle = owner.handle();
    let before = ENDED.load(Ordering::SeqCst);
    let owner = Mutex::new(Some(owner));
    let task = async {
        let guard = pool.guard(handle).unwrap();
        let first = thread::current().id();
        assert_ne!(next_thread().await, first, "the task stays where it is");
        assert_eq!(*guard, 7);
        let clone = guard.clone();
        next_thread().await;
        drop(guard);
        next_thread().await;
        *clone
    };
    let read = run(task, |step| {
        if step == 0 {
            drop(owner.lock().unwrap().take());
        }
        assert!(pool.guard(handle).is_none(), "the life is over");
        // No allocation gives the object that is being read.
        drop(pool.allocate_with(|object| *object = 8));
        assert_eq!(pool.get(handle, &pin()), None);
    });
    assert_eq!(read, 7);
    // The three that were allocated in between, and at last the one that was read.
    assert_eq!(ENDED.load(Ordering::SeqCst) - before, 4);
}

/// A task that owns what it needs, as an executor's tasks do.
#[test]
fn holding_guards_outlive_the_scope_of_their_pool() {
    async fn read_later(pool: Arc<Pool<u64, Ending>>, handle: Handle<u64>) -> u64 {
        let guard = Guard::holding(&pool, |pool| pool, handle).unwrap();
        drop(pool);
        next_thread().await;
        *guard
    }
    fn spawnable<F: Future + Send + 'static>(task: F) -> F {
        task
    }
    let _alone = alone();
    let pool: Arc<Pool<u64, Ending>> = Arc::new(Pool::with_hooks());
    let handle = pool.allocate_with(|object| *object = 9).into_manual();
    let task = spawnable(read_later(Arc::clone(&pool), handle));
    let mut pool = Some(pool);
    let read = run(task, |_| {
        let pool = pool.take().unwrap();
        pool.free(handle).unwrap();
        assert_eq!(Arc::strong_count(&pool), 2);
    });
    assert_eq!(read, 9);
}
