//! [`ItemError`]: the error of [`to_item`](crate::to_item) and [`from_item`](crate::from_item).

use std::error::Error;
use std::fmt;

use acedia::__private::DataError;

/// The error of a value that cannot become an item, or of an item that does not have the expected form.
///
/// ```
/// let error = acedia_collections::from_item::<bool>(&7.into()).unwrap_err();
/// assert_eq!(error.to_string(), "invalid type: integer `7`, expected a boolean");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemError(String);

impl fmt::Display for ItemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ItemError {}

impl From<DataError> for ItemError {
    fn from(error: DataError) -> Self {
        Self(error.to_string())
    }
}
