//! Runs a loom model, and checks that it saw the expected outcomes. For the models of this workspace.

use std::cell::RefCell;
use std::collections::BTreeMap;

std::thread_local! {
    // loom runs all threads of a model on the thread that called it, and each test has a thread of its own.
    static SEEN: RefCell<BTreeMap<&'static str, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// Notes an outcome of this execution.
pub fn saw(what: &'static str) {
    SEEN.with_borrow_mut(|seen| *seen.entry(what).or_default() += 1);
}

/// Explores `body`, and checks that each of `outcomes` was seen.
pub fn model(outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    explore(loom::model::Builder::new(), outcomes, body);
}

/// Like [`model`], but with at most `preemptions` preemptions: for models of very many steps.
pub fn model_within(preemptions: usize, outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(
        builder
            .preemption_bound
            .map_or(preemptions, |bound| bound.min(preemptions)),
    );
    explore(builder, outcomes, body);
}

fn explore(builder: loom::model::Builder, outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    SEEN.with_borrow_mut(BTreeMap::clear);
    let start = std::time::Instant::now();
    builder.check(move || {
        body();
        saw("executions");
    });
    let seen = SEEN.take();
    println!("{:?} in {:.1} s", seen, start.elapsed().as_secs_f32());
    for outcome in outcomes {
        assert!(seen.contains_key(outcome), "no execution saw: {outcome}");
    }
}
