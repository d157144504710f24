//! The methods of a [`Handle`] to an object of a class, which need no pool.

use super::object::Object;
use crate::error::AccessError;
use crate::pool::{Domain, Guard, Handle, Owned, Pinned};

// The bounds are on the methods: if a class is missing, the compiler then prints the notes of `Object`, which explain pools without a class.
// For a bound of the `impl` it prints none.
impl<T> Handle<T> {
    /// The object, if it is alive and visible. Costs four plain loads. For a class that is read by
    /// [guards only](crate::pool::GuardsOnly), call [`guard`](Self::guard) or [`with`](Self::with).
    #[inline]
    #[must_use]
    pub fn get(self, pinned: &Pinned<T::Readers>) -> Option<&T>
    where
        T: Object<Readers: Domain>,
    {
        T::storage().pool.get(self, pinned)
    }

    /// Like [`get`](Self::get), but returns an error that says why there is no object.
    ///
    /// ```
    /// # use acedia::{Object, Reason, class, pin};
    /// # #[derive(Debug, Default)]
    /// # struct Pawn;
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let handle = Pawn::allocate().handle();
    /// let error = handle.try_get(&pin()).unwrap_err();
    /// assert_eq!(error.reason(), Reason::Freed);
    /// assert!(error.to_string().starts_with("Doc.Pawn in slot "));
    /// ```
    ///
    /// # Errors
    ///
    /// The life has ended or is hidden, or the handle's bits were made up or belong to another class.
    pub fn try_get(self, pinned: &Pinned<T::Readers>) -> Result<&T, AccessError>
    where
        T: Object<Readers: Domain>,
    {
        T::storage().pool.try_get(self, pinned)
    }

    /// Calls `read` on the object, if it is alive and visible, and returns the result. Reads under a pin, or with a
    /// guard if the class is read by guards only.
    #[inline]
    pub fn with<R>(self, read: impl FnOnce(&T) -> R) -> Option<R>
    where
        T: Object,
    {
        T::storage().pool.with(self, read)
    }

    /// A guard of the object. It can be held across threads and `await`.
    #[inline]
    #[must_use]
    #[doc(alias = "upgrade")]
    pub fn guard(self) -> Option<Guard<T>>
    where
        T: Object,
    {
        T::storage().pool.guard(self)
    }

    /// Whether the object is alive and visible at this moment. Also `false` during a call of [`Owned::exclusive`] on the
    /// object. Another thread may free the object right after the call, so read it through [`with`](Self::with) or
    /// [`get`](Self::get).
    #[must_use]
    #[doc(alias = "IsAllocated")]
    #[doc(alias = "is_alive")]
    pub fn is_allocated(self) -> bool
    where
        T: Object,
    {
        T::storage().pool.contains(self)
    }

    /// Frees an object that [`Owned::into_manual`] has left without an owner. A stale handle never frees a later object in
    /// the slot.
    ///
    /// ```
    /// # use acedia::{Object, Reason, class};
    /// # #[derive(Default)]
    /// # struct Pawn;
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let handle = Pawn::allocate().into_manual();
    /// assert_eq!(handle.free(), Ok(()));
    /// assert_eq!(handle.free().unwrap_err().reason(), Reason::Freed);
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_get`](Self::try_get), and also [`Reason::Owned`](crate::Reason::Owned) if the object is not manual or
    /// still has owners. The object then stays alive. A manual object can be freed by its handle once its owners are
    /// dropped. If several calls free the same life at the same time, one succeeds.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(self) -> Result<(), AccessError>
    where
        T: Object,
    {
        T::storage().pool.free(self)
    }
}

impl<T: Object> Handle<T> {
    /// Like [`with`](Self::with), but returns an error that says why there is no object.
    ///
    /// ```
    /// use acedia::{Object, Reason, class};
    ///
    /// #[derive(Default)]
    /// struct Pawn { health: i32 }
    /// impl Object for Pawn { class!(Pawn, "Doc.PawnOfTryWith"); }
    ///
    /// let pawn = Pawn::allocate_with(|pawn| pawn.health = 7);
    /// let handle = pawn.handle();
    /// assert_eq!(handle.try_with(|pawn| pawn.health).unwrap(), 7);
    /// drop(pawn);
    /// assert_eq!(handle.try_with(|pawn| pawn.health).unwrap_err().reason(), Reason::Freed);
    /// ```
    ///
    /// # Errors
    ///
    /// See [`try_get`](Self::try_get).
    pub fn try_with<R>(self, read: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        T::storage().pool.try_with(self, read)
    }

    /// Like [`guard`](Self::guard), but returns an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// See [`try_get`](Self::try_get).
    pub fn try_guard(self) -> Result<Guard<T>, AccessError> {
        T::storage().pool.try_guard(self)
    }

    /// Whether the life has ended. A hidden life has not ended.
    pub(crate) fn has_ended(self) -> bool {
        T::storage().pool.has_ended(self)
    }

    /// The number of the object's [life](Self::life), if the object is alive and visible. Acedia, the UnrealScript library, returns
    /// −1 for `None`.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub fn life_version(self) -> Option<u32> {
        self.is_allocated().then(|| self.life())
    }

    /// Makes an owner for an object that [`Owned::into_manual`] has left without one.
    ///
    /// ```
    /// # use acedia::{Object, Reason, class};
    /// # #[derive(Default)]
    /// # struct Pawn;
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let handle = Pawn::allocate().into_manual();
    /// let owner = handle.reclaim().unwrap();
    /// assert_eq!(handle.free().unwrap_err().reason(), Reason::Owned);
    /// drop(owner);
    /// assert!(!handle.is_allocated());
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_get`](Self::try_get), and also [`Reason::Owned`](crate::Reason::Owned) if the object is not manual.
    pub fn reclaim(self) -> Result<Owned<T>, AccessError> {
        T::storage().pool.reclaim(self)
    }
}
