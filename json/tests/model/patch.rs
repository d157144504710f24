//! Documents that change documents: JSON Patch and JSON Merge Patch.

use acedia_json as json;

/// Two documents, one per line. Applies the second as a patch of each kind. Whether both were JSON.
///
/// # Panics
///
/// If a patch of a copy changes its document, or merging again changes the result.
#[must_use]
pub fn run(input: &[u8]) -> bool {
    let mut parts = input.splitn(2, |byte| *byte == b'\n');
    let mut next = || json::parse(parts.next().unwrap_or_default()).ok();
    let (Some(document), Some(patch)) = (next(), next()) else {
        return false;
    };
    let copy = document.deep_clone();
    if let Err(error) = json::patch(&document, &patch) {
        assert!(!error.to_string().is_empty());
    }
    // Both were read with the same depth limit.
    let merge = |document| json::merge_patch(document, &patch).expect("as deep as the parser allows");
    let merged = merge(&document);
    assert!(merge(&merged).same_content(&merged), "merging again changes nothing");
    assert!(document.same_content(&copy), "the document stays as it was");
    true
}
