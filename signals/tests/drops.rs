//! The time at which captured values of handlers are dropped. A single test in its process, because a pin on another thread
//! would delay the drops.
#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

use acedia::{AnyHandle, Class, Object, Owned, assert_no_leaks, class, classes, leaks};
use acedia_signals::{Signal, SimpleSignal};

#[path = "../../tests/support/barrier.rs"]
mod barrier;

use barrier::Barrier;

#[derive(Default)]
struct Receiver;
impl Object for Receiver {
    class!(Receiver, "Test.Receiver");
}

#[test]
fn what_handlers_own_is_dropped_in_time() {
    a_connection_of_a_freed_receiver_is_no_leak();
    dropped_with_the_connection_the_signal_or_an_emission();
    a_signal_that_is_never_emitted_does_not_collect_the_dead();
    the_next_life_of_a_receiver_is_somebody_else();
    emissions_of_an_object_forget_the_dead();
    a_panic_leaves_no_connection_and_no_pin_behind();
    what_handlers_own_may_use_the_signal_while_it_is_dropped();
    several_threads_that_end_one_connection_drop_its_handler_once();
}

/// Counts its drop.
struct Dropped<'a>(&'a AtomicU32);
impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// Connects `times` handlers, each with a captured value. `dropped` counts the dropped values.
fn connect_owners(signal: &SimpleSignal, receiver: &Owned<Receiver>, dropped: &'static AtomicU32, times: usize) {
    for _ in 0..times {
        let owned = Dropped(dropped);
        signal.connect(receiver.handle(), move |_, ()| {
            let _ = &owned;
        });
    }
}

fn a_connection_of_a_freed_receiver_is_no_leak() {
    static SIGNAL: SimpleSignal = Signal::new();
    let receiver = Receiver::allocate();
    SIGNAL.connect(receiver.handle(), |_, ()| ());
    assert_eq!(leaks().objects(), 2);
    drop(receiver);
    assert_no_leaks();
    SIGNAL.emit(&());
    assert_no_leaks();
}

fn dropped_with_the_connection_the_signal_or_an_emission() {
    static DROPPED: AtomicU32 = AtomicU32::new(0);
    let (signal, one, other) = (SimpleSignal::new(), Receiver::allocate(), Receiver::allocate());
    connect_owners(&signal, &one, &DROPPED, 2);
    assert_eq!(signal.disconnect(one.handle()), 2);
    assert_eq!(DROPPED.swap(0, SeqCst), 2, "at once");
    connect_owners(&signal, &one, &DROPPED, 3);
    connect_owners(&signal, &other, &DROPPED, 4);
    drop(one);
    assert_eq!(DROPPED.load(SeqCst), 0, "lazily");
    signal.emit(&());
    assert_eq!(DROPPED.swap(0, SeqCst), 3);
    drop(signal);
    assert_eq!(DROPPED.swap(0, SeqCst), 4);
}

fn a_signal_that_is_never_emitted_does_not_collect_the_dead() {
    static DROPPED: AtomicU32 = AtomicU32::new(0);
    let (signal, live) = (SimpleSignal::new(), Receiver::allocate());
    connect_owners(&signal, &live, &DROPPED, 10);
    for _ in 0..1000 {
        connect_owners(&signal, &Receiver::allocate(), &DROPPED, 1);
    }
    let kept = 1010 - DROPPED.load(SeqCst);
    assert!((10..40).contains(&kept), "{kept}");
    assert_eq!(signal.len(), 10);
}

fn the_next_life_of_a_receiver_is_somebody_else() {
    let (signal, dead) = (SimpleSignal::new(), Receiver::allocate().handle());
    signal.connect(dead, |_, ()| panic!("is dead"));
    let next = Receiver::allocate();
    assert_eq!(next.index(), dead.index());
    signal.emit(&());
    assert!(signal.is_empty());
}

fn emissions_of_an_object_forget_the_dead() {
    static DROPPED: AtomicU32 = AtomicU32::new(0);
    let (signal, live) = (SimpleSignal::allocate(), Receiver::allocate());
    connect_owners(&signal, &Receiver::allocate(), &DROPPED, 1);
    connect_owners(&signal, &live, &DROPPED, 1);
    assert_eq!(Signal::emit_of(signal.handle(), |it| it, &()), Some(()));
    assert_eq!(DROPPED.load(SeqCst), 1);
    assert_eq!(signal.len(), 1);
}

fn a_panic_leaves_no_connection_and_no_pin_behind() {
    struct Explodes;
    impl Drop for Explodes {
        fn drop(&mut self) {
            panic!("on purpose");
        }
    }
    static DROPPED: AtomicU32 = AtomicU32::new(0);
    let (signal, receiver) = (SimpleSignal::new(), Receiver::allocate());
    connect_owners(&signal, &receiver, &DROPPED, 2);
    let connect_explosive = || {
        let explodes = Explodes;
        signal.connect(receiver.handle(), move |_, ()| {
            let _ = &explodes;
        })
    };
    // A second panic would abort the process.
    let connection = connect_explosive();
    connect_owners(&signal, &receiver, &DROPPED, 2);
    connect_explosive();
    connect_owners(&signal, &receiver, &DROPPED, 2);
    assert!(catch_unwind(AssertUnwindSafe(|| signal.disconnect_all())).is_err());
    assert_eq!(DROPPED.load(SeqCst), 6);
    assert!(signal.is_empty() && !connection.is_connected());
    signal.connect(receiver.handle(), |_, ()| panic!("on purpose"));
    assert!(catch_unwind(AssertUnwindSafe(|| signal.emit(&()))).is_err());
    // A remaining pin would prevent the reuse of the slot.
    let index = receiver.index();
    drop(receiver);
    assert_eq!(Receiver::allocate().index(), index);
}

fn what_handlers_own_may_use_the_signal_while_it_is_dropped() {
    struct Emits(&'static SimpleSignal, Owned<Receiver>);
    impl Drop for Emits {
        fn drop(&mut self) {
            self.0.emit(&());
            self.0.connect(self.1.handle(), |_, ()| ());
            self.0.disconnect(self.1.handle());
        }
    }
    static SIGNAL: SimpleSignal = Signal::new();
    let live = Receiver::allocate();
    for number in 0..100 {
        let owned = Emits(&SIGNAL, Receiver::allocate());
        let target = if number % 2 == 0 {
            live.handle()
        } else {
            Receiver::allocate().handle()
        };
        SIGNAL.connect(target, move |_, ()| {
            let _ = &owned;
        });
    }
    assert_eq!(SIGNAL.len(), 50);
    SIGNAL.emit(&());
    assert_eq!(SIGNAL.disconnect(live.handle()), 50);
    assert!(SIGNAL.is_empty());
}

fn several_threads_that_end_one_connection_drop_its_handler_once() {
    const THREADS: usize = 4;
    static DROPPED: AtomicU32 = AtomicU32::new(0);
    let rounds = if cfg!(miri) { 5 } else { 200 };
    for _ in 0..rounds {
        let (signal, receiver) = (SimpleSignal::new(), Receiver::allocate());
        connect_owners(&signal, &receiver, &DROPPED, 1);
        let any: AnyHandle = receiver.handle().into();
        let start = Barrier::new(THREADS);
        let ended: usize = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        signal.disconnect(any)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert_eq!(ended, 1);
    }
    // The last values, whose drop another thread's pin has delayed.
    classes().into_iter().for_each(Class::settle);
    assert_eq!(DROPPED.load(SeqCst), rounds);
}
