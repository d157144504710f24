//! Reads the sources of the workspace.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the folder above")
}

pub(crate) fn relative(file: &Path) -> String {
    file.strip_prefix(root())
        .unwrap_or(file)
        .to_string_lossy()
        .replace('\\', "/")
}

pub(crate) fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// All Rust files under `folder`, in order.
pub(crate) fn rust_files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path);
        }
    }
    files
}

/// The lines of `file` whose code is `wanted`, each as `file:line: code`.
pub(crate) fn lines_with(file: &Path, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let code = code_only(&text(file));
    let numbered = code.lines().zip(1..).filter(|(line, _)| wanted(line));
    numbered
        .map(|(line, number)| format!("{}:{number}: {}", relative(file), line.trim()))
        .collect()
}

pub(crate) fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|found| found == word)
}

/// `source` with comments, strings and characters blanked out, line for line.
pub(crate) fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let inside_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let skipped = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => quoted(rest, '"'),
            'r' | 'b' | 'c' if !inside_word => raw_string(rest),
            '\'' if is_character(rest) => quoted(rest, '\''),
            _ => 0,
        };
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.push(' ');
            code.extend(rest[..skipped].chars().filter(|c| *c == '\n'));
            rest = &rest[skipped..];
        }
    }
    code
}

/// The length of the block comment that `text` begins with; they nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of the literal between two `quote`s that `text` begins with.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

/// The length of the raw string that `text` begins with, or 0.
fn raw_string(text: &str) -> usize {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        text.strip_prefix(prefix)
            .is_some_and(|after| after.trim_start_matches('#').starts_with('"'))
    });
    let Some(prefix) = prefix else { return 0 };
    let after = &text[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let opened = prefix.len() + hashes + 1;
    let end = format!("\"{}", "#".repeat(hashes));
    text[opened..]
        .find(&end)
        .map_or(text.len(), |at| opened + at + end.len())
}

/// Whether `text` begins with a character literal, not with a lifetime.
fn is_character(text: &str) -> bool {
    let mut inner = text.chars().skip(1);
    inner.next() == Some('\\') || inner.next() == Some('\'')
}
