//! The macro `json!` in a module in which nothing is in scope: neither a trait, nor a macro, nor a type of the prelude.
mod bare {
    #![no_implicit_prelude]
    #![forbid(unused_mut, unused_variables)]

    pub(super) fn document() -> [::acedia_collections::Item; 5] {
        let key = "c";
        [
            ::acedia_json::json!({"a": [1, null, [], {}, -1.5], "b": {"x": null, "y": true}, (key): key}),
            ::acedia_json::json!([]),
            ::acedia_json::json!({}),
            ::acedia_json::json!(null),
            ::acedia_json::json!(7),
        ]
    }
}

#[test]
fn no_macro_needs_the_prelude() {
    let printed = bare::document().map(|item| acedia_json::show(&item).to_string());
    let document = r#"{"a":[1,null,[],{},-1.5],"b":{"x":null,"y":true},"c":"c"}"#;
    assert_eq!(printed, [document, "[]", "{}", "null", "7"]);
}
