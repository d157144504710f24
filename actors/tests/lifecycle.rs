//! Runs `examples/lifecycle.rs`: a life with a timer and a function, in each generation.
#![cfg(not(miri))]

#[path = "../../tests/support/example.rs"]
mod example;

/// The lines of the example, without indents and with one space between words.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = example::run("lifecycle", arguments, "");
    assert!(output.status.success(), "{}", example::stderr(&output));
    let lines = example::stdout(&output).lines();
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn each_generation_has_a_timer_and_a_function() {
    for generation in ["ue1", "ue2", "ue3"] {
        let lines = lines(&[generation]);
        assert_eq!(lines[0], generation);
        let place = |wanted: &str| {
            let place = lines.iter().position(|line| line == wanted);
            place.unwrap_or_else(|| panic!("no {wanted} by {generation}: {lines:#?}"))
        };
        let order = [
            "Q11 Barrel.SetInitialState()",
            "1.12 Barrel.Timer()",
            "1.9 Barrel.TakeDamage()",
            "K3 Barrel.Destroyed()",
            "K9 - Barrel",
        ]
        .map(place);
        assert!(order.is_sorted(), "{order:?}");
        // The frame lasts two periods of a function's timer, which only the third generation has.
        let hisses = lines.iter().filter(|line| *line == "1.9 Barrel.Hiss()").count();
        assert_eq!(hisses, if generation == "ue3" { 2 } else { 0 });
    }
}

#[test]
fn without_an_argument_all_generations_are_told() {
    let all = lines(&[]);
    for generation in ["ue1", "ue2", "ue3"] {
        assert!(all.iter().any(|line| line == generation), "{all:#?}");
    }
}
