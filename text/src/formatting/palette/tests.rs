use super::*;

#[test]
fn every_name_is_found_in_any_case() {
    assert_eq!(NAMED.len(), 148);
    for (name, [red, green, blue]) in NAMED {
        assert_eq!(named(name), Some(Color::rgb(*red, *green, *blue)));
        assert_eq!(named(&name.to_uppercase()), named(name));
    }
    for none in ["", "r", "rebecca", "reds", "zz", "ｒｅｄ"] {
        assert_eq!(named(none), None);
    }
}

#[test]
fn the_names_that_matter() {
    for (name, color) in [
        ("red", Color::rgb(255, 0, 0)),
        ("green", Color::rgb(0, 128, 0)),
        ("lime", Color::rgb(0, 255, 0)),
        ("LimeGreen", Color::rgb(50, 205, 50)),
        ("blue", Color::rgb(0, 0, 255)),
        ("white", Color::rgb(255, 255, 255)),
        ("pink", Color::rgb(255, 192, 203)),
    ] {
        assert_eq!(named(name), Some(color), "{name}");
    }
}

#[test]
fn short_tags_are_digits_and_small_letters() {
    let tags: String = ('\0'..='\u{ff}').filter(|tag| short(*tag).is_some()).collect();
    assert_eq!(tags, "0123456789bcgoprwy");
    assert_eq!(short('r'), short('1'));
    assert_eq!(short('8'), Some(Color::rgb(255, 127, 0)));
    assert_eq!(short('o'), Some(Color::rgb(255, 165, 0)));
}
