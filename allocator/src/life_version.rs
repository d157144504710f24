//! [`LifeVersion`]: the number of a slot's life.

use std::fmt;
use std::num::NonZeroU32;

/// The number of a slot's life: `1..=i32::MAX`, never repeated for one slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LifeVersion(NonZeroU32);

impl LifeVersion {
    /// The first life of every slot.
    pub(crate) const FIRST: Self = Self(NonZeroU32::MIN);
    /// The last life of a slot. After it the slot is never used again.
    pub(crate) const LAST: Self = Self(match NonZeroU32::new(i32::MAX.unsigned_abs()) {
        Some(last) => last,
        None => unreachable!(),
    });

    /// The life with this number, or `None` for 0 and for numbers above `i32::MAX`.
    pub(crate) const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(life) if number <= i32::MAX.unsigned_abs() => Some(Self(life)),
            _ => None,
        }
    }

    /// The number of the life, counted from 1.
    pub(crate) const fn get(self) -> u32 {
        self.0.get()
    }

    /// The number as the signed word of a slot.
    #[expect(clippy::cast_possible_wrap, reason = "at most `i32::MAX`")]
    pub(crate) const fn word(self) -> i32 {
        self.0.get() as i32
    }

    /// The life after `number`, which must be below the number of the last life.
    pub(crate) const fn above(number: u32) -> Self {
        debug_assert!(number < Self::LAST.get());
        Self(NonZeroU32::MIN.saturating_add(number))
    }
}

impl fmt::Debug for LifeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LifeVersion({})", self.0)
    }
}

impl fmt::Display for LifeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
