use super::*;

#[test]
fn every_name_is_found_in_any_case() {
    assert_eq!(NAMED.len(), 148);
    for (name, color) in NAMED {
        assert_eq!(named(name), Some(*color));
        assert_eq!(named(&name.to_uppercase()), named(name));
    }
    for none in ["", "r", "rebecca", "reds", "zz", "ｒｅｄ"] {
        assert_eq!(named(none), None);
    }
}

#[test]
fn the_names_that_matter() {
    for (name, color) in [
        ("red", [255, 0, 0]),
        ("green", [0, 128, 0]),
        ("lime", [0, 255, 0]),
        ("LimeGreen", [50, 205, 50]),
        ("blue", [0, 0, 255]),
        ("white", [255, 255, 255]),
        ("pink", [255, 192, 203]),
    ] {
        assert_eq!(named(name), Some(color), "{name}");
    }
}

#[test]
fn short_tags_are_digits_and_small_letters() {
    let tags: String = ('\0'..='\u{ff}').filter(|tag| short(*tag).is_some()).collect();
    assert_eq!(tags, "0123456789bcgoprwy");
    assert_eq!(short('r'), short('1'));
    assert_eq!(short('8'), Some([255, 127, 0]));
    assert_eq!(short('o'), Some([255, 165, 0]));
}
