//! Naive models of the crates, and drivers that compare the crates with them. Each fuzz target is a function here. The first byte
//! of an input chooses the model, and the others are its input. Models that a crate's own tests run are in that crate.

use arbitrary::{Arbitrary, Unstructured};

pub mod actors;
#[path = "../../boxes/tests/model/mod.rs"]
pub mod array_ref;
pub mod classes;
#[path = "../../collections/tests/model/mod.rs"]
pub mod collections;
pub mod engine;
#[path = "../../json/tests/model/json.rs"]
pub mod json;
#[path = "../../text/tests/model/markup.rs"]
pub mod markup;
#[path = "../../json/tests/model/patch.rs"]
pub mod patch;
pub mod saves;
#[path = "../../text/tests/model/text.rs"]
pub mod text;

/// The engine on one thread, and any 64 bits as a handle.
///
/// # Panics
///
/// If a crate behaves differently from its model.
pub fn engine(bytes: &[u8]) {
    let (first, rest) = split(bytes);
    match first % 4 {
        0 | 2 => engine::run(&all(rest)),
        _ => classes::run(&all(rest)),
    }
}

/// Texts, formatted strings and configurations.
///
/// # Panics
///
/// As [`engine()`].
pub fn text(bytes: &[u8]) {
    let (first, rest) = split(bytes);
    match first % 4 {
        0 | 3 => text::run(&all(rest)),
        1 => {
            markup::run(&all(rest));
            markup::check(&String::from_utf8_lossy(rest));
        }
        // An error with the number of a line, or a configuration.
        _ => match acedia::Config::from_ini(&String::from_utf8_lossy(rest)) {
            Ok(config) => assert!(!format!("{config:?}").is_empty()),
            Err(error) => assert!(!error.to_string().is_empty()),
        },
    }
}

/// Lists, tables, arrays, JSON, and patches of JSON.
///
/// # Panics
///
/// As [`engine()`].
pub fn collections(bytes: &[u8]) {
    let (first, rest) = split(bytes);
    match first % 4 {
        0 => collections::run(&all(rest)),
        1 => {
            let (primitive, rest) = split(rest);
            array_ref::run_input(&(primitive, all(rest)));
        }
        2 => drop(json::run(rest)),
        _ => drop(patch::run(rest)),
    }
}

/// Levels of actors, and saved ones.
///
/// # Panics
///
/// As [`engine()`].
pub fn saves(bytes: &[u8]) {
    let (first, rest) = split(bytes);
    match first % 4 {
        0 | 2 => actors::run(rest),
        _ => drop(saves::run(rest)),
    }
}

fn split(bytes: &[u8]) -> (u8, &[u8]) {
    let (first, rest) = bytes.split_first().unwrap_or((&0, bytes));
    (*first, rest)
}

/// Reads values until the bytes end. A `Vec` would end after two values on average, because it reads a bit before each.
fn all<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> Vec<T> {
    let mut bytes = Unstructured::new(bytes);
    let next = || (!bytes.is_empty()).then(|| bytes.arbitrary().ok()).flatten();
    std::iter::from_fn(next).collect()
}
