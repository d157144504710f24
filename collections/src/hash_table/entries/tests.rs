use std::collections::VecDeque;

use acedia::Owned;
use acedia_boxes::IntRef;

use super::*;

/// The number of entries visited while the keys of a full table die one by one, each followed by a new key: those before the first
/// living one, and all of them at each sweep.
fn steps(rounds: i32, dies: fn(&mut VecDeque<Owned<IntRef>>) -> Option<Owned<IntRef>>) -> usize {
    let (mut entries, mut keys) = (Entries::default(), VecDeque::new());
    let add = |entries: &mut Entries, keys: &mut VecDeque<Owned<IntRef>>| {
        let key = IntRef::new(0);
        entries.insert(key.handle().into(), Item::NONE);
        keys.push_back(key);
    };
    (0..1000).for_each(|_| add(&mut entries, &mut keys));
    while entries.0.own().is_some_and(|own| !own.table.is_full()) {
        add(&mut entries, &mut keys);
    }
    let mut steps = 0;
    for _ in 0..rounds {
        drop(dies(&mut keys));
        let all = entries.0.own().map_or(0, |own| own.table.len());
        add(&mut entries, &mut keys);
        let stored = entries.0.own().map_or(&[][..], |own| own.table.all());
        steps += 1 + stored.iter().take_while(|stored| stored.key.is_none()).count();
        if stored.len() < all {
            steps += all;
        }
    }
    assert_eq!(entries.len(), keys.len());
    steps
}

#[test]
fn keys_that_die_cost_no_more_in_a_full_table() {
    for rounds in [2000, 8000] {
        for dies in [VecDeque::pop_front, VecDeque::pop_back] {
            let steps = steps(rounds, dies);
            assert!(steps < 6 * usize::try_from(rounds).unwrap(), "{steps} for {rounds}");
        }
    }
}
