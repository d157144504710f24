//! What stays resident after a million objects were freed and collected. Exit status 1 if ours keeps too much.

use acedia_benches::{
    retained::{AT_MOST, measure},
    serve,
};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve();
    let mut status = ExitCode::SUCCESS;
    println!("| | payload | peak, MB | after, MB | stays | |\n|---|---|--:|--:|--:|---|");
    for retained in measure() {
        let verdict = match retained.name {
            "acedia" if retained.part() <= AT_MOST => "met",
            "acedia" => {
                status = ExitCode::FAILURE;
                "**missed**"
            }
            _ => "",
        };
        println!(
            "| {} | {} | {:.1} | {:.1} | {:.1} % | {verdict} |",
            retained.name,
            retained.payload,
            retained.peak / 1e6,
            retained.after / 1e6,
            retained.part() * 100.0,
        );
    }
    status
}
