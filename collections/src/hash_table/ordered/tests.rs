use super::*;

fn stored(number: i32) -> Stored {
    Stored {
        // Three entries have the same hash.
        hash: u64::from(number.unsigned_abs()) / 3,
        key: number.into(),
        value: number.into(),
    }
}

/// The number of entries and holes visited while the entry at `place` is taken out `rounds` times. With `refills`, another entry is
/// put in each time.
fn steps(held: i32, rounds: i32, refills: bool, place: fn(&Ordered) -> usize) -> usize {
    let mut table = Ordered::default();
    (0..held).for_each(|number| table.push(stored(number)));
    let mut steps = 0;
    for number in held..held + rounds {
        let first = table.all().iter().position(|stored| !stored.key.is_hole());
        steps += 1 + first.expect("an entry");
        let (all, was_whole) = (table.entries.len(), table.holes == 0);
        table.remove(place(&table));
        if !was_whole && table.holes == 0 {
            steps += all;
        }
        if refills {
            let all = table.entries.len();
            table.push(stored(number));
            if table.entries.len() <= all {
                steps += all;
            }
        }
    }
    // One iteration over the remaining entries.
    steps + table.all().len()
}

/// A queue, a window, a stack, and a large table that has become small.
#[test]
fn no_step_is_for_what_was_once_held() {
    let first = |table: &Ordered| table.places().start;
    let last = |table: &Ordered| table.places().end - 1;
    let second = |table: &Ordered| {
        let places = table.places().skip(1);
        let mut living = places.filter(|place| table.at(*place).is_some_and(|stored| !stored.key.is_hole()));
        living.next().unwrap_or(table.first)
    };
    for place in [first, last, second] {
        for held in [100, 400, 1600] {
            for (rounds, refills) in [(held - 1, false), (4 * held, true)] {
                let steps = steps(held, rounds, refills, place);
                let most = usize::try_from(5 * rounds).unwrap();
                assert!(
                    (usize::try_from(rounds).unwrap()..most).contains(&steps),
                    "{steps} for {rounds} of {held}"
                );
            }
        }
    }
}

#[test]
fn a_table_of_places_that_is_far_too_large_is_not_cleared_again_and_again() {
    for kept in [0, 10_000] {
        let mut table = Ordered::default();
        (0..10_000).for_each(|number| table.push(stored(number)));
        while table.len() > 20 {
            table.remove(table.first);
        }
        assert_eq!(table.drain(kept).filter(|stored| !stored.key.is_hole()).count(), 20);
        let is_large = table.places.capacity() > 1000;
        assert_eq!((is_large, table.is_at_most(1000)), (kept > 0, false));
    }
}
