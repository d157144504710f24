//! The numbers of all classes, as JSON.

use std::env;
use std::time::Duration;

use acedia::pool::PinnedThread;
use acedia::{Class, Statistic, classes, leaks};
use serde_json::{Map, Value, json};

/// `/stats.json`: the classes and the pins. `since` is the time since the inspector started.
pub(crate) fn stats(since: Duration) -> Value {
    let program = env::current_exe().ok();
    let program = program.as_ref().and_then(|path| path.file_name());
    json!({
        "program": program.map(|name| name.to_string_lossy()),
        "process": std::process::id(),
        "seconds": since.as_secs_f64(),
        "places": cfg!(debug_assertions),
        "statistics": Statistic::ALL.iter().map(statistic).collect::<Vec<_>>(),
        "classes": classes().into_iter().map(class).collect::<Vec<_>>(),
        "pins": Pin::all().iter().map(Pin::to_json).collect::<Vec<_>>(),
    })
}

fn class(class: &'static Class) -> Value {
    let stats = class.stats();
    let numbers = Statistic::ALL
        .iter()
        .map(|one| (one.name().to_owned(), one.of(&stats).into()));
    let mut object: Map<_, _> = numbers.collect();
    object.insert("name".to_owned(), class.name().into());
    object.insert("type".to_owned(), class.type_name().into());
    object.insert("policy".to_owned(), class.policy().to_string().into());
    object.insert("object_size".to_owned(), class.object_size().into());
    object.into()
}

/// The names, units and meanings of the numbers, for the columns of the page.
fn statistic(statistic: &Statistic) -> Value {
    json!({
        "name": statistic.name(),
        "bytes": statistic.is_in_bytes(),
        "meaning": statistic.meaning(),
    })
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
