//! Every class linked into the program, and finding one by name.

use std::error::Error;
use std::fmt;

use super::class::Class;
use crate::near::{near_matches, suggestion};

/// One class, registered before `main` begins.
#[doc(hidden)]
#[derive(Debug)]
pub struct Registration(pub(crate) &'static Class);

inventory::collect!(Registration);

/// Classes of another kind, in a crate that depends on this one. For their names, the error is [`ClassError::NotAnObject`].
#[doc(hidden)]
#[derive(Debug)]
pub struct OtherClasses {
    /// The complete name of the class that has this name.
    pub find: fn(&str) -> Option<&'static str>,
    /// The kind of the classes, and the function that finds them, as the end of the error message.
    pub kind: &'static str,
}

inventory::collect!(OtherClasses);

/// Every class linked into the program, used or not, in no particular order.
pub(crate) fn all() -> impl Iterator<Item = &'static Class> {
    inventory::iter::<Registration>().map(|registration| registration.0)
}

/// Every class linked into the program, sorted by name, whether or not it was ever used.
///
/// ```
/// use acedia::{Object, class, classes};
///
/// #[derive(Default)]
/// struct Rain;
/// impl Object for Rain {
///     class!(Rain, "Doc.Rain");
/// }
///
/// for class in classes() {
///     println!("{class}: {} alive", class.stats().live);
/// }
/// assert!(classes().contains(&Rain::class()));
/// ```
///
/// A class is linked if its crate is. The compiler leaves out a crate that `Cargo.toml` lists but no code names. Costs a sort.
#[must_use]
#[doc(alias = "RegisterNewPool")]
pub fn classes() -> Vec<&'static Class> {
    let mut classes: Vec<_> = all().collect();
    classes.sort_unstable_by_key(|class| (class.name(), class.type_name()));
    classes
}

/// The class of this name, whether or not it was ever used.
///
/// The name is complete, as `"Package.Name"`, or without its package if only one class has that short name. Case is ignored,
/// as in UnrealScript.
///
/// ```
/// use acedia::{ClassError, Object, class, load_class};
///
/// #[derive(Default)]
/// struct Snow;
/// impl Object for Snow {
///     class!(Snow, "Weather.Snow");
/// }
///
/// assert_eq!(load_class("Weather.Snow"), Ok(Snow::class()));
/// assert_eq!(load_class("snow"), Ok(Snow::class()));
/// assert_eq!(
///     load_class("Weather.Snwo").unwrap_err().to_string(),
///     "no class is named `Weather.Snwo` (did you mean `Weather.Snow`?)"
/// );
/// assert_eq!(load_class(""), Err(ClassError::Empty));
/// ```
///
/// # Errors
///
/// [`ClassError`] if no class or several classes have the name, if it is empty, or if it names a class of actors.
///
/// # Cost
///
/// Up to two comparisons with each class, and edit distances if no class has the name.
#[doc(alias = "LoadClass")]
#[doc(alias = "LoadClassS")]
#[doc(alias = "LoadClass_S")]
pub fn load_class(name: &str) -> Result<&'static Class, ClassError> {
    if name.trim().is_empty() {
        return Err(ClassError::Empty);
    }
    let whole: Vec<_> = all().filter(|class| class.name().eq_ignore_ascii_case(name)).collect();
    let found = if whole.is_empty() && !name.contains('.') {
        all()
            .filter(|class| class.short_name().eq_ignore_ascii_case(name))
            .collect()
    } else {
        whole
    };
    match found[..] {
        [class] => Ok(class),
        [] => Err(of_another_kind(name).unwrap_or_else(|| ClassError::Unknown {
            name: name.to_owned(),
            near: near_matches(name, all().map(Class::name)),
        })),
        _ => {
            let mut candidates = found;
            candidates.sort_unstable_by_key(|class| (class.name(), class.type_name()));
            Err(ClassError::Ambiguous {
                name: name.to_owned(),
                candidates,
            })
        }
    }
}

/// The error for a name of [`OtherClasses`].
fn of_another_kind(name: &str) -> Option<ClassError> {
    inventory::iter::<OtherClasses>().find_map(|others| {
        let class = (others.find)(name)?;
        let kind = others.kind;
        Some(ClassError::NotAnObject { class, kind })
    })
}

/// Why no class was found by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClassError {
    /// The name is empty or only space.
    Empty,
    /// No class linked into the program has this name.
    Unknown {
        /// The name.
        name: String,
        /// Up to three similar names, the nearest first.
        near: Vec<String>,
    },
    /// Several classes have this name.
    Ambiguous {
        /// The name.
        name: String,
        /// The classes.
        candidates: Vec<&'static Class>,
    },
    /// The class of this name is not a class of objects.
    NotAnObject {
        /// The complete name of the class.
        class: &'static str,
        /// Its kind, and the function that finds it, as a part of the message.
        kind: &'static str,
    },
}

impl fmt::Display for ClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the name of the class is empty; write it as `Package.Name`"),
            Self::Unknown { name, near } => {
                let near = suggestion(name, near.iter().map(String::as_str));
                write!(f, "no class is named `{}`{near}", name.escape_debug())
            }
            Self::Ambiguous { name, candidates } => {
                write!(f, "`{name}` is ambiguous: it names ")?;
                for (at, class) in candidates.iter().enumerate() {
                    let comma = match at {
                        0 => "",
                        _ if at + 1 == candidates.len() => " and ",
                        _ => ", ",
                    };
                    write!(f, "{comma}`{class}` (the type `{}`)", class.type_name())?;
                }
                Ok(())
            }
            Self::NotAnObject { class, kind } => write!(f, "`{class}` is {kind}"),
        }
    }
}

impl Error for ClassError {}
