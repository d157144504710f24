use super::*;

fn queued(capacity: &Capacity) -> u64 {
    capacity.enter_or_queue(Waker::noop().clone()).expect_err("it is full")
}

#[test]
fn a_place_in_the_middle_is_given_up() {
    let capacity = Capacity::new(Some(1));
    capacity.try_enter().expect("the first has room");
    let [first, second, third] = [(); 3].map(|()| queued(&capacity));
    assert!(!capacity.give_up(second), "its room had not come");
    let has_come = |place| capacity.has_come(place, &mut Waker::noop().clone());
    assert!(capacity.leave().is_some() && has_come(first) && !has_come(third));
    assert!(
        capacity.leave().is_some() && has_come(third),
        "the room went to the place that was given up"
    );
    assert!(!capacity.is_awaited() && capacity.leave().is_none());
    capacity.try_enter().expect("all have left");
}

#[test]
fn places_at_the_head_and_the_end_are_given_up() {
    let capacity = Capacity::new(Some(1));
    capacity.try_enter().expect("the first has room");
    let [first, second] = [(); 2].map(|()| queued(&capacity));
    assert!(!capacity.give_up(second) && capacity.is_awaited());
    assert!(!capacity.give_up(first) && !capacity.is_awaited());
    let third = queued(&capacity);
    assert!(third > second, "places are never the same");
    assert!(
        capacity.leave().is_some() && capacity.give_up(third),
        "its room had come"
    );
}
