use super::*;

fn stored(number: i32) -> Stored {
    Stored {
        // Three entries have the same hash.
        hash: u64::from(number.unsigned_abs()) / 3,
        key: number.into(),
        value: number.into(),
    }
}

/// Entries that come and go, few and many, compared with a vector.
#[test]
fn as_a_vector() {
    let mut random = 1_u64;
    let mut next = |end: usize| {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        usize::try_from(random >> 33).expect("31 bits") % end
    };
    // With a table of places, without one, with one and few entries, with holes, without entries.
    let mut seen = [0; 5];
    for _ in 0..50 {
        let (mut table, mut model) = (Ordered::default(), Vec::new());
        let most = 4 + next(2 * FEW);
        for number in 0..300 {
            if model.len() < most && next(2) == 0 {
                table.push(stored(number));
                model.push(number);
            } else if !model.is_empty() {
                let at = next(model.len());
                let number = model[at];
                let place = table.find(stored(number).hash, |stored| stored.key.as_int() == Some(number));
                let place = place.expect("was put in");
                model.remove(at);
                let removed = table.remove(place);
                assert_eq!(removed.value.as_int(), Some(number));
            }
            if next(20) == 0 {
                table.shrink_to(0);
            }
            let live: Vec<_> = table.all().iter().filter_map(|stored| stored.key.as_int()).collect();
            assert_eq!((&live, table.len()), (&model, model.len()));
            assert!(table.capacity() >= table.len());
            assert!(table.all().first().is_none_or(|first| !first.key.is_hole()));
            assert!(table.holes <= table.len().max(FEW));
            assert!(table.places.is_empty() || table.places.len() == table.len());
            for number in model.iter().copied() {
                let found = table.find(stored(number).hash, |stored| stored.key.as_int() == Some(number));
                assert_eq!(found.and_then(|place| table.at(place)?.value.as_int()), Some(number));
            }
            let absent = |stored: &Stored| stored.key.as_int() == Some(-1);
            assert_eq!(table.find(stored(-1).hash, absent), None);
            let has_places = !table.places.is_empty();
            for (seen, is_so) in seen.iter_mut().zip([
                has_places,
                !has_places && table.len() > 0,
                has_places && table.len() < FEW,
                !table.is_whole(),
                table.len() == 0,
            ]) {
                *seen += usize::from(is_so);
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}

/// The entries and holes that are looked at while `rounds` times the entry at `place(len)` is taken out. With `refills`, another one
/// is put in each time.
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
    // A walk over what is left.
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
