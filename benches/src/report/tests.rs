use super::*;

fn outcome() -> Outcome {
    let medians = |pairs: [(&str, f64); 2]| pairs.map(|(name, median)| (name.to_owned(), median)).into();
    let goal = |payload: &str, ratio: f64| Verdict {
        payload: payload.to_owned(),
        ours: "acedia".to_owned(),
        peer: Some("Vec<u8>".to_owned()),
        ratio,
        at_most: 0.5,
        met: ratio <= 0.5,
    };
    Outcome {
        name: "pair".to_owned(),
        title: "Make and drop".to_owned(),
        unit: "ns".to_owned(),
        contenders: vec!["acedia".to_owned(), "Vec<u8>".to_owned(), "only".to_owned()],
        columns: vec![
            Column {
                payload: "16 B".to_owned(),
                medians: medians([("acedia", 4.0), ("Vec<u8>", 12.34)]),
            },
            Column {
                payload: "64 B".to_owned(),
                medians: medians([("only", 123.4), ("acedia", 9.994)]),
            },
        ],
        goals: vec![goal("16 B", 0.324), goal("64 B", 0.504)],
    }
}

#[test]
fn what_was_not_measured_is_a_dash() {
    let wanted = "\
|  | 16 B | 64 B |
| --- | --: | --: |
| acedia | 4.00 | 9.99 |
| Vec\\<u8> | 12.3 | – |
| only | – | 123 |
";
    assert_eq!(outcome().table(), wanted);
}

#[test]
fn goals_stand_beside_those_of_another_run() {
    let mut again = outcome();
    again.goals.pop();
    again.goals[0].ratio = 0.6;
    again.goals[0].met = false;
    let wanted = "\
| workload | ours / theirs | payload | at most | ratio | again |
| --- | --- | --- | --: | --: | --: |
| pair | acedia / Vec\\<u8> | 16 B | 0.50 | 0.32 | **0.60** |
| pair | acedia / Vec\\<u8> | 64 B | 0.50 | **0.50** |  |
";
    let again = Measured { workloads: vec![again] };
    assert_eq!(goals(&[outcome()], &[("again".to_owned(), again)]), wanted);
}

#[test]
fn of_several_runs_the_medians_count() {
    let runs = [(0.7, 5.0), (0.3, 4.0), (0.45, 9.0)].map(|(ratio, cost)| {
        let mut one = outcome();
        one.goals[0].ratio = ratio;
        one.goals[0].met = ratio <= 0.5;
        one.columns[0].medians.insert("acedia".to_owned(), cost);
        Measured { workloads: vec![one] }
    });
    let mut wanted = outcome();
    wanted.goals[0].ratio = 0.45;
    wanted.goals[1].met = false;
    wanted.columns[0].medians.insert("acedia".to_owned(), 5.0);
    assert_eq!(Measured::of_many(&runs), [wanted]);
    assert_eq!(Measured::of_many(&[]), []);
}

#[test]
fn what_is_saved_is_read_back() {
    let measured = Measured {
        workloads: vec![outcome()],
    };
    let saved = serde_json::to_string(&measured).expect("saved");
    assert_eq!(serde_json::from_str::<Measured>(&saved).expect("read"), measured);
    assert!(measured.workload("pair").is_ok());
    assert!(measured.workload("churn").unwrap_err().contains("churn"));
}
