//! Cases that run in turns, round by round.

use std::{
    fmt,
    hint::black_box,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

/// The names of acedia's case, and of the loop with the least work that the job needs.
pub(crate) const ACEDIA: &str = "acedia";
pub(crate) const BARE: &str = "bare loop";

/// One contender in one row.
pub struct Case {
    name: &'static str,
    /// The number of operations of one run, if it is fixed.
    fixed: Option<u64>,
    run: Box<dyn FnMut(u64) -> f64>,
}

impl Case {
    /// A case that runs `n` operations and returns how many nanoseconds all of them took.
    pub(crate) fn timed(name: &'static str, run: impl FnMut(u64) -> f64 + 'static) -> Self {
        Self {
            name,
            fixed: None,
            run: Box::new(run),
        }
    }

    /// A case that runs `n` operations.
    pub(crate) fn new(name: &'static str, mut run: impl FnMut(u64) + 'static) -> Self {
        Self::timed(name, move |n| nanoseconds(|| run(n)))
    }

    /// A case that repeats one operation.
    pub(crate) fn each<R>(name: &'static str, mut operation: impl FnMut() -> R + 'static) -> Self {
        Self::new(name, move |n| {
            for _ in 0..n {
                black_box(operation());
            }
        })
    }

    /// A case whose operations come `size` at a time. It measures whole batches.
    pub(crate) fn batches<R>(name: &'static str, size: usize, mut batch: impl FnMut() -> R + 'static) -> Self {
        let size = size as u64;
        Self::timed(name, move |n| {
            let batches = n.div_ceil(size);
            let total = nanoseconds(|| {
                for _ in 0..batches {
                    black_box(batch());
                }
            });
            share(total, n, batches * size)
        })
    }

    /// A case that always does `n` operations, and returns how many nanoseconds they took.
    pub(crate) fn fixed(name: &'static str, n: usize, mut whole: impl FnMut() -> f64 + 'static) -> Self {
        Self {
            fixed: Some(n as u64),
            ..Self::timed(name, move |asked| share(whole(), asked, n as u64))
        }
    }

    /// The contender.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Runs `n` operations.
    pub fn run(&mut self, n: u64) -> Duration {
        Duration::from_secs_f64((self.run)(n) / 1e9)
    }

    /// The number of operations that take `time`. Finding it warms the case up.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^52")]
    fn size(&mut self, time: Duration) -> u64 {
        if let Some(n) = self.fixed {
            return n;
        }
        let (goal, mut n) = (time.as_secs_f64() * 1e9, 1000);
        loop {
            // The best of three: a run may wait for another process, or include one-time work that takes longer, such as creating
            // the process's first pool next to a second thread.
            let took = (0..3).map(|_| (self.run)(n)).fold(f64::INFINITY, f64::min).max(1.0);
            if took >= goal / 2.0 {
                return (share(goal, n, 1) / took).max(1.0) as u64;
            }
            n = share((goal / took).clamp(2.0, 100.0), n, 1) as u64;
        }
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Case").field(&self.name).finish_non_exhaustive()
    }
}

/// One job, done by several contenders. The first case is ours.
#[derive(Debug)]
pub struct Row {
    /// The name in tables, in the data and on the command line.
    pub name: &'static str,
    /// Builds the cases. Some hold a million objects, so only one row exists at a time.
    pub cases: fn() -> Vec<Case>,
    /// Contenders, and how many times as long as each of them acedia may take, for `--check`.
    pub limits: &'static [(&'static str, f64)],
}

pub(crate) const fn row(name: &'static str, cases: fn() -> Vec<Case>) -> Row {
    limited(name, cases, &[])
}

pub(crate) const fn limited(
    name: &'static str,
    cases: fn() -> Vec<Case>,
    limits: &'static [(&'static str, f64)],
) -> Row {
    Row { name, cases, limits }
}

/// How long and how often to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// How often every case of a row runs.
    pub rounds: usize,
    /// About how long one run should take.
    pub time: Duration,
    /// Report core cycles instead of nanoseconds, and keep only the fastest twentieth of the rounds.
    pub cycles: bool,
}

impl Effort {
    /// For figures to publish. Each of three processes makes this effort.
    pub const FULL: Self = Self::of(11, 1000, false);
    /// For a first look.
    pub const QUICK: Self = Self::of(3, 500, false);
    /// For analysing a figure: many rounds, most of them too short to be disturbed.
    pub const CYCLES: Self = Self::of(300, 60, true);

    const fn of(rounds: usize, microseconds: u64, cycles: bool) -> Self {
        Self {
            rounds,
            time: Duration::from_micros(microseconds),
            cycles,
        }
    }
}

/// The time per operation of each case of a row, in every round.
#[derive(Debug, Serialize, Deserialize)]
pub struct Series {
    /// The row.
    pub row: String,
    /// The contenders.
    pub cases: Vec<(String, Vec<f64>)>,
}

/// Runs every case once per round, and begins each round with a different case.
#[must_use]
pub fn measure(row: &Row, effort: Effort) -> Series {
    let mut cases = (row.cases)();
    let sizes: Vec<u64> = cases.iter_mut().map(|case| case.size(effort.time)).collect();
    let mut rounds = vec![Vec::with_capacity(effort.rounds); cases.len()];
    for round in 0..effort.rounds {
        for turn in 0..cases.len() {
            let at = (round + turn) % cases.len();
            let unit = if effort.cycles { cycle() } else { 1.0 };
            rounds[at].push(share((cases[at].run)(sizes[at]) / unit, 1, sizes[at]));
        }
    }
    if effort.cycles {
        for rounds in &mut rounds {
            rounds.sort_by(f64::total_cmp);
            rounds.truncate(effort.rounds.div_ceil(20));
        }
    }
    let names = cases.iter().map(|case| case.name.to_owned());
    Series {
        row: row.name.to_owned(),
        cases: names.zip(rounds).collect(),
    }
}

/// The nanoseconds of a core cycle at this moment. A multiplication that depends on the one before takes three cycles on all recent
/// x86-64 processors.
fn cycle() -> f64 {
    const PRODUCTS: u32 = 5000;
    let mut product = black_box(3_u64);
    let total = nanoseconds(|| (0..PRODUCTS).for_each(|_| product = product.wrapping_mul(product)));
    black_box(product);
    total / f64::from(3 * PRODUCTS)
}

/// How long `work` takes, in nanoseconds.
pub(crate) fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9
}

/// The time of `part` operations if `whole` of them took `total`.
#[expect(clippy::cast_precision_loss, reason = "operation counts stay far below 2^52")]
pub(crate) fn share(total: f64, part: u64, whole: u64) -> f64 {
    total * (part as f64 / whole as f64)
}

/// The numbers below `n`, shuffled in the same way in every run (Fisher–Yates with a 64-bit linear congruential generator).
pub(crate) fn shuffled(n: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..n).collect();
    let mut random = random();
    for last in (1..n).rev() {
        numbers.swap(last, random(last + 1));
    }
    numbers
}

/// Numbers below a limit, the same in every run.
pub(crate) fn random() -> impl FnMut(usize) -> usize {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    move |limit| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % limit as u64).unwrap_or_default()
    }
}
