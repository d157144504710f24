//! Something measurable: one contender under one workload.

use std::{
    fmt,
    time::{Duration, Instant},
};

/// The function that [`Case::run`] calls.
type Run = Box<dyn FnMut(u64) -> f64>;

/// One contender under one workload, ready to run any number of times.
pub struct Case {
    name: &'static str,
    fixed: Option<u64>,
    run: Run,
}

impl Case {
    /// A case that runs `n` operations and answers what all of them took, in the unit of its workload.
    pub(crate) fn new(name: &'static str, run: impl FnMut(u64) -> f64 + 'static) -> Self {
        Self {
            name,
            fixed: None,
            run: Box::new(run),
        }
    }

    /// A case whose operations come `size` at a time; the time of what was asked for is computed from whole batches.
    pub(crate) fn batches(name: &'static str, size: usize, mut batch: impl FnMut() + 'static) -> Self {
        let size = size as u64;
        Self::new(name, move |n| {
            let batches = n.div_ceil(size);
            let total = nanoseconds(|| (0..batches).for_each(|_| batch()));
            share(total, n, batches * size)
        })
    }

    /// A case that always does `n` operations, however many are asked for.
    pub(crate) fn fixed(name: &'static str, n: u64, mut whole: impl FnMut() -> f64 + 'static) -> Self {
        Self {
            name,
            fixed: Some(n),
            run: Box::new(move |asked| share(whole(), asked, n)),
        }
    }

    /// A case that is asked once in its process.
    pub(crate) fn once(name: &'static str, ask: impl FnMut() -> f64 + 'static) -> Self {
        Self::fixed(name, 1, ask)
    }

    /// The contender's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many operations one run does, if the case cannot choose.
    #[must_use]
    pub fn fixed_size(&self) -> Option<u64> {
        self.fixed
    }

    /// Runs `n` operations; answers what they took together, in the unit of the workload (nanoseconds or bytes).
    pub fn run(&mut self, n: u64) -> f64 {
        (self.run)(n)
    }

    /// [`run`](Self::run), for workloads measured in time.
    pub fn run_for(&mut self, n: u64) -> Duration {
        Duration::from_secs_f64(self.run(n) / 1e9)
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("name", &self.name)
            .field("fixed", &self.fixed)
            .finish_non_exhaustive()
    }
}

/// How long `work` takes, in nanoseconds.
pub(crate) fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9
}

/// The cost of `part` operations if `whole` of them cost `total`.
#[expect(clippy::cast_precision_loss, reason = "operation counts stay far below 2^52")]
pub(crate) fn share(total: f64, part: u64, whole: u64) -> f64 {
    total * (part as f64 / whole as f64)
}
