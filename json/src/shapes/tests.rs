use super::*;

/// The keys of one table, and whether each has found its place.
fn read(shapes: &mut Shapes, keys: &[&str]) -> (Keys, bool) {
    let root = Keys::default();
    keys.iter().fold((root, true), |(so_far, all), key| {
        let key = shapes.key(key);
        match shapes.step(so_far, root, &key) {
            Some(next) => (next.keys, all),
            None => (so_far, false),
        }
    })
}

#[test]
fn the_next_document_expects_the_same_keys_and_finds_no_objects() {
    let mut shapes = Shapes::default();
    assert!(!read(&mut shapes, &["id", "na\"me"]).1, "they came for the first time");
    let (keys, all) = read(&mut shapes, &["id", "na\"me"]);
    assert!(all);
    assert_eq!(shapes.shape(keys).keys().len(), 2);
    shapes.clear();
    assert!(shapes.nodes.iter().all(|node| node.shape.is_none()));
    let is_next = |expected: &Expected, json: &str| expected.is_next(format!("{json}{}", " ".repeat(32)).as_bytes());
    let (json, first) = shapes.expected(shapes.first(Keys::default())).expect("a key");
    assert!(is_next(json, ",\"id\":"));
    let (json, Ahead { keys: both, .. }) = shapes.expected(first).expect("another key");
    assert!(both.0 == keys.0 && is_next(json, ",\"na\\\"me\":"));
    let names: Vec<_> = shapes.items(both).map(|item| crate::show(&item).to_string()).collect();
    assert_eq!(names, [r#""id""#, r#""na\"me""#]);
    assert_eq!(shapes.shape(both).keys().len(), 2);
}

#[test]
fn where_many_keys_were_met_others_have_a_place_next_time() {
    let many: Vec<_> = (0..=MOST_CHILDREN).map(|key| key.to_string()).collect();
    let mut shapes = Shapes::default();
    for key in &many {
        read(&mut shapes, &[key]);
    }
    let placed = many.iter().filter(|key| read(&mut shapes, &[key]).1).count();
    assert_eq!(placed, MOST_CHILDREN);
    shapes.clear();
    read(&mut shapes, &["another"]);
    assert!(read(&mut shapes, &["another"]).1);
}

#[test]
fn keys_that_come_once_are_not_remembered() {
    let mut shapes = Shapes::default();
    let count = 16 * Seen::PLACES;
    for key in 0..count {
        shapes.key(&format!("key {key}"));
    }
    assert!(shapes.keys.len() < 32, "one in 8,192 is taken for another");
    assert!(shapes.seen.count > count - 32);
    shapes.clear();
    assert_eq!(shapes.seen.count, 0, "a document of so many keys is forgotten");
}

/// Also those that have one place with others: documents have the same keys in the same order, again and again.
#[test]
fn keys_that_come_again_are_remembered() {
    for set in 0..50 {
        let mut shapes = Shapes::default();
        let keys: Vec<_> = (0..300).map(|key| format!("key {set} {key}")).collect();
        for _ in 0..20 {
            for key in &keys {
                shapes.key(key);
            }
        }
        assert_eq!(shapes.keys.len(), keys.len());
    }
}
