//! The metrics, as a recorder gets them.

use std::collections::BTreeMap;

use acedia::{Object, class, pin};
use acedia_inspect::record_metrics;
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};

#[derive(Default)]
struct Rocket(#[allow(dead_code, reason = "so that an object has a size")] [u64; 4]);
impl Object for Rocket {
    class!(Rocket, "Recorded.Rocket");
}

#[derive(Default)]
struct Never;
impl Object for Never {
    class!(Never, "Recorded.Never");
}

/// The values of all metrics of one class. Each has a description.
fn recorded(snapshotter: &Snapshotter, class: &str) -> BTreeMap<String, f64> {
    let mut values = BTreeMap::new();
    for (key, _, description, value) in snapshotter.snapshot().into_vec() {
        let key = key.key();
        assert!(description.is_some(), "{} has no description", key.name());
        let labels: Vec<_> = key.labels().map(|label| (label.key(), label.value())).collect();
        if labels == [("class", class)] {
            let value = match value {
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                DebugValue::Counter(count) => count as f64,
                DebugValue::Gauge(value) => value.into_inner(),
                DebugValue::Histogram(_) => panic!("no histogram is recorded"),
            };
            values.insert(key.name().to_owned(), value);
        }
    }
    values
}

#[test]
fn each_class_in_use_has_its_metrics() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    let rockets: Vec<_> = (0..5).map(|_| Rocket::allocate()).collect();
    drop(rockets);
    let rocket = Rocket::allocate();
    let gone = Rocket::allocate().into_manual();
    assert_eq!(
        (gone.with(|_| ()), gone.free(), gone.with(|_| ())),
        (Some(()), Ok(()), None)
    );
    metrics::with_local_recorder(&recorder, record_metrics);
    let mut values = recorded(&snapshotter, "Recorded.Rocket");
    let bytes = values.remove("acedia_bytes").expect("the bytes");
    assert!(bytes >= 5.0 * 32.0, "{bytes}");
    let wanted = [
        ("acedia_kept", 4.0),
        ("acedia_live", 1.0),
        ("acedia_longest_pin", 0.0),
        ("acedia_waiting", 0.0),
    ];
    let wanted: BTreeMap<_, _> = wanted.map(|(name, value)| (name.to_owned(), value)).into();
    assert_eq!(values, wanted);
    assert!(recorded(&snapshotter, "Recorded.Never")["acedia_bytes"].abs() < f64::EPSILON);

    // One pin, and no objects.
    drop(rocket);
    Rocket::class().collect();
    metrics::with_local_recorder(&recorder, record_metrics);
    assert!(recorded(&snapshotter, "Recorded.Rocket")["acedia_kept"].abs() < f64::EPSILON);
    let again = Rocket::allocate();
    let pinned = pin();
    metrics::with_local_recorder(&recorder, record_metrics);
    let values = recorded(&snapshotter, "Recorded.Rocket");
    assert!(values["acedia_longest_pin"] > 0.0);
    drop((pinned, again));
}
