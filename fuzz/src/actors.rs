//! Programs of handlers, made of bytes. The programs, and what must hold, are those of the crate's own tests.

#[path = "../../actors/tests/common/mod.rs"]
mod common;
#[path = "../../actors/tests/program/mod.rs"]
mod program;

use program::{Dice, play};

/// Programs longer than this say nothing new, and their checks grow with the square of what they spawn.
const MOST_ROUNDS: usize = 12;

/// Plays the program that the bytes make up, by the rules of a generation.
///
/// # Panics
///
/// If the level breaks a promise.
pub fn run(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let [ue1, ue2, ue3] = common::all_rules();
    let rules = match first % 3 {
        0 => ue1,
        1 => ue2,
        _ => ue3,
    };
    // A round takes some bytes; after the last one, zeros.
    let rounds = (rest.len() / 8).clamp(1, MOST_ROUNDS);
    let mut bytes = rest.to_vec().into_iter();
    play(&Dice::new(move || bytes.next().map_or(0, u32::from)), rules, rounds);
}
