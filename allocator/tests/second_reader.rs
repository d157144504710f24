//! One reading thread, and then a second one. Alone in its process, because the engine counts the reading threads of a process.

use std::sync::mpsc::channel;

use acedia::pool::{Pool, pin};

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs membarrier")]
fn a_second_reading_thread_is_noticed() {
    static POOL: Pool<u64> = Pool::new();
    // This thread is the only reader: a slot that it frees can be reused at once.
    let owner = POOL.allocate_with(|n| *n = 1);
    let (key, index) = (owner.handle(), owner.index());
    assert_eq!(POOL.get(key, &pin()), Some(&1));
    drop(owner);
    let owner = POOL.allocate_with(|n| *n = 2);
    assert_eq!(owner.index(), index);

    // But not while it reads.
    let key = owner.handle();
    let pinned = pin();
    let seen = POOL.get(key, &pinned).unwrap();
    drop(owner);
    let other = POOL.allocate_with(|n| *n = 3);
    assert_ne!(other.index(), index);
    assert_eq!(*seen, 2);
    drop(pinned);
    drop(other);

    // And not while another thread reads.
    let owner = POOL.allocate_with(|n| *n = 4);
    let key = owner.handle();
    let (say, heard) = channel();
    let (answer, answered) = channel();
    let reader = std::thread::spawn(move || {
        let pinned = pin();
        let seen = POOL.get(key, &pinned).unwrap();
        say.send(()).unwrap();
        answered.recv().unwrap();
        assert_eq!(*seen, 4);
    });
    heard.recv().unwrap();
    drop(owner);
    let others: Vec<_> = (0..300).map(|_| POOL.allocate_with(|n| *n = 5)).collect();
    assert!(others.iter().all(|other| other.index() != key.index()));
    answer.send(()).unwrap();
    reader.join().unwrap();
}
