use super::*;

#[test]
fn short_and_printable() {
    assert_eq!(Excerpt("").to_string(), "");
    assert_eq!(Excerpt(r#"{'a' "b" \"#).to_string(), r#"{'a' "b" \"#);
    assert_eq!(Excerpt("\u{1b}[1m\u{202e}").to_string(), "\\u{1b}[1m\\u{202e}");
    assert_eq!(Excerpt(&"é".repeat(40)).to_string(), "é".repeat(40));
    assert_eq!(Excerpt(&"é".repeat(41)).to_string(), "é".repeat(40) + "…");
}
