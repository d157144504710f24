use acedia_boxes::IntRef;

use super::*;

/// The changes to a store that has three items.
const CHANGES: [fn(&mut Store); 11] = [
    |_| {},
    |store| store.push(7.into()),
    |store| store.extend([7.into(), 8.into()].into_iter()),
    |store| store.insert(1, 7.into()),
    |store| store.insert_none(1, 2),
    |store| drop(store.replace(1, 7.into())),
    |store| drop(store.remove(1)),
    |store| store.many().swap(0, 1),
    |store| drop(store.drain(1..)),
    |store| drop(store.retain(Item::is_owned)),
    |store| store.many().sort_by_key(|item| item.is_owned()),
];

#[test]
fn filled_is_like_pushed() {
    let object = IntRef::new(7);
    let items = || {
        [
            1.into(),
            Item::from(&object),
            2.into(),
            3.into(),
            4.into(),
            (&object).into(),
        ]
    };
    let mut filled = Store::default();
    for len in [3, 6, 3, 4, 0, 3] {
        for change in CHANGES {
            let mut pushed = Store::default();
            items().into_iter().take(len).for_each(|item| pushed.push(item));
            let mut all = Stack::default();
            all.extend([Item::from(0)].into_iter().chain(items()).take(1 + len));
            filled.fill(&mut all, 1);
            assert_eq!((all.len(), filled.len()), (1, len));
            assert!(filled.iter().eq(pushed.iter()));
            if len >= 3 {
                change(&mut filled);
                change(&mut pushed);
            }
            assert_eq!(filled.len(), pushed.len());
            for index in 0..=filled.len() {
                assert_eq!(filled.get(index), pushed.get(index));
            }
            assert!(filled.iter_mut().eq(pushed.iter_mut()));
            drop(pushed);
            if len == 4 {
                drop(filled.take());
            } else {
                filled.clear();
            }
            assert_eq!((object.owners(), filled.len()), (1, 0));
        }
    }
}

#[test]
fn the_memory_stays() {
    for last in [Item::from(1), IntRef::new(1).into()] {
        let mut store = Store::default();
        store.reserve(100);
        store.push(last);
        let before = store.items.as_ptr();
        store.clear();
        assert!(store.items.capacity() >= 100 && store.items.as_ptr() == before);
    }
}
