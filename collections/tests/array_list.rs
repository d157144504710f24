//! `ArrayList`: one test for each statement in the reference of a method.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use acedia::{Class, Object, Owned};
use acedia_boxes::{IntBox, IntRef};
use acedia_collections::{ArrayList, HashTable, Item, ListWriter, Reason};
use acedia_json::show;
use acedia_text::Text;

/// The items as numbers; -1 for nothing.
fn ints(list: &ArrayList) -> Vec<i32> {
    list.read().iter().map(|item| item.as_int().unwrap_or(-1)).collect()
}

/// Refs with the numbers `0..count`, each with one owner outside the list.
fn refs(count: i32) -> Vec<Owned<IntRef>> {
    (0..count).map(IntRef::new).collect()
}

fn owners(refs: &[Owned<IntRef>]) -> Vec<usize> {
    refs.iter().map(Owned::owners).collect()
}

/// The rest of a list of four refs after a change, and the number of owners of each ref.
#[test]
fn changes_leave_items_and_owners() {
    type Change = fn(&mut ListWriter<'_>);
    let dead = |list: &mut ListWriter<'_>| _ = list.set(0, IntRef::new(1).handle()).push(IntRef::new(1).handle());
    let by_int = |list: &mut ListWriter<'_>| _ = list.sort_by(|left, right| right.as_int().cmp(&left.as_int()));
    let cases: [(Change, &[i32], [usize; 4]); 23] = [
        (|list| _ = list.set_len(2), &[0, 1], [2, 2, 1, 1]),
        (|list| _ = list.set_len(5), &[0, 1, 2, 3, -1], [2; 4]),
        (|list| _ = list.clear(), &[], [1; 4]),
        (|list| _ = list.push_none(0).push_none(2), &[0, 1, 2, 3, -1, -1], [2; 4]),
        (
            |list| _ = list.insert_none(4, 0).insert_none(1, 1).insert_none(5, 1),
            &[0, -1, 1, 2, 3, -1],
            [2; 4],
        ),
        (
            |list| _ = list.remove_many(4, 1).remove_many(9, 1).remove_many(0, 0),
            &[0, 1, 2, 3],
            [2; 4],
        ),
        (|list| _ = list.remove_many(1, 2), &[0, 3], [2, 1, 1, 2]),
        (|list| _ = list.remove_many(1, usize::MAX), &[0], [2, 1, 1, 1]),
        (
            |list| assert_eq!(list.remove(0).as_int(), Some(0)),
            &[1, 2, 3],
            [1, 2, 2, 2],
        ),
        (|list| assert!(list.remove(4).is_none()), &[0, 1, 2, 3], [2; 4]),
        (
            |list| assert_eq!(list.take(1).as_int(), Some(1)),
            &[0, -1, 2, 3],
            [2, 1, 2, 2],
        ),
        (|list| assert!(list.take(4).is_none()), &[0, 1, 2, 3], [2; 4]),
        (|list| _ = list.set(6, 7), &[0, 1, 2, 3, -1, -1, 7], [2; 4]),
        (|list| _ = list.set(0, list[0].clone()), &[0, 1, 2, 3], [2; 4]),
        (|list| _ = list.set(0, list[3].clone()), &[3, 1, 2, 3], [1, 2, 2, 3]),
        (|list| _ = list.set(2, Item::NONE), &[0, 1, -1, 3], [2, 2, 1, 2]),
        (dead, &[-1, 1, 2, 3, -1], [1, 2, 2, 2]),
        (
            |list| _ = list.insert(0, 9).insert(5, 8).insert(1, Item::NONE),
            &[9, -1, 0, 1, 2, 3, 8],
            [2; 4],
        ),
        (
            |list| list.create(1, IntRef::class()).expect("memory"),
            &[0, 0, 2, 3],
            [2, 1, 2, 2],
        ),
        (
            |list| _ = list.retain(|item| item.as_int() != Some(3)).swap(0, 2),
            &[2, 1, 0],
            [2, 2, 2, 1],
        ),
        (
            |list| assert_eq!(list.drain(1..3).map(|item| item.as_int()).next_back(), Some(Some(2))),
            &[0, 3],
            [2, 1, 1, 2],
        ),
        (by_int, &[3, 2, 1, 0], [2; 4]),
        (|list| list.extend([5, 4]), &[0, 1, 2, 3, 5, 4], [2; 4]),
    ];
    for (number, (change, left, shares)) in cases.into_iter().enumerate() {
        let refs = refs(4);
        let list = ArrayList::from(&refs);
        change(&mut list.write());
        assert_eq!(
            (ints(&list), owners(&refs)),
            (left.to_vec(), shares.to_vec()),
            "{number}"
        );
        drop(list);
        assert_eq!(owners(&refs), [1; 4], "{number}");
    }
    let refused = ArrayList::new().write().try_insert(9, "nine").unwrap_err();
    assert_eq!(
        (refused.reason(), refused.into_item().to_string().as_deref()),
        (Reason::Beyond, Some("nine"))
    );
}

/// An impossible length changes nothing, and does not abort the process.
#[test]
fn lengths_that_can_not_be_change_nothing() {
    /// The number of bytes fits into `usize`, but no system has that much memory.
    const TOO_MANY: usize = usize::MAX / if usize::BITS < 64 { 16 } else { 64 };
    let changes: [fn(&mut ListWriter<'_>); 9] = [
        |items| _ = items.push_none(usize::MAX),
        |items| _ = items.push_none(usize::MAX - 1),
        |items| _ = items.push_none(TOO_MANY),
        |items| _ = items.set(usize::MAX, 1),
        |items| _ = items.set(TOO_MANY, 1),
        |items| _ = items.insert_none(1, usize::MAX),
        |items| _ = items.insert_none(1, TOO_MANY),
        |items| _ = items.set_len(usize::MAX),
        |items| _ = items.reserve(usize::MAX),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        for len in [3, 10] {
            let list = ArrayList::from(0..len);
            let message = catch_unwind(AssertUnwindSafe(|| change(&mut list.write()))).unwrap_err();
            let message = message.downcast_ref::<String>().expect("a message");
            assert!(message.starts_with("no memory for "), "{number}: {message}");
            assert_eq!(ints(&list), (0..len).collect::<Vec<_>>(), "{number}");
        }
    }
}

#[test]
fn remove_all_and_first_go_by_equality() {
    let refs = refs(1);
    let list = ArrayList::from([
        Item::from("a"),
        Item::from(&refs[0]),
        Item::NONE,
        "a".into(),
        5.into(),
        IntBox::new(5).into(),
    ]);
    assert_eq!(list.write().remove_all("b"), 0);
    assert!(list.write().remove_first(Text::from("a")) && list.read().len() == 5);
    assert_eq!(list.write().remove_all("a"), 1);
    assert_eq!(list.write().remove_all(5), 2, "a box equals its number");
    assert_eq!(list.write().remove_all(&refs[0]), 1);
    assert_eq!(list.write().remove_all(Item::NONE), 1);
    assert!(list.read().is_empty() && !list.write().remove_first(Item::NONE));
    assert_eq!(owners(&refs), [1]);
}

/// The owner comes first in the list. The items that watch its object are removed too.
#[test]
fn what_is_removed_is_released_when_all_is_chosen() {
    let list = ArrayList::new();
    let object = IntRef::new(7);
    let handle = object.handle();
    list.write().push(object).push(handle).push(8);
    assert_eq!(list.write().remove_all(handle), 2);
    assert!(!handle.is_allocated() && ints(&list) == [8]);
}

#[test]
fn find_gives_the_first() {
    let refs = refs(2);
    let list = ArrayList::from([
        Item::from(&refs[0]),
        7.into(),
        Item::NONE,
        "x".into(),
        7.into(),
        Item::NONE,
    ]);
    let items = list.read();
    assert_eq!(items.find(7), Some(1));
    assert_eq!(items.find(7.0), None, "another class");
    assert_eq!(items.find(IntBox::new(7)), Some(1));
    assert_eq!(items.find(IntRef::new(7)), None, "a ref is only itself");
    assert_eq!(items.find(&refs[0]), Some(0));
    assert_eq!(items.find(refs[0].handle()), Some(0));
    assert_eq!(items.find(&refs[1]), None);
    assert_eq!(items.find("x"), Some(3));
    assert_eq!(items.find(Item::NONE), Some(2));
    let dead = IntRef::new(1).handle();
    assert_eq!(items.find(dead), Some(2), "the dead are nothing");
}

#[test]
fn a_lock_that_was_forgotten_does_not_outlive_the_life() {
    let list = ArrayList::pool().allocate_fresh();
    let index = list.index();
    std::mem::forget(list.write());
    drop(list);
    // The last freed comes first, or soon after.
    let next: Vec<_> = (0..1000).map(|_| ArrayList::new()).collect();
    let again = next.iter().find(|list| list.index() == index);
    let again = again.expect("the slot was not used again");
    let written = again.write();
    // A forgotten result does not hide the locks that are held now.
    let read = catch_unwind(AssertUnwindSafe(|| again.read().len()));
    assert!(read.is_err(), "it would wait for itself");
    drop(written);
    for list in next {
        list.write().push(1);
    }
}

#[test]
fn what_a_user_panics_in_leaves_a_usable_list() {
    let list = ArrayList::from([3, 1, 2]);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        list.write().sort_by(|_, _| panic!("in the order"));
    }));
    assert!(panicked.is_err() && list.read().len() == 3);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        list.write()
            .retain(|item| item.as_int() != Some(2) || panic!("in the choice"));
    }));
    assert!(panicked.is_err() && list.read().find(2).is_some());
    list.write().push(4);
}

thread_local! {
    static RELEASED: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) };
}

/// Notes its number when it is released.
#[derive(Default)]
struct Noted(i32);

impl Object for Noted {
    acedia::class!(Noted, "Test.Noted");
    const FINALIZER: Option<fn(&mut Self)> = Some(|it| RELEASED.with_borrow_mut(|released| released.push(it.0)));
}

#[test]
fn what_is_dropped_is_released_in_the_order_of_the_list() {
    type Way = fn(&mut ListWriter<'_>);
    let noted = || ArrayList::from((0..6).map(|number| Noted::allocate_with(|it| it.0 = number)));
    let ways: [(Way, &[i32]); 6] = [
        (|list| _ = list.set_len(2), &[2, 3, 4, 5]),
        (|list| _ = list.remove_many(1, 3), &[1, 2, 3]),
        (|list| _ = list.clear(), &[0, 1, 2, 3, 4, 5]),
        (|list| _ = list.retain(Item::is_none), &[0, 1, 2, 3, 4, 5]),
        (|list| _ = list.set(4, 7), &[4]),
        (|list| drop(list.drain(..3)), &[0, 1, 2]),
    ];
    for (number, (way, expected)) in ways.into_iter().enumerate() {
        let list = noted();
        way(&mut list.write());
        assert_eq!(RELEASED.take(), expected, "way {number}");
        drop(list);
        RELEASED.take();
    }
    drop(noted());
    assert_eq!(RELEASED.take(), [0, 1, 2, 3, 4, 5], "with the list");
}

/// Its constructor panics.
#[derive(Default)]
struct Unmade;

impl Object for Unmade {
    acedia::class!(Unmade, "Test.Unmade");
    fn constructor(&mut self) {
        panic!("in the constructor");
    }
}

#[test]
fn what_cannot_be_made_changes_nothing() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let (list, table) = (ArrayList::from([1]), HashTable::from([("a", 1)]));
    let class = Class::of::<Unmade>();
    let panicked = catch_unwind(AssertUnwindSafe(|| list.write().create(5, class).is_ok()));
    assert!(panicked.is_err() && ints(&list) == [1]);
    let panicked = catch_unwind(AssertUnwindSafe(|| table.write().create("a", class).is_ok()));
    assert!(panicked.is_err() && table.read()["a"].as_int() == Some(1) && table.read().len() == 1);
    assert!(
        table.write().create(Item::NONE, class).is_ok(),
        "without a key nothing is made"
    );
}

/// An index beyond the end panics at the caller's line, and says how long the list is.
#[test]
fn what_is_beyond_the_end_says_so() {
    use std::panic;
    use std::sync::{Arc, Mutex};

    let list = ArrayList::from([1, 2]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let hook = panic::take_hook();
    let (by_hook, thread) = (Arc::clone(&told), std::thread::current().id());
    panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == thread {
            let place = info.location().map(|place| (place.file().to_owned(), place.line()));
            let text = info.payload().downcast_ref::<String>().cloned();
            by_hook.lock().unwrap().push((place, text));
        }
    }));
    let first = line!() + 2;
    let panics: [&dyn Fn(); 4] = [
        &|| _ = list.write().insert(9, "nine"),
        &|| _ = list.write().insert_none(3, 1),
        &|| _ = list.write().swap(0, 2),
        &|| _ = list.read()[0].as_int().map(|_| list.write().len()),
    ];
    for panics in panics {
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    }
    panic::set_hook(hook);
    let told = told.lock().unwrap();
    let words = [
        "the index is beyond the end of the list; `push` adds an item at the end",
        "cannot insert at index 3, beyond the end of a list of 2 items",
        "items 0 and 2 can't be swapped in a list of 2",
        "which would deadlock (the guard was taken at",
    ];
    assert_eq!(told.len(), 4);
    for ((told, words), line) in told.iter().zip(words).zip(first..) {
        assert_eq!(told.0, Some((file!().to_owned(), line)), "{told:?}");
        assert!(
            words.is_empty() || told.1.as_ref().is_some_and(|text| text.contains(words)),
            "{told:?}"
        );
    }
    let guard = format!("{}:{}:", file!(), first + 3);
    assert!(
        told[3]
            .1
            .as_ref()
            .is_some_and(|text| text.contains(&guard) && text.contains("`if let`")),
        "{told:?}"
    );
    assert_eq!(ints(&list), [1, 2]);
}

#[test]
fn items_are_collected_and_converted() {
    let squares: Owned<ArrayList> = (1..4).map(|i| i * i).collect();
    assert_eq!(ints(&squares), [1, 4, 9]);
    let names: Owned<ArrayList> = ["a", "b"].into_iter().collect();
    assert_eq!(show(&names).to_string(), r#"["a","b"]"#);
    assert_eq!((Owned::<ArrayList>::default().len(), squares.len()), (0, 3));
    let item = Item::from(7);
    assert_eq!(
        (u8::try_from(item.clone()).ok(), u64::try_from(item.clone()).ok()),
        (Some(7), Some(7))
    );
    assert!(f64::try_from(item.clone()).is_err() && bool::try_from(item.clone()).is_err());
    assert!(String::try_from(item).is_err() && i8::try_from(Item::from(128)).is_err());
    assert!(i32::try_from(Item::from(7.0)).is_err() && u8::try_from(Item::from(7_u8)).is_ok());
    assert_eq!(f64::try_from(Item::from(0.5_f32)).ok(), Some(0.5));
    assert!(f32::try_from(Item::from(0.5)).is_err() && f32::try_from(Item::from(0.5_f32)).is_ok());
    assert_eq!(String::try_from(Item::from("a")).ok().as_deref(), Some("a"));
    let error = Owned::<ArrayList>::try_from(Item::from("a")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected an item of the type `ArrayList`, found `Text`"
    );
}
