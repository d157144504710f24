//! Figures in sentences. A page names the source of each in a comment, which readers do not see:
//!
//! ```text
//! <!-- figures:
//! "1.3 to 1.5 times faster" = text create 8 B: String / Text; text create 100 B: String / Text
//! "0.6 ns" = table read 1,000 live: acedia
//! "30 % less time" = table read 1,000 live: acedia / slotmap
//! "1.9 ms" = by hand: cargo run --release -p arena
//! -->
//! ```
//!
//! A line names binary, workload, payload and contender, as in `benches/data/`. `A / B` divides the median of A by
//! that of B. Each number of the phrase must be the smallest or the largest of the values, rounded as it is written.

use super::Data;

const BEGIN: &str = "<!-- figures:\n";
const END: &str = "-->";

/// Checks all figures of a page.
///
/// # Errors
///
/// A sentence, if a figure has no source, differs from it, or is no longer on the page.
pub fn check(page: &str, data: &impl Data) -> Result<(), String> {
    let mut prose = prose(page);
    let mut sources = sources(page)?;
    for &(phrase, source) in &sources {
        if !prose.contains(phrase) {
            return Err(format!("the page has no `{phrase}`"));
        }
        if let Some(command) = source.strip_prefix("by hand: ") {
            if command.is_empty() {
                return Err(format!("`{phrase}` has no command"));
            }
            continue;
        }
        let values: Result<Vec<_>, _> = source.split("; ").map(|one| value(phrase, one, data)).collect();
        compare(phrase, &values?).map_err(|problem| format!("`{phrase}` is not what benches/data/ says: {problem}"))?;
    }
    // The longest first: "6 times" is a part of "16 times".
    sources.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    for (phrase, _) in sources {
        prose = prose.replace(phrase, "");
    }
    let unknown = figures(&prose);
    if unknown.is_empty() {
        return Ok(());
    }
    Err(format!("these figures have no source: {}", unknown.join(", ")))
}

/// The phrases of a page with their sources.
fn sources(page: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut found = Vec::new();
    for part in page.split(BEGIN).skip(1) {
        let (lines, _) = part.split_once(END).ok_or("a list of figures has no end")?;
        for line in lines.lines() {
            let quoted = line.strip_prefix('"').and_then(|rest| rest.split_once("\" = "));
            found.push(quoted.ok_or_else(|| format!("`{line}` is not a `\"phrase\" = source`"))?);
        }
    }
    Ok(found)
}

/// The sentences of a page in one line, without code, comments and tables that are generated.
fn prose(page: &str) -> String {
    let mut kept = Vec::new();
    let mut skipped_until = None;
    for line in page.lines() {
        let trimmed = line.trim();
        match skipped_until {
            Some(end) if trimmed.starts_with(end) || (end == END && trimmed.ends_with(END)) => skipped_until = None,
            Some(_) => {}
            None if trimmed.starts_with("```") => skipped_until = Some("```"),
            None if trimmed.starts_with(super::BEGIN) => skipped_until = Some(super::END),
            None if trimmed.starts_with("<!--") && !trimmed.ends_with(END) => skipped_until = Some(END),
            None if line.starts_with("    ") => {}
            None => kept.extend(trimmed.split_whitespace()),
        }
    }
    kept.join(" ")
}

/// The value of `BINARY WORKLOAD PAYLOAD: A` or `… A / B`, in the unit of the phrase.
fn value(phrase: &str, source: &str, data: &impl Data) -> Result<f64, String> {
    let wrong = || format!("`{source}` is not a `BINARY WORKLOAD PAYLOAD: A / B`");
    let (place, contenders) = source.split_once(": ").ok_or_else(wrong)?;
    let median = |name: &str| match *place.splitn(3, ' ').collect::<Vec<_>>() {
        [binary, workload, payload] => {
            let found = data.measured(binary)?.workload(workload)?.value(payload, name);
            found.ok_or_else(|| format!("{binary} {workload} has no {name} with {payload}"))
        }
        _ => Err(wrong()),
    };
    let Some((above, below)) = contenders.split_once(" / ") else {
        return median(contenders);
    };
    let ratio = median(above)? / median(below)?;
    Ok(match phrase.split_once(" % ") {
        Some((_, "less time")) => (1.0 - 1.0 / ratio) * 100.0,
        Some(_) => (ratio - 1.0) * 100.0,
        None => ratio,
    })
}

/// Compares the numbers of a phrase with the smallest and the largest value.
fn compare(phrase: &str, values: &[f64]) -> Result<(), String> {
    let numbers: Vec<_> = phrase.split(' ').filter(|word| number(word).is_some()).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let pairs = match *numbers {
        [one] => vec![(one, least), (one, most)],
        [low, high] => vec![(low, least), (high, most)],
        _ => return Err("it needs one number or two".to_owned()),
    };
    for (written, value) in pairs {
        let decimals = written.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let digits = written.len() - usize::from(decimals > 0) - decimals;
        // Round numbers, such as 30 % and 60 times, are rounded to tens.
        let step = match decimals {
            0 if digits > 1 && written.ends_with('0') => 10.0,
            1 => 0.1,
            2 => 0.01,
            _ => 1.0,
        };
        let wanted = number(written).unwrap_or_default();
        if (value - wanted).abs() > step * 0.501 {
            return Err(format!("{written} is {value:.2}"));
        }
    }
    Ok(())
}

fn number(word: &str) -> Option<f64> {
    word.starts_with(|first: char| first.is_ascii_digit())
        .then(|| word.replace(',', "").parse().ok())
        .flatten()
}

/// Numbers that look measured: before a unit of time or of memory, before `instructions`, or in a comparison. Sizes in KiB and
/// MiB are usually chosen, not measured, and `ms` is the unit of most timeouts.
fn figures(prose: &str) -> Vec<String> {
    let words: Vec<_> = prose.split(' ').collect();
    let bare = |at: usize| {
        words
            .get(at)
            .map_or("", |word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '%'))
    };
    let is_figure = |at: &usize| {
        number(words[*at].trim_matches(['(', '*', '|'])).is_some()
            && match bare(at + 1) {
                "ns" | "µs" | "s" | "KB" | "MB" | "instructions" => true,
                "times" => matches!(bare(at + 2), "faster" | "slower" | "as"),
                "%" => matches!(bare(at + 2), "faster" | "slower" | "less" | "more"),
                _ => false,
            }
    };
    let found = (0..words.len()).filter(is_figure);
    found.map(|at| words[at..words.len().min(at + 3)].join(" ")).collect()
}
