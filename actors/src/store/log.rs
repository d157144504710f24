//! [`Log`]: the last warnings of a level.

use std::fmt;

use super::warning::Warning;

/// The last warnings, and the number of all warnings.
#[derive(Default)]
pub(crate) struct Log {
    /// Up to twice [`KEPT`](Self::KEPT), so that moving the last [`KEPT`](Self::KEPT) to the front is amortized over as many
    /// additions.
    warnings: Vec<Warning>,
    count: usize,
}

impl Log {
    /// The number of warnings that are kept.
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
    /// The number of warnings, and the last one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.warnings.last() {
            None => f.write_str("0"),
            Some(last) => write!(f, "{} (the last one: {last})", self.count),
        }
    }
}
