//! The numbers of all classes, as events of `tracing`.

use std::time::Duration;

use acedia::{classes, held_back};

use crate::numbers::longest_pin;

/// The age from which a pin is reported in a warning.
const LONG: Duration = Duration::from_secs(1);

/// Passes the numbers of every class that was ever used to the subscriber: an event for each class, at the level `DEBUG`, with the
/// target `acedia_inspect`.
///
/// Its fields are `class`, `longest_pin` (seconds; 0 without a pin), and the numbers of [`Statistic::ALL`](acedia::Statistic::ALL).
///
/// Each pool in which freed objects wait, and whose oldest pin is held for a second or longer, is an event at the level `WARN`, also if the
/// pool is not that of a class. Its fields are `pool`, `objects`, `bytes`, and of the pin `thread`, `seconds` and `place`: see
/// [`held_back`].
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
/// // DEBUG acedia_inspect: class="Doc.Rocket" live=1 peak=1 fresh=1 reused=0 …
/// acedia_inspect::record_events();
/// ```
///
/// # Cost
///
/// For each class, the cost of [`Class::stats`](acedia::Class::stats); with a subscriber for the events, also a visit of
/// the flags of its readers, and one event. Then the cost of [`held_back`].
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
