//! [`ItemError`]: the error of [`to_item`](crate::to_item) and [`from_item`](crate::from_item).

use std::error::Error;
use std::fmt;

use serde::de::{Expected, Unexpected};

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

impl serde::ser::Error for ItemError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl serde::de::Error for ItemError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }

    /// A unit value of serde is null to its reader. In JSON, so is a number that is infinite or NaN.
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Unit => Self(format!("invalid type: null, expected {expected}")),
            other => Self(format!("invalid type: {other}, expected {expected}")),
        }
    }
}
