//! Cases as tables of deeds, their results and the steps that are sent.
//!
//! ```text
//! 12- case Q1 a dead owner is no owner         (only generations 1 and 2; lines may say so, too)
//!   spawn a Keeper; destroy a; clear           (each gives `yes`; the recorder forgets its steps)
//!   on GainedChild a: panic                    (what handlers do from now on)
//!   spawn b Thing owner a; owner b => none     (the result of a question)
//!   log Q1_ => Q1 Keeper.GainedChild(Thing)    (the steps since the last log that begin so; `_` is a space)
//! ```
//!
//! A case is played in a level of each generation, once for each part of its line `each … | …`, for which `$` stands. Without a
//! `log`, it is also played in a level without a sink. The level is in play, unless the case begins with `unbegun`. `on EVENT
//! [RECEIVER] [about ACTOR] [in STATE] [once]` holds until `off`; each must run, unless it ends in `maybe`. `log ~part` takes the
//! steps that contain the part; the steps may follow in deeper lines. Actors have names in small letters; `info` is the level's own
//! actor, `me` the receiver of an event, `it` the actor that the event is about.
#![allow(dead_code, reason = "not every test needs everything")]
#![allow(clippy::unit_arg, reason = "a deed that gives nothing has been done")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use acedia_actors::world::{BoxZones, CylinderGrid};
use acedia_actors::{
    Aabb, ActorClass, ActorRef, Event, Level, Name, Recorder, Repeat, Role, Rotator, Rules, Spawn, SpawnError, SpawnEx,
    Stage, Vector,
};
use serde_json::Value;

use super::common::{Hand, Pushy, all_rules, furnish, ground, is_of, script, steps};

/// A class that cases know.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) class: fn() -> &'static ActorClass,
    pub(crate) place: fn(&mut Level, Spawn) -> Result<ActorRef, SpawnError>,
}

macro_rules! kinds {
    ($($type:ident)+) => {
        &[$(scenario::Kind {
            name: stringify!($type),
            class: <$type as acedia_actors::Actor>::class,
            place: |level, spawn| level.place::<$type>(spawn).map(acedia_actors::ActorRef::any),
        }),+]
    };
}
pub(crate) use kinds;

/// A verb of one file.
pub(crate) type Verb = (&'static str, fn(&mut Level, &mut Words<'_>) -> String);

thread_local! {
    static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Notes a word in the body of an event, for the verbs `said` and `frames`.
pub(crate) fn say(text: &str) {
    SAID.with_borrow_mut(|it| it.push(text.to_owned()));
}

pub(crate) fn said() -> Vec<String> {
    SAID.take()
}

struct Line {
    number: usize,
    indent: usize,
    generations: &'static str,
    text: &'static str,
}

fn lines(text: &'static str) -> Vec<Line> {
    let lines = (1..).zip(text.lines()).map(|(number, text)| {
        let indent = text.len() - text.trim_start().len();
        let text = text.trim();
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        let is_generations = first.len() == 3 && first.chars().all(|it| "123-".contains(it));
        let (generations, text) = if is_generations {
            (first, rest.trim())
        } else {
            ("123", text)
        };
        Line {
            number,
            indent,
            generations,
            text,
        }
    });
    lines
        .filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
        .collect()
}

/// Plays the cases of a file.
pub(crate) fn play(file: &str, text: &'static str, kinds: &'static [Kind], verbs: &'static [Verb]) {
    let lines = lines(text);
    let mut failed = Vec::new();
    for case in lines.chunk_by(|_, next| !next.text.starts_with("case ")) {
        let (head, mut body) = case.split_first().unwrap();
        let each = body[0].text.strip_prefix("each ");
        body = &body[usize::from(each.is_some())..];
        for each in each.unwrap_or_default().split(" | ") {
            for rules in all_rules()
                .into_iter()
                .filter(|it| is_of(it.generation, head.generations))
            {
                // Without a log, also in a level without a sink.
                let logs = body.iter().any(|it| it.text.starts_with("log"));
                for watched in [true, false].into_iter().filter(|it| *it || !logs) {
                    let generation = rules.generation;
                    let mut play = Play::new(rules.clone(), kinds, each, None, watched);
                    play.verbs = verbs;
                    if catch_unwind(AssertUnwindSafe(|| play.all(body))).is_err() {
                        let case = format!("{file}.txt:{}: {} {each}", head.number, head.text);
                        failed.push(format!("{case} by {generation}, watched: {watched}"));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Plays a scene for each case of a text, by any rules. Returns the results of the deeds that end in `?`, and all steps and warnings.
pub(crate) fn scenes(text: &'static str, kinds: &'static [Kind], rules: &Rules) -> Vec<String> {
    let lines = lines(text);
    let mut seen = Vec::new();
    for case in lines.chunk_by(|_, next| !next.text.starts_with("case ")) {
        let (head, body) = case.split_first().unwrap();
        let notes = Play::new(rules.clone(), kinds, "", Some(Rc::default()), true).scene(body);
        seen.extend(notes.into_iter().map(|it| format!("{}: {it}", &head.text[5..])));
    }
    seen
}

/// A result of a deed, as text.
trait Said {
    fn said(self, scope: &Scope, level: &impl Stage) -> String;
}
impl Said for bool {
    fn said(self, _: &Scope, _: &impl Stage) -> String {
        if self { "yes".into() } else { "no".into() }
    }
}
impl Said for () {
    fn said(self, scope: &Scope, level: &impl Stage) -> String {
        true.said(scope, level)
    }
}
impl Said for Option<ActorRef> {
    /// Its name in the case, or else its class.
    fn said(self, scope: &Scope, level: &impl Stage) -> String {
        let Some(actor) = self else { return "none".into() };
        let names = scope.names.borrow();
        let name = names.iter().find(|(_, it)| **it == self).map(|(name, _)| name.as_str());
        let class = || level.class(actor).map_or("a dead one", ActorClass::short_name);
        name.unwrap_or_else(class).to_owned()
    }
}
impl Said for Vec<ActorRef> {
    fn said(self, scope: &Scope, level: &impl Stage) -> String {
        let names: Vec<_> = self.into_iter().map(|it| Some(it).said(scope, level)).collect();
        names.join(" ")
    }
}
macro_rules! said {
    ($($type:ty, |$it:ident| $text:expr;)+) => {
        $(impl Said for $type {
            fn said(self, _: &Scope, _: &impl Stage) -> String {
                let $it = self;
                $text
            }
        })+
    };
}
said! {
    Name, |it| it.to_string();
    Vec<Name>, |it| format!("{it:?}");
    Option<Role>, |it| format!("{it:?}");
    Option<u32>, |it| it.map_or("none".into(), |it| it.to_string());
    Option<String>, |it| it.unwrap_or_else(|| "none".into());
    Option<Vector>, |it| it.map_or("none".into(), |it| format!("{} {} {}", it.x, it.y, it.z));
    Option<Rotator>, |it| it.map_or("none".into(), |it| format!("{} {} {}", it.pitch, it.yaw, it.roll));
}

/// The actors that a line may name.
#[derive(Clone)]
struct Scope {
    kinds: &'static [Kind],
    names: Rc<RefCell<BTreeMap<String, Option<ActorRef>>>>,
    me: Option<ActorRef>,
    it: Option<ActorRef>,
    /// For a scene, which checks nothing.
    notes: Option<Notes>,
}

/// The answers of a scene.
type Notes = Rc<RefCell<Vec<String>>>;

/// The words of a deed that are still to be read.
pub(crate) struct Words<'a>(&'a Scope, std::str::SplitWhitespace<'a>);

impl Words<'_> {
    pub(crate) fn word(&mut self) -> String {
        self.1.next().unwrap_or_default().to_owned()
    }
    pub(crate) fn name(&mut self) -> Name {
        Name::new(self.word().leak() as &'static str)
    }
    pub(crate) fn other(&mut self) -> Option<ActorRef> {
        self.0.find(&self.word())
    }
    pub(crate) fn actor(&mut self) -> ActorRef {
        self.other().expect("it is none")
    }
    pub(crate) fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        self.word().parse().unwrap()
    }
    pub(crate) fn at(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }
    pub(crate) fn turned(&mut self) -> Rotator {
        Rotator::new(self.number(), self.number(), self.number())
    }
    pub(crate) fn repeat(&mut self) -> Repeat {
        if self.word() == "once" {
            Repeat::Once
        } else {
            Repeat::Looping
        }
    }
    pub(crate) fn flag(&mut self) -> bool {
        self.word() == "yes"
    }

    /// The rest as a request, and whether it is the engine's own.
    fn request(&mut self) -> (SpawnEx, bool) {
        let mut it = SpawnEx::default();
        let mut engine = false;
        while let Some(word) = self.1.next() {
            engine |= ["engine", "no_fail", "remote", "named", "by"].contains(&word);
            match word {
                "at" => it.spawn = it.spawn.at(self.at()),
                "facing" => it.spawn = it.spawn.facing(self.turned()),
                "owner" => it.spawn = it.spawn.owned_by(self.actor()),
                "tag" => it.spawn = it.spawn.tag(self.name()),
                "template" => it.spawn = it.spawn.template(self.actor()),
                "no_collision_fail" => it.spawn = it.spawn.no_collision_fail(),
                "no_fail" => it.no_fail = true,
                "remote" => it.remote_owned = true,
                "named" => it.name = self.name(),
                "by" => it.instigator = self.other(),
                _ => assert_eq!(word, "engine"),
            }
        }
        (it, engine)
    }

    /// The rest as a field and its value.
    fn change<T: serde::Serialize + serde::de::DeserializeOwned>(&mut self, it: &mut T) {
        let mut tree = serde_json::to_value(&*it).unwrap();
        let field = self
            .word()
            .split('.')
            .fold(&mut tree, |tree, field| tree.get_mut(field).expect("a field"));
        let value = self.word();
        *field = serde_json::from_str(&value).unwrap_or(Value::String(value));
        *it = serde_json::from_value(tree).unwrap();
    }
}

/// Deeds that are methods: their verbs, and the kinds of their words.
macro_rules! deeds {
    ($verb:ident, $words:ident, $scope:ident, $level:ident; $($name:literal $method:ident($($kind:ident),*))+; $other:expr) => {
        match $verb {
            $($name => {
                let given = $level.$method($($words.$kind()),*).said($scope, $level);
                assert_eq!($words.word(), "", "a word too many");
                given
            })+
            _ => $other,
        }
    };
}

impl Scope {
    fn find(&self, word: &str) -> Option<ActorRef> {
        match word {
            "none" => None,
            "me" => self.me,
            "it" => self.it,
            _ => *self
                .names
                .borrow()
                .get(word)
                .unwrap_or_else(|| panic!("nobody is named {word}")),
        }
    }

    /// Whether the word is the name of an actor, or of its class.
    fn fits(&self, level: &impl Stage, word: &str, actor: Option<ActorRef>) -> bool {
        if word.starts_with(char::is_uppercase) {
            actor
                .and_then(|it| level.class(it))
                .is_some_and(|class| class.short_name() == word)
        } else {
            self.find(word) == actor
        }
    }

    fn kind(&self, name: &str) -> &'static Kind {
        let kind = self.kinds.iter().find(|kind| kind.name == name);
        kind.unwrap_or_else(|| panic!("no class {name}"))
    }

    fn bind(&self, name: String, made: Result<ActorRef, SpawnError>) -> String {
        self.names.borrow_mut().insert(name, made.clone().ok());
        made.map_or_else(|error| format!("{error:?}"), |_| "yes".into())
    }

    /// Does a deed in a level or in a handler, and compares.
    fn check(&self, deed: &str, place: usize, perform: impl FnOnce(&Self, &str, Words<'_>) -> String) {
        let (before, expected) = deed.split_once("=>").unwrap_or((deed, "yes"));
        let mut words = before.trim_end_matches('?').split_whitespace();
        let verb = words.next().unwrap();
        let given = perform(self, verb, Words(self, words));
        if let Some(notes) = &self.notes {
            return notes
                .borrow_mut()
                .extend(deed.ends_with('?').then(|| format!("{deed} {given}")));
        }
        assert_eq!(given, expected.trim(), "line {place}: {deed}");
    }

    fn perform(&self, level: &mut impl Stage, verb: &str, mut words: Words<'_>) -> String {
        deeds! { verb, words, self, level;
            "destroy" destroy(actor) "own" set_owner(actor, other) "put" set_base(actor, other) "move" set_location(actor, at)
            "instigate" set_instigator(actor, other) "goto" goto_state(actor, name) "force" force_state(actor, name)
            "push" push_state(actor, name) "pop" pop_state(actor) "pop_all" pop_all_states(actor) "paused" paused_states(actor)
            "game" set_game(actor) "the_game" game() "mutator" add_mutator(actor) "notifier" add_notifier(actor)
            "base" base(actor) "owner" owner(actor) "instigator" instigator(actor) "zone" zone(actor) "volume" volume(actor)
            "zone_number" zone_number(actor) "location" location(actor) "rotation" rotation(actor) "state" state(actor)
            "named" name(actor) "alive" is_alive(actor) "pending" is_pending_delete(actor) "initialized" is_script_initialized(actor)
            "touches" is_touching(actor, actor) "touching" touching(actor) "attached" attached(actor) "children" children(actor)
            "timer" set_timer(actor, number, repeat) "pause" pause_timer(actor, flag)
            "role_for" role_for(actor, actor) "begun" has_begun() "starting" is_starting();
            match verb {
                "spawn" => {
                    let (name, class) = (words.word(), words.word());
                    let class: Option<&'static ActorClass> = match &*class {
                        "none" => None,
                        "Actor" => Some(ActorClass::root()),
                        class => Some((self.kind(class).class)()),
                    };
                    let made = match words.request() {
                        (request, true) => level.spawn_ex(class, &request),
                        (request, false) => level.spawn_of(class.unwrap(), request.spawn),
                    };
                    self.bind(name, made)
                }
                "all" => {
                    let class = words.word();
                    let all = level.actors().filter(|it| self.fits(level, &class, Some(*it)));
                    all.collect::<Vec<_>>().said(self, level)
                }
                "found" => {
                    let shape = level.properties(words.actor()).unwrap().shape;
                    level.overlapping(shape, words.at()).said(self, level)
                }
                "last" => {
                    self.names.borrow_mut().insert(words.word(), level.actors().last());
                    "yes".into()
                }
                "class" => level.class(words.actor()).map(|it| it.short_name().to_owned()).said(self, level),
                "passed" => {
                    let timer = level.timer(words.actor());
                    timer.map_or("none".into(), |it| format!("{}{}", it.count, if it.is_paused { " paused" } else { "" }))
                }
                "said" => said().join(" "),
                "note" => say(&words.other().said(self, level)).said(self, level),
                "hush" => drop(said()).said(self, level),
                "count" => level.user_actors().count().to_string(),
                "warnings" => {
                    let warnings: Vec<_> = level.take_warnings().iter().map(|it| format!("{it:?}")).collect();
                    warnings.join(" ")
                }
                "level" => words.change(level.settings_mut()).said(self, level),
                "set" => {
                    let actor = words.actor();
                    words.change(level.properties_mut(actor).unwrap()).said(self, level)
                }
                "get" => {
                    let tree = serde_json::to_value(level.properties(words.actor()).unwrap()).unwrap();
                    let value = &tree[words.word()];
                    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
                }
                "panic" => panic!("on purpose"),
                other => panic!("{other} is no verb"),
            }
        }
    }
}

struct Reaction {
    number: usize,
    head: String,
    deeds: Vec<String>,
    ran: Cell<bool>,
}

struct Play {
    level: Level,
    recorder: Recorder,
    scope: Scope,
    rules: Rules,
    reactions: Rc<RefCell<Vec<Rc<Reaction>>>>,
    each: String,
    verbs: &'static [Verb],
}

impl Play {
    fn new(rules: Rules, kinds: &'static [Kind], each: &str, notes: Option<Notes>, watched: bool) -> Self {
        let (mut level, recorder) = (Level::new(rules.clone()), Recorder::default());
        if watched {
            level.set_sink(recorder.clone());
        }
        drop(said());
        let scope = Scope {
            kinds,
            names: Rc::new(RefCell::new([("info".to_owned(), level.level_info())].into())),
            me: None,
            it: None,
            notes,
        };
        let reactions = Rc::new(RefCell::new(Vec::<Rc<Reaction>>::new()));
        let (all, around) = (reactions.clone(), scope.clone());
        script(move |hand, event, about| {
            let all = all.borrow().clone();
            for it in all {
                it.react(&around, hand, event, about);
            }
        });
        Self {
            level,
            recorder,
            scope,
            rules,
            reactions,
            each: each.to_owned(),
            verbs: &[],
        }
    }

    fn all(mut self, lines: &[Line]) {
        self.play(lines);
        self.off();
    }

    fn scene(mut self, lines: &[Line]) -> Vec<String> {
        self.play(lines);
        script(|_, _, _| ());
        let mut notes = self.scope.notes.take().unwrap_or_default().take();
        notes.extend(steps(&self.recorder));
        notes.extend(self.level.take_warnings().iter().map(|it| format!("! {it}")));
        notes
    }

    fn play(&mut self, mut lines: &[Line]) {
        if lines[0].text != "unbegun" {
            self.level.begin_play("");
            let _ = self.recorder.take();
        }
        while let Some((line, rest)) = lines.split_first() {
            let (below, rest) = rest.split_at(rest.iter().take_while(|it| it.indent > line.indent).count());
            lines = rest;
            if is_of(self.rules.generation, line.generations) {
                let here = |line: &&Line| is_of(self.rules.generation, line.generations);
                let below = below.iter().filter(here).map(|it| it.text.replace('$', &self.each));
                self.line(line, below.collect());
            }
        }
    }

    fn off(&mut self) {
        for it in self.reactions.take() {
            assert!(it.ran.get(), "line {}: no event for it", it.number);
        }
    }

    fn line(&mut self, line: &Line, below: Vec<String>) {
        let text = line.text.replace('$', &self.each);
        if let Some(reaction) = text.strip_prefix("on ") {
            let (head, deeds) = reaction.split_once(':').unwrap();
            let deeds = deeds.split(';').map(|it| it.trim().to_owned()).chain(below);
            self.reactions.borrow_mut().push(Rc::new(Reaction {
                number: line.number,
                head: head.to_owned(),
                deeds: deeds.filter(|it| !it.is_empty()).collect(),
                ran: Cell::new(head.ends_with("maybe")),
            }));
            return;
        }
        for deed in text.split(';').map(str::trim) {
            match deed.split(' ').next().unwrap() {
                "unbegun" => {}
                "off" => self.off(),
                "clear" => drop(self.recorder.take()),
                "log" => self.log(deed, &below, line.number),
                "panics" => {
                    let deed = || self.deed(&deed[7..], line.number);
                    assert!(
                        catch_unwind(AssertUnwindSafe(deed)).is_err(),
                        "line {}: no panic",
                        line.number
                    );
                }
                _ => self.deed(deed, line.number),
            }
        }
    }

    fn log(&self, deed: &str, below: &[String], number: usize) {
        let (starts, expected) = deed.split_once("=>").unwrap_or((deed, ""));
        let starts: Vec<_> = starts
            .split_whitespace()
            .skip(1)
            .map(|it| it.replace('_', " "))
            .collect();
        let steps = steps(&self.recorder);
        let wanted = |step: &&String| {
            let fits = |it: &String| {
                it.strip_prefix('~')
                    .map_or(step.starts_with(&**it), |it| step.contains(it))
            };
            starts.is_empty() || starts.iter().any(fits)
        };
        let seen: Vec<_> = steps.iter().filter(wanted).collect();
        let expected = expected.split(',').map(str::trim).filter(|it| !it.is_empty());
        let expected: Vec<_> = expected.chain(below.iter().map(String::as_str)).collect();
        assert_eq!(seen, expected, "line {number}: {steps:#?}");
    }

    fn deed(&mut self, deed: &str, number: usize) {
        let (level, verbs) = (&mut self.level, self.verbs);
        self.scope.check(deed, number, |scope, verb, mut words| {
            deeds! { verb, words, scope, level;
                "tear" tear_off(actor) "lose" lose_relevance(actor) "connect" connect(actor) "disconnect" disconnect(actor)
                "receive_owner" receive_owner(actor, other) "tick" tick(number) "collecting" set_collecting(flag);
                match verb {
                    "place" => {
                        let (name, class, (request, _)) = (words.word(), words.word(), words.request());
                        scope.bind(name, (scope.kind(&class).place)(level, request.spawn))
                    }
                    "receive" => {
                        let (name, class) = (words.word(), words.word());
                        let (mut at, mut turned) = (Vector::default(), None);
                        match &*words.word() {
                            "at" => at = words.at(),
                            "facing" => turned = Some(words.turned()),
                            _ => {}
                        }
                        scope.bind(name, level.receive((scope.kind(&class).class)(), at, turned))
                    }
                    "finish" => {
                        let (actor, variable) = (words.actor(), words.name());
                        let variables = if variable.is_none() { &[][..] } else { &[variable] };
                        level.finish_receive(actor, variables).said(scope, level)
                    }
                    "begin" => level.begin_play(&words.word()).said(scope, level),
                    // The words that were said in each frame; `-` is none.
                    "frames" => {
                        let frame = |seconds: &str| {
                            level.tick(seconds.parse().unwrap());
                            let said = said();
                            if said.is_empty() { "-".into() } else { said.join(" ") }
                        };
                        words.1.map(frame).collect::<Vec<_>>().join(" | ")
                    }
                    "ticks" => {
                        let (times, seconds) = (words.number::<usize>(), words.number());
                        (0..times).for_each(|_| level.tick(seconds)).said(scope, level)
                    }
                    "options" => level.options().into(),
                    "furnish" => furnish(level).said(scope, level),
                    "world" => match &*words.word() {
                        "ground" => level.set_world(ground()),
                        "pushy" => level.set_world(Pushy::default()),
                        _ => level.set_world(CylinderGrid::new(10.0)),
                    }
                    .said(scope, level),
                    // ZONE VOLUME PLACE, or more of them.
                    "zones" => {
                        let mut zones = BoxZones::default();
                        while words.1.clone().next().is_some() {
                            let (zone, volume, at) = (words.other(), words.other(), words.at());
                            let half = Vector::new(10.0, 10.0, 10.0);
                            let here = Aabb::new(at - half, at + half);
                            if let Some(zone) = zone {
                                zones.add_zone(zone, here, 0);
                            }
                            if let Some(volume) = volume {
                                zones.add_volume(volume, here, 0);
                            }
                        }
                        level.set_zones(zones).said(scope, level)
                    }
                    _ => match verbs.iter().find(|(name, _)| *name == verb) {
                        Some((_, work)) => work(level, &mut words),
                        None => scope.perform(level, verb, words),
                    },
                }
            }
        });
    }
}

impl Reaction {
    fn react(&self, scope: &Scope, hand: &mut dyn Hand, event: Event, about: Option<ActorRef>) {
        let (me, it) = (Some(hand.me()), about);
        let scope = Scope {
            me,
            it,
            ..scope.clone()
        };
        let mut head = self.head.split(' ');
        let wanted = head.next().unwrap();
        let mut fits = wanted == "Any" || wanted == event.name().replace(' ', "");
        while let Some(word) = head.next().filter(|_| fits) {
            let level = hand.others();
            fits = match word {
                "maybe" => true,
                "once" => !self.ran.get(),
                "in" => me.is_some_and(|me| level.state(me).to_string() == head.next().unwrap()),
                "about" => scope.fits(&level, head.next().unwrap(), about),
                word => match word.strip_prefix('!') {
                    Some(word) => !scope.fits(&level, word, me),
                    None => scope.fits(&level, word, me),
                },
            };
        }
        if !fits {
            return;
        }
        self.ran.set(true);
        for deed in &self.deeds {
            scope.check(deed, self.number, |scope, verb, mut words| {
                let of_me = words.1.clone().next() == Some("me");
                match verb {
                    "destroy" if of_me => hand.destroy().said(scope, &hand.others()),
                    "goto" if of_me => hand
                        .goto_state(words.1.nth(1).unwrap().to_owned().leak())
                        .said(scope, &hand.others()),
                    "deleted" => hand.is_deleted().said(scope, &hand.others()),
                    "answer" => hand.answer_yes().said(scope, &hand.others()),
                    "give" => hand.give(words.other()).said(scope, &hand.others()),
                    _ => scope.perform(&mut hand.others(), verb, words),
                }
            });
        }
    }
}
