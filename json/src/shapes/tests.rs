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

/// Even keys that share a place are remembered, because documents repeat the same keys in the same order.
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

/// Reads documents of one table with these keys, and returns how many of them got a shape.
fn read_documents(shapes: &mut Shapes, count: u32, mut keys: impl FnMut(u32) -> [String; 2]) -> u32 {
    let mut got = 0;
    for document in 0..count {
        let keys = keys(document);
        let [first, second] = &keys;
        if shapes.pauses() {
            for key in &keys {
                shapes.key(key);
            }
        } else {
            match read(shapes, &[first, second]) {
                (keys, true) => {
                    shapes.shape(keys);
                    got += 1;
                }
                (_, false) => shapes.count_own(),
            }
        }
        shapes.clear();
    }
    got
}

#[test]
fn changing_keys_are_not_noted_for_a_while() {
    let mut count = 0;
    let mut new = |_| {
        count += 1;
        [0, 1].map(|key| format!("new key {count} {key}"))
    };
    let same = |_| ["id", "name"].map(str::to_owned);
    let mut shapes = Shapes::default();
    read_documents(&mut shapes, JUDGED - 1, &mut new);
    assert!(!shapes.pauses());
    read_documents(&mut shapes, 1, &mut new);
    assert_eq!((shapes.pause, shapes.keys.len(), shapes.nodes.len()), (PAUSES.0, 0, 1));
    // Each pause is twice as long as the one before, up to a limit.
    for next in [13, 14, 15, 16, 16] {
        let pause = shapes.pause;
        read_documents(&mut shapes, pause / 2, &mut new);
        assert!(!shapes.pauses());
        read_documents(&mut shapes, JUDGED, &mut new);
        assert_eq!(shapes.pause, 1 << next);
    }
    // Keys that come again get shapes after the pause, and then there is none.
    let pause = shapes.pause;
    read_documents(&mut shapes, pause / 2, same);
    assert_eq!(read_documents(&mut shapes, 10 * JUDGED, same), 10 * JUDGED - 1);
    assert_eq!((shapes.pause, shapes.last_pause), (0, 0));
    // Keys that change in a few of the tables do no harm.
    let mixed = |nth: u32| if nth % 3 == 0 { new(nth) } else { same(nth) };
    read_documents(&mut shapes, 10 * JUDGED, mixed);
    assert!(!shapes.pauses());
}
