//! Shared by the test binaries: numbers that look random, and sizes that fit the build.
#![allow(dead_code, reason = "each test binary uses its share")]

use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use acedia::Stats;

/// For tests of what happens "at once": pins count for the whole process, so no other test of the binary may hold one.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of objects that exist, alive or free.
pub(crate) fn existing(stats: Stats) -> u64 {
    stats.live + stats.kept
}

/// As many as fit the build: with and without debug assertions, and under Miri.
pub(crate) const fn sized(debug: usize, release: usize, miri: usize) -> usize {
    if cfg!(miri) {
        miri
    } else if cfg!(debug_assertions) {
        debug
    } else {
        release
    }
}

/// A short sequence of numbers from a seed (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }
}

/// Set in a test that runs in a process of its own; says which case it is.
pub(crate) const CASE: &str = "ACEDIA_TEST_CASE";

/// The case of this process, if it was started by [`in_own_process`].
pub(crate) fn case() -> Option<String> {
    std::env::var(CASE).ok()
}

/// This binary of tests, to start it again; through `ACEDIA_TEST_RUNNER` if the processor is an emulated one.
pub(crate) fn this_binary() -> Command {
    let binary = std::env::current_exe().expect("the path of this test");
    let runner = std::env::var("ACEDIA_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(program) = words.next() else {
        return Command::new(binary);
    };
    let mut command = Command::new(program);
    command.args(words).arg(binary);
    command
}

/// Runs the test `name` of this binary again in a process of its own, where [`case`] gives `case`.
pub(crate) fn in_own_process(name: &str, case: &str) -> Output {
    this_binary()
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(CASE, case)
        .output()
        .expect("the test starts again")
}

/// Like [`in_own_process`], but fails with what the process printed if it did not succeed.
#[track_caller]
pub(crate) fn passes_in_own_process(name: &str, case: &str) {
    let output = in_own_process(name, case);
    assert!(
        output.status.success(),
        "{name} in case {case}: {}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
