//! [`Actor`]: the trait that makes a Rust type a class of actors.

use std::any::{Any, TypeId};

use acedia::ClassStorage;

use super::actor_class::ActorClass;
use super::builder::ClassBuilder;
use super::statics::Statics;
use crate::value::actor_ref::ActorRef;

/// A type that is a class of actors. Its fields are the fields that the class adds. The engine's fields, which every actor
/// has, are its [`Properties`](crate::Properties).
///
/// `Default` makes a new actor. [`describe`](Self::describe) sets the bodies of events, once for each class. A body takes the
/// actor's context, [`Cx`](crate::Cx), which dereferences to the actor.
///
/// ```
/// use acedia_actors::{Actor, ActorRef, ClassBuilder, Cx, Level, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Barrel { health: i32, smoke: Option<ActorRef<Smoke>> }
///
/// impl Barrel {
///     fn post_begin_play(cx: &mut Cx<Self>) {
///         cx.health = 40;
///         // Its whole sequence runs now.
///         cx.smoke = cx.spawn::<Smoke>(Spawn::new().owned_by(cx.me()));
///     }
///     fn touch(cx: &mut Cx<Self>, _other: ActorRef) {
///         cx.destroy(); // and so do the events of destruction
///         cx.health = 0; // one's own fields are still there
///     }
/// }
///
/// impl Actor for Barrel {
///     actor!(Barrel, "Doc.Barrel");
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.defaults(|it| it.collide_actors = true);
///         class.post_begin_play(Self::post_begin_play).touch(Self::touch);
///     }
/// }
///
/// #[derive(Default)]
/// struct Smoke;
/// impl Actor for Smoke {
///     actor!(Smoke, "Doc.Smoke");
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let barrel = level.spawn::<Barrel>(Spawn::new()).unwrap();
/// assert_eq!(level.get(barrel).unwrap().health, 40);
/// ```
///
/// # Inheritance
///
/// `actor!(Bot, "Game.Bot", parent = Pawn, in pawn)` makes `Pawn` the parent class of `Bot`. The field `pawn` of a `Bot`
/// contains the fields of `Pawn`. `Bot` inherits the bodies of `Pawn`. A body that overrides an inherited body can call it:
/// [`Cx::inherited`](crate::Cx::inherited).
#[doc(alias = "AcediaActor")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a class of actors",
    note = "to make it one: `impl Actor for {Self}`, with `actor!({Self}, \"Package.Name\")` inside"
)]
pub trait Actor: Default + Send + 'static {
    /// The class's static part. Written by [`actor!`](crate::actor!). The compiler lists this name first if `actor!` is missing.
    #[doc(hidden)]
    fn write_the_macro_actor_here() -> &'static ClassStorage<Statics<Self>>;

    /// The class. Written by [`actor!`](crate::actor!).
    #[doc(alias = "StaticClass")]
    fn class() -> &'static ActorClass;

    /// The actor itself, or the part of it that is a parent class. Written by [`actor!`](crate::actor!).
    #[doc(hidden)]
    fn part(&self, wanted: TypeId) -> Option<&dyn Any>;

    /// As `part`, for mutable access.
    #[doc(hidden)]
    fn part_mut(&mut self, wanted: TypeId) -> Option<&mut dyn Any>;

    /// Describes the class: properties, states, bodies of events. The function runs once in a process, when the class is first
    /// used. Other threads that use the class wait until it has run.
    ///
    /// The function may use other classes. If it uses its own class, directly or through the descriptions of other classes, it
    /// panics with the names of the classes. The bodies of events may use any class. One thread at a time describes classes, so
    /// the function must not wait for another thread that uses a class.
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        let _ = class;
    }

    /// Prepares a new actor before its first event. A copy of a template already has the fields of the template.
    #[doc(alias = "Constructor")]
    fn constructor(&mut self) {}

    /// Runs once for each actor, when its slot is reclaimed: after its destruction, once no handler of the level is running, or
    /// when the level is dropped.
    #[doc(alias = "Finalizer")]
    fn finalizer(&mut self) {}

    /// Runs before the first actor of the class is created, and again before the first one after a
    /// [`shutdown`](acedia::shutdown).
    ///
    /// It may create actors of the class in another level. Other threads that need the class wait until it has run, as for
    /// [classes of objects](acedia::Class::construct). If it panics, it counts as not run.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use acedia_actors::{Actor, Level, Rules, Spawn, Stage, actor};
    ///
    /// static PLAYING: AtomicU32 = AtomicU32::new(0);
    /// #[derive(Default)]
    /// struct Music;
    /// impl Actor for Music {
    ///     actor!(Music, "Doc.Music");
    ///     fn static_constructor() {
    ///         PLAYING.fetch_add(1, Ordering::Relaxed);
    ///         let _rehearsal = Level::new(Rules::ue2()).spawn::<Music>(Spawn::new());
    ///     }
    ///     fn static_finalizer() {
    ///         PLAYING.fetch_sub(1, Ordering::Relaxed);
    ///     }
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.spawn::<Music>(Spawn::new());
    /// level.spawn::<Music>(Spawn::new());
    /// assert_eq!(PLAYING.load(Ordering::Relaxed), 1);
    /// acedia::shutdown();
    /// assert_eq!(PLAYING.load(Ordering::Relaxed), 0);
    /// ```
    #[doc(alias = "StaticConstructor")]
    fn static_constructor() {}

    /// Undoes the static constructor, in a [`shutdown`](acedia::shutdown). The static finalizers of actor classes and object
    /// classes run in the reverse order of construction. Living actors stay alive.
    #[doc(alias = "StaticFinalizer")]
    fn static_finalizer() {}

    /// A copy of this actor, for a spawn from a template. The default returns `None`, so actors of the class can't be
    /// templates.
    #[must_use]
    fn duplicate(&self) -> Option<Self> {
        None
    }
}

impl<T: Actor> ActorRef<T> {
    /// The same reference with the type of an ancestor class `P`.
    ///
    /// The other direction, from a parent class to a child class, needs the level: [`Stage::cast`](crate::Stage::cast).
    ///
    /// ```
    /// use acedia_actors::{Actor, ActorRef, Level, Pawn, Rules, Spawn, Stage, actor};
    ///
    /// #[derive(Default)]
    /// struct Bot { pawn: Pawn }
    /// impl Actor for Bot {
    ///     actor!(Bot, "Doc.UpcastBot", parent = Pawn, in pawn);
    /// }
    ///
    /// let mut level = Level::new(Rules::ue2());
    /// level.start();
    /// let bot = level.spawn::<Bot>(Spawn::new()).unwrap();
    /// let pawn: ActorRef<Pawn> = bot.upcast();
    /// assert!(level.get(pawn).is_some());
    /// ```
    ///
    /// # Panics
    ///
    /// If `P` is neither `T` nor an ancestor of `T`.
    ///
    /// # Cost
    ///
    /// One comparison for each class between `T` and `P`.
    #[must_use]
    #[track_caller]
    pub fn upcast<P: Actor>(self) -> ActorRef<P> {
        let (class, parent) = (T::class(), P::class());
        assert!(
            class.is_child_of(parent),
            "{class} is not a child class of {parent}; to test the class of the actor, call `level.cast`"
        );
        self.typed()
    }
}
