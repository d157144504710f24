//! [`FunctionTable`]: the functions of a class, or of one of its states.

use std::any::Any;
use std::ptr;

use super::function::{Function, FunctionBody, FunctionEntry, FunctionId};

/// The functions of a class, each at its place. A child class has the same functions at the same places, and its own after
/// them.
#[derive(Clone, Default)]
pub(crate) struct FunctionTable(Vec<FunctionEntry>);

impl FunctionTable {
    /// The entry of a function, if the class of this table has the function.
    #[inline]
    pub(crate) fn entry(&self, place: usize, id: FunctionId) -> Option<&FunctionEntry> {
        self.0.get(place).filter(|entry| entry.id == id)
    }

    /// Adds a function without a body, and returns its place. If the class has another function of this name, returns `Err`
    /// with that name.
    pub(crate) fn declare(&mut self, id: FunctionId, name: &'static str) -> Result<usize, &'static str> {
        if let Some(other) = self.0.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)) {
            return Err(other.name);
        }
        self.0.push(FunctionEntry { id, name, body: None });
        Ok(self.0.len() - 1)
    }

    /// A new body for the function at `place`. Leaked, because a class is never freed.
    pub(crate) fn new_body(
        &self,
        place: usize,
        run: Box<dyn Any + Send + Sync>,
        inherited: Option<&'static FunctionBody>,
    ) -> &'static FunctionBody {
        let FunctionEntry { id, name, .. } = self.0[place];
        Box::leak(Box::new(FunctionBody {
            id,
            name,
            run,
            inherited,
        }))
    }

    /// The function with this name, and its place.
    #[cfg(feature = "serde")]
    pub(crate) fn named(&self, name: &str) -> Option<(usize, &FunctionEntry)> {
        self.0.iter().enumerate().find(|(_, entry)| entry.name == name)
    }

    /// The body of a function.
    pub(crate) fn body_of<T, A, R>(&self, function: &'static Function<T, A, R>) -> Option<&'static FunctionBody> {
        self.entry(function.place(), function.id())?.body
    }

    pub(crate) fn has_body(&self, body: &'static FunctionBody) -> bool {
        self.0
            .iter()
            .any(|entry| entry.body.is_some_and(|it| ptr::eq(it, body)))
    }

    pub(crate) fn body(&self, place: usize) -> Option<&'static FunctionBody> {
        self.0.get(place)?.body
    }

    pub(crate) fn set_body(&mut self, place: usize, body: Option<&'static FunctionBody>) {
        if let Some(entry) = self.0.get_mut(place) {
            entry.body = body;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
