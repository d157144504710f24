//! [`Object`], the trait of classes, and the structs `ClassStorage` and `Owned`, which its functions name.
//!
//! Both structs are generic over `Object`, so the trait and the structs are in one file. The methods of an owner are in
//! `owned.rs`. `declare.rs` makes a class's static part.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use crate::class::Class;
use crate::error::AllocateError;
use crate::kind::Kind;
use crate::pool::{Hooks, Owner, Pool, PoolPolicy, Readers, Static};

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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a class of objects",
    note = "to make it one: `#[derive(Object)]` with `#[object(name = \"Package.Name\")]`, or `impl Object` with `class!` inside"
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
    /// is made, and the iterators over the living, such as [`Handle::living`](crate::Handle::living), skip an object until then.
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
    /// assert_eq!(Handle::<Scope>::living().count(), 1);
    /// # drop(scope);
    /// ```
    const VISIBLE: bool = false;

    /// Runs at the end of every life, when no thread can see the object any more. The object is not dropped afterwards.
    ///
    /// Runs at once, on the thread that frees the object, unless another thread may be reading the object. In that case it
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
    fn class() -> &'static Class {
        &Self::storage().class
    }

    /// As [`allocate`](crate::allocate).
    ///
    /// # Panics
    ///
    /// As [`allocate`](crate::allocate).
    #[inline]
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    fn allocate() -> Owned<Self> {
        Self::storage().allocate()
    }

    /// As [`allocate_with`](crate::allocate_with).
    ///
    /// # Panics
    ///
    /// As [`allocate_with`](crate::allocate_with).
    #[inline]
    #[track_caller]
    fn allocate_with(init: impl FnOnce(&mut Self)) -> Owned<Self> {
        Self::storage().allocate_with(init)
    }

    /// As [`try_allocate`](crate::try_allocate).
    ///
    /// # Errors
    ///
    /// As [`try_allocate`](crate::try_allocate).
    #[track_caller]
    fn try_allocate() -> Result<Owned<Self>, AllocateError> {
        Self::storage().try_allocate()
    }

    /// As [`try_allocate_with`](crate::try_allocate_with).
    ///
    /// # Errors
    ///
    /// As [`try_allocate_with`](crate::try_allocate_with).
    #[track_caller]
    fn try_allocate_with(init: impl FnOnce(&mut Self)) -> Result<Owned<Self>, AllocateError> {
        Self::storage().try_allocate_with(init)
    }

    /// As [`allocate_fresh`](crate::allocate_fresh).
    ///
    /// # Panics
    ///
    /// As [`allocate_fresh`](crate::allocate_fresh).
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    fn allocate_fresh() -> Owned<Self> {
        Self::storage().allocate_fresh()
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
pub struct ClassStorage<T: Object> {
    pub(super) class: Class,
    pub(super) pool: Static<Pool<Stored<T>, ObjectHooks<T>>>,
}

impl<T: Object> ClassStorage<T> {
    /// The pool, after the static constructor has run.
    #[inline]
    pub(super) fn ready(&'static self) -> &'static Pool<Stored<T>, ObjectHooks<T>> {
        self.class.construct();
        &self.pool
    }

    #[inline]
    #[track_caller]
    pub(super) fn allocate(&'static self) -> Owned<T> {
        Owned(self.ready().allocate())
    }

    #[inline]
    #[track_caller]
    pub(super) fn allocate_with(&'static self, init: impl FnOnce(&mut T)) -> Owned<T> {
        Owned(self.ready().allocate_with(|stored| init(&mut stored.object)))
    }

    #[inline]
    #[track_caller]
    pub(super) fn try_allocate(&'static self) -> Result<Owned<T>, AllocateError> {
        self.ready().try_allocate().map(Owned)
    }

    #[inline]
    #[track_caller]
    pub(super) fn try_allocate_with(&'static self, init: impl FnOnce(&mut T)) -> Result<Owned<T>, AllocateError> {
        let owner = self.ready().try_allocate_with(|stored| init(&mut stored.object));
        owner.map(Owned)
    }

    #[track_caller]
    pub(super) fn try_allocate_fresh(&'static self) -> Result<Owned<T>, AllocateError> {
        self.ready().try_allocate_fresh().map(Owned)
    }

    #[track_caller]
    pub(super) fn allocate_fresh(&'static self) -> Owned<T> {
        self.try_allocate_fresh().unwrap_or_else(|error| panic!("{error}"))
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

/// Owns an object. Dropping the last owner frees the object.
///
/// In Acedia, the UnrealScript library, ownership is a convention; here it is a type. A function that returns an `Owned`
/// makes its caller responsible for freeing the object. A function that takes `&T` has no such responsibility. A clone is
/// another owner of the same object.
///
/// ```
/// use acedia::{Object, class, pin};
///
/// #[derive(Default)]
/// struct Song(String);
/// impl Object for Song {
///     class!(Song, "Doc.Song");
/// }
///
/// let song = Song::allocate_with(|it| it.0.push_str("la"));
/// let handle = song.handle();
/// let other = song.clone();
/// assert!(song.is_same(&other) && song.is_equal(&other) && song.owners() == 2);
/// assert_eq!((song.index(), song.life_version()), (handle.index(), handle.life()));
/// drop(song);
/// assert_eq!(handle.get(&pin()).unwrap().0, "la");
/// drop(other);
/// assert!(!handle.is_allocated());
/// // An object may also live without an owner, until it is freed by its handle.
/// let alone = Song::allocate().into_manual();
/// assert!(alone.is_allocated());
/// assert!(alone.free().is_ok() && alone.free().is_err());
/// ```
///
/// An `Owned` dereferences to the object, at the cost of a pointer. It takes eight bytes, and so does an `Option` of one.
/// The class's [`Kind`] decides `==` and `Hash`. [`Owner`](crate::pool::Owner#when-the-object-is-finalized) says when the
/// finalizer runs.
///
/// # Changing the object
///
/// `DerefMut` is missing on purpose: other owners and handles may be reading the object on other threads. There are four ways
/// to change an object:
///
/// | Access | Possible when |
/// |---|---|
/// | [`get_mut`](Self::get_mut) | there is one owner, and no handle was ever made |
/// | [`exclusive`](Self::exclusive) | there is one owner, and no thread is reading; meanwhile handles resolve to `None` |
/// | a lock inside the object | always; readers wait |
/// | atomics inside the object | always, for single numbers and flags |
///
/// [`Object::allocate_with`] and [`Object::constructor`] can also change an object, before another thread can see it. The
/// chapter "Your first pool" of the guide (`docs/first-pool.md`) has examples.
///
/// # Threads
///
/// An owner may be sent to other threads and shared with them, so its object must be `Send + Sync`, as every [`Object`] is:
///
/// ```compile_fail
/// # use acedia::{Object, class};
/// #[derive(Default)]
/// struct Counted(std::rc::Rc<u32>);
/// impl Object for Counted {
///     class!(Counted, "Doc.Counted");
/// }
/// ```
#[doc(alias = "FreeSelf")]
#[doc(alias = "NewRef")]
#[must_use = "an object without an owner is freed at once"]
pub struct Owned<T: Object>(pub(super) Owner<'static, Stored<T>, ObjectHooks<T>>);

/// The content of a slot of a class's pool: the object, and the cached hash that its kind needs.
pub(super) struct Stored<T: Object> {
    pub(super) object: T,
    pub(super) cache: <T::Kind as Kind<T>>::Cache,
}

impl<T: Object + fmt::Debug> fmt::Debug for Stored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.object.fmt(f)
    }
}

/// Calls constructor and finalizer where the engine begins and ends a life.
pub(super) struct ObjectHooks<T>(PhantomData<fn() -> T>);

impl<T: Object> ObjectHooks<T> {
    fn end(stored: &mut Stored<T>) {
        if let Some(finalizer) = T::FINALIZER {
            finalizer(&mut stored.object);
        }
    }
}

impl<T: Object> Hooks<Stored<T>> for ObjectHooks<T> {
    type Readers = T::Readers;

    fn make() -> Stored<T> {
        Stored {
            object: T::default(),
            cache: Default::default(),
        }
    }

    #[inline]
    fn begin(stored: &mut Stored<T>) {
        T::Kind::reset(&mut stored.cache);
        stored.object.constructor();
    }

    const END: Option<fn(&mut Stored<T>)> = match T::FINALIZER {
        Some(_) => Some(Self::end),
        None => None,
    };

    const VISIBLE: bool = T::VISIBLE;

    fn name() -> &'static str {
        T::class().name()
    }

    fn about() -> &'static (dyn Any + Send + Sync) {
        T::class()
    }
}
