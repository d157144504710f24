//! The registry of all classes of actors linked into the program.

use std::any::type_name;

use acedia::__private::{OtherClasses, near_matches};
use acedia::load_class;

use super::actor_class::{ActorClass, short_name};
use super::errors::ActorClassError;

/// One class of actors, registered at link time.
#[doc(hidden)]
#[derive(Debug)]
pub struct Registration {
    name: &'static str,
    /// The Rust type, which tells classes of one name apart.
    type_name: fn() -> &'static str,
    /// Describes the class at the first call.
    class: fn() -> &'static ActorClass,
}

impl Registration {
    /// For [`actor!`](crate::actor!).
    #[doc(hidden)]
    #[must_use]
    pub const fn new<T: 'static>(name: &'static str, class: fn() -> &'static ActorClass) -> Self {
        Self {
            name,
            type_name: type_name::<T>,
            class,
        }
    }
}

inventory::collect!(Registration);

// Lets the error of a search for a class of objects name `load_actor_class`, if a class of actors has the name.
inventory::submit! {
    OtherClasses {
        find: |name| Some(all_named(name).first()?.name),
        kind: "a class of actors, not of objects; `load_actor_class` finds it",
    }
}

fn all() -> impl Iterator<Item = &'static Registration> {
    inventory::iter::<Registration>()
}

fn all_named(name: &str) -> Vec<&'static Registration> {
    let mut found: Vec<_> = all().filter(|it| it.name.eq_ignore_ascii_case(name)).collect();
    if found.is_empty() && !name.contains('.') {
        found.extend(all().filter(|it| short_name(it.name).eq_ignore_ascii_case(name)));
    }
    found
}

/// The class of actors with this name. The class need not have been used before.
///
/// The name has the form `"Package.Name"`. The package may be left out if only one class of actors has the name. ASCII case
/// is ignored. An abstract class is found, too, but a [spawn](crate::Stage::spawn_by_name) of it fails.
///
/// ```
/// use acedia_actors::{Actor, ActorClassError, Pawn, load_actor_class};
///
/// assert_eq!(load_actor_class("Engine.Pawn"), Ok(Pawn::class()));
/// assert_eq!(load_actor_class("pawn"), Ok(Pawn::class()));
/// assert_eq!(
///     load_actor_class("Engine.Pwan").unwrap_err().to_string(),
///     "no class of actors is named `Engine.Pwan` (did you mean `Engine.Pawn`?)"
/// );
/// assert_eq!(
///     load_actor_class("Acedia.NativeActorRef").unwrap_err().to_string(),
///     "`Acedia.NativeActorRef` is a class of objects, not of actors; \
///      `acedia::load_class` finds it"
/// );
/// // And the other way round.
/// assert_eq!(
///     acedia::load_class("Engine.Pawn").unwrap_err().to_string(),
///     "`Engine.Pawn` is a class of actors, not of objects; `load_actor_class` finds it"
/// );
/// assert_eq!(load_actor_class(""), Err(ActorClassError::Empty));
/// ```
///
/// # Errors
///
/// If no class of actors has the name, if several have it, or if it is empty.
///
/// # Cost
///
/// Linear in the number of classes in the program.
#[doc(alias = "DynamicLoadObject")]
pub fn load_actor_class(name: &str) -> Result<&'static ActorClass, ActorClassError> {
    if name.trim().is_empty() {
        return Err(ActorClassError::Empty);
    }
    let mut found = all_named(name);
    match found[..] {
        [one] => Ok((one.class)()),
        [] => Err(match load_class(name) {
            Ok(class) => ActorClassError::NotAnActor(class),
            Err(_) => ActorClassError::Unknown {
                name: name.to_owned(),
                near: near_matches(name, all().map(|it| it.name)),
            },
        }),
        _ => {
            // The order of registration depends on the linker.
            found.sort_unstable_by_key(|it| (it.name, (it.type_name)()));
            let candidates = found.iter().map(|it| it.name).collect();
            let types = found.iter().map(|it| (it.type_name)()).collect();
            Err(ActorClassError::Ambiguous {
                name: name.to_owned(),
                candidates,
                types,
            })
        }
    }
}

/// Serializes a class as its name.
#[cfg(feature = "serde")]
impl serde::Serialize for ActorClass {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Deserializes a class from its name.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for &'static ActorClass {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        load_actor_class(&name).map_err(serde::de::Error::custom)
    }
}
