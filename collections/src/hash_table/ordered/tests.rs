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
                let removed = if next(3) == 0 {
                    table.fill_holes();
                    model.swap_remove(at);
                    table.swap_remove(at)
                } else {
                    model.remove(at);
                    table.remove(place)
                };
                assert_eq!(removed.value.as_int(), Some(number));
            }
            if next(20) == 0 {
                table.shrink_to(0);
            }
            let live: Vec<_> = table.all().iter().filter_map(|stored| stored.key.as_int()).collect();
            assert_eq!((&live, table.len()), (&model, model.len()));
            assert!(table.capacity() >= table.len());
            assert!(table.places.is_empty() || table.places.len() == table.len());
            for number in model.iter().copied() {
                let found = table.find(stored(number).hash, |stored| stored.key.as_int() == Some(number));
                assert_eq!(found.and_then(|place| table.all()[place].value.as_int()), Some(number));
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
