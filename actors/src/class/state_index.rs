//! [`StateIndex`]: a state of a class, in two bytes.

/// A state of a class, or no state, as an index into the class's reactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateIndex(u16);

impl StateIndex {
    /// No state.
    pub(crate) const NONE: Self = Self(0);

    /// The state at `place` among the class's states, if the index fits into 16 bits.
    pub(crate) fn new(place: usize) -> Option<Self> {
        Some(Self(u16::try_from(place + 1).ok()?))
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn place(self) -> Option<usize> {
        usize::from(self.0).checked_sub(1)
    }

    /// The index among the class's reactions, the first of which are those in no state.
    pub(crate) fn reactions(self) -> usize {
        usize::from(self.0)
    }
}
