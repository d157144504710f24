//! Draws `benches/charts/` from the measurements in `benches/data/`.

use acedia_benches::charts::Chart;
use std::{error::Error, fs, path::Path, process::ExitCode};

/// Binaries, and those of their workloads that are drawn.
const CHARTS: [(&str, &[&str]); 7] = [
    ("table", &["pair", "churn", "handoff", "random", "read"]),
    ("text", &["create", "clone"]),
    ("boxes", &["box", "sort"]),
    ("collections", &["hit", "texts"]),
    ("json", &["parse", "print"]),
    ("signals", &["emit"]),
    ("actors", &["events", "read"]),
];

fn main() -> ExitCode {
    match draw() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn draw() -> Result<(), Box<dyn Error>> {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    let charts = benches.join("charts");
    fs::create_dir_all(&charts)?;
    for (binary, workloads) in CHARTS {
        let file = benches.join("data").join(binary).with_extension("json");
        let cannot = |problem: &dyn std::fmt::Display| format!("{}: {problem}", file.display());
        let data = fs::read(&file).map_err(|error| cannot(&error))?;
        let printed = serde_json::from_slice(&data).map_err(|error| cannot(&error))?;
        for workload in workloads {
            let svg = Chart::of(&printed, workload)
                .map_err(|problem| cannot(&problem))?
                .to_svg()?;
            let file = charts.join(format!("{binary}-{workload}.svg"));
            fs::write(&file, svg)?;
            println!("{}", file.display());
        }
    }
    Ok(())
}
