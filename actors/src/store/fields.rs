//! The fields of an actor of any class, written and read.

use super::head::Head;
use super::inner::Inner;
use crate::class::actor_class::ActorClass;
use crate::class::column::Saving;
use crate::value::actor_ref::ActorRef;
use crate::value::saved::error::TreeError;
use crate::value::saved::tree::Tree;

impl Inner {
    /// The fields of the actor in a slot.
    pub(crate) fn write_fields(&self, slot: usize, saving: &Saving) -> Result<Tree, TreeError> {
        let Head { reactions, row, .. } = self.heads[slot];
        match self.columns.get(reactions.id) {
            Some(Some(column)) => column.write(saving, row as usize),
            _ => Ok(Tree::Null),
        }
    }

    /// A new actor with these fields, at the end of the list. `None`, if there is no number left for it.
    pub(crate) fn read_fields(
        &mut self,
        class: &'static ActorClass,
        saving: &Saving,
        fields: &Tree,
    ) -> Result<Option<ActorRef>, TreeError> {
        let Some(column) = self.column(class) else {
            return Ok(None);
        };
        let row = column.read(saving, fields)?;
        Ok(self.add_row(class, row))
    }
}
