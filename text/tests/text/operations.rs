//! Operations that the models of `against_models.rs` lack.

use acedia_text::{BaseText, Color, MutableText};

#[test]
fn mutable_texts_out_of_many_parts() {
    let shared = MutableText::new("a");
    // The iterator may use the text that it extends, which is unlocked meanwhile.
    (&*shared).extend((0..3).map(|_| shared.read().char_at(0).unwrap_or('?')));
    assert_eq!(*shared.read(), "aaaa");
    assert_eq!("ж".parse::<MutableText>().unwrap().to_string(), "ж");
    assert_eq!(MutableText::from_display(-7).to_string(), "-7");
}

/// Plain characters of markup get the default format, and so do characters before the first code.
#[test]
fn markup_and_codes_are_added_in_a_default_format() {
    let (red, blue) = (Color::rgb(255, 0, 0), Color::rgb(0, 0, 255));
    let color = |text: &BaseText, at| text.format_at(at).color();
    let mut text = BaseText::from("a");
    text.append_markup("b{#0000ff c}d", red.into());
    assert_eq!(text, "abcd");
    assert_eq!(
        [0, 1, 2, 3].map(|at| color(&text, at)),
        [None, Some(red), Some(blue), Some(red)]
    );
    // In codes, no channel of a color is zero.
    let blue = Color::rgb(1, 1, 255);
    let mut text = BaseText::from("a");
    let coded = BaseText::from_markup("{#0000ff c}").to_colored(.., red);
    text.append_colored(&format!("b{coded}"), red.into());
    assert_eq!(text, "abc");
    assert_eq!([0, 1, 2].map(|at| color(&text, at)), [None, Some(red), Some(blue)]);
}

#[test]
fn names_are_short_and_simple() {
    for name in ["a", "Z9._", "Player.Start_1", &"n".repeat(50)] {
        assert!(BaseText::from(name).is_valid_name(), "{name}");
    }
    for name in ["", "a b", "a-b", "\u{e4}", "a\n", "[a]", &"n".repeat(51)] {
        assert!(!BaseText::from(name).is_valid_name(), "{name}");
    }
}
