//! Programs of handlers, made of bytes. The programs, and what must hold, are those of the crate's own tests.

#[path = "../../actors/tests/common/mod.rs"]
mod common;
#[path = "../../actors/tests/program/mod.rs"]
mod program;

use acedia_actors::Rules;

use program::{Dice, play, start_up};

/// Programs longer than this say nothing new, and their checks grow with the square of what they spawn.
const MOST_ROUNDS: usize = 12;

/// Plays the program that the bytes make up, by the rules of a generation: in a level in play, or while play starts.
///
/// # Panics
///
/// If the level breaks a promise.
pub fn run(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let rules = match first % 3 {
        0 => Rules::ue1(),
        1 => Rules::ue2(),
        _ => Rules::ue3(),
    };
    // A round takes some bytes; after the last one, zeros.
    let rounds = (rest.len() / 8).clamp(1, MOST_ROUNDS);
    let owned = rest.to_vec();
    let mut numbers = owned.into_iter();
    let dice = Dice::new(move || numbers.next().map_or(0, u32::from));
    if first / 3 % 4 == 0 {
        start_up(&dice, rules, rounds);
    } else {
        play(&dice, rules, rounds);
    }
}
