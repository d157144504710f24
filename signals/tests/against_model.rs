//! Random programs of nested emissions, compared with a simple model.
#![forbid(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;

use acedia::{Handle, Object, Owned, class};
use acedia_signals::{Connection, Signal, Terms};
use proptest::prelude::*;

const RECEIVERS: usize = 4;

/// An action of the program, or of a handler when it is called.
#[derive(Clone, Copy, Debug)]
enum Act {
    Connect {
        receiver: usize,
        terms: Terms,
    },
    /// Ends one of all connections that were ever made.
    End {
        connection: usize,
    },
    Disconnect {
        receiver: usize,
    },
    DisconnectAll,
    /// Frees a receiver; another one takes its place.
    Replace {
        receiver: usize,
    },
    Emit,
}

fn terms() -> impl Strategy<Value = Terms> {
    let priority = prop_oneof![4 => Just(0), 1 => -1..=1, 1 => any::<i32>()];
    (priority, proptest::bool::weighted(0.2)).prop_map(|(priority, once)| Terms { priority, once })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0..RECEIVERS, terms()).prop_map(|(receiver, terms)| Act::Connect { receiver, terms }),
        2 => any::<usize>().prop_map(|connection| Act::End { connection }),
        1 => (0..RECEIVERS).prop_map(|receiver| Act::Disconnect { receiver }),
        1 => Just(Act::DisconnectAll),
        2 => (0..RECEIVERS).prop_map(|receiver| Act::Replace { receiver }),
        3 => Just(Act::Emit),
    ]
}

/// The interface of real signals and the model.
trait World {
    fn connect(&self, receiver: usize, terms: Terms);
    fn end(&self, connection: usize);
    fn disconnect(&self, receiver: usize);
    fn disconnect_all(&self);
    fn replace(&self, receiver: usize);
    fn emit(&self);
    fn connections(&self) -> usize;
    fn script(&self) -> &Script;

    fn perform(&self, act: Act) {
        match act {
            Act::Connect { receiver, terms } => self.connect(receiver, terms),
            Act::End { connection } => match self.connections() {
                0 => {}
                connections => self.end(connection % connections),
            },
            Act::Disconnect { receiver } => self.disconnect(receiver),
            Act::DisconnectAll => self.disconnect_all(),
            Act::Replace { receiver } => self.replace(receiver),
            Act::Emit => {
                let depth = &self.script().depth;
                if depth.get() < 3 {
                    depth.set(depth.get() + 1);
                    self.script().log.borrow_mut().push(Event::Begin);
                    self.emit();
                    self.script().log.borrow_mut().push(Event::End);
                    depth.set(depth.get() - 1);
                }
            }
        }
    }

    /// The body of every handler: records the call, and performs the next act of the script.
    fn called(&self, connection: usize) {
        let script = self.script();
        script.log.borrow_mut().push(Event::Call(connection));
        let next = script.acts.borrow_mut().pop();
        if let Some(act) = next {
            self.perform(act);
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Event {
    Begin,
    Call(usize),
    End,
}

struct Script {
    /// The acts of handlers, in reverse order.
    acts: RefCell<Vec<Act>>,
    depth: Cell<u32>,
    log: RefCell<Vec<Event>>,
}

impl Script {
    fn new(acts: &[Act]) -> Self {
        Self {
            acts: RefCell::new(acts.to_vec()),
            depth: Cell::new(0),
            log: RefCell::default(),
        }
    }
}

#[derive(Default)]
struct Receiver;
impl Object for Receiver {
    class!(Receiver, "Model.Receiver");
}

struct Real {
    signal: Signal<Real>,
    receivers: RefCell<Vec<Owned<Receiver>>>,
    connections: RefCell<Vec<Connection>>,
    script: Script,
}

impl Real {
    fn handle(&self, receiver: usize) -> Handle<Receiver> {
        self.receivers.borrow()[receiver].handle()
    }
}

impl World for Real {
    fn connect(&self, receiver: usize, terms: Terms) {
        let number = self.connections();
        let handler = move |_: &Receiver, world: &Self| world.called(number);
        let connection = self.signal.connect_with(terms, self.handle(receiver), handler);
        self.connections.borrow_mut().push(connection);
    }

    fn end(&self, connection: usize) {
        self.connections.borrow()[connection].disconnect();
    }

    fn disconnect(&self, receiver: usize) {
        self.signal.disconnect(self.handle(receiver));
    }

    fn disconnect_all(&self) {
        self.signal.disconnect_all();
    }

    fn replace(&self, receiver: usize) {
        let next = Receiver::allocate();
        drop(std::mem::replace(&mut self.receivers.borrow_mut()[receiver], next));
    }

    fn emit(&self) {
        self.signal.emit(self);
    }

    fn connections(&self) -> usize {
        self.connections.borrow().len()
    }

    fn script(&self) -> &Script {
        &self.script
    }
}

/// A list of all connections that were ever made, each with its receiver, whether it lasts, and its terms.
struct Model {
    connections: RefCell<Vec<(usize, bool, Terms)>>,
    script: Script,
}

impl Model {
    fn end_all(&self, ends: impl Fn(usize) -> bool) {
        for (receiver, goes_on, _) in self.connections.borrow_mut().iter_mut() {
            *goes_on &= !ends(*receiver);
        }
    }
}

impl World for Model {
    fn connect(&self, receiver: usize, terms: Terms) {
        self.connections.borrow_mut().push((receiver, true, terms));
    }

    fn end(&self, connection: usize) {
        self.connections.borrow_mut()[connection].1 = false;
    }

    fn disconnect(&self, receiver: usize) {
        self.end_all(|of| of == receiver);
    }

    fn disconnect_all(&self) {
        self.end_all(|_| true);
    }

    fn replace(&self, receiver: usize) {
        self.end_all(|of| of == receiver);
    }

    fn emit(&self) {
        let mut order: Vec<usize> = (0..self.connections()).collect();
        order.sort_by_key(|connection| Reverse(self.connections.borrow()[*connection].2.priority));
        for connection in order {
            let (_, goes_on, terms) = self.connections.borrow()[connection];
            if goes_on {
                self.connections.borrow_mut()[connection].1 = !terms.once;
                self.called(connection);
            }
        }
    }

    fn connections(&self) -> usize {
        self.connections.borrow().len()
    }

    fn script(&self) -> &Script {
        &self.script
    }
}

thread_local! {
    /// Nested emissions with a call in them, and all calls.
    static SEEN: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

fn run(program: &[Act], acts: &[Act]) {
    let real = Real {
        signal: Signal::new(),
        receivers: RefCell::new((0..RECEIVERS).map(|_| Receiver::allocate()).collect()),
        connections: RefCell::default(),
        script: Script::new(acts),
    };
    let model = Model {
        connections: RefCell::default(),
        script: Script::new(acts),
    };
    for act in program {
        real.perform(*act);
        model.perform(*act);
        assert_eq!(real.script.log, model.script.log);
        let live = real
            .connections
            .borrow()
            .iter()
            .map(|it| it.is_connected())
            .collect::<Vec<_>>();
        let expected = model.connections.borrow().iter().map(|it| it.1).collect::<Vec<_>>();
        assert_eq!(live, expected);
        assert_eq!(real.signal.len(), expected.iter().filter(|goes_on| **goes_on).count());
    }
    let log = real.script.log.borrow();
    let (nested, calls) = SEEN.get();
    let is_nested = |pair: &[Event]| matches!(pair, [Event::Call(_), Event::Begin, Event::Call(_)]);
    SEEN.set((
        nested + u32::from(log.windows(3).any(is_nested)),
        calls + u32::from(log.iter().any(|event| matches!(event, Event::Call(_)))),
    ));
}

#[test]
fn signals_do_what_the_model_does() {
    let cases = if cfg!(miri) { 10 } else { 1000 };
    let acts = || proptest::collection::vec(act(), 0..60);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(&(acts(), acts()), |(program, acts)| {
        run(&program, &acts);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let (nested, calls) = SEEN.get();
    assert!(
        nested > cases / 10 && calls > cases / 2,
        "{nested} nested, {calls} with calls"
    );
}
