//! [`Guard`]: a counted read, which may cross threads and `await`.

use std::fmt;
use std::ops::Deref;

use super::object::{Object, Stored};
use crate::pool;

/// Reads one object until dropped, on any thread and across `await`: [`Handle::guard`](crate::Handle::guard).
///
/// While a guard exists, the object is neither finalized nor reused. Its life may end meanwhile: handles then resolve to
/// `None`, and dropping the last guard runs the finalizer. Costs two atomic read-modify-writes.
///
/// ```
/// use acedia::{Object, class};
///
/// #[derive(Default)]
/// struct Page(String);
/// impl Object for Page {
///     class!(Page, "Doc.Page");
/// }
///
/// let page = Page::allocate_with(|it| it.0.push_str("once"));
/// let guard = page.handle().guard().unwrap();
/// drop(page);
/// let reader = std::thread::spawn(move || guard.0.len());
/// assert_eq!(reader.join().unwrap(), 4);
/// ```
#[must_use = "the object is guarded only while this exists"]
pub struct Guard<T: Object>(pub(super) pool::Guard<'static, Stored<T>>);

impl<T: Object> Deref for Guard<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0.object
    }
}

impl<T: Object> Clone for Guard<T> {
    /// Another guard of the same object, even after its life has ended.
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Object + fmt::Display> fmt::Display for Guard<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: Object + fmt::Debug> fmt::Debug for Guard<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Guard").field(&**self).finish()
    }
}
