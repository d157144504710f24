//! [`World`]: what scripts and program share.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;

use acedia_actors::{Level, Rules};
use rhai::EvalAltResult;

/// An error of a script. rhai adds the line.
pub(crate) type Failure = Box<EvalAltResult>;

/// The level. Each call of a script borrows it for itself.
#[derive(Clone)]
pub(crate) struct World(Rc<RefCell<Level>>);

impl World {
    /// A level in which play has begun.
    pub(crate) fn new() -> Self {
        let mut level = Level::new(Rules::ue2());
        level.begin_play("");
        Self(Rc::new(RefCell::new(level)))
    }

    pub(crate) fn level(&self) -> Ref<'_, Level> {
        self.0.borrow()
    }

    pub(crate) fn level_mut(&self) -> RefMut<'_, Level> {
        self.0.borrow_mut()
    }
}
