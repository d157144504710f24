//! Classes as values: found by name, and their static constructors and finalizers.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use acedia_actors::{
    Actor, ActorClass, ActorClassError, ActorRef, ClassBuilder, Level, NativeActorRef, Rules, Spawn, SpawnError, Stage,
    Warning, actor, load_actor_class,
};
use acedia_allocator::{Object, class, shutdown};
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

#[test]
fn names_that_lead_to_no_class_of_actors_are_explained() {
    let _alone = alone();
    assert_eq!(load_actor_class("  "), Err(ActorClassError::Empty));
    assert_eq!(
        load_actor_class("Twin"),
        Err(ActorClassError::Ambiguous {
            name: "Twin".into(),
            candidates: vec!["East.Twin", "West.Twin"],
            types: vec!["classes::Twin", "classes::west::Twin"],
        })
    );
    assert_eq!(
        load_actor_class("twin").unwrap_err().to_string(),
        "`twin` is ambiguous: it names `East.Twin` (classes::Twin) and `West.Twin` (classes::west::Twin)"
    );
    // Two of one name are told apart by their types.
    assert_eq!(
        load_actor_class("Same.Same").unwrap_err().to_string(),
        "`Same.Same` is ambiguous: it names `Same.Same` (classes::Same) and `Same.Same` (classes::west::Same)"
    );
    assert_eq!(
        load_actor_class("Acedia.NativeActorRef"),
        Err(ActorClassError::NotAnActor(NativeActorRef::class()))
    );
    let unknown = load_actor_class("Engine.Pown").unwrap_err();
    assert!(unknown.to_string().contains("did you mean `Engine.Pawn`?"), "{unknown}");
    let nothing_near = load_actor_class("\u{7}qqqqqqqqqq").unwrap_err().to_string();
    assert_eq!(nothing_near, "no class of actors is named `\\u{7}qqqqqqqqqq`");
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
        let mut refusal = |name| match level.spawn_by_name(name, Spawn::new()) {
            Err(SpawnError::Refused(warning)) => {
                assert_eq!(level.take_warnings(), std::slice::from_ref(&warning));
                warning
            }
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(refusal("Engine.Actor"), Warning::Abstract(ActorClass::root()));
        assert_eq!(
            refusal("Acedia.NativeActorRef"),
            Warning::NotAnActor("Acedia.NativeActorRef")
        );
        assert!(matches!(
            refusal("No.Such"),
            Warning::UnknownClass(ActorClassError::Unknown { .. })
        ));
        assert!(matches!(
            refusal("Twin"),
            Warning::UnknownClass(ActorClassError::Ambiguous { .. })
        ));
        assert_eq!(refusal(""), Warning::UnknownClass(ActorClassError::Empty));
        level.set_collecting(true);
        let collecting = level.spawn_by_name("Some.Package.Unused", Spawn::new());
        assert_eq!(collecting, Err(SpawnError::Collecting));
    }
}

/// What ran, in order.
static ORDER: Mutex<Vec<&str>> = Mutex::new(Vec::new());

fn note(what: &'static str) {
    ORDER.lock().unwrap().push(what);
}

#[derive(Default)]
struct Band;
impl Actor for Band {
    actor!(Band, "Test.Band");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.begin_play(|_| note("band plays"));
    }
    fn constructor(&mut self) {
        note("band");
    }
    fn static_constructor() {
        note("band +");
        // Of its own class, and of the level that waits for nobody.
        let mut level = Level::new(Rules::ue2());
        assert!(level.spawn::<Band>(Spawn::new()).is_some());
        // An object's class that is constructed meanwhile is finalized later.
        drop(Stand::allocate());
        note("band ready");
    }
    fn static_finalizer() {
        note("band -");
    }
}

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
fn a_static_constructor_that_panics_is_tried_again() {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    #[derive(Default)]
    struct Clumsy;
    impl Actor for Clumsy {
        actor!(Clumsy, "Test.Clumsy");
        fn static_constructor() {
            assert!(TRIES.fetch_add(1, Ordering::Relaxed) > 0, "on purpose");
        }
    }
    let _alone = alone();
    let (mut level, recorder) = level(Rules::ue2());
    let before = level.actors().count();
    assert!(catch_unwind(AssertUnwindSafe(|| level.spawn::<Clumsy>(Spawn::new()))).is_err());
    assert_eq!((level.actors().count(), steps(&recorder).len()), (before, 0));
    assert!(level.spawn::<Clumsy>(Spawn::new()).is_some());
    assert!(level.spawn::<Clumsy>(Spawn::new()).is_some());
    assert_eq!(TRIES.load(Ordering::Relaxed), 2);
}

#[test]
fn levels_on_several_threads_wait_for_one_static_constructor() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    static DONE: AtomicUsize = AtomicUsize::new(0);
    #[derive(Default)]
    struct Slow;
    impl Actor for Slow {
        actor!(Slow, "Test.Slow");
        fn static_constructor() {
            RUNS.fetch_add(1, Ordering::SeqCst);
            thread::sleep(std::time::Duration::from_millis(20));
            DONE.fetch_add(1, Ordering::SeqCst);
        }
        fn constructor(&mut self) {
            assert_eq!(DONE.load(Ordering::SeqCst), 1);
        }
    }
    let _alone = alone();
    thread::scope(|scope| {
        let threads =
            [0; 4].map(|_| scope.spawn(|| assert!(Level::new(Rules::ue2()).spawn::<Slow>(Spawn::new()).is_some())));
        for thread in threads {
            thread.join().unwrap();
        }
    });
    assert_eq!(RUNS.load(Ordering::SeqCst), 1);
}
