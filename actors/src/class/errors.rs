//! [`ActorClassError`]: why no class of actors was found.

use std::error::Error;
use std::fmt;

use acedia::__private::suggestion;
use acedia::Class;

/// The reason why a name is not the name of a class of actors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActorClassError {
    /// The name is empty or has only spaces.
    Empty,
    /// No class linked into the program has this name.
    Unknown {
        /// The name.
        name: String,
        /// Up to three similar names, the nearest first.
        near: Vec<String>,
    },
    /// Several classes of actors have this name.
    Ambiguous {
        /// The name.
        name: String,
        /// The complete names of these classes.
        candidates: Vec<&'static str>,
        /// The Rust types of these classes, in the same order. The types differ even if the names are equal.
        types: Vec<&'static str>,
    },
    /// The class of this name is a class of objects.
    NotAnActor(&'static Class),
}

impl fmt::Display for ActorClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the name of the class is empty; write it as `Package.Name`"),
            Self::Unknown { name, near } => {
                let near = suggestion(name, near.iter().map(String::as_str));
                write!(f, "no class of actors is named `{}`{near}", name.escape_debug())
            }
            Self::Ambiguous {
                name,
                candidates,
                types,
            } => {
                let each = candidates
                    .iter()
                    .zip(types)
                    .map(|(class, of)| format!("`{class}` ({of})"));
                let each: Vec<_> = each.collect();
                write!(f, "`{name}` is ambiguous: it names {}", each.join(" and "))
            }
            Self::NotAnActor(class) => write!(
                f,
                "`{class}` is a class of objects, not of actors; `acedia::load_class` finds it"
            ),
        }
    }
}

impl Error for ActorClassError {}
