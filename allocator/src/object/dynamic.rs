//! [`DynHandle`]: handles to objects of every class that implements a trait.

use std::any::{Any, TypeId};
use std::fmt;
use std::hash::{Hash, Hasher};

use super::any::{AnyHandle, AnyOwned};
use super::handle::Handle;
use super::object::Object;
use crate::class::Class;
use crate::pool::Key;

/// A class whose objects can be read as a `D`, a trait object in most cases. Implemented by [`casts!`](crate::casts!).
pub trait Casts<D: ?Sized>: Object {
    /// The object as a `D`.
    fn cast(&self) -> &D;
}

/// Names one life of one object of any class that [casts](crate::casts!) to `D`.
///
/// ```
/// use acedia::{DynHandle, Object, casts, class};
///
/// trait Talk: Send + Sync {
///     fn line(&self) -> String;
/// }
///
/// #[derive(Default)]
/// struct Guard {
///     name: String,
/// }
/// impl Object for Guard {
///     class!(Guard, "Doc.TalkingGuard");
/// }
/// impl Talk for Guard {
///     fn line(&self) -> String {
///         format!("{}: Halt!", self.name)
///     }
/// }
///
/// #[derive(Default)]
/// struct Parrot;
/// impl Object for Parrot {
///     class!(Parrot, "Doc.TalkingParrot");
/// }
/// impl Talk for Parrot {
///     fn line(&self) -> String {
///         "Ahoy".to_owned()
///     }
/// }
///
/// casts! {
///     Guard => dyn Talk;
///     Parrot => dyn Talk;
/// }
///
/// let (guard, parrot) =
///     (Guard::allocate_with(|it| it.name = "Bo".into()), Parrot::allocate());
/// let talkers: [DynHandle<dyn Talk>; 2] = [guard.handle().into(), parrot.handle().into()];
/// drop(parrot);
/// let lines: Vec<_> = talkers.iter().map(|it| it.with(|it| it.line())).collect();
/// assert_eq!(lines, [Some("Bo: Halt!".to_owned()), None]);
///
/// // From a handle whose class is known at run time only:
/// let any = guard.handle().as_any();
/// assert_eq!(any.as_dyn::<dyn Talk>(), Some(talkers[0]));
/// assert!(any.as_dyn::<dyn std::fmt::Debug>().is_none());
/// ```
///
/// Like an [`AnyHandle`], it takes 16 bytes with 64-bit pointers.
#[must_use]
pub struct DynHandle<D: ?Sized + 'static> {
    key: Key,
    cast: &'static Cast<D>,
}

/// Calls a closure with the object of that key, if it is alive and visible.
type With<D> = fn(Key, &mut dyn FnMut(&D));

/// The functions for objects of one class as a `D`.
struct Cast<D: ?Sized> {
    class: fn() -> &'static Class,
    any: fn(Key) -> AnyHandle,
    with: With<D>,
    owned: for<'a> fn(&'a AnyOwned) -> Option<&'a D>,
}

/// The [`Cast`] of each pair of types.
struct Pair<T, D: ?Sized>(std::marker::PhantomData<(T, *const D)>);

impl<T: Casts<D>, D: ?Sized + 'static> Pair<T, D> {
    const CAST: &'static Cast<D> = &Cast {
        class: T::class,
        any: |key| Handle::<T>::of_key(key).as_any(),
        with: |key, read| _ = Handle::<T>::of_key(key).with(|object| read(object.cast())),
        owned: |object| object.downcast_ref::<T>().map(T::cast),
    };
}

impl<D: ?Sized + 'static> DynHandle<D> {
    /// Calls `read` on the object, if it is alive and visible, and returns the result, like [`Handle::with`].
    ///
    /// # Cost
    ///
    /// Costs as much as `Handle::with` plus two indirect calls.
    pub fn with<R>(self, read: impl FnOnce(&D) -> R) -> Option<R> {
        let (mut read, mut result) = (Some(read), None);
        (self.cast.with)(self.key, &mut |object| result = read.take().map(|read| read(object)));
        result
    }

    /// Whether the object is alive and visible at this moment, like [`Handle::is_allocated`].
    ///
    /// ```
    /// # use acedia::{DynHandle, Object, casts, class};
    /// # #[derive(Default)]
    /// # struct Lamp;
    /// # impl Object for Lamp { class!(Lamp, "Doc.LitLamp"); }
    /// # trait Lit: Send + Sync {}
    /// # impl Lit for Lamp {}
    /// # casts! { Lamp => dyn Lit; }
    /// let lamp = Lamp::allocate();
    /// let handle: DynHandle<dyn Lit> = lamp.handle().into();
    /// assert!(handle.is_allocated());
    /// drop(lamp);
    /// assert!(!handle.is_allocated());
    /// ```
    #[must_use]
    #[doc(alias = "IsAllocated")]
    pub fn is_allocated(self) -> bool {
        self.as_any().is_allocated()
    }

    /// The handle without the trait.
    ///
    /// ```
    /// # use acedia::{DynHandle, Object, casts, class};
    /// # #[derive(Default)]
    /// # struct Lamp;
    /// # impl Object for Lamp { class!(Lamp, "Doc.AnyLitLamp"); }
    /// # trait Lit: Send + Sync {}
    /// # impl Lit for Lamp {}
    /// # casts! { Lamp => dyn Lit; }
    /// let lamp = Lamp::allocate();
    /// let handle: DynHandle<dyn Lit> = lamp.handle().into();
    /// assert_eq!(handle.as_any(), lamp.handle().as_any());
    /// ```
    pub fn as_any(self) -> AnyHandle {
        (self.cast.any)(self.key)
    }

    /// The handle with its type, if the object is, or was, a `T`.
    ///
    /// ```
    /// # use acedia::{DynHandle, Object, casts, class};
    /// # #[derive(Default)]
    /// # struct Lamp;
    /// # impl Object for Lamp { class!(Lamp, "Doc.TypedLitLamp"); }
    /// # trait Lit: Send + Sync {}
    /// # impl Lit for Lamp {}
    /// # casts! { Lamp => dyn Lit; }
    /// let lamp = Lamp::allocate();
    /// let handle: DynHandle<dyn Lit> = lamp.handle().into();
    /// assert_eq!(handle.downcast::<Lamp>(), Some(lamp.handle()));
    /// ```
    #[must_use]
    pub fn downcast<T: Object>(self) -> Option<Handle<T>> {
        self.as_any().downcast()
    }
}

impl<T: Casts<D>, D: ?Sized + 'static> From<Handle<T>> for DynHandle<D> {
    fn from(handle: Handle<T>) -> Self {
        Self {
            key: handle.key(),
            cast: Pair::<T, D>::CAST,
        }
    }
}

impl AnyHandle {
    /// The handle with the trait `D`, if a [`casts!`](crate::casts!) casts the object's class to `D`. [`DynHandle`] has an
    /// example.
    ///
    /// # Cost
    ///
    /// One comparison with each cast of the program.
    #[must_use]
    pub fn as_dyn<D: ?Sized + 'static>(self) -> Option<DynHandle<D>> {
        let cast = Cast::of(self.class())?;
        Some(DynHandle { key: self.key(), cast })
    }
}

impl AnyOwned {
    /// The object as a `D`, if a [`casts!`](crate::casts!) casts its class to `D`.
    ///
    /// ```
    /// # use acedia::{AnyOwned, Object, casts, class};
    /// # trait Talk: Send + Sync {
    /// #     fn line(&self) -> &'static str;
    /// # }
    /// # #[derive(Default)]
    /// # struct Parrot;
    /// # impl Object for Parrot { class!(Parrot, "Doc.OwnedParrot"); }
    /// # impl Talk for Parrot {
    /// #     fn line(&self) -> &'static str { "Ahoy" }
    /// # }
    /// casts! { Parrot => dyn Talk; }
    ///
    /// let any: AnyOwned = Parrot::allocate().into();
    /// assert_eq!(any.as_dyn::<dyn Talk>().map(|it| it.line()), Some("Ahoy"));
    /// assert!(any.as_dyn::<dyn std::fmt::Debug>().is_none());
    /// ```
    ///
    /// # Cost
    ///
    /// One comparison with each cast of the program.
    #[must_use]
    pub fn as_dyn<D: ?Sized + 'static>(&self) -> Option<&D> {
        (Cast::of(self.class())?.owned)(self)
    }
}

impl<D: ?Sized + 'static> Cast<D> {
    /// The cast of that class to `D`.
    fn of(class: &'static Class) -> Option<&'static Self> {
        let mut casts = inventory::iter::<CastRegistration>().filter(|it| (it.target)() == TypeId::of::<D>());
        // `downcast_ref` of a `'static` reference is `'static`.
        casts.find_map(|it| it.cast.downcast_ref::<Self>().filter(|it| (it.class)() == class))
    }
}

/// A cast of one class, registered before `main` begins.
#[doc(hidden)]
#[derive(Debug)]
pub struct CastRegistration {
    target: fn() -> TypeId,
    cast: &'static (dyn Any + Send + Sync),
}

impl CastRegistration {
    #[must_use]
    pub const fn new<T: Casts<D>, D: ?Sized + 'static>() -> Self {
        Self {
            target: TypeId::of::<D>,
            cast: Pair::<T, D>::CAST,
        }
    }
}

inventory::collect!(CastRegistration);

impl<D: ?Sized + 'static> Clone for DynHandle<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: ?Sized + 'static> Copy for DynHandle<D> {}

impl<D: ?Sized + 'static> PartialEq for DynHandle<D> {
    /// Whether both name the same life.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<D: ?Sized + 'static> Eq for DynHandle<D> {}

impl<D: ?Sized + 'static> Hash for DynHandle<D> {
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.key.hash(state);
    }
}

impl<D: ?Sized + 'static> fmt::Display for DynHandle<D> {
    /// Like [`AnyHandle`]. Does not access the object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_any(), f)
    }
}

impl<D: ?Sized + 'static> fmt::Debug for DynHandle<D> {
    /// Like [`AnyHandle`]. Does not access the object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_any(), f)
    }
}

/// Makes objects of classes readable as other types, in most cases as trait objects. [`DynHandle`](crate::DynHandle)
/// has an example.
///
/// `Guard => dyn Talk, dyn Walk;` implements [`Casts`](crate::Casts) for the class `Guard`, and registers both casts for
/// [`AnyHandle::as_dyn`](crate::AnyHandle::as_dyn) and [`AnyOwned::as_dyn`](crate::AnyOwned::as_dyn). The class must implement the
/// traits. The macro may be called in any module, once for each pair of class and trait.
///
/// ```compile_fail,E0277
/// # use acedia::{Object, casts, class};
/// # #[derive(Default)]
/// # struct Stone;
/// # impl Object for Stone { class!(Stone, "Doc.Stone"); }
/// # trait Talk {}
/// casts! { Stone => dyn Talk; } // a stone does not implement it
/// ```
#[macro_export]
macro_rules! casts {
    ($($type:ty => $($target:ty),+);+ $(;)?) => {$($(
        const _: () = {
            // An alias, in which `dyn Talk` is `dyn Talk + 'static`.
            type Target = $target;
            impl $crate::Casts<Target> for $type {
                fn cast(&self) -> &Target {
                    self
                }
            }
            $crate::__private::inventory::submit! { $crate::__private::CastRegistration::new::<$type, Target>() }
        };
    )+)+};
}
