//! The classes of a primitive are named in one line of `table.rs` and nowhere else.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

use acedia::{Object, classes};
use acedia_boxes::IntBox;

/// The code in all files of a folder, without comments.
fn code(folder: &Path) -> String {
    let mut code = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            code += &self::code(&path);
        } else {
            let file = fs::read_to_string(&path).unwrap();
            let lines = file.lines().filter(|line| !line.trim_start().starts_with("//"));
            lines.for_each(|line| code.extend([line, "\n"]));
        }
    }
    code
}

#[test]
fn each_primitive_is_one_line() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (code, docs) = (code(&src), fs::read_to_string(src.join("lib.rs")).unwrap());
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let places = |name: &str| {
        let words = |line: &str| line.split(|c| !is_name(c)).filter(|word| *word == name).count();
        code.lines()
            .map(|line| (line.to_owned(), words(line)))
            .filter(|(_, count)| *count > 0)
            .collect::<Vec<_>>()
    };
    assert!(classes().contains(&IntBox::class()));
    let mut lines = Vec::new();
    for class in classes() {
        let name = class.short_name();
        match &*places(name) {
            [(line, 1)] => lines.push(line.clone()),
            others => panic!("{name} stands in {others:?}"),
        }
        assert!(
            docs.contains(&format!("[`{name}`]")),
            "{name} is not in the table of the crate's docs"
        );
    }
    lines.sort_unstable();
    let primitives = lines.chunk_by(|one, next| one == next);
    assert!(primitives.clone().all(|classes| classes.len() == 4), "{lines:?}");
    assert_eq!(primitives.count(), 9);
}
