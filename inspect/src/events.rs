//! The numbers of all classes, as events of `tracing`.

use acedia::classes;

use crate::numbers::longest_pin;

/// Passes the numbers of every class that was ever used to the subscriber: an event for each class, at the level `DEBUG`, with the
/// target `acedia_inspect`.
///
/// Its fields are `class`, `longest_pin` (seconds; 0 without a pin), and the numbers of [`Statistic::ALL`](acedia::Statistic::ALL).
///
/// Call it every few seconds, or at the end of a request. Without a subscriber for these events it has no effect.
///
/// ```
/// # #[derive(Default)]
/// # struct Rocket;
/// # impl acedia::Object for Rocket { acedia::class!(Rocket, "Doc.Rocket"); }
/// use acedia::allocate;
///
/// let rocket = allocate::<Rocket>();
/// acedia_inspect::record_events(); // DEBUG acedia_inspect: class="Doc.Rocket" live=1 peak=1 fresh=1 reused=0 …
/// ```
///
/// # Cost
///
/// For each class, the cost of [`Class::stats`](acedia::Class::stats); with a subscriber for the events, also a visit of
/// the flags of its readers, and one event.
pub fn record_events() {
    for class in classes() {
        let stats = class.stats();
        if stats.lives == 0 {
            continue;
        }
        // The names of an event's fields are constants. A test compares them with `Statistic::ALL`.
        tracing::debug!(
            target: "acedia_inspect",
            class = class.name(),
            live = stats.live,
            peak = stats.peak,
            fresh = stats.fresh,
            reused = stats.reused,
            kept = stats.kept,
            kept_bytes = stats.kept_bytes,
            waiting = stats.waiting,
            lives = stats.lives,
            bytes = stats.bytes,
            dropped = stats.dropped,
            retired = stats.retired,
            panics = stats.panics,
            refused = stats.refused,
            longest_pin = longest_pin(class).as_secs_f64(),
        );
    }
}
