use crate::BaseText;

fn message(expected: &str) -> String {
    BaseText::new().parser().eat(expected).unwrap_err().to_string()
}

#[test]
fn a_long_text_is_cut() {
    assert_eq!(message("to"), "character 0: expected `to`, found the end");
    assert_eq!(message("\t'"), "character 0: expected `\\t'`, found the end");
    let fits = "ж".repeat(11);
    assert_eq!(message(&fits), format!("character 0: expected `{fits}`, found the end"));
    assert_eq!(
        message(&(fits.clone() + "x")),
        format!("character 0: expected `{fits}…`, found the end")
    );
    let text = BaseText::from("x".repeat(1000));
    let error = BaseText::from("y").parser().eat(&text).unwrap_err();
    assert_eq!((error.expected(), error.found()), (&*"x".repeat(22), Some('y')));
}
