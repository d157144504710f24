//! Operations on a list and a table, and the same on `Vec`s in the plainest way.
//!
//! The fuzz target `collections` includes this folder, too.

mod list;
mod op;
mod table;
mod world;

use acedia_boxes::IntRef;

use world::{Object, World};

pub use op::Op;

impl World {
    fn step(&mut self, op: Op) {
        match op {
            Op::NewObject if self.objects.len() < 20 => {
                let object = IntRef::new(i32::try_from(self.objects.len()).unwrap_or(-1));
                self.objects.push(Object {
                    handle: object.handle(),
                    external: Some(object),
                });
            }
            Op::NewObject => {}
            Op::DropObject { which } => {
                let count = self.objects.len().max(1);
                if let Some(object) = self.objects.get_mut(usize::from(which) % count) {
                    object.external = None;
                }
            }
            _ => {
                self.grow_list(op);
                self.shrink_list(op);
                self.step_table(op);
            }
        }
    }
}

/// Applies `ops` to the collections and to the model.
///
/// # Panics
///
/// If they disagree.
pub fn run(ops: &[Op]) {
    let mut world = World::new();
    for op in ops {
        world.step(*op);
        world.check();
    }
    let World {
        objects, list, table, ..
    } = world;
    drop((list, table));
    for object in objects {
        let external = object.external.is_some();
        assert_eq!(object.handle.is_allocated(), external, "something is kept");
        drop(object.external);
        assert!(!object.handle.is_allocated());
    }
}
