//! The signals.

use std::thread::sleep;
use std::time::Duration;

use acedia::{Object, Pools, collect_garbage};
use acedia_signals::{All, Any, First, Last, Relay, Rule, Signal, SimpleSignal, Sum, Terms};

use crate::shown::Shown;

#[derive(Default, Object)]
#[object(name = "Printed.Bell")]
struct Bell;

#[test]
fn signals_print() {
    let mut shown = Shown::default();
    let (noon, bell) = (SimpleSignal::new(), Bell::allocate());
    let connection = noon.connect(bell.handle(), |_, ()| ());
    // Not always life 1: a chunk takes over the lives of a pool that was dropped, here that of another test.
    let receiver = bell.handle().to_string();
    shown.both("Signal", &noon, "Signal(1 connection)", "1 connection");
    shown.both(
        "Connection",
        &connection,
        "Connection { receiver: AnyHandle(Printed.Bell, slot …, life …), slot: Handle(…), priority: 0, is_connected: true }",
        &format!("connection to {receiver}"),
    );
    drop(bell);
    shown.both(
        "Connection",
        &connection,
        "…is_connected: false }",
        &format!("connection to {receiver}, ended"),
    );
    assert!(receiver.starts_with("Printed.Bell in slot "), "{receiver}");
    noon.disconnect_all();
    shown.both("Signal", &noon, "Signal(0 connections)", "0 connections");

    let relay = Relay::<u8>::new();
    let orders = Signal::<u8>::new();
    let stream = orders.stream(2);
    for number in 0..3 {
        orders.emit(&number);
    }
    shown
        .both("Relay", &relay, "Relay(0 connections)", "0 connections")
        .both("Connections", &*relay, "Connections(0 connections)", "0 connections")
        .debug("Terms", &Terms::priority(3).once(), "Terms { priority: 3, once: true }")
        .debug("Emissions", &stream, "Emissions(2 waiting, 1 missed)");
    drop(orders);
    // While another test holds a pin, the stream has not ended.
    for _ in 0..10_000 {
        if format!("{stream:?}").contains("ended") {
            break;
        }
        collect_garbage(Pools::Keep);
        sleep(Duration::from_millis(1));
    }
    shown.debug("Emissions", &stream, "Emissions(2 waiting, 1 missed, ended)");

    let mut sum = Sum::default();
    assert!(sum.add(7).is_continue());
    shown
        .debug("Sum", &sum, "Sum(7)")
        .debug("All", &All::default(), "All(true)")
        .debug("Any", &Any::default(), "Any(false)")
        .debug("First", &First::<u8>::default(), "First(None)")
        .debug("Last", &Last::<u8>::default(), "Last(None)");
    shown.is_right();
}
