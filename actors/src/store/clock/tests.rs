use super::Clock;
use crate::stage::access::Access;
use crate::{Level, Pawn, Repeat, Rules, Spawn, Stage};

#[test]
fn the_alarms_of_the_dead_are_removed() {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let lasting = level.spawn::<Pawn>(Spawn::new()).unwrap();
    level.set_timer(lasting, 1e6, Repeat::Once);
    for _ in 0..1000 {
        let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
        level.set_timer(pawn, 1e6, Repeat::Once);
        level.tick(0.1);
        level.destroy(pawn);
    }
    let clock = &level.inner().clock;
    assert!(clock.len <= Clock::FEW, "{} alarms", clock.len);
    assert_eq!(clock.alarms.values().map(Vec::len).sum::<usize>(), clock.len);
    assert!(level.inner().alarm(lasting.any()).is_some());
}

#[test]
fn a_timer_that_is_set_in_each_frame_has_one_alarm() {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
    for _ in 0..100 {
        level.set_timer(pawn, 100.0, Repeat::Looping);
        level.tick(0.1);
    }
    assert_eq!(level.inner().clock.len, 1);
}
