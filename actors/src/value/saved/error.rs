//! [`TreeError`]: why a value can't be written or read, and the field.

use std::fmt;

use serde::de::{Expected, Unexpected};

/// Why a value can't be written or read.
#[derive(Debug)]
pub(crate) struct TreeError {
    /// The path of the field, from the inside out.
    path: Vec<String>,
    message: String,
}

impl TreeError {
    /// Of a number that is infinite, or not a number.
    pub(crate) fn not_finite(number: f64) -> Self {
        serde::ser::Error::custom(format_args!(
            "the number {number} can't be saved; use a finite number or `None`, or `#[serde(skip)]` the field"
        ))
    }

    /// The same error, of a field of what was read.
    pub(crate) fn inside(mut self, field: impl Into<String>) -> Self {
        self.path.push(field.into());
        self
    }

    /// The path, as `crew[2].name`; empty, if the error is about the whole.
    pub(crate) fn field(&self) -> String {
        let mut path = String::new();
        for part in self.path.iter().rev() {
            if !path.is_empty() && !part.starts_with('[') {
                path.push('.');
            }
            path.push_str(part);
        }
        path
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TreeError {}

impl serde::ser::Error for TreeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            path: Vec::new(),
            message: message.to_string(),
        }
    }
}

impl serde::de::Error for TreeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        serde::ser::Error::custom(message)
    }

    /// What serde calls a unit value is null to its reader.
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Unit => Self::custom(format_args!("invalid type: null, expected {expected}")),
            other => Self::custom(format_args!("invalid type: {other}, expected {expected}")),
        }
    }
}
