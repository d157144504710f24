//! Editing a document that was parsed.

use acedia_collections::{ArrayList, HashTable, Item};
use acedia_json as json;
use serde_json::{Map, Value};

use super::peers::SERDE;
use crate::{case::Case, workload::ACEDIA};

/// The edits of each section of [`settings`](super::kinds::settings).
const EDITS: usize = 5;

/// In each section, an entry of an inner object is replaced, one is added and removed, and a list gets one more item and loses it.
pub(super) fn sections(document: &str) -> Vec<Case> {
    let ours = json::parse(document).expect("JSON").to_table().expect("a table");
    let mut serde: Map<String, Value> = serde_json::from_str(document).expect("JSON");
    let names: Vec<String> = serde.keys().cloned().collect();
    let same = names.clone();
    let edits = EDITS * names.len();
    let mut memory = 0_u32;
    let ours = Case::batches(ACEDIA, edits, move || {
        memory += 1;
        let document = ours.read();
        for name in &names {
            let section = |section: &HashTable| {
                let mut section = section.write();
                section.set("note", "changed");
                section["limits"].with(|limits: &HashTable| {
                    limits.write().set("memory", memory);
                });
                section["tags"].with(|tags: &ArrayList| {
                    let mut tags = tags.write();
                    let len = tags.len();
                    tags.push(true);
                    tags.remove(len);
                });
                section.remove("note");
            };
            document[name].with(section).expect("a table");
        }
    });
    let mut memory = 0_u32;
    let serde = Case::batches(SERDE, edits, move || {
        memory += 1;
        for name in &same {
            let section = serde[name].as_object_mut().expect("an object");
            section.insert("note".to_owned(), "changed".into());
            section["limits"]["memory"] = memory.into();
            let tags = section["tags"].as_array_mut().expect("an array");
            let len = tags.len();
            tags.push(true.into());
            tags.remove(len);
            section.remove("note");
        }
    });
    vec![ours, serde]
}

/// A value of each of a thousand objects with the same keys is replaced, after they were parsed.
pub(super) fn records() -> Vec<Case> {
    const COUNT: usize = 1000;
    let records: Vec<_> = (0..COUNT)
        .map(|nth| {
            format!("{{\"id\":{nth},\"name\":\"user {nth}\",\"score\":{nth},\"active\":true,\"x\":1.5,\"y\":2.5}}")
        })
        .collect();
    let document = format!("[{}]", records.join(","));
    let same = document.clone();
    vec![
        Case::batches(ACEDIA, COUNT, move || {
            let records = json::parse(&document).expect("JSON").to_list().expect("a list");
            for record in &*records.read() {
                let set = |record: &HashTable| _ = record.write().set("score", 7);
                record.with(set).expect("a table");
            }
        }),
        Case::batches(SERDE, COUNT, move || {
            let mut records: Vec<Value> = serde_json::from_str(&same).expect("JSON");
            for record in &mut records {
                record["score"] = 7.into();
            }
        }),
    ]
}

/// Each value of one object is replaced, by its key.
pub(super) fn values(document: &str) -> Vec<Case> {
    let ours = json::parse(document).expect("JSON").to_table().expect("a table");
    let mut serde: Map<String, Value> = serde_json::from_str(document).expect("JSON");
    let keys: Vec<String> = serde.keys().cloned().collect();
    let same = keys.clone();
    let edits = keys.len();
    let mut value = 0_u32;
    let ours = Case::batches(ACEDIA, edits, move || {
        value += 1;
        let mut entries = ours.write();
        for key in &keys {
            entries.set(key.as_str(), Item::from(value));
        }
    });
    let mut value = 0_u32;
    let serde = Case::batches(SERDE, edits, move || {
        value += 1;
        for key in &same {
            serde[key] = value.into();
        }
    });
    vec![ours, serde]
}
