//! The figures in the documentation. The text between two marks is generated from `benches/data/`:
//!
//! ```text
//! <!-- measured: pool -->
//! (a table)
//! <!-- end of what is measured -->
//! ```
//!
//! | mark | |
//! |---|---|
//! | `GROUP` | all rows of that group |
//! | `GROUP: ROW; ROW…` | a column for each of these rows, and a line for each contender |
//!
//! A comment, which readers do not see, names the source of each figure in a sentence:
//!
//! ```text
//! <!-- figures:
//! "1.3 to 1.5 times faster" = values make a text of 8 bytes: String / acedia; values make a text of 100 bytes: String / acedia
//! "0.6 ns" = pool read 1,000, Reader::get: acedia
//! -->
//! ```
//!
//! A line names group, row and contender. `A / B` divides the time of A by that of B. The first number of the phrase becomes the
//! smallest of the values, and the second the largest, rounded to the digits of the old numbers. It is an error if the ratio of a
//! phrase with "faster" or "slower" is below 1.04, or if that of "as long as" or "as fast as" differs from 1 by more than 0.15: its
//! sentence must be rewritten.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use crate::report::{Outcome, Saved, matrix, table};

/// The processor whose figures the pages show.
const DATA: &str = "benches/data/zen-5.json";

const MARK: &str = "<!-- measured: ";
const MARK_END: &str = "<!-- end of what is measured -->";
const FIGURES: &str = "<!-- figures:\n";
const COMMENT_END: &str = "-->";

/// Writes the tables of all pages and the figures in their sentences. With `check`, only compares.
///
/// # Errors
///
/// A line for each page with an error: a figure without a source, a phrase that the data contradict, a mark that cannot be parsed
/// or, with `check`, a difference from the data.
///
/// # Panics
///
/// Never: this crate is in a workspace.
pub fn run(check: bool) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("it stands in a workspace");
    let saved = Saved::load(&root.join(DATA))?;
    let mut problems = Vec::new();
    for page in pages(root)? {
        if let Err(problem) = one(&page, &saved, check) {
            problems.push(format!("{}: {problem}", page.display()));
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// All pages that may have figures.
fn pages(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut pages = Vec::new();
    for folder in ["", "docs", "benches", "integrations"] {
        let entries = fs::read_dir(root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        pages.extend(files.filter(|file| file.extension().is_some_and(|ending| ending == "md")));
    }
    pages.sort();
    Ok(pages)
}

fn one(file: &Path, saved: &Saved, check: bool) -> Result<(), String> {
    let now = fs::read_to_string(file).map_err(|error| error.to_string())?;
    // The figures of other pages are not measured here: dates of releases, sizes in reports of bugs.
    if !now.contains(MARK) && !now.contains(FIGURES) && !file.parent().is_some_and(|folder| folder.ends_with("docs")) {
        return Ok(());
    }
    let new = with_figures(&with_tables(&now, saved)?, saved)?;
    if new == now {
        return Ok(());
    }
    if check {
        return Err("differs from the data; `cargo run -p acedia-benches -- pages` updates it".to_owned());
    }
    println!("{}", file.display());
    fs::write(file, &new).map_err(|error| error.to_string())
}

/// The page with all tables written anew.
fn with_tables(page: &str, saved: &Saved) -> Result<String, String> {
    let mut result = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        result.extend([line, "\n"]);
        if let Some(mark) = line.strip_prefix(MARK).and_then(|mark| mark.strip_suffix(" -->")) {
            if !lines.any(|line| line == MARK_END) {
                return Err(format!("`{mark}` has no end: {MARK_END}"));
            }
            result.extend(["\n", &written(mark, saved)?, "\n", MARK_END, "\n"]);
        }
    }
    Ok(result)
}

/// The table that a mark stands for.
fn written(mark: &str, saved: &Saved) -> Result<String, String> {
    let Some((group, rows)) = mark.split_once(": ") else {
        let rows = saved.groups.get(mark);
        return rows
            .map(|rows| table(rows))
            .ok_or_else(|| format!("`{mark}` is no group"));
    };
    let rows: Result<Vec<&Outcome>, String> = rows.split("; ").map(|row| saved.row(group, row)).collect();
    Ok(matrix(&rows?))
}

/// The page with the figures of its sentences written anew.
fn with_figures(page: &str, saved: &Saved) -> Result<String, String> {
    let mut prose = prose(page);
    let mut sources = sources(page)?;
    // The longest first: "6 times" is a part of "16 times".
    sources.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    for (phrase, source) in sources {
        if !prose.contains(phrase) {
            return Err(format!("the page has no `{phrase}`"));
        }
        prose = prose.replace(phrase, "");
        let values: Result<Vec<f64>, _> = source.split("; ").map(|one| value(one, saved)).collect();
        let values = values?;
        for place in places(page, phrase) {
            if !changes.iter().any(|(other, _)| other.contains(&place.start)) {
                let new = renewed(&page[place.clone()], &values);
                changes.push((place, new.map_err(|problem| format!("`{phrase}`: {problem}"))?));
            }
        }
    }
    let unknown = figures(&prose);
    if !unknown.is_empty() {
        return Err(format!("these figures have no source: {}", unknown.join(", ")));
    }
    changes.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut page = page.to_owned();
    for (place, new) in changes {
        page.replace_range(place, &new);
    }
    Ok(page)
}

/// Where a phrase is on a page, in one line or several.
fn places(page: &str, phrase: &str) -> Vec<Range<usize>> {
    let (first, others) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let whole = |(start, _): (usize, &str)| {
        let mut end = start + first.len();
        for word in others.split_whitespace() {
            let space = page[end..].len() - page[end..].trim_start().len();
            if space == 0 || !page[end + space..].starts_with(word) {
                return None;
            }
            end += space + word.len();
        }
        let is_part = page[..start].ends_with(|before: char| before.is_alphanumeric() || ".,".contains(before));
        (!is_part).then_some(start..end)
    };
    page.match_indices(first).filter_map(whole).collect()
}

/// The phrase with the smallest value as its first number and the largest as its second, rounded to the digits of the old numbers.
fn renewed(phrase: &str, values: &[f64]) -> Result<String, String> {
    let is_ratio = phrase.contains("faster") || phrase.contains("slower");
    let is_equality = phrase.contains("as long as") || phrase.contains("as fast as");
    let (mut wanted, mut new) = (Vec::new(), String::new());
    for value in [f64::min, f64::max].map(|pick| values.iter().copied().reduce(pick).unwrap_or(f64::NAN)) {
        if is_ratio && value < 1.04 || is_equality && !(0.85..1.15).contains(&value) {
            return Err(format!("the ratio is {value:.2}, so the sentence is wrong"));
        }
        wanted.push(if phrase.contains('%') {
            (value - 1.0) * 100.0
        } else {
            value
        });
    }
    let mut wanted = wanted.into_iter();
    for piece in phrase.split_inclusive(char::is_whitespace) {
        let written = piece.trim_end();
        match number(written).and_then(|_| wanted.next()) {
            Some(value) => new += &piece.replace(written, &rounded(written, value)),
            None => new += piece,
        }
    }
    match wanted.next() {
        Some(_) if values.len() > 1 => Err("it has several values, and one number".to_owned()),
        _ => Ok(new),
    }
}

/// The phrases of a page with their sources.
fn sources(page: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut found = Vec::new();
    for part in page.split(FIGURES).skip(1) {
        let (lines, _) = part.split_once(COMMENT_END).ok_or("a list of figures has no end")?;
        for line in lines.lines() {
            let quoted = line.strip_prefix('"').and_then(|rest| rest.split_once("\" = "));
            let (phrase, source) = quoted.ok_or_else(|| format!("`{line}` is not a `\"phrase\" = source`"))?;
            if found.iter().any(|(other, _)| *other == phrase) {
                return Err(format!("`{phrase}` has two sources: take more words of the sentence"));
            }
            found.push((phrase, source));
        }
    }
    Ok(found)
}

/// The sentences of a page in one line, without code, comments and generated tables.
fn prose(page: &str) -> String {
    let mut kept = Vec::new();
    let mut skipped_until = None;
    for line in page.lines() {
        let trimmed = line.trim();
        match skipped_until {
            Some(end) if trimmed.starts_with(end) || (end == COMMENT_END && trimmed.ends_with(end)) => {
                skipped_until = None;
            }
            Some(_) => {}
            None if trimmed.starts_with("```") => skipped_until = Some("```"),
            None if trimmed.starts_with(MARK) => skipped_until = Some(MARK_END),
            None if trimmed.starts_with("<!--") && !trimmed.ends_with(COMMENT_END) => skipped_until = Some(COMMENT_END),
            None if line.starts_with("    ") => {}
            None => kept.extend(trimmed.split_whitespace()),
        }
    }
    kept.join(" ")
}

/// The value of `GROUP ROW: A` or `GROUP ROW: A / B`.
fn value(source: &str, saved: &Saved) -> Result<f64, String> {
    let wrong = || format!("`{source}` is not a `GROUP ROW: A / B`");
    let (place, contenders) = source.rsplit_once(": ").ok_or_else(wrong)?;
    let (group, row) = place.split_once(' ').ok_or_else(wrong)?;
    let row = saved.row(group, row)?;
    let figure = |name: &str| row.figure(name).ok_or_else(|| format!("{place} has no {name}"));
    Ok(match contenders.split_once(" / ") {
        None => figure(contenders)?.ns,
        Some((above, below)) => figure(below)?.ratio / figure(above)?.ratio,
    })
}

/// The value with as many decimals as `written`. If `written` ends in 0 (30 %, 60 times), a value from 20 on is rounded to tens; if it
/// has a comma, to hundreds.
fn rounded(written: &str, value: f64) -> String {
    match written.split_once('.') {
        Some((_, decimals)) => format!("{value:.*}", decimals.len()),
        None if written.contains(',') => {
            let hundreds = (value / 100.0).round();
            format!("{:.0},{:.0}00", (hundreds / 10.0).floor(), hundreds % 10.0)
        }
        None if value >= 20.0 && written.ends_with('0') => format!("{:.0}", (value / 10.0).round() * 10.0),
        None => format!("{value:.0}"),
    }
}

fn number(word: &str) -> Option<f64> {
    let begins = word.starts_with(|first: char| first.is_ascii_digit());
    begins.then(|| word.replace(',', "").parse().ok()).flatten()
}

/// Claims that look measured: numbers before a unit of time or of memory, before `instructions`, or in a comparison, and equal times.
/// Sizes in KiB and MiB are usually chosen, not measured, and `ms` is the unit of most timeouts.
fn figures(prose: &str) -> Vec<String> {
    let words: Vec<_> = prose.split(' ').collect();
    let bare = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        word.trim_matches(|c: char| !c.is_alphanumeric() && c != '%')
    };
    let is_figure = |at: &usize| {
        let is_number = number(words[*at].trim_matches(['(', '*', '|'])).is_some();
        words[*at] == "as" && matches!(bare(at + 1), "long" | "fast") && bare(at + 2) == "as"
            || is_number
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Figure;

    fn saved() -> Saved {
        let figure = |name: &str, ns: f64, ratio: f64| Figure {
            name: name.to_owned(),
            ns,
            ratio,
        };
        let row = |name: &str, factor: f64| Outcome {
            row: name.to_owned(),
            cases: vec![
                figure("acedia", 2.0 * factor, 1.0),
                figure("Vec<T>", 2.9 * factor, 0.69),
                figure("fast", factor, 2.0),
            ],
        };
        let rows = vec![
            row("pair, 16 B", 1.0),
            row("pair, 64 B", 10.0),
            row("large", 8_069.0),
            row("twelve", 5.8),
        ];
        Saved {
            processor: String::new(),
            groups: [("pool".to_owned(), rows)].into(),
        }
    }

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let page = |mark: &str| format!("a\n{MARK}{mark} -->\nold\n\nold\n{MARK_END}\nb\n");
        let new = with_tables(&page("pool"), &saved()).expect("written");
        assert!(
            new.contains("\n| pair, 64 B | 20.0 | fast 10.0, Vec\\<T> 29.0 | **2.00** |\n"),
            "{new}"
        );
        assert!(
            new.starts_with("a\n") && new.ends_with("b\n") && !new.contains("old"),
            "{new}"
        );
        assert_eq!(with_tables(&new, &saved()).expect("written"), new, "twice is once");
        let new = with_tables(&page("pool: pair, 16 B; pair, 64 B"), &saved()).expect("written");
        assert!(new.contains("\n| Vec\\<T> | 2.90 | 29.0 |\n"), "{new}");
        let problem = |page: &str| with_tables(page, &saved()).unwrap_err();
        assert!(problem(&format!("{MARK}pool -->\n|\n")).contains("no end"));
        assert!(problem(&page("pol")).contains("`pol` is no group"));
        assert!(problem(&page("pool: pear")).contains("no row `pear`"));
    }

    #[test]
    fn figures_in_sentences_are_those_of_the_data() {
        let page = |sentence: &str, sources: &str| {
            format!("It takes {sentence}.\n\n{FIGURES}{sources}-->\n\n```\n7 ns in code\n```\n")
        };
        for (old, new, source) in [
            (
                "1.7 times\nfaster",
                "1.4 times\nfaster",
                "pool pair, 16 B: Vec<T> / acedia",
            ),
            ("20 % faster", "40 % faster", "pool pair, 16 B: Vec<T> / acedia"),
            (
                "1.9 to 9 ns",
                "2.0 to 20 ns",
                "pool pair, 16 B: acedia; pool pair, 64 B: acedia",
            ),
            ("29 ns", "29 ns", "pool pair, 64 B: Vec<T>"),
            ("10 ns", "12 ns", "pool twelve: acedia"),
            ("as long as that", "as long as that", "pool pair, 16 B: acedia / acedia"),
            ("3,000 ns", "23,400 ns", "pool large: Vec<T>"),
        ] {
            let whole = |sentence: &str| page(sentence, &format!("\"{}\" = {source}\n", sentence.replace('\n', " ")));
            assert_eq!(with_figures(&whole(old), &saved()), Ok(whole(new)));
            assert!(
                with_figures(&page(old, ""), &saved())
                    .unwrap_err()
                    .contains("no source"),
                "{old}"
            );
        }
        // "6 ns" is a part of "16 ns": each phrase is replaced as a whole.
        let two = |short: &str, long: &str| {
            let sources =
                format!("\"{short} ns\" = pool pair, 16 B: acedia\n\"1{long} ns\" = pool pair, 64 B: acedia\n");
            page(&format!("{short} ns or 1{long} ns"), &sources)
        };
        let new = with_figures(&two("6", "6"), &saved()).expect("written");
        assert!(new.starts_with("It takes 2 ns or 20 ns."), "{new}");
        assert_eq!(
            with_figures(&page("12 ms for 4 KiB", ""), &saved()),
            Ok(page("12 ms for 4 KiB", ""))
        );
        for (sentence, source, problem) in [
            (
                "2.0 times faster",
                "\"2.0 times faster\" = pool pair, 16 B: fast / acedia\n",
                "0.50, so the sentence is wrong",
            ),
            (
                "2 ns",
                "\"2 ns\" = pool pair, 16 B: acedia; pool pair, 64 B: acedia\n",
                "several values",
            ),
            (
                "as fast as that",
                "\"as fast as that\" = pool pair, 16 B: fast / acedia\n",
                "0.50, so the sentence is wrong",
            ),
            ("7 ns", "\"6 ns\" = pool pair, 16 B: acedia\n", "the page has no `6 ns`"),
            ("7 ns", "\"7 ns\" = pool pair, 8 B: acedia\n", "no row `pair, 8 B`"),
            ("7 ns", "\"7 ns\" = pool pair, 16 B: slow\n", "has no slow"),
            ("7 ns", "7 ns = pool\n", "is not a"),
            (
                "7 ns",
                "\"7 ns\" = pool pair, 16 B: fast\n\"7 ns\" = pool pair, 16 B: acedia\n",
                "has two sources",
            ),
            ("7 ns", "\"7 ns\" = by hand: a\n", "by has no row `hand`"),
        ] {
            let said = with_figures(&page(sentence, source), &saved()).unwrap_err();
            assert!(said.contains(problem), "{said}");
        }
    }
}
