//! The samples of the seeds' pages on actors: destroying one, spawning one, and references to actors in objects.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use acedia::{Object, Owned, class, free};
use acedia_actors::{
    Actor, ActorClass, ActorRef, ClassBuilder, Level, NativeActorRef, NetMode, Pawn, Recorder, Role, Rules, Spawn,
    SpawnError, SpawnEx, Stage, Vector, Warning, actor,
};

fn playing(rules: Rules) -> Level {
    let mut level = Level::new(rules);
    level.begin_play("");
    level
}

/// The recorded events of actors of the class `name`, without rows and numbers.
fn story(recorder: &Recorder, name: &str) -> Vec<String> {
    let digit = |c: char| c.is_ascii_digit();
    let lines = recorder.lines().into_iter();
    let lines = lines.filter_map(|line| Some(line.split_once(' ')?.1.replace(digit, "")));
    lines.filter(|line| line.contains(name)).collect()
}

// local Actor Before, After;
// Before = Self;
// // logs "False True True"
// log(bDeleteMe @ Destroy() @ bDeleteMe);
// After = Self;
// // logs 3 Accessed None warnings, then logs "True False False False",
// log(bDeleteMe @ Self.bDeleteMe @ Before.bDeleteMe @ After.bDeleteMe);
// // logs 3x this actor's name
// log(Self @ Before @ After);
pub(crate) fn destruction_test() {
    static TESTED: AtomicU32 = AtomicU32::new(0);
    #[derive(Default)]
    struct Tested {
        delete_me: bool,
    }
    impl Actor for Tested {
        actor!(Tested, "Rosetta.Tested");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("DestructionTest").begin_state(|cx, _| {
                let before = cx.me();
                assert_eq!((cx.is_deleted(), cx.destroy(), cx.is_deleted()), (false, true, true));
                cx.delete_me = cx.is_deleted();
                let after = cx.me();
                let itself = cx.me();
                let through = [itself, before, after].map(|it| cx.others.value_or_null(it, |it| it.delete_me));
                assert_eq!((cx.delete_me, through), (true, [false; 3]));
                assert_eq!(cx.others.take_warnings(), [const { Warning::AccessedNone }; 3]);
                let names = [itself, before, after].map(|it| cx.others.name(it).unwrap());
                assert!(names.iter().all(|name| *name == names[0] && name.starts_with("Tested")));
                TESTED.fetch_add(1, SeqCst);
            });
        }
    }
    for rules in [Rules::ue1(), Rules::ue2(), Rules::ue3()] {
        let mut level = playing(rules);
        let tested = level.spawn::<Tested>(Spawn::new()).unwrap();
        level.goto_state(tested, "DestructionTest");
        assert!(!level.is_alive(tested));
    }
    assert_eq!(TESTED.load(SeqCst), 3);
}

/// For the samples that follow: with every event, and a state.
#[derive(Default)]
struct Crate;
impl Actor for Crate {
    actor!(Crate, "Rosetta.Crate");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.state("Closed").auto();
    }
}

// The EndState() event is called. Next, the Destroyed() event. Detach(), BaseChange(). UnTouch(). Lastly LostChild().
pub(crate) fn summary_of_destruction() {
    let mut level = playing(Rules::ue2());
    let [owner, base, rider] = [0; 3].map(|_| level.spawn::<Crate>(Spawn::new()).unwrap().any());
    let one = level.spawn::<Crate>(Spawn::new().owned_by(owner)).unwrap();
    level.set_base(one, Some(base));
    level.set_base(rider, Some(one.any()));
    let recorder = Recorder::default();
    level.set_sink(recorder.clone());
    assert!(level.destroy(one), "between the call to Destroy() and its return");
    assert_eq!(
        story(&recorder, "Crate"),
        [
            "Crate.EndState()",
            "Crate.Destroyed()",
            "Crate.Detach(Crate)",
            "Crate.BaseChange()",
            "Crate.Detach(Crate)",
            "Crate.BaseChange()",
            "Crate.LostChild(Crate)",
            "- Crate",
        ]
    );
    // Actors with bStatic or bNoDelete cannot be destroyed.
    let info = level.level_info().unwrap();
    assert!(!level.destroy(info) && level.is_alive(info));
}

// Neither can replicated actors with the bNetTemporary flag set to False on a network client, unless they are no longer
// network relevant to that client.
pub(crate) fn replicated_actors() {
    let mut level = playing(Rules::ue2());
    level.settings_mut().net_mode = NetMode::Client;
    let [kept, temporary] = [0; 2].map(|_| level.receive::<Crate>(Vector::default(), None).unwrap());
    level.properties_mut(temporary).unwrap().net_temporary = true;
    assert!(!level.destroy(kept) && level.destroy(temporary));
    assert!(level.lose_relevance(kept) && !level.is_alive(kept));
    // If it becomes relevant again, it is spawned again as if it was new.
    let again = level.receive::<Crate>(Vector::default(), None).unwrap();
    assert!(level.is_alive(again) && !level.is_alive(kept));
    // The values of Role and RemoteRole are exchanged.
    let properties = level.properties(again).unwrap();
    assert_eq!((properties.role, properties.remote_role), (Role::Dumb, Role::Authority));
}

// if( GetFlags() & RF_Unreachable )
//     return NULL;
// if( !Class )
// if( Class->ClassFlags & CLASS_Abstract )
// else if( !Class->IsChildOf(AActor::StaticClass()) )
// else if( !GIsEditor && (Class->GetDefaultActor()->bStatic || Class->GetDefaultActor()->bNoDelete) )
//     if ( !bNoFail )
// if( !GIsEditor && Class->GetDefaultActor()->bHighDetail && !bNoFail )
pub(crate) fn spawn_actor_checks() {
    #[derive(Default)]
    struct Sparks;
    impl Actor for Sparks {
        actor!(Sparks, "Rosetta.Sparks");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.defaults(|it| it.high_detail = true);
        }
    }
    let mut level = playing(Rules::ue2());
    level.set_collecting(true);
    assert_eq!(level.try_spawn::<Crate>(Spawn::new()), Err(SpawnError::Collecting));
    level.set_collecting(false);
    let mut said = |class| level.spawn_ex(class, &SpawnEx::default()).unwrap_err().to_string();
    assert_eq!(said(None), "spawn failed because no class was specified");
    let root = ActorClass::root();
    assert_eq!(
        said(Some(root.into())),
        "spawn failed because class Engine.Actor is abstract; spawn a child class"
    );
    assert_eq!(
        said(Some(NativeActorRef::class().into())),
        "spawn failed because Acedia.NativeActorRef is not an actor class"
    );
    let info = acedia_actors::LevelInfo::class();
    assert!(said(Some(info.into())).contains("static"));
    level.settings_mut().drop_detail = true;
    assert_eq!(level.try_spawn::<Sparks>(Spawn::new()), Err(SpawnError::Detail));
    let no_fail = SpawnEx {
        no_fail: true,
        ..SpawnEx::default()
    };
    assert!(level.spawn_ex(Some(Sparks::class().into()), &no_fail).is_ok());
    assert!(level.spawn_ex(Some(info.into()), &no_fail).is_ok());
}

// Actor->Tag = Class->GetFName(); … Actor->SetOwner( Owner ); … Actor->Instigator = Instigator;
// // Send messages. // Set the actor's zone. // Check for encroachment. // Send PostBeginPlay. // Init scripting. // Find Base
// if ( !bRemoteOwned )
pub(crate) fn spawn_actor_sequence() {
    let events = |rules: Rules| {
        let mut level = playing(rules);
        let owner = level.spawn::<Pawn>(Spawn::new()).unwrap();
        let recorder = Recorder::default();
        level.set_sink(recorder.clone());
        let actor = level.spawn::<Crate>(Spawn::new().owned_by(owner).tag("Prize")).unwrap();
        assert_eq!(level.properties(actor).unwrap().tag.as_str(), "Prize");
        story(&recorder, "Crate")
    };
    assert_eq!(
        events(Rules::ue2()),
        [
            "+ Crate",
            "Pawn.GainedChild(Crate)",
            "Crate.native InitPhysics()",
            "Crate.native Spawned()",
            "Crate.PreBeginPlay()",
            "Crate.BeginPlay()",
            "Crate.PostBeginPlay()",
            "Crate.native PostBeginPlay()",
            "Crate.SetInitialState()",
            "Crate.BeginState()",
            "Crate.PostNetBeginPlay()",
        ]
    );
    // Before calling PreBeginPlay(), the UnrealScript event Spawned() is called.
    assert!(events(Rules::ue1()).contains(&"Crate.Spawned()".to_owned()));
    // The BeginPlay() and PostNetBeginPlay() functions have been removed.
    let third = events(Rules::ue3());
    assert!(
        !third
            .iter()
            .any(|step| step.contains(".BeginPlay") || step.contains("PostNet"))
    );
    assert_eq!(third.last().unwrap(), "Crate.PostBeginPlay()");
}

// It is possible to call Destroy() on the spawned actor at any point during initialization.
// if( Actor->bDeleteMe && !bNoFail )
//     return NULL;
pub(crate) fn destroyed_while_it_is_spawned() {
    #[derive(Default)]
    struct Shy;
    impl Actor for Shy {
        actor!(Shy, "Rosetta.Shy");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.post_begin_play(|cx| _ = cx.destroy());
        }
    }
    let mut level = playing(Rules::ue2());
    let recorder = Recorder::default();
    level.set_sink(recorder.clone());
    assert_eq!(level.try_spawn::<Shy>(Spawn::new()), Err(SpawnError::Destroyed));
    assert_eq!(story(&recorder, "Shy").last().unwrap(), "- Shy", "initialization stops");
}

// bScriptInitialized = True;
pub(crate) fn script_initialized() {
    static BEGUN: AtomicU32 = AtomicU32::new(0);
    #[derive(Default)]
    struct Seed;
    impl Actor for Seed {
        actor!(Seed, "Rosetta.Seed");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.begin_play(|_| _ = BEGUN.fetch_add(1, SeqCst));
        }
    }
    #[derive(Default)]
    struct Sower;
    impl Actor for Sower {
        actor!(Sower, "Rosetta.Sower");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.pre_begin_play(|cx| assert!(cx.spawn::<Seed>(Spawn::new()).is_some()));
        }
    }
    for (rules, times) in [(Rules::ue1(), 2), (Rules::ue2(), 1)] {
        let mut level = Level::new(rules);
        level.place::<Sower>(Spawn::new()).unwrap();
        BEGUN.store(0, SeqCst);
        level.begin_play("");
        assert_eq!(
            BEGUN.load(SeqCst),
            times,
            "map start-up leaves the initialised ones alone"
        );
    }
}

// A SpawnNotify can actually change the actor eventually returned by the Spawn() call.
pub(crate) fn spawn_notification() {
    #[derive(Default)]
    struct Swap {
        base: acedia_actors::SpawnNotify,
        instead: Option<ActorRef>,
    }
    impl Actor for Swap {
        actor!(Swap, "Rosetta.Swap", parent = acedia_actors::SpawnNotify, in base);
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.spawn_notification(|cx, actor| cx.instead.or(Some(actor)));
        }
    }
    let mut level = playing(Rules::ue1());
    let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap().any();
    let swap = level.spawn::<Swap>(Spawn::new()).unwrap();
    let swapped = level.get_mut(swap).unwrap();
    swapped.instead = Some(pawn);
    swapped.base.actor_class = Some(Crate::class());
    assert_eq!(level.spawn::<Crate>(Spawn::new()).map(ActorRef::any), Some(pawn));
    assert!(level.spawn::<Pawn>(Spawn::new()).is_some_and(|it| it.any() != pawn));
}

// class MyObject extends AcediaObject;
// var NativeActorRef pawnReference;
// protected function Finalizer()
//     _.memory.Free(pawnReference); // This does not destroy stored pawn!
// function Pawn GetMyPawn()
//     return Pawn(pawnReference.Get());
// function SetMyPawn(Pawn newPawn)
//     pawnReference = _.unreal.ActorRef(newPawn);
// function DoWork()
//     // <Some code that might `Destroy()` our pawn>
//     myPawn.health += 10;
pub(crate) fn native_actor_ref() {
    #[derive(Default)]
    struct Patient {
        base: Pawn,
        health: i32,
    }
    impl Actor for Patient {
        actor!(Patient, "Rosetta.Patient", parent = Pawn, in base);
    }
    #[derive(Default)]
    struct MyObject {
        pawn: Option<Owned<NativeActorRef>>,
    }
    impl Object for MyObject {
        class!(MyObject, "Rosetta.MyObject");
        const FINALIZER: Option<fn(&mut Self)> = Some(|it| it.pawn = None);
    }
    impl MyObject {
        fn my_pawn(&self, level: &Level) -> Option<ActorRef<Patient>> {
            level.cast(self.pawn.as_ref()?.get()?)
        }
        fn do_work(&self, level: &mut Level, dangerous: impl FnOnce(&mut Level)) -> bool {
            let before = self.my_pawn(level);
            dangerous(level);
            // No need to check again: an old reference is checked at each access.
            assert_eq!(self.my_pawn(level), before.filter(|it| level.is_alive(*it)));
            let healed = before.and_then(|it| level.get_mut(it)).map(|it| it.health += 10);
            healed.is_some()
        }
    }
    let mut level = playing(Rules::ue2());
    let pawn = level.spawn::<Patient>(Spawn::new()).unwrap();
    let object = MyObject::allocate_with(|it| it.pawn = Some(NativeActorRef::new(&mut level, Some(pawn.any()))));
    assert!(object.do_work(&mut level, |_| ()));
    assert_eq!(level.get(pawn).unwrap().health, 10);
    assert!(!object.do_work(&mut level, |level| assert!(level.destroy(pawn))));
    assert_eq!(object.my_pawn(&level), None);

    let next = level.spawn::<Patient>(Spawn::new()).unwrap();
    object.pawn.as_ref().unwrap().set(&mut level, Some(next.any()));
    assert_eq!(object.my_pawn(&level), Some(next));
    free(object);
    assert!(level.is_alive(next), "this does not destroy the stored pawn");
    assert_eq!(NativeActorRef::class().stats().live, 0);
}
