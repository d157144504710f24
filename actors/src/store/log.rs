//! [`Log`]: the last warnings of a level.

use std::fmt;

use super::warning::Warning;

/// The last warnings, and how many there were.
#[derive(Default)]
pub(crate) struct Log {
    /// The last are kept. In front of them are up to as many that are not, so that few have to be moved.
    warnings: Vec<Warning>,
    count: usize,
}

impl Log {
    /// How many are kept.
    pub(crate) const KEPT: usize = 1000;

    pub(super) fn add(&mut self, warning: Warning) {
        if self.warnings.len() == 2 * Self::KEPT {
            self.warnings.drain(..Self::KEPT);
        }
        self.warnings.push(warning);
        self.count += 1;
    }

    pub(crate) fn kept(&self) -> &[Warning] {
        &self.warnings[self.warnings.len().saturating_sub(Self::KEPT)..]
    }

    pub(crate) fn dropped(&self) -> usize {
        self.count - self.kept().len()
    }

    pub(crate) fn take(&mut self) -> Vec<Warning> {
        let mut taken = std::mem::take(self).warnings;
        taken.drain(..taken.len().saturating_sub(Self::KEPT));
        taken
    }
}

impl fmt::Debug for Log {
    /// How many there were, and the last one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.warnings.last() {
            None => f.write_str("0"),
            Some(last) => write!(f, "{} (the last one: {last})", self.count),
        }
    }
}
