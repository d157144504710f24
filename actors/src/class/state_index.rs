//! [`StateIndex`]: a state of a class, in two bytes.

/// A state of a class, or none: its index among the class's reactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateIndex(u16);

impl StateIndex {
    /// In no state.
    pub(crate) const NONE: Self = Self(0);

    /// The state at `place` among the class's states, if 16 bits can number it.
    pub(crate) fn new(place: usize) -> Option<Self> {
        Some(Self(u16::try_from(place + 1).ok()?))
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The index among the class's states.
    pub(crate) fn place(self) -> Option<usize> {
        usize::from(self.0).checked_sub(1)
    }

    /// The index among the class's reactions, the first of which is that of no state.
    pub(crate) fn reactions(self) -> usize {
        usize::from(self.0)
    }
}
