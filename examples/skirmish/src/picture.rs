//! [`picture`]: the field, as text.

use std::fmt::Write;

use acedia::{Object, pin};

use crate::objects::{Missile, Place, Ship, Spark};

/// The size of the field, in characters: those of `fleet::FIELD`.
const COLUMNS: usize = 78;
pub(crate) const LINES: usize = 20;
/// The fleets' colours, as numbers of ANSI escapes.
const COLOURS: [u8; 6] = [36, 31, 32, 35, 34, 33];

/// Draws all living objects of all threads, without stopping the threads.
pub(crate) fn picture(is_coloured: bool) -> String {
    let mut cells = [[(' ', 0); COLUMNS]; LINES];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place is in the field"
    )]
    let mut draw = |place: &Place, cell| {
        let [x, y] = place.get().map(|at| at as usize);
        cells[y.min(LINES - 1)][x.min(COLUMNS - 1)] = cell;
    };
    let colour = |fleet: usize| COLOURS[fleet % COLOURS.len()];
    let pinned = pin();
    Spark::pool()
        .iter(&pinned)
        .for_each(|(_, spark)| draw(&spark.place, ('*', 93)));
    Missile::pool()
        .iter(&pinned)
        .for_each(|(_, it)| draw(&it.place, ('\u{b7}', colour(it.fleet))));
    let glyph = |fleet: usize| ['A', 'V', 'O', 'X', 'H', 'W'][fleet % 6];
    Ship::pool()
        .iter(&pinned)
        .for_each(|(_, ship)| draw(&ship.place, (glyph(ship.fleet), colour(ship.fleet))));
    drop(pinned);

    let mut text = String::new();
    for line in cells {
        for (character, colour) in line {
            if is_coloured && colour != 0 {
                write!(text, "\x1b[{colour}m{character}\x1b[0m").expect("a string");
            } else {
                text.push(character);
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        // Clears the rest of an earlier line.
        text.push_str(if is_coloured { "\x1b[K\n" } else { "\n" });
    }
    text
}
