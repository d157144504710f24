//! [`Object`]: what makes a Rust type a class.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use crate::pool::Hooks;
use crate::{AllocateError, Class, ClassStorage, Kind, Owned, PoolPolicy};

/// A type whose objects live in a pool of their own: a *class*.
///
/// An object is made once, by `Default`, and then lives many lives. [`constructor`](Self::constructor) opens each life,
/// [`FINALIZER`](Self::FINALIZER) closes it, and what the object owns (the buffer of a `Vec`, say) is still there in the
/// next one.
///
/// ```
/// use acedia_allocator::{Object, PoolPolicy, class, pin};
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
/// A class that clears its fields in the constructor and has no finalizer is the cheapest to free. A finalizer is for
/// what must not wait until the slot is used again: other objects to be freed, counts to be taken back. `FINALIZER` is a
/// constant and not a method so that a pool without one never waits for readers.
///
/// # Panics in user code
///
/// Nothing is lost and nothing used twice: see [`Hooks`](crate::pool::Hooks#panics-in-hooks) for constructor and finalizer,
/// and [`Class::construct`] for static constructors.
#[doc(alias = "AcediaObject")]
pub trait Object: Default + Send + Sync + 'static {
    /// What "equal" means. Written by [`class!`](crate::class!).
    type Kind: Kind<Self>;

    /// How many free objects the pool keeps.
    ///
    /// [`configure`](crate::configure) can replace any policy but `KeepNone`, which says that the class must never be
    /// pooled; a limit that is only 0 by default is `KeepAtMost(0)`.
    #[doc(alias = "usesObjectPool")]
    #[doc(alias = "defaultMaxPoolSize")]
    const POOL: PoolPolicy = PoolPolicy::KeepAll;

    /// Closes every life, when nobody can see the object any more. The object is not dropped after this.
    ///
    /// Runs at once, on the thread that frees the object, unless somebody may be reading it; then as soon as the readers
    /// have left.
    #[doc(alias = "Finalizer")]
    const FINALIZER: Option<fn(&mut Self)> = None;

    /// The class's static part. Written by [`class!`](crate::class!).
    #[doc(hidden)]
    fn storage() -> &'static ClassStorage<Self>;

    /// Opens every life, before anybody can see the object. It finds what the last life left.
    #[doc(alias = "Constructor")]
    fn constructor(&mut self) {}

    /// Runs once, before the first object of the class is made: see [`Class::construct`].
    #[doc(alias = "StaticConstructor")]
    fn static_constructor() {}

    /// Undoes what the static constructor did, at [`shutdown`](crate::shutdown).
    #[doc(alias = "StaticFinalizer")]
    fn static_finalizer() {}

    /// The class. Costs nothing.
    #[must_use]
    fn class() -> &'static Class {
        Self::storage().class()
    }

    /// As [`allocate`](crate::allocate).
    ///
    /// # Panics
    ///
    /// As there.
    #[inline]
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    fn allocate() -> Owned<Self> {
        crate::allocate()
    }

    /// As [`allocate_with`](crate::allocate_with).
    ///
    /// # Panics
    ///
    /// As there.
    #[inline]
    #[track_caller]
    fn allocate_with(init: impl FnOnce(&mut Self)) -> Owned<Self> {
        crate::allocate_with(init)
    }

    /// As [`try_allocate`](crate::try_allocate).
    ///
    /// # Errors
    ///
    /// As there.
    #[track_caller]
    fn try_allocate() -> Result<Owned<Self>, AllocateError> {
        crate::try_allocate()
    }

    /// As [`try_allocate_with`](crate::try_allocate_with).
    ///
    /// # Errors
    ///
    /// As there.
    #[track_caller]
    fn try_allocate_with(init: impl FnOnce(&mut Self)) -> Result<Owned<Self>, AllocateError> {
        crate::try_allocate_with(init)
    }

    /// As [`allocate_fresh`](crate::allocate_fresh).
    ///
    /// # Panics
    ///
    /// As there.
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    fn allocate_fresh() -> Owned<Self> {
        crate::allocate_fresh()
    }
}

/// Names the class, chooses its kind and gives it a pool; to be written inside the `impl` of [`Object`].
///
/// ```
/// use acedia_allocator::kind::ValueHash;
/// use acedia_allocator::{Object, class};
///
/// #[derive(Default)]
/// struct Smoke;
/// impl Object for Smoke {
///     class!(Smoke, "Game.Smoke"); // equal to itself alone
/// }
///
/// #[derive(Default, PartialEq)]
/// struct Color(i32);
/// impl Object for Color {
///     class!(Color, "Game.Color", kind = Value); // equal by content
/// }
/// impl ValueHash for Color {
///     fn value_hash(&self) -> i32 {
///         self.0
///     }
/// }
/// assert_eq!(Smoke::class().name(), "Game.Smoke");
/// ```
///
/// The name is `"Package.Name"`: two or more parts of ASCII letters, digits and `_`, with dots between them. Anything
/// else does not compile:
///
/// ```compile_fail
/// # use acedia_allocator::{Object, class};
/// # #[derive(Default)]
/// # struct Smoke;
/// impl Object for Smoke {
///     class!(Smoke, "Smoke");
/// }
/// ```
///
/// From then on the class is found by name wherever the program links it, used or not: [`load_class`](crate::load_class).
/// Two classes of one name are an error of whoever asks for that name.
///
/// # Families
///
/// In a generic `impl`, `class!(family)` or `class!(family, kind = Value)` leaves the name and the pool to
/// [`class_table!`](crate::class_table!), which has an entry for each type that there is to be.
#[macro_export]
macro_rules! class {
    (family) => {
        $crate::class!(family, kind = Identity);
    };
    (family, kind = $kind:ident) => {
        type Kind = $crate::kind::$kind;

        #[inline]
        fn storage() -> &'static $crate::ClassStorage<Self> {
            <Self as $crate::Family>::storage()
        }
    };
    ($type:ty, $name:expr) => {
        $crate::class!($type, $name, kind = Identity);
    };
    ($type:ty, $name:expr, kind = $kind:ident) => {
        type Kind = $crate::kind::$kind;
        $crate::__storage!($type, $name);
    };
    ($type:ty $(,)?) => {
        ::core::compile_error!("the class needs a name: `class!(Type, \"Package.Name\")`");
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "a class is `class!(Type, \"Package.Name\")`, with `, kind = Value` if it is equal by content"
        );
    };
}

/// Gives each type of a generic family its class.
///
/// ```
/// use acedia_allocator::{Class, Family, Object, class, class_table};
///
/// #[derive(Default)]
/// struct Shelf<T>(Vec<T>);
///
/// impl<T: Send + Sync + Default + 'static> Object for Shelf<T>
/// where
///     Self: Family,
/// {
///     class!(family);
/// }
///
/// class_table! {
///     Shelf<u8> => "Shop.ByteShelf",
///     Shelf<f32> => "Shop.FloatShelf",
/// }
///
/// assert_eq!(Class::of::<Shelf<f32>>().name(), "Shop.FloatShelf");
/// assert_ne!(Class::of::<Shelf<u8>>(), Class::of::<Shelf<f32>>());
/// ```
///
/// A type without an entry is no class:
///
/// ```compile_fail
/// # use acedia_allocator::{Family, Object, class, class_table};
/// # #[derive(Default)]
/// # struct Shelf<T>(Vec<T>);
/// # impl<T: Send + Sync + Default + 'static> Object for Shelf<T> where Self: Family {
/// #     class!(family);
/// # }
/// # class_table! { Shelf<u8> => "Shop.ByteShelf" }
/// let shelf = Shelf::<i64>::allocate();
/// ```
#[macro_export]
macro_rules! class_table {
    ($($type:ty => $name:expr),+ $(,)?) => {$(
        impl $crate::Family for $type {
            $crate::__storage!($type, $name);
        }
    )+};
}

/// The static part of a class that is in no registry of names. loom's words can't stand in statics, and its models know no
/// classes.
#[doc(hidden)]
#[macro_export]
#[cfg(not(acedia_loom))]
macro_rules! __unlisted_storage {
    ($type:ty, $name:expr) => {{
        static STORAGE: $crate::ClassStorage<$type> = $crate::ClassStorage::new($name);
        &STORAGE
    }};
}

#[doc(hidden)]
#[macro_export]
#[cfg(acedia_loom)]
macro_rules! __unlisted_storage {
    ($type:ty, $name:expr) => {
        unreachable!("{} under loom", $name)
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(acedia_loom)]
macro_rules! __storage {
    ($type:ty, $name:expr) => {
        fn storage() -> &'static $crate::ClassStorage<Self> {
            $crate::__unlisted_storage!($type, $name)
        }
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(acedia_loom))]
macro_rules! __storage {
    ($type:ty, $name:expr) => {
        #[inline]
        fn storage() -> &'static $crate::ClassStorage<Self> {
            static STORAGE: $crate::ClassStorage<$type> = $crate::ClassStorage::new($name);
            $crate::__private::inventory::submit! { $crate::__private::Registration::new(&STORAGE) }
            &STORAGE
        }
    };
}

/// One type of a generic family of classes. Implemented by [`class_table!`](crate::class_table!).
pub trait Family: Sized {
    /// The class's static part.
    #[doc(hidden)]
    fn storage() -> &'static ClassStorage<Self>
    where
        Self: Object;
}

/// What a class's pool holds: the object, and what its kind keeps for its hash.
pub(crate) struct Stored<T: Object> {
    pub(crate) object: T,
    pub(crate) cache: <T::Kind as Kind<T>>::Cache,
}

impl<T: Object + fmt::Debug> fmt::Debug for Stored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.object.fmt(f)
    }
}

/// The protocol's part in the engine: constructor and finalizer at the ends of a life.
pub(crate) struct ObjectHooks<T>(PhantomData<fn() -> T>);

impl<T: Object> ObjectHooks<T> {
    fn end(stored: &mut Stored<T>) {
        if let Some(finalizer) = T::FINALIZER {
            finalizer(&mut stored.object);
        }
    }
}

impl<T: Object> Hooks<Stored<T>> for ObjectHooks<T> {
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

    fn about() -> &'static (dyn Any + Send + Sync) {
        T::class()
    }
}
