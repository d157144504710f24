//! Figures of a whole process: its first objects, and its memory. Each is measured in a process of its own.

use std::hint::black_box;
use std::process::Command;
use std::{env, fs};

use acedia::{Pool, Values};
use slotmap::{DefaultKey, SlotMap};

use crate::measure::{ACEDIA, Case, Row, nanoseconds, row, share};

type Small = [u64; 2];
type Object = [u64; 8];

const FIRST: &str = "first object of a process";
const MILLION: &str = "first 1,000,000 objects of a process, 16 B, each";
const SMALL_POOL: &str = "bytes of a pool with one value of 64 B";

/// The row, the contender, and what the process does and returns.
type Job = (&'static str, &'static str, fn() -> f64);

const JOBS: &[Job] = &[
    (FIRST, ACEDIA, || {
        nanoseconds(|| {
            let _ = black_box(Box::leak(Box::new(Pool::<Small>::new())).allocate());
        })
    }),
    (FIRST, "slotmap", || {
        nanoseconds(|| _ = black_box(Box::leak(Box::new(SlotMap::<DefaultKey, Small>::new())).insert([7; 2])))
    }),
    (FIRST, "sharded-slab", || {
        nanoseconds(|| _ = black_box(Box::leak(Box::new(sharded_slab::Slab::<Small>::new())).insert([7; 2])))
    }),
    (MILLION, ACEDIA, || {
        let pool = Pool::<Small>::new();
        million(|| {
            let owner = pool.allocate_with(|it| *it = [7; 2]);
            black_box(owner.handle());
            owner
        })
    }),
    (MILLION, "mimalloc", || million(|| Box::new([7_u64; 2]))),
    (SMALL_POOL, ACEDIA, || {
        bytes_of_each(|| {
            let pool = Box::leak(Box::new(Values::<Object>::new()));
            (&*pool, pool.insert([7; 8]))
        })
    }),
    (SMALL_POOL, "acedia without an owner", || {
        bytes_of_each(|| {
            let mut pool = Values::<Object>::new();
            (pool.add([7; 8]), pool)
        })
    }),
    (SMALL_POOL, "slotmap", || {
        bytes_of_each(|| {
            let mut map = SlotMap::<DefaultKey, Object>::new();
            (map.insert([7; 8]), map)
        })
    }),
];

/// The rows of the group `process`.
pub const ROWS: &[Row] = &[
    row(FIRST, || cases(FIRST)),
    row(MILLION, || cases(MILLION)),
    row(SMALL_POOL, || cases(SMALL_POOL)),
];

fn cases(row: &str) -> Vec<Case> {
    let jobs = JOBS.iter().filter(|(of, ..)| *of == row);
    jobs.map(|&(row, name, _)| Case::fixed(name, 1, move || elsewhere(row, name)))
        .collect()
}

/// The figure of a job, done in another process.
fn elsewhere(row: &str, name: &str) -> f64 {
    if cfg!(test) {
        return alone(row, name).expect("a job"); // A test's program lacks this command.
    }
    let output = env::current_exe().and_then(|program| Command::new(program).args(["alone", row, name]).output());
    let output = output.expect("the program starts again");
    let figure = str::from_utf8(&output.stdout)
        .ok()
        .and_then(|text| text.trim().parse().ok());
    figure.unwrap_or_else(|| panic!("{row}: {name} printed no number"))
}

/// The figure of a job, done in this process. `None` if there is no such job.
#[must_use]
pub fn alone(row: &str, name: &str) -> Option<f64> {
    let job = JOBS.iter().find(|(of, by, _)| (*of, *by) == (row, name));
    job.map(|(_, _, job)| job())
}

/// How many objects the larger jobs have.
const MANY: usize = if cfg!(test) { 20_000 } else { 1_000_000 };

/// The nanoseconds of each of many allocations.
fn million<O>(mut make: impl FnMut() -> O) -> f64 {
    let mut owners = Vec::with_capacity(MANY);
    // The pages of the vector are new, too. They are not measured.
    owners.resize_with(MANY, || None);
    share(
        nanoseconds(|| owners.iter_mut().for_each(|place| *place = Some(make()))),
        1,
        MANY as u64,
    )
}

/// The resident bytes of each of 10,000 things. At least 1.
fn bytes_of_each<T>(mut make: impl FnMut() -> T) -> f64 {
    let count = MANY / 100;
    let mut things = Vec::with_capacity(count);
    things.resize_with(count, || None);
    let before = resident();
    things.iter_mut().for_each(|place| *place = Some(make()));
    let bytes = resident() - before;
    black_box(&things);
    share(bytes, 1, count as u64).max(1.0)
}

/// The resident memory in bytes, or 1 where the system does not report it.
fn resident() -> f64 {
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<f64>().ok());
    pages.map_or(1.0, |pages| pages * 4096.0)
}
