use super::*;

fn full() -> Room {
    let mut room = Room::default();
    assert!(room.try_enter(1), "the first has room");
    room
}

fn queued(room: &mut Room) -> u64 {
    room.enter_or_queue(1, &mut Some(Waker::noop().clone()))
        .expect_err("it is full")
}

#[test]
fn a_place_in_the_middle_is_given_up() {
    let room = &mut full();
    let [first, second, third] = [(); 3].map(|()| queued(room));
    assert!(room.give_up(second).is_some(), "its room had not come");
    let has_come = |room: &mut Room, place| room.has_come(place, &mut Some(Waker::noop().clone()));
    assert!(room.leave().is_some() && has_come(room, first) && !has_come(room, third));
    assert!(
        room.leave().is_some() && has_come(room, third),
        "the room went to the place that was given up"
    );
    assert!(!room.is_awaited() && room.leave().is_none());
    assert!(room.try_enter(1), "all have left");
}

#[test]
fn places_at_the_head_and_the_end_are_given_up() {
    let room = &mut full();
    let [first, second] = [(); 2].map(|()| queued(room));
    assert!(room.give_up(second).is_some() && room.is_awaited());
    assert!(room.give_up(first).is_some() && !room.is_awaited());
    let third = queued(room);
    assert!(third > second, "places are never the same");
    assert!(
        room.leave().is_some() && room.give_up(third).is_none(),
        "its room had come"
    );
}
