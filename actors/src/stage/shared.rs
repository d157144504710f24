//! The operations that a [`Stage`](super::stage::Stage) has on any actor, and a [`Cx`](super::cx::Cx) on its own actor: one row
//! for each.

/// Passes all rows to a macro that generates the methods: `stage_methods` for a reference to any actor, `cx_methods` for the
/// actor of the handler. In a row, `slot` is the actor's slot and `me` its reference. The stage's method gets the doc comment,
/// the context's method the text after the signature.
///
/// * A `command` to a dead actor does nothing and returns the null value, with a warning. A handler runs it on its own actor
///   even if that actor is dead.
/// * A `question` about a dead actor returns the null value, without a warning.
/// * A `field` of a dead actor is `None`.
macro_rules! shared_methods {
    ($methods:ident) => {
        $methods! {
            /// Changes the state of an actor. Before this returns, the actor is sent `end_state` in its old state and
            /// `begin_state` in the new one.
            ///
            /// If the actor is in that state already, it is sent no event, but the state's [code](crate::CodeBuilder) begins
            /// anew. Nothing happens if the actor is dead, has no states yet, or, with a warning, if its class lacks the state.
            /// [`Name::NONE`] leaves the state without entering another.
            ///
            /// # Panics
            ///
            /// If a handler panics.
            #[doc(alias = "GotoState")]
            command goto_state[](state: impl Into<Name>), "Changes the state", |inner, slot, me| inner.goto_state(slot, state.into());

            /// Like [`goto_state`](Self::goto_state), but sends both events even if the actor is already in that state. Under rules
            /// without [`forced_states`](crate::Rules::forced_states), it does the same as `goto_state`.
            ///
            /// # Panics
            ///
            /// As [`goto_state`](Self::goto_state).
            #[doc(alias = "GotoState")]
            #[doc(alias = "bForceEvents")]
            command force_state[](state: impl Into<Name>), "Changes the state, even to the same one", |inner, slot, me| inner.force_state(slot, state.into());

            /// Like [`goto_state`](Self::goto_state), but the state's [code](crate::CodeBuilder) begins at a label. If the actor is
            /// in that state already, it is sent no events, and its code continues at the label. A label that does not exist ends
            /// the code and logs a [warning](Warning::UnknownLabel).
            ///
            /// ```
            /// use acedia_actors::{Actor, ClassBuilder, Level, Name, Rules, Spawn, Stage, actor};
            ///
            /// #[derive(Default)]
            /// struct Door { opened: u32, closed: u32 }
            /// impl Actor for Door {
            ///     actor!(Door, "Doc.Door");
            ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
            ///         class.state("Moving").code(|code| {
            ///             code.run(|cx| cx.opened += 1).sleep(4.0);
            ///             code.label("Close").run(|cx| cx.closed += 1);
            ///         });
            ///     }
            /// }
            ///
            /// let mut level = Level::new(Rules::ue2());
            /// level.start();
            /// let door = level.spawn::<Door>(Spawn::new()).unwrap();
            /// level.goto_label(door, "Moving", "Close");
            /// level.tick(0.1);
            /// assert_eq!((level.get(door).unwrap().opened, level.get(door).unwrap().closed), (0, 1));
            /// ```
            #[doc(alias = "GotoState")]
            command goto_label[](state: impl Into<Name>, label: impl Into<Name>), "Changes the state, to a label of its code", |inner, slot, me| inner.goto_label(slot, state.into(), label.into());

            /// Pushes a state on top of the actor's state. The actor is sent `paused_state` in the old state and `pushed_state`
            /// in the new one. The states below stay on the stack until the states above them are [popped](Self::pop_state), or
            /// [`goto_state`](Self::goto_state) clears the stack.
            ///
            /// Returns `false`, and sends no event, if the actor is dead, has no states yet, or has that state on its stack
            /// already, and under rules without [`state_stack`](crate::Rules::state_stack). The same holds if the actor's class
            /// lacks the state, but a warning is logged.
            ///
            /// ```
            /// use acedia_actors::{Actor, ClassBuilder, Level, Name, Rules, Spawn, Stage, actor};
            ///
            /// #[derive(Default)]
            /// struct Guard;
            /// impl Actor for Guard {
            ///     actor!(Guard, "Doc.Guard");
            ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
            ///         class.state("Patrolling").auto();
            ///         class.state("Stunned");
            ///     }
            /// }
            ///
            /// let mut level = Level::new(Rules::ue3());
            /// level.start();
            /// let guard = level.spawn::<Guard>(Spawn::new()).unwrap();
            /// assert!(level.push_state(guard, "Stunned"));
            /// assert_eq!(level.paused_states(guard), [Name::new("Patrolling")]);
            /// assert!(level.pop_state(guard));
            /// assert_eq!(level.state(guard), Name::new("Patrolling"));
            /// assert!(!level.pop_state(guard), "there is nothing below");
            /// ```
            ///
            /// # Panics
            ///
            /// As [`goto_state`](Self::goto_state).
            #[doc(alias = "PushState")]
            command push_state[](state: impl Into<Name>) -> bool, "Pushes a state", |inner, slot, me| inner.push_state(slot, state.into());

            /// Pops the uppermost state. The actor is sent `popped_state` in it, and `continued_state` in the state below.
            /// Returns `false`, and sends no event, if there is no state below.
            ///
            /// # Panics
            ///
            /// As [`goto_state`](Self::goto_state).
            #[doc(alias = "PopState")]
            command pop_state[]() -> bool, "Pops the uppermost state", |inner, slot, me| inner.pop_state(slot);

            /// The state of an actor. [`Name::NONE`] if it is in no state, or dead.
            question state[]() -> Name, "The state", |inner, slot, me| inner.state_name(slot);

            /// Whether an actor has set its initial state. Under rules with
            /// [`script_initialized`](crate::Rules::script_initialized), the start of play skips such an actor.
            ///
            /// ```
            /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
            ///
            /// let mut level = Level::new(Rules::ue2());
            /// let placed = level.place::<Pawn>(Spawn::new()).unwrap();
            /// assert!(!level.is_script_initialized(placed));
            /// level.start();
            /// assert!(level.is_script_initialized(placed));
            /// ```
            #[doc(alias = "bScriptInitialized")]
            question is_script_initialized[]() -> bool, "Whether the actor has set its initial state", |inner, slot, me| inner.heads[slot].is(Fact::ScriptInitialized);

            /// Whether an actor's destruction has begun. `false` for a dead actor.
            #[doc(alias = "bPendingDelete")]
            question is_pending_delete[]() -> bool, "Whether the actor's destruction has begun. It never becomes `false` again", |inner, slot, me| inner.heads[slot].is(Fact::Pending);

            /// Calls a function of an actor. If the actor is dead, logs a warning and returns the null value.
            ///
            /// If the actor's state ignores the function, the result is the null value. If its class does not have the function,
            /// the result is the null value, too, and a [warning](Warning::NoFunction) is logged. Before play, no function runs.
            /// [`Function`] has an example.
            ///
            /// # Panics
            ///
            /// If the body of the function panics.
            ///
            /// # Cost
            ///
            /// One look-up in the table of class and state, and one call through a pointer.
            command call[D, A: 'static, R: Default + 'static](function: &'static Function<D, A, R>, argument: A) -> R, "Calls a function", |inner, slot, me| inner.call(slot, me, function, argument);

            /// Sets the timer of the event `timer`, which then counts from zero. If `seconds` is not positive and finite, clears
            /// the timer. Returns whether the timer runs.
            ///
            /// In each frame, an actor's timers advance after its `tick` and the code of its state. So a timer that is set in
            /// `tick` counts the seconds of that frame, but a timer that is set in a timer's handler begins in the next frame.
            /// If a looping timer runs out several times in one frame, the actor is sent the event each time, but at most 100
            /// times. While an actor does not tick, its timers stand still. Its death ends them.
            ///
            /// ```
            /// use acedia_actors::{Actor, ClassBuilder, Level, Repeat, Rules, Spawn, Stage, actor};
            ///
            /// #[derive(Default)]
            /// struct Clock { ticks: u32 }
            /// impl Actor for Clock {
            ///     actor!(Clock, "Doc.Clock");
            ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
            ///         class.post_begin_play(|cx| _ = cx.set_timer(0.5, Repeat::Looping));
            ///         class.timer(|cx| cx.ticks += 1);
            ///     }
            /// }
            ///
            /// let mut level = Level::new(Rules::ue2());
            /// level.start();
            /// let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
            /// level.tick(0.75);
            /// assert_eq!(level.get(clock).unwrap().ticks, 1);
            /// let timer = level.timer(clock).unwrap();
            /// assert_eq!((timer.rate, timer.count, timer.repeat), (0.5, 0.25, Repeat::Looping));
            /// level.tick(1.25);
            /// assert_eq!(level.get(clock).unwrap().ticks, 4);
            /// assert!(!level.set_timer(clock, 0.0, Repeat::Once) && level.timer(clock).is_none());
            /// ```
            ///
            /// # Cost
            ///
            /// A frame spends no time on the timers of an actor if they are all due in more than four frames, and the actor
            /// runs no state code.
            #[doc(alias = "SetTimer")]
            #[doc(alias = "StartTimer")]
            command set_timer[](seconds: f32, repeat: Repeat) -> bool, "Sets the timer of the event `timer`", |inner, slot, me| inner.set_timer(slot, TimerTarget::Event, seconds, repeat);

            /// Like [`set_timer`](Self::set_timer), but the timer calls a function instead of the event. Each function has its own
            /// timer. Under rules without [`named_timers`](crate::Rules::named_timers), sets no timer and returns `false`.
            ///
            /// ```
            /// use acedia_actors::{
            ///     Actor, ClassBuilder, Function, Level, Repeat, Rules, Spawn, Stage, actor,
            /// };
            ///
            /// static BEEP: Function<Bomb> = Function::new("Beep");
            /// static EXPLODE: Function<Bomb> = Function::new("Explode");
            /// #[derive(Default)]
            /// struct Bomb { beeps: u32 }
            /// impl Actor for Bomb {
            ///     actor!(Bomb, "Doc.Bomb");
            ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
            ///         class.function(&BEEP, |cx, ()| cx.beeps += 1);
            ///         class.function(&EXPLODE, |cx, ()| _ = cx.destroy());
            ///         class.post_begin_play(|cx| {
            ///             cx.set_timer_of(&BEEP, 0.25, Repeat::Looping);
            ///             cx.set_timer_of(&EXPLODE, 1.0, Repeat::Once);
            ///         });
            ///     }
            /// }
            ///
            /// let mut level = Level::new(Rules::ue3());
            /// level.start();
            /// let bomb = level.spawn::<Bomb>(Spawn::new()).unwrap();
            /// level.tick(0.75);
            /// assert_eq!(level.get(bomb).unwrap().beeps, 3);
            /// assert!(level.pause_timer_of(bomb, &EXPLODE, true));
            /// level.tick(0.5);
            /// assert_eq!(
            ///     (level.get(bomb).unwrap().beeps, level.timer_of(bomb, &EXPLODE).unwrap().count),
            ///     (5, 0.75)
            /// );
            /// level.pause_timer_of(bomb, &EXPLODE, false);
            /// level.tick(0.5);
            /// assert!(!level.is_alive(bomb));
            /// ```
            #[doc(alias = "SetTimer")]
            #[doc(alias = "ClearTimer")]
            command set_timer_of[D](function: &'static Function<D>, seconds: f32, repeat: Repeat) -> bool, "Sets the timer of a function", |inner, slot, me| inner.set_timer_of(slot, function, seconds, repeat);

            /// Clears all timers of an actor, including those of functions. If the actor is dead, logs a warning.
            ///
            /// ```
            /// use acedia_actors::{Level, Pawn, Repeat, Rules, Spawn, Stage};
            ///
            /// let mut level = Level::new(Rules::ue2());
            /// level.start();
            /// let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
            /// level.set_timer(pawn, 1.0, Repeat::Once);
            /// level.clear_timers(pawn);
            /// assert!(!level.pause_timer(pawn, true)); // there is no timer any more
            /// ```
            #[doc(alias = "ClearAllTimers")]
            command clear_timers[](), "Clears all timers", |inner, slot, me| inner.clear_timers(slot);

            /// An actor's timer of the event `timer`, if it runs.
            #[doc(alias = "IsTimerActive")]
            #[doc(alias = "GetTimerRate")]
            #[doc(alias = "GetTimerCount")]
            question timer[]() -> Option<Timer>, "The timer of the event `timer`, if it runs", |inner, slot, me| inner.timer(slot, TimerTarget::Event);

            /// An actor's timer of a function, if it runs.
            #[doc(alias = "IsTimerActive")]
            #[doc(alias = "GetTimerRate")]
            #[doc(alias = "GetTimerCount")]
            question timer_of[D](function: &'static Function<D>) -> Option<Timer>, "The timer of a function, if it runs", |inner, slot, me| inner.timer(slot, target_of(function));

            /// The living owner of an actor.
            question owner[]() -> Option<ActorRef>, "The owner, if there is a living one", |inner, slot, me| inner.living(inner.heads[slot].owner());

            /// Changes the owner. The old owner is sent `lost_child`, and the new one `gained_child`. Returns `false`, and sends
            /// no event, if the owner is the same already, or if the actor would own itself, directly or through others.
            #[doc(alias = "SetOwner")]
            command set_owner[](owner: Option<ActorRef>) -> bool, "Changes the owner", |inner, slot, me| inner.set_owner(me, owner);

            /// The actors that an actor owns, the oldest first. The result is a copy, so you can change the level while you
            /// iterate over it.
            ///
            /// ```
            /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
            ///
            /// let mut level = Level::new(Rules::ue2());
            /// level.start();
            /// let tank = level.spawn::<Pawn>(Spawn::new()).unwrap();
            /// let crew =
            ///     [0; 2].map(|_| level.spawn::<Pawn>(Spawn::new().owned_by(tank)).unwrap().any());
            /// assert_eq!(level.children(tank), crew);
            /// for member in level.children(tank) {
            ///     level.destroy(member);
            /// }
            /// assert!(level.children(tank).is_empty());
            /// ```
            ///
            /// # Cost
            ///
            /// Linear in the number of actors in the level.
            #[doc(alias = "ChildActors")]
            question children[]() -> Vec<ActorRef>, "The actors that it owns", |inner, slot, me| inner.children(me);

            /// The living base of an actor: the actor that it stands on. The level does not move an actor with its base.
            question base[]() -> Option<ActorRef>, "The base, if there is a living one", |inner, slot, me| inner.living(inner.records[slot].base);

            /// Changes the base. The old base is sent `detach`, the new base `attach`, and then the actor `base_change`.
            /// Returns `false`, and sends no event, if the base is the same already, or if the actor would stand on itself,
            /// directly or through others.
            #[doc(alias = "SetBase")]
            command set_base[](base: Option<ActorRef>) -> bool, "Changes the base", |inner, slot, me| inner.set_base("1.11", me, base);

            /// The living instigator of an actor: the actor that is responsible for it.
            #[doc(alias = "Instigator")]
            question instigator[]() -> Option<ActorRef>, "The instigator, if there is a living one. Spawns of this actor inherit it", |inner, slot, me| inner.living(inner.records[slot].instigator);

            /// The actors that an actor touches, in the order in which the contacts began. The result is a copy, so you can
            /// change the level while you iterate over it.
            ///
            /// ```
            /// use acedia_actors::{Actor, ClassBuilder, Level, Rules, Spawn, Stage, Vector, actor};
            ///
            /// #[derive(Default)]
            /// struct Barrel;
            /// impl Actor for Barrel {
            ///     actor!(Barrel, "Doc.Barrel");
            ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
            ///         class.defaults(|it| it.collide_actors = true);
            ///     }
            /// }
            ///
            /// let mut level = Level::new(Rules::ue2());
            /// level.start();
            /// let [first, second, third] =
            ///     [0; 3].map(|_| level.spawn::<Barrel>(Spawn::new()).unwrap().any());
            /// assert_eq!(level.touching(third), [first, second]);
            /// level.set_location(first, Vector::new(1000.0, 0.0, 0.0));
            /// assert_eq!(level.touching(third), [second]);
            /// ```
            ///
            /// # Cost
            ///
            /// Linear in the number of contacts.
            #[doc(alias = "Touching")]
            #[doc(alias = "TouchingActors")]
            question touching[]() -> Vec<ActorRef>, "The actors that it touches", |inner, slot, me| inner.touching(slot);

            /// The location of an actor.
            field location[]() -> Vector, "The actor's location", |inner, slot, me| inner.records[slot].location;

            /// Moves an actor to a location. Walls and other actors do not stop it. It is sent the events of touches and zones
            /// at the new location. Returns `false` if the actor is dead or the location is not finite.
            #[doc(alias = "SetLocation")]
            command set_location[](location: Vector) -> bool, "Moves the actor", |inner, slot, me| inner.set_location(me, location);

            /// The rotation of an actor.
            field rotation[]() -> Rotator, "The actor's rotation", |inner, slot, me| inner.records[slot].rotation;

            /// The engine's fields of an actor.
            field properties[]() -> &Properties, "The engine's fields of the actor", |inner, slot, me| inner.properties(slot);

            /// Pauses an actor's timer of the event `timer`, or resumes it. Returns `false` if the timer does not run.
            #[doc(alias = "PauseTimer")]
            command pause_timer[](is_paused: bool) -> bool, "Pauses the timer of the event `timer`, or lets it go on", |inner, slot, me| inner.pause_timer(slot, TimerTarget::Event, is_paused);

            /// Like [`pause_timer`](Self::pause_timer), but for the timer of a function.
            #[doc(alias = "PauseTimer")]
            command pause_timer_of[D](function: &'static Function<D>, is_paused: bool) -> bool, "Pauses the timer of a function, or lets it go on", |inner, slot, me| inner.pause_timer(slot, target_of(function), is_paused);

            /// Like [`pop_state`](Self::pop_state), but pops all states above the lowest one. The actor is sent `continued_state` only in
            /// the lowest state.
            ///
            /// ```
            /// use acedia_actors::{Actor, ClassBuilder, Level, Name, Rules, Spawn, Stage, actor};
            ///
            /// #[derive(Default)]
            /// struct Sentry;
            /// impl Actor for Sentry {
            ///     actor!(Sentry, "Doc.Sentry");
            ///     fn describe(class: &mut ClassBuilder<'_, Self>) {
            ///         class.state("Patrolling").auto();
            ///         class.state("Alarmed");
            ///         class.state("Stunned");
            ///     }
            /// }
            ///
            /// let mut level = Level::new(Rules::ue3());
            /// level.start();
            /// let sentry = level.spawn::<Sentry>(Spawn::new()).unwrap();
            /// assert!(level.push_state(sentry, "Alarmed") && level.push_state(sentry, "Stunned"));
            /// assert!(level.pop_all_states(sentry));
            /// assert_eq!(level.state(sentry), Name::new("Patrolling"));
            /// assert!(level.paused_states(sentry).is_empty());
            /// ```
            ///
            /// # Panics
            ///
            /// As [`pop_state`](Self::pop_state).
            #[doc(alias = "PopState")]
            #[doc(alias = "bPopAll")]
            command pop_all_states[]() -> bool, "Pops all states but the lowest", |inner, slot, me| inner.pop_all_states(slot);

            /// The states below an actor's state, the uppermost first. [`Name::NONE`] stands for no state.
            #[doc(alias = "DumpStateStack")]
            question paused_states[]() -> Vec<Name>, "The states below the active one", |inner, slot, me| inner.paused_states(slot);

            /// The actors that are based on an actor, in the order in which they were attached. Those based on the level's own
            /// actor are ordered by age. The result is a copy, so you can change the level while you iterate over it.
            ///
            /// ```
            /// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
            ///
            /// let mut level = Level::new(Rules::ue2());
            /// level.start();
            /// let [lift, first, second] =
            ///     [0; 3].map(|_| level.spawn::<Pawn>(Spawn::new()).unwrap().any());
            /// assert!(level.set_base(second, Some(lift)) && level.set_base(first, Some(lift)));
            /// assert_eq!(level.attached(lift), [second, first]);
            /// assert!(level.attached(first).is_empty());
            /// ```
            ///
            /// # Cost
            ///
            /// Linear in the number of these actors. For the level's own actor, linear in the number of actors in the level.
            #[doc(alias = "Attached")]
            #[doc(alias = "BasedActors")]
            question attached[]() -> Vec<ActorRef>, "The actors based on it", |inner, slot, me| inner.riders(me);

            /// The zone of an actor. If the actor is in no other zone, this is the level's own actor.
            #[doc(alias = "Region")]
            question zone[]() -> Option<ActorRef>, "The zone", |inner, slot, me| inner.living(inner.records[slot].zone);

            /// The physics volume of an actor.
            question volume[]() -> Option<ActorRef>, "The physics volume", |inner, slot, me| inner.living(inner.records[slot].volume);

            /// The class of an actor.
            field class[]() -> &'static ActorClass, "The class", |inner, slot, me| inner.heads[slot].class();
        }
    };
}

/// The methods for a reference to any actor.
macro_rules! stage_methods {
    ($(
        $(#[$doc:meta])*
        $kind:ident $name:ident[$($generics:tt)*]($($argument:ident: $type:ty),*) $(-> $answer:ty)?, $summary:literal,
        |$inner:ident, $slot:ident, $me:ident| $body:expr;
    )+) => {
        $(stage_methods! {
            @$kind
            [$(#[$doc])*] $name [$($generics)*] [$($argument: $type),*] [$($answer)?] [$inner $slot $me $body]
        })+
    };
    (
        @command
        [$(#[$doc:meta])*] $name:ident [$($generics:tt)*] [$($argument:ident: $type:ty),*] [$($answer:ty)?]
        [$inner:ident $slot:ident $me:ident $body:expr]
    ) => {
        $(#[$doc])*
        #[allow(unused_variables, reason = "not each operation needs both slot and reference")]
        fn $name<T, $($generics)*>(&mut self, actor: ActorRef<T>, $($argument: $type),*) $(-> $answer)? {
            let $me = actor.any();
            self.inner_mut().command($me, |$inner, $slot| $body)
        }
    };
    (
        @question
        [$(#[$doc:meta])*] $name:ident [$($generics:tt)*] [$($argument:ident: $type:ty),*] [$($answer:ty)?]
        [$inner:ident $slot:ident $me:ident $body:expr]
    ) => {
        $(#[$doc])*
        #[allow(unused_variables, reason = "not each operation needs both slot and reference")]
        fn $name<T, $($generics)*>(&self, actor: ActorRef<T>, $($argument: $type),*) $(-> $answer)? {
            let ($inner, $me) = (self.inner(), actor.any());
            $inner.find($me).map(|$slot| $body).unwrap_or_default()
        }
    };
    (
        @field
        [$(#[$doc:meta])*] $name:ident [] [] [$answer:ty]
        [$inner:ident $slot:ident $me:ident $body:expr]
    ) => {
        $(#[$doc])*
        #[allow(unused_variables, reason = "not each operation needs both slot and reference")]
        fn $name<T>(&self, actor: ActorRef<T>) -> Option<$answer> {
            let $inner = self.inner();
            $inner.find(actor).map(|$slot| $body)
        }
    };
}

/// The methods for the actor of the handler.
macro_rules! cx_methods {
    ($(
        $(#[doc = $doc:literal])*
        $(#[doc(alias = $alias:literal)])*
        $kind:ident $name:ident[$($generics:tt)*]($($argument:ident: $type:ty),*) $(-> $answer:ty)?, $summary:literal,
        |$inner:ident, $slot:ident, $me:ident| $body:expr;
    )+) => {
        $(cx_methods! {
            @$kind
            [
                #[doc = concat!($summary, ": [`Stage::", stringify!($name), "`].")]
                $(#[doc(alias = $alias)])*
            ]
            $name [$($generics)*] [$($argument: $type),*] [$($answer)?] [$inner $slot $me $body]
        })+
    };
    (
        @command
        [$(#[$doc:meta])*] $name:ident [$($generics:tt)*] [$($argument:ident: $type:ty),*] [$($answer:ty)?]
        [$inner:ident $slot:ident $me:ident $body:expr]
    ) => {
        $(#[$doc])*
        #[allow(unused_variables, reason = "not each operation needs both slot and reference")]
        pub fn $name<$($generics)*>(&mut self, $($argument: $type),*) $(-> $answer)? {
            let ($slot, $me) = (self.slot(), self.me);
            let $inner = &mut *self.others.0;
            $body
        }
    };
    (
        @$question:ident
        [$(#[$doc:meta])*] $name:ident [$($generics:tt)*] [$($argument:ident: $type:ty),*] [$($answer:ty)?]
        [$inner:ident $slot:ident $me:ident $body:expr]
    ) => {
        $(#[$doc])*
        #[must_use]
        #[allow(unused_variables, reason = "not each operation needs both slot and reference")]
        pub fn $name<$($generics)*>(&self, $($argument: $type),*) $(-> $answer)? {
            let ($inner, $slot, $me) = (&*self.others.0, self.slot(), self.me);
            $body
        }
    };
}

pub(super) use {cx_methods, shared_methods, stage_methods};
