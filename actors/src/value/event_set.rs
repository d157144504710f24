//! [`EventSet`]: a set of events, in one word.

use super::event::Event;

/// A set of events.
#[derive(Clone, Copy, Default)]
pub(crate) struct EventSet(u64);

const _: () = assert!(Event::COUNT <= 64, "an event is a bit");

impl EventSet {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// The events paired with `true`.
    pub(crate) fn of(events: &[(Event, bool)]) -> Self {
        let mut set = Self::default();
        for (event, _) in events.iter().filter(|(_, there)| *there) {
            set.insert(*event);
        }
        set
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn insert(&mut self, event: Event) {
        self.0 |= 1 << event as u64;
    }

    pub(crate) const fn remove(&mut self, event: Event) {
        self.0 &= !(1 << event as u64);
    }

    #[inline]
    pub(crate) const fn contains(self, event: Event) -> bool {
        self.0 & (1 << event as u64) != 0
    }
}
