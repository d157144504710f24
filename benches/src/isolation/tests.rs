use super::{Answer, AtMost, Exactly, Figure, Limit, QUESTIONS, TimesFirst, table_of};

const PAGE: &str = include_str!("../../isolation.md");

#[test]
fn each_case_has_a_limit_and_each_question_is_on_the_page() {
    for question in &QUESTIONS {
        let name = question.task.name;
        let cases = (question.task.cases)().len();
        if cfg!(target_os = "linux") {
            assert_eq!(cases, question.limits.len(), "{name}");
        }
        let mut marks = PAGE
            .lines()
            .filter(|line| line.starts_with("<!-- measured: isolation "));
        assert!(marks.any(|mark| mark.split(' ').any(|word| word == name)), "{name}");
    }
}

#[test]
fn a_missed_limit_is_marked() {
    let answer = |unit: &str, cases: &[(f64, Limit)]| Answer {
        name: "one".to_owned(),
        title: "Title".to_owned(),
        unit: unit.to_owned(),
        cases: cases
            .iter()
            .map(|&(median, limit)| Figure {
                name: "case".to_owned(),
                median,
                limit,
            })
            .collect(),
    };
    let rows = |answer: Answer| {
        table_of(&["one"], &[answer])
            .expect("it is there")
            .lines()
            .skip(2)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(
        rows(answer(
            "ns",
            &[(2.0, Limit::None), (4.0, TimesFirst(2.0)), (4.1, TimesFirst(2.0))]
        )),
        "| Title | case | 2.00 ns |  |\n|  | case | 4.00 ns | ≤ 2 × 2.00 ns |\n|  | case | 4.10 ns, missed | ≤ 2 × 2.00 ns |"
    );
    assert_eq!(
        rows(answer("%", &[(4.0, AtMost(5.0)), (99.9, Exactly(100.0))])),
        "| Title | case | 4.00 % | ≤ 5 % |\n|  | case | 99.9 %, missed | 100 % |"
    );
    assert_eq!(table_of(&["two"], &[]).unwrap_err(), "isolation has no question `two`");
}
