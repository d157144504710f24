//! [`Report`]: what the service says when it has ended.

use std::fmt;

use acedia::{Class, Object, Stats};
use acedia_collections::HashTable;
use acedia_text::Text;

use crate::objects::{Page, Request, Session};
use crate::store::Store;
use crate::tally::Tally;

/// The counts of the service, and the statistics of the pools.
#[derive(Debug)]
pub(crate) struct Report {
    tally: Tally,
    classes: Vec<(&'static Class, Stats)>,
}

impl Report {
    /// Call this when no other thread uses the pools any more: then their numbers are exact. Frees the pages.
    pub(crate) fn new(store: Store) -> Self {
        let tally = store.into_tally();
        let classes = [
            Request::class(),
            Page::class(),
            Session::class(),
            HashTable::class(),
            Text::class(),
        ];
        Self {
            tally,
            classes: classes.map(|class| (class, class.stats())).to_vec(),
        }
    }

    /// Whether every object was freed, and no connection panicked.
    pub(crate) fn is_clean(&self) -> bool {
        self.leaked() == 0 && self.tally.panicked.get() == 0
    }

    fn leaked(&self) -> u64 {
        self.classes.iter().map(|(_, stats)| stats.live).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            sessions,
            requests,
            stale,
            cut,
            broken,
            panicked,
        } = &self.tally;
        writeln!(f, "{requests} requests in {sessions} sessions")?;
        writeln!(
            f,
            "{stale} late replies to sessions that were over; {cut} requests cut off; {broken} connections broken"
        )?;
        writeln!(f)?;
        writeln!(
            f,
            "{:22} {:>9} {:>9} {:>6} {:>6}",
            "class", "fresh", "reused", "peak", "live"
        )?;
        for (class, stats) in &self.classes {
            let Stats {
                fresh,
                reused,
                peak,
                live,
                ..
            } = stats;
            writeln!(f, "{class:22} {fresh:>9} {reused:>9} {peak:>6} {live:>6}")?;
        }
        match (self.leaked(), panicked.get()) {
            (0, 0) => write!(f, "every object was freed"),
            (leaked, panicked) => write!(f, "{leaked} objects leaked, {panicked} connections panicked"),
        }
    }
}
