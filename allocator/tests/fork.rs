//! Processes that were forked from one of several threads: what the other threads were at is nobody's business there.
#![cfg(all(target_os = "linux", not(miri)))]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use acedia_allocator::pool::Pool;

/// How a child process ends: by itself, or `None` if it does not.
fn end_of(child: libc::pid_t) -> Option<libc::c_int> {
    let patience = Instant::now() + Duration::from_secs(20);
    let mut status = 0;
    loop {
        // SAFETY: a child of this process, and a place for its status.
        if unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == child {
            return Some(status);
        }
        if Instant::now() > patience {
            // SAFETY: a child of this process, which has not been waited for.
            unsafe { libc::kill(child, libc::SIGKILL) };
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// A thread that was counting owners when the process was forked is not waited for.
#[test]
fn forked_while_another_thread_counts() {
    static BUSY: Pool<u64> = Pool::new();
    let pool: Pool<u64> = Pool::new();
    let owner = pool.allocate();
    // The only one that counts in the pool so far.
    thread::scope(|scope| scope.spawn(|| drop(owner.clone())).join().unwrap());
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let owner = BUSY.allocate();
            while !stop.load(Ordering::Relaxed) {
                (0..1000).for_each(|_| drop(owner.clone()));
            }
        });
        thread::sleep(Duration::from_millis(20));
        let ends: Vec<_> = (0..30)
            .map(|_| {
                // SAFETY: the child counts, for which it takes no lock that the other thread uses, and ends.
                let child = unsafe { libc::fork() };
                if child == 0 {
                    drop(owner.clone());
                    // SAFETY: ends the child at once.
                    unsafe { libc::_exit(0) };
                }
                end_of(child)
            })
            .collect();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(ends, [Some(0); 30], "a child waits for a thread that it does not have");
    });
}
