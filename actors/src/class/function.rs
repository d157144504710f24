//! [`Function`]: a function that a class declares, and its bodies.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function of a class of actors, with an argument of type `A` and a result of type `R`. For several arguments, use a tuple.
///
/// Make it a `static`. The class `T` declares the function by giving it a body
/// ([`ClassBuilder::function`](crate::ClassBuilder::function)). Descendants of `T` may override the body, and call the
/// [overridden body](crate::Inherited::call). States may have bodies of their own, or
/// [ignore](crate::StateBuilder::ignore_function) the function. [`Stage::call`](crate::Stage::call) calls it on any actor,
/// [`Cx::call`](crate::Cx::call) on the actor of the handler.
///
/// ```
/// use acedia_actors::{
///     Actor, ActorRef, ClassBuilder, Function, Level, Rules, Spawn, Stage, Warning, actor,
/// };
///
/// /// `function int TakeDamage(int Amount, Actor Source)`: the health that is left.
/// static TAKE_DAMAGE: Function<Fighter, (i32, Option<ActorRef>), i32> =
///     Function::new("TakeDamage");
///
/// struct Fighter { health: i32 }
/// impl Default for Fighter {
///     fn default() -> Self {
///         Self { health: 100 }
///     }
/// }
/// impl Actor for Fighter {
///     actor!(Fighter, "Doc.Fighter");
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.function(&TAKE_DAMAGE, |cx, (amount, _by)| {
///             cx.health -= amount;
///             if cx.health <= 0 {
///                 cx.destroy();
///             }
///             cx.health
///         });
///         class.state("Blessed").ignore_function(&TAKE_DAMAGE);
///     }
/// }
///
/// #[derive(Default)]
/// struct Knight { fighter: Fighter, armour: i32 }
/// impl Actor for Knight {
///     actor!(Knight, "Doc.Knight", parent = Fighter, in fighter);
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.post_begin_play(|cx| cx.armour = 5);
///         class.function(&TAKE_DAMAGE, |cx, (amount, by)| {
///             let amount = (amount - cx.armour).max(0);
///             // `super.TakeDamage(Amount, Source)`
///             cx.inherited().call(&TAKE_DAMAGE, (amount, by))
///         });
///     }
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let knight = level.spawn::<Knight>(Spawn::new()).unwrap();
/// assert_eq!(level.call(knight, &TAKE_DAMAGE, (15, None)), 90);
/// level.goto_state(knight, "Blessed");
/// assert_eq!(level.call(knight, &TAKE_DAMAGE, (500, None)), 0, "ignored: the null value");
/// level.goto_state(knight, "");
/// level.call(knight, &TAKE_DAMAGE, (500, Some(knight.any())));
/// assert!(!level.is_alive(knight));
/// // On the dead: the null value, and a warning.
/// assert_eq!(level.call(knight, &TAKE_DAMAGE, (1, None)), 0);
/// assert_eq!(level.take_warnings(), [Warning::AccessedNone]);
/// assert_eq!(TAKE_DAMAGE.name(), "TakeDamage");
/// ```
///
/// # Cost
///
/// A call looks up the body in a table of the actor's class and state, and calls it through one pointer.
#[doc(alias = "function")]
#[doc(alias = "event")]
pub struct Function<T, A = (), R = ()> {
    name: &'static str,
    /// Its index in the function tables of `T` and of the descendants of `T`.
    place: AtomicUsize,
    types: PhantomData<fn(T, A) -> R>,
}

impl<T, A, R> Function<T, A, R> {
    /// The place of a function that no class has declared yet.
    const UNDECLARED: usize = usize::MAX;

    /// A function whose body the class `T` sets later. Traces and warnings show the name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            place: AtomicUsize::new(Self::UNDECLARED),
            types: PhantomData,
        }
    }

    /// The name of the function.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The address of the static, which is unique.
    pub(crate) fn id(&'static self) -> FunctionId {
        FunctionId(ptr::from_ref(self).addr())
    }

    /// Set before other threads can reach a table with this function.
    pub(crate) fn place(&self) -> usize {
        // Relaxed: the `OnceLock` of the class publishes its table, and each use of the place compares the id in the table.
        self.place.load(Ordering::Relaxed)
    }

    pub(crate) fn set_place(&self, place: usize) {
        self.place.store(place, Ordering::Relaxed);
    }
}

impl<T, A, R> fmt::Debug for Function<T, A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.name)
    }
}

/// The address of a function's static.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FunctionId(usize);

/// One body of a function, and the body that it overrides.
pub(crate) struct FunctionBody {
    pub(crate) id: FunctionId,
    pub(crate) name: &'static str,
    /// A `Closure` with the function's types.
    pub(crate) run: Box<dyn Any + Send + Sync>,
    pub(crate) inherited: Option<&'static FunctionBody>,
}

/// The entry of a function in the table of a class and state.
#[derive(Clone, Copy)]
pub(crate) struct FunctionEntry {
    pub(crate) id: FunctionId,
    pub(crate) name: &'static str,
    /// Without a body, the result is the null value.
    pub(crate) body: Option<&'static FunctionBody>,
}
