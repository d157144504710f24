//! Collections in collections: depth, cycles, pointers.
#![forbid(unsafe_code)]

use std::thread;
use std::time::Duration;

use acedia::Owned;
use acedia_boxes::IntRef;
use acedia_collections::{ArrayList, HashTable, Item, Nested, NestedError, Pointer, Reason};
use acedia_text::{MutableText, Text};

#[path = "../../allocator/tests/support/mod.rs"]
mod support;

use support::{Barrier, beside, until};

#[test]
fn content_is_compared_in_any_order_and_by_equality() {
    let table = |pairs: [(&str, i32); 2]| Item::from(HashTable::from(pairs));
    assert!(table([("a", 1), ("b", 2)]).same_content(&table([("b", 2), ("a", 1)])));
    assert!(!table([("a", 1), ("b", 2)]).same_content(&table([("a", 1), ("c", 2)])));
    assert!(!table([("a", 1), ("b", 2)]).same_content(&table([("a", 1), ("b", 3)])));
    assert!(!Item::from(ArrayList::new()).same_content(&HashTable::new().into()));
    assert!(!Item::from(ArrayList::from([1])).same_content(&ArrayList::from([1, 2]).into()));
    assert!(!Item::from(ArrayList::from([1])).same_content(&1.into()));
    let text = MutableText::from("a");
    assert!(Item::from(ArrayList::from([&text])).same_content(&ArrayList::from([&text]).into()));
    assert!(!Item::from(ArrayList::from([&text])).same_content(&ArrayList::from([MutableText::from("a")]).into()));
    assert!(Item::NONE.same_content(&Item::NONE) && Item::from("a").same_content(&"a".into()));
}

/// Two structures that watch themselves in a cycle.
#[test]
fn circles_of_handles_are_allowed_and_can_be_compared() {
    let ring = |number: i32| {
        let (parent, child) = (HashTable::new(), HashTable::from([("number", number)]));
        child.write().set("parent", parent.handle());
        parent.write().set("child", child);
        parent
    };
    let (one, same, other) = (ring(1), ring(1), ring(2));
    assert!(Item::from(&one).same_content(&(&same).into()));
    assert!(!Item::from(&one).same_content(&(&other).into()));
    assert_eq!(one.get_by("/child/parent/child/parent/child/number").as_int(), Some(1));
    let handle = one.handle();
    drop(one);
    assert!(!handle.is_allocated(), "nobody owns anybody in a circle");
}

#[test]
fn circles_of_owners_are_refused() {
    let (list, table) = (ArrayList::new(), HashTable::new());
    assert_eq!(list.write().try_push(&list).unwrap_err().reason(), Reason::Cycle);
    list.write().push(ArrayList::from([&table]));
    let refused = table.write().try_set("up", &list).unwrap_err();
    assert_eq!(refused.reason(), Reason::Cycle);
    assert_eq!(refused.into_item(), Item::from(&list));
    assert_eq!(
        table.write().try_set(&list, 1).unwrap_err().reason(),
        Reason::Cycle,
        "as a key"
    );
    assert!(table.write().entry("up").try_or_insert(&list).is_err());
    assert!(table.set_by("/up", &list).is_err());
    assert!(table.read().is_empty());
    for depth in 0..20 {
        let inner = ArrayList::from([&list]);
        assert!(table.write().try_set(depth, &inner).is_err());
    }
    // A refused collection is in no other one. The list has no handle, so it waits for no pin of another test.
    assert_eq!(list.owners(), 1);
    drop(list);
    assert_eq!(table.owners(), 1);
}

#[test]
fn a_collection_may_stand_in_many_places() {
    let shared = ArrayList::from([1]);
    let list = ArrayList::from([&shared, &shared]);
    list.write().push(HashTable::from([("shared", &shared)]));
    assert_eq!(shared.owners(), 4);
    // Shared at each of many levels: 2^60 paths lead down, and each collection is visited once.
    let mut top = ArrayList::new();
    for _ in 0..60 {
        top = ArrayList::from([&top, &top]);
    }
    let outer = ArrayList::from([&list]);
    list.write().push(&top);
    assert_eq!(top.write().try_push(&outer).unwrap_err().reason(), Reason::Cycle);
}

/// The levels are counted in linear time, although each list is at as many levels as there are lists above it.
#[test]
fn a_collection_at_many_levels_counts_at_the_deepest() {
    const RUNGS: usize = if cfg!(miri) { 20 } else { 30_000 };
    let ladder = (0..RUNGS).fold(ArrayList::new(), |below, _| {
        ArrayList::from([ArrayList::from([&below]), below])
    });
    assert_eq!(Item::from(&ladder).levels(), 2 * RUNGS + 1);
    assert!(ArrayList::new().set_by("/0", &ladder).is_ok());
}

#[test]
#[should_panic(expected = "the collection would own itself")]
fn push_panics_where_try_push_refuses() {
    let list = ArrayList::new();
    list.write().push(&list);
}

#[test]
fn a_collection_that_is_being_changed_can_make_the_answer_impossible() {
    let (home, new, busy) = (ArrayList::new(), ArrayList::new(), ArrayList::new());
    let _parent = ArrayList::from([&home]);
    new.write().push(&busy);
    let guard = busy.write();
    assert_eq!(home.write().try_push(&new).unwrap_err().reason(), Reason::Busy);
    drop(guard);
    assert!(home.write().try_push(&new).is_ok());
}

/// Other threads change each inserted collection for a moment.
#[test]
fn a_collection_that_another_thread_is_changing_is_waited_for() {
    let (home, busy) = (ArrayList::new(), HashTable::new());
    let _parent = ArrayList::from([&home]);
    let change = || {
        let mut entries = busy.write();
        if entries.is_empty() {
            // The first time, long enough that the other thread waits for it.
            thread::sleep(Duration::from_millis(5));
        }
        entries.set("hp", 1);
        drop(entries);
        // Yields without the lock, so that a loaded machine does not preempt the thread with the lock.
        thread::yield_now();
    };
    beside(1, change, || {
        for _ in 0..2_000 {
            home.write().push(&busy);
        }
    });
    assert_eq!(home.read().len(), 2_000);
}

/// Two threads close one cycle from both sides: one of them is refused, every time. They go on until one has succeeded.
#[test]
fn threads_do_not_close_a_circle_together() {
    let (mut rounds, mut entered) = (0, 0);
    while rounds < 500 || entered == 0 {
        rounds += 1;
        let (one, other) = (ArrayList::new(), ArrayList::new());
        let barrier = Barrier::new(2);
        let put = |home: &Owned<ArrayList>, new: &Owned<ArrayList>| {
            barrier.wait();
            home.write().try_push(new).is_ok()
        };
        let done = thread::scope(|scope| {
            let there = scope.spawn(|| put(&one, &other));
            [put(&other, &one), there.join().unwrap()]
        });
        assert_ne!(done, [true, true], "a circle");
        entered += usize::from(done != [false, false]);
        let handles = [one.handle(), other.handle()];
        drop((one, other));
        // While another test is pinned, the finalizer of a list waits, and the list's objects stay alive.
        until(|| handles.iter().all(|handle| !handle.is_allocated()));
    }
}

#[test]
fn pointers_are_split_and_written() {
    let parts = |text: &str| -> Vec<String> { Pointer::from(text).components().map(str::to_owned).collect() };
    assert_eq!(parts(""), [""; 0]);
    assert_eq!(parts("/"), [""]);
    assert_eq!(parts("//"), ["", ""]);
    assert_eq!(parts("a/b"), parts("/a/b"));
    assert_eq!(parts("x"), ["x"]);
    assert_eq!(parts("/~01/~1~0/~2"), ["~1", "/~", "~2"]);
    for text in ["", "/", "//", "/a/b", "/~01/~1~0", "/a//b/"] {
        assert_eq!(Pointer::from(text).to_string(), text);
    }
    // Larger than any integer of this crate.
    assert_eq!(Pointer::from("99999999999999999999999").number(0), None);
}

#[test]
fn items_by_pointer() {
    let inner = ArrayList::from([Item::from(5), 2.5.into(), "text".into(), true.into(), Item::NONE]);
    let table = HashTable::from([("list", &inner)]);
    table
        .write()
        .set("", 1)
        .set(7, 2)
        .set("a/b", 3)
        .set("7", 4)
        .set(MutableText::from("m"), 5);
    assert_eq!(table.get_by(""), Item::from(&table), "the whole");
    assert_eq!(table.owners(), 1);
    assert_eq!(table.get_by("/").as_int(), Some(1));
    assert_eq!(table.get_by("/7").as_int(), Some(4), "only texts lead into a table");
    assert_eq!(table.get_by("/a~1b").as_int(), Some(3));
    assert!(table.get_by("/m").is_none());
    assert_eq!(table.get_by("/list/0").as_float(), Some(5.0));
    assert_eq!(table.get_by("/list/1").as_int(), Some(2));
    assert_eq!(
        table.get_by(Pointer::from("list/2")).to_string().as_deref(),
        Some("text")
    );
    assert_eq!(table.get_by(&Text::from("/list/3")).as_bool(), Some(true));
    for nowhere in [
        "/list/4",
        "/list/5",
        "/list/0/x",
        "/list/1abc",
        "/list/",
        "/list/-1",
        "/list/01",
        "/list/00",
        "/nobody/0",
        "//",
    ] {
        assert!(table.get_by(nowhere).is_none(), "{nowhere}");
    }
    assert_eq!(table.get_by("/list"), Item::from(&inner));
    assert_eq!(inner.owners(), 2, "no share is left behind");
    assert_eq!(Item::from(&table).get_by("/list/0").as_int(), Some(5));
    assert!(Item::from(1).get_by("/a").is_none() && Item::from(1).get_by("").as_int() == Some(1));
}

#[test]
fn changes_by_pointer() -> Result<(), NestedError> {
    let table = HashTable::from([("list", ArrayList::from([1]))]);
    table.set_by("/list/0", 2)?.set_by("/list/1", 3)?.set_by("/new", 4)?;
    assert_eq!(table.get_by("/list/1").as_int(), Some(3));
    assert_eq!(table.read().len(), 2);
    for nowhere in ["/list/9", "/list/x", "/list/00", "/list/02", "/nobody/0", "/new/0"] {
        let error = table.set_by(nowhere, 1).unwrap_err();
        assert!(matches!(&error, NestedError::Missing(pointer) if pointer.to_string() == nowhere));
        assert!(error.to_string().starts_with(&format!("`{nowhere}` ")));
    }
    assert!(matches!(table.set_by("", 1), Err(NestedError::Whole)));
    assert_eq!(table.take_by("/list/0").as_int(), Some(2));
    assert!(table.get_by("/list").to_list().unwrap().read().is_none(0));
    assert_eq!(table.take_by("new").as_int(), Some(4));
    assert!(!table.read().contains_key("new"));
    assert!(
        table.take_by("").is_none()
            && table.take_by("/list/7").is_none()
            && table.take_by("/list/01").is_none()
            && table.take_by("/x/y").is_none()
    );
    Ok(())
}

/// Objects on the path, at its end or outside of it are freed: they resolve to `None`, and no other life is reached.
#[test]
fn ways_that_lead_through_what_is_freed() {
    for freed in 0..3 {
        let mut objects = [
            Some(Item::from(HashTable::from([("b", 1)]))),
            Some(Item::from(HashTable::from([("c", 2)]))),
            Some(Item::from(IntRef::new(3))),
        ];
        let watched = |objects: &[Option<Item>; 3], which: usize| -> Item {
            objects[which]
                .as_ref()
                .and_then(Item::handle)
                .map_or(Item::NONE, Item::from)
        };
        let top = HashTable::from([("a", watched(&objects, 0))]);
        top.set_by("/a/b", watched(&objects, 1)).expect("a table");
        top.set_by("/a/b/c", watched(&objects, 2)).expect("a table");
        assert_eq!(top.get_by("/a/b/c").as_int(), Some(3));
        objects[freed] = None;
        let _next = [HashTable::from([("b", 9)]), HashTable::from([("c", 9)])];
        let _number = IntRef::new(9);
        assert!(top.get_by("/a/b/c").is_none() && top.take_by("/a/b/c").is_none());
        let set = top.set_by("/a/b/c", 4);
        assert_eq!(set.is_ok(), freed == 2, "{set:?}");
        let printed = acedia_json::to_string(&Item::from(&top)).expect("printable");
        assert_eq!(
            printed,
            ["{\"a\":null}", "{\"a\":{\"b\":null}}", "{\"a\":{\"b\":{\"c\":4}}}"][freed]
        );
    }
}
