use super::*;

/// The index has the places that a walk through the text finds.
fn check(index: &Index, text: &str) {
    assert_eq!(index.len(), text.chars().count());
    for (position, (byte, _)) in text.char_indices().enumerate() {
        assert_eq!(
            (index.byte(text, position), index.position(text, byte)),
            (byte, position)
        );
    }
    for beyond in [index.len(), usize::MAX] {
        assert_eq!(index.byte(text, beyond), text.len());
    }
    assert_eq!(index.position(text, text.len()), index.len());
}

#[test]
fn every_length_and_script() {
    for c in ["a", "é", "日", "😀", "aé日😀"] {
        for count in 0..=2 * BLOCK + 2 {
            let text = c.repeat(count);
            check(&Index::new(&text), &text);
        }
    }
}
