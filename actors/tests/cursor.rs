//! Iteration over the actors of a level while handlers change it.

mod common;

use acedia_actors::{Actor, ActorRef, Event, Level, Pawn, PhysicsVolume, PlayerController, Rules, Spawn, Stage};
use common::*;

fn things(level: &mut Level, count: usize) -> Vec<ActorRef<Thing>> {
    (0..count).map(|_| level.spawn(Spawn::new()).unwrap()).collect()
}

#[test]
fn the_dead_are_left_out_and_the_new_come_last() {
    let (mut level, _) = level(Rules::ue2());
    let all = things(&mut level, 5);
    level.spawn::<Keeper>(Spawn::new()).unwrap();
    let mut cursor = level.all::<Thing>();
    assert_eq!(cursor.next(&level), Some(all[0]));
    assert!(level.destroy(all[0]) && level.destroy(all[1]));
    // In slots of the dead.
    let new = things(&mut level, 2);
    for expected in [all[2], all[3], all[4], new[0], new[1]] {
        assert_eq!(cursor.next(&level), Some(expected));
    }
    assert_eq!((cursor.next(&level), cursor.next(&level)), (None, None));
    let late = things(&mut level, 1);
    assert_eq!((cursor.next(&level), cursor.next(&level)), (Some(late[0]), None));
}

#[test]
fn a_list_that_is_tidied_up_meanwhile_makes_no_difference() {
    let (mut level, _) = level(Rules::ue2());
    let all = things(&mut level, 10);
    let mut cursor = level.all::<Thing>();
    for expected in &all[..5] {
        assert_eq!(cursor.next(&level), Some(*expected));
    }
    for actor in &all[..4] {
        level.destroy(*actor);
    }
    // So many dead entries that the list is swept several times.
    for _ in 0..if cfg!(miri) { 200 } else { 1000 } {
        let [passer] = things(&mut level, 1)[..] else {
            unreachable!()
        };
        level.destroy(passer);
    }
    for expected in &all[5..] {
        assert_eq!(cursor.next(&level), Some(*expected));
    }
    assert_eq!(cursor.next(&level), None);
}

#[test]
fn the_first_of_a_class_is_found_although_the_list_was_tidied_up_since_there_was_none() {
    let (mut level, _) = level(Rules::ue2());
    let mut cursor = level.all::<Keeper>();
    let passers = things(&mut level, 100);
    assert_eq!(cursor.next(&level), None);
    for passer in passers {
        level.destroy(passer);
    }
    let first = level.spawn::<Keeper>(Spawn::new());
    assert_eq!((cursor.next(&level), cursor.next(&level)), (first, None));
}

/// Returns how many values there are.
fn compare_values<T: Actor>(level: &Level) -> usize {
    let mut cursor = level.all::<T>();
    let mut count = 0;
    for (actor, value) in level.values::<T>() {
        assert_eq!(cursor.next(level), Some(actor));
        assert!(std::ptr::eq(level.get(actor).unwrap(), value));
        count += 1;
    }
    assert_eq!(cursor.next(level), None);
    count
}

#[test]
fn values_are_those_of_the_cursor() {
    let (mut level, _) = level(Rules::ue2());
    let mut soldiers = Vec::new();
    for turn in 0..40 {
        level.spawn::<Pawn>(Spawn::new()).unwrap();
        things(&mut level, 2);
        soldiers.push(level.spawn::<Soldier>(Spawn::new()).unwrap());
        if turn % 3 == 0 {
            level.destroy(soldiers.remove(turn / 6));
        }
    }
    assert_eq!(compare_values::<Soldier>(&level), soldiers.len());
    assert_eq!(compare_values::<Pawn>(&level), 40 + soldiers.len());
    assert_eq!(
        (
            compare_values::<Thing>(&level),
            compare_values::<PlayerController>(&level)
        ),
        (80, 0)
    );
}

#[test]
fn classes_below_are_met_too_and_handlers_may_go_through_all() {
    let (mut level, recorder) = level(Rules::ue2());
    let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap().any();
    let soldier = level.spawn::<Soldier>(Spawn::new()).unwrap().any();
    let mut pawns = level.all_of(Pawn::class());
    assert_eq!([0; 3].map(|_| pawns.next(&level)), [Some(pawn), Some(soldier), None]);
    when(Event::BeginState, |hand, _| {
        let mut others = hand.others();
        let mut things = others.all::<Thing>();
        while let Some(thing) = things.next(&others) {
            assert!(others.destroy(thing));
        }
    });
    // Each destroys all, itself included.
    assert!((0..3).all(|_| level.spawn::<Thing>(Spawn::new()).is_none()));
    assert_eq!(rows(&recorder, "K9").len(), 3);
}

#[test]
fn the_levels_own_actors_are_left_out_of_the_users() {
    for rules in all_rules() {
        let mut level = Level::new(rules);
        let own: Vec<_> = level.actors().collect();
        assert_eq!(own[0], level.level_info().unwrap().any());
        assert!(own.len() <= 2 && level.user_actors().next().is_none());
        // Of classes of the level's own actors, too.
        let place = Spawn::new();
        let mine = [
            level.place::<Pawn>(place).unwrap().any(),
            level.place::<PhysicsVolume>(place).unwrap().any(),
        ];
        assert!(level.user_actors().eq(mine));
        level.start();
        assert!(level.user_actors().eq(mine));
        let both: Vec<_> = level.actors().collect();
        assert_eq!(both, [own, mine.to_vec()].concat());
        when(Event::Tick, |hand, _| {
            assert_eq!(hand.others().user_actors().count(), 3);
            let me = hand.me();
            hand.others().destroy(me);
        });
        let thing = level.spawn::<Thing>(place).unwrap();
        level.tick(0.1);
        assert!(!level.is_alive(thing) && level.user_actors().eq(mine));
        script(|_, _, _| ());
    }
}
