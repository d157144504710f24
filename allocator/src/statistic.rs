//! [`Statistic`]: the table of the numbers of [`Stats`], from which pages, metrics and `Display` are written.

use std::fmt;

use crate::pool::Stats;

/// A number of [`Stats`]: its name, unit, meaning, and value. For programs that show or export all numbers, including those
/// that later versions add.
///
/// ```
/// use acedia::{Pool, Statistic};
///
/// let pool: Pool<u64> = Pool::new();
/// let _owner = pool.allocate();
/// let stats = pool.stats();
/// for statistic in Statistic::ALL {
///     println!("{} {} ({})", statistic.name(), statistic.of(&stats), statistic.meaning());
/// }
/// assert_eq!(Statistic::ALL[0].name(), "live");
/// assert_eq!(Statistic::ALL[0].of(&stats), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Statistic {
    name: &'static str,
    in_bytes: bool,
    meaning: &'static str,
    of: fn(&Stats) -> u64,
}

macro_rules! table {
    ($($name:ident $in_bytes:literal $meaning:literal;)*) => {{
        // A field without a line does not compile.
        const _: fn(Stats) = |Stats { $($name: _),* }| ();
        [$(Statistic {
            name: stringify!($name),
            in_bytes: $in_bytes,
            meaning: $meaning,
            of: |stats| stats.$name,
        }),*]
    }};
}

impl Statistic {
    /// All numbers, the most important first.
    // A new field of `Stats` needs a line here, and a field of the inspector's event.
    pub const ALL: &'static [Self] = &table! {
        live false "objects alive";
        kept false "free objects kept for reuse";
        waiting false "freed objects waiting for readers";
        bytes true "bytes of all objects, alive or free, without the memory that they own";
    };

    /// The name of the field of [`Stats`].
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the number counts bytes, and not objects.
    #[must_use]
    pub fn is_in_bytes(&self) -> bool {
        self.in_bytes
    }

    /// The meaning of the number, as a phrase for the middle of a sentence.
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// The value in `stats`.
    #[must_use]
    #[doc(alias = "value")]
    pub fn of(&self, stats: &Stats) -> u64 {
        (self.of)(stats)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, statistic) in Statistic::ALL.iter().enumerate() {
            let value = statistic.of(self);
            if nth == 0 {
                write!(f, "{} {value}", statistic.name)?;
            } else if value > 0 {
                write!(f, ", {} {value}", statistic.name)?;
            }
        }
        Ok(())
    }
}
