//! The common parts of the tests: threads that cannot hang, processes of their own, hooks, and numbers that look random.
#![allow(dead_code, unused_macros, unused_imports, reason = "each test binary uses its share")]

use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use acedia::pool::Domain;
use acedia::{Handle, Owned, PoolPolicy, Stats};

#[path = "../../../tests/support/barrier.rs"]
mod barrier;
pub(crate) use barrier::Barrier;

/// For tests of what happens "at once": pins count for the whole process, so no other test of the binary may hold one.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Each kind of policy, with a small limit.
pub(crate) const POLICIES: [PoolPolicy; 3] = [PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(2), PoolPolicy::KeepNone];

/// The last life of a slot.
pub(crate) const LAST_LIFE: u32 = i32::MAX.unsigned_abs();

/// The number of objects that exist, alive or free.
pub(crate) fn existing(stats: Stats) -> u64 {
    stats.live + stats.kept
}

/// The handles of all these objects, which other threads could see from now on.
pub(crate) fn handles<T, P>(owners: &[Owned<T, P>]) -> Vec<Handle<T>>
where
    T: Send + Sync + 'static,
    P: acedia::pool::PoolOf<T>,
{
    owners.iter().map(Owned::handle).collect()
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

/// How long a test waits for another thread before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until `is_so`.
#[track_caller]
pub(crate) fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "another thread does not come");
        thread::yield_now();
    }
}

/// Runs `work` over and over on `threads` other threads, while `body` runs here. They end with it, even if it panics.
pub(crate) fn beside<R>(threads: usize, work: impl Fn() + Sync, body: impl FnOnce() -> R) -> R {
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let over = AtomicBool::new(false);
    let repeat = |_| {
        while !over.load(Ordering::Relaxed) {
            work();
        }
    };
    let body = || {
        let _stop = Stop(&over);
        body()
    };
    crew(0..threads, repeat, body).1
}

/// Runs `work` with each of the inputs on its own thread, and `body` here. Returns when the threads and their exit hooks have
/// ended: a scope alone does not wait for the hooks.
pub(crate) fn crew<T: Send, R: Send, B>(
    inputs: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    body: impl FnOnce() -> B,
) -> (Vec<R>, B) {
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = inputs
            .into_iter()
            .map(|input| scope.spawn(move || work(input)))
            .collect();
        let result = body();
        (
            workers.into_iter().map(|worker| worker.join().unwrap()).collect(),
            result,
        )
    })
}

/// As [`crew`], without a `body`.
pub(crate) fn together<T: Send, R: Send>(inputs: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    crew(inputs, work, || ()).0
}

/// Runs `work` on another thread, until that has ended.
pub(crate) fn elsewhere<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| scope.spawn(work).join().unwrap())
}

/// A pin of another thread, which has ended when this is dropped.
pub(crate) struct PinElsewhere(Option<(Sender<()>, JoinHandle<()>)>);

impl PinElsewhere {
    pub(crate) fn new<D: Domain>() -> Self {
        let (pinned, is_pinned) = channel();
        let (end, is_over) = channel::<()>();
        let thread = thread::spawn(move || {
            let _pinned = D::pin();
            pinned.send(()).unwrap();
            let _ = is_over.recv();
        });
        is_pinned.recv().unwrap();
        Self(Some((end, thread)))
    }
}

impl Drop for PinElsewhere {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            thread.join().unwrap();
        }
    }
}

/// Hooks that make objects by an expression, begin and end their lives by closures, and are read globally or in a domain.
macro_rules! hooks {
    ($vis:vis $name:ident: $object:ty = $make:expr $(, begin $begin:expr)? $(, end $end:expr)? $(; $readers:ty)?) => {
        $vis struct $name;
        impl acedia::pool::Hooks<$object> for $name {
            type Readers = $crate::support::or_global!($($readers)?);

            fn make() -> $object {
                $make
            }
            $(
                fn begin(object: &mut $object) {
                    let begin: fn(&mut $object) = $begin;
                    begin(object);
                }
            )?
            $( const END: Option<fn(&mut $object)> = Some($end); )?
        }
    };
}

macro_rules! or_global {
    () => {
        acedia::pool::Global
    };
    ($readers:ty) => {
        $readers
    };
}

pub(crate) use {hooks, or_global};

/// Set in a process that a test has started; says which case it is.
const CASE: &str = "ACEDIA_TEST_CASE";

/// The case of this process, if it was started by [`again`].
pub(crate) fn case() -> Option<String> {
    std::env::var(CASE).ok()
}

/// Runs a test again in its own process, where [`case`] gives `case`. The test is the function of the closure `here`.
pub(crate) fn again<F: Fn()>(here: F, case: &str) -> Output {
    command(here, case).output().expect("the test starts again")
}

/// The command of [`again`]. If the processor is emulated, `ACEDIA_TEST_RUNNER` starts the process.
pub(crate) fn command<F: Fn()>(_: F, case: &str) -> Command {
    let (_, name) = std::any::type_name::<F>()
        .split_once("::")
        .expect("the path of a closure");
    let name = name.trim_end_matches("::{{closure}}");
    let binary = std::env::current_exe().expect("the path of this test");
    let runner = std::env::var("ACEDIA_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let mut command = Command::new(words.next().map_or(binary.as_os_str(), |word| word.as_ref()));
    if !runner.is_empty() {
        command.args(words).arg(binary);
    }
    command
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(CASE, case);
    command
}

/// The output of a process. Fails if the process did not succeed.
#[track_caller]
pub(crate) fn passed(output: &Output) -> String {
    let printed = [&output.stdout[..], &output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    assert!(output.status.success(), "{}\n{printed}", output.status);
    assert!(printed.contains("1 passed"), "the test is not found\n{printed}");
    printed
}

/// Runs `body` in its own process, in which the test starts again.
#[track_caller]
pub(crate) fn in_own_process<F: Fn()>(body: F) {
    if case().is_some() {
        return body();
    }
    passed(&again(body, "alone"));
}
