//! Classes as values: found by name, and their static constructors and finalizers.

mod common;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use acedia::{ClassError, Object, class, load_class, shutdown};
use acedia_actors::{
    Actor, ActorClass, ActorClassError, ActorRef, ClassBuilder, Level, LevelInfo, Pawn, Rules, Spawn, SpawnError,
    Stage, Warning, actor, load_actor_class,
};
use common::*;

/// `shutdown` is for the whole process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

probe!(Unused, "Some.Package.Unused", |class| class);
probe!(Twin, "East.Twin", |class| class);
probe!(Same, "Same.Same", |class| class);
mod west {
    use super::*;
    probe!(Twin, "West.Twin", |class| class);
    probe!(Same, "Same.Same", |class| class);
}

#[test]
fn classes_are_found_by_name_before_they_are_used() {
    let _alone = alone();
    let class = load_actor_class("some.package.UNUSED").unwrap();
    assert_eq!(class.name(), "Some.Package.Unused");
    assert_eq!(load_actor_class("Unused"), Ok(Unused::class()));
    assert_eq!(load_actor_class("Engine.Actor"), Ok(ActorClass::root()));
    assert_eq!(load_actor_class("West.Twin"), Ok(west::Twin::class()));
}

/// Names that the macro uses mean something else here, or nothing.
#[allow(unused_imports, reason = "they are in the way")]
mod shadowed {
    use acedia_actors::Role::*;
    use acedia_actors::{Pawn, actor};

    #[derive(Default)]
    pub(crate) struct Some;
    impl acedia_actors::Actor for Some {
        actor!(Some, "Test.Shadowed");
    }
    #[derive(Default)]
    pub(crate) struct Child {
        base: Pawn,
    }
    impl acedia_actors::Actor for Child {
        actor!(Child, "Test.ShadowedChild", parent = Pawn, in base);
    }
}

#[no_implicit_prelude]
mod bare {
    #[derive(::std::default::Default)]
    pub(crate) struct Bare;
    impl ::acedia_actors::Actor for Bare {
        ::acedia_actors::actor!(Bare, "Test.Bare");
    }
    #[derive(::std::default::Default)]
    pub(crate) struct Child {
        base: Bare,
    }
    impl ::acedia_actors::Actor for Child {
        ::acedia_actors::actor!(Child, "Test.BareChild", parent = Bare, in base);
    }
    #[derive(::std::default::Default)]
    pub(crate) struct Tuple(Child);
    impl ::acedia_actors::Actor for Tuple {
        ::acedia_actors::actor!(Tuple, "Test.BareTuple", parent = Child, in 0,);
    }
}

#[test]
fn the_macro_needs_no_names_of_its_surroundings() {
    fn is_found<T: Actor>(name: &str, parent: &ActorClass) {
        let mut level = Level::new(Rules::ue2());
        let actor = level.spawn::<T>(Spawn::new()).unwrap();
        assert!(level.get(actor).is_some() && level.get_mut(actor).is_some(), "{name}");
        assert_eq!(
            (load_actor_class(name), T::class().parent()),
            (Ok(T::class()), Some(parent))
        );
    }
    let _alone = alone();
    is_found::<shadowed::Some>("Test.Shadowed", ActorClass::root());
    is_found::<shadowed::Child>("Test.ShadowedChild", Pawn::class());
    is_found::<bare::Bare>("Test.Bare", ActorClass::root());
    is_found::<bare::Child>("Test.BareChild", bare::Bare::class());
    is_found::<bare::Tuple>("Test.BareTuple", bare::Child::class());
    let mut level = Level::new(Rules::ue2());
    let child = level.spawn::<bare::Child>(Spawn::new()).unwrap();
    assert!(level.get_mut(child.upcast::<bare::Bare>()).is_some());
    assert!(level.cast::<Pawn>(child.any()).is_none());
}

#[test]
fn the_class_of_the_level_is_found_by_both_its_names() {
    let _alone = alone();
    for name in ["Engine.LevelInfo", "Engine.WorldInfo", "worldinfo"] {
        assert_eq!(load_actor_class(name), Ok(LevelInfo::class()), "{name}");
    }
    assert_eq!(LevelInfo::class().name(), "Engine.LevelInfo");
    let level = Level::new(Rules::ue3());
    let info = level.level_info().unwrap();
    assert_eq!(level.class(info), Some(LevelInfo::class()));
    assert_eq!(level.name(info).unwrap(), "WorldInfo0");
}

const NO_CLASSES: [(&str, &str); 6] = [
    ("  ", "the name of the class is empty; write it as `Package.Name`"),
    (
        "twin",
        "`twin` is ambiguous: it names `East.Twin` (classes::Twin) and `West.Twin` (classes::west::Twin)",
    ),
    // Two classes of one name are told apart by their types.
    (
        "Same.Same",
        "`Same.Same` is ambiguous: it names `Same.Same` (classes::Same) and `Same.Same` (classes::west::Same)",
    ),
    (
        "Acedia.NativeActorRef",
        "`Acedia.NativeActorRef` is a class of objects, not of actors; `acedia::load_class` finds it",
    ),
    (
        "Engine.Pown",
        "no class of actors is named `Engine.Pown` (did you mean `Engine.Pawn`?)",
    ),
    ("\u{7}qqqqqqqqqq", "no class of actors is named `\\u{7}qqqqqqqqqq`"),
];

#[test]
fn names_that_lead_to_no_class_of_actors_are_explained() {
    let _alone = alone();
    let (mut level, _) = level(Rules::ue2());
    for (name, expected) in NO_CLASSES {
        let error = load_actor_class(name).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let warning = match error {
            ActorClassError::NotAnActor(class) => Warning::NotAnActor(class.name()),
            error => Warning::UnknownClass(error),
        };
        assert_eq!(
            level.spawn_by_name(name, Spawn::new()),
            Err(SpawnError::Refused(warning.clone()))
        );
        assert_eq!(level.take_warnings(), [warning]);
    }
    // Conversely, `load_class` names the function that finds the class.
    for name in ["Engine.Pawn", "engine.pawn", "Pawn"] {
        assert!(
            matches!(
                load_class(name),
                Err(ClassError::NotAnObject {
                    class: "Engine.Pawn",
                    ..
                })
            ),
            "{name}"
        );
    }
    let expected = "`Engine.Pawn` is a class of actors, not of objects; `load_actor_class` finds it";
    assert_eq!(load_class("pawn").unwrap_err().to_string(), expected);
    assert!(matches!(load_class("Engine.Pown"), Err(ClassError::Unknown { .. })));
}

#[test]
fn actors_are_spawned_by_name() {
    let _alone = alone();
    for rules in all_rules() {
        let (mut level, _) = level(rules);
        let actor = level
            .spawn_by_name("Some.Package.Unused", Spawn::new().tag("Named"))
            .unwrap();
        assert_eq!(level.class(actor), Some(Unused::class()));
        let root = level.spawn_by_name("Engine.Actor", Spawn::new());
        assert_eq!(root, Err(SpawnError::Refused(Warning::Abstract(ActorClass::root()))));
        level.set_collecting(true);
        let collecting = level.spawn_by_name("Some.Package.Unused", Spawn::new());
        assert_eq!(collecting, Err(SpawnError::Collecting));
    }
}

/// The message of the panic of `work` on a thread of its own, if it panics. Fails if it hangs.
fn panic_of(work: impl FnOnce() + Send + 'static) -> Option<String> {
    panics_of([Box::new(work)]).pop().unwrap()
}

/// As `panic_of`, for several works at the same time.
fn panics_of<const N: usize>(works: [Box<dyn FnOnce() + Send>; N]) -> Vec<Option<String>> {
    let ends = works.map(|work| {
        let (end, ended) = mpsc::channel();
        thread::spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            let said = |panic: Box<dyn Any + Send>| match panic.downcast::<String>() {
                Ok(said) => *said,
                Err(panic) => (*panic.downcast_ref::<&str>().expect("a message")).to_owned(),
            };
            end.send(result.err().map(said))
        });
        ended
    });
    let wait = |ended: &mpsc::Receiver<_>| ended.recv_timeout(Duration::from_secs(60)).expect("it hangs");
    ends.iter().map(wait).collect()
}

/// The message of the panic if descriptions form a cycle.
fn circle(of: &str) -> String {
    format!("`describe` of class {of}, so it would never end; move one of these uses into the body of an event")
}

/// A class whose description runs `$describe`.
macro_rules! described {
    ($type:ident, $name:literal, $describe:expr) => {
        #[derive(Default)]
        struct $type;
        impl Actor for $type {
            actor!($type, $name);
            fn describe(_: &mut ClassBuilder<'_, Self>) {
                $describe;
            }
        }
    };
}

#[test]
fn descriptions_that_ask_for_each_other_panic() {
    described!(Narcissus, "Test.Narcissus", Narcissus::class());
    let expected = circle("Test.Narcissus needs Test.Narcissus");
    for _ in 0..2 {
        assert_eq!(
            panic_of(|| _ = Narcissus::class()).as_ref(),
            Some(&expected),
            "each time"
        );
    }
    assert_eq!(panic_of(|| _ = load_actor_class("Test.Narcissus")), Some(expected));
    described!(Weapon, "Test.Weapon", Shell::class());
    described!(Shell, "Test.Shell", Powder::class());
    described!(Powder, "Test.Powder", Weapon::class());
    described!(Armed, "Test.Armed", Weapon::class());
    let expected =
        circle("Test.Weapon needs Test.Shell, whose `describe` needs Test.Powder, whose `describe` needs Test.Weapon");
    let spawned = panic_of(|| _ = Level::new(Rules::ue2()).spawn::<Weapon>(Spawn::new()));
    assert_eq!(spawned.as_ref(), Some(&expected));
    let asked = panic_of(|| _ = Armed::class());
    assert_eq!(asked, Some(expected), "who asks for the circle is no part of it");
    // A description that catches the panic is complete.
    described!(Patient, "Test.Patient", {
        assert!(catch_unwind(|| _ = Patient::class()).is_err());
    });
    assert_eq!(panic_of(|| _ = Patient::class()), None);
    assert_eq!(load_actor_class("Test.Patient"), Ok(Patient::class()));
}

#[test]
fn descriptions_on_two_threads_that_ask_for_each_other_panic() {
    described!(Hen, "Test.Hen", Egg::class());
    described!(Egg, "Test.Egg", Hen::class());
    let panics = panics_of([Box::new(|| _ = Hen::class()), Box::new(|| _ = Egg::class())]);
    let of_hen = circle("Test.Hen needs Test.Egg, whose `describe` needs Test.Hen");
    let of_egg = circle("Test.Egg needs Test.Hen, whose `describe` needs Test.Egg");
    for panic in panics.into_iter().map(Option::unwrap) {
        assert!(panic == of_hen || panic == of_egg, "{panic}");
    }
}

#[test]
fn threads_wait_for_a_description_and_try_again_if_it_panics() {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    static DONE: AtomicUsize = AtomicUsize::new(0);
    described!(Tardy, "Test.Tardy", {
        let first = TRIES.fetch_add(1, Ordering::SeqCst) == 0;
        thread::sleep(Duration::from_millis(20));
        assert!(!first, "on purpose");
        // Describes another class, for which a thread may wait, too.
        Lazy::class();
        DONE.fetch_add(1, Ordering::SeqCst);
    });
    described!(Lazy, "Test.Lazy", thread::sleep(Duration::from_millis(20)));
    let ask = || -> Box<dyn FnOnce() + Send> {
        Box::new(|| {
            let class = Tardy::class();
            assert_eq!((class.name(), DONE.load(Ordering::SeqCst)), ("Test.Tardy", 1));
        })
    };
    let panics = panics_of([ask(), ask(), ask(), Box::new(|| _ = Lazy::class())]);
    assert_eq!(
        panics.iter().filter(|it| **it == Some("on purpose".to_owned())).count(),
        1
    );
    assert_eq!(panics.iter().flatten().count(), 1, "{panics:?}");
    assert_eq!((TRIES.load(Ordering::SeqCst), DONE.load(Ordering::SeqCst)), (2, 1));
}

/// The notes of everything that ran, in order.
static ORDER: Mutex<Vec<&str>> = Mutex::new(Vec::new());

fn note(what: &'static str) {
    ORDER.lock().unwrap().push(what);
}

define! { Band "Test.Band" {} |class| { class.begin_play(|_| note("band plays")); };
fn constructor(&mut self) {
    note("band");
}
fn static_constructor() {
    note("band +");
    // It may spawn its own class, in a level that waits for no other thread.
    let mut level = Level::new(Rules::ue2());
    assert!(level.spawn::<Band>(Spawn::new()).is_some());
    // A class that is constructed meanwhile is finalized later.
    drop(Stand::allocate());
    note("band ready");
}
fn static_finalizer() {
    note("band -");
} }

#[derive(Default)]
struct Stand;
impl Object for Stand {
    class!(Stand, "Test.Stand");
    fn static_constructor() {
        note("stand +");
    }
    fn static_finalizer() {
        note("stand -");
    }
}

#[test]
fn static_constructors_may_make_actors_of_their_class() {
    let _alone = alone();
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");
    let first = |level: &mut Level| {
        ORDER.lock().unwrap().clear();
        let band: ActorRef<Band> = level.spawn(Spawn::new()).unwrap();
        assert!(level.is_alive(band));
        std::mem::take(&mut *ORDER.lock().unwrap())
    };
    let whole = ["band +", "band", "stand +", "band ready", "band", "band plays"];
    assert_eq!(first(&mut level), whole);
    assert_eq!(first(&mut level), ["band", "band plays"]);
    let alive = level.actors().count();
    assert!(shutdown());
    assert_eq!(
        *ORDER.lock().unwrap(),
        ["band -", "stand -"],
        "last constructed, first finalized"
    );
    assert_eq!(level.actors().count(), alive, "what is alive stays alive");
    assert_eq!(
        first(&mut level)[0],
        "band +",
        "and then it begins anew, in a level that knows the class too"
    );
    shutdown();
}

#[test]
fn a_wrong_upcast_panics_at_once() {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let child = level.spawn::<bare::Child>(Spawn::new()).unwrap();
    assert_eq!(child.upcast::<bare::Bare>().upcast::<bare::Bare>(), child);
    // Neither an unrelated class, nor a subclass.
    let downwards = level.cast::<bare::Bare>(child.any()).unwrap();
    for (upcast, expected) in [
        (
            Box::new(|| _ = child.upcast::<Pawn>()) as Box<dyn Fn()>,
            "Test.BareChild is not a child class of Engine.Pawn; to test the class of the actor, call `level.cast`",
        ),
        (
            Box::new(|| _ = downwards.upcast::<bare::Child>()),
            "Test.Bare is not a child class of Test.BareChild; to test the class of the actor, call `level.cast`",
        ),
    ] {
        let panic = catch_unwind(AssertUnwindSafe(upcast)).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some(expected));
    }
}

#[test]
fn a_mutable_reference_to_a_stage_is_a_stage() {
    fn crowd(mut stage: impl Stage) -> usize {
        stage.spawn::<bare::Child>(Spawn::new()).unwrap();
        stage.actors().count()
    }
    let mut level = Level::new(Rules::ue2());
    level.start();
    let before = level.actors().count();
    assert_eq!([crowd(&mut level), crowd(&mut &mut level)], [before + 1, before + 2]);
}

thread_local! {
    /// Its destructor is the first to use a class, and saves a level.
    static LAST: LastUse = const { LastUse };
}

struct LastUse;

impl Drop for LastUse {
    fn drop(&mut self) {
        described!(Late, "Test.Late", Pawn::class());
        ENDED.store(Late::class().name() == "Test.Late" && is_saved(), Ordering::Relaxed);
    }
}

/// Whether a level with a pawn can be saved. The pawn has an owner, so that a reference is saved.
fn is_saved() -> bool {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let owner = level.spawn::<Pawn>(Spawn::new()).unwrap();
    level.spawn::<Pawn>(Spawn::new().owned_by(owner)).unwrap();
    level.save().is_ok()
}

static ENDED: AtomicBool = AtomicBool::new(false);

#[test]
fn classes_are_used_and_levels_saved_at_the_end_of_a_thread() {
    let _alone = alone();
    let thread = thread::spawn(|| {
        // Touched first, so its destructor runs after those of the thread-locals that the crate uses here.
        LAST.with(|_| ());
        described!(Early, "Test.Early", Pawn::class());
        assert!(Early::class().name() == "Test.Early" && is_saved());
    });
    thread.join().unwrap();
    assert!(ENDED.load(Ordering::Relaxed));
}
