//! Documents that change documents: JSON Patch, JSON Merge Patch, and differences.

use acedia_collections::Item;
use acedia_json as json;
use acedia_json::PatchProblem;

/// Two documents, one a line. Takes the second as a patch of each kind, and makes the patch between both. Whether both were JSON.
///
/// # Panics
///
/// If a patch changes its document, or a difference does not make the one document of the other.
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
    // Both were read with the same limit of depth.
    let merge = |document| json::merge_patch(document, &patch).expect("as deep as the parser allows");
    let merged = merge(&document);
    assert!(merge(&merged).same_content(&merged), "merging again changes nothing");
    assert!(document.same_content(&copy), "the document stays as it was");
    makes(&document, &patch);
    makes(&document, &merged);
    let same = json::diff(&merged, &merged).expect("nothing differs");
    assert_eq!(json::show(&same).to_string(), "[]");
    true
}

fn makes(before: &Item, after: &Item) {
    let difference = match json::diff(before, after) {
        Ok(difference) => difference,
        Err(problem) => {
            assert!(matches!(problem, PatchProblem::TooLong(_)), "{problem}");
            return;
        }
    };
    let made = json::patch(before, &difference).expect("a patch");
    assert!(made.same_content(after), "{before:?} {difference:?} {after:?}");
}
