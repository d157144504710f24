use super::Token;

#[test]
fn only_the_whole_token_is_the_token() {
    let (token, other) = (Token::random().unwrap(), Token::random().unwrap());
    let text = token.to_string();
    assert_eq!(text.len(), 32);
    assert!(token.is_in(&format!("token={text}")) && token.is_in(&format!("a=b&token={text}")));
    for wrong in [
        String::new(),
        text.clone(),
        "token=".to_owned(),
        format!("token={}", &text[1..]),
        format!("token={text}0"),
        format!("token={}", &text[..31]),
        format!("token={other}"),
        format!("Token={text}"),
        format!("token={}", text.replace(|c: char| c.is_ascii_hexdigit(), "é")),
    ] {
        assert!(!token.is_in(&wrong), "{wrong}");
    }
}
