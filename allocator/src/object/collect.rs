//! [`FromItems`]: objects that are made by `collect`.

use super::object::Object;
use crate::pool::Owned;

/// A class whose objects are made from the items of an iterator: `iterator.collect::<Owned<…>>()`.
///
/// No other crate can implement `FromIterator` for an [`Owned`], so classes implement this trait instead.
///
/// ```
/// use acedia::{FromItems, Object, Owned, class};
///
/// #[derive(Default)]
/// struct Song(String);
/// impl Object for Song {
///     class!(Song, "Doc.CollectedSong");
/// }
/// impl FromItems<char> for Song {
///     fn from_items(notes: impl Iterator<Item = char>) -> Owned<Self> {
///         Self::allocate_with(|song| song.0.extend(notes))
///     }
/// }
///
/// let song: Owned<Song> = "la".chars().collect();
/// assert_eq!(song.0, "la");
/// ```
#[diagnostic::on_unimplemented(
    message = "no `Owned<{Self}>` can be collected from items of type `{A}`",
    label = "`{A}` is not an item of `{Self}`"
)]
pub trait FromItems<A>: Object {
    /// An object made from these items.
    fn from_items(items: impl Iterator<Item = A>) -> Owned<Self>;
}

impl<A, T: FromItems<A>> FromIterator<A> for Owned<T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = A>>(items: I) -> Self {
        T::from_items(items.into_iter())
    }
}
