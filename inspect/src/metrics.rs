//! The numbers of all classes, through the facade `metrics`.

use acedia::classes;
use metrics::{Unit, counter, describe_counter, describe_gauge, gauge};

use crate::numbers::{kept_bytes, longest_pin};

/// Units and descriptions.
fn describe() {
    let gauges = [
        ("acedia_live", Unit::Count, "objects alive"),
        (
            "acedia_peak",
            Unit::Count,
            "the most objects that existed at once, alive or free",
        ),
        ("acedia_kept", Unit::Count, "free objects kept for reuse"),
        (
            "acedia_kept_bytes",
            Unit::Bytes,
            "bytes of the free objects; with the memory that they own, if the policy is `KeepBytes`",
        ),
        ("acedia_waiting", Unit::Count, "freed objects that wait for readers"),
        (
            "acedia_longest_pin",
            Unit::Seconds,
            "how long the oldest pin of the class's domain has been held",
        ),
    ];
    for (name, unit, description) in gauges {
        describe_gauge!(name, unit, description);
    }
    let counters = [
        ("acedia_fresh", "objects made, for a life or ahead"),
        ("acedia_reused", "lives that reused an object"),
        ("acedia_refused", "reads whose object was gone"),
    ];
    for (name, description) in counters {
        describe_counter!(name, Unit::Count, description);
    }
}

/// Gives the numbers of every class that was ever used to the recorder, with its name as the label `class`.
///
/// | Metric | Kind | |
/// |---|---|---|
/// | `acedia_live`, `acedia_peak` | gauge | objects alive, and the most objects that existed at once, alive or free |
/// | `acedia_fresh`, `acedia_reused` | counter | objects made, for a life or ahead, and lives that reused one |
/// | `acedia_kept`, `acedia_kept_bytes` | gauge | free objects |
/// | `acedia_refused` | counter | reads whose object was gone: [`Stats::refused`](acedia::Stats::refused) |
/// | `acedia_waiting` | gauge | freed objects that wait for readers |
/// | `acedia_longest_pin` | gauge | seconds; 0 without a pin |
///
/// The numbers are those of the moment of this call, and stand still until the next: see
/// [`Stats`](acedia::Stats), also for `acedia_waiting`, which falls only when a thread finishes the objects that wait.
///
/// Call it before each export, or every few seconds. It also gives the units and descriptions. Without a recorder it has no
/// effect.
///
/// ```
/// # #[derive(Default)]
/// # struct Rocket;
/// # impl acedia::Object for Rocket { acedia::class!(Rocket, "Doc.Rocket"); }
/// use acedia::allocate;
///
/// let rocket = allocate::<Rocket>();
/// acedia_inspect::record_metrics(); // acedia_live{class="Doc.Rocket"} 1
/// ```
///
/// # Cost
///
/// For each class, the cost of [`Class::stats`](acedia::Class::stats), a visit of the flags of its readers, and
/// nine calls of the recorder; and nine calls for the descriptions.
#[expect(clippy::cast_precision_loss, reason = "gauges are floats, exact up to 2^53")]
pub fn record_metrics() {
    describe();
    for class in classes() {
        let stats = class.stats();
        if stats.lives == 0 {
            continue;
        }
        let name = class.name();
        gauge!("acedia_live", "class" => name).set(stats.live as f64);
        gauge!("acedia_peak", "class" => name).set(stats.peak as f64);
        counter!("acedia_fresh", "class" => name).absolute(stats.fresh);
        counter!("acedia_reused", "class" => name).absolute(stats.reused);
        counter!("acedia_refused", "class" => name).absolute(stats.refused);
        gauge!("acedia_kept", "class" => name).set(stats.kept as f64);
        gauge!("acedia_kept_bytes", "class" => name).set(kept_bytes(&stats) as f64);
        gauge!("acedia_waiting", "class" => name).set(stats.waiting as f64);
        gauge!("acedia_longest_pin", "class" => name).set(longest_pin(class).as_secs_f64());
    }
}
