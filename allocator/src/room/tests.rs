use super::*;

fn queued(room: &Room) -> u64 {
    room.enter_or_queue(Waker::noop().clone()).expect_err("it is full")
}

#[test]
fn a_place_in_the_middle_is_given_up() {
    let room = Room::new(Some(1));
    room.try_enter().expect("the first has room");
    let [first, second, third] = [(); 3].map(|()| queued(&room));
    assert!(!room.give_up(second), "its room had not come");
    let has_come = |place| room.has_come(place, &mut Waker::noop().clone());
    assert!(room.leave().is_some() && has_come(first) && !has_come(third));
    assert!(
        room.leave().is_some() && has_come(third),
        "the room went to the place that was given up"
    );
    assert!(!room.is_awaited() && room.leave().is_none());
    room.try_enter().expect("all have left");
}

#[test]
fn places_at_the_head_and_the_end_are_given_up() {
    let room = Room::new(Some(1));
    room.try_enter().expect("the first has room");
    let [first, second] = [(); 2].map(|()| queued(&room));
    assert!(!room.give_up(second) && room.is_awaited());
    assert!(!room.give_up(first) && !room.is_awaited());
    let third = queued(&room);
    assert!(third > second, "places are never the same");
    assert!(room.leave().is_some() && room.give_up(third), "its room had come");
}
