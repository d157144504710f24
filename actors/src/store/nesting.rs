//! [`Nesting`]: the depth of a level's nested events.

use std::ptr;

use crate::value::rules::Rules;

/// The depth of the next event, and its limits.
///
/// There are two limits: the depth limit of the rules, and the stack that nested events may use. The stack is measured by the
/// address of a local variable, from the fourth nested event on. Most events are less deep, so they only compare two numbers.
pub(crate) struct Nesting {
    /// The number of events being handled.
    pub(crate) depth: u32,
    /// The depth from which on the limits are tested.
    deep: u32,
    /// The depth at which an event is dropped.
    limit: u32,
    /// The number of events and spawns that were refused in this call of the level.
    refused: u32,
    /// The lowest address that the stack of a nested event may reach.
    floor: usize,
}

impl Nesting {
    /// After this number of refusals in one call of the level, its events run away: their number grows exponentially with the
    /// depth.
    const RUNAWAY: u32 = 100;

    /// Up to this depth the stack is not measured.
    const DEEP: u32 = 4;

    /// The depth limit of events that run away.
    const SHALLOW: u32 = 16;

    /// An address farther below the floor than this belongs to another stack, to which user code has switched.
    const SAME_STACK: usize = 1 << 20;

    pub(crate) const fn new(rules: &Rules) -> Self {
        Self {
            depth: 0,
            deep: if rules.depth_limit < Self::DEEP {
                rules.depth_limit
            } else {
                Self::DEEP
            },
            limit: rules.depth_limit,
            refused: 0,
            floor: 0,
        }
    }

    /// Whether another event would nest too deeply.
    #[inline]
    pub(crate) fn is_too_deep(&mut self, rules: &Rules) -> bool {
        self.depth >= self.deep && self.has_reached_a_limit(rules)
    }

    #[inline(never)]
    fn has_reached_a_limit(&mut self, rules: &Rules) -> bool {
        if self.depth >= self.limit {
            return true;
        }
        let local = 0_u8;
        let here = ptr::from_ref(&local).addr();
        // The depth grows by one at a time, so each chain of nested events passes here.
        if self.depth == Self::DEEP {
            self.floor = here.saturating_sub(rules.stack_limit);
            return false;
        }
        // One comparison: below the floor, but not far below. Under Miri, addresses do not follow the stack.
        !cfg!(miri) && self.floor.wrapping_sub(here).wrapping_sub(1) < Self::SAME_STACK
    }

    /// Whether a spawn in a handler is refused, because events ran away in this call of the level.
    #[inline]
    pub(crate) const fn refuses_spawns(&self) -> bool {
        self.refused >= Self::RUNAWAY && self.depth > 0
    }

    /// Counts a refusal.
    #[cold]
    pub(crate) fn refuse(&mut self) {
        self.refused = self.refused.saturating_add(1);
        if self.refused == Self::RUNAWAY {
            self.limit = self.limit.min(Self::SHALLOW);
        }
    }

    /// Treats the events of this call as running away.
    #[cold]
    pub(crate) fn run_away(&mut self) {
        self.refused = Self::RUNAWAY - 1;
        self.refuse();
    }

    /// Whether anything was refused in this call of the level.
    #[inline]
    pub(crate) const fn has_refused(&self) -> bool {
        self.refused > 0
    }

    /// For the end of a call of the level.
    pub(crate) const fn forgive(&mut self, rules: &Rules) {
        self.refused = 0;
        self.limit = rules.depth_limit;
    }
}

#[cfg(test)]
mod tests;
