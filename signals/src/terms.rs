//! [`Terms`]: how a handler is connected.

/// The options of a connection: the priority of the handler, and whether it is called only once.
///
/// ```
/// use acedia::Object;
/// use acedia_signals::{Signal, SimpleSignal, Terms};
///
/// let (signal, receiver) = (Signal::<(), Vec<&str>>::new(), SimpleSignal::allocate());
/// signal.connect(receiver.handle(), |_, ()| "in the order of connection");
/// signal.connect_with(Terms::priority(-1), receiver.handle(), |_, ()| "last");
/// signal.connect_with(Terms::priority(5).once(), receiver.handle(), |_, ()| "first");
/// assert_eq!(signal.emit(&()), ["first", "in the order of connection", "last"]);
/// assert_eq!(signal.emit(&()), ["in the order of connection", "last"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Handlers with a higher priority are called earlier. Handlers with the same priority are called in the order of connection.
    /// The default is 0.
    pub priority: i32,
    /// Whether the connection ends with the first call, before the handler runs. So the handler is called at most once, even if
    /// several threads emit at the same time, if it emits the signal itself, or if it panics.
    pub once: bool,
}

impl Terms {
    /// A connection for one call, with the priority 0.
    ///
    /// ```
    /// use acedia::Object;
    /// use acedia_signals::{Signal, SimpleSignal, Sum, Terms};
    ///
    /// let (signal, receiver) = (Signal::<(), Sum<u32>>::new(), SimpleSignal::allocate());
    /// signal.connect_with(Terms::ONCE, receiver.handle(), |_, ()| 1);
    /// assert_eq!((signal.emit(&()), signal.emit(&())), (1, 0));
    /// ```
    #[doc(alias = "once")]
    pub const ONCE: Self = Self {
        priority: 0,
        once: true,
    };

    /// A connection with a priority.
    #[must_use]
    pub const fn priority(priority: i32) -> Self {
        Self { priority, once: false }
    }

    /// The same terms, for one call.
    #[must_use]
    pub const fn once(self) -> Self {
        Self { once: true, ..self }
    }
}
