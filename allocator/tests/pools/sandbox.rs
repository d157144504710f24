//! Processes that really sandbox themselves: seccomp takes the system call `membarrier` away from them.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use acedia::pool::avoid_membarrier;
use acedia::{Pool, pin};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter_all_threads};

use super::support::{Barrier, case, command, hooks, in_own_process, passed};

/// The variable of the engine.
const AVOID: &str = "ACEDIA_AVOID_MEMBARRIER";

/// `avoid_membarrier` comes first: the engine never makes the call, which would end the process.
#[test]
fn a_sandbox_after_avoid_membarrier() {
    in_own_process(|| {
        assert!(avoid_membarrier());
        forbid_membarrier(SeccompAction::KillProcess);
        use_every_mode();
    });
}

/// The same through the environment.
#[test]
fn a_sandbox_with_the_variable() {
    if case().is_none() {
        return drop(passed(&command(|| (), "variable").env(AVOID, "1").output().unwrap()));
    }
    forbid_membarrier(SeccompAction::KillProcess);
    use_every_mode();
    assert!(avoid_membarrier(), "nothing relies on the call");
}

/// The sandbox stands before the first pool, and refuses the call.
#[test]
fn a_sandbox_before_the_first_pool() {
    in_own_process(|| {
        forbid_membarrier(SeccompAction::Errno(libc::EPERM.unsigned_abs()));
        use_every_mode();
    });
}

/// The call is forbidden after the engine has come to rely on it: the process ends with a message, even where the message cannot be
/// written, and nothing unwinds.
#[test]
fn a_sandbox_that_comes_too_late() {
    if case().is_some() {
        read_on_one_thread();
        assert!(!avoid_membarrier(), "too late");
        forbid_membarrier(SeccompAction::Errno(libc::EPERM.unsigned_abs()));
        let second = thread::spawn(read_on_one_thread).join();
        unreachable!("a second thread reads without the fence: {second:?}");
    }
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("a file that takes nothing");
    for stderr in [Stdio::piped(), full.into()] {
        let mut command = command(|| (), "late");
        let process = command
            .env_remove(AVOID)
            .stderr(stderr)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let is_read = process.stderr.is_some();
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{}: {said}", output.status);
        assert!(
            !is_read
                || ["membarrier", "avoid_membarrier", AVOID]
                    .iter()
                    .all(|word| said.contains(word)),
            "{said}"
        );
    }
}

/// From now on the system call does this, on every thread.
fn forbid_membarrier(action: SeccompAction) {
    let rules = [(libc::SYS_membarrier, Vec::new())].into();
    let here = std::env::consts::ARCH.try_into().expect("a known processor");
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, here).expect("a filter");
    let program: BpfProgram = filter.try_into().expect("a program");
    apply_filter_all_threads(&program).expect("the sandbox");
}

fn read_on_one_thread() {
    let pool: Pool<u64> = Pool::new();
    let owner = pool.allocate_with(|n| *n = 1);
    assert_eq!(pool.get(owner.handle(), &pin()), Some(&1));
}

static FINISHED: AtomicU32 = AtomicU32::new(0);

hooks!(Finishing: u64 = 0, end |n| {
    *n = 0;
    FINISHED.fetch_add(1, Ordering::Relaxed);
});

/// Reads and guards on two threads, and frees meanwhile: all that needs `membarrier`.
fn use_every_mode() {
    let pool: Pool<u64, Finishing> = Pool::with_hooks();
    let (read, guarded) = (pool.allocate_with(|n| *n = 1), pool.allocate_with(|n| *n = 2));
    let handles = [read.handle(), guarded.handle()];
    read_on_one_thread();
    drop(pool.guard(handles[1]));
    let (pinned, freed) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            let guard = pool.guard(handles[1]).expect("alive");
            let under = pin();
            let seen = pool.get(handles[0], &under).expect("alive");
            pinned.wait();
            freed.wait();
            assert_eq!((*seen, *guard), (1, 2));
        });
        pinned.wait();
        drop((read, guarded));
        assert_eq!(FINISHED.load(Ordering::Relaxed), 0, "a thread is reading");
        freed.wait();
    });
    pool.collect();
    assert_eq!(FINISHED.load(Ordering::Relaxed), 2);
    assert!(handles.iter().all(|handle| !pool.contains(*handle)));
}
