//! Signals against what one writes without them.

use crate::{
    case::{Case, nanoseconds},
    workload::{ACEDIA, Against, Column, Goal, SHOWN, Workload},
};
use acedia::{Object, Owned, class};
use acedia_signals::{Signal, Terms};
use std::{
    hint::black_box,
    sync::{
        Arc, RwLock, Weak,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

/// The same promises made by hand: any thread, receivers that may be gone.
const WEAK: &str = "RwLock, Vec of Weak and Box<dyn Fn>";

/// Promises nothing: no receivers, no other thread, no change during the emission.
const BARE: &str = "Vec<Box<dyn Fn>>";

/// Everything that is measured, in the order of the tables.
pub static ALL: &[Workload] = &[
    Workload {
        name: "emit",
        title: "Emit a signal, per handler",
        unit: "ns",
        columns: &[
            Column::new("1", || emit(1)),
            Column::new("10", || emit(10)),
            Column::new("100", || emit(100)),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(WEAK),
            at_most: &[SHOWN, Some(1.0), Some(1.0)],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "connect",
        title: "Connect and disconnect a handler of a signal that has others",
        unit: "ns",
        columns: &[
            Column::new("10", || connect(10)),
            Column::new("100,000, priorities rising", rising),
        ],
        goals: &[],
        rounds: usize::MAX,
    },
];

#[derive(Default)]
struct Receiver(AtomicU32);

impl Object for Receiver {
    class!(Receiver, "Bench.Receiver");
}

/// The work of every handler: little, so that the measurement is that of the way to it.
fn handle(counter: &AtomicU32, by: u32) {
    counter.store(by, Relaxed);
}

type Hand = Box<dyn Fn(&AtomicU32, &u32) + Send + Sync>;

/// A signal written by hand.
#[derive(Default)]
struct ByHand(RwLock<Vec<(Weak<AtomicU32>, Hand)>>);

impl ByHand {
    fn connect(&self, receiver: &Arc<AtomicU32>) {
        let hand: Hand = Box::new(|counter, by| handle(counter, *by));
        self.0.write().expect("no panic").push((Arc::downgrade(receiver), hand));
    }

    fn emit(&self, by: u32) {
        for (receiver, hand) in self.0.read().expect("no panic").iter() {
            if let Some(receiver) = receiver.upgrade() {
                hand(&receiver, &by);
            }
        }
    }

    fn disconnect(&self, receiver: &Arc<AtomicU32>) {
        let is_out = |of: &Weak<AtomicU32>| std::ptr::eq(of.as_ptr(), Arc::as_ptr(receiver));
        self.0.write().expect("no panic").retain(|(of, _)| !is_out(of));
    }
}

fn ours(handlers: usize) -> (Signal<u32>, Vec<Owned<Receiver>>) {
    let signal = Signal::new();
    let receivers: Vec<Owned<Receiver>> = (0..handlers).map(|_| Receiver::allocate()).collect();
    for receiver in &receivers {
        connect_ours(&signal, receiver);
    }
    (signal, receivers)
}

fn connect_ours(signal: &Signal<u32>, receiver: &Owned<Receiver>) {
    signal.connect(receiver.handle(), |receiver, by| handle(&receiver.0, *by));
}

fn by_hand(handlers: usize) -> (ByHand, Vec<Arc<AtomicU32>>) {
    let receivers: Vec<Arc<AtomicU32>> = (0..handlers).map(|_| Arc::default()).collect();
    let signal = ByHand::default();
    for receiver in &receivers {
        signal.connect(receiver);
    }
    (signal, receivers)
}

fn emit(handlers: usize) -> Vec<Case> {
    let (signal, receivers) = ours(handlers);
    let (hand, counters) = by_hand(handlers);
    let bare = counters.iter().map(|counter| {
        let counter = Arc::clone(counter);
        Box::new(move |by: &u32| handle(&counter, *by)) as Box<dyn Fn(&u32)>
    });
    let bare: Vec<_> = bare.collect();
    vec![
        Case::batches(ACEDIA, handlers, move || {
            signal.emit(black_box(&7));
            black_box(&receivers);
        }),
        Case::batches(WEAK, handlers, move || {
            hand.emit(black_box(7));
            black_box(&counters);
        }),
        Case::batches(BARE, handlers, move || {
            for handler in black_box(&bare) {
                handler(black_box(&7));
            }
        }),
    ]
}

fn connect(others: usize) -> Vec<Case> {
    let (signal, receivers) = ours(others);
    let (hand, counters) = by_hand(others);
    let (receiver, counter) = (Receiver::allocate(), Arc::default());
    vec![
        Case::batches(ACEDIA, 1, move || {
            connect_ours(&signal, &receiver);
            assert_eq!(signal.disconnect(receiver.handle()), 1);
            black_box(&receivers);
        }),
        Case::batches(WEAK, 1, move || {
            hand.connect(&counter);
            hand.disconnect(&counter);
            black_box(&counters);
        }),
    ]
}

/// Connects handlers, each with a higher priority than those before.
fn rising() -> Vec<Case> {
    const COUNT: i32 = if cfg!(test) { 100 } else { 100_000 };
    let receiver = Receiver::allocate();
    let rising = move || {
        let signal: Signal<u32> = Signal::new();
        nanoseconds(|| {
            for priority in 0..COUNT {
                let handler = |receiver: &Receiver, by: &u32| handle(&receiver.0, *by);
                signal.connect_with(Terms::priority(priority), receiver.handle(), handler);
            }
        })
    };
    vec![Case::fixed(ACEDIA, u64::from(COUNT.unsigned_abs()), rising)]
}
