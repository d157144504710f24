//! `ArrayList`: one test for each statement in the reference of a method.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use acedia::{Object, Owned};
use acedia_boxes::IntRef;
use acedia_collections::{ArrayList, Item, ListWriter};

/// The items as numbers; -1 for nothing.
fn ints(list: &ArrayList) -> Vec<i32> {
    list.read().iter().map(|item| item.as_int().unwrap_or(-1)).collect()
}

/// An impossible length changes nothing, and does not abort the process.
#[test]
fn lengths_that_can_not_be_change_nothing() {
    /// The number of bytes fits into `usize`, but no system has that much memory.
    const TOO_MANY: usize = usize::MAX / if usize::BITS < 64 { 16 } else { 64 };
    let changes: [fn(&mut ListWriter<'_>); 7] = [
        |items| _ = items.set_len(TOO_MANY),
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

/// The owner comes first in the list. The items that watch its object are removed, too.
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
fn a_lock_that_was_forgotten_does_not_outlive_the_life() {
    let list = ArrayList::pool().allocate_fresh();
    let index = list.index();
    std::mem::forget(list.write());
    drop(list);
    // The last freed slot returns first, or soon after.
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

/// A panic says what to do.
#[test]
fn what_is_beyond_the_end_says_so() {
    let list = ArrayList::from([1, 2]);
    let panics: [(&dyn Fn(), &str); 4] = [
        (
            &|| _ = list.write().insert(9, "nine"),
            "the index is beyond the end of the list; `push` adds an item at the end",
        ),
        (
            &|| _ = list.write().insert_none(3, 1),
            "cannot insert at index 3, beyond the end of a list of 2 items",
        ),
        (
            &|| _ = list.write().swap(0, 2),
            "cannot swap the items at 0 and 2 in a list of 2 items",
        ),
        (
            &|| _ = list.read()[0].as_int().map(|_| list.write().len()),
            "a guard in the head of `if let`, `match` or `for` lives until the end of the block",
        ),
    ];
    for (panics, words) in panics {
        let panic = catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
        let told = panic.downcast_ref::<String>().expect("a message");
        assert!(told.contains(words), "{told}");
    }
    assert_eq!(ints(&list), [1, 2]);
}

#[test]
fn items_are_converted() {
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
