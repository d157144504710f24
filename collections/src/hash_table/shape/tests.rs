use super::*;

#[test]
fn every_key_is_found_and_no_other() {
    for count in [0, 1, 2, MOST_KEYS] {
        for prefix in ["", "too long for an exact hash "] {
            let name = |index: usize| format!("{prefix}{index}");
            let names = (0..count).map(name);
            let json = |name: &str| format!(",\"{name}\":");
            let keys: Vec<_> = names.map(|name| (Text::from(&name), json(&name))).collect();
            let shape = Shape::new(
                keys.iter()
                    .map(|(text, json)| (text.clone(), text.key_hash(), json.as_bytes())),
            );
            for (key, (_, json)) in shape.keys().iter().zip(&keys) {
                let written = [&key.json[..], &key.json_rest].concat();
                assert_eq!(written[..key.json_len], *json.as_bytes());
            }
            for index in 0..4 * MOST_KEYS {
                let name = name(index);
                let found = shape.position(acedia_text::key_hash(&name), &name);
                assert_eq!(found, (index < count).then_some(index), "{name}");
            }
        }
    }
}
