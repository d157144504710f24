//! Every case runs, and every goal names cases that there are.

use crate::{
    actors, boxes,
    case::Case,
    collections, json, text,
    workload::{Against, Goal, Workload},
    workloads,
};

/// Workloads that need a process of their own, and would start the test program again.
const ISOLATED: [&str; 5] = ["build", "memory", "start", "held", "again"];

/// Runs every case of the first `columns` columns.
fn check(workload: &Workload, columns: usize) {
    for (at, column) in workload.columns.iter().take(columns).enumerate() {
        let mut cases = (column.cases)();
        for case in &mut cases {
            assert!(case.run(1) > 0.0, "{} in {}", case.name(), workload.name);
        }
        let names: Vec<_> = cases.iter().map(Case::name).collect();
        let has_limit = |goal: &&Goal| goal.at_most.get(at).is_some_and(Option::is_some);
        for goal in workload.goals.iter().filter(has_limit) {
            assert!(names.contains(&goal.ours), "{} in {}", goal.ours, workload.name);
            match goal.against {
                Against::Peer(peer) => assert!(names.contains(&peer), "{peer} in {}", workload.name),
                Against::Best { of, among } => {
                    let known = among.iter().any(|name| names.contains(name));
                    assert!(known, "the best {of} in {}", workload.name);
                }
                Against::Value(_) => {}
            }
        }
    }
}

#[test]
fn every_case_runs_and_goals_name_contenders() {
    let lists = [actors::ALL, boxes::ALL, json::ALL, text::ALL, workloads::ALL];
    for workload in lists
        .into_iter()
        .flatten()
        .filter(|workload| !ISOLATED.contains(&workload.name))
    {
        check(workload, usize::MAX);
    }
    // The largest columns take seconds to build, and are the same code.
    for workload in collections::ALL {
        check(workload, 2);
    }
}
