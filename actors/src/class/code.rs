//! [`Code`]: the code of a state, which runs over many frames.

use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::name::Name;

/// Runs a step for an actor. `Inner` comes from a higher layer, as in `Run`.
pub(crate) type Moment<R> = dyn Fn(&mut Inner, ActorRef) -> R + Send + Sync;

/// The steps of a state's code, in order.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) steps: Vec<Step>,
    /// The labels, each with the index of the next step.
    pub(crate) labels: Vec<(Name, usize)>,
}

/// A step of a state's code.
pub(crate) enum Step {
    Run(Box<Moment<()>>),
    /// Waits for the returned seconds, at least until the next frame.
    Sleep(Box<Moment<f32>>),
    /// Asks in each frame.
    WaitUntil(Box<Moment<bool>>),
    Goto(Name),
}

impl Code {
    /// The step after a label. [`Name::NONE`] stands for the first step, and so does `Begin`, unless there is a label of that
    /// name.
    pub(crate) fn step_at(&self, label: Name) -> Option<usize> {
        let found = self.labels.iter().find(|(name, _)| *name == label);
        let begins = label.is_none() || label == Name::new("Begin");
        found.map(|(_, step)| *step).or(begins.then_some(0))
    }
}
