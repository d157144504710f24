//! The start of play, and frames. Rows are those of the [crate](crate#steps).

use acedia::__private::FirstPanic;

use crate::class::reactions::Body;
use crate::store::head::{Fact, Head};
use crate::store::inner::Inner;
use crate::store::send::Deeper;
use crate::store::sink::Kind;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Event, Message, Value};
use crate::value::name::Name;

impl Inner {
    /// L1 to L11.
    pub(crate) fn begin_play(&mut self, options: &str) -> bool {
        if self.begun {
            return false;
        }
        #[cfg(feature = "tracing")]
        let _span = tracing::debug_span!(target: "acedia_actors", "begin_play", actors = self.living).entered();
        options.clone_into(&mut self.options);
        self.begun = true;
        self.starting = true; // L1
        let panics = Start::new(self).start_up();
        self.starting = false; // L11: players may log in.
        self.settle();
        panics.resume();
        true
    }

    /// L10: the base is the actor that the attach tag names, or the floor below.
    fn first_base(&mut self, actor: ActorRef) {
        let wanted = self.properties(actor.index()).attach_tag;
        if wanted.is_none() {
            self.find_base("L10", actor);
        } else if let Some(base) = self.find_tagged(wanted).filter(|base| *base != actor) {
            self.set_base("L10", actor, Some(base));
        }
    }

    fn find_tagged(&self, wanted: Name) -> Option<ActorRef> {
        self.order.iter().copied().find(|actor| {
            self.find(*actor).is_some_and(|slot| {
                self.properties(slot).tag == wanted || self.name_of_slot(slot).eq_ignore_ascii_case(wanted.as_str())
            })
        })
    }

    /// One frame, D29.
    pub(crate) fn tick(&mut self, seconds: f32) {
        if !self.begun {
            self.warn_not_begun();
            return;
        }
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!(target: "acedia_actors", "tick", seconds, actors = self.living).entered();
        let message = Message {
            row: "1.12",
            event: Event::Tick,
            value: Value::Seconds(seconds),
        };
        self.begin_frame(seconds);
        self.ticking = true;
        let panics = Frame::new(self).tick_all(&message);
        self.ticking = false;
        self.end_frame();
        // Actors that ticked have the toggle's old value, which means "not ticked" in the next frame.
        self.tick_toggle = !self.tick_toggle;
        self.settle();
        panics.resume();
    }

    /// Marks a living actor as ticked, and returns its head. `None` if it was marked already, or does not tick.
    fn take_turn(&mut self, actor: ActorRef) -> Option<Head> {
        let head = self.heads.get_mut(actor.index())?;
        if head.life != actor.life() || head.is(Fact::Ticked) == self.tick_toggle {
            return None;
        }
        // Static actors too: one that stops being static in this frame ticks in the next.
        head.set(Fact::Ticked, self.tick_toggle);
        let turn = *head;
        if self.extras.properties(head).is_without_ticks() {
            self.turn = Some(actor);
            self.wake(actor.index()); // time stands still for its timers from now on
            return None;
        }
        Some(turn)
    }

    /// An actor has begun to wait, maybe in the `tick` that has just ended.
    #[cold]
    fn begin_to_wait(&mut self, actor: ActorRef, message: &Message) {
        self.new_waits = false;
        self.go_on(actor, seconds_of(message));
    }
}

fn seconds_of(message: &Message) -> f32 {
    match message.value {
        Value::Seconds(seconds) => seconds,
        _ => 0.0,
    }
}

/// The start of play. A handler that panics ends the phase for its own actor; the others go on.
struct Start<'a> {
    level: &'a mut Inner,
    panics: FirstPanic,
    /// The number of actors made in a phase that may make others in the same phase.
    spare: usize,
}

impl<'a> Start<'a> {
    fn new(level: &'a mut Inner) -> Self {
        // Each actor of the map begins a chain that is as long as events may nest.
        let spare = level.living.saturating_mul(level.rules.depth_limit as usize);
        Self {
            level,
            panics: FirstPanic::new(),
            spare,
        }
    }

    /// L2 to L10.
    fn start_up(mut self) -> FirstPanic {
        if let Some(game) = self.level.game {
            self.panics.catch(|| self.level.notify("L2", game, Event::InitGame));
        }
        // Each actor has had a phase before the first one begins the next.
        self.phase(|level, actor| level.notify("L3", actor, Event::PreBeginPlay));
        if self.level.rules.begin_play {
            self.phase(|level, actor| level.notify("L4", actor, Event::BeginPlay));
        }
        if self.level.rules.zones {
            self.phase(|level, actor| level.zone_step("L5", actor));
        }
        if self.level.rules.volumes {
            self.phase(|level, actor| level.volume_step("L6", actor));
        }
        self.phase(|level, actor| {
            level.notify("L7", actor, Event::PostBeginPlay);
            if level.rules.native_post_begin_play {
                level.notify("L7", actor, Event::NativePostBeginPlay);
            }
        });
        if self.level.rules.post_net_begin_play {
            self.phase(|level, actor| level.notify("L8", actor, Event::PostNetBeginPlay));
        }
        self.phase(|level, actor| {
            if let Some(slot) = level.find(actor) {
                level.heads[slot].set(Fact::HasStates, true);
                // The phases have sent it the events that come after its variables.
                level.heads[slot].set(Fact::AwaitsVariables, false);
            }
            level.notify("L9", actor, Event::SetInitialState);
        });
        // All actors, the initialised ones included.
        self.each(Inner::first_base);
        self.panics
    }

    /// Calls `step` for the living actors by age, new ones included.
    ///
    /// Ends even if each new one makes another: from the last one that may, handlers spawn nothing.
    fn each(&mut self, mut step: impl FnMut(&mut Inner, ActorRef)) {
        let first = self.level.order.len();
        // By index, because handlers append actors.
        let mut next = 0;
        while let Some(&actor) = self.level.order.get(next) {
            next += 1;
            if !self.level.is_alive(actor) {
                continue;
            }
            let before = self.level.order.len();
            self.panics.catch(|| step(self.level, actor));
            // An actor of this phase that makes others continues a chain, which may never end.
            if next > first && self.level.order.len() > before {
                self.spare = self.spare.saturating_sub(1);
                if self.spare == 0 {
                    self.level.nesting.run_away();
                }
            }
        }
    }

    /// As `each`, without actors that are initialised already.
    fn phase(&mut self, mut step: impl FnMut(&mut Inner, ActorRef)) {
        self.each(|level, actor| {
            let done = level.rules.script_initialized && level.heads[actor.index()].is(Fact::ScriptInitialized);
            if !done {
                step(level, actor);
            }
        });
    }
}

/// One frame. A handler that panics ends the tick of its own actor; the others tick.
struct Frame<'a> {
    level: &'a mut Inner,
    /// The next index into the list of actors.
    next: usize,
}

impl<'a> Frame<'a> {
    const fn new(level: &'a mut Inner) -> Self {
        Self { level, next: 0 }
    }

    fn tick_all(mut self, message: &Message) -> FirstPanic {
        let mut panics = FirstPanic::new();
        // One round, and one more after each panic.
        while self.next < self.level.order.len() || !self.level.waiting.is_empty() {
            panics.catch(|| self.tick_on(message));
        }
        panics
    }

    /// Ticks the rest of the actors by age, each after its owners. Actors spawned meanwhile are at the end of the list
    /// and marked as not ticked (P6), so they tick in the same frame.
    fn tick_on(&mut self, message: &Message) {
        self.tick_waiting(message);
        // A sink comes or goes between two frames, or by its own panic.
        let tick_plain = if self.level.sink.is_some() {
            Self::tick_plain::<true>
        } else {
            Self::tick_plain::<false>
        };
        while let Some((actor, owner)) = tick_plain(self, message) {
            self.level.waiting.push(actor);
            self.wait_for(owner);
            self.tick_waiting(message);
        }
    }

    /// Ticks plain actors, up to one that is not, or up to the next one if no event may nest. Returns that one, and its owner.
    fn tick_plain<const IS_TRACED: bool>(&mut self, message: &Message) -> Option<(ActorRef, Option<ActorRef>)> {
        let is_possible = !self.level.is_too_deep();
        // Without a comparison with facts that none has, if none is plain.
        let plain = if is_possible {
            Head::plain(!self.level.tick_toggle)
        } else {
            u16::MAX
        };
        let depth = self.level.nesting.depth;
        let deeper = Deeper::enter(self.level);
        // The next actor is read before a handler runs, not after a jump that the processor had not predicted.
        let mut upcoming = None;
        while let Some(actor) = upcoming.or_else(|| deeper.0.order.get(self.next).copied()) {
            self.next += 1;
            upcoming = deeper.0.order.get(self.next).copied();
            let Some(head) = deeper.0.heads.get_mut(actor.index()) else {
                continue;
            };
            // Most actors pass this comparison. For the others, all conditions are looked at one by one.
            let is_plain = head.life == actor.life() && head.take_plain_turn(plain);
            let reactions = if is_plain {
                head.reactions
            } else {
                match deeper.0.take_turn(actor) {
                    None => continue,
                    Some(turn) if is_possible && turn.owner.is_none() && !turn.is(Fact::Waits) => turn.reactions,
                    Some(turn) => return Some((actor, turn.owner)),
                }
            };
            if IS_TRACED {
                let is_told = if is_plain {
                    reactions.tells_tick
                } else {
                    !reactions.ignored.contains(Event::Tick)
                };
                if is_told {
                    deeper.0.trace(depth, actor, Kind::Event(message));
                }
            }
            // After the sink, so that the processor keeps less across its call.
            let body = if is_plain {
                reactions.tick
            } else {
                reactions.body(Event::Tick).map(Body::runnable)
            };
            if let Some((run, body)) = body {
                deeper.0.turn = Some(actor);
                run(deeper.0, actor, body, message);
                if deeper.0.new_waits {
                    deeper.0.begin_to_wait(actor, message);
                }
            }
        }
        None
    }

    /// Adds the actors that tick before one: its owner, the owner's owner, and so on.
    fn wait_for(&mut self, mut owner: Option<ActorRef>) {
        while let Some(actor) = owner {
            let Some(turn) = self.level.take_turn(actor) else {
                break;
            };
            self.level.waiting.push(actor);
            owner = turn.owner;
        }
    }

    fn tick_waiting(&mut self, message: &Message) {
        while let Some(actor) = self.level.waiting.pop() {
            self.level.turn = Some(actor);
            self.level.post(actor, message);
            self.level.go_on(actor, seconds_of(message));
        }
    }
}
