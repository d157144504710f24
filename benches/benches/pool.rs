//! The six hot loops of the pool under criterion, beside their peers.

use acedia_benches::pool::ROWS;
use criterion::Criterion;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HOT: [&str; 6] = [
    "pair, 64 B",
    "pair without a handle, 64 B",
    "two pools in turns, 16 B",
    "bursts of 2,000, 64 B",
    "clone an owner and drop the clone",
    "read 1,000, Reader::get",
];

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for name in HOT {
        let row = ROWS.iter().find(|row| row.name == name).expect("a row of the pool");
        let mut group = criterion.benchmark_group(name);
        for mut case in (row.cases)() {
            group.bench_function(case.name(), |bencher| bencher.iter_custom(|n| case.run(n)));
        }
        group.finish();
    }
    criterion.final_summary();
}
