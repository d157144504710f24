//! The grammar of traces: what may follow what, and what must. Rows are those of the crate's documentation.

use acedia_actors::{Event, Happening, PostBeginPlaySlot, Relevancy, Rules};

use super::books::{Base, Books};
use super::journal::Node;

/// The classes that programs spawn. Mutators are asked about no others.
const CLASSES: [&str; 6] = ["Thing", "Toucher", "Crew", "Soldier", "Clock", "Cuckoo"];

/// The sequence has come to an end before its last step: the actor is dead.
struct Ended;

type Step<T = ()> = Result<T, Ended>;

/// Reads things that happened one after the other in the same handler, and all inside of them.
pub(crate) fn read(nodes: &[Node], rules: &Rules, books: &mut Books) {
    let mut reader = Reader {
        nodes,
        at: 0,
        rules,
        books,
    };
    while let Some(node) = reader.peek() {
        reader.operation(node);
    }
}

struct Reader<'a> {
    nodes: &'a [Node],
    at: usize,
    rules: &'a Rules,
    books: &'a mut Books,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Node> {
        self.nodes.get(self.at)
    }

    /// The next thing, entered into the books with all that is inside of it.
    fn take(&mut self) -> &'a Node {
        let node = &self.nodes[self.at];
        self.at += 1;
        self.books.enter(&node.trace);
        if node.event() == Some(Event::PreBeginPlay) {
            self.pre_begin_play(node);
        } else if matches!(node.event(), Some(Event::IsRelevant | Event::CheckRelevance)) {
            self.relevancy(node);
        } else {
            read(&node.inside, self.rules, self.books);
        }
        self.books.leave(node);
        node
    }

    fn operation(&mut self, first: &'a Node) {
        let on = first.trace.on.as_str();
        match (&first.trace.happening, first.trace.row) {
            (Happening::Made, _) => {
                self.take();
                // The actor is spawned, or has died meanwhile.
                _ = self.spawn(on);
            }
            (Happening::Dead, _) => panic!("a death without its sequence: {}", first.trace),
            (_, "K2" | "K3") => _ = self.destroy(on),
            (_, "1.11") => {
                let whom = if first.event() == Some(Event::BaseChange) {
                    on
                } else {
                    first.about()
                };
                self.base_step("1.11", whom);
            }
            (_, "1.4") => {
                let lost = self.maybe("1.4", Event::LostChild, None, first.about());
                let gained = self.maybe("1.4", Event::GainedChild, None, first.about());
                assert!(lost.or(gained).is_some(), "no change of owner: {}", first.trace);
            }
            (_, "L10") => _ = self.base_step("L10", if first.about().is_empty() { on } else { first.about() }),
            (_, "1.10") => self.change_state(on),
            (_, "1.6" | "1.7" | "1.8" | "1.9" | "1.12") => _ = self.take(),
            (_, row) if row.starts_with('L') => _ = self.take(),
            _ => panic!("nothing begins like this: {}", first.trace),
        }
    }

    /// The event of this step, if it comes next: sent to `on` or to any actor, about the actor `about`.
    fn maybe(&mut self, row: &str, event: Event, on: Option<&str>, about: &str) -> Option<&'a Node> {
        let node = self.peek()?;
        let whom = on.unwrap_or(&node.trace.on);
        (node.is(row, event, whom) && node.about() == about).then(|| self.take())
    }

    /// As `maybe`, in a sequence of `me`, which ends when it dies.
    fn may(&mut self, row: &str, event: Event, on: Option<&str>, about: &str, me: &str) -> Step<Option<&'a Node>> {
        let node = self.maybe(row, event, on, about);
        if node.is_some_and(|node| node.kills(me)) {
            return Err(Ended);
        }
        Ok(node)
    }

    /// An event about no other actor that `me` must be sent now.
    fn must(&mut self, row: &str, event: Event, me: &str) -> Step {
        let next = self.peek().map(|node| node.trace.to_string());
        match self.may(row, event, Some(me), "", me)? {
            Some(_) => Ok(()),
            None => panic!("{me} misses {row} {event}; instead: {next:?}"),
        }
    }

    /// As `must`, if these rules have the event.
    fn must_if(&mut self, there: bool, row: &str, event: Event, me: &str) -> Step {
        if there { self.must(row, event, me) } else { Ok(()) }
    }

    /// Q1 to Q15, after P1.
    fn spawn(&mut self, me: &str) -> Step {
        let rules = self.rules;
        let slot = rules.post_begin_play_slot;
        self.may("Q1", Event::GainedChild, None, me, me)?;
        self.must_if(rules.physics_init, "Q3", Event::InitPhysics, me)?;
        self.must_if(rules.spawned, "Q5", Event::Spawned, me)?;
        self.must_if(rules.native_spawned, "Q5", Event::NativeSpawned, me)?;
        self.must("Q6", Event::PreBeginPlay, me)?;
        self.must_if(rules.begin_play, "Q7", Event::BeginPlay, me)?;
        self.places("Q8", me)?;
        self.collision_check(me)?;
        let usual = slot == PostBeginPlaySlot::AfterCollisionCheck;
        self.must_if(usual, "Q10", Event::PostBeginPlay, me)?;
        self.must_if(rules.native_post_begin_play, "Q10", Event::NativePostBeginPlay, me)?;
        let early = slot == PostBeginPlaySlot::BeforeInitialState;
        self.must_if(early, "Q11", Event::PostBeginPlay, me)?;
        self.must("Q11", Event::SetInitialState, me)?;
        if self.base_step("Q12", me).is_some_and(|step| step.kills(me)) || self.books.is_dead(me) {
            return Err(Ended);
        }
        self.must_if(rules.post_net_begin_play, "Q14", Event::PostNetBeginPlay, me)?;
        let late = slot == PostBeginPlaySlot::InsteadOfPostNetBeginPlay;
        self.must_if(late, "Q14", Event::PostBeginPlay, me)?;
        let asked = self
            .peek()
            .is_some_and(|node| node.trace.row == "Q15" && node.about() == me);
        let wanted = rules.spawn_notify && self.books.notifies();
        assert_eq!(asked, wanted, "the notifiers and {me}");
        if asked {
            self.take();
        }
        Ok(())
    }

    /// Zone and volume: each a chain of events, which a handler may break.
    fn places(&mut self, row: &str, me: &str) -> Step {
        let rest = |reader: &Self, from: &Node, what: &str| {
            let broken = from.acted || reader.books.is_dead(me);
            assert!(broken, "{me} misses {what}, and no handler has done anything");
        };
        if let Some(leaving) = self.may(row, Event::ActorLeaving, None, me, me)? {
            let next = self.peek().filter(|node| node.is(row, Event::ZoneChange, me));
            match next.map(Node::about) {
                None => rest(self, leaving, "ZoneChange"),
                Some(zone) => {
                    let change = self.may(row, Event::ZoneChange, Some(me), zone, me)?;
                    if let Some(change) = change {
                        if self.may(row, Event::ActorEntered, Some(zone), me, me)?.is_none() {
                            rest(self, change, "ActorEntered");
                        }
                    }
                }
            }
        }
        let next = self.peek().filter(|node| node.is(row, Event::PhysicsVolumeChange, me));
        if let Some(volume) = next.map(Node::about) {
            let Some(change) = self.may(row, Event::PhysicsVolumeChange, Some(me), volume, me)? else {
                return Ok(());
            };
            let pawn = me.starts_with("Soldier");
            let entered = if pawn {
                Event::PawnEnteredVolume
            } else {
                Event::ActorEnteredVolume
            };
            match self.may(row, entered, Some(volume), me, me)? {
                None => rest(self, change, "the volume's event"),
                Some(entered) if pawn => {
                    let head = self.peek().filter(|node| node.is(row, Event::HeadVolumeChange, me));
                    match head.map(Node::about) {
                        None => rest(self, entered, "HeadVolumeChange"),
                        Some(head) => _ = self.may(row, Event::HeadVolumeChange, Some(me), head, me)?,
                    }
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Q9: the actors that it encroaches on; ends and beginnings of touches; the encroached actors again.
    fn collision_check(&mut self, me: &str) -> Step {
        let mut encroached = Vec::new();
        // One of them may have been moved: then they no longer meet.
        let mut acted = false;
        while let Some(node) = self.peek().filter(|node| node.is("Q9", Event::EncroachingOn, me)) {
            let other = node.about();
            acted |= node.acted;
            self.may("Q9", Event::EncroachingOn, Some(me), other, me)?;
            // The handlers of a program never forbid it.
            encroached.push(other);
        }
        self.touches(me, &mut acted)?;
        for other in encroached {
            if self.books.is_dead(other) {
                continue;
            }
            let told = self.may("Q9", Event::EncroachedBy, Some(other), me, me)?;
            acted |= told.is_some_and(|told| told.acted);
            assert!(told.is_some() || acted, "{other} misses the EncroachedBy of {me}");
        }
        // With actors that came or went meanwhile.
        if acted { self.touches(me, &mut acted) } else { Ok(()) }
    }

    /// Touches of a collision check.
    fn touches(&mut self, me: &str, acted: &mut bool) -> Step {
        while let Some(node) = self.peek().filter(|node| node.trace.row == "Q9") {
            match node.event() {
                Some(Event::UnTouch) => {
                    self.take();
                }
                Some(Event::Touch) if node.trace.on == me => {
                    let other = node.about();
                    self.may("Q9", Event::Touch, Some(me), other, me)?;
                    match self.may("Q9", Event::Touch, Some(other), me, me)? {
                        Some(back) => *acted |= back.acted,
                        None => assert!(node.acted, "{other} misses the Touch of {me}"),
                    }
                }
                _ => break,
            }
            *acted |= node.acted;
            if self.books.is_dead(me) {
                return Err(Ended);
            }
        }
        Ok(())
    }

    /// A change of base, or nothing. Returns its last event.
    fn base_step(&mut self, row: &str, me: &str) -> Option<&'a Node> {
        let detach = self.maybe(row, Event::Detach, None, me);
        if detach.is_some() && (self.books.is_dead(me) || self.books.base(me).is_some()) {
            return detach;
        }
        let attach = self.maybe(row, Event::Attach, None, me);
        if attach.is_some_and(|attach| attach.kills(me)) {
            return attach;
        }
        let changes = self.peek().is_some_and(|node| node.is(row, Event::BaseChange, me));
        if detach.or(attach).is_none() && changes {
            self.books.toggle_level_base(me);
        }
        let change = self.maybe(row, Event::BaseChange, Some(me), "");
        assert!(
            change.is_some() || detach.or(attach).is_none(),
            "{me} misses its BaseChange"
        );
        change.or(attach).or(detach)
    }

    /// One event of a change of state, and the next one, if there must be one.
    fn change_state(&mut self, me: &str) {
        let first = self.take();
        let next = match first.event() {
            Some(Event::EndState) if !first.about().is_empty() => Event::BeginState,
            Some(Event::PausedState) => Event::PushedState,
            _ => return,
        };
        let told = self.peek().is_some_and(|node| node.is("1.10", next, me));
        assert!(told || first.acted, "{me} misses its {next}");
        if told {
            self.take();
        }
    }

    /// K2 to K9.
    fn destroy(&mut self, me: &str) -> Step {
        // Nothing happens between the look at the state and the next event, whose state thus shows the answer.
        let in_state = self.peek().is_some_and(|first| !first.trace.state.is_none());
        self.must_if(in_state, "K2", Event::EndState, me)?;
        self.must("K3", Event::Destroyed, me)?;
        match self.books.base(me).cloned() {
            None => {}
            Some(base) => {
                if let Base::Actor(base) = &base {
                    let told = self.may("K4", Event::Detach, Some(base), me, me)?;
                    assert!(told.is_some(), "{base} misses the Detach of {me}");
                } else {
                    self.books.toggle_level_base(me);
                }
                self.must("K4", Event::BaseChange, me)?;
            }
        }
        let riders = self.books.riders(me);
        let mut detached = Vec::new();
        while let Some(node) = self.peek().filter(|node| node.is("K5", Event::Detach, me)) {
            let rider = node.about();
            detached.push(rider);
            assert!(riders.iter().any(|it| it == rider), "{rider} came after the step began");
            self.may("K5", Event::Detach, Some(me), rider, me)?;
            let change = self.may("K5", Event::BaseChange, Some(rider), "", me)?;
            assert!(
                change.is_some() || self.books.is_dead(rider),
                "{rider} misses its BaseChange"
            );
        }
        for rider in riders {
            let stays = self.books.base(&rider) == Some(&Base::Actor(me.to_owned()));
            assert!(!stays || detached.contains(&rider.as_str()), "{rider} was left on {me}");
        }
        let touching = self.books.told_of(me);
        while let Some(node) = self.peek().filter(|node| node.trace.row == "K6" && node.about() == me) {
            let other = node.trace.on.as_str();
            assert!(
                touching.iter().any(|it| it == other),
                "{other} came after the step began"
            );
            self.may("K6", Event::UnTouch, Some(other), me, me)?;
        }
        for other in touching {
            assert!(
                !self.books.told_of(me).contains(&other),
                "{other} misses the UnTouch of {me}"
            );
        }
        if let Some(owner) = self.books.owner(me) {
            let told = self.may("K7", Event::LostChild, Some(&owner), me, me)?;
            assert!(told.is_some(), "{owner} misses the LostChild of {me}");
        }
        let last = self.peek().expect("K9 ends a destruction");
        assert!(
            last.trace.happening == Happening::Dead && last.trace.on == me,
            "K9 of {me}, not {}",
            last.trace
        );
        self.take();
        Ok(())
    }

    /// The inside of Q6: the question whether the actor may stay, and then the actions of the handler.
    fn pre_begin_play(&mut self, node: &'a Node) {
        let me = node.trace.on.as_str();
        let first = node.inside.first();
        let (judge, event) = match self.rules.relevancy {
            Relevancy::GameIsRelevant => ("Game", Event::IsRelevant),
            Relevancy::GameCheckRelevance => ("Game", Event::CheckRelevance),
            Relevancy::BaseMutator => ("Judge", Event::CheckRelevance),
            other => panic!("no judge for {other:?}"),
        };
        let exempt = !CLASSES.iter().any(|class| me.starts_with(class));
        let asked = first
            .is_some_and(|it| it.trace.on.starts_with(judge) && it.is("1.6", event, &it.trace.on) && it.about() == me);
        assert!(asked || exempt, "nobody is asked whether {me} may stay");
        read(&node.inside, self.rules, self.books);
    }

    /// The mutators, and in the first generation the game's own filters, until the actor dies.
    fn relevancy(&mut self, node: &'a Node) {
        let me = node.about();
        let mut reader = Reader {
            nodes: &node.inside,
            at: 0,
            rules: self.rules,
            books: self.books,
        };
        let mut chain = vec![Event::AlwaysKeep, Event::CheckReplacement];
        chain.extend(self.rules.super_relevant.then_some(Event::PassesFilters));
        for event in chain {
            if reader.books.is_dead(me) {
                break;
            }
            let asked = reader.maybe("1.6", event, None, me);
            assert!(asked.is_some(), "{event} is not asked about {me}");
        }
        assert!(reader.peek().is_none(), "more than the mutators are asked about {me}");
    }
}

/// The phases of a start of play, L2 to L10: one after the other, each from the oldest actor to the youngest, and each of the
/// `placed` actors in each phase once, as long as it lives.
pub(crate) fn read_start_up(nodes: &[Node], placed: &[String], rules: &Rules, books: &mut Books) {
    let age = |name: &str| -> u64 { name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap() };
    let mut phases: Vec<(u32, Vec<&str>)> = Vec::new();
    let steps = [
        (3, true, Event::PreBeginPlay),
        (4, rules.begin_play, Event::BeginPlay),
        (7, true, Event::PostBeginPlay),
        (7, rules.native_post_begin_play, Event::NativePostBeginPlay),
        (8, rules.post_net_begin_play, Event::PostNetBeginPlay),
        (9, true, Event::SetInitialState),
    ];
    for node in nodes {
        let row = node
            .trace
            .row
            .strip_prefix('L')
            .expect("a start of play has nothing else");
        let row: u32 = row.parse().unwrap();
        let whom = match node.event() {
            Some(Event::ActorLeaving | Event::ActorEntered | Event::ActorEnteredVolume | Event::PawnEnteredVolume) => {
                node.about()
            }
            Some(Event::Attach | Event::Detach) => node.about(),
            _ => node.trace.on.as_str(),
        };
        match phases.last_mut() {
            Some((last, names)) if *last == row => {
                assert!(age(names[names.len() - 1]) <= age(whom), "too late for {}", node.trace);
                names.push(whom);
            }
            last => {
                assert!(last.is_none_or(|(last, _)| *last < row), "too late for {}", node.trace);
                phases.push((row, vec![whom]));
            }
        }
    }
    for name in placed {
        for (row, there, event) in steps {
            let row = format!("L{row}");
            let times = nodes.iter().filter(|node| node.is(&row, event, name)).count();
            let died = nodes.iter().any(|node| node.kills(name));
            assert!(times <= usize::from(there), "{row} {event} of {name} {times} times");
            assert!(times == 1 || !there || died, "{name} misses {row} {event}");
        }
    }
    read(nodes, rules, books);
}
