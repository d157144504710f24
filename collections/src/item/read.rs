//! Reading an item as a value of a certain type.

use acedia::__private::uncommon;
use acedia::{AnyOwned, Owned};
use acedia_boxes::{BoolBox, ByteBox, DoubleBox, FloatBox, IntBox, LongBox, Primitive, ValueBox, ValueRef, Vector};
use acedia_text::{BaseText, MutableText, Text};

use super::{Item, OwnedOrGuard, Repr};
use crate::scalar::Scalar;

/// Each getter returns `None` if the item holds another kind of value. It makes no difference to a getter whether the item owns or
/// watches its object. Only methods that return an owner need an owned object: [`to_object`](Self::to_object)
/// and [`to_owned_as`](Self::to_owned_as).
///
/// Refs and mutable texts are locked while they are read. A getter panics if waiting for that lock would deadlock: see
/// [`ArrayList`](crate::ArrayList#threads).
impl Item {
    /// A `bool`.
    ///
    /// ```
    /// use acedia_boxes::BoolRef;
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::from(BoolRef::new(true)).as_bool(), Some(true));
    /// assert_eq!(Item::from(1).as_bool(), None);
    /// ```
    #[must_use]
    #[doc(alias = "GetBool")]
    pub fn as_bool(&self) -> Option<bool> {
        match self.plain() {
            Some(Scalar::Bool(value)) => Some(value),
            _ => self.primitive(),
        }
    }

    /// A byte. Other numbers are not converted.
    ///
    /// ```
    /// use acedia_collections::Item;
    ///
    /// assert_eq!((Item::from(7_u8).as_byte(), Item::from(7).as_byte()), (Some(7), None));
    /// ```
    #[must_use]
    #[doc(alias = "GetByte")]
    pub fn as_byte(&self) -> Option<u8> {
        match self.plain() {
            Some(Scalar::Byte(value)) => Some(value),
            _ => self.primitive(),
        }
    }

    /// An integer, or a float or double truncated to an integer and saturated to the range of `i32`; NaN gives 0. An integer
    /// outside of this range gives `None`.
    ///
    /// ```
    /// use acedia_boxes::{FloatRef, LongBox};
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::from(-2.9).as_int(), Some(-2));
    /// assert_eq!(Item::from(FloatRef::new(2.9)).as_int(), Some(2));
    /// assert_eq!(Item::from(LongBox::new(1 << 40)).as_int(), None);
    /// assert_eq!(Item::from("2").as_int(), None);
    /// assert_eq!(Item::from(2_u8).as_int(), None);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "GetInt")]
    #[doc(alias = "as_i32")]
    #[expect(clippy::cast_possible_truncation, reason = "saturates, as is said above")]
    pub fn as_int(&self) -> Option<i32> {
        if let Repr::Int(value) = self.0 {
            return Some(value);
        }
        uncommon();
        self.integer_of_number(|value| value as i32)
    }

    /// The integer that another kind of number converts to. Out of line, to keep the path of integers short.
    #[inline(never)]
    fn integer_of_number<T: TryFrom<i128>>(&self, saturated: fn(f64) -> T) -> Option<T> {
        match self.number()? {
            Number::Integer(value) => T::try_from(value).ok(),
            Number::Float(value) => Some(saturated(value)),
        }
    }

    /// Like [`as_int`](Self::as_int), but with 64 bits.
    ///
    /// ```
    /// use acedia_boxes::LongBox;
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::from(LongBox::new(1 << 40)).as_long(), Some(1 << 40));
    /// assert_eq!((Item::from(7).as_long(), Item::from(-2.9).as_long()), (Some(7), Some(-2)));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "as_i64")]
    #[expect(clippy::cast_possible_truncation, reason = "saturates, as is said above")]
    pub fn as_long(&self) -> Option<i64> {
        if let Repr::Int(value) = self.0 {
            return Some(value.into());
        }
        uncommon();
        self.integer_of_number(|value| value as i64)
    }

    /// Like [`as_int`](Self::as_int), but for `u64`. A negative integer gives `None`, and a negative float gives 0.
    ///
    /// ```
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::from(u64::MAX).as_ulong(), Some(u64::MAX));
    /// assert_eq!((Item::from(7).as_ulong(), Item::from(-7).as_ulong()), (Some(7), None));
    /// ```
    #[must_use]
    #[doc(alias = "as_u64")]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, as is said above"
    )]
    pub fn as_ulong(&self) -> Option<u64> {
        self.integer_of_number(|value| value as u64)
    }

    /// A float, or the float that is nearest to an integer or double.
    ///
    /// ```
    /// use acedia_boxes::IntBox;
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::from(IntBox::new(7)).as_float(), Some(7.0));
    /// assert_eq!(Item::from(true).as_float(), None);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "GetFloat")]
    #[doc(alias = "as_f32")]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "as is said above"
    )]
    pub fn as_float(&self) -> Option<f32> {
        match self.number()? {
            Number::Integer(value) => Some(value as f32),
            Number::Float(value) => Some(value as f32),
        }
    }

    /// A double, the double with the value of a float, or the double that is nearest to an integer.
    ///
    /// ```
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::from(0.1).as_double(), Some(0.1));
    /// assert_eq!(Item::from(7).as_double(), Some(7.0));
    /// // has fewer right digits
    /// assert_eq!(Item::from(0.1_f32).as_double(), Some(0.100_000_001_490_116_12));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "as_f64")]
    pub fn as_double(&self) -> Option<f64> {
        match &self.0 {
            Repr::Double(value) => Some(value.get()),
            _ => self.double_of_number(),
        }
    }

    /// The double that another kind of number converts to. Out of line, to keep the path of doubles short.
    #[inline(never)]
    #[expect(clippy::cast_precision_loss, reason = "the nearest, as `as_double` says")]
    fn double_of_number(&self) -> Option<f64> {
        match self.number()? {
            Number::Integer(value) => Some(value as f64),
            Number::Float(value) => Some(value),
        }
    }

    /// A vector.
    ///
    /// ```
    /// use acedia_boxes::Vector;
    /// use acedia_collections::Item;
    ///
    /// let up = Vector::new(0.0, 0.0, 1.0);
    /// assert_eq!(Item::from(up).as_vector(), Some(up));
    /// ```
    #[must_use]
    #[doc(alias = "GetVector")]
    pub fn as_vector(&self) -> Option<Vector> {
        self.primitive()
    }

    /// The characters of any text, mutable or not, or the string of a box or ref.
    ///
    /// ```
    /// use acedia_boxes::StringBox;
    /// use acedia_collections::Item;
    /// use acedia_text::MutableText;
    ///
    /// assert_eq!(Item::from(MutableText::from("seven")).to_string().as_deref(), Some("seven"));
    /// assert_eq!(Item::from(StringBox::new("seven")).to_string().as_deref(), Some("seven"));
    /// assert_eq!(Item::from(7).to_string(), None);
    /// ```
    #[must_use]
    #[doc(alias = "GetString")]
    #[doc(alias = "as_str")]
    #[track_caller]
    pub fn to_string(&self) -> Option<String> {
        self.with_text(|text| text.as_str().to_owned())
            .or_else(|| self.primitive())
    }

    /// Any text as a string with markup: see [`BaseText::to_markup`].
    ///
    /// ```
    /// use acedia_collections::Item;
    /// use acedia_text::Text;
    ///
    /// let text = Text::from_markup("{$red fire}");
    /// assert_eq!(Item::from(&text).to_markup(), Some(text.to_markup(..)));
    /// assert_eq!(Item::from(&text).to_string().as_deref(), Some("fire"));
    /// ```
    #[must_use]
    #[doc(alias = "GetFormattedString")]
    #[track_caller]
    pub fn to_markup(&self) -> Option<String> {
        self.with_text(|text| text.to_markup(..))
    }

    /// The result of `read` on a text, mutable or not. A mutable text is locked meanwhile.
    ///
    /// ```
    /// use acedia_collections::Item;
    /// use acedia_text::MutableText;
    ///
    /// assert_eq!(Item::from(MutableText::from("seven")).with_text(|text| text.len()), Some(5));
    /// ```
    #[doc(alias = "GetBaseText")]
    #[inline]
    #[track_caller]
    pub fn with_text<R>(&self, read: impl FnOnce(&BaseText) -> R) -> Option<R> {
        let owned: Option<&Text> = self.object().and_then(AnyOwned::downcast_ref);
        if let Some(text) = owned {
            return Some(read(text));
        }
        uncommon();
        self.with_other_text(read)
    }

    /// Like [`with_text`](Self::with_text), but for a mutable or watched text.
    #[inline(never)]
    #[track_caller]
    fn with_other_text<R>(&self, read: impl FnOnce(&BaseText) -> R) -> Option<R> {
        if self.is::<Text>() {
            self.with(|text: &Text| read(text))
        } else if self.is::<MutableText>() {
            let mut pinned = None;
            let text: &MutableText = self.reach(&mut pinned)?;
            Some(read(&text.read()))
        } else {
            None
        }
    }

    /// An owner of the immutable text: of the same text if the item owns it, and of a copy if the item watches it.
    ///
    /// ```
    /// use acedia_collections::Item;
    /// use acedia_text::{MutableText, Text};
    ///
    /// let text = Text::from("a");
    /// assert!(Item::from(&text).to_text().unwrap().is_same(&text));
    /// let copy = Item::from(text.handle()).to_text().unwrap();
    /// assert!(copy == text && !copy.is_same(&text));
    /// assert!(Item::from(MutableText::from("a")).to_text().is_none());
    /// ```
    #[must_use]
    #[doc(alias = "GetText")]
    pub fn to_text(&self) -> Option<Owned<Text>> {
        let owned = self.to_owned_as();
        owned.or_else(|| self.with(|text: &Text| text.to_text(..)))
    }

    /// The mutable text that the item owns or watches, as [`to_list`](Self::to_list) returns a list.
    #[must_use]
    #[doc(alias = "GetMutableText")]
    pub fn to_mutable_text(&self) -> Option<OwnedOrGuard<MutableText>> {
        self.owned_or_guard()
    }

    /// The value of a box or ref of `T`.
    pub(crate) fn primitive<T: Primitive>(&self) -> Option<T> {
        let boxed = self.with(|it: &ValueBox<T>| it.get().into());
        boxed.or_else(|| self.with(ValueRef::<T>::get))
    }

    /// An integer of any width, but not a byte.
    pub(super) fn integer(&self) -> Option<i128> {
        match self.number()? {
            Number::Integer(value) => Some(value),
            Number::Float(_) => None,
        }
    }

    /// Like `==`, but compares numbers of all kinds, including bytes, by value.
    #[doc(hidden)]
    #[must_use]
    pub fn same_value(&self, other: &Self) -> bool {
        let number = |item: &Self| {
            let byte = || item.as_byte().map(|byte| Number::Integer(byte.into()));
            item.number().or_else(byte)
        };
        match number(self).zip(number(other)) {
            Some((left, right)) => left == right,
            None => self == other,
        }
    }

    /// A number that can be converted.
    fn number(&self) -> Option<Number> {
        match self.plain() {
            Some(Scalar::Int(value)) => Some(Number::Integer(value.into())),
            Some(Scalar::Float(value)) => Some(Number::Float(value.into())),
            Some(Scalar::Double(value)) => Some(Number::Float(value)),
            Some(Scalar::Bool(_) | Scalar::Byte(_)) => None,
            // In a box, which is compared with one class after another; the most used come first.
            None => {
                let integer = |value: i128| Number::Integer(value);
                let int = self.primitive::<i32>().map(|value| integer(value.into()));
                let float = || self.primitive::<f32>().map(|value| Number::Float(value.into()));
                let long = || self.primitive::<i64>().map(|value| integer(value.into()));
                let ulong = || self.primitive::<u64>().map(|value| integer(value.into()));
                let double = || self.primitive().map(Number::Float);
                int.or_else(float).or_else(long).or_else(double).or_else(ulong)
            }
        }
    }

    /// The number or `bool` in the item, or in the box that [`to_object`](Self::to_object) would make of it.
    #[inline]
    pub(crate) fn scalar(&self) -> Option<Scalar> {
        self.plain().or_else(|| self.boxed_scalar())
    }

    /// The value of a box that [`to_object`](Self::to_object) would make of it: not of a `LongBox` whose integer fits an `IntBox`.
    fn boxed_scalar(&self) -> Option<Scalar> {
        let int = self.with(|it: &IntBox| Scalar::Int(it.get().into()));
        let long = || self.with(|it: &LongBox| Scalar::Int(it.get()));
        // A `LongBox` of a small integer equals no plain number, because that number becomes an `IntBox`.
        let large = || long().filter(|scalar| scalar.class().is::<LongBox>());
        let float = || self.with(|it: &FloatBox| Scalar::Float(it.get()));
        let double = || self.with(|it: &DoubleBox| Scalar::Double(it.get()));
        let bool = || self.with(|it: &BoolBox| Scalar::Bool(it.get()));
        let byte = || self.with(|it: &ByteBox| Scalar::Byte(it.get()));
        int.or_else(large)
            .or_else(float)
            .or_else(double)
            .or_else(bool)
            .or_else(byte)
    }
}

/// A number of any width.
enum Number {
    Integer(i128),
    Float(f64),
}

impl PartialEq for Number {
    /// Compares exact values, without rounding. All NaNs are equal.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float with a fraction was excluded, and one beyond `i128` becomes an integer of more than 65 bits, which no other has"
    )]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left == right,
            (Self::Float(left), Self::Float(right)) => left == right || (left.is_nan() && right.is_nan()),
            (Self::Integer(integer), Self::Float(float)) | (Self::Float(float), Self::Integer(integer)) => {
                float.fract() == 0.0 && *float as i128 == *integer
            }
        }
    }
}
