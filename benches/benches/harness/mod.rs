//! Workloads as criterion groups: one group for each workload and payload, the contenders side by side in it.

use acedia_benches::{Case, command::named, readers, workloads::ALL};
use criterion::Criterion;

/// Runs the workloads of those names.
///
/// # Panics
///
/// If a name is unknown: a benchmark that measures nothing must not pass.
pub(crate) fn run(names: &[&str]) {
    readers();
    let mut criterion = Criterion::default().configure_from_args();
    for workload in names.iter().map(|name| named(ALL, name).expect("the workload exists")) {
        for column in workload.columns {
            group(
                &mut criterion,
                &format!("{}, {}", workload.name, column.label),
                (column.cases)(),
            );
        }
    }
    criterion.final_summary();
}

fn group(criterion: &mut Criterion, name: &str, cases: Vec<Case>) {
    let mut group = criterion.benchmark_group(name);
    for mut case in cases {
        group.bench_function(case.name(), |bencher| {
            bencher.iter_custom(|n| case.run_for(n));
        });
    }
    group.finish();
}
