//! The numbers of classes, as a subscriber of `tracing` gets them.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use acedia::pool::Domain;
use acedia::{Object, class, domain, pin};
use acedia_inspect::record_events;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

#[derive(Default)]
struct Rocket;
impl Object for Rocket {
    class!(Rocket, "Events.Rocket");
}

#[derive(Default)]
struct Never;
impl Object for Never {
    class!(Never, "Events.Never");
}

type Fields = BTreeMap<&'static str, String>;

/// Keeps the fields of each event up to a level.
#[derive(Clone)]
struct Keeps(Level, Arc<Mutex<Vec<Fields>>>);

impl Subscriber for Keeps {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= &self.0
    }

    fn event(&self, event: &Event<'_>) {
        struct Into<'a>(&'a mut Fields);
        impl Visit for Into<'_> {
            fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                self.0.insert(field.name(), format!("{value:?}"));
            }
        }
        let mut fields = Fields::from([("target", event.metadata().target().to_owned())]);
        event.record(&mut Into(&mut fields));
        self.1.lock().unwrap().push(fields);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn recorded(level: Level) -> Vec<Fields> {
    let keeps = Keeps(level, Arc::default());
    tracing::subscriber::with_default(keeps.clone(), record_events);
    std::mem::take(&mut *keeps.1.lock().unwrap())
}

#[test]
fn each_class_in_use_has_an_event() {
    let rockets: Vec<_> = (0..5).map(|_| Rocket::allocate()).collect();
    drop(rockets);
    let rocket = Rocket::allocate();
    let gone = Rocket::allocate().into_manual();
    assert_eq!((gone.free(), gone.guard().is_none()), (Ok(()), true));
    let pinned = pin();
    let of_rocket = |events: Vec<Fields>| {
        let is_rocket = |it: &Fields| it.get("class").is_some_and(|class| class == "\"Events.Rocket\"");
        let mut of_rocket = events.into_iter().filter(is_rocket);
        let only = of_rocket.next().expect("an event of the class");
        assert!(of_rocket.next().is_none());
        only
    };
    let events = recorded(Level::DEBUG);
    assert!(
        !events
            .iter()
            .any(|it| it.get("class").is_some_and(|class| class == "\"Events.Never\""))
    );
    let mut fields = of_rocket(events);
    assert!(fields.remove("longest_pin").unwrap().parse::<f64>().unwrap() > 0.0);
    for statistic in acedia::Statistic::ALL {
        let value = statistic.of(&Rocket::class().stats()).to_string();
        assert_eq!(fields.remove(statistic.name()), Some(value), "{}", statistic.name());
    }
    let wanted = [("class", "\"Events.Rocket\""), ("target", "acedia_inspect")];
    assert_eq!(fields, wanted.map(|(name, value)| (name, value.to_owned())).into());
    drop(pinned);
    assert_eq!(of_rocket(recorded(Level::DEBUG))["longest_pin"], "0.0");
    assert!(recorded(Level::INFO).iter().all(|it| it.contains_key("seconds")));
    drop(rocket);
}

domain! { Sleeping }

#[derive(Default)]
struct Late;
impl Object for Late {
    class!(Late, "Events.Late", readers = Sleeping);
    const FINALIZER: Option<fn(&mut Self)> = Some(|_| {});
}

#[test]
fn a_pin_that_is_held_long_is_a_warning() {
    let pinned = Sleeping::pin();
    let _ = Late::allocate().handle();
    let warnings = || {
        recorded(Level::WARN)
            .into_iter()
            .filter(|it| it["class"] == "\"Events.Late\"")
    };
    assert_eq!(warnings().count(), 0, "the pin is young");
    thread::sleep(Duration::from_secs(1));
    let mut events: Vec<_> = warnings().collect();
    assert_eq!(events.len(), 1);
    let mut event = events.remove(0);
    assert!(event.remove("seconds").unwrap().parse::<f64>().unwrap() >= 1.0);
    let place = event.remove("place");
    assert_eq!(
        place.is_some_and(|place| place.contains("events.rs:")),
        cfg!(debug_assertions)
    );
    let thread = format!("{:?}", thread::current().name().unwrap());
    let wanted = [
        ("class", "\"Events.Late\""),
        ("message", "freed objects wait for a pin"),
        ("target", "acedia_inspect"),
        ("thread", &thread),
        ("waiting", "1"),
    ];
    assert_eq!(event, wanted.map(|(name, value)| (name, value.to_owned())).into());
    drop(pinned);
    assert_eq!(warnings().count(), 0);
}
