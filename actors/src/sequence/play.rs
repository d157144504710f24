//! The start of play, and frames. Rows are those of the [crate](crate#steps).

use acedia::__private::FirstPanic;

use crate::class::reactions::Reactions;
use crate::store::head::Fact;
#[cfg(doc)]
use crate::store::head::Head;
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

    /// L10: the base is the actor that the attach tag names, or without a tag the floor below.
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

    /// Runs one frame (D29).
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
        self.next = 0;
        let panics = Frame(self).tick_all(&message);
        self.ticking = false;
        self.end_frame();
        self.settle();
        panics.resume();
    }

    /// Whether an actor is alive, ticks in this frame, and has not ticked before its place.
    #[inline]
    fn takes_turn(&mut self, actor: ActorRef) -> bool {
        let Some(head) = self
            .heads
            .get_mut(actor.index())
            .filter(|head| head.life == actor.life())
        else {
            return false;
        };
        if head.is(Fact::TickedEarly) {
            head.set(Fact::TickedEarly, false);
            return false;
        }
        self.has_ticks(actor.index())
    }

    /// Whether the living actor in a slot ticks now.
    #[inline]
    fn has_ticks(&mut self, slot: usize) -> bool {
        let head = &mut self.heads[slot];
        let is_without_ticks = self.extras.properties(head).is_without_ticks();
        if is_without_ticks == head.class().initial.is_without_ticks() {
            head.set(Fact::OwnTicks, false);
        }
        if is_without_ticks {
            self.wake(slot); // from now on its timers stand still
        }
        !is_without_ticks
    }

    /// The actor at a place of the list, and its reactions, if it is [plain](Head::is_plain).
    #[inline]
    fn plain(&self, place: usize) -> Option<(ActorRef, &'static Reactions)> {
        let actor = *self.order.get(place)?;
        let head = self.heads.get(actor.index())?;
        // Without a branch between the two tests.
        let is_plain = (head.life == actor.life()) & head.is_plain();
        is_plain.then_some((actor, head.reactions))
    }

    /// The owner of an actor, if the owner ticks later in this frame. All actors before `place` have ticked.
    #[inline]
    fn later_owner(&self, actor: ActorRef, place: ActorRef) -> Option<ActorRef> {
        let head = &self.heads[actor.index()];
        let owner = head.owner()?;
        let age = |actor: ActorRef| self.records[actor.index()].age;
        // The actor itself is at the place, or after it.
        let is_behind = || head.is(Fact::YoungerOwner) || (actor != place && age(owner) > age(place));
        let is_later = self.head(owner).is_some_and(|head| !head.is(Fact::TickedEarly)) && is_behind();
        is_later.then_some(owner)
    }

    /// Like `later_owner`, for an actor that waits for its turn. Also returns the actor at the place that the frame has
    /// reached.
    fn later_owner_of_waiting(&self, actor: ActorRef) -> Option<(ActorRef, ActorRef)> {
        let place = *self.order.get(self.next.checked_sub(1)?)?;
        Some((self.later_owner(actor, place)?, place))
    }
}

fn seconds_of(message: &Message) -> f32 {
    match message.value {
        Value::Seconds(seconds) => seconds,
        _ => 0.0,
    }
}

/// The start of play. A handler that panics ends the phase of its own actor. The other actors continue.
struct Start<'a> {
    level: &'a mut Inner,
    panics: FirstPanic,
    /// The number of actors, spawned during a phase, that may still spawn others in the same phase.
    spare: usize,
}

impl<'a> Start<'a> {
    fn new(level: &'a mut Inner) -> Self {
        // Each actor of the map may begin a chain of spawns as long as events may nest.
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
                // The phases have sent the events that would follow the actor's variables.
                level.heads[slot].set(Fact::AwaitsVariables, false);
            }
            level.notify("L9", actor, Event::SetInitialState);
        });
        self.each(Inner::first_base);
        self.panics
    }

    /// Calls `step` for the living actors, the oldest first, including new ones.
    ///
    /// It ends even if each new actor spawns another one, because once `spare` is used up, handlers can't spawn actors.
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
            // An actor that was spawned in this phase and spawns others continues a chain, which may be endless.
            if next > first && self.level.order.len() > before {
                self.spare = self.spare.saturating_sub(1);
                if self.spare == 0 {
                    self.level.nesting.run_away();
                }
            }
        }
    }

    /// Like `each`, but skips actors that are initialised already.
    fn phase(&mut self, mut step: impl FnMut(&mut Inner, ActorRef)) {
        self.each(|level, actor| {
            let done = level.rules.script_initialized && level.heads[actor.index()].is(Fact::ScriptInitialized);
            if !done {
                step(level, actor);
            }
        });
    }
}

/// An actor at which the ticks of plain ones stop.
enum Stop {
    /// It is not plain but ticks, or no event may nest.
    Turn(ActorRef),
    /// Its `tick` changed a head: it may have begun to wait.
    Changed(ActorRef),
}

/// One frame. A handler that panics ends the tick of its own actor. The other actors still tick.
struct Frame<'a>(&'a mut Inner);

impl Frame<'_> {
    fn tick_all(mut self, message: &Message) -> FirstPanic {
        let mut panics = FirstPanic::new();
        // One pass, and another after each panic.
        while self.0.next < self.0.order.len() || !self.0.waiting.is_empty() {
            if panics.catch(|| self.tick_on(message)).is_none() {
                self.wake_panicked();
            }
        }
        panics
    }

    /// Awake or asleep, an actor's timers do not count the frame in which its `tick` panics.
    fn wake_panicked(&mut self) {
        let at_place = self.0.next.checked_sub(1).and_then(|place| self.0.order.get(place));
        for actor in [at_place.copied(), self.0.early].into_iter().flatten() {
            if let Some(slot) = self.0.find(actor) {
                self.0.wake(slot);
            }
        }
    }

    /// Ticks the remaining actors, the oldest first, but each after its owners. Actors spawned meanwhile are at the end of the
    /// list, so they tick in the same frame (P6).
    fn tick_on(&mut self, message: &Message) {
        self.tick_waiting(message);
        // The sink changes only between two frames, or by its own panic.
        let tick_plain = if self.0.sink.is_some() {
            Self::tick_plain::<true>
        } else {
            Self::tick_plain::<false>
        };
        while let Some(stop) = tick_plain(self, message) {
            match stop {
                Stop::Changed(actor) => self.0.go_on(actor, seconds_of(message)),
                Stop::Turn(actor) if self.0.later_owner(actor, actor).is_some() => {
                    self.0.waiting.push(actor);
                    self.tick_waiting(message);
                }
                Stop::Turn(actor) => self.tick(actor, message),
            }
        }
    }

    /// Ticks [plain](Head::is_plain) actors, up to one that must not go on here.
    fn tick_plain<const IS_TRACED: bool>(&mut self, message: &Message) -> Option<Stop> {
        let is_possible = !self.0.is_too_deep();
        let depth = self.0.nesting.depth;
        let deeper = Deeper::enter(self.0);
        let inner = &mut *deeper.0;
        let mut next = inner.next;
        loop {
            let mut upcoming = inner.plain(next).filter(|_| is_possible);
            while let Some((actor, reactions)) = upcoming {
                next += 1;
                inner.next = next;
                if IS_TRACED && reactions.tells_tick {
                    inner.trace(depth, actor, Kind::Event(message));
                }
                // Loaded before the handler runs, so that the processor knows the next actor even if it mispredicts the call.
                upcoming = inner.plain(next);
                if let Some((run, body)) = reactions.tick {
                    run(inner, actor, body, message);
                    if std::mem::take(&mut inner.has_changed) {
                        return Some(Stop::Changed(actor));
                    }
                }
            }
            let actor = *inner.order.get(next)?;
            next += 1;
            inner.next = next;
            if inner.takes_turn(actor) {
                return Some(Stop::Turn(actor));
            }
        }
    }

    /// Adds to `waiting` the owner of an actor, the owner's owner, and so on.
    fn wait_for(&mut self, owner: ActorRef, place: ActorRef) {
        let mut owner = Some(owner);
        while let Some(actor) = owner {
            let ticks = self.0.takes_turn(actor);
            self.0.heads[actor.index()].set(Fact::TickedEarly, true);
            if !ticks {
                break;
            }
            self.0.waiting.push(actor);
            owner = self.0.later_owner(actor, place);
        }
    }

    fn tick_waiting(&mut self, message: &Message) {
        while let Some(actor) = self.0.waiting.pop() {
            self.0.early = Some(actor);
            // The tick of its owner may have changed or destroyed the actor.
            let Some(slot) = self.0.find(actor) else { continue };
            if !self.0.has_ticks(slot) {
                continue;
            }
            if let Some((owner, place)) = self.0.later_owner_of_waiting(actor) {
                self.0.waiting.push(actor);
                self.wait_for(owner, place);
            } else {
                self.tick(actor, message);
            }
        }
    }

    fn tick(&mut self, actor: ActorRef, message: &Message) {
        self.0.post(actor, message);
        self.0.go_on(actor, seconds_of(message));
    }
}
