//! The statistics of all classes, as events of `tracing`.

use std::time::Duration;

use acedia::{classes, held_back};

use crate::numbers::longest_pin;

/// The age from which a pin is reported in a warning.
const LONG: Duration = Duration::from_secs(1);

/// Passes the statistics of every class that was ever used to the subscriber: one event for each class, at the level `DEBUG`, with
/// the target `acedia_inspect`.
///
/// The fields of the event are `class`, `longest_pin` (in seconds; 0 without a pin), and the numbers of
/// [`Statistic::ALL`](acedia::Statistic::ALL).
///
/// For each pool in which freed objects wait for a pin that has been held for a second or longer, there is also an event at the
/// level `WARN`, even if the pool does not belong to a class. The fields of this event are `pool`, `objects` and `bytes`, and the
/// pin's `thread`, `seconds` and `place`: see [`held_back`].
///
/// Call this function every few seconds, or at the end of a request. Without a subscriber for these events it has no
/// effect.
///
/// ```
/// # #[derive(Default)]
/// # struct Rocket;
/// # impl acedia::Object for Rocket { acedia::class!(Rocket, "Doc.Rocket"); }
/// use acedia::allocate;
///
/// let rocket = allocate::<Rocket>();
/// // DEBUG acedia_inspect: class="Doc.Rocket" live=1 peak=1 fresh=1 reused=0 …
/// acedia_inspect::record_events();
/// ```
///
/// # Cost
///
/// For each class, the cost of [`Class::stats`](acedia::Class::stats). If there is a subscriber for the events, each
/// class also takes one visit of the flags of its readers, and one event. At the end, the cost of [`held_back`].
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
            worn = stats.worn,
            panics = stats.panics,
            refused = stats.refused,
            longest_pin = longest_pin(class).as_secs_f64(),
        );
    }
    for pool in held_back().pools() {
        let Some(pin) = pool.oldest_pin().filter(|pin| pin.since().elapsed() >= LONG) else {
            continue;
        };
        tracing::warn!(
            target: "acedia_inspect",
            pool = pool.name(),
            objects = pool.objects(),
            bytes = pool.bytes(),
            thread = pin.name(),
            seconds = pin.since().elapsed().as_secs_f64(),
            place = pin.place().map(ToString::to_string),
            "readers hold back freed objects",
        );
    }
}
