//! Compares printed values with the expected text.

use std::fmt::{Debug, Display};

/// The mistakes in the printed forms of one crate's types.
#[derive(Default)]
pub(crate) struct Shown {
    wrong: Vec<String>,
}

impl Shown {
    /// `value`, of the public type `name`, is printed by `{:?}` as `debug`, in which `…` stands for anything.
    pub(crate) fn debug(&mut self, name: &'static str, value: &dyn Debug, debug: &str) -> &mut Self {
        self.check(name, &format!("{value:?}"), debug)
    }

    /// Like [`debug`](Self::debug), and also printed by `{}` as `display`.
    pub(crate) fn both<T: Debug + Display>(
        &mut self,
        name: &'static str,
        value: &T,
        debug: &str,
        display: &str,
    ) -> &mut Self {
        self.debug(name, value, debug).check(name, &value.to_string(), display)
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
