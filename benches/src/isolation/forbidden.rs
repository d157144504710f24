//! A process in which `membarrier` becomes forbidden after the engine has used it.

use crate::{
    case::Case,
    isolated::{Task, start},
};
use acedia::pool::{Pool, avoid_membarrier, pin};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter_all_threads};
use std::{fs::File, os::unix::process::ExitStatusExt as _, process::Stdio, thread};

/// A process of [`read`].
pub(super) static INNER: Task = Task {
    name: "in-a-sandbox",
    cases: other_reader,
    size: 1,
};

/// The process uses the engine as usual before its sandbox.
const AS_USUAL: &str = "`membarrier` is forbidden after its first use";
/// The process calls `avoid_membarrier` first.
const AVOIDED: &str = "the same, but `avoid_membarrier` was called";

pub(super) fn read() -> Vec<Case> {
    let of = |name| {
        const PROCESSES: u32 = 10;
        let aborts = move || {
            let mut process = start(INNER.name, name);
            let full = File::options().write(true).open("/dev/full").expect("Linux has it");
            process.stdout(Stdio::null()).stderr(full);
            let ended = process.status().expect("this program can be started again");
            assert!(ended.success() || ended.signal() == Some(libc::SIGABRT), "{ended}");
            f64::from(u8::from(!ended.success()))
        };
        Case::once(name, move || {
            (0..PROCESSES).map(|_| aborts()).sum::<f64>() * 100.0 / f64::from(PROCESSES)
        })
    };
    vec![of(AS_USUAL), of(AVOIDED)]
}

/// Ends with success if another thread can read. Unless the call is avoided, the engine has to end the process before that.
fn other_reader() -> Vec<Case> {
    fn read_once() {
        let pool = Pool::<u64>::new();
        let owner = pool.allocate_with(|object| *object = 1);
        assert_eq!(pool.get(owner.key(), &pin()), Some(&1));
    }
    let sandboxed = || {
        read_once();
        let here = std::env::consts::ARCH.try_into().expect("a processor that it knows");
        let rules = [(libc::SYS_membarrier, Vec::new())].into();
        let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, here).expect("a filter");
        let program: BpfProgram = filter.try_into().expect("a program");
        apply_filter_all_threads(&program).expect("a sandbox");
        // The first thread that reads may find only that the message cannot be written.
        let _ = thread::spawn(read_once).join();
        thread::spawn(read_once).join().expect("it reads");
        1.0
    };
    vec![
        Case::once(AS_USUAL, sandboxed),
        Case::once(AVOIDED, move || {
            assert!(avoid_membarrier(), "the first call of the process");
            sandboxed()
        }),
    ]
}
