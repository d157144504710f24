//! `#[derive(Object)]`: the effect of its options. The mistakes that it refuses are in `macros/tests`.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use acedia::kind::ValueHash;
use acedia::{Object, PoolPolicy, Stats, load_class, shutdown};

use super::support::alone;

static STARTED: AtomicU32 = AtomicU32::new(0);

#[derive(Default, Object)]
#[object(name = "Derive.Plain")]
struct Plain {
    number: i32,
}

#[derive(Default, Object)]
#[object(name = concat!("Derive", ".", "Full"), kind = identity, pool = keep_at_most(2 + 1))]
#[object(constructor = start, finalizer = ends::end)]
#[object(static_constructor = begin, static_finalizer = Self::finish,)]
pub(crate) struct Full {
    lives: u32,
    ended: u32,
}

impl Full {
    fn start(&mut self) {
        self.lives += 1;
    }

    fn begin() {
        STARTED.fetch_add(1, SeqCst);
    }

    fn finish() {
        STARTED.fetch_add(100, SeqCst);
    }
}

mod ends {
    pub(crate) fn end(full: &mut super::Full) {
        full.ended += 1;
    }
}

/// Its methods have the names of the trait's.
#[derive(Default, Object)]
#[object(name = "Derive.Named", constructor = constructor)]
struct Named(u32);

impl Named {
    fn constructor(&mut self) {
        self.0 = 7;
    }
}

#[derive(Default, Debug, PartialEq, Object)]
#[object(kind = value, pool = keep_none, name = "Derive.Hashed", hash = digest)]
enum Hashed {
    #[default]
    None,
    Some(i32),
}

impl Hashed {
    fn digest(&self) -> i32 {
        match self {
            Self::None => 0,
            Self::Some(number) => *number,
        }
    }
}

#[derive(Default, PartialEq, Object)]
#[object(name = "Derive.ByHand", kind = value)]
struct ByHand(i32);

impl ValueHash for ByHand {
    fn value_hash(&self) -> i32 {
        -self.0
    }
}

mod elsewhere {
    pub(crate) mod pools {
        pub(crate) use acedia::{Object, PoolPolicy, class};
    }

    /// A raw name, and the crate by another path.
    #[derive(Default, acedia::Object)]
    #[object(crate = crate::derive::elsewhere::pools, name = "Derive.Raw", pool = keep_all)]
    pub(crate) struct r#Raw;
}

/// The fragments of a macro's variables come in invisible groups.
macro_rules! made {
    ($(#[$meta:meta])* $vis:vis struct $name:ident, $package:literal, $function:path, $pool:expr) => {
        #[derive(Default, Object)]
        $(#[$meta])*
        #[object(name = concat!($package, ".", stringify!($name)), constructor = $function, pool = $pool)]
        $vis struct $name(i32);
    };
}

made! {
    #[object(kind = value, hash = digest)]
    #[derive(PartialEq)]
    pub(crate) struct Made, "Derive", start, keep_at_most(3)
}

impl Made {
    fn start(&mut self) {
        self.0 = 8;
    }

    fn digest(&self) -> i32 {
        self.0
    }
}

#[test]
fn classes_made_by_macros() {
    let _alone = alone();
    assert_eq!(Made::allocate().hash_code(), 8);
    assert_eq!(Made::class().name(), "Derive.Made");
    assert_eq!(Made::class().policy(), PoolPolicy::KeepAtMost(3));
}

#[test]
fn the_trivial_class() {
    let _alone = alone();
    let plain = Plain::allocate_with(|it| it.number = 3);
    assert_eq!(plain.number, 3);
    assert_eq!(load_class("Derive.Plain"), Ok(Plain::class()));
    assert_eq!(Plain::class().policy(), PoolPolicy::KeepAll);
    assert!(plain == plain.clone() && plain != Plain::allocate());
}

#[test]
fn every_option() {
    let _alone = alone();
    assert_eq!(Full::class().name(), "Derive.Full");
    assert_eq!(Full::class().policy(), PoolPolicy::KeepAtMost(3));
    for life in 1..=3 {
        let full = Full::allocate();
        assert_eq!((full.lives, full.ended), (life, life - 1));
    }
    assert_eq!(STARTED.load(SeqCst), 1);
    drop(Named::allocate_with(|it| assert_eq!(it.0, 7)));
    shutdown();
    assert_eq!(STARTED.load(SeqCst), 101);
}

#[test]
fn values() {
    let _alone = alone();
    let some = |number| Hashed::allocate_with(|it| *it = Hashed::Some(number));
    assert!(some(5) == some(5) && some(5) != some(6));
    assert_eq!(some(5).hash_code(), 5);
    assert_eq!(*Hashed::allocate(), Hashed::None);
    assert_eq!(Hashed::class().policy(), PoolPolicy::KeepNone);
    let by_hand = ByHand::allocate_with(|it| it.0 = 4);
    assert_eq!(by_hand.hash_code(), -4);
}

#[test]
fn another_path_to_the_crate() {
    let _alone = alone();
    drop(elsewhere::Raw::allocate());
    assert_eq!(elsewhere::Raw::class().name(), "Derive.Raw");
    let Stats { live, .. } = elsewhere::Raw::class().stats();
    assert_eq!(live, 0);
    elsewhere::Raw::class().settle();
}
