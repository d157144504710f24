//! [`Class`]: a class as a value.

use std::any::TypeId;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::object::{ObjectHooks, Stored};
use crate::pool::{Key, Pool, Reclaimed, Stats, pin};
use crate::statics::Constructed;
use crate::sync::const_fn;
use crate::{AccessError, AllocateError, AnyOwned, Handle, Kind, Object, Owned, PoolPolicy, statics};

/// A class as a value: what is known of it without its Rust type. There is one `Class` for each [`Object`] type.
///
/// ```
/// use acedia_allocator::{Class, Object, class, load_class};
///
/// #[derive(Default)]
/// struct Fireball;
/// impl Object for Fireball {
///     class!(Fireball, "Game.Fireball");
/// }
///
/// let class = Class::of::<Fireball>();
/// assert_eq!((class.name(), class.package(), class.short_name()), ("Game.Fireball", "Game", "Fireball"));
/// assert_eq!(load_class("Game.Fireball"), Ok(class));
/// let any = class.allocate()?;
/// assert!(any.is::<Fireball>());
/// assert_eq!(class.stats().live, 1);
/// assert!(class.is::<Fireball>() && class.is_constructed());
/// assert_eq!((class.object_size(), class.policy()), (0, acedia_allocator::PoolPolicy::KeepAll));
/// drop(any);
/// assert_eq!(class.collect().objects, 1);
/// assert!(class.allocate_fresh()?.is::<Fireball>());
/// # Ok::<(), acedia_allocator::AllocateError>(())
/// ```
///
/// Equal to itself alone. Printed as its name.
#[doc(alias = "class<T>")]
#[doc(alias = "AcediaType")]
pub struct Class {
    name: &'static str,
    pub(crate) constructed: Constructed,
    pub(crate) ops: &'static Ops,
}

/// What the classes have in common, each for its own type.
pub(crate) struct Ops {
    type_name: fn() -> &'static str,
    type_id: fn() -> TypeId,
    object_size: usize,
    #[cfg(feature = "config")]
    pub(crate) declared: PoolPolicy,
    policy: fn() -> PoolPolicy,
    #[cfg(feature = "config")]
    pub(crate) set_policy: fn(PoolPolicy) -> Result<(), AllocateError>,
    stats: fn() -> Stats,
    collect: fn() -> Reclaimed,
    pub(crate) settle: fn(),
    allocate: fn() -> Result<AnyOwned, AllocateError>,
    allocate_fresh: fn() -> Result<AnyOwned, AllocateError>,
    pub(crate) static_constructor: fn(),
    pub(crate) static_finalizer: fn(),
    pub(crate) equal: fn(&AnyOwned, &AnyOwned) -> bool,
    pub(crate) hash: fn(&AnyOwned) -> i32,
    pub(crate) table_hash: fn(&AnyOwned) -> u64,
    pub(crate) is_allocated: fn(Key) -> bool,
    pub(crate) keys_equal: fn(Key, Key) -> bool,
    pub(crate) table_hash_at: fn(Key) -> Option<u64>,
    pub(crate) reclaim: fn(Key) -> Result<AnyOwned, AccessError>,
}

struct OpsOf<T>(T);

impl<T: Object> OpsOf<T> {
    const OPS: Ops = Ops {
        type_name: std::any::type_name::<T>,
        type_id: TypeId::of::<T>,
        object_size: size_of::<T>(),
        #[cfg(feature = "config")]
        declared: T::POOL,
        policy: || T::storage().pool.policy(),
        #[cfg(feature = "config")]
        set_policy: |policy| T::storage().pool.set_policy(policy),
        stats: || T::storage().pool.stats(),
        collect: || T::storage().pool.collect(),
        settle: || T::storage().pool.settle(),
        allocate: || crate::try_allocate::<T>().map(Owned::into_any),
        allocate_fresh: || crate::try_allocate_fresh::<T>().map(Owned::into_any),
        static_constructor: T::static_constructor,
        static_finalizer: T::static_finalizer,
        equal: |left, right| match (left.stored::<T>(), right.stored::<T>()) {
            (Some(left), Some(right)) => T::Kind::equal(&left.object, &right.object),
            _ => false,
        },
        hash: |any| {
            any.stored::<T>()
                .map_or(0, |stored| T::Kind::hash(&stored.object, &stored.cache, || any.key()))
        },
        table_hash: |any| {
            any.stored::<T>().map_or(0, |stored| {
                T::Kind::table_hash(&stored.object, &stored.cache, || any.key())
            })
        },
        is_allocated: |key| T::storage().pool.contains(key),
        keys_equal: |left, right| {
            let pinned = pin();
            let pool = &T::storage().pool;
            match (pool.get(left, &pinned), pool.get(right, &pinned)) {
                (Some(one), Some(other)) => left == right || T::Kind::equal(&one.object, &other.object),
                _ => false,
            }
        },
        table_hash_at: |key| {
            let pinned = pin();
            let stored = T::storage().pool.get(key, &pinned)?;
            Some(T::Kind::table_hash(&stored.object, &stored.cache, || key))
        },
        reclaim: |key| Handle::<T>::of_key(key).reclaim().map(Owned::into_any),
    };
}

impl Class {
    /// The class of `T`. Costs nothing.
    #[must_use]
    pub fn of<T: Object>() -> &'static Self {
        T::class()
    }

    /// The whole name, `"Package.Name"`, as it was written.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name before its last dot.
    #[must_use]
    pub fn package(&self) -> &'static str {
        self.parts().0
    }

    /// The name after its last dot.
    #[must_use]
    pub fn short_name(&self) -> &'static str {
        self.parts().1
    }

    fn parts(&self) -> (&'static str, &'static str) {
        self.name.rsplit_once('.').unwrap_or(("", self.name))
    }

    /// The Rust type, for messages.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        (self.ops.type_name)()
    }

    /// The Rust type, for comparisons.
    #[must_use]
    pub fn type_id(&self) -> TypeId {
        (self.ops.type_id)()
    }

    /// Whether this is the class of `T`.
    #[must_use]
    pub fn is<T: Object>(&self) -> bool {
        self == T::class()
    }

    /// Bytes of one object, without what it owns elsewhere and without the pool's own words.
    #[must_use]
    pub const fn object_size(&self) -> usize {
        self.ops.object_size
    }

    /// How many free objects the pool keeps now: [`Object::POOL`], or what [`configure`](crate::configure) has made of it.
    #[must_use]
    pub fn policy(&self) -> PoolPolicy {
        (self.ops.policy)()
    }

    /// Numbers about the pool.
    #[must_use]
    pub fn stats(&self) -> Stats {
        (self.ops.stats)()
    }

    /// Drops the pool's free objects and gives their memory back: [`Pool::collect`](crate::pool::Pool::collect).
    ///
    /// # Panics
    ///
    /// As there.
    #[doc(alias = "CollectGarbage")]
    pub fn collect(&self) -> Reclaimed {
        (self.ops.collect)()
    }

    /// An object of the class, as [`try_allocate`](crate::try_allocate) gives it.
    ///
    /// # Errors
    ///
    /// As there.
    #[track_caller]
    #[doc(alias = "Allocate")]
    pub fn allocate(&self) -> Result<AnyOwned, AllocateError> {
        Ok((self.ops.allocate)()?.allocated_here())
    }

    /// As [`allocate`](Self::allocate), with an object that had no life before.
    ///
    /// # Errors
    ///
    /// As there.
    #[track_caller]
    #[doc(alias = "forceNew")]
    pub fn allocate_fresh(&self) -> Result<AnyOwned, AllocateError> {
        Ok((self.ops.allocate_fresh)()?.allocated_here())
    }

    /// Runs the static constructor, if it has not run since the program began or was [shut down](crate::shutdown).
    ///
    /// Nobody has to call this: the first allocation does. By hand it is done earlier.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use acedia_allocator::{Object, class};
    ///
    /// static RUNS: AtomicU32 = AtomicU32::new(0);
    /// #[derive(Default)]
    /// struct Sky;
    /// impl Object for Sky {
    ///     class!(Sky, "Doc.Sky");
    ///     fn static_constructor() {
    ///         RUNS.fetch_add(1, Ordering::Relaxed);
    ///         let _own = Sky::allocate(); // does not start it again
    ///     }
    /// }
    ///
    /// Sky::class().construct();
    /// let _sky = Sky::allocate();
    /// assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    /// ```
    ///
    /// # Threads
    ///
    /// One thread runs it; others that allocate objects of the class meanwhile wait until it is done. The thread that runs
    /// it does not wait for itself. Nor does anybody wait in a circle: if the static constructors of two classes need each
    /// other's objects on two threads, the one that would close the circle goes on, and finds the other class half
    /// prepared, as it would if one thread had run both. A static constructor that itself waits for another thread (joins
    /// it, or locks what it holds) must not do so while that thread allocates objects of the class: this circle cannot be
    /// seen from here.
    ///
    /// # Panics
    ///
    /// If the static constructor does. It then counts as not run, and the next allocation starts it again.
    ///
    /// # Cost
    ///
    /// One load, once it has run.
    #[inline]
    #[doc(alias = "StaticConstructor")]
    #[doc(alias = "StaticConstructorGuard")]
    pub fn construct(&'static self) {
        if !self.is_constructed() {
            statics::construct(self);
        }
    }

    /// Whether the static constructor has run, and was not undone by [`shutdown`](crate::shutdown) since.
    #[inline]
    #[must_use]
    pub fn is_constructed(&self) -> bool {
        self.constructed.get()
    }
}

impl PartialEq for Class {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Class {}

impl Hash for Class {
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.name.hash(state);
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Class({}, {})", self.name, self.type_name())
    }
}

/// The static part of one class: what [`class!`](crate::class!) declares.
pub struct ClassStorage<T: Object> {
    class: Class,
    pub(crate) pool: Pool<Stored<T>, ObjectHooks<T>>,
}

impl<T: Object> ClassStorage<T> {
    const_fn! {
        /// For a `static` of the macro's.
        ///
        /// # Panics
        ///
        /// If the name is not like `"Package.Name"`: at compile time, since the static's value is computed then.
        #[doc(hidden)]
        #[must_use]
        pub const fn new(name: &'static str) -> Self {
            check_name(name);
            Self {
                class: Class {
                    name,
                    constructed: Constructed::new(),
                    ops: &OpsOf::<T>::OPS,
                },
                pool: Pool::with_hooks().keep(T::POOL),
            }
        }
    }

    /// The class.
    #[inline]
    pub(crate) const fn class(&self) -> &Class {
        &self.class
    }

    /// The pool, for an object that is about to be allocated.
    #[inline]
    pub(crate) fn ready(&'static self) -> &'static Pool<Stored<T>, ObjectHooks<T>> {
        self.class.construct();
        &self.pool
    }

    /// The same, if the static constructor has run.
    #[inline]
    pub(crate) fn ready_already(&self) -> Option<&Pool<Stored<T>, ObjectHooks<T>>> {
        self.class.is_constructed().then_some(&self.pool)
    }
}

impl<T: Object> fmt::Debug for ClassStorage<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClassStorage")
            .field("class", &self.class)
            .field("pool", &self.pool)
            .finish()
    }
}

/// Refuses names that are not two or more parts of letters, digits and `_`, with dots between them.
const fn check_name(name: &str) {
    let bytes = name.as_bytes();
    let (mut at, mut part, mut dots) = (0, 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'.' => {
                assert!(
                    part > 0,
                    "a part of the class's name is empty; it must be like \"Package.Name\""
                );
                part = 0;
                dots += 1;
            }
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => part += 1,
            _ => panic!("a class's name is made of ASCII letters, digits, `_` and dots, like \"Package.Name\""),
        }
        at += 1;
    }
    assert!(
        dots > 0,
        "the class's name has no package; it must be like \"Package.Name\""
    );
    assert!(
        part > 0,
        "a part of the class's name is empty; it must be like \"Package.Name\""
    );
}
