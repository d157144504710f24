//! Random documents, valid and damaged, against `serde_json`: the fuzz model.
use crate::{Random, json_model};

/// Each row of the cases, and random documents.
#[test]
fn documents_are_read_as_the_model_reads_them() {
    for (is_json, document) in crate::cases::documents() {
        assert_eq!(json_model::run(&document), is_json, "{}", document.escape_ascii());
    }
    let mut random = Random(1);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..2000 {
        let mut document = String::new();
        random.value(4, &mut document);
        assert!(json_model::run(document.as_bytes()), "{document}");
        // And with one byte changed, which may or may not be JSON.
        let mut changed = document.into_bytes();
        let at = random.below(changed.len());
        changed[at] = b"\"\\{}[],:0-.ea \xff"[random.below(15)];
        if json_model::run(&changed) {
            accepted += 1;
        } else {
            refused += 1;
        }
    }
    assert!(accepted > 200 && refused > 200, "{accepted} and {refused}");
}
