//! [`Methods`] and [`Statics`] of a class, from its [`Actor`].

use acedia::{ClassStorage, Object, kind};

use super::actor::Actor;
use super::column::{Methods, cast, cast_mut};
use super::rows::Rows;
use super::statics::Statics;

impl Methods {
    pub(super) const fn of<T: Actor>() -> &'static Self {
        const {
            &Self {
                column: || Box::new(Rows::<T>::default()),
                make: |rows| Some(rows.downcast_mut::<Rows<T>>()?.make()),
                copy: |rows, row| rows.downcast_mut::<Rows<T>>()?.copy(row),
                reclaim: |rows, row| {
                    if let Some(rows) = rows.downcast_mut::<Rows<T>>() {
                        rows.reclaim(row, T::finalizer);
                    }
                },
                part: |rows, row, wanted| cast::<Rows<T>>(rows)?.actor(row).part(wanted),
                part_mut: |rows, row, wanted| cast_mut::<Rows<T>>(rows)?.actor_mut(row).part_mut(wanted),
            }
        }
    }
}

impl<T: Actor> Rows<T> {
    fn make(&mut self) -> usize {
        let mut actor = T::default();
        actor.constructor();
        self.put(actor)
    }

    fn copy(&mut self, row: usize) -> Option<usize> {
        let mut copy = self.actor(row).duplicate()?;
        copy.constructor();
        Some(self.put(copy))
    }
}

impl<T: Actor> Object for Statics<T> {
    type Kind = kind::Identity;
    type Readers = acedia::pool::Global;

    fn write_the_macro_class_here() -> &'static ClassStorage<Self> {
        T::write_the_macro_actor_here()
    }

    fn static_constructor() {
        T::static_constructor();
    }

    fn static_finalizer() {
        T::static_finalizer();
    }
}
