//! [`SaveError`]: why a level can't be saved or restored.

use std::fmt;

use acedia::__private::DataError;

/// The reason why a level can't be saved or restored, with the actor, its class and the field.
///
/// ```
/// use acedia_actors::{Actor, Level, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Ghost;
/// impl Actor for Ghost {
///     actor!(Ghost, "Doc.SaveGhost");
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.place::<Ghost>(Spawn::new()).unwrap();
/// let error = level.save().unwrap_err();
/// assert_eq!(
///     (error.actor(), error.class(), error.field()),
///     ("SaveGhost2", "Doc.SaveGhost", "")
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveError {
    actor: String,
    class: String,
    field: String,
    reason: String,
}

impl SaveError {
    /// The name of the actor. Empty if the error is not about an actor.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// The name of the actor's class.
    #[must_use]
    pub fn class(&self) -> &str {
        &self.class
    }

    /// The path of the field, such as `crew[2].name`. Empty if the error is about the whole actor.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// An error about the whole level.
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        let reason = reason.to_string();
        Self {
            reason,
            ..Self::default()
        }
    }

    /// Marks the error as one of reading back data that was just saved.
    pub(crate) fn in_trial(mut self) -> Self {
        self.reason.insert_str(0, "it could not be restored: ");
        self
    }

    /// The same error, about this field. The path `.` stands for the whole value.
    pub(crate) fn at(self, field: &str) -> Self {
        let field = field.trim_start_matches('.').to_owned();
        Self { field, ..self }
    }

    pub(crate) fn of(self, actor: &str, class: &str) -> Self {
        Self {
            actor: actor.to_owned(),
            class: class.to_owned(),
            ..self
        }
    }
}

impl fmt::Display for SaveError {
    /// ``actor Barrel7 of Game.Barrel: field `health`: invalid type: string "x", expected i32``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.actor.is_empty() {
            write!(f, "actor {} of {}: ", self.actor, self.class)?;
        }
        if !self.field.is_empty() {
            write!(f, "field `{}`: ", self.field)?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for SaveError {}

impl From<DataError> for SaveError {
    fn from(error: DataError) -> Self {
        Self::new(&error).at(error.path())
    }
}
