//! A lock and real threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::Subject;
use crate::notes;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[path = "../../../tests/support/barrier.rs"]
mod barrier;

use barrier::Barrier;

/// The subject of the tests' locks.
struct Thing;

impl Subject for Thing {
    const NAME: &'static str = "a thing";
    const WAY_OUT: &'static str = "go on";
}

type Lock<T> = super::Lock<T, Thing>;

/// The message of the panic of `work`, if it panics.
fn told(work: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(work)).err()?;
    Some(*panic.downcast::<String>().expect("a sentence with a name in it"))
}

#[test]
fn a_thread_does_not_wait_for_itself() {
    let (lock, other) = (Lock::<i32>::default(), Lock::<i32>::default());
    let (read, line) = (lock.read(), line!());
    assert_eq!(
        *read + *lock.read() + *lock.read_briefly(),
        0,
        "reading twice is no matter"
    );
    assert_eq!(format!("{lock:?}"), "0");
    let changed = "deadlock: this thread tries to change a thing that it is already reading or changing";
    let at = |told: &str, line: u32, column: u32| {
        format!("{told} (the guard was taken at {}:{line}:{column}); go on", file!())
    };
    assert_eq!(told(|| *lock.write() += 1), Some(at(changed, line, 30)));
    assert_eq!(told(|| *lock.write_briefly() += 1), Some(at(changed, line, 30)));
    drop(read);
    let (mut written, line) = (lock.write(), line!());
    *written += 1;
    assert_eq!(format!("{lock:?}"), "<locked>");
    assert_eq!(told(|| drop(lock.write())), Some(at(changed, line, 37)));
    let read = "deadlock: this thread tries to read a thing that it is changing";
    assert_eq!(told(|| drop(lock.read())), Some(at(read, line, 37)));
    assert_eq!(told(|| drop(lock.read_briefly())), Some(at(read, line, 37)));
    assert!(lock.try_read().is_none());
    // Guards may be dropped in any order.
    let between = other.write();
    drop(written);
    assert_eq!(*lock.read(), 1);
    drop(between);
    *lock.write() += 1;
    *other.write() += 1;
    assert_eq!((*lock.read_briefly(), *other.read_briefly()), (2, 1));
    assert!(notes::held().is_empty());
}

/// Each thread holds one lock and wants the next. One thread panics, and then the others go on.
#[test]
fn threads_do_not_wait_in_a_circle() {
    for threads in 2..5 {
        let locks: Vec<Lock<usize>> = (0..threads).map(|_| Lock::default()).collect();
        let everybody = Barrier::new(threads);
        let told: usize = thread::scope(|scope| {
            let work = |at: usize| {
                let (locks, everybody) = (&locks, &everybody);
                scope.spawn(move || {
                    let mut own = locks[at].write();
                    everybody.wait();
                    let next = &locks[(at + 1) % threads];
                    let read = || {
                        if at % 2 == 0 {
                            *next.read()
                        } else {
                            *next.read_briefly()
                        }
                    };
                    let told = told(|| *own += read() + 1);
                    assert!(
                        told.iter()
                            .all(|message| message.contains("whose holder waits for this thread"))
                    );
                    usize::from(told.is_some())
                })
            };
            let threads: Vec<_> = (0..threads).map(work).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(told, 1, "one of {threads}");
        assert_eq!(locks.iter().filter(|lock| *lock.read() > 0).count(), threads - 1);
    }
}

/// More locks than a thread keeps notes in place.
#[test]
fn whoever_holds_many_locks_is_told_of_each() {
    let locks: Vec<Lock<i32>> = (0..100).map(|_| Lock::default()).collect();
    let held: Vec<_> = locks.iter().map(Lock::write).collect();
    assert!(locks.iter().all(|lock| told(|| drop(lock.read())).is_some()));
    drop(held);
    assert!(locks.iter().all(|lock| *lock.write() == 0));
}

/// Threads wait for a lock at the address of a dropped one whose guard was forgotten, even the thread that forgot it.
fn waits_where_it_forgot(free: impl FnOnce(&mut Lock<i32>) + Send) {
    thread::scope(|scope| {
        // On a thread that no other test has later, as the note stays.
        scope.spawn(|| {
            let mut lock = Lock::<i32>::default();
            std::mem::forget(lock.write());
            free(&mut lock);
            let everybody = Barrier::new(2);
            thread::scope(|scope| {
                scope.spawn(|| {
                    let mut value = lock.write();
                    everybody.wait();
                    thread::sleep(Duration::from_millis(50));
                    *value += 1;
                });
                everybody.wait();
                assert_eq!(*lock.read(), 1);
            });
            let own = lock.write();
            assert!(told(|| drop(lock.read())).is_some(), "it is seen holding the later one");
            drop(own);
            *lock.write() += 1;
        });
    });
}

#[test]
fn forgotten_guards_end_with_the_life() {
    waits_where_it_forgot(Lock::unlock);
}

#[test]
fn forgotten_guards_end_with_the_lock() {
    waits_where_it_forgot(|lock| *lock = Lock::default());
}

/// Waiting for a thread that only reads another lock closes no cycle.
#[test]
fn readers_of_one_lock_are_in_no_circle() {
    let (shared, own) = (Lock::<i32>::default(), Lock::<i32>::default());
    let everybody = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            let read = shared.read();
            let mut own = own.write();
            everybody.wait();
            *own += *shared.read() + 1;
            drop(read);
        });
        let read = shared.read();
        everybody.wait();
        assert_eq!(*own.read() + *read, 1);
    });
}

/// A reader gets its turn, however many threads write, whether it holds another lock or not.
#[test]
fn readers_do_not_starve() {
    let (shared, own) = (Lock::<i32>::default(), Lock::<i32>::default());
    let enough = AtomicBool::new(false);
    let deadline = Instant::now() + Duration::from_secs(60);
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while !enough.load(Relaxed) && Instant::now() < deadline {
                    let _written = shared.write();
                    thread::sleep(Duration::from_millis(1));
                }
            });
        }
        thread::sleep(Duration::from_millis(50)); // until they write one after the other
        let mut reads = 0;
        while reads < 20 && Instant::now() < deadline {
            let _own = (reads % 2 == 0).then(|| own.write());
            drop(shared.read());
            reads += 1;
        }
        enough.store(true, Relaxed);
        assert_eq!(reads, 20);
    });
}

/// A reader may wait for another reader that came while the lock was written and is queued behind a writer.
#[test]
fn readers_overtake_while_they_wait() {
    let lock = Lock::<i32>::default();
    let brief = Duration::from_micros(100);
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        thread::scope(|scope| {
            let (done, is_done) = mpsc::channel();
            let written = lock.write();
            scope.spawn(|| *lock.write() += 1);
            thread::sleep(brief);
            let reader = &lock;
            scope.spawn(move || {
                drop(reader.read());
                done.send(())
            });
            thread::sleep(brief);
            drop(written);
            // Unless the writer was faster.
            if let Some(read) = lock.try_read() {
                let told = is_done.recv_timeout(Duration::from_secs(30));
                drop(read);
                assert!(told.is_ok(), "a reader waits for a writer that waits for a reader");
            }
        });
    }
}
