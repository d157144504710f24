//! A handle, and `&mut` to its object, before any other thread can find it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use acedia::{Handle, Object, Pool, Reason, Values, class, pin};

use super::support::{alone, elsewhere};

#[derive(Default)]
struct Node {
    own: Option<Handle<Node>>,
    number: u32,
}

impl Object for Node {
    class!(Node, "Reach.Node");
    fn constructor(&mut self) {
        *self = Self { own: None, number: 1 };
    }
}

#[test]
fn a_handle_leads_to_nothing_until_its_object_is_complete() {
    let _alone = alone();
    let pool: Pool<Node> = Pool::new();
    // The second turn uses the slot again.
    for number in 1..3 {
        let node = pool.allocate_with_handle(|handle, node| {
            node.own = Some(handle);
            let reason = || pool.try_get(handle, &pin()).err().map(|error| error.reason());
            let seen = elsewhere(|| (reason(), pool.contains(handle) || pool.guard(handle).is_some()));
            assert_eq!(seen, (Some(Reason::Hidden), false));
            node.number = number;
        });
        let handle = node.handle();
        assert_eq!(
            pool.with(handle, |node| (node.own, node.number)),
            Some((Some(handle), number))
        );
    }
    let node = Node::pool().allocate_with_handle(|own, node| {
        assert_eq!((node.number, node.own), (1, None), "after the constructor");
        let seen = elsewhere(|| {
            (
                own.try_guard().err().map(|error| error.reason()),
                own.with(|_| ()).is_some(),
            )
        });
        assert_eq!(seen, (Some(Reason::Hidden), false));
        node.own = Some(own);
    });
    let handle = node.handle();
    assert_eq!(node.own, Some(handle));
    assert!(!Node::pool().try_reserve().unwrap().handle().is_allocated());
    node.free();
    let error = handle.try_guard().err().unwrap();
    assert!(
        error
            .allocated_at()
            .is_none_or(|place| place.file().ends_with("before_seen.rs"))
    );
}

#[test]
fn a_panic_leaves_a_handle_that_leads_to_nothing() {
    let _alone = alone();
    let pool: Pool<Node> = Pool::new();
    let mut seen = None;
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        pool.allocate_with_handle(|handle, _| {
            seen = Some(handle);
            panic!("not today");
        })
    }));
    let handle = seen.unwrap();
    assert!(panicked.is_err() && !pool.contains(handle));
    let next = pool.allocate_with_handle(|_, _| {});
    assert!(next.handle() != handle && !pool.contains(handle));
    assert_eq!(pool.stats().live, 1);
}

#[test]
fn a_value_is_inserted_into_its_reserved_place() {
    struct Pair([Handle<Pair>; 2]);
    let _alone = alone();
    let pool: Values<Pair> = Values::new();
    let (one, other) = (pool.reserve(), pool.reserve());
    let handles = [one.handle(), other.handle()];
    let one = one.insert(Pair(handles));
    assert!(pool.contains(handles[0]) && !pool.contains(handles[1]));
    let other = other.insert(Pair(handles));
    assert_eq!([one.handle(), other.handle()], one.0);
    assert_eq!((other.0, pool.stats().live), (handles, 2));
}
