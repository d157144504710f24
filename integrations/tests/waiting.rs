//! Tasks of tokio that wait for room in a bounded pool, with timeouts and aborts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use acedia::pool::{Pool, Values};
use tokio::time::timeout;

/// Counts in, and counts out when it is dropped.
struct Counted {
    count: &'static AtomicUsize,
    before: usize,
}

impl Counted {
    fn enter(count: &'static AtomicUsize) -> Self {
        let before = count.fetch_add(1, Ordering::SeqCst);
        Self { count, before }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::SeqCst);
    }
}

/// More tasks than there is room for: each gets its turn, and aborted ones leave no gap.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_share_a_bounded_pool() {
    const ROOM: usize = 3;
    static BUFFERS: Pool<Vec<u8>> = Pool::new().bounded(ROOM);
    static IN_USE: AtomicUsize = AtomicUsize::new(0);
    let all: Vec<_> = (0..ROOM).map(|_| BUFFERS.allocate()).collect();
    let tasks: Vec<_> = (0..100)
        .map(|_| {
            tokio::spawn(async {
                let buffer = BUFFERS.allocate_async().await.expect("there is memory");
                // Declared after the buffer, so it is dropped before it, even if the task is aborted at the next `await`.
                let counted = Counted::enter(&IN_USE);
                assert!(counted.before < ROOM, "more than the bound");
                tokio::task::yield_now().await;
                drop(counted);
                drop(buffer);
            })
        })
        .collect();
    for task in tasks.iter().step_by(3) {
        task.abort();
    }
    drop(all);
    let mut done = 0;
    for task in tasks {
        match task.await {
            Ok(()) => done += 1,
            Err(error) => assert!(error.is_cancelled(), "{error}"),
        }
    }
    assert!(done >= 66, "{done}");
    assert_eq!(BUFFERS.stats().live, 0);
    let all: Vec<_> = (0..ROOM)
        .map(|_| BUFFERS.try_allocate().expect("room was lost"))
        .collect();
    assert!(BUFFERS.try_allocate().is_err());
    drop(all);
}

/// The runtime's timeout ends a wait, and the place in the queue with it.
#[tokio::test]
async fn a_timeout_ends_a_wait() {
    let sessions: Values<String> = Pool::values().bounded(1);
    let anna = sessions.insert("anna".to_owned());
    let bob = timeout(Duration::from_millis(5), sessions.insert_async("bob".to_owned())).await;
    assert!(bob.is_err(), "there was no room");
    drop(anna);
    let eve = sessions.insert_async("eve".to_owned()).await.expect("there is memory");
    assert_eq!(**eve, "eve");
}
