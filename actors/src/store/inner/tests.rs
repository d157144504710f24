use crate::stage::access::Access;
use crate::store::lives::{Lives, Source};
use crate::{Actor, ClassBuilder, Level, Mutator, NativeActorRef, Rules, Spawn, Stage, Warning, actor};

/// Destroys itself again during its destruction, and once more when it is dead.
#[derive(Default)]
struct Mayfly;

impl Actor for Mayfly {
    actor!(Mayfly, "Test.Mayfly");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.destroyed(|cx| {
            let me = cx.me();
            if !cx.is_deleted() && cx.properties().brush.is_none() {
                cx.properties_mut().brush = Some(1);
                assert!(cx.destroy() && cx.is_deleted() && cx.destroy());
                assert!(!cx.others.is_alive(me) && cx.others.name(me).is_some());
            }
        });
    }
}

#[test]
fn the_dead_are_swept_from_all_lists() {
    let mut level = Level::new(Rules::ue1());
    level.begin_play("");
    let judge = level.spawn::<Mutator>(Spawn::new()).unwrap();
    for _ in 0..2 {
        level.add_mutator(judge);
    }
    assert_eq!(level.inner().mutators, [judge.any()]);
    for _ in 0..200 {
        let short_lived = level.spawn::<Mayfly>(Spawn::new()).unwrap();
        level.add_mutator(short_lived);
        level.add_notifier(short_lived);
        assert!(level.destroy(short_lived));
        level.add_mutator(short_lived);
        assert_eq!(level.take_warnings(), [Warning::AccessedNone]);
    }
    let lists = [&level.inner().order, &level.inner().mutators, &level.inner().notifiers];
    assert!(lists.iter().all(|list| list.len() < 100), "{lists:?}");
    assert_eq!(level.inner().mutators[0], judge.any());
}

#[test]
fn a_slot_whose_lives_are_used_up_is_worn() {
    static USED_UP: Source = Source::new(u32::MAX);
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");
    let early = level.spawn::<Mayfly>(Spawn::new()).unwrap();
    let slot = early.index();
    level.inner_mut().lives = Lives::of(&USED_UP);
    level.inner_mut().heads[slot].life = u32::MAX - 1; // the last of a block
    let last = level.inner().reference(slot).unwrap().typed::<Mayfly>();
    assert!(level.is_alive(last) && !level.is_alive(early));
    let reference = NativeActorRef::new(&mut level, Some(last.any()));
    assert!(level.destroy(last) && reference.is_none());
    assert!(level.inner().reference(slot).is_none(), "nobody is there any more");
    for _ in 0..3 {
        assert!(level.spawn::<Mayfly>(Spawn::new()).is_none(), "no slot has a life left");
    }
    for old in [early, last] {
        assert!(!level.is_alive(old) && level.get(old).is_none() && level.name(old).is_none());
    }
}
