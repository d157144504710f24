//! [`Class`]: a class as a value.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::book::Constructed;
use crate::error::AllocateError;
use crate::pool::{ErasedOwned, Handle, PinnedThread, PoolPolicy, Reclaimed, Stats, Untyped};
use crate::sync::const_fn;

/// A class as a value, without its Rust type. There is one `Class` for each [`Object`](crate::Object) type.
///
/// ```
/// use acedia::{Class, Object, class, load_class};
///
/// #[derive(Default)]
/// struct Fireball;
/// impl Object for Fireball {
///     class!(Fireball, "Game.Fireball");
/// }
///
/// let class = Class::of::<Fireball>();
/// assert_eq!(
///     (class.name(), class.package(), class.short_name()),
///     ("Game.Fireball", "Game", "Fireball")
/// );
/// assert_eq!(load_class("Game.Fireball"), Ok(class));
/// let any = class.allocate()?;
/// assert!(any.is::<Fireball>());
/// assert_eq!(class.stats().live, 1);
/// assert!(class.is::<Fireball>() && class.is_constructed());
/// assert_eq!((class.object_size(), class.policy()), (0, acedia::PoolPolicy::KeepAll));
/// drop(any);
/// assert_eq!(class.collect().objects, 1);
/// assert!(class.allocate_fresh()?.is::<Fireball>());
/// # Ok::<(), acedia::AllocateError>(())
/// ```
///
/// A class is equal only to itself. It prints as its name.
#[doc(alias = "class<T>")]
#[doc(alias = "AcediaType")]
pub struct Class {
    name: &'static str,
    pub(super) constructed: Constructed,
    pub(crate) ops: &'static Ops,
}

/// The operations of a class that need its Rust type.
pub(crate) struct Ops {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) object_size: usize,
    #[cfg(feature = "config")]
    pub(crate) declared: PoolPolicy,
    pub(crate) pool: fn() -> &'static Untyped,
    pub(crate) allocate: fn() -> Result<ErasedOwned, AllocateError>,
    pub(crate) allocate_fresh: fn() -> Result<ErasedOwned, AllocateError>,
    pub(crate) static_constructor: fn(),
    pub(crate) static_finalizer: fn(),
    pub(crate) equal: fn(&ErasedOwned, &ErasedOwned) -> bool,
    pub(crate) hash: fn(&ErasedOwned) -> i32,
    pub(crate) table_hash: fn(&ErasedOwned) -> u64,
    pub(crate) is_allocated: fn(Handle<()>) -> bool,
    pub(crate) handles_equal: fn(Handle<()>, Handle<()>) -> bool,
    pub(crate) table_hash_at: fn(Handle<()>) -> Option<u64>,
}

impl Class {
    const_fn! {
        pub(crate) const fn new(name: &'static str, ops: &'static Ops) -> Self {
            Self {
                name,
                constructed: Constructed::new(),
                ops,
            }
        }
    }

    pub(crate) fn pool(&self) -> &'static Untyped {
        (self.ops.pool)()
    }

    /// The complete name as it was declared: `"Package.Name"`.
    #[must_use]
    #[doc(alias = "GetName")]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The part of the name before its last dot.
    #[must_use]
    pub fn package(&self) -> &'static str {
        self.parts().0
    }

    /// The part of the name after its last dot.
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

    /// The size of one object in bytes. Memory that the object owns and the overhead of its slot are not included.
    #[must_use]
    pub const fn object_size(&self) -> usize {
        self.ops.object_size
    }

    /// How many free objects the pool keeps now: [`Object::POOL`](crate::Object::POOL), unless
    /// [`configure`](crate::configure) has changed it.
    #[must_use]
    pub fn policy(&self) -> PoolPolicy {
        self.pool().policy()
    }

    /// The statistics of the pool.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.pool().stats()
    }

    /// The threads that hold a pin in the class's domain, for which freed objects may wait:
    /// [`Domain::pinned_threads`](crate::pool::Domain::pinned_threads). Empty if the class is read by guards only.
    ///
    /// ```
    /// # use acedia::{Object, class, pin};
    /// # #[derive(Default)]
    /// # struct Comet;
    /// # impl Object for Comet { class!(Comet, "Doc.Comet"); }
    /// let pinned = pin();
    /// for thread in Comet::class().pinned_threads() {
    ///     println!("{thread}"); // thread 'main', pinned for 0.001 s at src/main.rs:5:14
    /// }
    /// assert_eq!(Comet::class().pinned_threads().len(), 1);
    /// # drop(pinned);
    /// ```
    #[must_use]
    pub fn pinned_threads(&self) -> Vec<PinnedThread> {
        self.pool().pinned_threads()
    }

    /// Drops the pool's free objects and returns their memory to the system: [`Pool::collect`](crate::pool::Pool::collect).
    ///
    /// # Panics
    ///
    /// See [`Pool::collect`](crate::pool::Pool::collect).
    #[doc(alias = "CollectGarbage")]
    pub fn collect(&self) -> Reclaimed {
        self.pool().collect()
    }

    /// Finalizes the freed objects whose readers have left, and keeps the free objects:
    /// [`Pool::settle`](crate::pool::Pool::settle).
    ///
    /// ```
    /// # use acedia::{Object, class, pin};
    /// # #[derive(Default)]
    /// # struct Meteor;
    /// # impl Object for Meteor { class!(Meteor, "Doc.Meteor"); }
    /// let pinned = pin();
    /// let meteor = Meteor::allocate();
    /// let _ = meteor.handle();
    /// drop(meteor);
    /// drop(pinned);
    /// Meteor::class().settle();
    /// assert_eq!((Meteor::class().stats().waiting, Meteor::class().stats().kept), (0, 1));
    /// ```
    #[doc(alias = "keepPools")]
    pub fn settle(&self) {
        self.pool().settle();
    }

    /// Whether the static constructor has run since the program began or since the last [shutdown](crate::shutdown).
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
