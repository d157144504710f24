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
/// Instead of a copy, the two objects exchange their memory. A text of at most 28 bytes is copied when it becomes a
/// `String`.
pub trait IntoText: Sized {
    /// An immutable text with the same content.
    #[doc(alias = "IntoText")]
    fn into_text(self) -> Owned<Text>;

    /// A mutable text with the same content.
    #[doc(alias = "IntoMutableText")]
    fn into_mutable_text(self) -> Owned<MutableText>;

    /// The content as a string.
    #[doc(alias = "IntoString")]
    #[doc(alias = "ToPlainString")]
    fn into_string(self) -> String;
}

impl IntoText for BaseText {
    fn into_text(mut self) -> Owned<Text> {
        Text::with(|text| mem::swap(text, &mut self))
    }

    fn into_mutable_text(mut self) -> Owned<MutableText> {
        MutableText::with(|text| mem::swap(text, &mut self))
    }

    fn into_string(self) -> String {
        self.into()
    }
}

impl IntoText for Owned<Text> {
    fn into_text(self) -> Owned<Text> {
        self
    }

    fn into_mutable_text(mut self) -> Owned<MutableText> {
        MutableText::with(|text| move_text(&mut self, text))
    }

    fn into_string(mut self) -> String {
        let mut base = BaseText::new();
        move_text(&mut self, &mut base);
        base.into()
    }
}

impl IntoText for Owned<MutableText> {
    fn into_text(mut self) -> Owned<Text> {
        Text::with(|text| move_mutable(&mut self, text))
    }

    fn into_mutable_text(self) -> Owned<MutableText> {
        self
    }

    fn into_string(mut self) -> String {
        let mut base = BaseText::new();
        move_mutable(&mut self, &mut base);
        base.into()
    }
}

impl IntoText for String {
    fn into_text(self) -> Owned<Text> {
        BaseText::from(self).into_text()
    }

    fn into_mutable_text(self) -> Owned<MutableText> {
        BaseText::from(self).into_mutable_text()
    }

    fn into_string(self) -> String {
        self
    }
}

impl IntoText for &str {
    fn into_text(self) -> Owned<Text> {
        Text::new(self)
    }

    fn into_mutable_text(self) -> Owned<MutableText> {
        MutableText::new(self)
    }

    fn into_string(self) -> String {
        self.to_owned()
    }
}

/// Moves the content into an empty text. Copies if there may be handles: concurrent readers must not see an empty text.
fn move_text(from: &mut Owned<Text>, to: &mut BaseText) {
    match from.get_mut() {
        Some(from) => mem::swap(to, &mut from.base),
        None => {
            to.append(&**from);
        }
    }
}

/// As [`move_text`].
fn move_mutable(from: &mut Owned<MutableText>, to: &mut BaseText) {
    match from.get_mut() {
        Some(from) => mem::swap(to, from.get_mut()),
        None => {
            to.append(&*from.read());
        }
    }
}
