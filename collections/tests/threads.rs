//! Collections that several threads use, and objects that are freed meanwhile.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use acedia_allocator::Owned;
use acedia_boxes::IntRef;
use acedia_collections::{ArrayList, HashTable, Item};

#[test]
fn changes_by_many_are_all_there() {
    let (list, table) = (ArrayList::new(), HashTable::new());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (list, table) = (list.clone(), table.clone());
            scope.spawn(move || {
                for i in 0..1000 {
                    list.write().push(i);
                    table.write().set(thread * 1000 + i, ArrayList::from([i]));
                }
            });
        }
    });
    assert_eq!((list.read().len(), table.read().len()), (4000, 4000));
    assert_eq!(list.read().iter().filter_map(Item::as_int).sum::<i32>(), 4 * 499_500);
}

/// One thread frees what another one reads: it sees the thing or nothing, and never another.
#[test]
fn things_freed_while_they_are_read() {
    let things = |round: i32| -> Vec<_> { (0..100).map(|i| IntRef::new(round * 100 + i)).collect() };
    let mut alive = things(0);
    let list = ArrayList::from(alive.iter().map(Owned::handle));
    let done = AtomicBool::new(false);
    let (mut seen, mut missed) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 1..2000 {
                alive = things(round); // frees those in the list, which may be being read
                let mut items = list.write();
                for (index, thing) in alive.iter().enumerate() {
                    items.set(index, thing.handle());
                }
            }
            done.store(true, SeqCst);
        });
        while !done.load(SeqCst) {
            for (index, item) in list.read().iter().enumerate() {
                match item.as_int() {
                    Some(value) => {
                        assert_eq!(usize::try_from(value).unwrap() % 100, index, "another one's");
                        seen += 1;
                    }
                    None => missed += 1,
                }
            }
        }
    });
    assert!(seen > 0 && missed > 0, "saw {seen} and missed {missed}");
}
