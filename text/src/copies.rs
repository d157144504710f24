//! Copies of a text and of its parts, as objects.

use std::ops::RangeBounds;

use acedia::Owned;

use crate::{BaseText, MutableText, Text};

impl BaseText {
    /// A part as a new immutable object, with its formats.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("Hello, world");
    /// assert_eq!(text.to_text(7..100), "world");
    /// assert_eq!(**text.to_text(..), text);
    /// ```
    #[doc(alias = "Copy")]
    pub fn to_text(&self, range: impl RangeBounds<usize>) -> Owned<Text> {
        Text::with(|text| text.append_part(self, range))
    }

    /// A part as a new mutable object, with its formats.
    #[doc(alias = "MutableCopy")]
    pub fn to_mutable_text(&self, range: impl RangeBounds<usize>) -> Owned<MutableText> {
        MutableText::with(|text| text.append_part(self, range))
    }

    /// A copy in lowercase, with the same formats: one code point for one, by Unicode's simple mapping.
    #[doc(alias("LowerCopy", "LowerMutableCopy"))]
    pub fn to_lowercase(&self, range: impl RangeBounds<usize>) -> Owned<Text> {
        Text::with(|text| {
            text.append_part(self, range);
            text.make_lowercase();
        })
    }

    /// A copy in uppercase, with the same formats: one code point for one, by Unicode's simple mapping.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(*BaseText::from("Straße").to_uppercase(..), "STRAßE");
    /// ```
    #[doc(alias("UpperCopy", "UpperMutableCopy"))]
    pub fn to_uppercase(&self, range: impl RangeBounds<usize>) -> Owned<Text> {
        Text::with(|text| {
            text.append_part(self, range);
            text.make_uppercase();
        })
    }
}
