//! [`CodeBuilder`]: the code of a state while it is described.

use std::fmt;
use std::marker::PhantomData;

use acedia::__private::suggestion;

use super::cx::Cx;
use super::inherited::Running;
use crate::class::actor::Actor;
use crate::class::builder::StateBuilder;
use crate::class::code::{Code, Moment, Step};
use crate::value::name::Name;

/// Describes the code of a state, step by step: [`StateBuilder::code`](crate::StateBuilder::code).
///
/// The code begins in the first frame of its actor after the actor enters the state. [`sleep`](Self::sleep) and
/// [`wait_until`](Self::wait_until) let frames pass. All steps between two waits run in one frame. A change of state ends the
/// code. If a step of the code changes the state, the code of the new state begins in the same frame. A state that is pushed on
/// top ([`Stage::push_state`](crate::Stage::push_state)) interrupts the code until it is popped.
///
/// ```
/// use acedia_actors::{Actor, ClassBuilder, Level, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Mine { beeps: u32, is_armed: bool }
/// impl Actor for Mine {
///     actor!(Mine, "Doc.Mine");
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.state("Waiting").auto().code(|code| {
///             code.wait_until(|cx| cx.is_armed).run(|cx| cx.goto_state("Fuse"));
///         });
///         class.state("Fuse").code(|code| {
///             code.label("Beep").run(|cx| cx.beeps += 1).sleep(0.5);
///             code.run(|cx| if cx.beeps == 3 { cx.destroy(); }).goto("Beep");
///         });
///     }
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let mine = level.spawn::<Mine>(Spawn::new()).unwrap();
/// level.tick(0.25);
/// assert_eq!(level.get(mine).unwrap().beeps, 0);
/// level.get_mut(mine).unwrap().is_armed = true;
/// for beeps in [1, 1, 2, 2, 3, 3] {
///     level.tick(0.25);
///     assert_eq!(level.get(mine).unwrap().beeps, beeps);
/// }
/// level.tick(0.25);
/// assert!(!level.is_alive(mine));
/// ```
pub struct CodeBuilder<T> {
    code: Code,
    actor: PhantomData<fn() -> T>,
}

fn moment<T: Actor, R>(body: impl Fn(&mut Cx<'_, T>) -> R + Send + Sync + 'static) -> Box<Moment<R>> {
    Box::new(move |inner, me| body(&mut Cx::new(inner, me, Running::Code)))
}

impl<T: Actor> CodeBuilder<T> {
    fn add(&mut self, step: Step) -> &mut Self {
        self.code.steps.push(step);
        self
    }

    /// Calls `body`.
    pub fn run(&mut self, body: impl Fn(&mut Cx<'_, T>) + Send + Sync + 'static) -> &mut Self {
        self.add(Step::Run(moment(body)))
    }

    /// Waits for `seconds`, and at least until the next frame.
    #[doc(alias = "Sleep")]
    pub fn sleep(&mut self, seconds: f32) -> &mut Self {
        self.sleep_for(move |_| seconds)
    }

    /// Like [`sleep`](Self::sleep), but the closure `seconds` returns the time, when the code reaches this step.
    #[doc(alias = "Sleep")]
    pub fn sleep_for(&mut self, seconds: impl Fn(&mut Cx<'_, T>) -> f32 + Send + Sync + 'static) -> &mut Self {
        self.add(Step::Sleep(moment(seconds)))
    }

    /// Waits for the first frame in which `is_over` returns `true`, which may be the current frame. Use this step to write
    /// latent functions of your own.
    #[doc(alias = "latent")]
    pub fn wait_until(&mut self, is_over: impl Fn(&mut Cx<'_, T>) -> bool + Send + Sync + 'static) -> &mut Self {
        self.add(Step::WaitUntil(moment(is_over)))
    }

    /// Puts a label before the next step, as a target of [`goto`](Self::goto) and of [`Cx::goto_label`](crate::Cx::goto_label).
    pub fn label(&mut self, label: impl Into<Name>) -> &mut Self {
        self.code.labels.push((label.into(), self.code.steps.len()));
        self
    }

    /// Continues at a label, which may stand before or after this step.
    ///
    /// Code that loops without a wait runs at most 10,000 steps in one frame. Then a [warning](crate::Warning::RunawayCode) is
    /// logged, and the code continues in the next frame.
    pub fn goto(&mut self, label: impl Into<Name>) -> &mut Self {
        self.add(Step::Goto(label.into()))
    }
}

impl<T> fmt::Debug for CodeBuilder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "CodeBuilder({} steps, {} labels)",
            self.code.steps.len(),
            self.code.labels.len()
        )
    }
}

impl<T: Actor> StateBuilder<'_, T> {
    /// Sets the code of the state, which may run over many frames. [`CodeBuilder`] has an example.
    ///
    /// Child classes inherit the code, and so does a state that [extends](Self::extends) this state, unless it has code
    /// of its own.
    ///
    /// # Panics
    ///
    /// If the code goes to a label that it does not have, or has a label twice. The call that first uses the class
    /// panics.
    #[doc(alias = "Begin:")]
    pub fn code(&mut self, describe: impl FnOnce(&mut CodeBuilder<T>)) -> &mut Self {
        let mut builder = CodeBuilder {
            code: Code::default(),
            actor: PhantomData,
        };
        describe(&mut builder);
        let code = builder.code;
        for (place, (label, _)) in code.labels.iter().enumerate() {
            let is_twice = code.labels[..place].iter().any(|(other, _)| other == label);
            assert!(!is_twice, "{} has two labels `{label}`", self.described());
        }
        // Checked last, because a `goto` may stand before its label.
        for step in &code.steps {
            if let Step::Goto(label) = step {
                let names: Vec<_> = code.labels.iter().map(|(name, _)| name.as_str()).collect();
                let is_known = code.labels.iter().any(|(name, _)| name == label);
                let near = suggestion(label.as_str(), names);
                assert!(is_known, "{} has no label `{label}`{near}", self.described());
            }
        }
        self.set_code(code);
        self
    }
}
