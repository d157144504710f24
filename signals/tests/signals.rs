//! Handlers that panic, free the signal, or end with their call; rules; dead and hidden receivers; threads. `against_model.rs`
//! tests order, changes during emissions and nested emissions.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

use acedia::{Object, Owned, class, pin};
use acedia_signals::{All, Any, Connection, First, Last, Rule, Signal, SimpleSignal, Sum, Terms};

#[path = "../../tests/support/barrier.rs"]
mod barrier;

use barrier::Barrier;

#[derive(Default)]
struct Receiver(u32);
impl Object for Receiver {
    class!(Receiver, "Test.Receiver");
}

fn receiver(number: u32) -> Owned<Receiver> {
    Receiver::allocate_with(|it| it.0 = number)
}

#[test]
fn a_dead_receiver_can_be_connected_and_is_never_called() {
    let (signal, live) = (Signal::<(), Vec<u32>>::new(), receiver(1));
    let dead = receiver(7).handle();
    assert!(!signal.connect(dead, |it, ()| it.0).is_connected());
    let connection = signal.connect(live.handle(), |it, ()| it.0);
    assert_eq!(signal.emit(&()), [1]);
    // By a connection's receiver, although it is dead.
    drop(live);
    assert_eq!(signal.disconnect(connection.receiver()), 1);
}

#[test]
fn a_receiver_out_of_sight_is_passed_over_and_stays() {
    let (signal, reserved) = (Signal::<(), Vec<u32>>::new(), Receiver::pool().reserve());
    signal.connect(reserved.handle(), |it, ()| it.0);
    assert_eq!(signal.emit(&()), []);
    let filled = reserved.fill(|it| it.0 = 5);
    assert_eq!(signal.emit(&()), [5]);
    drop(filled);
    assert_eq!(signal.emit(&()), []);
}

#[test]
fn freeing_a_signal_frees_its_connections() {
    let (signal, receiver) = (SimpleSignal::allocate(), receiver(0));
    let connection = signal.connect(receiver.handle(), |_, ()| panic!("was freed"));
    drop(signal);
    assert!(!connection.is_connected());
    // The next life of the signal begins without connections.
    SimpleSignal::allocate().emit(&());
}

/// A signal inside an object, and a handler that frees the object.
#[derive(Default)]
struct Door(Signal<(), Vec<u32>>);
impl Object for Door {
    class!(Door, "Test.Door");
    const FINALIZER: Option<fn(&mut Self)> = Some(|door| door.0.disconnect_all());
}

#[test]
fn a_signal_freed_by_a_handler_calls_nobody_any_more() {
    let (door, receivers) = (Door::allocate().into_manual(), [1, 2, 3].map(receiver));
    for receiver in &receivers {
        door.with(|it| {
            it.0.connect(receiver.handle(), move |it, ()| {
                if it.0 == 2 {
                    door.free().expect("alive");
                }
                it.0
            })
        });
    }
    // A pin keeps the door's finalizer from running meanwhile.
    for pinned in [Some(pin()), None] {
        assert_eq!(
            Signal::emit_of(door, |it| &it.0, &()),
            pinned.is_some().then(|| vec![1, 2])
        );
    }
    assert!(!door.is_allocated());
}

#[test]
fn a_handler_that_panics_ends_the_emission_and_nothing_else() {
    let (signal, receivers) = (Signal::<Cell<u32>>::new(), [1, 2, 3].map(receiver));
    for receiver in &receivers {
        signal.connect(receiver.handle(), |it, sum: &Cell<u32>| {
            assert!(it.0 != 2 || sum.get() > 5, "on purpose");
            sum.set(sum.get() + it.0);
        });
    }
    let sum = Cell::new(0);
    assert!(catch_unwind(AssertUnwindSafe(|| signal.emit(&sum))).is_err());
    assert_eq!((sum.get(), signal.len()), (1, 3));
    sum.set(5);
    signal.emit(&sum);
    assert_eq!(sum.get(), 11);
}

#[test]
fn a_rule_that_panics_ends_the_emission_and_nothing_else() {
    #[derive(Default)]
    struct Fragile(u32);
    impl Rule for Fragile {
        type Item = u32;
        type Output = u32;
        fn add(&mut self, item: u32) -> ControlFlow<()> {
            self.0 += item;
            assert!(self.0 < 10, "on purpose");
            ControlFlow::Continue(())
        }
        fn finish(self) -> u32 {
            self.0
        }
    }
    let (signal, receivers) = (Signal::<(), Fragile>::new(), [4, 5, 6].map(receiver));
    let connections = receivers
        .each_ref()
        .map(|it| signal.connect(it.handle(), |it, ()| it.0));
    assert!(catch_unwind(AssertUnwindSafe(|| signal.emit(&()))).is_err());
    connections[2].disconnect();
    assert_eq!(signal.emit(&()), 9);
}

#[test]
fn rules_combine_results() {
    fn emit<R: Rule>(items: &[fn() -> R::Item]) -> R::Output {
        let (signal, receiver) = (Signal::<(), R>::new(), receiver(0));
        for &item in items {
            signal.connect(receiver.handle(), move |_, ()| item());
        }
        signal.emit(&())
    }
    let (yes, no) = (|| true, || false);
    assert!(emit::<All>(&[]) && emit::<All>(&[yes, yes]) && !emit::<All>(&[no, yes]));
    assert!(!emit::<Any>(&[]) && !emit::<Any>(&[no, no]) && emit::<Any>(&[yes, no]));
    assert_eq!(emit::<Sum<u32>>(&[]), 0);
    assert_eq!(emit::<Sum<u32>>(&[|| 3, || 4]), 7);
    assert_eq!(emit::<Last<u32>>(&[]), None);
    assert_eq!(emit::<Last<u32>>(&[|| 3, || 4]), Some(4));
    assert_eq!(emit::<First<u32>>(&[|| None]), None);
    assert_eq!(emit::<First<u32>>(&[|| None, || Some(4), || panic!("called")]), Some(4));
    assert_eq!(emit::<Vec<u32>>(&[|| 3, || 4]), [3, 4]);
}

#[test]
fn arguments_may_be_unsized_and_changeable() {
    let (names, counts) = (Signal::<str, Vec<String>>::new(), Signal::<Cell<u32>>::new());
    let receiver = receiver(4);
    names.connect(receiver.handle(), |it, name| format!("{name} {}", it.0));
    counts.connect(receiver.handle(), |it, count: &Cell<u32>| count.set(count.get() + it.0));
    assert_eq!(names.emit("pawn"), ["pawn 4"]);
    let count = Cell::new(1);
    counts.emit(&count);
    assert_eq!(count.get(), 5);
}

#[test]
fn a_handler_for_one_call_has_ended_when_it_is_called() {
    struct Nest {
        signal: Signal<Nest, Sum<u32>>,
        connection: Cell<Option<Connection>>,
    }
    let (nest, receiver) = (
        Nest {
            signal: Signal::new(),
            connection: Cell::new(None),
        },
        receiver(1),
    );
    let connection = nest
        .signal
        .connect_with(Terms::ONCE, receiver.handle(), |it, nest: &Nest| {
            let connection = nest.connection.get().expect("set before");
            assert!(!connection.is_connected() && nest.signal.is_empty());
            it.0 + nest.signal.emit(nest) * 100
        });
    nest.connection.set(Some(connection));
    assert_eq!(
        (nest.signal.len(), nest.signal.emit(&nest), nest.signal.emit(&nest)),
        (1, 1, 0)
    );
    // A connection that ends before its call is not called, nor is one of a dead or hidden receiver.
    let never = nest
        .signal
        .connect_with(Terms::ONCE, receiver.handle(), |_, _| panic!("called"));
    never.disconnect();
    let reserved = Receiver::pool().reserve();
    let hidden = nest.signal.connect_with(Terms::ONCE, reserved.handle(), |it, _| it.0);
    assert_eq!(nest.signal.emit(&nest), 0);
    let _filled = reserved.fill(|it| it.0 = 9);
    assert_eq!((nest.signal.emit(&nest), hidden.is_connected()), (9, false));
}

#[test]
fn a_handler_for_one_call_that_panics_is_not_called_again() {
    let (signal, receiver) = (SimpleSignal::new(), receiver(0));
    signal.connect_with(Terms::ONCE, receiver.handle(), |_, ()| panic!("on purpose"));
    assert!(catch_unwind(AssertUnwindSafe(|| signal.emit(&()))).is_err());
    signal.emit(&());
    assert!(signal.is_empty());
}

#[test]
fn of_several_emissions_one_makes_the_one_call() {
    const THREADS: usize = 4;
    let rounds = if cfg!(miri) { 5 } else { 500 };
    let receiver = receiver(1);
    for _ in 0..rounds {
        let (signal, start) = (Signal::<(), Sum<u32>>::new(), Barrier::new(THREADS));
        for _ in 0..3 {
            signal.connect_with(Terms::ONCE, receiver.handle(), |it, ()| it.0);
        }
        let calls: u32 = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        signal.emit(&())
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert_eq!((calls, signal.len()), (3, 0));
    }
}

#[test]
fn threads_emit_connect_and_free_at_the_same_time() {
    const THREADS: u32 = 4;
    const TIMES: u32 = if cfg!(miri) { 20 } else { 2000 };
    let signal = Signal::<AtomicU32>::new();
    let (steady, start) = (receiver(1), Barrier::new(THREADS as usize));
    signal.connect(steady.handle(), |it, calls: &AtomicU32| {
        calls.fetch_add(it.0, SeqCst);
    });
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                start.wait();
                for time in 0..TIMES {
                    let mine = receiver(1000);
                    let connection = signal.connect(mine.handle(), |it, calls: &AtomicU32| {
                        assert_eq!(it.0, 1000, "another object's life");
                        calls.fetch_add(it.0, SeqCst);
                    });
                    let calls = AtomicU32::new(0);
                    signal.emit(&calls);
                    let calls = calls.into_inner();
                    assert_eq!(calls % 1000, 1, "the steady one is called once");
                    assert!(calls >= 1001, "and what this thread has connected");
                    match time % 3 {
                        0 => connection.disconnect(),
                        1 => assert_eq!(signal.disconnect(mine.handle()), 1),
                        _ => drop(mine),
                    }
                    assert!(!connection.is_connected());
                }
            });
        }
    });
    assert_eq!(signal.len(), 1);
    let calls = AtomicU32::new(0);
    signal.emit(&calls);
    assert_eq!(calls.into_inner(), 1);
}

#[test]
fn signals_and_connections_go_anywhere() {
    fn anywhere<T: Send + Sync + 'static>() {}
    anywhere::<Signal<Cell<u32>, Vec<std::rc::Rc<u32>>>>();
    anywhere::<Connection>();
    let signal = Arc::new(SimpleSignal::new());
    let receiver = receiver(0);
    let there = Arc::clone(&signal);
    let handle = receiver.handle();
    let connection = thread::spawn(move || there.connect(handle, |_, ()| ())).join();
    assert!(connection.expect("no panic").is_connected());
    assert_eq!(signal.len(), 1);
}

#[test]
fn what_a_failing_test_prints_says_who_is_connected() {
    let (signal, receiver) = (SimpleSignal::new(), receiver(0));
    let connection = signal.connect(receiver.handle(), |_, ()| ());
    let shown = format!("{connection:?}");
    assert!(
        shown.contains("Test.Receiver") && shown.contains("is_connected: true"),
        "{shown}"
    );
    assert_eq!(format!("{signal:?}"), "Signal(1 connection)");
    drop(receiver);
    assert!(format!("{connection:?}").contains("is_connected: false"));
    assert_eq!(format!("{signal:?}"), "Signal(0 connections)");
}
