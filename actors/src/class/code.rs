//! [`Code`]: the code of a state, which runs over many frames.

use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::name::Name;

/// Runs a step for an actor. `Inner` is of a higher layer, as in `Run`.
pub(crate) type Moment<R> = dyn Fn(&mut Inner, ActorRef) -> R + Send + Sync;

/// The steps of a state's code, in order.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) steps: Vec<Step>,
    /// The labels, and the steps that follow them.
    pub(crate) labels: Vec<(Name, usize)>,
}

/// A step of a state's code.
pub(crate) enum Step {
    Run(Box<Moment<()>>),
    /// Waits so many seconds, at least until the next frame.
    Sleep(Box<Moment<f32>>),
    /// Asks in each frame.
    WaitUntil(Box<Moment<bool>>),
    /// Goes on at a label.
    Goto(Name),
}

impl Code {
    /// The step behind a label. No label is the beginning, as `Begin` is, unless there is a label of that name.
    pub(crate) fn step_at(&self, label: Name) -> Option<usize> {
        let found = self.labels.iter().find(|(name, _)| *name == label);
        let begins = label.is_none() || label == Name::new("Begin");
        found.map(|(_, step)| *step).or(begins.then_some(0))
    }
}
