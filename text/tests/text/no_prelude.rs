//! Each macro in a module in which nothing is in scope: neither a trait, nor a macro, nor a type of the prelude.

mod bare {
    #![no_implicit_prelude]

    pub(super) fn texts() -> [&'static ::acedia_text::CachedText; 3] {
        [
            ::acedia_text::text!("a"),
            ::acedia_text::colored!("\u{1b}\u{ff}\u{1}\u{1}b"),
            ::acedia_text::formatted!("{$red c}"),
        ]
    }
}

/// A constant with the name of the static in the macro.
const CACHED: &str = "cached";

#[test]
fn no_macro_needs_the_prelude() {
    let texts = bare::texts().map(|text| text.as_str().to_owned());
    assert_eq!(texts, ["a", "b", "c"]);
    assert_eq!(*acedia_text::text!(CACHED), "cached");
}
