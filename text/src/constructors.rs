//! The constructors that both classes of texts have.

#[cfg(test)]
mod tests;

use std::fmt::{Display, Write};

use acedia::Owned;

use crate::content::Content;
use crate::{BaseText, Format, MutableText, Text};

macro_rules! constructors {
    ($($text:ident),*) => {
        $(impl $text {
            /// The older name of [`new`](Self::new). Unlike [`From::from`], it returns an owner.
            ///
            /// # Panics
            ///
            /// As [`new`](Self::new).
            #[track_caller]
            #[inline]
            pub fn from(content: impl Content) -> Owned<Self> {
                Self::new(content)
            }

            /// The text of a colored string: see [`BaseText::from_colored`].
            ///
            /// ```
            /// use acedia_text::{MutableText, Text};
            ///
            /// let string = "plain \u{1b}\u{ff}\u{1}\u{1}red";
            /// assert_eq!(*Text::from_colored(string), "plain red");
            /// assert_eq!(*MutableText::from_colored(string).read(), "plain red");
            /// ```
            ///
            /// # Panics
            ///
            /// As [`new`](Self::new).
            #[track_caller]
            #[doc(alias("FromColoredString", "FromColoredStringM"))]
            pub fn from_colored(text: &str) -> Owned<Self> {
                Self::with(|base| {
                    base.append_colored(text, Format::PLAIN);
                })
            }

            /// The text of a string with markup: see [`BaseText::from_markup`].
            ///
            /// ```
            /// use acedia_text::{MutableText, Text};
            ///
            /// let markup = "beware of {$red fire}";
            /// assert_eq!(*Text::from_markup(markup), "beware of fire");
            /// assert_eq!(*MutableText::from_markup(markup).read(), "beware of fire");
            /// ```
            ///
            /// # Panics
            ///
            /// As [`new`](Self::new).
            #[track_caller]
            #[doc(alias("FromFormattedString", "FromFormattedStringM"))]
            pub fn from_markup(text: &str) -> Owned<Self> {
                Self::with(|base| drop(base.set_markup(text)))
            }

            /// The printed text of a value: a number, a `bool`, a [`Class`](acedia::Class).
            ///
            /// ```
            /// use acedia_text::{MutableText, Text};
            ///
            /// assert_eq!(*Text::from_display(-7), "-7");
            /// assert_eq!(*MutableText::from_display(true).read(), "true");
            /// ```
            ///
            /// # Panics
            ///
            /// As [`new`](Self::new).
            #[track_caller]
            #[doc(alias("FromInt", "FromByte", "FromBool", "FromClass", "FromIntM", "FromByteM", "FromBoolM", "FromClassM"))]
            pub fn from_display(value: impl Display) -> Owned<Self> {
                // Writing to a text does not fail. An error comes from the value itself; the part printed before it stays.
                Self::with(|text| _ = write!(text, "{value}"))
            }

            /// The text of a number with at most `decimals` fractional digits, without trailing zeros. If `decimals` is 0, the
            /// number is rounded to a whole number. A number exactly halfway between two results is rounded to the even one.
            ///
            /// ```
            /// use acedia_text::{MutableText, Text};
            ///
            /// assert_eq!(*Text::from_float(2.5, 2), "2.5");
            /// assert!(*Text::from_float(2.5, 0) == "2" && *Text::from_float(3.5, 0) == "4");
            /// assert_eq!(*Text::from_float(0.999_99, 4), "1");
            /// assert_eq!(*MutableText::from_float(-0.001, 2).read(), "0");
            /// ```
            ///
            /// # Panics
            ///
            /// As [`new`](Self::new).
            #[track_caller]
            #[doc(alias("FromFloat", "FromFloatM"))]
            pub fn from_float(value: impl Into<f64>, decimals: u8) -> Owned<Self> {
                Self::with(|text| write_float(text, value.into(), decimals))
            }
        })*
    };
}

constructors!(Text, MutableText);

/// Adds a number with at most `decimals` fractional digits, without trailing zeros.
fn write_float(text: &mut BaseText, value: f64, decimals: u8) {
    let printed = format!("{value:.*}", usize::from(decimals));
    let short = match printed.split_once('.') {
        Some(_) => printed.trim_end_matches('0').trim_end_matches('.'),
        None => &printed,
    };
    text.append(if short == "-0" { "0" } else { short });
}
