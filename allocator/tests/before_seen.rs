//! A key or a handle, and `&mut` to its object, before any other thread can find it.
#![allow(
    clippy::items_after_statements,
    reason = "a test's own types stand where they are used"
)]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use acedia::pool::{Pool, Values, pin};
use acedia::{Handle, Object, Reason, class};

#[derive(Default)]
struct Node {
    own: Option<Handle<Node>>,
    number: u32,
}

#[test]
fn a_key_leads_to_nothing_until_its_object_is_complete() {
    let _alone = support::alone();
    let pool: Pool<Node> = Pool::new();
    let mut refused = Vec::new();
    // The second turn uses the slot again.
    for number in 1..3 {
        let node = pool.allocate_with_handle(|key, node| {
            node.own = Some(key);
            let elsewhere = || {
                let reason = pool.try_get(key, &pin()).err().map(|error| error.reason());
                (reason, pool.contains(key), pool.guard(key).is_some())
            };
            refused.push(thread::scope(|scope| scope.spawn(elsewhere).join().unwrap()));
            node.number = number;
        });
        let key = node.handle();
        assert_eq!(
            pool.with(key, |node| (node.own, node.number)),
            Some((Some(key), number))
        );
    }
    assert_eq!(refused, [(Some(Reason::Hidden), false, false); 2]);
}

#[test]
fn a_panic_leaves_a_key_that_leads_to_nothing() {
    let _alone = support::alone();
    let pool: Pool<Node> = Pool::new();
    let mut seen = None;
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        pool.allocate_with_handle(|key, _| {
            seen = Some(key);
            panic!("not today");
        })
    }));
    let key = seen.unwrap();
    assert!(panicked.is_err() && !pool.contains(key));
    let next = pool.allocate_with_handle(|_, _| {});
    assert_ne!(next.handle(), key);
    assert!(!pool.contains(key));
    assert_eq!(pool.stats().live, 1);
}

#[test]
fn a_value_is_inserted_into_its_reserved_place() {
    struct Pair(Vec<Handle<Pair>>);
    let pool: Values<Pair> = Values::new();
    let (one, other) = (pool.reserve(), pool.reserve());
    let keys = [one.handle(), other.handle()];
    let one = one.insert(Pair(keys.into()));
    assert!(pool.contains(keys[0]) && !pool.contains(keys[1]));
    let other = other.insert(Pair(keys.into()));
    assert_eq!((one.handle(), other.handle()), (one.0[0], one.0[1]));
    assert_eq!(pool.stats().live, 2);
}

#[derive(Default)]
struct Actor {
    own: Option<Handle<Actor>>,
    built: u32,
}

impl Object for Actor {
    class!(Actor, "Reach.Actor");
    fn constructor(&mut self) {
        *self = Self { own: None, built: 1 };
    }
}

#[test]
fn a_handle_leads_to_nothing_until_its_object_is_complete() {
    let actor = Actor::pool().allocate_with_handle(|own, actor| {
        assert_eq!((actor.built, actor.own), (1, None), "after the constructor");
        let found = thread::spawn(move || own.with(|actor| actor.built)).join().unwrap();
        assert_eq!(
            (found, own.try_guard().err().map(|error| error.reason())),
            (None, Some(Reason::Hidden))
        );
        actor.own = Some(own);
    });
    assert_eq!(actor.own, Some(actor.handle()));
    let abandoned = Actor::pool().try_reserve().unwrap().handle();
    assert!(!abandoned.is_allocated());
    #[cfg(debug_assertions)]
    {
        let handle = actor.handle();
        actor.free();
        let error = handle.try_guard().err().unwrap();
        assert!(error.allocated_at().unwrap().file().ends_with("before_seen.rs"));
    }
}
