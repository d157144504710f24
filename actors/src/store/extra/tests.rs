use crate::{Actor, ClassBuilder, Level, Name, NativeActorRef, Pawn, Rules, Spawn, SpawnEx, Stage, actor};

#[derive(Default)]
struct Worker;

impl Actor for Worker {
    actor!(Worker, "Test.Worker");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.state("Idle").auto();
        class.state("Busy");
    }
}

#[test]
fn an_actor_has_its_class_s_properties_until_they_are_changed() {
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");
    let one = level.spawn::<Pawn>(Spawn::new()).unwrap();
    let other = level.spawn::<Pawn>(Spawn::new()).unwrap();
    level.properties_mut(one).unwrap().tag = Name::new("Leader");
    assert_eq!(level.properties(one).unwrap().tag, Name::new("Leader"));
    assert_eq!(level.properties(other).unwrap().tag, Name::new("Pawn"));
    // The next actor in its slot inherits nothing.
    let reference = NativeActorRef::new(&mut level, Some(one.any()));
    assert!(level.destroy(one) && reference.is_none());
    let next = level.spawn::<Pawn>(Spawn::new()).unwrap();
    assert_eq!(level.properties(next).unwrap().tag, Name::new("Pawn"));
    assert!(reference.is_none());
}

#[test]
fn given_names_and_paused_states_end_with_the_actor() {
    let mut level = Level::new(Rules::ue3());
    level.begin_play("");
    let request = SpawnEx {
        name: Name::new("Foreman"),
        ..SpawnEx::default()
    };
    let one = level.spawn_ex(Some(Worker::class()), &request).unwrap();
    assert_eq!(level.name(one).unwrap(), "Foreman");
    assert!(level.push_state(one, "Busy") && level.destroy(one));
    // The next actor reuses its extra, emptied.
    let next = level.spawn::<Worker>(Spawn::new()).unwrap();
    assert_eq!(next.index(), one.index());
    assert!(level.push_state(next, "Busy"));
    assert_eq!(level.paused_states(next), [Name::new("Idle")]);
    assert!(level.name(next).unwrap().starts_with("Worker"));
}
