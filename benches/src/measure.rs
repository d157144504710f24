//! Cases by turns, rounds rotated, medians.

use crate::case::{Case, nanoseconds, share};
use std::{hint::black_box, time::Duration};

/// How long and how often to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// How often every case runs.
    pub rounds: usize,
    /// How long one run should take, about.
    pub run: Duration,
    /// In cycles of the core instead of nanoseconds, and of the rounds only those that took least.
    pub cycles: bool,
}

/// Of so many rounds, one counts when cycles are measured: what a neighbour on the host slows down is not the contender's.
const QUIETEST: usize = 20;

impl Effort {
    /// For figures to quote.
    pub const FULL: Self = Self {
        rounds: 21,
        run: Duration::from_millis(10),
        cycles: false,
    };
    /// For a first look.
    pub const QUICK: Self = Self {
        rounds: 5,
        run: Duration::from_millis(2),
        cycles: false,
    };
    /// For finding out why: many rounds, each too short for most of what disturbs them.
    pub const CYCLES: Self = Self {
        rounds: 300,
        run: Duration::from_micros(60),
        cycles: true,
    };
}

/// The costs of one case per operation, round by round.
#[derive(Debug, Clone)]
pub struct Series {
    /// The contender.
    pub name: &'static str,
    /// One value for each round, in the unit of the workload.
    pub rounds: Vec<f64>,
}

impl Series {
    /// The median over all rounds.
    #[must_use]
    pub fn median(&self) -> f64 {
        median(self.rounds.clone())
    }
}

/// Runs every case once per round, and begins each round with another case.
#[must_use]
pub fn measure(cases: &mut [Case], effort: Effort) -> Vec<Series> {
    let sizes: Vec<u64> = cases.iter_mut().map(|case| size(case, effort.run)).collect();
    let mut series: Vec<Series> = cases
        .iter()
        .map(|case| Series {
            name: case.name(),
            rounds: Vec::with_capacity(effort.rounds),
        })
        .collect();
    for round in 0..effort.rounds {
        for turn in 0..cases.len() {
            let place = (round + turn) % cases.len();
            let unit = if effort.cycles { cycle() } else { 1.0 };
            let total = cases[place].run(sizes[place]) / unit;
            series[place].rounds.push(share(total, 1, sizes[place]));
        }
    }
    if effort.cycles {
        for one in &mut series {
            one.rounds.sort_by(f64::total_cmp);
            one.rounds.truncate(effort.rounds.div_ceil(QUIETEST));
        }
    }
    series
}

/// How many nanoseconds a cycle of the core takes at this moment. A product that waits for the one before takes three, on
/// every x86-64 processor of the last years.
fn cycle() -> f64 {
    const PRODUCTS: u32 = 5000;
    let mut product = black_box(3_u64);
    let total = nanoseconds(|| (0..PRODUCTS).for_each(|_| product = product.wrapping_mul(product)));
    black_box(product);
    total / f64::from(3 * PRODUCTS)
}

/// How many operations fill `run`; finding out warms the case up.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "operation counts stay far below 2^52"
)]
fn size(case: &mut Case, run: Duration) -> u64 {
    if let Some(n) = case.fixed_size() {
        return n;
    }
    let goal = run.as_secs_f64() * 1e9;
    let mut n = 1000;
    loop {
        let took = case.run(n).max(1.0);
        if took >= goal / 2.0 {
            return ((n as f64 * goal / took) as u64).max(1);
        }
        n = (n as f64 * (goal / took).clamp(2.0, 100.0)) as u64;
    }
}

/// The middle value; of an even number, the upper one of the two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;
