//! Rounds in which all loops run in turns, and what comes of them.

use std::time::Instant;

/// Operations of a round. So short that an interrupt spoils few rounds.
const OPERATIONS: u64 = 20_000;
/// Rounds in which every loop runs once.
const ROUNDS: usize = 301;

/// A loop that performs so many operations.
pub(crate) type Loop = Box<dyn FnMut(u64)>;

/// A path of the engine, and the loop beside it.
pub(crate) struct Path {
    /// The path.
    pub(crate) name: &'static str,
    pub(crate) ours: Loop,
    /// The loop to compare with.
    pub(crate) beside: &'static str,
    pub(crate) theirs: Loop,
    /// How many times as long as that loop the path may take.
    pub(crate) limit: f64,
}

/// The result of one path.
pub(crate) struct Row {
    name: &'static str,
    beside: &'static str,
    ours: f64,
    theirs: f64,
    ratio: f64,
    limit: f64,
}

/// Runs all loops in turns, and takes medians. The ratio is the median of the ratios of each round.
pub(crate) fn measure(mut paths: Vec<Path>) -> Vec<Row> {
    let mut times = vec![Vec::with_capacity(ROUNDS); paths.len()];
    for _ in 0..ROUNDS {
        for (path, times) in paths.iter_mut().zip(&mut times) {
            times.push((nanoseconds(&mut path.ours), nanoseconds(&mut path.theirs)));
        }
    }
    let row = |(path, times): (Path, Vec<(f64, f64)>)| Row {
        name: path.name,
        beside: path.beside,
        ours: median(times.iter().map(|times| times.0)),
        theirs: median(times.iter().map(|times| times.1)),
        ratio: median(times.iter().map(|times| times.0 / times.1)),
        limit: path.limit,
    };
    paths.into_iter().zip(times).map(row).collect()
}

/// The time of one operation.
fn nanoseconds(run: &mut Loop) -> f64 {
    let start = Instant::now();
    run(OPERATIONS);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let time = start.elapsed().as_nanos() as f64 / OPERATIONS as f64;
    time
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl Row {
    pub(crate) fn is_too_slow(&self) -> bool {
        self.ratio > self.limit
    }

    pub(crate) fn print(rows: &[Self]) {
        println!(
            "{:<44} {:>7}   {:<34} {:>7} {:>7} {:>6}",
            "path", "ns", "beside", "ns", "ratio", "limit"
        );
        for row in rows {
            let Self {
                name,
                beside,
                ours,
                theirs,
                ratio,
                limit,
            } = row;
            let verdict = if row.is_too_slow() { "TOO SLOW" } else { "" };
            println!("{name:<44} {ours:>7.2}   {beside:<34} {theirs:>7.2} {ratio:>7.2} {limit:>6.2} {verdict}");
        }
    }
}
