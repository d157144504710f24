//! The rules of signals and slots in the seed's framework, row by row, and actions of handlers.
#![forbid(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::thread;

use acedia::pool::GuardsOnly;
use acedia::{Handle, Object, Owned, class, pin};
use acedia_signals::{All, Any, Connection, First, Last, Relay, Rule, Signal, SimpleSignal, Sum, Terms};

#[derive(Default)]
struct Receiver(u32);
impl Object for Receiver {
    class!(Receiver, "Test.Receiver");
}

fn receiver(number: u32) -> Owned<Receiver> {
    Receiver::allocate_with(|it| it.0 = number)
}

/// A signal, its receivers numbered from 0, and one connection of each. Emissions return the numbers of the called receivers.
///
/// Handlers get the whole world, so that they can change all of it.
struct World {
    signal: Signal<World, Vec<u32>>,
    receivers: RefCell<Vec<Option<Owned<Receiver>>>>,
    connections: Vec<Connection>,
    /// The action of a receiver's handler before it returns its number.
    act: fn(&World, u32),
}

impl World {
    fn new(receivers: u32, act: fn(&World, u32)) -> Self {
        let mut world = Self {
            signal: Signal::new(),
            receivers: RefCell::default(),
            connections: Vec::new(),
            act,
        };
        for number in 0..receivers {
            let receiver = receiver(number);
            world.connections.push(world.connect(receiver.handle()));
            world.receivers.borrow_mut().push(Some(receiver));
        }
        world
    }

    fn connect(&self, receiver: Handle<Receiver>) -> Connection {
        self.signal.connect(receiver, |it, world: &Self| {
            (world.act)(world, it.0);
            it.0
        })
    }

    fn handle(&self, receiver: usize) -> Handle<Receiver> {
        self.receivers.borrow()[receiver].as_ref().expect("alive").handle()
    }

    fn free(&self, receiver: usize) {
        let taken = self.receivers.borrow_mut()[receiver].take();
        drop(taken.expect("alive"));
    }

    fn emit(&self) -> Vec<u32> {
        self.signal.emit(self)
    }
}

fn nothing(_: &World, _: u32) {}

#[test]
fn emissions_go_in_connection_order_and_call_every_connection_of_a_receiver() {
    let world = World::new(3, nothing);
    let again = world.connect(world.handle(0));
    assert_eq!(world.emit(), [0, 1, 2, 0]);
    world.connections[0].disconnect();
    assert_eq!(world.emit(), [1, 2, 0], "each ends alone");
    assert!(again.is_connected() && !world.connections[0].is_connected());
    world.connections[0].disconnect();
    again.disconnect();
    world.connect(world.handle(0));
    assert_eq!(world.emit(), [1, 2, 0]);
    assert_eq!(world.signal.len(), 3);
}

#[test]
fn a_dead_receiver_can_be_connected_and_is_never_called() {
    let world = World::new(1, nothing);
    let dead = receiver(7).handle();
    assert!(!world.connect(dead).is_connected());
    assert_eq!(world.emit(), [0]);
    assert_eq!(format!("{:?}", world.signal), "Signal(1 connection)");
}

#[test]
fn who_is_connected_during_an_emission_waits_for_the_next_one() {
    let world = World::new(2, |world, number| {
        if number == 0 {
            world.connect(world.handle(1));
        }
    });
    assert_eq!(world.emit(), [0, 1]);
    assert_eq!(world.emit(), [0, 1, 1]);
    assert_eq!(world.emit(), [0, 1, 1, 1]);
}

#[test]
fn who_ends_during_an_emission_is_not_called_and_nobody_is_skipped() {
    // The handler of 1 ends an earlier connection, its own or a later one, in every way.
    const ENDS: [fn(&World, usize); 4] = [
        |world, victim| world.connections[victim].disconnect(),
        |world, victim| assert_eq!(world.signal.disconnect(world.handle(victim)), 1),
        |world, victim| world.free(victim),
        |world, victim| {
            let taken = world.receivers.borrow_mut()[victim].take();
            taken.expect("alive").into_manual().free().expect("manual");
        },
    ];
    thread_local! {
        static END: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    }
    for way in 0..ENDS.len() {
        for victim in 0..4 {
            END.set((way, victim));
            let world = World::new(4, |world, number| {
                let (way, victim) = END.get();
                if number == 1 && world.connections[victim].is_connected() {
                    ENDS[way](world, victim);
                }
            });
            let first: &[u32] = match victim {
                2 => &[0, 1, 3],
                3 => &[0, 1, 2],
                _ => &[0, 1, 2, 3],
            };
            assert_eq!(world.emit(), first, "way {way}, victim {victim}");
            let rest: Vec<u32> = (0..4).filter(|number| *number as usize != victim).collect();
            assert_eq!(world.emit(), rest, "way {way}, victim {victim}");
        }
    }
}

#[test]
fn disconnecting_a_receiver_ends_all_its_connections_waiting_ones_too() {
    let world = World::new(2, |world, number| {
        if number == 0 && world.signal.len() == 4 {
            // Waits for the next emission.
            world.connect(world.handle(1));
            assert_eq!(world.signal.disconnect(world.handle(1)), 3);
            assert_eq!(world.signal.disconnect(world.handle(1)), 0);
        }
    });
    world.connect(world.handle(1));
    world.connect(world.handle(0));
    assert_eq!(world.emit(), [0, 0]);
    assert_eq!(world.emit(), [0, 0]);
    // By the receiver of a connection, dead or alive.
    let zero = world.connections[0].receiver();
    world.free(0);
    assert_eq!(world.signal.disconnect(zero), 2);
    assert!(world.signal.is_empty());
}

#[test]
fn nested_emissions_call_what_is_connected_then_and_the_outer_one_goes_on() {
    thread_local! {
        static INNER: RefCell<Vec<Vec<u32>>> = const { RefCell::new(Vec::new()) };
    }
    let world = World::new(4, |world, number| {
        if number == 1 && INNER.with_borrow(Vec::is_empty) {
            INNER.with_borrow_mut(|inner| inner.push(Vec::new()));
            world.connect(world.handle(0));
            world.free(2);
            let called = world.emit();
            INNER.with_borrow_mut(|inner| inner.push(called));
        }
    });
    assert_eq!(world.emit(), [0, 1, 3]);
    assert_eq!(INNER.take(), [vec![], vec![0, 1, 3, 0]]);
    INNER.with_borrow_mut(|inner| inner.push(Vec::new()));
    assert_eq!(world.emit(), [0, 1, 3, 0]);
}

#[test]
fn a_receiver_out_of_sight_is_passed_over_and_stays() {
    let world = World::new(1, nothing);
    let reserved = Receiver::pool().reserve();
    world.connect(reserved.handle());
    assert_eq!(world.emit(), [0]);
    let filled = reserved.fill(|it| it.0 = 5);
    assert_eq!(world.emit(), [0, 5]);
    drop(filled);
    assert_eq!(world.emit(), [0]);
}

#[test]
fn freeing_a_signal_frees_its_connections() {
    let (signal, receiver) = (SimpleSignal::allocate(), receiver(0));
    let connection = signal.connect(receiver.handle(), |_, ()| panic!("was freed"));
    drop(signal);
    assert!(!connection.is_connected());
    // The next life of the signal begins without them.
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
    let world = World::new(3, |world, number| {
        if number == 0 {
            world.connect(world.handle(2));
        }
        assert!(number != 1 || world.signal.len() > 5, "on purpose");
    });
    for _ in 0..2 {
        assert!(catch_unwind(AssertUnwindSafe(|| world.emit())).is_err());
    }
    assert_eq!(world.signal.len(), 5);
    assert_eq!(world.emit(), [0, 1, 2, 2, 2]);
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
fn higher_priorities_are_called_first_and_equal_ones_in_order() {
    let (signal, receivers) = (Signal::<(), Vec<u32>>::new(), [0, 1, 2, 3, 4, 5, 6].map(receiver));
    let priorities = [0, 5, -5, 0, i32::MAX, 5, i32::MIN];
    let connections: Vec<_> = receivers
        .iter()
        .zip(priorities)
        .map(|(it, priority)| signal.connect_with(Terms::priority(priority), it.handle(), |it, ()| it.0))
        .collect();
    assert_eq!(signal.emit(&()), [4, 1, 5, 0, 3, 2, 6]);
    assert!(
        connections
            .iter()
            .zip(priorities)
            .all(|(it, priority)| it.priority() == priority)
    );
    connections[5].disconnect();
    signal.connect_with(Terms::priority(5), receivers[5].handle(), |it, ()| it.0 * 10);
    assert_eq!(signal.emit(&()), [4, 1, 50, 0, 3, 2, 6]);
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
    // One that ends before its call is not called, nor is one of a dead or hidden receiver.
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
fn a_value_runs_through_the_handlers_of_a_relay() {
    let (relay, receivers) = (Relay::<Vec<u32>>::new(), [1, 2, 3, 4].map(receiver));
    for (it, terms) in receivers.iter().zip([
        Terms::default(),
        Terms::priority(1),
        Terms::ONCE,
        Terms::priority(-1).once(),
    ]) {
        relay.connect_with(terms, it.handle(), |it, seen: &mut Vec<u32>| {
            let sum: u32 = seen.iter().sum();
            seen.push(it.0 * 100 + sum);
        });
    }
    let emit = || {
        let mut seen = vec![];
        relay.emit(&mut seen);
        seen
    };
    assert_eq!(emit(), [200, 300, 800, 1700]);
    assert_eq!(emit(), [200, 300]);
    let [_, second, ..] = receivers;
    drop(second);
    assert_eq!(relay.len(), 1);
    assert_eq!(emit(), [100]);
}

/// A relay inside an object. Pins of other tests do not delay its finalizer.
#[derive(Default)]
struct Scale(Relay<u32>);
impl Object for Scale {
    class!(Scale, "Test.Scale", readers = GuardsOnly);
    const FINALIZER: Option<fn(&mut Self)> = Some(|scale| scale.0.disconnect_all());
}

#[test]
fn a_relay_is_a_signal_in_everything_else() {
    // Unsized values, results, a panic, the end of the relay and of its object.
    let (relay, receiver) = (Relay::<[u32], Last<u32>>::new(), receiver(3));
    relay.connect(receiver.handle(), |it, numbers: &mut [u32]| {
        for number in numbers.iter_mut() {
            *number += it.0;
        }
        assert!(numbers[0] < 100, "on purpose");
        numbers[0]
    });
    let mut numbers = [1, 2];
    assert_eq!((relay.emit(&mut numbers), numbers), (Some(4), [4, 5]));
    let mut high = [99, 1];
    assert!(catch_unwind(AssertUnwindSafe(|| relay.emit(&mut high))).is_err());
    assert_eq!((high, relay.len()), ([102, 4], 1));
    assert_eq!(relay.disconnect(receiver.handle()), 1);
    assert_eq!((relay.emit(&mut numbers), numbers), (None, [4, 5]));

    let scale = Scale::allocate().into_manual();
    let connections = [0, 1, 2].map(|at| {
        let handler = move |_: &Receiver, value: &mut u32| {
            *value += 1;
            if at == 1 {
                scale.free().expect("alive");
            }
        };
        scale
            .with(|it| it.0.connect(receiver.handle(), handler))
            .expect("alive")
    });
    let mut value = 0;
    assert_eq!(Relay::emit_of(scale, |it| &it.0, &mut value), Some(()));
    assert_eq!((value, Relay::emit_of(scale, |it| &it.0, &mut value)), (2, None));
    assert!(connections.iter().all(|connection| !connection.is_connected()));
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
    anywhere::<Relay<Cell<u32>, Vec<std::rc::Rc<u32>>>>();
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
