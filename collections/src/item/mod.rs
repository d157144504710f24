//! [`Item`]: what stands in a collection.

mod convert;
mod equal;
mod read;
mod simple;

use std::fmt;

use acedia_allocator::{AnyHandle, AnyOwned, Class, Object, Owned};

use crate::scalar::Scalar;

pub(crate) use simple::Simple;

/// What stands in a collection: an object that it owns, one that it only watches, a number or `bool`, or nothing.
///
/// Who is responsible for the object is said by the type that goes in. An [`Owned`] moves in, and the collection releases
/// it. A [`Handle`](acedia_allocator::Handle) is only watched: once its object is freed, the item reads as nothing, like
/// every other nothing.
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
/// // Strings become texts. Numbers stay what they are, without an object.
/// assert!(Item::from("name") == Item::from(Text::from("name")));
/// assert_eq!(Item::from(2.5).as_int(), Some(2));
/// ```
///
/// `bool`, `u8`, `i32` and `f32` stand in the item itself, and become boxes when somebody asks for an object:
/// [`to_object`](Self::to_object). They equal such boxes. `Some` and `None` are what is in them, and nothing.
///
/// 24 bytes, as an [`AnyOwned`] alone.
#[derive(Clone, Default)]
#[doc(alias = "AcediaObject")]
pub struct Item(Repr);

// Nested, because the one spare value of a reference is all that tells two cases of an enum apart without a tag.
#[derive(Clone)]
enum Repr {
    Owned(AnyOwned),
    Rest(Rest),
}

#[derive(Clone, Copy)]
enum Rest {
    Watched(AnyHandle),
    Plain(Option<Scalar>),
}

const _: () = assert!(size_of::<Item>() == 24 && size_of::<Option<Scalar>>() == 8);

/// An [`Item`], looked at: [`Item::view`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum View<'a> {
    /// Nothing, or an object that was watched and is freed.
    None,
    /// A `bool` without an object.
    Bool(bool),
    /// A byte without an object.
    Byte(u8),
    /// An integer without an object.
    Int(i32),
    /// A float without an object.
    Float(f32),
    /// An object that the item owns.
    Owned(&'a AnyOwned),
    /// An object that is watched, and was alive a moment ago.
    Watched(AnyHandle),
}

impl Default for Repr {
    #[inline]
    fn default() -> Self {
        Self::Rest(Rest::Plain(None))
    }
}

impl Item {
    /// Nothing.
    pub const NONE: Self = Self(Repr::Rest(Rest::Plain(None)));

    #[inline]
    pub(crate) const fn of_scalar(scalar: Scalar) -> Self {
        Self(Repr::Rest(Rest::Plain(Some(scalar))))
    }

    /// Whether this is nothing, or was watched and is freed.
    #[inline]
    #[must_use]
    #[doc(alias = "IsNone")]
    pub fn is_none(&self) -> bool {
        match self.0 {
            Repr::Owned(_) | Repr::Rest(Rest::Plain(Some(_))) => false,
            Repr::Rest(Rest::Plain(None)) => true,
            Repr::Rest(Rest::Watched(handle)) => !handle.is_allocated(),
        }
    }

    /// Whether this is something: the opposite of [`is_none`](Self::is_none).
    #[inline]
    #[must_use]
    #[doc(alias = "IsSomething")]
    pub fn is_some(&self) -> bool {
        !self.is_none()
    }

    /// Whether the item owns an object.
    #[must_use]
    #[doc(alias = "IsManaged")]
    pub fn is_owned(&self) -> bool {
        matches!(self.0, Repr::Owned(_))
    }

    /// What the item is, to match on.
    ///
    /// ```
    /// use acedia_collections::{Item, View};
    /// use acedia_text::Text;
    ///
    /// assert!(matches!(Item::from(7).view(), View::Int(7)));
    /// let text = Text::from("seven");
    /// assert!(matches!(Item::from(text.clone()).view(), View::Owned(object) if object.is::<Text>()));
    /// let watched = Item::from(text.handle());
    /// drop(text);
    /// assert!(matches!(watched.view(), View::None));
    /// ```
    #[must_use]
    pub fn view(&self) -> View<'_> {
        match &self.0 {
            Repr::Owned(object) => View::Owned(object),
            Repr::Rest(Rest::Watched(handle)) if handle.is_allocated() => View::Watched(*handle),
            Repr::Rest(Rest::Watched(_) | Rest::Plain(None)) => View::None,
            Repr::Rest(Rest::Plain(Some(scalar))) => match *scalar {
                Scalar::Bool(value) => View::Bool(value),
                Scalar::Byte(value) => View::Byte(value),
                Scalar::Int(value) => View::Int(value),
                Scalar::Float(value) => View::Float(value),
            },
        }
    }

    /// The class of the object, or of the box that a number or `bool` would become.
    #[must_use]
    pub fn class(&self) -> Option<&'static Class> {
        match &self.0 {
            Repr::Owned(object) => Some(object.class()),
            Repr::Rest(Rest::Watched(handle)) => handle.is_allocated().then(|| handle.class()),
            Repr::Rest(Rest::Plain(scalar)) => scalar.map(Scalar::class),
        }
    }

    /// A handle of the object, owned or watched.
    #[must_use]
    pub fn handle(&self) -> Option<AnyHandle> {
        match &self.0 {
            Repr::Owned(object) => Some(object.handle()),
            Repr::Rest(Rest::Watched(handle)) => handle.is_allocated().then_some(*handle),
            Repr::Rest(Rest::Plain(_)) => None,
        }
    }

    /// The object with one owner more; a number or `bool` becomes a new box. `None` for what is only watched: a handle never
    /// makes an owner.
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
            Repr::Rest(Rest::Watched(_)) => None,
            Repr::Rest(Rest::Plain(scalar)) => scalar.map(Scalar::boxed),
        }
    }

    /// As [`to_object`](Self::to_object), giving the item's own share.
    #[must_use]
    pub fn into_object(self) -> Option<AnyOwned> {
        match self.0 {
            Repr::Owned(object) => Some(object),
            Repr::Rest(Rest::Watched(_)) => None,
            Repr::Rest(Rest::Plain(scalar)) => scalar.map(Scalar::boxed),
        }
    }

    /// The object with one owner more, if the item owns a `T`.
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
        self.object_as::<T>()?.clone().downcast().ok()
    }

    /// What `read` makes of the object, if it is a `T`, owned or watched.
    ///
    /// ```
    /// use acedia_collections::Item;
    /// use acedia_text::Text;
    ///
    /// assert_eq!(Item::from("seven").with(|text: &Text| text.len()), Some(5));
    /// ```
    pub fn with<T: Object, R>(&self, read: impl FnOnce(&T) -> R) -> Option<R> {
        match &self.0 {
            Repr::Owned(object) => object.downcast_ref().map(read),
            Repr::Rest(Rest::Watched(handle)) => handle.downcast::<T>()?.with(read),
            Repr::Rest(Rest::Plain(_)) => None,
        }
    }

    /// The object that the item owns.
    #[inline]
    pub(crate) fn object(&self) -> Option<&AnyOwned> {
        match &self.0 {
            Repr::Owned(object) => Some(object),
            Repr::Rest(_) => None,
        }
    }

    /// The same, if it is a `T`.
    #[inline]
    pub(crate) fn object_as<T: Object>(&self) -> Option<&AnyOwned> {
        self.object().filter(|object| object.class().is::<T>())
    }

    /// The object that the item watches, dead or alive.
    #[inline]
    pub(crate) fn watched(&self) -> Option<AnyHandle> {
        match self.0 {
            Repr::Rest(Rest::Watched(handle)) => Some(handle),
            Repr::Owned(_) | Repr::Rest(Rest::Plain(_)) => None,
        }
    }

    /// The number or `bool` that stands here, or in the box that stands here.
    pub(crate) fn scalar(&self) -> Option<Scalar> {
        match &self.0 {
            Repr::Rest(Rest::Plain(scalar)) => *scalar,
            _ => self.boxed_scalar(),
        }
    }
}

/// Moves the last items, from `start` on, to the end of another list. A loop of its own, because `extend` passes the iterator
/// through memory, and waits for it: for the few items of most collections, longer than for the items.
#[inline]
pub(crate) fn move_last(from: &mut Vec<Item>, start: usize, to: &mut Vec<Item>) {
    let last = from.drain(start..);
    to.reserve(last.len());
    for item in last {
        to.push(item);
    }
}

impl fmt::Debug for Item {
    /// The value, or class and slot of the object; never touches the object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Owned(object) => write!(f, "{}(slot {})", object.class(), object.index()),
            Repr::Rest(Rest::Watched(handle)) => handle.fmt(f),
            Repr::Rest(Rest::Plain(None)) => f.write_str("None"),
            Repr::Rest(Rest::Plain(Some(scalar))) => scalar.fmt(f),
        }
    }
}
