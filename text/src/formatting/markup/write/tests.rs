use crate::{BaseText, Character};

fn read(markup: &str) -> Vec<Character> {
    BaseText::from_markup(markup).characters().collect()
}

fn written(characters: &[Character]) -> String {
    characters.iter().copied().collect::<BaseText>().to_markup(..)
}

#[test]
fn blocks_without_nesting() {
    let markup = "a{rgb(255,0,0)  &{}{rgba(255,0,0,9) &^ж}&&";
    let plain = "a {^ж&";
    assert_eq!(BaseText::from_markup(markup), plain);
    assert_eq!(written(&read(markup)), markup);
    assert_eq!(BaseText::from(plain).to_markup(..), "a &{&^ж&&");
    assert_eq!(
        BaseText::from_markup(markup).to_markup(2..4),
        "{rgb(255,0,0) &{}{rgba(255,0,0,9) &^}"
    );
    assert_eq!(written(&[]), "");
    let long = "{".repeat(100);
    assert_eq!(BaseText::from(&*long).to_markup(..), "&{".repeat(100));
}
