use proptest::prelude::*;

use super::*;
use crate::BaseText;
use crate::hash::djb2;

proptest! {
    #[test]
    fn the_keyed_hash_is_a_function_of_the_content(text in any::<String>()) {
        let mut wide = BaseText::from(&*text);
        prop_assert_eq!(wide.key_hash(), keyed(&text));
        wide.push('\u{1f600}');
        let len = wide.len();
        wide.remove(len - 1..);
        prop_assert_eq!(wide.key_hash(), keyed(&text));
    }
}

#[test]
fn the_keyed_hash_tells_equal_djb2_apart() {
    // "bA" and "ab" have the same DJB2, and so has every sequence of them.
    let texts: Vec<String> = (0..1024u32)
        .map(|bits| {
            (0..10)
                .map(|bit| if bits >> bit & 1 == 0 { "bA" } else { "ab" })
                .collect()
        })
        .collect();
    assert!(texts.iter().all(|text| djb2(text) == djb2(&texts[0])));
    let keyed: std::collections::HashSet<_> = texts.iter().map(|text| keyed(text)).collect();
    assert_eq!(keyed.len(), 1024);
}
