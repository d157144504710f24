//! A thread that is stopped in the middle of an allocation or a free delays no other thread.
//!
//! A signal stops one thread at a random instruction of its allocations and frees, until another thread has done its own work in the same pool.
//! If the other thread had to wait for the stopped one, its work would not end before the signal handler gives up. The only step in
//! which it may have to is the push of a queue: a few instructions, in which the pop of the same entry spins.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use acedia::{Pool, pin};

use super::support::{alone, beside, hooks, until};

hooks!(Ending: [u64; 2] = [0; 2], end |object| object[0] += 1);

static RECYCLED: Pool<[u64; 2]> = Pool::new();
static ENDING: Pool<[u64; 2], Ending> = Pool::with_hooks();

/// Whether the thread is stopped, and whether it may go on.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);
static MAY_GO_ON: AtomicBool = AtomicBool::new(false);
static GAVE_UP: AtomicU32 = AtomicU32::new(0);

const ROUNDS: u32 = 200;

extern "C" fn stop(_: libc::c_int) {
    IS_STOPPED.store(true, Ordering::SeqCst);
    let begun = Instant::now();
    while !MAY_GO_ON.load(Ordering::SeqCst) {
        if begun.elapsed() > Duration::from_secs(5) {
            GAVE_UP.fetch_add(1, Ordering::SeqCst);
            break;
        }
        thread::yield_now();
    }
    IS_STOPPED.store(false, Ordering::SeqCst);
}

/// Allocations and frees that exchange magazines, wait for pins, and run finalizers.
fn work(count: usize) {
    let owners: Vec<_> = (0..count).map(|_| (RECYCLED.allocate(), ENDING.allocate())).collect();
    let pinned = pin();
    for (recycled, ending) in owners.iter().step_by(2) {
        let guard = RECYCLED.guard(recycled.handle());
        assert!(guard.is_some() && ENDING.get(ending.handle(), &pinned).is_some());
    }
    drop(pinned);
}

#[test]
fn a_thread_that_is_stopped_delays_no_other() {
    let _alone = alone();
    // SAFETY: the handler only uses atomics and the clock.
    unsafe { libc::signal(libc::SIGUSR1, stop as *const () as libc::sighandler_t) };
    // Enough objects for both threads: a new one takes a lock.
    work(8_000);
    let stopped = AtomicU64::new(0);
    let other = || {
        // SAFETY: only asks for the name of this thread.
        stopped.store(unsafe { libc::pthread_self() }, Ordering::SeqCst);
        work(1_000);
    };
    beside(1, other, || {
        until(|| stopped.load(Ordering::SeqCst) != 0);
        for round in 0..ROUNDS {
            MAY_GO_ON.store(false, Ordering::SeqCst);
            // A different moment in each round.
            thread::sleep(Duration::from_micros(u64::from(round % 17) * 7));
            // SAFETY: the thread has not ended: it works until this closure ends.
            let status = unsafe { libc::pthread_kill(stopped.load(Ordering::SeqCst), libc::SIGUSR1) };
            assert_eq!(status, 0);
            until(|| IS_STOPPED.load(Ordering::SeqCst));
            work(1_000);
            MAY_GO_ON.store(true, Ordering::SeqCst);
            until(|| !IS_STOPPED.load(Ordering::SeqCst));
        }
    });
    // A stop within a push is rare, and ends with the handler.
    let gave_up = GAVE_UP.load(Ordering::SeqCst);
    assert!(
        gave_up <= ROUNDS / 100,
        "{gave_up} of {ROUNDS} stops delayed the other thread"
    );
}
