//! A nested table through `serde`: to JSON, to CBOR, and back.
#![forbid(unsafe_code)]

use std::error::Error;

use acedia_boxes::LongBox;
use acedia_collections::{ArrayList, HashTable, Item};

fn main() -> Result<(), Box<dyn Error>> {
    let document = saved_game();
    let json = serde_json::to_string(&document)?;
    let from_json: Item = serde_json::from_str(&json)?;

    let mut cbor = Vec::new();
    ciborium::into_writer(&document, &mut cbor)?;
    let from_cbor: Item = ciborium::from_reader(&*cbor)?;

    for (format, len, back) in [("JSON", json.len(), from_json), ("CBOR", cbor.len(), from_cbor)] {
        assert!(back.same_content(&document), "{format} has changed it");
        println!("{format}: {len} bytes, back equal");
    }
    Ok(())
}

/// Nested lists and tables, with every kind of item.
fn saved_game() -> Item {
    let pawn = |name: &str, health: f64, items: &[&str]| {
        let pawn = HashTable::from([("name", name)]);
        pawn.write()
            .set("health", health)
            .set("items", ArrayList::from(items.iter().copied()));
        pawn
    };
    let game = HashTable::from([("map", "Ĉielo")]);
    game.write()
        .set(
            "pawns",
            ArrayList::from([pawn("Ann", 99.5, &["sword", "rope"]), pawn("Bob", -0.0, &[])]),
        )
        .set("seconds", LongBox::new(1 << 40))
        .set("cheats", false)
        .set("winner", Item::NONE);
    game.into()
}
