//! [`Item`]: an element of a collection. Methods that need the collections are in `collection.rs` and other modules.

mod convert;
mod equal;
mod into;
mod reached;
mod read;
pub(crate) mod simple;
mod watch;
mod wide;

use acedia::pool::Global;
use acedia::{AnyHandle, AnyOwned, Class, Object, Owned, Pinned, pin};

pub use into::WrongItem;
pub use reached::OwnedOrGuard;

use crate::scalar::Scalar;

use watch::Watch;
use wide::{Double, Long};

/// An element of a collection: an object that it owns, an object that it watches, a number, a `bool`, or none.
///
/// The type of the value decides who owns an object. An item made from an [`Owned`] owns the object, and releases it when the
/// item is dropped. An item made from a [`Handle`](acedia::Handle) only watches the object: once the object is freed, the item
/// is none.
///
/// | To | Call |
/// |---|---|
/// | make an item | `Item::from` a number, a string, an [`Owned`], a handle or a collection; [`NONE`](Self::NONE) |
/// | find out its kind | [`view`](Self::view), [`is_none`](Self::is_none), [`is_some`](Self::is_some), [`is_owned`](Self::is_owned), [`class`](Self::class) |
/// | read a number or `bool` | [`as_bool`](Self::as_bool), [`as_byte`](Self::as_byte), [`as_int`](Self::as_int), [`as_long`](Self::as_long), [`as_ulong`](Self::as_ulong), [`as_float`](Self::as_float), [`as_double`](Self::as_double), [`as_vector`](Self::as_vector) |
/// | read a text | [`to_string`](Self::to_string), [`with_text`](Self::with_text), [`to_text`](Self::to_text), [`to_mutable_text`](Self::to_mutable_text) |
/// | access a collection | [`to_list`](Self::to_list), [`to_table`](Self::to_table), and by path [`Nested`](crate::Nested) |
/// | access an object of any class | [`with`](Self::with), [`to_owned_as`](Self::to_owned_as), [`to_object`](Self::to_object), [`handle`](Self::handle) |
/// | compare | [`same_content`](Self::same_content), `==` |
/// | copy it with all that it contains | [`deep_clone`](Self::deep_clone) |
///
/// ```
/// use acedia_boxes::IntRef;
/// use acedia_collections::Item;
/// use acedia_text::Text;
///
/// let score = IntRef::new(7);
/// let owned = Item::from(score.clone());
/// let watched = Item::from(score.handle());
/// assert_eq!((owned.as_int(), watched.as_int()), (Some(7), Some(7)));
/// assert!(owned == watched); // the same object
///
/// drop((score, owned)); // the last owners
/// assert!(watched.is_none() && watched.as_int().is_none());
///
/// // Strings become texts. Numbers are kept in the item, without an object.
/// assert!(Item::from("name") == Item::from(Text::from("name")));
/// assert_eq!(Item::from(2.5).as_int(), Some(2));
/// // Each kind of content has a getter, which gives `None` for every other kind.
/// let text = Item::from("name");
/// assert!(text.is_some() && text.is_owned() && text.as_bool().is_none());
/// assert_eq!(text.with_text(|text| text.len()), Some(4));
/// assert_eq!(text.to_text().unwrap().to_string(), "name");
/// assert_eq!((Item::from(true).as_bool(), Item::from(7).as_long()), (Some(true), Some(7)));
/// assert_eq!(
///     (Item::from(19.99).as_double(), Item::from(0.1_f32).as_float()),
///     (Some(19.99), Some(0.1))
/// );
/// assert!(
///     text.to_list().is_none() && text.to_table().is_none() && text.as_vector().is_none()
/// );
/// assert_eq!(text.class().unwrap().name(), "AcediaCore.Text");
/// assert!(text.to_object().unwrap().is::<Text>());
/// ```
///
/// A `bool`, an integer of up to 56 bits, an `f32`, and an `f64` below 2^897 (about 1e270) in magnitude are kept in the item
/// itself. Other numbers are kept in a box, which the item owns. An integer in an item has no width: `7`, `7_i64` and `7_u64`
/// make equal items.
/// Only a `u8` is a byte, which never equals an integer. [`to_object`](Self::to_object) makes a box of a number, and for an integer
/// the smallest box that can hold it. An item of a number equals that box, and no other box. `Some(x)` becomes the item of `x`, and
/// `None` becomes none.
///
/// An item takes eight bytes. An item that watches an object keeps its handle in a small pooled object.
#[derive(Clone, Default)]
#[doc(alias = "AcediaObject")]
pub struct Item(pub(crate) Repr);

/// The first byte of a [`Double`] has 240 values. The compiler uses the other 16 as tags of the other variants.
#[derive(Clone, Default)]
pub(crate) enum Repr {
    #[default]
    None,
    Watched(Watch),
    Owned(AnyOwned),
    Bool(bool),
    Byte(u8),
    Int(i32),
    /// An integer beyond 32 bits.
    Long(Long),
    Float(f32),
    Double(Double),
}

const _: () = assert!(size_of::<Option<Item>>() == 8);

/// The content of an [`Item`], to match on: the result of [`Item::view`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum View<'a> {
    /// No content, or a watched object that has been freed.
    None,
    /// A `bool` in the item itself.
    Bool(bool),
    /// A byte in the item itself.
    Byte(u8),
    /// An integer in the item itself.
    Int(i32),
    /// An integer beyond 32 bits, in the item itself.
    Long(i64),
    /// A float in the item itself.
    Float(f32),
    /// A double in the item itself.
    Double(f64),
    /// An object that the item owns.
    Owned(&'a AnyOwned),
    /// A watched object, which was alive at the moment of the call.
    Watched(AnyHandle),
}

impl Item {
    /// The item without content.
    pub const NONE: Self = Self(Repr::None);

    /// Whether this is none: it has no content, or watches an object that has been freed.
    ///
    /// ```
    /// use acedia_boxes::IntRef;
    /// use acedia_collections::Item;
    ///
    /// let score = IntRef::new(7);
    /// let watched = Item::from(score.handle());
    /// assert!(watched.is_some() && Item::NONE.is_none());
    /// drop(score);
    /// assert!(watched.is_none());
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "IsNone")]
    #[doc(alias = "is_null")]
    pub fn is_none(&self) -> bool {
        match &self.0 {
            Repr::None => true,
            Repr::Watched(watch) => watch.is_dead(),
            _ => false,
        }
    }

    /// The opposite of [`is_none`](Self::is_none).
    #[inline]
    #[must_use]
    #[doc(alias = "IsSomething")]
    pub fn is_some(&self) -> bool {
        !self.is_none()
    }

    /// Whether the item owns an object.
    ///
    /// ```
    /// use acedia_boxes::IntRef;
    /// use acedia_collections::Item;
    ///
    /// let score = IntRef::new(7);
    /// assert!(!Item::from(score.handle()).is_owned());
    /// assert!(Item::from(score).is_owned() && !Item::from(7).is_owned());
    /// ```
    #[must_use]
    #[doc(alias = "IsManaged")]
    pub fn is_owned(&self) -> bool {
        matches!(self.0, Repr::Owned(..))
    }

    /// The item as an enum to match on.
    ///
    /// ```
    /// use acedia_collections::{Item, View};
    /// use acedia_text::Text;
    ///
    /// assert!(matches!(Item::from(7).view(), View::Int(7)));
    /// let text = Text::from("seven");
    /// assert!(
    ///     matches!(Item::from(text.clone()).view(), View::Owned(object) if object.is::<Text>())
    /// );
    /// let watched = Item::from(text.handle());
    /// drop(text);
    /// assert!(matches!(watched.view(), View::None));
    /// ```
    #[inline]
    #[must_use]
    pub fn view(&self) -> View<'_> {
        match &self.0 {
            Repr::None => View::None,
            Repr::Bool(value) => View::Bool(*value),
            Repr::Byte(value) => View::Byte(*value),
            Repr::Int(value) => View::Int(*value),
            Repr::Long(value) => View::Long(value.get()),
            Repr::Float(value) => View::Float(*value),
            Repr::Double(value) => View::Double(value.get()),
            Repr::Owned(object) => View::Owned(object),
            Repr::Watched(watch) => watch.living().map_or(View::None, View::Watched),
        }
    }

    /// The class of the object, or of the box that [`to_object`](Self::to_object) makes of a number or `bool`.
    ///
    /// ```
    /// use acedia::Class;
    /// use acedia_boxes::IntBox;
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::from(7).class(), Some(Class::of::<IntBox>()));
    /// assert_eq!(Item::NONE.class(), None);
    /// ```
    #[must_use]
    pub fn class(&self) -> Option<&'static Class> {
        match &self.0 {
            Repr::Owned(object) => Some(object.class()),
            Repr::Watched(watch) => watch.living().map(AnyHandle::class),
            _ => self.plain().map(Scalar::class),
        }
    }

    /// A handle to the owned or watched object.
    ///
    /// ```
    /// use acedia_collections::Item;
    /// use acedia_text::Text;
    ///
    /// let text = Text::from("a");
    /// assert_eq!(Item::from(&text).handle(), Some(text.handle().to_any()));
    /// assert_eq!(Item::from(7).handle(), None);
    /// ```
    #[must_use]
    #[doc(alias = "downgrade")]
    pub fn handle(&self) -> Option<AnyHandle> {
        match &self.0 {
            Repr::Owned(object) => Some(object.handle()),
            Repr::Watched(watch) => watch.living(),
            _ => None,
        }
    }

    /// A new owner of the object that the item owns. A number or `bool` is put into a new box. `None` for a watched object, because a
    /// handle cannot be upgraded to an owner; [`with`](Self::with) reads it.
    ///
    /// ```
    /// use acedia_boxes::IntBox;
    /// use acedia_collections::Item;
    ///
    /// let object = Item::from(7).to_object().unwrap();
    /// assert_eq!(object.downcast_ref::<IntBox>().unwrap().get(), 7);
    /// ```
    #[must_use]
    pub fn to_object(&self) -> Option<AnyOwned> {
        match &self.0 {
            Repr::Owned(object) => Some(object.clone()),
            _ => self.plain().map(Scalar::boxed),
        }
    }

    /// A new owner of the object, if the item owns a `T`. `None` for a watched object, as [`to_object`](Self::to_object).
    ///
    /// ```
    /// use acedia_boxes::IntRef;
    /// use acedia_collections::Item;
    ///
    /// let item = Item::from(IntRef::new(7));
    /// item.to_owned_as::<IntRef>().unwrap().set(8);
    /// assert_eq!(item.as_int(), Some(8));
    /// ```
    #[must_use]
    pub fn to_owned_as<T: Object>(&self) -> Option<Owned<T>> {
        let object = self.object().filter(|object| object.is::<T>())?;
        object.clone().downcast().ok()
    }

    /// The result of `read` on the object, if it is an owned or watched `T`.
    ///
    /// ```
    /// use acedia_collections::Item;
    /// use acedia_text::Text;
    ///
    /// assert_eq!(Item::from("seven").with(|text: &Text| text.len()), Some(5));
    /// ```
    #[inline]
    pub fn with<T: Object, R>(&self, read: impl FnOnce(&T) -> R) -> Option<R> {
        match &self.0 {
            Repr::Owned(object) => object.downcast_ref().map(read),
            Repr::Watched(watch) => watch.with(read),
            _ => None,
        }
    }

    /// The object, if it is an owned or watched `T`. Without a closure, so that `#[track_caller]` reports the caller's
    /// line. A watched object is pinned through `pinned`.
    pub(crate) fn reach<'a, T: Object<Readers = Global>>(&'a self, pinned: &'a mut Option<Pinned>) -> Option<&'a T> {
        match &self.0 {
            Repr::Owned(object) => object.downcast_ref(),
            Repr::Watched(watch) => watch.handle()?.downcast::<T>()?.get(pinned.get_or_insert_with(pin)),
            _ => None,
        }
    }

    /// The object that the item owns.
    #[inline]
    #[doc(hidden)]
    #[must_use]
    pub fn object(&self) -> Option<&AnyOwned> {
        match &self.0 {
            Repr::Owned(object) => Some(object),
            _ => None,
        }
    }

    /// Like [`object`](Self::object), but mutable.
    #[inline]
    #[doc(hidden)]
    pub fn object_mut(&mut self) -> Option<&mut AnyOwned> {
        if let Repr::Owned(object) = &mut self.0 {
            Some(object)
        } else {
            None
        }
    }

    /// Whether the item owns or watches an object, alive or dead.
    #[inline]
    #[doc(hidden)]
    #[must_use]
    pub fn has_object(&self) -> bool {
        matches!(self.0, Repr::Owned(..) | Repr::Watched(..))
    }

    /// Whether the item has no content. An item that watches a dead object has content here.
    #[inline]
    pub(crate) fn is_hole(&self) -> bool {
        matches!(self.0, Repr::None)
    }

    /// The object that the item watches, dead or alive.
    #[inline]
    pub(crate) fn watched(&self) -> Option<AnyHandle> {
        match &self.0 {
            Repr::Watched(watch) => watch.handle(),
            _ => None,
        }
    }

    /// Whether the owned or watched object is a `T`, dead or alive. Faster than comparing its [`class`](Self::class).
    #[inline]
    pub(crate) fn is<T: Object>(&self) -> bool {
        match &self.0 {
            Repr::Owned(object) => object.is::<T>(),
            Repr::Watched(watch) => watch.handle().is_some_and(AnyHandle::is::<T>),
            _ => false,
        }
    }

    /// The number or `bool` in the item itself.
    #[inline]
    #[doc(hidden)]
    #[must_use]
    pub fn plain(&self) -> Option<Scalar> {
        match self.0 {
            Repr::Bool(value) => Some(Scalar::Bool(value)),
            Repr::Byte(value) => Some(Scalar::Byte(value)),
            Repr::Int(value) => Some(Scalar::Int(value.into())),
            Repr::Long(value) => Some(Scalar::Int(value.get())),
            Repr::Float(value) => Some(Scalar::Float(value)),
            Repr::Double(value) => Some(Scalar::Double(value.get())),
            Repr::None | Repr::Owned(..) | Repr::Watched(..) => None,
        }
    }
}
