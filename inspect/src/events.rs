//! The statistics of all classes, as events of `tracing`.

use std::time::Duration;

use acedia::classes;
use acedia::pool::PinnedThread;

use crate::numbers::longest_pin;

/// The age from which a pin is reported in a warning.
const LONG: Duration = Duration::from_secs(1);

/// Passes the statistics of every class that has objects to the subscriber: one event for each class, at the level `DEBUG`, with
/// the target `acedia_inspect`.
///
/// The fields of the event are `class`, `longest_pin` (in seconds; 0 without a pin), and the numbers of
/// [`Statistic::ALL`](acedia::Statistic::ALL).
///
/// For each class in which freed objects wait while a pin has been held for a second or longer, there is also an event at the
/// level `WARN`. The fields of this event are `class`, `waiting`, and the pin's `thread`, `seconds` and `place`.
///
/// Call this function every few seconds, or at the end of a request. Without a subscriber for these events it has no
/// effect.
///
/// ```
/// # #[derive(Default)]
/// # struct Rocket;
/// # impl acedia::Object for Rocket { acedia::class!(Rocket, "Doc.Rocket"); }
/// use acedia::Object;
///
/// let rocket = Rocket::allocate();
/// // DEBUG acedia_inspect: class="Doc.Rocket" live=1 kept=0 waiting=0 bytes=16 …
/// acedia_inspect::record_events();
/// ```
///
/// # Cost
///
/// For each class, the cost of [`Class::stats`](acedia::Class::stats). If there is a subscriber for the events, each
/// class also takes one visit of the flags of its readers, and one event.
pub fn record_events() {
    for class in classes() {
        let stats = class.stats();
        if stats.bytes == 0 {
            continue;
        }
        // The names of an event's fields are constants. A test compares them with `Statistic::ALL`.
        tracing::debug!(
            target: "acedia_inspect",
            class = class.name(),
            live = stats.live,
            kept = stats.kept,
            waiting = stats.waiting,
            bytes = stats.bytes,
            longest_pin = longest_pin(class).as_secs_f64(),
        );
        if stats.waiting == 0 {
            continue;
        }
        let pins = class.pinned_threads();
        let oldest = pins.iter().min_by_key(|pin: &&PinnedThread| pin.since());
        if let Some(pin) = oldest.filter(|pin| pin.since().elapsed() >= LONG) {
            tracing::warn!(
                target: "acedia_inspect",
                class = class.name(),
                waiting = stats.waiting,
                thread = pin.name(),
                seconds = pin.since().elapsed().as_secs_f64(),
                place = pin.place().map(ToString::to_string),
                "freed objects wait for a pin",
            );
        }
    }
}
