//! Asynchronous streams of emissions. The runtime is a waker that counts.
#![cfg(feature = "stream")]
#![forbid(unsafe_code)]
#![expect(clippy::items_after_statements, reason = "each test begins with `alone`")]

use std::cell::RefCell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use acedia::Object;
use acedia_signals::{Connection, Emissions, Signal, SimpleSignal};
use futures_core::Stream;

/// Keeps the tests apart: a pin of another test would put off the drop of a handler, and so the end of a stream.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicU32);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// A task that polls a stream by hand.
#[derive(Default)]
struct Task(Arc<Woken>);

impl Task {
    fn poll<A>(&self, stream: &mut Emissions<A>) -> Poll<Option<A>> {
        let waker = Waker::from(Arc::clone(&self.0));
        pin!(stream.next()).poll(&mut Context::from_waker(&waker))
    }

    /// How often it was woken since the last question.
    fn woken(&self) -> u32 {
        self.0.0.swap(0, SeqCst)
    }
}

/// Arguments that are neither `Copy` nor `Sync`.
type Words = RefCell<String>;

fn words(text: &str) -> Words {
    RefCell::new(text.to_owned())
}

#[test]
fn emissions_arrive_in_order_and_wake_the_task() {
    let _alone = alone();
    let (signal, task) = (Signal::<Words>::new(), Task::default());
    signal.emit(&words("before"));
    let mut stream = signal.stream(4);
    assert_eq!((task.poll(&mut stream), task.woken()), (Poll::Pending, 0));
    signal.emit(&words("one"));
    signal.emit(&words("two"));
    assert_eq!(task.woken(), 1, "once for a wait");
    assert_eq!(stream.size_hint(), (2, None));
    for word in ["one", "two"] {
        assert_eq!(task.poll(&mut stream), Poll::Ready(Some(words(word))));
    }
    assert_eq!((task.poll(&mut stream), stream.missed()), (Poll::Pending, 0));
}

#[test]
fn a_full_stream_keeps_the_last_emissions() {
    let _alone = alone();
    for (capacity, kept) in [(0, 1), (1, 1), (3, 3), (usize::MAX, 10)] {
        let (signal, task) = (Signal::<u32>::new(), Task::default());
        let mut stream = signal.stream(capacity);
        (0..10).for_each(|number| signal.emit(&number));
        assert_eq!(stream.missed(), 10 - u64::from(kept));
        for number in 10 - kept..10 {
            assert_eq!(task.poll(&mut stream), Poll::Ready(Some(number)));
        }
        assert_eq!(task.poll(&mut stream), Poll::Pending);
    }
}

#[test]
fn a_stream_ends_with_its_signal_after_the_emissions_that_wait() {
    let _alone = alone();
    let ends: [fn(Signal<u32>, Connection); 4] = [
        |signal, _| drop(signal),
        |signal, _| signal.disconnect_all(),
        |_, connection| connection.disconnect(),
        |signal, connection| assert_eq!(signal.disconnect(connection.receiver()), 1),
    ];
    for end in ends {
        let (signal, task) = (Signal::<u32>::new(), Task::default());
        let mut stream = signal.stream(4);
        let mut waiting = signal.stream(4);
        assert_eq!(task.poll(&mut waiting), Poll::Pending);
        signal.emit(&7);
        assert_eq!(
            (task.poll(&mut waiting), task.poll(&mut waiting)),
            (Poll::Ready(Some(7)), Poll::Pending)
        );
        task.woken();
        let (one, other) = (stream.connection(), waiting.connection());
        // Both, on the two ways that end all and the two that end one.
        other.disconnect();
        assert_eq!((task.woken(), task.poll(&mut waiting)), (1, Poll::Ready(None)));
        end(signal, one);
        assert_eq!(task.poll(&mut stream), Poll::Ready(Some(7)));
        assert_eq!(
            (task.poll(&mut stream), task.poll(&mut stream)),
            (Poll::Ready(None), Poll::Ready(None))
        );
        assert_eq!(stream.size_hint(), (0, Some(0)));
        assert_eq!(format!("{stream:?}"), "Emissions(0 waiting, 0 missed, ended)");
    }
}

#[test]
fn a_dropped_stream_is_disconnected_and_frees_what_waits() {
    let _alone = alone();
    struct Counted(Arc<()>);
    impl Clone for Counted {
        fn clone(&self) -> Self {
            Self(Arc::clone(&self.0))
        }
    }
    let (signal, all) = (Signal::<Counted>::new(), Arc::new(()));
    let stream = signal.stream(2);
    (0..5).for_each(|_| signal.emit(&Counted(Arc::clone(&all))));
    assert_eq!((Arc::strong_count(&all), signal.len()), (3, 1));
    let connection = stream.connection();
    drop(stream);
    assert_eq!(
        (Arc::strong_count(&all), signal.len(), connection.is_connected()),
        (1, 0, false)
    );
}

/// The waker of a stream, and the drop of an emission, use the signal and the stream's queue.
#[test]
fn user_code_runs_without_the_lock() {
    let _alone = alone();
    static SIGNAL: Signal<Nosy> = Signal::new();
    static STREAM: Mutex<Option<Emissions<Nosy>>> = Mutex::new(None);
    static LOOKED: AtomicU32 = AtomicU32::new(0);
    /// Looks at the stream when it is cloned or dropped.
    struct Nosy;
    fn look() {
        if let Ok(Some(stream)) = STREAM.try_lock().as_deref() {
            LOOKED.fetch_add(1, SeqCst);
            let _ = (stream.missed(), format!("{stream:?}"), SIGNAL.len());
        }
    }
    impl Clone for Nosy {
        fn clone(&self) -> Self {
            look();
            Self
        }
    }
    impl Drop for Nosy {
        fn drop(&mut self) {
            look();
        }
    }
    struct Looking;
    impl Wake for Looking {
        fn wake(self: Arc<Self>) {
            look();
        }
    }
    *STREAM.lock().expect("no panic") = Some(SIGNAL.stream(1));
    let waker = Waker::from(Arc::new(Looking));
    {
        let mut stream = STREAM.lock().expect("no panic");
        let stream = Pin::new(stream.as_mut().expect("set"));
        assert!(stream.poll_next(&mut Context::from_waker(&waker)).is_pending());
    }
    for _ in 0..3 {
        SIGNAL.emit(&Nosy);
    }
    // Three clones, two drops of the oldest, three drops of the arguments, one wake.
    assert_eq!(LOOKED.load(SeqCst), 9);
    let stream = STREAM.lock().expect("no panic").take();
    drop(stream);
}

/// Unparks a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

#[test]
fn threads_emit_while_another_one_awaits() {
    let _alone = alone();
    const THREADS: u32 = 3;
    const TIMES: u32 = if cfg!(miri) { 20 } else { 2000 };
    let signal = Signal::<(u32, u32)>::new();
    let mut stream = signal.stream((THREADS * TIMES) as usize);
    let counts = thread::scope(|scope| {
        let signal = &signal;
        for thread in 0..THREADS {
            scope.spawn(move || (0..TIMES).for_each(|number| signal.emit(&(thread, number))));
        }
        block_on(async {
            let mut counts = [0; THREADS as usize];
            for _ in 0..THREADS * TIMES {
                let (thread, number) = stream.next().await.expect("the signal lives");
                assert_eq!(counts[thread as usize], number, "each thread's in order");
                counts[thread as usize] += 1;
            }
            counts
        })
    });
    assert_eq!((counts, stream.missed()), ([TIMES; THREADS as usize], 0));
    // The signal ends on another thread, during the wait.
    thread::scope(|scope| {
        scope.spawn(|| signal.disconnect_all());
        assert_eq!(block_on(stream.next()), None);
    });
}

#[test]
fn streams_go_to_other_threads_and_do_not_hold_other_receivers() {
    let _alone = alone();
    fn goes<T: Send + Unpin + 'static>(value: T) -> T {
        thread::spawn(|| value).join().expect("no panic")
    }
    let (signal, receiver) = (Signal::<u32>::new(), SimpleSignal::allocate());
    signal.connect(receiver.handle(), |_, _| ());
    let mut stream = goes(signal.stream(1));
    assert_eq!(signal.disconnect(receiver.handle()), 1);
    signal.emit(&1);
    assert_eq!(block_on(stream.next()), Some(1));
    assert_eq!(stream.connection().receiver().class().name(), "AcediaCore.SignalStream");
    assert!(SimpleSignal::class() != stream.connection().receiver().class());
}
