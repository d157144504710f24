//! [`Relay`]: a signal whose value runs through its handlers.

use std::marker::PhantomData;

use acedia::{Handle, Object};

use crate::connections::Connections;
use crate::face::signal;
use crate::slot::{Bind, Called, Slot};
use crate::{Connection, ReceiverHandle, Rule, Terms};

/// A signal that passes one value from handler to handler. Each handler may change the value, and the next one sees the change.
///
/// ```
/// use acedia::{Object, class};
/// use acedia_signals::{Relay, Terms};
///
/// #[derive(Default)]
/// struct Armor {
///     absorbs: f32,
/// }
/// impl Object for Armor {
///     class!(Armor, "Doc.Armor");
/// }
///
/// static DAMAGE: Relay<f32> = Relay::new();
///
/// let [vest, shield] =
///     [0.5, 10.0].map(|absorbs| Armor::allocate_with(|it| it.absorbs = absorbs));
/// DAMAGE.connect(vest.handle(), |vest, damage: &mut f32| *damage *= vest.absorbs);
/// DAMAGE.connect_with(Terms::priority(1), shield.handle(), |shield, damage| {
///     *damage -= shield.absorbs
/// });
///
/// let mut damage = 40.0;
/// DAMAGE.emit(&mut damage);
/// assert_eq!(damage, 15.0);
///
/// drop(shield); // also disconnects it
/// let mut damage = 40.0;
/// DAMAGE.emit(&mut damage);
/// assert_eq!(damage, 20.0);
/// ```
///
/// `V` is the type of the value. `R` is the [`Rule`] that combines the results of the handlers. With [`First`](crate::First), for
/// instance, a handler can end the emission. In all other respects a relay works like a [`Signal`](crate::Signal), whose page
/// describes emissions, and signals in pooled objects. A nested emission has a value of its own.
pub struct Relay<V: ?Sized, R = ()> {
    connections: Connections,
    /// Makes both types invariant, because they must be those of the stored handlers.
    handlers: PhantomData<fn(*mut V) -> *mut R>,
}

/// The handler of a slot.
type Binding<V, R> = Box<dyn for<'a> Bind<&'a mut V, <R as Rule>::Item>>;

signal! {
    Relay<V>, &mut V;

    /// Connects a handler: see [`Signal::connect`](crate::Signal::connect).
    ///
    /// # Panics
    ///
    /// As [`Signal::connect`](crate::Signal::connect).
    connect

    /// Connects a handler with a priority, or for one call, or both: see [`Terms`].
    ///
    /// # Panics
    ///
    /// As [`connect`](Self::connect).
    connect_with
}

impl<V: ?Sized + 'static, R: Rule> Relay<V, R> {
    /// Passes `value` to each handler in turn, and returns their results, combined by the rule.
    ///
    /// ```
    /// use acedia::Object;
    /// use acedia_signals::{First, Relay, SimpleSignal};
    ///
    /// // A handler that returns `Some` ends the run.
    /// let (chat, receiver) = (Relay::<String, First<&str>>::new(), SimpleSignal::allocate());
    /// chat.connect(receiver.handle(), |_, line| {
    ///     *line = line.replace("damn", "darn");
    ///     None
    /// });
    /// chat.connect(receiver.handle(), |_, line| line.starts_with('!').then_some("a command"));
    /// chat.connect(receiver.handle(), |_, line| {
    ///     line.push('.');
    ///     None
    /// });
    /// let mut lines = ["damn".to_owned(), "!vote damn".to_owned()];
    /// assert_eq!(lines.each_mut().map(|line| chat.emit(line)), [None, Some("a command")]);
    /// assert_eq!(lines, ["darn.", "!vote darn"]);
    /// ```
    ///
    /// # Panics
    ///
    /// Like [`Signal::emit`](crate::Signal::emit). In that case, the value stays as the last handler has left it.
    ///
    /// # Cost
    ///
    /// Like [`Signal::emit`](crate::Signal::emit). The value is not moved or copied.
    #[doc(alias = "Emit")]
    pub fn emit(&self, value: &mut V) -> R::Output {
        self.connections.run::<R, _>(Self::calling(value))
    }

    /// Like [`emit`](Self::emit), but for a relay inside an object that a handler may free: see
    /// [`Signal::emit_of`](crate::Signal::emit_of).
    ///
    /// # Panics
    ///
    /// Like [`emit`](Self::emit), and also if `relay` panics.
    pub fn emit_of<T: Object>(owner: Handle<T>, relay: impl Fn(&T) -> &Self, value: &mut V) -> Option<R::Output> {
        Connections::run_of::<R, _, T>(owner, |it| &relay(it).connections, Self::calling(value))
    }

    fn calling(value: &mut V) -> impl FnMut(&Binding<V, R>, Handle<Slot>) -> Called<R::Item> {
        move |binding, me| binding.call(&mut *value, me)
    }
}
