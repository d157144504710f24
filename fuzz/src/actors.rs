//! Programs of handlers, made of bytes. The programs and the properties come from the crate's own tests.

#[path = "../../actors/tests/common/mod.rs"]
mod common;
#[path = "../../actors/tests/program/mod.rs"]
mod program;

use acedia_actors::Rules;

use program::{Dice, play, start_up};

/// Longer programs find nothing new, and the time of their checks grows with the square of the spawns.
const MOST_ROUNDS: usize = 12;

/// Runs the program in the bytes by the rules of a generation, in a level in play or while play starts.
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
    // A round consumes some bytes; after the last byte it reads zeros.
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
