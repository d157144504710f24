//! [`Rule`]: how the results of handlers combine.

use std::ops::{AddAssign, ControlFlow};

/// Combines the results of a signal's handlers into the result of an emission.
///
/// Each emission begins with a new value of the rule's type.
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
    message = "`{Self}` is not a rule that combines the results of handlers",
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

/// Rules, each with its item and its output, the code that adds an item, and the code that finishes.
macro_rules! rules {
    ($([$($generic:tt)*] $rule:ty, $item:ty => $output:ty, |$taken:ident, $next:pat_param| $add:expr, |$all:ident| $finish:expr;)+) => {
        $(impl<$($generic)*> Rule for $rule {
            type Item = $item;
            type Output = $output;

            fn add(&mut self, $next: $item) -> ControlFlow<()> {
                let $taken = self;
                $add
            }

            fn finish(self) -> $output {
                let $all = self;
                $finish
            }
        })+
    };
}

const ON: ControlFlow<()> = ControlFlow::Continue(());

rules! {
    [] (), () => (), |_taken, ()| ON, |all| all;
    [T: 'static] Vec<T>, T => Self, |taken, next| { taken.push(next); ON }, |all| all;
    [] All, bool => bool, |taken, next| { taken.0 &= next; ON }, |all| all.0;
    [] Any, bool => bool, |taken, next| { taken.0 |= next; ON }, |all| all.0;
    [T: Default + AddAssign + 'static] Sum<T>, T => T, |taken, next| { taken.0 += next; ON }, |all| all.0;
    [T: 'static] Last<T>, T => Option<T>, |taken, next| { taken.0 = Some(next); ON }, |all| all.0;
    [T: 'static] First<T>, Option<T> => Option<T>, |taken, next| {
        taken.0 = next;
        if taken.0.is_some() { ControlFlow::Break(()) } else { ON }
    }, |all| all.0;
}

/// [`Rule`]: whether all handlers returned `true`. All are called, even after a `false`.
#[derive(Debug)]
pub struct All(bool);

impl Default for All {
    fn default() -> Self {
        Self(true)
    }
}

/// [`Rule`]: whether any handler returned `true`. All are called, even after a `true`.
#[derive(Debug, Default)]
pub struct Any(bool);

/// [`Rule`]: the sum of all results. Overflows as `+=` does.
#[derive(Debug, Default)]
pub struct Sum<T>(T);

/// [`Rule`]: the first result that is `Some`. The handlers after that one are not called.
#[derive(Debug)]
pub struct First<T>(Option<T>);

impl<T> Default for First<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// [`Rule`]: the result of the handler that was called last.
#[derive(Debug)]
pub struct Last<T>(Option<T>);

impl<T> Default for Last<T> {
    fn default() -> Self {
        Self(None)
    }
}
