//! Everything is released even if finalizers panic one after another, and the first panic is passed on. A single test in its
//! process, because a pin on any other thread would delay the release.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::thread;

use acedia::{Object, class};
use acedia_boxes::IntRef;
use acedia_collections::{ArrayList, HashTable, Item};

#[derive(Default)]
struct Bomb(usize);
impl Object for Bomb {
    class!(Bomb, "Test.Bomb");
    const FINALIZER: Option<fn(&mut Self)> = Some(|bomb| panic!("{}", bomb.0));
}

#[derive(Default)]
struct Counted;
impl Object for Counted {
    class!(Counted, "Test.Counted");
}

fn bomb(number: usize) -> Item {
    Bomb::allocate_with(|bomb| bomb.0 = number).into()
}

/// Objects. The finalizer of every third panics.
fn items(count: usize) -> Vec<Item> {
    let object = |at: usize| match at % 3 {
        1 => bomb(at),
        _ => Counted::allocate().into(),
    };
    (0..count).map(object).collect()
}

fn list(count: usize) -> ArrayList {
    let list = ArrayList::default();
    list.write().extend(items(count));
    list
}

fn table(count: usize) -> HashTable {
    let table = HashTable::default();
    for (number, item) in (0..).zip(items(count)) {
        table.write().set(number, item);
    }
    table
}

/// Lists nested so deeply that the innermost ones have to wait for the stack.
fn deep(inner: Item) -> Item {
    (0..200).fold(inner, |inner, _| ArrayList::from([inner]).into())
}

#[track_caller]
fn leaves_nothing(release: impl FnOnce()) {
    let caught = catch_unwind(AssertUnwindSafe(release)).expect_err("finalizers panic");
    assert!(caught.is::<String>(), "the panic of a finalizer");
    let live = |class: &acedia::Class| class.stats().live;
    assert_eq!((live(Counted::class()), live(Bomb::class())), (0, 0));
}

#[test]
fn everything_is_released_whatever_panics() {
    // Thousands of panics are intended.
    panic::set_hook(Box::new(|_| ()));
    lists_and_tables();
    documents();
    at_the_end_of_a_thread();
}

thread_local! {
    static LAST: RefCell<Item> = const { RefCell::new(Item::NONE) };
}

/// The thread's list of objects that wait for the stack is first used after `LAST`: with a destructor, it would end first.
fn at_the_end_of_a_thread() {
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(|| {
        LAST.with(|_| ());
        drop(deep(Item::NONE));
        let nested = (0..50).fold(Counted::allocate().into(), |inner, _| deep(inner));
        LAST.set(nested);
    });
    thread.expect("a thread").join().expect("its stack suffices");
    assert_eq!(Counted::class().stats().live, 0);
}

fn lists_and_tables() {
    for count in [3, 12, 100, 5000] {
        // Values, and objects of the pool.
        leaves_nothing(|| drop(list(count)));
        leaves_nothing(|| drop(table(count)));
        leaves_nothing(|| drop(ArrayList::from(items(count))));
        leaves_nothing(|| drop(HashTable::from((0..).zip(items(count)))));
        // As keys, and as values of keys that are only watched.
        leaves_nothing(|| drop(HashTable::from(items(count).into_iter().zip(0..))));
        let watched = IntRef::new(1);
        leaves_nothing(|| {
            let table = table(count);
            table.write().set(watched.handle(), Counted::allocate());
        });
        // Through the operations that change them.
        let list = list as fn(usize) -> ArrayList;
        leaves_nothing(|| _ = list(count).write().clear());
        leaves_nothing(|| _ = list(count).write().set_len(0));
        leaves_nothing(|| _ = list(count).write().remove_many(0, count));
        leaves_nothing(|| _ = list(count).write().retain(|_| false));
        leaves_nothing(|| drop(list(count).write().drain(..)));
        leaves_nothing(|| _ = table(count).write().clear());
        leaves_nothing(|| _ = table(count).write().retain(|_, _| false));
        leaves_nothing(|| drop(table(count).write().drain()));
        leaves_nothing(|| {
            let table = table(count);
            let mut entries = table.write();
            let mut drained = entries.drain();
            drop(drained.next());
            drop(drained);
        });
        // Only at depth, twice: the panic of a waiting object leaves the thread as it was.
        for _ in 0..2 {
            leaves_nothing(|| drop(deep(ArrayList::from(items(count)).into())));
        }
        // At depth, where outer and waiting objects panic.
        leaves_nothing(|| {
            let mut all = vec![deep(Counted::allocate().into())];
            all.extend(items(count));
            all.push(deep(ArrayList::from(items(count)).into()));
            all.push(deep(HashTable::from((0..).zip(items(count))).into()));
            drop(ArrayList::from(all));
        });
    }
}

/// Lists of documents may store a few items differently, and tables their values in two ways.
fn documents() {
    use acedia_json as json;

    let list = json::parse("[[], [], [], []]").expect("JSON");
    for index in 0..4 {
        list.get(index).to_list().expect("a list").write().push(bomb(index));
    }
    leaves_nothing(|| drop(list));
    for count in [3, 12, 13, 100] {
        let entries: Vec<_> = (0..count).map(|at| format!("\"{at}\": null")).collect();
        let item = json::parse(format!("{{{}}}", entries.join(","))).expect("JSON");
        let table = acedia::Owned::<HashTable>::try_from(item).expect("a table");
        leaves_nothing(|| {
            for (at, item) in items(count).into_iter().enumerate() {
                table.write().set(&*at.to_string(), item);
            }
            drop(table);
        });
    }
}
