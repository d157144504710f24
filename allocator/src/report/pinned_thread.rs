//! [`PinnedThread`]: a thread that holds a pin, to find out what delays a finalizer.

use std::fmt;
use std::panic::Location;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::Instant;

/// Whether the system has a clock. On `wasm32-unknown-unknown`, `Instant::now` panics.
const CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// A thread that held a pin when the list was made: see [`Domain::pinned_threads`](crate::pool::Domain::pinned_threads). On
/// `wasm32-unknown-unknown`, where there is no clock, every such list is empty.
///
/// ```
/// use std::time::Instant;
/// use acedia::pool::{Domain, Global};
/// use acedia::pin;
///
/// let _pinned = pin();
/// let threads = Global::pinned_threads();
/// let me = threads.iter().find(|it| it.name() == std::thread::current().name()).unwrap();
/// assert!(me.since() <= Instant::now());
/// assert_eq!(me.place().is_some(), cfg!(debug_assertions));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedThread {
    name: Option<String>,
    since: Instant,
    place: Option<&'static Location<'static>>,
}

impl PinnedThread {
    /// The name of the thread, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// When the thread pinned. Without debug assertions, pins do not read the clock, and this is the time of the first
    /// list that contained the pin.
    #[must_use]
    pub fn since(&self) -> Instant {
        self.since
    }

    /// The source location of the thread's outermost pin. `None` without debug assertions.
    #[must_use]
    pub fn place(&self) -> Option<&'static Location<'static>> {
        self.place
    }
}

impl fmt::Display for PinnedThread {
    /// `thread 'mixer', pinned for 1.500 s at src/main.rs:7:21`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name().unwrap_or("<unnamed>");
        let since = self.since.elapsed();
        // Not the `Debug` of the duration, which is 2 KB of code.
        let (seconds, millis) = (since.as_secs(), since.subsec_millis());
        write!(f, "thread '{name}', pinned for {seconds}.{millis:03} s")?;
        self.place.map_or(Ok(()), |place| write!(f, " at {place}"))
    }
}

/// The thread that uses a flag, and its pin.
#[derive(Default)]
pub(crate) struct Holder(Mutex<Notes>);

#[derive(Default)]
struct Notes {
    thread: Option<Thread>,
    pin: Option<Noted>,
}

/// The pin that set the flag to `up`.
struct Noted {
    up: u64,
    since: Instant,
    place: Option<&'static Location<'static>>,
}

impl Holder {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_thread(&self, thread: Option<Thread>) {
        *self.notes() = Notes { thread, pin: None };
    }

    /// Records that the flag has the value `up`, if that is new, and if the system has a clock.
    pub(crate) fn note(&self, up: u64, place: Option<&'static Location<'static>>) {
        if !CLOCK {
            return;
        }
        let mut notes = self.notes();
        if place.is_some() || notes.pin.as_ref().is_none_or(|pin| pin.up != up) {
            let since = Instant::now();
            notes.pin = Some(Noted { up, since, place });
        }
    }

    /// The thread and its pin, as last noted.
    pub(crate) fn pinned(&self) -> Option<PinnedThread> {
        let notes = self.notes();
        let pin = notes.pin.as_ref()?;
        Some(PinnedThread {
            name: notes.thread.as_ref().and_then(Thread::name).map(Into::into),
            since: pin.since,
            place: pin.place,
        })
    }
}
