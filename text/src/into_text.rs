//! [`IntoText`]: conversion from one kind of text to another.

use std::mem;

use acedia::Owned;

use crate::{BaseText, MutableText, Text};

/// Converts an owned text to another kind, without a copy if the object was never shared.
///
/// ```
/// use acedia_text::{IntoText, MutableText};
///
/// let draft = MutableText::new("tall tale");
/// draft.write().make_uppercase();
/// let finished = draft.into_text();
/// assert_eq!(finished, "TALL TALE");
/// assert_eq!(finished.into_string(), "TALL TALE");
/// ```
///
/// An object is not copied if this is its only owner and no handle to it was ever made. Otherwise it is copied, and this owner
/// is dropped, so that readers through handles see the object unchanged.
///
/// # Cost
///
/// Without a copy, the memory moves to the result. A text of at most 28 bytes is copied when it becomes a `String`.
pub trait IntoText: Sized {
    /// The content as a plain value.
    fn into_base_text(self) -> BaseText;

    /// An immutable text with the same content.
    #[doc(alias = "IntoText")]
    fn into_text(self) -> Owned<Text> {
        let mut base = self.into_base_text();
        Text::with(|text| mem::swap(text, &mut base))
    }

    /// A mutable text with the same content.
    #[doc(alias = "IntoMutableText")]
    fn into_mutable_text(self) -> Owned<MutableText> {
        let mut base = self.into_base_text();
        MutableText::with(|text| mem::swap(text, &mut base))
    }

    /// The content as a string.
    #[doc(alias("IntoString", "ToPlainString"))]
    fn into_string(self) -> String {
        self.into_base_text().into()
    }
}

impl IntoText for BaseText {
    fn into_base_text(self) -> BaseText {
        self
    }
}

impl IntoText for Owned<Text> {
    // Copies if there may be handles: concurrent readers must not see an empty text.
    fn into_base_text(mut self) -> BaseText {
        match self.get_mut() {
            Some(text) => mem::take(&mut text.base),
            None => self.base.clone(),
        }
    }

    fn into_text(self) -> Self {
        self
    }
}

impl IntoText for Owned<MutableText> {
    // Copies as above.
    fn into_base_text(mut self) -> BaseText {
        match self.get_mut() {
            Some(text) => mem::take(text.get_mut()),
            None => self.read().clone(),
        }
    }

    fn into_mutable_text(self) -> Self {
        self
    }
}

impl IntoText for String {
    fn into_base_text(self) -> BaseText {
        self.into()
    }

    fn into_string(self) -> Self {
        self
    }
}

impl IntoText for &str {
    fn into_base_text(self) -> BaseText {
        self.into()
    }

    fn into_text(self) -> Owned<Text> {
        Text::new(self)
    }

    fn into_mutable_text(self) -> Owned<MutableText> {
        MutableText::new(self)
    }
}
