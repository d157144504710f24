//! JSON Patch by the examples of RFC 6902, and JSON Merge Patch by those of RFC 7396.
#![forbid(unsafe_code)]

#[path = "../../fuzz/src/patch.rs"]
pub mod model;

use acedia_json::PatchProblem;
use acedia_json::{self as json, json, show};

/// The document, the patch, and the result or the index of the operation that fails: the examples of RFC 6902, appendix A.
const PATCHES: &[(&str, &str, Result<&str, usize>)] = &[
    // A.1 to A.5
    (
        r#"{"foo":"bar"}"#,
        r#"[{"op":"add","path":"/baz","value":"qux"}]"#,
        Ok(r#"{"baz":"qux","foo":"bar"}"#),
    ),
    (
        r#"{"foo":["bar","baz"]}"#,
        r#"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
        Ok(r#"{"foo":["bar","qux","baz"]}"#),
    ),
    (
        r#"{"baz":"qux","foo":"bar"}"#,
        r#"[{"op":"remove","path":"/baz"}]"#,
        Ok(r#"{"foo":"bar"}"#),
    ),
    (
        r#"{"foo":["bar","qux","baz"]}"#,
        r#"[{"op":"remove","path":"/foo/1"}]"#,
        Ok(r#"{"foo":["bar","baz"]}"#),
    ),
    (
        r#"{"baz":"qux","foo":"bar"}"#,
        r#"[{"op":"replace","path":"/baz","value":"boo"}]"#,
        Ok(r#"{"baz":"boo","foo":"bar"}"#),
    ),
    // A.6 and A.7
    (
        r#"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
        r#"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
        Ok(r#"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#),
    ),
    (
        r#"{"foo":["all","grass","cows","eat"]}"#,
        r#"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
        Ok(r#"{"foo":["all","cows","eat","grass"]}"#),
    ),
    // A.8 and A.9
    (
        r#"{"baz":"qux","foo":["a",2,"c"]}"#,
        r#"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
        Ok(r#"{"baz":"qux","foo":["a",2,"c"]}"#),
    ),
    (
        r#"{"baz":"qux"}"#,
        r#"[{"op":"test","path":"/baz","value":"bar"}]"#,
        Err(0),
    ),
    // A.10 to A.12
    (
        r#"{"foo":"bar"}"#,
        r#"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
        Ok(r#"{"foo":"bar","child":{"grandchild":{}}}"#),
    ),
    (
        r#"{"foo":"bar"}"#,
        r#"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
        Ok(r#"{"foo":"bar","baz":"qux"}"#),
    ),
    (
        r#"{"foo":"bar"}"#,
        r#"[{"op":"add","path":"/baz/bat","value":"qux"}]"#,
        Err(0),
    ),
    // A.14 to A.16
    (
        r#"{"/":9,"~1":10}"#,
        r#"[{"op":"test","path":"/~01","value":10}]"#,
        Ok(r#"{"/":9,"~1":10}"#),
    ),
    (
        r#"{"/":9,"~1":10}"#,
        r#"[{"op":"test","path":"/~01","value":"10"}]"#,
        Err(0),
    ),
    (
        r#"{"foo":["bar"]}"#,
        r#"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
        Ok(r#"{"foo":["bar",["abc","def"]]}"#),
    ),
    // The whole document, and values that are null.
    (r#"{"a":1}"#, r#"[{"op":"add","path":"","value":[]}]"#, Ok("[]")),
    (r#"{"a":1}"#, r#"[{"op":"replace","path":"","value":7}]"#, Ok("7")),
    (
        r#"{"a":1}"#,
        r#"[{"op":"copy","from":"","path":"/b"}]"#,
        Ok(r#"{"a":1,"b":{"a":1}}"#),
    ),
    (
        r#"{"a":{"b":1}}"#,
        r#"[{"op":"move","from":"/a/b","path":"/a"}]"#,
        Ok(r#"{"a":1}"#),
    ),
    (
        r#"{"a":1}"#,
        r#"[{"op":"add","path":"/a","value":null}]"#,
        Ok(r#"{"a":null}"#),
    ),
    (
        r#"{"a":null}"#,
        r#"[{"op":"test","path":"/a","value":null}]"#,
        Ok(r#"{"a":null}"#),
    ),
    ("{}", r#"[{"op":"test","path":"/a","value":null}]"#, Err(0)),
    (r#"{"a":null}"#, r#"[{"op":"remove","path":"/a"}]"#, Ok("{}")),
    // Numbers are compared by value.
    (
        r#"{"a":[1.0]}"#,
        r#"[{"op":"test","path":"/a","value":[1]}]"#,
        Ok(r#"{"a":[1.0]}"#),
    ),
    (r#"{"a":1.5}"#, r#"[{"op":"test","path":"/a","value":1}]"#, Err(0)),
    (
        "18446744073709551615",
        r#"[{"op":"test","path":"","value":18446744073709551615}]"#,
        Ok("18446744073709551615"),
    ),
    // Pointers that RFC 6901 does not have, and places that are not there.
    ("[1]", r#"[{"op":"test","path":"/00","value":1}]"#, Err(0)),
    ("[1]", r#"[{"op":"test","path":"0","value":1}]"#, Err(0)),
    ("[1]", r#"[{"op":"test","path":"/~","value":1}]"#, Err(0)),
    ("[1]", r#"[{"op":"test","path":"/-","value":1}]"#, Err(0)),
    ("[1]", r#"[{"op":"add","path":"/2","value":1}]"#, Err(0)),
    ("[1]", r#"[{"op":"replace","path":"/1","value":1}]"#, Err(0)),
    ("[1]", r#"[{"op":"remove","path":"/1"}]"#, Err(0)),
    ("[1]", r#"[{"op":"add","path":"/1e0","value":1}]"#, Err(0)),
    // Patches that are none.
    ("[1]", r#"[{"op":"add","path":"/0"}]"#, Err(0)),
    ("[1]", r#"[{"path":"/0","value":1}]"#, Err(0)),
    ("[1]", r#"[{"op":"spam","path":"/0"}]"#, Err(0)),
    ("[1]", r#"[{"op":"copy","path":"/0"}]"#, Err(0)),
    ("[1]", r#"[{"op":"remove","path":"/0"},7]"#, Err(1)),
    ("[1]", r#"{"op":"remove","path":"/0"}"#, Err(0)),
    ("[1]", "[]", Ok("[1]")),
    (
        r#"{"a":{"b":1}}"#,
        r#"[{"op":"move","from":"/a","path":"/a/b"}]"#,
        Err(0),
    ),
];

#[test]
fn patches_do_what_the_standard_says() {
    for (document, patch, expected) in PATCHES {
        let [before, patch] = [document, patch].map(|text| json::parse(text).expect("JSON"));
        let patched = json::patch(&before, &patch);
        match expected {
            Ok(expected) => {
                let patched = patched.unwrap_or_else(|error| panic!("{document} {patch:?}: {error}"));
                let expected = json::parse(expected).expect("JSON");
                assert!(patched.same_content(&expected), "{document} {patch:?}: {patched:?}");
            }
            Err(operation) => {
                let error = patched.expect_err(document);
                assert_eq!(error.operation(), *operation, "{document} {patch:?}: {error}");
            }
        }
        assert_eq!(show(&before).to_string(), *document, "the document stays as it was");
    }
}

#[test]
fn a_patch_that_fails_has_its_reason() {
    let problem = |document: &str, patch: &str| {
        let [document, patch] = [document, patch].map(|text| json::parse(text).expect("JSON"));
        json::patch(&document, &patch).expect_err("fails").problem().clone()
    };
    let differs = problem("[1]", r#"[{"op":"test","path":"/0","value":2}]"#);
    assert!(matches!(differs, PatchProblem::Differs(pointer) if pointer.to_string() == "/0"));
    let inside = problem("[[1]]", r#"[{"op":"move","from":"/0","path":"/0/0"}]"#);
    assert!(matches!(inside, PatchProblem::Inside(_)));
    assert!(matches!(
        problem("1", "1"),
        PatchProblem::Malformed("a patch is a list")
    ));
}

/// The document, the patch and the result: the examples of RFC 7396, appendix A.
const MERGES: &[[&str; 3]] = &[
    [r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#],
    [r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#],
    [r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"],
    [r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#],
    [r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#],
    [r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#],
    [
        r#"{"a":{"b":"c"}}"#,
        r#"{"a":{"b":"d","c":null}}"#,
        r#"{"a":{"b":"d"}}"#,
    ],
    [r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#],
    [r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#],
    [r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#],
    [r#"{"a":"foo"}"#, "null", "null"],
    [r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#],
    [r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#],
    ["[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#],
    ["{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#],
];

#[test]
fn merging_does_what_the_standard_says() {
    for [document, patch, expected] in MERGES {
        let [before, patch] = [document, patch].map(|text| json::parse(text).expect("JSON"));
        assert_eq!(
            show(&json::merge_patch(&before, &patch)).to_string(),
            *expected,
            "{document} {patch:?}"
        );
        assert_eq!(show(&before).to_string(), *document, "the document stays as it was");
    }
}

#[test]
fn depth_takes_no_stack() {
    const DEEP: usize = 50_000;
    let text = "{\"a\":".repeat(DEEP) + "1" + &"}".repeat(DEEP);
    let document = json::parse(&text).expect("JSON");
    let merged = json::merge_patch(&document, &document);
    assert!(merged.same_content(&document));
    let patch = json!([{"op": "test", "path": "", "value": &document}]);
    assert!(json::patch(&document, &patch).is_ok());
}

/// Random documents: the patch between two of them makes the one of the other.
#[test]
fn a_difference_is_a_patch() {
    let mut random = 1_u64;
    let mut below = |end: usize| {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        usize::try_from(random >> 33).expect("31 bits") % end
    };
    let mut document = String::new();
    let mut documents = Vec::new();
    for _ in 0..200 {
        document.clear();
        write_value(&mut below, 4, &mut document);
        documents.push(json::parse(&document).expect("JSON"));
    }
    let mut lengths = 0;
    for pair in documents.windows(2) {
        let [before, after] = pair else { unreachable!("pairs") };
        assert!(model::run(format!("{}\n{}", show(before), show(after)).as_bytes()));
        let patch = json::diff(before, after);
        let patched =
            json::patch(before, &patch).unwrap_or_else(|error| panic!("{before:?} {after:?} {patch:?}: {error}"));
        assert!(patched.same_content(after), "{before:?} {after:?} {patch:?}");
        assert_eq!(show(&json::diff(after, after)).to_string(), "[]");
        lengths += patch.to_list().expect("a list").len();
    }
    assert!(lengths > 200, "{lengths}");
}

fn write_value(below: &mut impl FnMut(usize) -> usize, depth: usize, out: &mut String) {
    match below(if depth == 0 { 2 } else { 4 }) {
        0 => out.push_str(["null", "true", "0", "1.5", "18446744073709551615"][below(5)]),
        1 => out.push_str([r#""""#, r#""a/b~c""#, r#""x""#][below(3)]),
        2 => {
            out.push('[');
            for index in 0..below(5) {
                out.push_str(if index > 0 { "," } else { "" });
                write_value(below, depth - 1, out);
            }
            out.push(']');
        }
        _ => {
            out.push('{');
            let keys: Vec<_> = ["a", "b/c", "~", ""].into_iter().filter(|_| below(2) == 0).collect();
            for (index, key) in keys.into_iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                out.extend(["\"", key, "\":"]);
                write_value(below, depth - 1, out);
            }
            out.push('}');
        }
    }
}
