use crate::sync::plain::{AtomicBool, AtomicU64, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::kind::ValueHash;
use crate::pool::Pool;
use crate::{Object, PoolPolicy, class};

/// Set in the process of its own.
const HERE: &str = "ACEDIA_TEST_FORKS";

/// Runs the named test in a process of its own, and there `work`.
fn apart(name: &str, work: impl FnOnce()) {
    if std::env::var_os(HERE).is_some() {
        return work();
    }
    let test = std::env::current_exe().unwrap();
    let done = Command::new(test)
        .args(["--exact", name, "--nocapture"])
        .env(HERE, "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done,
    Refused,
    Other(libc::c_int),
}

/// The exit status of a child whose wait was refused.
const REFUSED: libc::c_int = 3;

/// Runs `work` in a forked process.
fn in_a_child(work: impl FnOnce()) -> libc::pid_t {
    // SAFETY: the child runs `work` and ends without the destructors of the parent.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        let said = |panic: &Box<dyn std::any::Any + Send>| {
            let text = panic.downcast_ref::<&str>().copied();
            text.or(panic.downcast_ref::<String>().map(String::as_str))
                .is_some_and(|text| text.contains("forked"))
        };
        let code = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(()) => 0,
            Err(panic) if said(&panic) => REFUSED,
            Err(_) => 4,
        };
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(code) };
    }
    child
}

/// Waits for a child. After the deadline, kills it.
fn end_of(child: libc::pid_t, deadline: Instant) -> End {
    loop {
        let mut status = 0;
        // SAFETY: a child of this process, and a place for its status.
        if unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == child {
            return match libc::WEXITSTATUS(status) {
                0 if libc::WIFEXITED(status) => End::Done,
                REFUSED if libc::WIFEXITED(status) => End::Refused,
                _ => End::Other(status),
            };
        }
        if Instant::now() > deadline {
            // SAFETY: a child of this process that has not been waited for.
            unsafe { libc::kill(child, libc::SIGKILL) };
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Forks 200 children beside two threads that repeat `beside`. Each child does `work` several times, and must end by itself.
fn forks_beside(beside: impl Fn() + Sync, times: usize, work: impl Fn()) {
    let stop = AtomicBool::new(false);
    thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    beside();
                }
            });
        }
        let children: Vec<_> = (0..200)
            .map(|_| in_a_child(|| (0..times).for_each(|_| work())))
            .collect();
        stop.store(true, Ordering::Relaxed);
        // A refused child has waited for about a second, without using the processor.
        let deadline = Instant::now() + Duration::from_secs(120);
        let ends: Vec<_> = children.into_iter().map(|child| end_of(child, deadline)).collect();
        let bad: Vec<_> = ends.iter().filter(|end| matches!(end, End::Other(_))).collect();
        assert!(bad.is_empty(), "{bad:?}");
    });
}

#[test]
fn forks_beside_threads_that_use_a_limited_pool() {
    apart(
        "pool::memory::fork::tests::forks_beside_threads_that_use_a_limited_pool",
        || {
            let pool: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(10));
            let work = || drop([(); 5].map(|()| pool.allocate()));
            work();
            // Often enough for exchanges of magazines.
            forks_beside(work, 200, work);
        },
    );
}

#[test]
fn forks_beside_collections() {
    apart("pool::memory::fork::tests::forks_beside_collections", || {
        let pool: Pool<u64> = Pool::new();
        let work = || drop([(); 300].map(|()| pool.allocate()));
        work();
        let beside = || {
            work();
            pool.collect();
        };
        // Each time takes every lock of a collection, so a lock that the fork left locked is met at once.
        forks_beside(beside, 5, beside);
    });
}

/// The hash of an object is user code, and another thread is in it at the fork.
#[test]
fn forks_beside_a_hash() {
    #[derive(Default)]
    struct Slow(AtomicU64);
    impl PartialEq for Slow {
        fn eq(&self, _: &Self) -> bool {
            true
        }
    }
    impl Object for Slow {
        class!(Slow, "Forks.Slow", kind = Value);
    }
    impl ValueHash for Slow {
        fn value_hash(&self) -> i32 {
            // The first caller stays until the child has ended.
            if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
                while self.0.load(Ordering::Relaxed) < HASHED {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            7
        }
    }
    const HASHED: u64 = 100;
    apart("pool::memory::fork::tests::forks_beside_a_hash", || {
        let slow = Slow::allocate();
        thread::scope(|threads| {
            let first = threads.spawn(|| slow.hash_code());
            while slow.0.load(Ordering::Relaxed) == 0 {
                thread::sleep(Duration::from_millis(1));
            }
            let child = in_a_child(|| assert_eq!(slow.hash_code(), 7));
            let end = end_of(child, Instant::now() + Duration::from_secs(10));
            slow.0.store(HASHED, Ordering::Relaxed);
            assert_eq!((end, first.join().unwrap()), (End::Done, 7));
        });
    });
}
