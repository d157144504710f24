use super::*;

fn parse(arguments: &[&str]) -> Result<Request, String> {
    Request::parse(arguments.iter().map(ToString::to_string))
}

#[test]
fn words_are_workloads_and_dashes_are_options() {
    let Ok(Request::Measure(options)) = parse(&["pair", "--quick", "hot"]) else {
        panic!("a request to measure");
    };
    assert_eq!(options.workloads, ["pair", "hot"]);
    assert_eq!(options.effort, Effort::QUICK);
    assert!(!options.json && !options.guards && options.processes == 1);
    assert_eq!(parse(&["--json", "--help"]), Ok(Request::Help));
}

#[test]
fn an_unknown_option_is_named() {
    assert!(parse(&["--fast"]).unwrap_err().contains("--fast"));
    assert!(parse(&["--processes", "0"]).unwrap_err().contains("a number"));
    assert!(parse(&["pair", "--save"]).unwrap_err().contains("a file"));
}
