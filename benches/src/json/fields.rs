//! Reading fields of a document that was parsed.

use std::hint::black_box;

use acedia::Owned;
use acedia_collections::{ArrayList, HashTable, Item, Key};
use acedia_json as json;
use acedia_text::Text;
use simd_json::prelude::{ValueAsArray as _, ValueObjectAccess as _};
use sonic_rs::{JsonContainerTrait as _, JsonValueTrait as _};

use super::peers::{SERDE, SIMD, SONIC};
use crate::case::Case;

pub(super) const BY_TEXT: &str = "acedia, by a text";
const BY_STR: &str = "acedia, by &str";

/// The fields that are read of each message: from the first key to the last.
const FIELDS: [&str; 8] = [
    "created_at",
    "id",
    "text",
    "truncated",
    "user",
    "retweet_count",
    "entities",
    "lang",
];

/// One operation is one field.
pub(super) fn read(document: &str) -> Vec<Case> {
    let ours = json::parse(document).expect("JSON");
    let ours = ours.to_table().expect("a table").read()["statuses"].to_list();
    let ours = ours.expect("a list");
    let serde: serde_json::Value = serde_json::from_str(document).expect("JSON");
    let sonic: sonic_rs::Value = sonic_rs::from_str(document).expect("JSON");
    let simd = simd_json::to_owned_value(&mut document.as_bytes().to_vec()).expect("JSON");
    let fields = ours.read().len() * FIELDS.len();
    vec![
        on_ours(BY_TEXT, &ours, FIELDS.map(Text::from)),
        on_ours(BY_STR, &ours, FIELDS),
        Case::batches(SERDE, fields, move || {
            for message in serde["statuses"].as_array().into_iter().flatten() {
                for field in black_box(FIELDS) {
                    black_box(message.get(field));
                }
            }
        }),
        Case::batches(SONIC, fields, move || {
            for message in sonic["statuses"].as_array().into_iter().flatten() {
                for field in black_box(FIELDS) {
                    black_box(message.get(field));
                }
            }
        }),
        Case::batches(SIMD, fields, move || {
            for message in simd
                .get("statuses")
                .and_then(|all| all.as_array())
                .into_iter()
                .flatten()
            {
                for field in black_box(FIELDS) {
                    black_box(message.get(field));
                }
            }
        }),
    ]
}

/// Ours: each message is locked once.
fn on_ours<K: 'static>(name: &'static str, messages: &Owned<ArrayList>, fields: [K; FIELDS.len()]) -> Case
where
    for<'a> &'a K: Key,
{
    let messages = messages.clone();
    let count = messages.read().len() * fields.len();
    let read = move |message: &Item| {
        message.with(|message: &HashTable| {
            let entries = message.read();
            for field in black_box(&fields) {
                black_box(entries.get(field));
            }
        })
    };
    Case::batches(name, count, move || {
        for message in &*messages.read() {
            read(message).expect("a table");
        }
    })
}
