//! Processes that really sandbox themselves: seccomp takes the system call `membarrier` away from them. Each case is this test
//! again in a process of its own.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use acedia::pool::{Global, Hooks, Pool, avoid_membarrier, pin};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter_all_threads};

/// The case of a process.
const CASE: &str = "ACEDIA_SANDBOX_CASE";
/// The variable of the engine.
const AVOID: &str = "ACEDIA_AVOID_MEMBARRIER";

/// `avoid_membarrier` comes first: the engine never makes the call, which would end the process.
#[test]
fn a_sandbox_after_avoid_membarrier() {
    works("call", false);
}

/// The same by the environment.
#[test]
fn a_sandbox_with_the_variable() {
    works("variable", true);
}

/// The sandbox stands before the first pool, and refuses the call.
#[test]
fn a_sandbox_before_the_first_pool() {
    works("early", false);
}

/// The call is forbidden after the engine has come to rely on it: the process ends with a message, and nothing unwinds.
#[test]
fn a_sandbox_that_comes_too_late() {
    let output = run("late", false, Stdio::piped());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{}: {said}", output.status);
    assert!(
        said.contains("membarrier") && said.contains("avoid_membarrier") && said.contains(AVOID),
        "{said}"
    );
}

/// The same where the message cannot be written.
#[test]
fn a_sandbox_that_comes_too_late_without_standard_error() {
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("a file that takes nothing");
    let output = run("late", false, full.into());
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{}", output.status);
}

#[track_caller]
fn works(case: &str, variable: bool) {
    let output = run(case, variable, Stdio::piped());
    let printed = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{}\n{}",
        output.status,
        String::from_utf8_lossy(&printed)
    );
}

fn run(case: &str, variable: bool, stderr: Stdio) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("the path of this test"));
    command.args(["--exact", "in_a_process_of_its_own", "--nocapture"]);
    command
        .env(CASE, case)
        .env_remove(AVOID)
        .stdout(Stdio::piped())
        .stderr(stderr);
    if variable {
        command.env(AVOID, "1");
    }
    command
        .spawn()
        .expect("this test runs again")
        .wait_with_output()
        .expect("it ends")
}

#[test]
fn in_a_process_of_its_own() {
    match std::env::var(CASE).as_deref() {
        Ok("call") => {
            assert!(avoid_membarrier());
            forbid_membarrier(SeccompAction::KillProcess);
            use_every_mode();
        }
        Ok("variable") => {
            forbid_membarrier(SeccompAction::KillProcess);
            use_every_mode();
            assert!(avoid_membarrier(), "nothing relies on the call");
        }
        Ok("early") => {
            forbid_membarrier(SeccompAction::Errno(libc::EPERM.unsigned_abs()));
            use_every_mode();
        }
        Ok("late") => {
            read_on_one_thread();
            assert!(!avoid_membarrier(), "too late");
            forbid_membarrier(SeccompAction::Errno(libc::EPERM.unsigned_abs()));
            let second = thread::spawn(read_on_one_thread).join();
            unreachable!("a second thread reads without the fence: {second:?}");
        }
        Ok(other) => panic!("no such case: {other}"),
        Err(_) => {}
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

struct Finishing;

impl Hooks<u64> for Finishing {
    type Readers = Global;

    fn make() -> u64 {
        0
    }

    const END: Option<fn(&mut u64)> = Some(|n| {
        *n = 0;
        FINISHED.fetch_add(1, Ordering::Relaxed);
    });
}

/// Reads and guards on two threads, and frees meanwhile: all that takes the fence elsewhere.
fn use_every_mode() {
    let pool: Pool<u64, Finishing> = Pool::with_hooks();
    let (read, guarded) = (pool.allocate_with(|n| *n = 1), pool.allocate_with(|n| *n = 2));
    let keys = [read.handle(), guarded.handle()];
    read_on_one_thread();
    drop(pool.guard(keys[1]));
    let (pinned, freed) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            let guard = pool.guard(keys[1]).expect("alive");
            let under = pin();
            let seen = pool.get(keys[0], &under).expect("alive");
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
    assert!(keys.iter().all(|key| !pool.contains(*key)));
}
