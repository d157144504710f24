//! [`AnyOwned`] and [`AnyHandle`]: objects of any class.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;

use super::object::Object;
use crate::class::Class;
use crate::error::{AccessError, AllocateError};
use crate::pool::{ErasedOwned, Handle, Owned};

/// Owns an object of any class, as [`Owned`] owns an object of a known class.
///
/// ```
/// use acedia::{AnyOwned, Object, class};
///
/// #[derive(Default)]
/// struct Sword;
/// impl Object for Sword { class!(Sword, "Doc.Sword"); }
/// #[derive(Default)]
/// struct Shield;
/// impl Object for Shield { class!(Shield, "Doc.Shield"); }
///
/// let inventory: Vec<AnyOwned> = vec![Sword::allocate().into(), Shield::allocate().into()];
/// assert_eq!(inventory[0].class().name(), "Doc.Sword");
/// assert!(inventory[1].downcast_ref::<Shield>().is_some());
/// assert!(inventory[1].downcast_ref::<Sword>().is_none());
/// assert!(inventory[0] != inventory[1]);
/// assert!(inventory[0].is::<Sword>() && inventory[0].owners() == 1);
///
/// let again = inventory[0].clone(); // another owner
/// assert!(again.is_same(&inventory[0]) && again.is_equal(&inventory[0]));
/// assert_eq!(again.hash_code(), inventory[0].hash_code());
/// let sword = again.downcast::<Sword>().unwrap();
/// assert_eq!(inventory[0].handle().downcast(), Some(sword.handle()));
/// assert_eq!(
///     (sword.index(), sword.life_version()),
///     (inventory[0].index(), inventory[0].life_version())
/// );
/// ```
///
/// An `AnyOwned` takes four bytes, and so does an `Option` of one. It allocates no memory. It looks up the object and its class
/// by the slot's number. If the class is known, an [`Owned`] is faster. Two owners are equal if their objects are of the same
/// class and equal by its [`Kind`](crate::Kind).
#[doc(alias = "AcediaObject")]
#[doc(alias = "NewRef")]
#[must_use = "an object without an owner is freed at once"]
#[derive(Clone)]
pub struct AnyOwned(
    /// An owner in the pool of a class.
    pub(super) ErasedOwned,
);

const _: () = assert!(size_of::<Option<AnyOwned>>() == 4);

impl AnyOwned {
    /// The object's class.
    #[inline]
    #[must_use]
    pub fn class(&self) -> &'static Class {
        match self.0.about().downcast_ref() {
            Some(class) => class,
            None => unreachable!("the hooks of a class's pool return its class"),
        }
    }

    /// Whether the object is a `T`. Faster than a comparison of the [`class`](Self::class).
    #[inline]
    #[must_use]
    pub fn is<T: Object>(&self) -> bool {
        self.0.is_in(&T::storage().pool)
    }

    /// The object, if it is a `T`.
    #[inline]
    #[must_use]
    pub fn downcast_ref<T: Object>(&self) -> Option<&T> {
        self.0.downcast_ref(&T::storage().pool)
    }

    /// Mutable access to the object, if it is a `T`, this is its only owner, and no handle to it was ever made: as
    /// [`Owned::get_mut`].
    ///
    /// ```
    /// # use acedia::{AnyOwned, Object, class};
    /// # #[derive(Default)]
    /// # struct Song(String);
    /// # impl Object for Song { class!(Song, "Doc.Song"); }
    /// let mut song: AnyOwned = Song::allocate().into();
    /// song.downcast_mut::<Song>().unwrap().0.push_str("la");
    /// let other = song.clone();
    /// assert!(song.downcast_mut::<Song>().is_none());
    /// ```
    #[inline]
    #[must_use]
    pub fn downcast_mut<T: Object>(&mut self) -> Option<&mut T> {
        self.0.get_mut(&T::storage().pool)
    }

    /// The owner with its type.
    ///
    /// # Errors
    ///
    /// Returns `self` if the object is of another class.
    pub fn downcast<T: Object>(self) -> Result<Owned<T>, Self> {
        self.0.downcast(&T::storage().pool).map_err(Self)
    }

    /// A handle to the object.
    pub fn handle(&self) -> AnyHandle {
        AnyHandle::of(self.class(), self.0.handle())
    }

    /// Leaves the object alive without an owner, until it is freed through the handle, like [`Owned::into_manual`]. Use it for
    /// code in another language, which stores the number of [`to_bits`](AnyHandle::to_bits).
    ///
    /// ```
    /// # use acedia::{AnyHandle, Object, class};
    /// # #[derive(Default)]
    /// # struct Song(String);
    /// # impl Object for Song { class!(Song, "Doc.ManualSong"); }
    /// let bits = Song::class().allocate()?.into_manual().to_bits();
    /// // Later, with the bits alone:
    /// let song = AnyHandle::find(bits).unwrap();
    /// assert!(song.is::<Song>() && song.free().is_ok());
    /// assert_eq!(AnyHandle::find(bits), None);
    /// # Ok::<(), acedia::AllocateError>(())
    /// ```
    #[must_use = "the object lives until it is freed through this handle"]
    pub fn into_manual(self) -> AnyHandle {
        let class = self.class();
        AnyHandle::of(class, self.0.into_manual())
    }

    /// Ends this share in the object as a drop does, and records the caller's location, like [`Owned::free`].
    #[track_caller]
    #[doc(alias = "Free")]
    #[doc(alias = "FreeSelf")]
    pub fn free(self) {
        self.0.free();
    }

    /// The number of the object's current life.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub fn life_version(&self) -> u32 {
        self.0.handle().life()
    }

    /// The number of the object's slot. No other living object of this copy of acedia has this number.
    #[inline]
    #[must_use]
    pub fn index(&self) -> u32 {
        self.0.index()
    }

    /// How many owners the object has. Exact when no other thread is cloning or dropping one.
    #[must_use]
    #[doc(alias = "_getRefCount")]
    pub fn owners(&self) -> usize {
        self.0.owners()
    }

    /// Whether both owners own the same object.
    #[inline]
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.index() == other.index()
    }

    /// Whether the objects are of the same class, and equal by its [`Kind`](crate::Kind). The same as `==`.
    #[inline]
    #[must_use]
    #[doc(alias = "IsEqual")]
    pub fn is_equal(&self, other: &Self) -> bool {
        self.is_same(other) || (self.0.is_with(&other.0) && (self.class().ops.equal)(&self.0, &other.0))
    }

    /// The hash of the object: see [`Owned::hash_code`].
    #[must_use]
    #[doc(alias = "GetHashCode")]
    pub fn hash_code(&self) -> i32 {
        (self.class().ops.hash)(&self.0)
    }

    /// The number that `Hash` passes to a table. Equal objects have the same number.
    #[must_use]
    pub fn table_hash(&self) -> u64 {
        (self.class().ops.table_hash)(&self.0)
    }
}

impl PartialEq for AnyOwned {
    fn eq(&self, other: &Self) -> bool {
        self.is_equal(other)
    }
}

impl Eq for AnyOwned {}

impl Hash for AnyOwned {
    fn hash<S: Hasher>(&self, state: &mut S) {
        state.write_u64(self.table_hash());
    }
}

impl fmt::Debug for AnyOwned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyOwned({}, slot {})", self.class(), self.index())
    }
}

/// Names one life of one object of any class, as [`Handle`] does for a known class.
///
/// ```
/// use acedia::{Handle, Object, class};
///
/// #[derive(Default)]
/// struct Lamp;
/// impl Object for Lamp { class!(Lamp, "Doc.Lamp"); }
///
/// let lamp = Lamp::allocate();
/// let any = lamp.handle().to_any();
/// assert_eq!(any.downcast::<Lamp>(), Some(lamp.handle()));
/// assert!(any.is::<Lamp>() && any.class() == Lamp::class());
/// assert!(any.is_equal(any) && any.table_hash().is_some());
/// assert_eq!((any.index(), any.life_version()), (lamp.index(), Some(any.life())));
/// drop(lamp);
/// assert!(!any.is_allocated());
/// assert!(any.life_version().is_none() && any.reclaim().is_err() && any.free().is_err());
/// ```
///
/// An `AnyHandle` takes 16 bytes with 64-bit pointers, and 12 to 16 bytes with 32-bit pointers. An `Option` of one
/// takes no more.
#[doc(alias = "AcediaObject")]
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnyHandle {
    class: &'static Class,
    handle: Handle<()>,
}

const _: () = assert!(size_of::<Option<AnyHandle>>() == size_of::<AnyHandle>() && size_of::<AnyHandle>() <= 16);

impl AnyHandle {
    pub(super) fn of(class: &'static Class, handle: Handle<()>) -> Self {
        Self { class, handle }
    }

    /// Handles to the living objects of one class that have a handle.
    pub(super) fn living_of(class: &'static Class) -> impl Iterator<Item = Self> {
        let mut handles = class.pool().handles();
        std::iter::from_fn(move || Some(Self::of(class, handles.next_handle()?)))
    }

    /// The object's class.
    #[must_use]
    pub fn class(self) -> &'static Class {
        self.class
    }

    /// Whether the object is, or was, a `T`.
    #[must_use]
    pub fn is<T: Object>(self) -> bool {
        self.class.is::<T>()
    }

    /// The handle with its type, if the object is, or was, a `T`.
    #[must_use]
    pub fn downcast<T: Object>(self) -> Option<Handle<T>> {
        self.is::<T>().then(|| self.handle.cast())
    }

    /// Whether the object is alive and visible at this moment, like [`Handle::is_allocated`].
    #[must_use]
    #[doc(alias = "IsAllocated")]
    pub fn is_allocated(self) -> bool {
        (self.class.ops.is_allocated)(self.handle)
    }

    /// The place of the allocation, and its number in the order of all allocations of the process.
    pub(super) fn allocation(self) -> Option<(&'static Location<'static>, u64)> {
        self.class.pool().allocation(self.handle)
    }

    /// The number of the object's [life](crate::Handle::life), if the object is alive and visible. Acedia, the UnrealScript library,
    /// returns −1 for `None`.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub fn life_version(self) -> Option<u32> {
        self.is_allocated().then(|| self.life())
    }

    /// The life that the handle names, even if it has ended.
    #[must_use]
    pub const fn life(self) -> u32 {
        self.handle.version().get()
    }

    /// The number of the object's slot. A slot holds at most one living object at a time.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.handle.index()
    }

    /// The handle without its class as a number, for a script or a file. Never 0.
    ///
    /// ```
    /// # use acedia::{AnyHandle, Object, class, load_class};
    /// # #[derive(Default)]
    /// # struct Lamp;
    /// # impl Object for Lamp { class!(Lamp, "Doc.ScriptedLamp"); }
    /// let lamp = Lamp::allocate();
    /// let given = lamp.handle().to_any();
    /// let (name, bits) = (given.class().name(), given.to_bits());
    /// // Later, from the script:
    /// let handle = AnyHandle::from_bits(load_class(name)?, bits).unwrap();
    /// assert!(handle == given && handle.index() == lamp.index());
    /// assert!(AnyHandle::from_bits(Lamp::class(), 0).is_none());
    /// # Ok::<(), acedia::ClassError>(())
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.handle.to_bits()
    }

    /// The handle of this class for which [`to_bits`](Self::to_bits) returned these bits. `None` if no pool can ever issue them.
    /// Any number is valid input: see [`Handle::from_bits`].
    #[must_use]
    pub fn from_bits(class: &'static Class, bits: u64) -> Option<Self> {
        Some(Self::of(class, Handle::from_bits(bits)?))
    }

    /// The handle for which [`to_bits`](Self::to_bits) returned these bits, to a living object of any class. `None` if the life
    /// has ended, if no class has issued the bits, or if the object is in a pool without a class. Any number is valid input.
    ///
    /// ```
    /// # use acedia::{AnyHandle, Object, class};
    /// # #[derive(Default)]
    /// # struct Lamp;
    /// # impl Object for Lamp { class!(Lamp, "Doc.FoundLamp"); }
    /// let lamp = Lamp::allocate();
    /// let bits = lamp.handle().to_bits();
    /// assert_eq!(AnyHandle::find(bits), Some(lamp.handle().to_any()));
    /// drop(lamp);
    /// assert_eq!(AnyHandle::find(bits), None);
    /// assert_eq!(AnyHandle::find(0), None);
    /// ```
    ///
    /// # Cost
    ///
    /// One look-up in the pool of each class, until a pool has the object.
    #[must_use]
    pub fn find(bits: u64) -> Option<Self> {
        let handle = Handle::from_bits(bits)?;
        let found = crate::class::all().find(|class| (class.ops.is_allocated)(handle))?;
        Some(Self::of(found, handle))
    }

    /// Whether both objects are alive and visible, and equal as by [`AnyOwned::is_equal`]. `==` compares the handles
    /// instead.
    ///
    /// ```
    /// # use acedia::kind::ValueHash;
    /// # use acedia::{Object, class};
    /// # #[derive(Default, PartialEq)]
    /// # struct Coin(i32);
    /// # impl Object for Coin { class!(Coin, "Doc.Coin", kind = Value); }
    /// # impl ValueHash for Coin { fn value_hash(&self) -> i32 { self.0 } }
    /// let (one, other) = (Coin::allocate(), Coin::allocate());
    /// let (seen, same) = (one.handle().to_any(), other.handle().to_any());
    /// assert!(seen.is_equal(same) && seen.table_hash() == same.table_hash());
    /// drop(one);
    /// assert!(!seen.is_equal(seen) && seen.table_hash().is_none());
    /// ```
    #[must_use]
    #[doc(alias = "IsEqual")]
    pub fn is_equal(self, other: Self) -> bool {
        self.class == other.class && (self.class.ops.handles_equal)(self.handle, other.handle)
    }

    /// The [`AnyOwned::table_hash`] of the object, if the object is alive and visible.
    #[must_use]
    pub fn table_hash(self) -> Option<u64> {
        (self.class.ops.table_hash_at)(self.handle)
    }

    /// As [`Handle::free`].
    ///
    /// # Errors
    ///
    /// As [`Handle::free`].
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(self) -> Result<(), AccessError> {
        self.class.pool().free(self.handle, Location::caller())
    }

    /// As [`Handle::reclaim`].
    ///
    /// # Errors
    ///
    /// As [`Handle::reclaim`].
    pub fn reclaim(self) -> Result<AnyOwned, AccessError> {
        self.class.pool().reclaim(self.handle).map(AnyOwned)
    }
}

impl fmt::Display for AnyHandle {
    /// Prints `Game.Rocket in slot 3, life 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.class, self.handle)
    }
}

impl fmt::Debug for AnyHandle {
    /// Prints `AnyHandle(Game.Rocket, slot 3, life 7)`. Does not access the object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyHandle({}, {})", self.class, self.handle)
    }
}

impl<T: Object> From<Handle<T>> for AnyHandle {
    fn from(handle: Handle<T>) -> Self {
        handle.to_any()
    }
}

impl<T: Object> Owned<T> {
    /// Erases the type: see [`AnyOwned`].
    #[inline]
    pub fn into_any(self) -> AnyOwned {
        AnyOwned(self.erase())
    }
}

impl<T: Object> From<Owned<T>> for AnyOwned {
    fn from(owned: Owned<T>) -> Self {
        owned.into_any()
    }
}

impl<T: Object> Handle<T> {
    /// Erases the type: see [`AnyHandle`].
    pub fn to_any(self) -> AnyHandle {
        AnyHandle::of(T::class(), self.cast())
    }
}

impl Class {
    /// Allocates an object of the class, like [`Pool::try_allocate`](crate::Pool::try_allocate).
    ///
    /// # Errors
    ///
    /// As [`Pool::try_allocate`](crate::Pool::try_allocate).
    #[track_caller]
    #[doc(alias = "Allocate")]
    #[doc(alias = "AllocateByReference")]
    #[doc(alias = "AllocateByReferenceS")]
    #[doc(alias = "AllocateByReference_S")]
    pub fn allocate(&self) -> Result<AnyOwned, AllocateError> {
        Ok(AnyOwned((self.ops.allocate)()?.allocated_here()))
    }

    /// Like [`allocate`](Self::allocate), but always with an object that had no life before.
    ///
    /// # Errors
    ///
    /// As [`allocate`](Self::allocate).
    #[track_caller]
    #[doc(alias = "forceNew")]
    pub fn allocate_fresh(&self) -> Result<AnyOwned, AllocateError> {
        Ok(AnyOwned((self.ops.allocate_fresh)()?.allocated_here()))
    }
}
