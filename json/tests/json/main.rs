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

/// Returns one byte at a time, so that every token crosses the end of a block.
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

    fn digits(&mut self, most: usize) -> String {
        let len = 1 + self.below(most);
        let digit = || char::from(b"0123456789"[self.below(10)]);
        std::iter::repeat_with(digit).take(len).collect()
    }

    /// Adds a random number, of a few digits or of more than a double can hold.
    fn number(&mut self, out: &mut String) {
        out.push_str(self.one_of(&["", "-"]));
        let whole = self.digits(20);
        out.push_str(match whole.trim_start_matches('0') {
            "" => "0",
            whole => whole,
        });
        if self.below(2) == 0 {
            out.extend([".", &self.digits(20)]);
        }
        if self.below(4) == 0 {
            out.extend([self.one_of(&["e", "E+", "e-"]), &self.digits(2)]);
        }
    }

    /// Adds a random string: a prefix of a fixed string, in which one character may be replaced.
    fn string(&mut self, out: &mut String) {
        const OTHERS: &str = r#"\" \\ \/ \n \u0001 \u001f \u0061 \u00e4 \ud83d\ude00 ä € 😀 ~"#;
        let others: Vec<_> = OTHERS.split(' ').chain([" ", "\u{7f}"]).collect();
        let (len, other) = (self.below(80), self.below(80));
        out.push('"');
        for (place, letter) in ('a'..='z').cycle().take(len).enumerate() {
            if place == other {
                out.push_str(self.one_of(&others));
            } else {
                out.push(letter);
            }
        }
        out.push('"');
    }

    /// Adds a random document.
    fn value(&mut self, depth: usize, out: &mut String) {
        const SPACES: [&str; 4] = ["", "", " ", "\n\t"];
        // The last ones are halfway between two doubles, or close to that.
        const SCALARS: &str = "null true false 0 -0 1e300 100000000 9223372036854775807 -9223372036854775808 18446744073709551615 \
            18446744073709551616 9007199254740993.0 9007199254740995.0 4503599627370496.5 6.231313473761460831 13898.08526071751203";
        out.push_str(self.one_of(&SPACES));
        match self.below(if depth == 0 { 3 } else { 5 }) {
            0 => out.push_str(self.one_of(&SCALARS.split_whitespace().collect::<Vec<_>>())),
            1 => self.number(out),
            2 => self.string(out),
            3 => {
                out.push('[');
                for index in 0..self.below(5) {
                    out.push_str(if index > 0 { "," } else { "" });
                    self.value(depth - 1, out);
                }
                out.push(']');
            }
            _ => {
                let mut table = String::from("{");
                for index in 0..self.below(5) {
                    table.push_str(if index > 0 { "," } else { "" });
                    self.string(&mut table);
                    table.extend([self.one_of(&SPACES), ":"]);
                    self.value(depth - 1, &mut table);
                }
                table.push('}');
                if self.below(4) == 0 {
                    // The keys of the first table are expected in the others.
                    table = format!("[{table},{table},{table}]");
                }
                out.push_str(&table);
            }
        }
        out.push_str(self.one_of(&SPACES));
    }
}
