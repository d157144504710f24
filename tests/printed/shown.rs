//! Compares printed values with the expected text.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::fs;
use std::path::Path;

/// The types of one crate that were printed, and the mistakes.
#[derive(Default)]
pub(crate) struct Shown {
    types: BTreeSet<&'static str>,
    wrong: Vec<String>,
}

impl Shown {
    /// `value`, of the public type `name`, is printed by `{:?}` as `debug`, in which `…` stands for anything.
    pub(crate) fn debug(&mut self, name: &'static str, value: &dyn Debug, debug: &str) -> &mut Self {
        self.types.insert(name);
        self.check(name, &format!("{value:?}"), debug)
    }

    /// As [`debug`](Self::debug), and by `{}` as `display`.
    pub(crate) fn both<T: Debug + Display>(
        &mut self,
        name: &'static str,
        value: &T,
        debug: &str,
        display: &str,
    ) -> &mut Self {
        self.debug(name, value, debug).check(name, &value.to_string(), display)
    }

    /// The type `name` has no values, or is printed elsewhere in this test.
    pub(crate) fn skip(&mut self, name: &'static str) -> &mut Self {
        self.types.insert(name);
        self
    }

    fn check(&mut self, name: &str, printed: &str, wanted: &str) -> &mut Self {
        if !matches(printed, wanted) {
            self.wrong
                .push(format!("{name}\n    is     {printed}\n    wanted {wanted}"));
        }
        self
    }

    /// Fails if anything was printed wrongly.
    pub(crate) fn is_right(&self) {
        assert!(self.wrong.is_empty(), "\n{}", self.wrong.join("\n"));
    }

    /// As [`is_right`](Self::is_right), and if a public type of the crate was not printed at all.
    pub(crate) fn is_all_of(&self, krate: &str) {
        self.is_right();
        let printed: BTreeSet<_> = self.types.iter().map(ToString::to_string).collect();
        assert_eq!(printed, public_types(krate), "the public types by api/{krate}.txt");
    }
}

/// The structs and enums that `api/` lists, as paths within the crate.
fn public_types(krate: &str) -> BTreeSet<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../api/{krate}.txt"));
    let list = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let prefix = format!("{}::", krate.replace('-', "_"));
    let types = list.lines().filter_map(|line| {
        let (_, after) = line
            .split_once("pub struct ")
            .or_else(|| line.split_once("pub enum "))?;
        let path = after.strip_prefix(prefix.as_str())?;
        path.split(['<', '(', ' ']).next().map(str::to_owned)
    });
    let types: BTreeSet<_> = types.collect();
    assert!(types.len() >= 5, "this test reads {} wrongly", file.display());
    types
}

/// Whether `wanted`, in which `…` stands for anything, fits all of `printed`.
fn matches(printed: &str, wanted: &str) -> bool {
    let mut parts = wanted.split('…');
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn patterns_fit() {
    for wanted in ["slot 7, life 1", "…", "slot …", "… 1", "slot …, life …", "…lo…if…1"] {
        assert!(matches("slot 7, life 1", wanted), "{wanted}");
    }
    for wanted in ["", "slot", "slot 7, life 1…2", "…slot 8…", "… life", "slot 7,…, life 1"] {
        assert!(!matches("slot 7, life 1", wanted), "{wanted}");
    }
}
