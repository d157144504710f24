//! [`Object`], the trait of classes, and the struct `ClassStorage`, which its functions name.
//!
//! The methods of an owner of a class's object are in `owned.rs`. `declare.rs` makes a class's static part.

use std::any::Any;
use std::fmt;

use crate::class::Class;
use crate::kind::Kind;
use crate::pool::{Hooks, OfClass, Owned, Pool, PoolPolicy, Readers, Static};

/// A type whose objects live in a pool of their own: a *class*.
///
/// An object is made once, by `Default`, and then lives many lives. [`constructor`](Self::constructor) opens each life, and
/// [`FINALIZER`](Self::FINALIZER) closes it. Memory that the object owns, such as the buffer of a `Vec`, stays with the
/// object for its next life.
///
/// ```
/// use acedia::{Object, PoolPolicy, class, pin};
///
/// #[derive(Default)]
/// struct Projectile {
///     position: [f32; 3],
///     trail: Vec<[f32; 3]>,
/// }
///
/// impl Object for Projectile {
///     class!(Projectile, "Skirmish.Projectile");
///     const POOL: PoolPolicy = PoolPolicy::KeepAtMost(1000);
///     const FINALIZER: Option<fn(&mut Self)> = Some(|projectile| projectile.trail.clear());
/// }
///
/// let projectile = Projectile::allocate_with(|it| it.position = [1.0, 2.0, 3.0]);
/// let handle = projectile.handle();
/// assert_eq!(handle.get(&pin()).unwrap().position[0], 1.0);
/// drop(projectile);
/// assert!(handle.get(&pin()).is_none());
/// ```
///
/// # Constructor or finalizer?
///
/// Freeing is cheapest for a class that clears its fields in the constructor and has no finalizer. A finalizer is for work
/// that must not wait until the slot is used again, such as freeing other objects or decrementing counters. `FINALIZER` is a
/// constant and not a method, so that a class without a finalizer never waits for readers.
///
/// # Panics in user code
///
/// A panic in user code neither loses an object nor lets it be used twice. See [`Hooks`](crate::pool::Hooks#panics-in-hooks)
/// for the constructor and the finalizer, and [`Class::construct`] for static constructors.
#[doc(alias = "AcediaObject")]
#[doc(alias = "MemoryAPI")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a class of objects",
    note = "to make it one: `#[derive(Object)]` with `#[object(name = \"Package.Name\")]`, or `impl Object` with `class!` inside",
    note = "in a `static` pool without a class, the type of an owner is `Owned<T, &'static Pool<T>>`",
    note = "to use a handle of a pool without a class, call the pool: `pool.with(handle, …)`, `pool.get(handle, &pin())`"
)]
pub trait Object: Default + Send + Sync + 'static {
    /// The class's static part. Written by [`class!`](crate::class!). The compiler lists this name first if `class!` is missing.
    #[doc(hidden)]
    fn write_the_macro_class_here() -> &'static ClassStorage<Self>;

    /// The meaning of "equal". Written by [`class!`](crate::class!).
    type Kind: Kind<Self>;

    /// The pins that may protect the objects. Written by [`class!`](crate::class!): [`Global`](crate::pool::Global), unless the
    /// class names a [domain](crate::domain!) or [`GuardsOnly`](crate::pool::GuardsOnly).
    type Readers: Readers;

    /// How many free objects the pool keeps.
    ///
    /// [`configure`](crate::configure) can replace any policy except `KeepNone`: a class with `KeepNone` never keeps a free
    /// object. For a limit of 0 that a configuration may raise, use `KeepAtMost(0)`.
    #[doc(alias = "usesObjectPool")]
    #[doc(alias = "defaultMaxPoolSize")]
    const POOL: PoolPolicy = PoolPolicy::KeepAll;

    /// The greatest number of freed objects that may wait for readers while the class makes new objects, or `None` for no
    /// limit. It bounds the memory that a thread holds back if it hangs under a pin: see
    /// [`Pool::waiting_at_most`](crate::pool::Pool::waiting_at_most).
    const WAITING_AT_MOST: Option<usize> = None;

    /// Whether each life is visible to handles from its beginning. `false` by default: a life becomes visible when its first handle
    /// is made, and the iterators over the living, such as [`Pool::handles`], skip an object until then.
    ///
    /// With `true`, the iterators find every living object, [`Owned::get_mut`] always returns `None`, and every free costs as
    /// much as that of an object with handles.
    ///
    /// ```
    /// use acedia::{Handle, Object, class};
    ///
    /// #[derive(Default)]
    /// struct Scope;
    /// impl Object for Scope {
    ///     class!(Scope, "Doc.Scope");
    ///     const VISIBLE: bool = true;
    /// }
    ///
    /// let scope = Scope::allocate();
    /// assert_eq!(Scope::pool().handles().count(), 1);
    /// # drop(scope);
    /// ```
    const VISIBLE: bool = false;

    /// Runs at the end of every life, when no thread can see the object any more. The object is not dropped afterwards.
    ///
    /// Runs at once, on the thread that frees the object, unless a thread, this one included, may be reading the object. In that case it
    /// runs once the readers have left, on the thread that drops the last pin or guard, or on a thread that allocates, frees
    /// or collects later.
    ///
    /// A pin counts as a reader of every object of its domain that has a handle, whatever its thread reads. So an unrelated pin
    /// delays this finalizer, and may move it to another thread. If the finalizer must run when the object is freed, let the class
    /// be read by [guards only](crate::pool::GuardsOnly), or put it into a [domain](crate::domain!) of its own.
    ///
    /// # Panics
    ///
    /// A panic continues in the call that frees the object. If the finalizer runs late, nothing passes its panic
    /// on. As with every destructor, the process aborts if a finalizer panics
    /// during unwinding, or if two finalizers panic while one `Vec` is dropped.
    #[doc(alias = "Finalizer")]
    const FINALIZER: Option<fn(&mut Self)> = None;

    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn storage() -> &'static ClassStorage<Self> {
        Self::write_the_macro_class_here()
    }

    /// Runs at the start of every life, before another thread can see the object. The fields are as the last life left
    /// them.
    #[doc(alias = "Constructor")]
    fn constructor(&mut self) {}

    /// Runs once, before the first object of the class is made: see [`Class::construct`].
    #[doc(alias = "StaticConstructor")]
    fn static_constructor() {}

    /// Undoes the static constructor's work, at [`shutdown`](crate::shutdown).
    #[doc(alias = "StaticFinalizer")]
    fn static_finalizer() {}

    /// The class. The call costs nothing.
    #[must_use]
    #[doc(alias = "GetClassOfStoredObjects")]
    #[doc(alias = "StaticClass")]
    fn class() -> &'static Class {
        &Self::storage().class
    }

    /// The pool of the class: a `static` pool, with the same methods as any other. The static constructor has run.
    ///
    /// ```
    /// use acedia::{Object, class, pin};
    ///
    /// #[derive(Default)]
    /// struct Pawn { health: i32 }
    /// impl Object for Pawn {
    ///     class!(Pawn, "Doc.PooledPawn");
    /// }
    ///
    /// let pawns: Vec<_> = Pawn::pool().allocate_many(3).collect();
    /// assert_eq!(Pawn::pool().len(), 3);
    /// let _handle = pawns[0].handle();
    /// assert_eq!(Pawn::pool().iter(&pin()).map(|(_, pawn)| pawn.health).sum::<i32>(), 0);
    /// ```
    ///
    /// # Panics
    ///
    /// If the static constructor panics: see [`Class::construct`].
    #[inline]
    #[must_use]
    #[doc(alias = "_getPool")]
    fn pool() -> &'static Pool<Self, OfClass> {
        Self::storage().ready()
    }

    /// Allocates an object in the pool of the class: see [`Pool::allocate`].
    ///
    /// # Panics
    ///
    /// As [`Pool::allocate`], and if the static constructor panics.
    #[inline]
    #[track_caller]
    #[doc(alias = "Allocate")]
    #[doc(alias = "AllocateObject")]
    fn allocate() -> Owned<Self> {
        Self::pool().allocate()
    }

    /// Like [`allocate`](Self::allocate), and calls `init` on the object before another thread can see it.
    ///
    /// # Panics
    ///
    /// As [`allocate`](Self::allocate), and if `init` panics. Then the object is dropped.
    #[inline]
    #[track_caller]
    #[doc(alias = "Initialize")]
    fn allocate_with(init: impl FnOnce(&mut Self)) -> Owned<Self> {
        Self::pool().allocate_with(init)
    }
}

/// One type of a generic family of classes. Implemented by [`class_table!`](crate::class_table!).
#[diagnostic::on_unimplemented(
    message = "no `class_table!` lists `{Self}`",
    note = "add the line `{Self} => \"Package.Name\",` to the family's `class_table!`"
)]
pub trait Family: Sized {
    /// The class's static part.
    #[doc(hidden)]
    fn storage() -> &'static ClassStorage<Self>
    where
        Self: Object;
}

impl Class {
    /// The class of `T`. Costs nothing.
    #[must_use]
    pub fn of<T: Object>() -> &'static Self {
        T::class()
    }

    /// Whether this is the class of `T`.
    #[must_use]
    pub fn is<T: Object>(&self) -> bool {
        self == T::class()
    }
}

/// The static part of one class, declared by [`class!`](crate::class!).
#[doc(hidden)]
pub struct ClassStorage<T: Object> {
    pub(super) class: Class,
    pub(super) pool: Static<Pool<T, OfClass>>,
}

impl<T: Object> ClassStorage<T> {
    /// The pool, after the static constructor has run.
    #[inline]
    pub(super) fn ready(&'static self) -> &'static Pool<T, OfClass> {
        self.class.construct();
        &self.pool
    }
}

impl<T: Object> fmt::Debug for ClassStorage<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClassStorage")
            .field("class", &self.class)
            .field("pool", &*self.pool)
            .finish()
    }
}

/// The hooks of a class's pool call its constructor and finalizer where the engine begins and ends a life.
impl<T: Object> Hooks<T> for OfClass {
    type Readers = T::Readers;

    fn make() -> T {
        T::default()
    }

    #[inline]
    fn begin(object: &mut T) {
        object.constructor();
    }

    const END: Option<fn(&mut T)> = T::FINALIZER;

    const VISIBLE: bool = T::VISIBLE;

    const OF_CLASS: bool = true;

    const CACHES_HASH: bool = T::Kind::CACHES_HASH;

    fn name() -> &'static str {
        T::class().name()
    }

    fn about() -> &'static (dyn Any + Send + Sync) {
        T::class()
    }
}
