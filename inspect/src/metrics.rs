//! The statistics of all classes, through the facade `metrics`.

use std::time::Duration;

use acedia::pool::PinnedThread;
use acedia::{Statistic, classes};
use metrics::{describe_gauge, gauge};

fn name(statistic: &Statistic) -> String {
    format!("acedia_{}", statistic.name())
}

/// Units and descriptions.
fn describe() {
    for one in Statistic::ALL {
        let unit = if one.is_in_bytes() {
            metrics::Unit::Bytes
        } else {
            metrics::Unit::Count
        };
        describe_gauge!(name(one), unit, one.meaning());
    }
    describe_gauge!(
        "acedia_longest_pin",
        metrics::Unit::Seconds,
        "how long the oldest pin of the class's domain has been held"
    );
}

/// Passes the statistics of every class to the recorder. The label `class` is the name of the class.
///
/// The metrics are gauges: `acedia_live`, `acedia_kept` and so on, one for each number of [`Statistic::ALL`], and
/// `acedia_longest_pin` in seconds, which is 0 without a pin.
///
/// The metrics keep the values of this call until the next call: see [`Stats`](acedia::Stats).
/// `acedia_waiting` falls only when a thread finishes the objects that wait.
///
/// Call this function before each export, or every few seconds. It also passes the units and descriptions. Without a
/// recorder it has no effect.
///
/// ```
/// # #[derive(Default)]
/// # struct Rocket;
/// # impl acedia::Object for Rocket { acedia::class!(Rocket, "Doc.Rocket"); }
/// use acedia::Object;
///
/// let rocket = Rocket::allocate();
/// acedia_inspect::record_metrics(); // acedia_live{class="Doc.Rocket"} 1
/// ```
///
/// # Cost
///
/// For each class, the cost of [`Class::stats`](acedia::Class::stats), one visit of the flags of its readers, and one
/// call of the recorder for each number. The descriptions take as many calls as one more class.
#[expect(clippy::cast_precision_loss, reason = "gauges are floats, exact up to 2^53")]
pub fn record_metrics() {
    describe();
    for class in classes() {
        let stats = class.stats();
        for one in Statistic::ALL {
            gauge!(name(one), "class" => class.name()).set(one.of(&stats) as f64);
        }
        let oldest = class.pinned_threads().iter().map(PinnedThread::since).min();
        let longest = oldest.map_or(Duration::ZERO, |since| since.elapsed());
        gauge!("acedia_longest_pin", "class" => class.name()).set(longest.as_secs_f64());
    }
}
