//! Tests of JSON that need no process of their own.
#![forbid(unsafe_code)]

mod cases;
mod model;
mod no_prelude;
mod patch;
mod reach;
mod streams;

#[path = "../model/json.rs"]
pub mod json_model;
#[path = "../model/patch.rs"]
pub mod patch_model;

use std::io::{self, Read};

/// Gives one byte at a time, so that every token crosses the end of a block.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.0.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}

/// Numbers from a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// Adds a random document.
    fn value(&mut self, depth: usize, out: &mut String) {
        const SPACES: [&str; 4] = ["", "", " ", "\n\t"];
        const SCALARS: &str = "null true false 0 -0 -17 3000000000 1.5 -1e-7 1E300 18446744073709551615 18446744073709551616 0.1 \
            0.12345678901234567891";
        const STRINGS: &str = r#""" "a" "a/b~c" "~" "\u00e4\n\"\\" "ä€😀" "\ud83d\ude00x" "\u0061""#;
        let [scalars, strings] = [SCALARS, STRINGS].map(|all| all.split(' ').collect::<Vec<_>>());
        out.push_str(self.one_of(&SPACES));
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => out.push_str(self.one_of(&scalars)),
            1 => out.push_str(self.one_of(&strings)),
            shape => {
                let (open, close) = if shape == 2 { ('[', ']') } else { ('{', '}') };
                out.push(open);
                for index in 0..self.below(5) {
                    out.push_str(if index > 0 { "," } else { "" });
                    if shape == 3 {
                        out.extend([self.one_of(&strings), self.one_of(&SPACES), ":"]);
                    }
                    self.value(depth - 1, out);
                }
                out.push(close);
            }
        }
        out.push_str(self.one_of(&SPACES));
    }
}
