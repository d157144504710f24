//! The numbers of all classes, as JSON.

use std::env;
use std::time::Duration;

use acedia::pool::PinnedThread;
use acedia::{Class, Stats, classes, leaks};
use serde_json::{Value, json};

/// `/stats.json`: the classes and the pins. `since` is the time since the inspector started.
pub(crate) fn stats(since: Duration) -> Value {
    let program = env::current_exe().ok();
    let program = program.as_ref().and_then(|path| path.file_name());
    json!({
        "program": program.map(|name| name.to_string_lossy()),
        "process": std::process::id(),
        "seconds": since.as_secs_f64(),
        "places": cfg!(debug_assertions),
        "classes": classes().into_iter().map(class).collect::<Vec<_>>(),
        "pins": Pin::all().iter().map(Pin::to_json).collect::<Vec<_>>(),
    })
}

fn class(class: &'static Class) -> Value {
    let stats = class.stats();
    json!({
        "name": class.name(),
        "type": class.type_name(),
        "policy": class.policy().to_string(),
        "object_size": class.object_size(),
        "live": stats.live,
        "peak": stats.peak,
        "lives": stats.lives,
        "fresh": stats.fresh,
        "reused": stats.reused,
        "kept": stats.kept,
        "waiting": stats.waiting,
        "retired": stats.retired,
        "dropped": stats.dropped,
        "panics": stats.panics,
        "refused": stats.refused,
        "bytes": stats.bytes,
        "kept_bytes": kept_bytes(&stats),
    })
}

/// The bytes of the free objects: all objects of a class have the same size. With the memory that they own if the pool weighs
/// them.
pub(crate) fn kept_bytes(stats: &Stats) -> u64 {
    let objects = stats.live + stats.kept;
    let slots = stats.bytes.checked_div(objects).unwrap_or_default() * stats.kept;
    slots.max(stats.kept_bytes)
}

/// The time since the oldest pin that freed objects of the class may wait for. Zero without a pin.
#[cfg(any(feature = "metrics", feature = "tracing"))]
pub(crate) fn longest_pin(class: &Class) -> Duration {
    let oldest = class.pinned_threads().iter().map(PinnedThread::since).min();
    oldest.map_or(Duration::ZERO, |since| since.elapsed())
}

/// A pin, and the classes with freed objects that may wait for it.
struct Pin {
    thread: PinnedThread,
    delays: Vec<&'static Class>,
}

impl Pin {
    /// The pins of all domains in which classes are, the longest first.
    fn all() -> Vec<Self> {
        let mut pins: Vec<Self> = Vec::new();
        for class in classes() {
            let delays = (class.stats().waiting > 0).then_some(class);
            for thread in class.pinned_threads() {
                // Classes of one domain have the same pins.
                match pins.iter_mut().find(|pin| pin.is_of(&thread)) {
                    Some(pin) => pin.delays.extend(delays),
                    None => pins.push(Self {
                        thread,
                        delays: delays.into_iter().collect(),
                    }),
                }
            }
        }
        pins.sort_by_key(|pin| pin.thread.since());
        pins
    }

    fn is_of(&self, thread: &PinnedThread) -> bool {
        let own = &self.thread;
        (own.since(), own.name(), own.place()) == (thread.since(), thread.name(), thread.place())
    }

    fn to_json(&self) -> Value {
        json!({
            "thread": self.thread.name(),
            "seconds": self.thread.since().elapsed().as_secs_f64(),
            "place": self.thread.place().map(ToString::to_string),
            "delays": self.delays.iter().map(|class| class.name()).collect::<Vec<_>>(),
        })
    }
}

/// `/living.json`: the living objects by class and place of allocation.
pub(crate) fn living() -> Value {
    let living = leaks();
    let groups = living.groups().iter().map(|group| {
        json!({
            "class": group.class().name(),
            "objects": group.objects(),
            "handles": group.handles().len(),
            "place": group.allocated_at().map(ToString::to_string),
        })
    });
    json!({
        "places": cfg!(debug_assertions),
        "objects": living.objects(),
        "groups": groups.collect::<Vec<_>>(),
    })
}
