//! Going through the actors of a level while handlers change it.

mod common;

use acedia_actors::{Actor, ActorRef, Event, Level, Pawn, Rules, Spawn, Stage};
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
    // In the slots of the dead.
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
fn classes_below_are_met_too_and_handlers_may_go_through_all() {
    let (mut level, recorder) = level(Rules::ue2());
    let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap().any();
    let soldier = level.spawn::<Soldier>(Spawn::new()).unwrap().any();
    let mut pawns = level.all_of(Pawn::class());
    assert_eq!([0; 3].map(|_| pawns.next(&level)), [Some(pawn), Some(soldier), None]);
    script(|hand, event, _| {
        if event == Event::BeginState {
            let mut others = hand.others();
            let mut things = others.all::<Thing>();
            while let Some(thing) = things.next(&others) {
                assert!(others.destroy(thing));
            }
        }
    });
    // Each destroys all, itself included.
    assert!((0..3).all(|_| level.spawn::<Thing>(Spawn::new()).is_none()));
    assert_eq!(steps(&recorder).iter().filter(|step| step.starts_with("K9")).count(), 3);
}
