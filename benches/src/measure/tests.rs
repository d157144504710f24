use super::*;

#[test]
fn every_case_runs_in_every_round() {
    let mut cases: Vec<Case> = ["one", "two", "three"]
        .into_iter()
        .zip([1.0, 2.0, 3.0])
        .map(|(name, cost)| Case::new(name, move |n| share(cost, n, 1)))
        .collect();
    let series = measure(&mut cases, Effort::QUICK);
    for (one, cost) in series.iter().zip([1.0, 2.0, 3.0]) {
        assert_eq!(one.rounds.len(), Effort::QUICK.rounds);
        assert!((one.median() - cost).abs() < 1e-9);
    }
}

#[test]
fn of_cycles_only_the_quietest_rounds_count() {
    let mut run = 0;
    let mut cases = [Case::fixed("now and then", 1, move || {
        run += 1;
        if run % 10 == 0 { 50.0 } else { 5_000_000.0 }
    })];
    let series = measure(&mut cases, Effort::CYCLES);
    assert_eq!(series[0].rounds.len(), Effort::CYCLES.rounds / QUIETEST);
    assert!(series[0].median() < 5_000.0, "{:?}", series[0]);
    assert!(series[0].rounds[0] > 0.0);
}

#[test]
fn a_fixed_case_is_asked_for_its_own_size() {
    let mut cases = [Case::fixed("whole", 10, || 50.0)];
    let median = measure(&mut cases, Effort::QUICK)[0].median();
    assert!((median - 5.0).abs() < 1e-9);
}
