use acedia_text::Text;

use super::*;

fn printed(print: impl FnOnce(&mut Sheet)) -> String {
    let mut sheet = Sheet::new();
    print(&mut sheet);
    sheet.finish()
}

#[test]
fn every_length_with_every_byte_at_every_place() {
    for len in 1..70 {
        for at in 0..len {
            for c in ['"', '\\', '\n', '\u{1}', '\u{1f}', ' ', '\u{7f}', 'ĝ'] {
                let mut chars = vec!['a'; len];
                chars[at] = c;
                let whole: String = chars.into_iter().collect();
                let expected = serde_json::to_string(&whole).expect("a string");
                assert_eq!(printed(|sheet| string(&whole, sheet)), expected);
                let mut room = [0; BRIEF];
                let len = brief(&Text::from(&whole), &mut room);
                let is_brief = whole.len() <= SHORT && expected.len() == whole.len() + 2;
                assert!(len.is_some() == is_brief || !whole.is_ascii());
                assert!(len.is_none_or(|len| room[..len] == *expected.as_bytes()));
                let mut added = Vec::new();
                add_string(&whole, &mut added);
                assert_eq!(added, expected.as_bytes());
            }
        }
    }
    assert_eq!(printed(|sheet| string("", sheet)), "\"\"");
}

#[test]
fn long_strings_end_at_every_place_of_a_sheet() {
    let (mut sheet, mut expected) = (Sheet::new(), String::new());
    for nth in 0..2000 {
        let mut bytes: Vec<u8> = (b'a'..=b'z').cycle().take(SHORT + nth % 71).collect();
        if let Some(byte) = bytes.get_mut(nth % 97) {
            *byte = b'\n';
        }
        let whole = String::from_utf8(bytes).expect("ASCII");
        string(&whole, &mut sheet);
        expected += &serde_json::to_string(&whole).expect("a string");
    }
    assert_eq!(sheet.finish(), expected);
}
