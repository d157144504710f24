//! [`Rule`]: how the results of handlers combine.

use std::ops::{AddAssign, ControlFlow};

/// Combines the results of a signal's handlers into the result of an emission.
///
/// The rule is a type. Each emission begins with a new value of it.
///
/// | Rule | A handler returns | An emission returns | The result |
/// |---|---|---|---|
/// | `()` | `()` | `()` | nothing |
/// | [`All`] | `bool` | `bool` | whether all returned `true`; `true` without handlers |
/// | [`Any`] | `bool` | `bool` | whether any returned `true`; `false` without handlers |
/// | [`Sum<T>`] | `T` | `T` | the sum; `T::default()` without handlers |
/// | [`First<T>`] | `Option<T>` | `Option<T>` | the first `Some`; the handlers after it are not called |
/// | [`Last<T>`] | `T` | `Option<T>` | the last result; `None` without handlers |
/// | `Vec<T>` | `T` | `Vec<T>` | all results, in the order of the calls |
///
/// Implement the trait for another rule:
///
/// ```
/// use std::ops::ControlFlow;
/// use acedia::{Object, class};
/// use acedia_signals::{Rule, Signal};
///
/// /// The highest offer.
/// #[derive(Default)]
/// struct Highest(Option<u32>);
///
/// impl Rule for Highest {
///     type Item = u32;
///     type Output = Option<u32>;
///     fn add(&mut self, offer: u32) -> ControlFlow<()> {
///         self.0 = self.0.max(Some(offer));
///         ControlFlow::Continue(())
///     }
///     fn finish(self) -> Option<u32> {
///         self.0
///     }
/// }
///
/// #[derive(Default)]
/// struct Bidder(u32);
/// impl Object for Bidder {
///     class!(Bidder, "Doc.Bidder");
/// }
///
/// let auction: Signal<str, Highest> = Signal::new();
/// let bidders = [7, 30, 12].map(|offer| Bidder::allocate_with(|it| it.0 = offer));
/// for bidder in &bidders {
///     auction.connect(bidder.handle(), |bidder, _lot: &str| bidder.0);
/// }
/// assert_eq!(auction.emit("a lamp"), Some(30));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no rule by which the results of handlers combine",
    note = "the rules are `()`, `All`, `Any`, `Sum<T>`, `First<T>`, `Last<T>`, `Vec<T>` and types that implement `Rule`"
)]
pub trait Rule: Default + 'static {
    /// The result of each handler.
    type Item: 'static;

    /// The result of an emission.
    type Output;

    /// Takes the result of the next handler, in the order of the calls. `Break` ends the emission.
    fn add(&mut self, item: Self::Item) -> ControlFlow<()>;

    /// The combined result.
    fn finish(self) -> Self::Output;
}

const ON: ControlFlow<()> = ControlFlow::Continue(());

impl Rule for () {
    type Item = ();
    type Output = ();

    fn add(&mut self, (): ()) -> ControlFlow<()> {
        ON
    }

    fn finish(self) {}
}

impl<T: 'static> Rule for Vec<T> {
    type Item = T;
    type Output = Self;

    fn add(&mut self, item: T) -> ControlFlow<()> {
        self.push(item);
        ON
    }

    fn finish(self) -> Self {
        self
    }
}

/// [`Rule`]: whether all handlers returned `true`. All are called, even after a `false`.
#[derive(Debug)]
pub struct All(bool);

impl Default for All {
    fn default() -> Self {
        Self(true)
    }
}

impl Rule for All {
    type Item = bool;
    type Output = bool;

    fn add(&mut self, item: bool) -> ControlFlow<()> {
        self.0 &= item;
        ON
    }

    fn finish(self) -> bool {
        self.0
    }
}

/// [`Rule`]: whether any handler returned `true`. All are called, even after a `true`.
#[derive(Debug, Default)]
pub struct Any(bool);

impl Rule for Any {
    type Item = bool;
    type Output = bool;

    fn add(&mut self, item: bool) -> ControlFlow<()> {
        self.0 |= item;
        ON
    }

    fn finish(self) -> bool {
        self.0
    }
}

/// [`Rule`]: the sum of all results. Overflows as `+=` does.
#[derive(Debug, Default)]
pub struct Sum<T>(T);

impl<T: Default + AddAssign + 'static> Rule for Sum<T> {
    type Item = T;
    type Output = T;

    fn add(&mut self, item: T) -> ControlFlow<()> {
        self.0 += item;
        ON
    }

    fn finish(self) -> T {
        self.0
    }
}

/// [`Rule`]: the first result that is `Some`. The handlers after that one are not called.
#[derive(Debug)]
pub struct First<T>(Option<T>);

impl<T: 'static> Rule for First<T> {
    type Item = Option<T>;
    type Output = Option<T>;

    fn add(&mut self, item: Option<T>) -> ControlFlow<()> {
        self.0 = item;
        if self.0.is_some() { ControlFlow::Break(()) } else { ON }
    }

    fn finish(self) -> Option<T> {
        self.0
    }
}

impl<T> Default for First<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// [`Rule`]: the result of the handler that was called last.
#[derive(Debug)]
pub struct Last<T>(Option<T>);

impl<T: 'static> Rule for Last<T> {
    type Item = T;
    type Output = Option<T>;

    fn add(&mut self, item: T) -> ControlFlow<()> {
        self.0 = Some(item);
        ON
    }

    fn finish(self) -> Option<T> {
        self.0
    }
}

impl<T> Default for Last<T> {
    fn default() -> Self {
        Self(None)
    }
}
