//! Checks the documents: every chapter is in the table of contents and among the doctests, every record of a decision is
//! in its index, links and named files exist.

#[path = "support/sources.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod sources;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sources::{root, text};

fn is(kind: &str, name: &str) -> bool {
    Path::new(name).extension() == Some(kind.as_ref())
}

fn is_chapter(name: &str) -> bool {
    is("md", name) && name != "SUMMARY.md"
}

/// The chapters, by their files' names.
fn chapters() -> BTreeSet<String> {
    let files = fs::read_dir(root().join("docs")).expect("there is a guide");
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| is_chapter(name)).collect()
}

/// The targets of a document's links, inline or in a list at the end. Links to other sites and within the document are left out.
fn links(document: &str) -> impl Iterator<Item = &str> {
    let ends = document.split("](").skip(1);
    let targets = ends.filter_map(|rest| rest.split(')').next());
    let listed = document
        .lines()
        .filter(|line| line.starts_with('['))
        .filter_map(|line| line.split_once("]: "));
    targets
        .chain(listed.map(|(_, target)| target))
        .map(|target| target.split('#').next().unwrap_or(target))
        .filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn every_chapter_is_listed_and_tested() {
    let chapters = chapters();
    assert!(chapters.len() > 10, "this test looks in the wrong place");
    let summary = text(&root().join("docs/SUMMARY.md"));
    let listed: Vec<_> = links(&summary).map(str::to_owned).collect();
    assert_eq!(
        listed.iter().cloned().collect::<BTreeSet<_>>(),
        chapters,
        "docs/SUMMARY.md"
    );
    assert_eq!(listed.len(), chapters.len(), "docs/SUMMARY.md lists a chapter twice");
    let module = text(&root().join("tests/src/lib.rs"));
    let literals = module.split('"').skip(1).step_by(2).filter(|name| !name.contains('/'));
    let tested: BTreeSet<_> = literals.filter(|name| is_chapter(name)).map(str::to_owned).collect();
    assert_eq!(tested, chapters, "tests/src/lib.rs");
}

/// The records of decisions, by their files' names, without their index.
fn records() -> BTreeSet<String> {
    let files = fs::read_dir(root().join("docs/decisions")).expect("there are records");
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "README.md").collect()
}

#[test]
fn every_record_is_listed_once() {
    let records = records();
    assert!(records.len() > 20, "this test looks in the wrong place");
    let index = text(&root().join("docs/decisions/README.md"));
    let listed: Vec<_> = links(&index).filter(|target| !target.contains('/')).collect();
    assert_eq!(
        listed.iter().map(|&target| target.to_owned()).collect::<BTreeSet<_>>(),
        records,
        "docs/decisions/README.md"
    );
    let numbers: BTreeSet<_> = records.iter().map(|record| &record[..4]).collect();
    assert_eq!(
        (listed.len(), numbers.len()),
        (records.len(), records.len()),
        "a number twice"
    );
}

/// All documents that are checked.
fn documents() -> Vec<PathBuf> {
    let chapters = chapters().into_iter().map(|chapter| format!("docs/{chapter}"));
    let others = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "docs/SUMMARY.md",
        "docs/decisions/README.md",
        "actors/docs/porting.md",
        "actors/docs/rules.md",
    ]
    .map(str::to_owned);
    let records = records().into_iter().map(|record| format!("docs/decisions/{record}"));
    let named = chapters.chain(records).chain(others).map(|file| root().join(file));
    named.chain(benchmarks()).collect()
}

/// The pages of the benchmarks.
fn benchmarks() -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("benches")).expect("there are benchmarks");
    let files = files.map(|file| file.unwrap().path());
    files.filter(|file| is("md", &file.to_string_lossy())).collect()
}

#[test]
fn no_link_leads_nowhere() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for document in documents() {
        let folder = document.parent().unwrap();
        for target in links(&text(&document)) {
            seen += 1;
            // The guide is also a book, which contains only the chapters.
            let outside = folder.ends_with("docs") && target.contains('/');
            if outside || !folder.join(target).exists() {
                wrong.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(seen > 50, "this test sees no links");
    assert!(
        wrong.is_empty(),
        "links that lead nowhere, or out of the book:\n{}",
        wrong.join("\n")
    );
}

/// Whether the path of a file or folder of this repository ends with the components of `path`.
fn is_there(folder: &Path, path: &str) -> bool {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths = entries.map(|entry| entry.unwrap().path());
    paths.any(|found| {
        let name = found.file_name().unwrap_or_default().to_string_lossy();
        let ours = !name.starts_with('.') && name != "target";
        found.ends_with(path) || (found.is_dir() && ours && is_there(&found, path))
    })
}

/// The endings by which a name in prose is known to be a file.
const KINDS: [&str; 5] = ["md", "rs", "sh", "toml", "txt"];

#[test]
fn files_that_are_named_are_there() {
    let mut seen = 0;
    let mut missing = Vec::new();
    for document in documents() {
        let prose: String = text(&document).split("```").step_by(2).collect();
        let words = prose.split('`').skip(1).step_by(2);
        let paths: BTreeSet<_> = words
            .filter(|word| KINDS.iter().any(|kind| is(kind, word)) || word.ends_with('/'))
            // Without patterns and placeholders.
            .filter(|word| !word.contains(['*', ' ']) && !word.contains("TARGET"))
            .collect();
        seen += paths.len();
        let gone = paths.into_iter().filter(|path| !is_there(root(), path));
        missing.extend(gone.map(|path| format!("{}: {path}", document.display())));
    }
    assert!(seen > 50, "this test sees no paths");
    assert!(missing.is_empty(), "not there:\n{}", missing.join("\n"));
}
