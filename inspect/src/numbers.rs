//! The numbers of all classes, as JSON.

use std::env;
use std::time::Duration;

use acedia::pool::PinnedThread;
use acedia::{Class, Statistic, classes, leaks};
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
        "statistics": Statistic::ALL.iter().map(statistic).collect::<Vec<_>>(),
        "classes": classes().into_iter().map(class).collect::<Vec<_>>(),
        "pins": pins(),
    })
}

fn class(class: &'static Class) -> Value {
    let stats = class.stats();
    let mut object = json!({
        "name": class.name(),
        "type": class.type_name(),
        "policy": class.policy().to_string(),
        "object_size": class.object_size(),
    });
    for one in Statistic::ALL {
        object[one.name()] = one.of(&stats).into();
    }
    object
}

/// The names, units and meanings of the numbers, for the columns of the page.
fn statistic(statistic: &Statistic) -> Value {
    json!({
        "name": statistic.name(),
        "bytes": statistic.is_in_bytes(),
        "meaning": statistic.meaning(),
    })
}

/// The pins of the domains of all classes, the oldest first, each with the classes whose freed objects may wait for it.
fn pins() -> Vec<Value> {
    let mut pins: Vec<(PinnedThread, Vec<&str>)> = Vec::new();
    for class in classes() {
        let delays = (class.stats().waiting > 0).then_some(class.name());
        for thread in class.pinned_threads() {
            // Classes of one domain have the same pins.
            match pins.iter_mut().find(|(pin, _)| *pin == thread) {
                Some((_, delayed)) => delayed.extend(delays),
                None => pins.push((thread, delays.into_iter().collect())),
            }
        }
    }
    pins.sort_by_key(|(pin, _)| pin.since());
    let to_json = |(pin, delays): &(PinnedThread, Vec<&str>)| {
        json!({
            "thread": pin.name(),
            "seconds": pin.since().elapsed().as_secs_f64(),
            "place": pin.place().map(ToString::to_string),
            "delays": delays,
        })
    };
    pins.iter().map(to_json).collect()
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
