//! [`Pointer`]: the path to an item inside nested collections.

use std::fmt;

use acedia::Owned;
use acedia_text::Text;

/// The path to an item inside nested collections, written as a JSON pointer (RFC 6901): `/inventory/0/name`.
///
/// ```
/// use acedia_collections::Pointer;
///
/// let mut pointer = Pointer::from("/a~1b/0");
/// assert_eq!(
///     (pointer.len(), pointer.component(0), pointer.number(1)),
///     (2, Some("a/b"), Some(0))
/// );
/// pointer.push("~").push_number(7);
/// assert_eq!(pointer.to_string(), "/a~1b/0/~0/7");
/// assert_eq!(pointer.pop().as_deref(), Some("7"));
/// assert_eq!(pointer.components().collect::<Vec<_>>(), ["a/b", "0", "~"]);
/// pointer.push_number(4);
/// assert_eq!(pointer.pop_number(), Some(4));
/// assert!(pointer.clear().is_empty() && pointer == Pointer::new());
/// ```
///
/// In a table, a component is the text key. In a list, it is the index: decimal digits without a leading zero, as the RFC says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "JSONPointer")]
#[doc(alias = "Copy")]
pub struct Pointer(Vec<String>);

impl Pointer {
    /// A pointer without components: it refers to its starting point.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of components.
    #[must_use]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no components.
    #[must_use]
    #[doc(alias = "IsEmpty")]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of components before the last one.
    ///
    /// ```
    /// use acedia_collections::Pointer;
    ///
    /// assert_eq!((Pointer::from("/a/0/b").folds(), Pointer::new().folds()), (2, 0));
    /// ```
    #[must_use]
    #[doc(alias = "GetFoldsAmount")]
    pub fn folds(&self) -> usize {
        self.len().saturating_sub(1)
    }

    /// Removes all components.
    #[doc(alias = "Empty")]
    pub fn clear(&mut self) -> &mut Self {
        self.0.clear();
        self
    }

    /// The component at `index`, unescaped.
    ///
    /// ```
    /// use acedia_collections::Pointer;
    ///
    /// let pointer = Pointer::from("/a~1b/~01");
    /// assert_eq!((pointer.component(0), pointer.component(1)), (Some("a/b"), Some("~1")));
    /// assert_eq!(pointer.component(2), None);
    /// ```
    #[must_use]
    #[doc(alias = "GetComponent")]
    pub fn component(&self, index: usize) -> Option<&str> {
        self.0.get(index).map(String::as_str)
    }

    /// The component at `index` as the index of a list. `None` unless it has only decimal digits, and no leading zero.
    ///
    /// ```
    /// use acedia_collections::Pointer;
    ///
    /// let pointer = Pointer::from("/50/0/05/1abc/-1//+1");
    /// let numbers: Vec<_> = (0..7).map(|index| pointer.number(index)).collect();
    /// assert_eq!(numbers, [Some(50), Some(0), None, None, None, None, None]);
    /// ```
    #[must_use]
    #[doc(alias = "GetNumericComponent")]
    pub fn number(&self, index: usize) -> Option<usize> {
        number(self.component(index)?)
    }

    /// All components in order.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        self.0.iter().map(String::as_str)
    }

    /// Appends one component. Slashes and tildes in it are part of the component.
    ///
    /// ```
    /// use acedia_collections::Pointer;
    ///
    /// let mut pointer = Pointer::from("/players");
    /// pointer.push_number(0).push("a/b");
    /// assert_eq!(pointer.to_string(), "/players/0/a~1b");
    /// ```
    #[doc(alias = "Push")]
    pub fn push(&mut self, component: impl Into<String>) -> &mut Self {
        self.0.push(component.into());
        self
    }

    /// Appends the index of a list.
    #[doc(alias = "PushNumeric")]
    pub fn push_number(&mut self, index: usize) -> &mut Self {
        self.push(index.to_string())
    }

    /// Removes the last component and returns it.
    #[doc(alias = "Pop")]
    pub fn pop(&mut self) -> Option<String> {
        self.0.pop()
    }

    /// Removes the last component, and returns it if it is a number.
    ///
    /// ```
    /// use acedia_collections::Pointer;
    ///
    /// let mut pointer = Pointer::from("/a/7/b");
    /// assert_eq!((pointer.pop_number(), pointer.pop_number()), (None, Some(7)));
    /// assert_eq!(pointer.pop().as_deref(), Some("a"));
    /// ```
    #[doc(alias = "PopNumeric")]
    pub fn pop_number(&mut self) -> Option<usize> {
        number(&self.pop()?)
    }
}

/// A component as the index of a list, as RFC 6901 writes it.
#[must_use]
pub fn number(component: &str) -> Option<usize> {
    let is_number = component.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = component == "0" || !component.starts_with('0');
    // `parse` rejects the empty string.
    (is_number && is_short).then(|| component.parse().ok()).flatten()
}

impl From<&str> for Pointer {
    /// Splits the string at each `/`. The first `/` can be left out. In a component, `~1` stands for `/`, and `~0` for
    /// `~`.
    #[doc(alias = "Set")]
    fn from(text: &str) -> Self {
        if text.is_empty() {
            return Self::new();
        }
        let components = text.strip_prefix('/').unwrap_or(text).split('/');
        let unescape = |part: &str| {
            if part.contains('~') {
                part.replace("~1", "/").replace("~0", "~")
            } else {
                part.to_owned()
            }
        };
        Self(components.map(unescape).collect())
    }
}

impl From<&String> for Pointer {
    /// As the conversion from a `&str`.
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<String> for Pointer {
    /// As the conversion from a `&str`.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Nested};
    ///
    /// let list = ArrayList::from([5, 6, 7]);
    /// let sum: i32 = (0..3).filter_map(|index| list.get_by(format!("/{index}")).as_int()).sum();
    /// assert_eq!(sum, 18);
    /// ```
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&Owned<Text>> for Pointer {
    /// As the conversion from a `&str`.
    fn from(text: &Owned<Text>) -> Self {
        Self::from(&*text.to_string())
    }
}

impl From<&Self> for Pointer {
    fn from(pointer: &Self) -> Self {
        pointer.clone()
    }
}

impl<C: Into<String>> FromIterator<C> for Pointer {
    /// Makes one component of each string as it is: `~1` is not an escape here.
    fn from_iter<I: IntoIterator<Item = C>>(components: I) -> Self {
        Self(components.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Pointer {
    /// Prints a JSON pointer that parses as the same pointer.
    #[doc(alias = "ToText")]
    #[doc(alias = "ToTextM")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut components = self.components();
        components.try_for_each(|part| write!(f, "/{}", part.replace('~', "~0").replace('/', "~1")))
    }
}
