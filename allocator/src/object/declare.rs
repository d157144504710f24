//! [`class!`](crate::class!): declares a class, and makes its static part.

use super::object::{ClassStorage, Object};
use crate::class::{Class, Ops, Registration};
use crate::kind::{self, Kind, identity_hash};
use crate::pool::{ErasedOwned, Owned, Pool, Static};
use crate::sync::const_fn;

impl<T: Object> ClassStorage<T> {
    const_fn! {
        /// Makes the value of the `static` that [`class!`](crate::class!) declares.
        ///
        /// # Panics
        ///
        /// If the name is not like `"Package.Name"`: at compile time, since the static's value is computed then.
        #[doc(hidden)]
        #[must_use]
        pub const fn new(name: &'static str) -> Self {
            check_name(name);
            Self {
                class: Class::new(name, &OpsOf::<T>::OPS),
                pool: Static::new(Pool::with_any_hooks().keep(T::POOL).waiting_within(T::WAITING_AT_MOST)),
            }
        }
    }

    /// For [`class!`](crate::class!).
    #[doc(hidden)]
    #[must_use]
    pub const fn registration(&'static self) -> Registration {
        Registration(&self.class)
    }
}

/// The operations of the class of `T`.
struct OpsOf<T>(T);

impl<T: Object> OpsOf<T> {
    const OPS: Ops = Ops {
        type_name: std::any::type_name::<T>,
        object_size: size_of::<T>(),
        #[cfg(feature = "config")]
        declared: T::POOL,
        pool: || &T::storage().pool.untyped,
        allocate: || T::pool().try_allocate().map(Owned::erase),
        allocate_fresh: || T::pool().try_allocate_fresh().map(Owned::erase),
        static_constructor: T::static_constructor,
        static_finalizer: T::static_finalizer,
        equal: |left, right| match (Self::object(left), Self::object(right)) {
            (Some(left), Some(right)) => T::Kind::equal(left, right),
            _ => false,
        },
        hash: |owner| {
            let cached = |compute: &dyn Fn() -> i32| owner.cached_hash(compute);
            let hash = |object| kind::hash::<T, T::Kind>(object, cached, || identity_hash(owner.handle()));
            Self::object(owner).map_or(0, hash)
        },
        table_hash: |owner| {
            let cached = |compute: &dyn Fn() -> i32| owner.cached_hash(compute);
            let hash = |object| kind::table_hash::<T, T::Kind>(object, cached, || identity_hash(owner.handle()));
            Self::object(owner).map_or(0, hash)
        },
        is_allocated: |handle| T::storage().pool.contains(handle.cast()),
        handles_equal: |left, right| {
            let pool = &T::storage().pool;
            let equal = |one: &T, other: &T| left == right || T::Kind::equal(one, other);
            let with_left = |one: &T| pool.with(right.cast(), |other| equal(one, other));
            pool.with(left.cast(), with_left).flatten() == Some(true)
        },
        table_hash_at: |handle| {
            let pool = &T::storage().pool;
            let cached = |compute: &dyn Fn() -> i32| pool.untyped.cached_hash(handle, compute);
            let hash = |object: &T| kind::table_hash::<T, T::Kind>(object, cached, || identity_hash(handle));
            pool.with(handle.cast(), hash)
        },
    };

    fn object(owner: &ErasedOwned) -> Option<&T> {
        owner.downcast_ref(&T::storage().pool)
    }
}

/// `#[derive(Object)]` brings this trait into scope where it calls a function of the type. If the type has no such function, the call is
/// ambiguous. Without this trait, the derived function would call itself.
#[doc(hidden)]
pub trait TheTypeHasNoFunctionOfThisName {
    fn constructor(&mut self) {}
    fn static_constructor() {}
    fn static_finalizer() {}
    fn value_hash(&self) {}
}

impl<T> TheTypeHasNoFunctionOfThisName for T {}

/// Rejects a name unless it has two or more parts of letters, digits and `_`, with dots between them.
pub(super) const fn check_name(name: &str) {
    let bytes = name.as_bytes();
    let (mut at, mut part, mut dots) = (0, 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'.' => {
                assert!(
                    part > 0,
                    "a part of the class's name is empty; write it as \"Package.Name\""
                );
                part = 0;
                dots += 1;
            }
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => part += 1,
            _ => panic!("a class's name must consist of ASCII letters, digits, `_` and dots, like \"Package.Name\""),
        }
        at += 1;
    }
    assert!(
        dots > 0,
        "the class's name has no package; write it as \"Package.Name\""
    );
    assert!(
        part > 0,
        "a part of the class's name is empty; write it as \"Package.Name\""
    );
}

/// Names the class, sets its kind and declares its pool. Write it inside the `impl` of [`Object`].
///
/// ```
/// use acedia::kind::ValueHash;
/// use acedia::{Object, class};
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
/// # use acedia::{Object, class};
/// # #[derive(Default)]
/// # struct Smoke;
/// impl Object for Smoke {
///     class!(Smoke, "Smoke");
/// }
/// ```
///
/// If the program links the class, [`load_class`](crate::load_class) finds it by name, even if it was never used. If two
/// classes have the same name, looking that name up is an error.
///
/// # Readers
///
/// `readers = Audio` puts the class into the [domain](crate::domain!) `Audio`. With `readers = GuardsOnly`, its objects are
/// read by guards only. The option `readers` comes last:
///
/// ```
/// use acedia::pool::GuardsOnly;
/// use acedia::{Object, class};
///
/// #[derive(Default)]
/// struct Session;
/// impl Object for Session {
///     class!(Session, "Net.Session", readers = GuardsOnly);
/// }
///
/// let session = Session::allocate();
/// assert!(session.handle().guard().is_some());
/// ```
///
/// ```compile_fail
/// # use acedia::pool::GuardsOnly;
/// # use acedia::{Object, class, pin};
/// # #[derive(Default)]
/// # struct Session;
/// # impl Object for Session { class!(Session, "Net.Session", readers = GuardsOnly); }
/// let session = Session::allocate();
/// session.handle().get(&pin()); // no pin protects a session
/// ```
///
/// # Families
///
/// In a generic `impl`, `class!(family)`, with the same options, leaves the name and the pool to
/// [`class_table!`](crate::class_table!), which has an entry for each concrete type.
#[macro_export]
macro_rules! class {
    (@kind) => { $crate::kind::Identity };
    (@kind $kind:ident) => { $crate::kind::$kind };
    (@readers) => { $crate::pool::Global };
    (@readers $readers:ty) => { $readers };
    (family $(, kind = $kind:ident)? $(, readers = $readers:ty)? $(,)?) => {
        type Kind = $crate::class!(@kind $($kind)?);
        type Readers = $crate::class!(@readers $($readers)?);

        #[inline]
        fn write_the_macro_class_here() -> &'static $crate::ClassStorage<Self> {
            <Self as $crate::Family>::storage()
        }
    };
    ($type:ty, $name:expr $(, kind = $kind:ident)? $(, readers = $readers:ty)? $(,)?) => {
        type Kind = $crate::class!(@kind $($kind)?);
        type Readers = $crate::class!(@readers $($readers)?);
        $crate::__storage!(write_the_macro_class_here, $type, $name);
    };
    ($type:ty $(,)?) => {
        ::core::compile_error!("the class needs a name: `class!(Type, \"Package.Name\")`");
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "expected `class!(Type, \"Package.Name\")`; for objects that are equal by content, add `, kind = Value`"
        );
    };
}

/// Declares the class of each concrete type of a generic family.
///
/// ```
/// use acedia::{Class, Family, Object, class, class_table};
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
/// A type without an entry is not a class:
///
/// ```compile_fail
/// # use acedia::{Family, Object, class, class_table};
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
            $crate::__storage!(storage, $type, $name);
        }
    )+};
}

/// The static part of a class that cannot be found by name. Models have no classes, because loom's atomics cannot be in statics.
/// The static would hide a constant of the user with the same name, which `$name` may be.
#[doc(hidden)]
#[macro_export]
#[cfg(not(acedia_loom))]
macro_rules! __unlisted_storage {
    ($type:ty, $name:expr) => {{
        static __ACEDIA_STORAGE: $crate::ClassStorage<$type> = $crate::ClassStorage::new($name);
        &__ACEDIA_STORAGE
    }};
}

#[doc(hidden)]
#[macro_export]
#[cfg(acedia_loom)]
macro_rules! __unlisted_storage {
    ($type:ty, $name:expr) => {
        ::core::panic!(
            "the class {} cannot be used in a model: use a `Pool` of its type instead",
            $name
        )
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(acedia_loom)]
macro_rules! __storage {
    ($function:ident, $type:ty, $name:expr) => {
        fn $function() -> &'static $crate::ClassStorage<Self> {
            $crate::__unlisted_storage!($type, $name)
        }
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(acedia_loom))]
macro_rules! __storage {
    ($function:ident, $type:ty, $name:expr) => {
        #[inline]
        fn $function() -> &'static $crate::ClassStorage<Self> {
            static __ACEDIA_STORAGE: $crate::ClassStorage<$type> = $crate::ClassStorage::new($name);
            $crate::__private::inventory::submit! { __ACEDIA_STORAGE.registration() }
            &__ACEDIA_STORAGE
        }
    };
}
