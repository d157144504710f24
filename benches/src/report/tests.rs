use super::*;
use crate::workload::{self, SHOWN};

fn outcome() -> Outcome {
    let medians = |pairs: [(&str, f64); 2]| pairs.map(|(name, median)| (name.to_owned(), median)).into();
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

/// Nothing to run.
const fn column(label: &'static str) -> workload::Column {
    workload::Column { label, cases: Vec::new }
}

static PAIR: Workload = Workload {
    name: "pair",
    title: "Make and drop",
    unit: "ns",
    columns: &[column("16 B"), column("64 B")],
    goals: &[
        Goal {
            ours: "acedia",
            against: Against::Best {
                of: "vector",
                among: &["absent", "only", "Vec<u8>"],
            },
            at_most: &[Some(0.5), SHOWN],
        },
        Goal {
            ours: "acedia",
            against: Against::Value(8.0),
            at_most: &[Some(1.0)],
        },
    ],
    rounds: 1,
};

#[test]
fn runs_stand_side_by_side_and_what_was_not_measured_is_left_out() {
    let mut again = outcome();
    again.columns[0].medians.insert("acedia".to_owned(), 6.17);
    again.columns[1].medians.remove("acedia");
    let runs = [("here", outcome()), ("there", again)]
        .map(|(heading, one)| (heading.to_owned(), Measured { workloads: vec![one] }));
    let wanted = "\
| workload | ours / theirs | payload | at most | here | there |
| --- | --- | --- | --: | --: | --: |
| pair | acedia / best vector | 16 B | 0.50 | 0.32 Vec\\<u8> | 0.50 Vec\\<u8> |
| pair | acedia / 8 ns | 16 B | 1.00 | 0.50 | 0.77 |
";
    assert_eq!(ratios([&PAIR], &runs, Ratios::Limited), wanted);
    let wanted = "\
| workload | ours / theirs | payload | here | there |
| --- | --- | --- | --: | --: |
| pair | acedia / best vector | 64 B | 0.08 only |  |
";
    assert_eq!(ratios([&PAIR], &runs, Ratios::Unlimited), wanted);
    assert_eq!(ratios([], &runs, Ratios::Unlimited), "");
}

#[test]
fn of_several_runs_the_medians_count() {
    let runs = [5.0, 4.0, 9.0].map(|cost| {
        let mut one = outcome();
        one.columns[0].medians.insert("acedia".to_owned(), cost);
        Measured { workloads: vec![one] }
    });
    let mut wanted = outcome();
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
