//! [`Latency`]: how long replies took.

use std::time::Duration;

/// The latency of each reply.
#[derive(Debug, Default)]
pub(crate) struct Latency(Vec<Duration>);

impl Latency {
    pub(crate) fn add(&mut self, took: Duration) {
        self.0.push(took);
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Two lines: replies per second, and the percentiles.
    pub(crate) fn report(mut self, seconds: f64) -> String {
        self.0.sort_unstable();
        let count = self.0.len();
        let milliseconds = |index: usize| self.0.get(index).map_or(0.0, |took| took.as_secs_f64() * 1000.0);
        // In thousandths.
        let percentile = |part: usize| milliseconds(count.saturating_sub(1) * part / 1000);
        #[expect(clippy::cast_precision_loss, reason = "there are not so many")]
        let per_second = count as f64 / seconds;
        format!(
            "{count} replies in {seconds:.2} s, {per_second:.0} per second\n\
             from sending a window to the reply: 50 % {:.2} ms, 90 % {:.2} ms, 99 % {:.2} ms, 99.9 % {:.2} ms, \
             longest {:.2} ms",
            percentile(500),
            percentile(900),
            percentile(990),
            percentile(999),
            milliseconds(count.saturating_sub(1)),
        )
    }
}
