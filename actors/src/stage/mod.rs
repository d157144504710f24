//! Layer 5: the stage. The types that users hold, and the operations on actors.
//!
//! Uses layers 1 to 4. Nothing below knows these types.
//!
//! ```text
//! program ──► Level ──┐                         ┌──► sequence: spawn, destroy, play
//!                     ├──► Stage ──► Access ──► Inner
//! handler ──► Cx ──► Others                     └──► store: get, properties
//!             └──► Inherited ──► Body
//!
//! ActorList, ActorMap, ActorSet, Cursor ──► Stage: is it alive?
//! NativeActorRef ──► Life (layer 2), from any thread
//!
//! actor!, ClassBuilder's handlers, the engine's classes: how layer 2 is filled
//! ```

/// Methods that count the entries in the first field.
macro_rules! counts {
    () => {
        /// The number of entries, including those of destroyed actors.
        #[must_use]
        pub fn len(&self) -> usize {
            self.0.len()
        }

        /// Whether there are no entries.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.0.is_empty()
        }
    };
}

#[macro_use]
pub(crate) mod declare;

pub(crate) mod access;
pub(crate) mod actor_list;
pub(crate) mod actor_map;
pub(crate) mod code_builder;
pub(crate) mod cursor;
pub(crate) mod cx;
pub(crate) mod engine_classes;
pub(crate) mod handlers;
pub(crate) mod inherited;
pub(crate) mod level;
pub(crate) mod native_actor_ref;
pub(crate) mod others;
mod shared;
#[expect(clippy::module_inception, reason = "the floor has the name of its main room")]
pub(crate) mod stage;
