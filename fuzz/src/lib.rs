//! Naive models of the crates, and drivers that compare them. Each fuzz target is a function here. The first byte of an input chooses the
//! model, and the others are its input. Models that the tests of a crate run, too, stand there.

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
pub mod markup;
#[path = "../../json/tests/model/patch.rs"]
pub mod patch;
pub mod saves;
pub mod text;

/// The engine on one thread, and any 64 bits as a handle.
///
/// # Panics
///
/// As the models: this and the other targets, if what a crate does differs from its model.
pub fn engine(bytes: &[u8]) {
    match choose(bytes) {
        (0 | 2, rest) => given(rest, |ops: Vec<_>| engine::run(&ops)),
        (_, rest) => given(rest, |ops: Vec<_>| classes::run(&ops)),
    }
}

/// Texts, formatted strings and configurations.
///
/// # Panics
///
/// As [`engine`].
pub fn text(bytes: &[u8]) {
    match choose(bytes) {
        (0 | 3, rest) => given(rest, |ops: Vec<_>| text::run(&ops)),
        (1, rest) => given(rest, |(tokens, markup): (Vec<_>, &str)| {
            markup::run(&tokens);
            markup::check(markup);
        }),
        // An error with the number of a line, or a configuration.
        (_, rest) => given(rest, |text: &str| match acedia::Config::from_ini(text) {
            Ok(config) => assert!(!format!("{config:?}").is_empty()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }),
    }
}

/// Lists, tables, arrays, JSON, and patches of JSON.
///
/// # Panics
///
/// As [`engine`].
pub fn collections(bytes: &[u8]) {
    match choose(bytes) {
        (0, rest) => given(rest, |ops: Vec<_>| collections::run(&ops)),
        (1, rest) => given(rest, |input| array_ref::run_input(&input)),
        (2, rest) => drop(json::run(rest)),
        (_, rest) => drop(patch::run(rest)),
    }
}

/// Levels of actors, and saved ones.
///
/// # Panics
///
/// As [`engine`].
pub fn saves(bytes: &[u8]) {
    match choose(bytes) {
        (0 | 2, rest) => actors::run(rest),
        (_, rest) => drop(saves::run(rest)),
    }
}

fn choose(bytes: &[u8]) -> (u8, &[u8]) {
    bytes
        .split_first()
        .map_or((0, bytes), |(first, rest)| (first % 4, rest))
}

fn given<'a, T: Arbitrary<'a>>(bytes: &'a [u8], run: impl FnOnce(T)) {
    if let Ok(input) = T::arbitrary_take_rest(Unstructured::new(bytes)) {
        run(input);
    }
}
