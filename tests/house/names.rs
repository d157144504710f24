//! Finds the file that defines a name: through modules, imports and re-exports.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Segments, Source};

/// The files of all crates, by their paths.
pub(crate) type Sources = BTreeMap<String, Source>;

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Module(usize),
    /// `rest` is what follows the item in the path: a variant, a function of the type.
    Item {
        file: String,
        name: String,
        rest: Segments,
    },
}

/// None for a name that is unknown here, as those of `std` and of other crates are.
type Targets = Option<BTreeSet<Target>>;

#[derive(Debug)]
struct Module {
    file: String,
    /// Its index in the file.
    inside: usize,
    parent: Option<usize>,
    /// The first module of its crate.
    root: usize,
    children: BTreeMap<String, usize>,
}

#[derive(Debug)]
pub(crate) struct Names<'s> {
    sources: &'s Sources,
    modules: Vec<Module>,
    of_file: BTreeMap<(String, usize), usize>,
    known: RefCell<BTreeMap<(usize, String), Targets>>,
}

impl<'s> Names<'s> {
    pub(crate) fn new(sources: &'s Sources) -> Self {
        let mut names = Names {
            sources,
            modules: Vec::new(),
            of_file: BTreeMap::new(),
            known: RefCell::default(),
        };
        let declared: BTreeSet<String> = sources
            .iter()
            .flat_map(|(file, source)| {
                let of = move |module: usize| child_files(sources, file, source, module);
                (0..source.modules.len()).flat_map(of).map(|(_, file)| file)
            })
            .collect();
        for file in sources.keys().filter(|file| !declared.contains(*file)) {
            names.add(file, None);
        }
        names
    }

    /// The item that `path` leads to, as seen from a module of `file`; nothing if it leads out of the crate.
    pub(crate) fn find(&self, file: &str, inside: usize, path: &[String]) -> BTreeSet<Target> {
        match self.of_file.get(&(file.to_owned(), inside)) {
            Some(&module) => self.follow(module, path, &mut BTreeSet::new()).unwrap_or_default(),
            None => BTreeSet::new(),
        }
    }

    fn add(&mut self, file: &str, parent: Option<usize>) -> usize {
        let source = &self.sources[file];
        let first = self.modules.len();
        for (inside, module) in source.modules.iter().enumerate() {
            let around = module.around.map(|around| first + around).or(parent);
            let root = parent.map_or(first, |parent| self.modules[parent].root);
            self.modules.push(Module {
                file: file.to_owned(),
                inside,
                parent: around,
                root,
                children: BTreeMap::new(),
            });
            self.of_file.insert((file.to_owned(), inside), first + inside);
            if let Some(around) = module.around {
                self.modules[first + around]
                    .children
                    .insert(module.name.clone(), first + inside);
            }
        }
        for inside in 0..source.modules.len() {
            for (name, child) in child_files(self.sources, file, source, inside) {
                let child = self.add(&child, Some(first + inside));
                self.modules[first + inside].children.insert(name, child);
            }
        }
        first
    }

    fn follow(&self, module: usize, path: &[String], seen: &mut BTreeSet<(usize, String)>) -> Targets {
        let (first, mut rest) = path.split_first()?;
        let mut found = match first.as_str() {
            "crate" => BTreeSet::from([Target::Module(self.modules[module].root)]),
            "self" => BTreeSet::from([Target::Module(module)]),
            "super" => BTreeSet::from([Target::Module(self.modules[module].parent?)]),
            "Self" => return None,
            name => self.look_up(module, name, seen)?,
        };
        while let Some((next, after)) = rest.split_first() {
            // A function may have a module's name, but holds no names.
            if found.iter().any(|target| matches!(target, Target::Module(_))) {
                found.retain(|target| matches!(target, Target::Module(_)));
            }
            let mut further = BTreeSet::new();
            for target in found {
                match target {
                    Target::Module(inner) if next == "super" => {
                        further.extend(self.modules[inner].parent.map(Target::Module));
                    }
                    Target::Module(inner) => {
                        // A macro may define a name that the source doesn't show. In the root module such a name is an exported
                        // macro's, which any file may have.
                        let hidden = || {
                            if self.modules[inner].root == inner {
                                return BTreeSet::new();
                            }
                            let file = self.modules[inner].file.clone();
                            BTreeSet::from([Target::Item {
                                file,
                                name: next.clone(),
                                rest: Vec::new(),
                            }])
                        };
                        let looked_up = self.look_up(inner, next, seen);
                        further.extend(looked_up.unwrap_or_else(hidden));
                    }
                    Target::Item {
                        file,
                        name,
                        rest: mut behind,
                    } => {
                        behind.push(next.clone());
                        further.insert(Target::Item {
                            file,
                            name,
                            rest: behind,
                        });
                    }
                }
            }
            found = further;
            rest = after;
        }
        Some(found)
    }

    fn look_up(&self, module: usize, name: &str, seen: &mut BTreeSet<(usize, String)>) -> Targets {
        let key = (module, name.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        if !seen.insert(key.clone()) {
            return None;
        }
        let found = self.search(module, name, seen);
        seen.remove(&key);
        // Within a circle of globs an answer is partial.
        if seen.is_empty() {
            self.known.borrow_mut().insert(key, found.clone());
        }
        found
    }

    fn search(&self, module: usize, name: &str, seen: &mut BTreeSet<(usize, String)>) -> Targets {
        let at = &self.modules[module];
        let source = &self.sources[&at.file].modules[at.inside];
        let mut found = BTreeSet::new();
        found.extend(at.children.get(name).map(|&child| Target::Module(child)));
        if source.items.contains(name) {
            found.insert(Target::Item {
                file: at.file.clone(),
                name: name.to_owned(),
                rest: Vec::new(),
            });
        }
        let mut declared = !found.is_empty();
        for (_, path) in source.aliases.iter().filter(|(alias, _)| alias == name) {
            declared = true;
            found.extend(self.follow(module, path, seen).unwrap_or_default());
        }
        if declared {
            return Some(found);
        }
        for glob in &source.globs {
            let targets = self.follow(module, glob, seen).unwrap_or_default();
            // All names of another crate may come with it.
            declared |= targets.is_empty();
            for target in targets {
                if let Target::Module(inner) = target {
                    if let Some(targets) = self.look_up(inner, name, seen) {
                        declared = true;
                        found.extend(targets);
                    }
                }
            }
        }
        declared.then_some(found)
    }
}

/// The modules of `file` that are files, each with its path.
fn child_files(sources: &Sources, file: &str, source: &Source, inside: usize) -> Vec<(String, String)> {
    let mut folder = match file.rsplit_once('/') {
        Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder.to_owned(),
        _ => file.trim_end_matches(".rs").to_owned(),
    };
    let mut inner = Vec::new();
    let mut at = inside;
    while let Some(around) = source.modules[at].around {
        inner.push(source.modules[at].name.as_str());
        at = around;
    }
    for name in inner.iter().rev() {
        folder = format!("{folder}/{name}");
    }
    let existing = |name: &String| {
        [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")]
            .into_iter()
            .find(|path| sources.contains_key(path))
            .map(|path| (name.clone(), path))
    };
    source.modules[inside].files.iter().filter_map(existing).collect()
}
