//! [`World`]: what scripts and program share.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;

use acedia::actors::{ActorRef, Level, Rules, Stage};
use rhai::EvalAltResult;

use crate::actors::ScriptActor;

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

    /// An actor as scripts have it, if it is alive.
    pub(crate) fn actor(&self, actor: ActorRef) -> Option<ScriptActor> {
        let class = self.level().class(actor)?;
        Some(ScriptActor::new(self.clone(), actor, class))
    }
}
