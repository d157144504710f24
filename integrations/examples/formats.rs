//! A nested table through `serde`: to JSON, to CBOR, and back. `cargo run --example formats -- FILE` takes your own JSON.
#![forbid(unsafe_code)]

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use acedia_boxes::LongBox;
use acedia_collections::{ArrayList, HashTable, Item};
use lexopt::prelude::*;

const HELP: &str = "\
Writes a nested table as JSON and CBOR with serde, and reads both back.

Usage: cargo run --example formats -- [FILE]

  FILE        a document of your own, in JSON
  -h, --help  print this

Exit status: 0 if both formats read back what was written; 1 if not; 2 after an error.
";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let hint = if error.is::<lexopt::Error>() {
                "; try --help"
            } else {
                ""
            };
            eprintln!("formats: {error}{hint}");
            ExitCode::from(2)
        }
    }
}

/// Whether both formats read back the item that was written.
fn run() -> Result<bool, Box<dyn Error>> {
    let mut file: Option<PathBuf> = None;
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(name) if file.is_none() => file = Some(name.into()),
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(true);
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    let document = match file {
        Some(file) => {
            let named = |error: &dyn Error| format!("{}: {error}", file.display());
            let text = fs::read_to_string(&file).map_err(|error| named(&error))?;
            serde_json::from_str(&text).map_err(|error| named(&error))?
        }
        None => saved_game(),
    };
    let json = serde_json::to_string(&document)?;
    let from_json: Item = serde_json::from_str(&json)?;

    let mut cbor = Vec::new();
    ciborium::into_writer(&document, &mut cbor)?;
    let from_cbor: Item = ciborium::from_reader(&*cbor)?;

    let mut all_equal = true;
    for (format, len, back) in [("JSON", json.len(), from_json), ("CBOR", cbor.len(), from_cbor)] {
        let is_equal = back.same_content(&document);
        all_equal &= is_equal;
        println!(
            "{format}: {len} bytes, {}",
            if is_equal { "back equal" } else { "back changed" }
        );
    }
    Ok(all_equal)
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
