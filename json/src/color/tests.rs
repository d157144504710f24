use super::*;

#[test]
fn every_token_has_its_colour() {
    let json = "{\n  \"a\\\"\": [-1.5e3, true, null, \"b:\\\\\", {}],\n  \"ä\": \"\"\n}";
    let text = colored(json);
    assert_eq!(*text, *json);
    let parts = |color: Color| -> String {
        let of = text.characters().filter(|c| c.format.color() == Some(color));
        of.map(|c| c.code).collect()
    };
    assert_eq!(parts(KEY), "\"a\\\"\"\"ä\"");
    assert_eq!(parts(STRING), "\"b:\\\\\"\"\"");
    assert_eq!(parts(NUMBER), "-1.5e3");
    assert_eq!(parts(WORD), "truenull");
}
