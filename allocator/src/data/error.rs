//! [`DataError`]: why a value or data is refused.

use std::fmt;

use serde::de::{Expected, Unexpected};

/// The reason, and the path of the field if a value was being written. Boxed, because each step returns it.
#[derive(Debug)]
pub struct DataError(Box<(String, String)>);

impl DataError {
    pub fn new(reason: impl fmt::Display) -> Self {
        Self(Box::new((reason.to_string(), String::new())))
    }

    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.1
    }

    /// Puts `step` before the path: a field, or a place in a list, such as `[2]`.
    pub(super) fn inside(mut self, step: &str) -> Self {
        let path = &mut self.0.1;
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, step);
        self
    }
}

/// Prints the reason.
impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.0)
    }
}

impl std::error::Error for DataError {}

impl serde::ser::Error for DataError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message)
    }
}

impl serde::de::Error for DataError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message)
    }

    /// Says `null` instead of serde's "unit value". In JSON, a number that is infinite or NaN is null, too.
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Unit => Self::new(format_args!("invalid type: null, expected {expected}")),
            other => Self::new(format_args!("invalid type: {other}, expected {expected}")),
        }
    }
}
