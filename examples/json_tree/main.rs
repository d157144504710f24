//! JSON as lists and tables: parses, queries, changes and prints a document. `--help` says how.
#![forbid(unsafe_code)]

mod options;
mod progress;

use std::error::Error;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use acedia_collections::{Item, Nested, Pointer};
use acedia_json::{self as json, Decimals, Parser, Printer};
use acedia_text::BaseText;

use options::{Edit, HELP, Misread, Options};
use progress::Watched;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // The reader of the output has closed it.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) if error.is::<Misread>() => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("json_tree: {error}");
            ExitCode::from(2)
        }
    }
}

/// Gives whether every pointer led to an item.
fn run() -> Result<bool, Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    let Some(options) = Options::parse(lexopt::Parser::from_env())? else {
        out.write_all(HELP.as_bytes())?;
        out.flush()?;
        return Ok(true);
    };
    let mut document = read(&options)?;
    for edit in &options.edits {
        change(&mut document, edit)?;
    }
    let mut found_all = true;
    for pointer in &options.pointers {
        if let Some(item) = document.find_by(&**pointer) {
            print(&item, &options, &mut out)?;
        } else {
            eprintln!("json_tree: {pointer} refers to no item");
            found_all = false;
        }
    }
    if let Some(other) = &options.other {
        print(&json::diff(&document, other)?, &options, &mut out)?;
    }
    if options.is_printed {
        print(&document, &options, &mut out)?;
    }
    out.flush()?;
    Ok(found_all)
}

fn read(options: &Options) -> Result<Item, Box<dyn Error>> {
    let mut parser = Parser::new();
    if let Some(depth) = options.depth {
        parser = parser.max_depth(depth);
    }
    if options.is_exact {
        parser = parser.decimals(Decimals::Exact);
    }
    let Some(path) = &options.file else {
        let item = parser.read(Watched::new(io::stdin().lock(), None));
        return item.map_err(|error| Misread::boxed("<stdin>", &error));
    };
    let named = |error: &dyn Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| named(&error))?;
    // The length of a pipe or device means nothing.
    let len = file.metadata().ok().filter(Metadata::is_file);
    let item = parser.read(Watched::new(file, len.map(|metadata| metadata.len())));
    item.map_err(|error| Misread::boxed(path.display(), &error))
}

fn change(document: &mut Item, edit: &Edit) -> Result<(), Box<dyn Error>> {
    let named = |pointer: &Pointer, error: &dyn Error| format!("{pointer}: {error}");
    match edit {
        Edit::Set(pointer, item) if pointer.is_empty() => *document = item.clone(),
        Edit::Set(pointer, item) => {
            let set = document.set_by(pointer, item);
            set.map_err(|error| named(pointer, &error))?;
        }
        Edit::Remove(pointer) if pointer.is_empty() => *document = Item::NONE,
        Edit::Remove(pointer) if document.find_by(pointer).is_none() => {
            return Err(format!("--remove: {pointer} refers to no item").into());
        }
        Edit::Remove(pointer) => drop(document.take_by(pointer)),
        Edit::Patch(patch) => *document = json::patch(document, patch).map_err(|error| format!("--patch: {error}"))?,
        Edit::Merge(patch) => {
            *document = json::merge_patch(document, patch).map_err(|error| format!("--merge: {error}"))?;
        }
    }
    Ok(())
}

fn print(item: &Item, options: &Options, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut printer = Printer::new();
    if options.is_sorted {
        printer = printer.sorted();
    }
    if options.is_pretty {
        printer = printer.pretty();
    }
    if options.is_colored {
        let text = printer.print_text(item)?;
        colored(&text, out)?;
    } else {
        out.write_all(printer.print(item)?.as_bytes())?;
    }
    Ok(out.write_all(b"\n")?)
}

/// Writes a text with the escape sequences of terminals.
fn colored(text: &BaseText, out: &mut impl Write) -> io::Result<()> {
    let mut last = None;
    for character in text.characters() {
        let color = character.color();
        if color != last {
            match color {
                Some(color) => write!(out, "\x1b[38;2;{};{};{}m", color.red, color.green, color.blue)?,
                None => write!(out, "\x1b[0m")?,
            }
            last = color;
        }
        write!(out, "{}", character.code)?;
    }
    if last.is_some() {
        write!(out, "\x1b[0m")?;
    }
    Ok(())
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
