//! [`Emissions`]: the emissions of a signal as an asynchronous stream.

use std::collections::VecDeque;
use std::fmt;
use std::future;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use acedia::{Object, Owned, class};
use futures_core::Stream;
use parking_lot::Mutex;

use crate::{Connection, Signal};

/// The emissions of a [`Signal`] as an asynchronous stream of copies of their arguments. Made by
/// [`Signal::stream`](Signal::stream).
///
/// ```
/// use acedia_signals::Signal;
///
/// static OPENED: Signal<String> = Signal::new();
///
/// async fn first_shop() -> Option<String> {
///     OPENED.stream(16).next().await
/// }
/// # use std::{future::Future, pin::pin, task::{Context, Poll, Waker}};
/// # let mut first = pin!(first_shop());
/// # let mut context = Context::from_waker(Waker::noop());
/// # assert!(first.as_mut().poll(&mut context).is_pending());
/// OPENED.emit(&"bakery".to_owned());
/// # assert_eq!(first.as_mut().poll(&mut context), Poll::Ready(Some("bakery".to_owned())));
/// ```
///
/// It works with any async runtime and without one, because an emission only wakes the task. It implements `Stream`
/// of `futures-core`, so the adapters of `futures` and of the runtimes work with it.
///
/// # Life
///
/// Dropping the stream ends its connection. If the signal is dropped or disconnected first, the stream yields the emissions that
/// it still holds, and then `None`. The `None` is not ready while any thread holds a [pin](acedia::pin) that is older than the end
/// of the connection: the handler ends the stream when it is dropped, and it is dropped only after such pins.
///
/// # Bounded memory
///
/// The stream stores at most as many emissions as its capacity. If it is full, a new emission replaces the oldest one, which
/// counts as [missed](Self::missed).
pub struct Emissions<A> {
    queue: Arc<Queue<A>>,
    connection: Connection,
    /// Lives as long as the stream.
    _receiver: Owned<Reader>,
}

/// The receiver of a stream's connection.
#[derive(Default)]
struct Reader;

impl Object for Reader {
    class!(Reader, "AcediaCore.SignalStream");
}

type Queue<A> = Mutex<State<A>>;

struct State<A> {
    waiting: VecDeque<A>,
    capacity: usize,
    missed: u64,
    /// The task that waits for the next emission.
    waker: Option<Waker>,
    has_ended: bool,
}

/// The part of the handler. Its end is the connection's.
struct Writer<A>(Arc<Queue<A>>);

impl<A> Writer<A> {
    fn push(&self, emission: A) {
        let mut state = self.0.lock();
        let mut oldest = None;
        if state.waiting.len() == state.capacity {
            oldest = state.waiting.pop_front();
            state.missed += 1;
        }
        state.waiting.push_back(emission);
        let waker = state.waker.take();
        drop(state);
        // User code runs after the lock is released.
        drop(oldest);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl<A> Drop for Writer<A> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.has_ended = true;
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl<A: Clone + Send + 'static> Signal<A> {
    /// All emissions from now on, as an asynchronous stream. It stores at most `capacity` emissions that have not been read;
    /// when another one comes, it drops the oldest. A capacity of 0 counts as 1.
    ///
    /// # Panics
    ///
    /// As [`connect`](Self::connect).
    ///
    /// # Cost
    ///
    /// Costs as much as a connection plus one heap allocation. Each emission clones its arguments once for each stream.
    pub fn stream(&self, capacity: usize) -> Emissions<A> {
        let queue = Arc::new(Mutex::new(State {
            waiting: VecDeque::new(),
            capacity: capacity.max(1),
            missed: 0,
            waker: None,
            has_ended: false,
        }));
        let (receiver, writer) = (Reader::allocate(), Writer(Arc::clone(&queue)));
        Emissions {
            queue,
            connection: self.connect(receiver.handle(), move |_, args| writer.push(args.clone())),
            _receiver: receiver,
        }
    }
}

impl<A> Emissions<A> {
    /// The next emission, as a future. `None` if the connection has ended.
    ///
    /// The same as `StreamExt::next` of `futures`. Dropping the future before it is ready loses no emission.
    pub async fn next(&mut self) -> Option<A> {
        future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// How many emissions were dropped because the stream was full.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.queue.lock().missed
    }

    /// The connection to the signal.
    #[must_use]
    pub fn connection(&self) -> Connection {
        self.connection
    }
}

impl<A> Stream for Emissions<A> {
    type Item = A;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<A>> {
        // Cloned before the lock is taken, and dropped after it is released, since wakers are user code.
        let mut waker = Some(context.waker().clone());
        let mut state = self.queue.lock();
        let next = match state.waiting.pop_front() {
            None if !state.has_ended => {
                mem::swap(&mut state.waker, &mut waker);
                Poll::Pending
            }
            next => Poll::Ready(next),
        };
        drop(state);
        next
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let state = self.queue.lock();
        let waiting = state.waiting.len();
        (waiting, state.has_ended.then_some(waiting))
    }
}

impl<A> Drop for Emissions<A> {
    fn drop(&mut self) {
        self.connection.disconnect();
    }
}

impl<A> fmt::Debug for Emissions<A> {
    /// Prints `Emissions(2 waiting, 0 missed)`, or `Emissions(2 waiting, 0 missed, ended)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.queue.lock();
        let (waiting, missed, has_ended) = (state.waiting.len(), state.missed, state.has_ended);
        drop(state);
        let ended = if has_ended { ", ended" } else { "" };
        write!(f, "Emissions({waiting} waiting, {missed} missed{ended})")
    }
}
