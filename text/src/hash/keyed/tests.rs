use super::*;
use crate::hash::djb2;

#[test]
fn the_keyed_hash_tells_equal_djb2_apart() {
    // "bA" and "ab" have the same DJB2, and so have all sequences of ten.
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
