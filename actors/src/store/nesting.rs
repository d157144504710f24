//! [`Nesting`]: how deeply a level's events are nested.

use std::ptr;

use crate::value::rules::Rules;

/// The number of events around the next one, and its limits.
///
/// Two limits hold at once: the number of the rules, and the stack that nested events may use. The stack is measured by the
/// address of a local variable, from the fourth nested event on: most events are less deep, and only compare two numbers.
pub(crate) struct Nesting {
    /// The number of events being handled.
    pub(crate) depth: u32,
    /// The depth from which on more than the depth is looked at.
    deep: u32,
    /// The depth at which an event is dropped.
    limit: u32,
    /// The number of events and spawns that were refused in this call of the level.
    refused: u32,
    /// The lowest address that the stack of a nested event may reach.
    floor: usize,
}

impl Nesting {
    /// After so many refusals in one call of the level, its events run away: each may nest several others, and the number of
    /// all is a power of the depth.
    const RUNAWAY: u32 = 100;

    /// Up to this depth the stack is not measured.
    const DEEP: u32 = 4;

    /// The depth that is left to events that run away.
    const SHALLOW: u32 = 16;

    /// Addresses farther below the floor belong to another stack, to which user code has switched.
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
        // Events come by here one by one on their way down.
        if self.depth == Self::DEEP {
            self.floor = here.saturating_sub(rules.stack_limit);
            return false;
        }
        // Below the floor, but not far: one comparison. Under Miri, addresses do not follow the stack.
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

    /// Counts as many refusals as it takes.
    #[cold]
    pub(crate) fn run_away(&mut self) {
        self.refused = Self::RUNAWAY - 1;
        self.refuse();
    }

    /// Whether a call of the level that has ended refused something.
    #[inline]
    pub(crate) const fn has_refused(&self) -> bool {
        self.refused > 0
    }

    /// The call of the level has ended.
    pub(crate) const fn forgive(&mut self, rules: &Rules) {
        self.refused = 0;
        self.limit = rules.depth_limit;
    }
}

#[cfg(test)]
mod tests;
