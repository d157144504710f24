//! [`Census`]: the library's statistics of every class, checked against the counts of the match.

use acedia::{Class, Object, PlainObject};
use acedia_boxes::IntBox;
use acedia_text::Text;

use crate::objects::{Item, Projectile};
use crate::round::Outcome;
use crate::tally;

/// The numbers of one class at the end of the match.
#[derive(Debug)]
pub(crate) struct Census {
    pub(crate) name: &'static str,
    pub(crate) lives: u64,
    pub(crate) fresh: u64,
    pub(crate) reused: u64,
    pub(crate) peak: u64,
    /// Bytes of the objects that exist, without what they own elsewhere.
    pub(crate) bytes: u64,
    /// Looks through a handle whose object was dead.
    pub(crate) refused: u64,
    /// Finalizers run, for a class that has one.
    pub(crate) finalizers: Option<u64>,
    /// Objects that are still alive, and lives that ended without their finalizer. Must be 0.
    pub(crate) leaked: u64,
}

impl Census {
    /// All classes, the match's own first.
    pub(crate) fn of_all(outcome: &Outcome) -> Vec<Self> {
        let refused = |row: usize| outcome.seen[row].refused;
        vec![
            Self::of(Projectile::class(), refused(Projectile::ROW), None),
            Self::of(Item::class(), refused(Item::ROW), Some(tally::finalizers(Item::ROW))),
            Self::of(Text::class(), 0, None),
            Self::of(IntBox::class(), 0, None),
        ]
    }

    fn of(class: &'static Class, refused: u64, finalizers: Option<u64>) -> Self {
        let stats = class.stats();
        let unfinished = finalizers.map_or(0, |run| stats.lives.abs_diff(run));
        Self {
            name: class.name(),
            lives: stats.lives,
            fresh: stats.fresh,
            reused: stats.reused,
            peak: stats.peak,
            bytes: stats.bytes,
            refused,
            finalizers,
            // An object that is still alive has not been finalized either, and counts once.
            leaked: stats.live.max(unfinished),
        }
    }
}
