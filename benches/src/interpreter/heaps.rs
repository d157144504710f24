//! The contenders. With keys, an object has a count, which is changed by hand.

use super::machine::{Heap, Node, as_number};
use acedia::{
    Handle, Object, Owned, class,
    pool::{Dropping, Key, Owner, Pinned, Pool, Value, Values, pin},
};
use slotmap::{DefaultKey, SlotMap};
use std::{
    rc::{self, Rc},
    sync::{
        self, Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

/// A heap whose references are owners.
macro_rules! owners {
    ($Heap:ident, $name:literal, $Ref:ty, $Weak:ty, $allocate:expr, $weak:expr,
     |$to:ident| $read:expr, |$key:ident| $number:expr) => {
        pub(super) struct $Heap;

        impl Heap for $Heap {
            const NAME: &'static str = $name;
            type Ref = $Ref;
            type Weak = $Weak;

            fn new() -> Self {
                Self
            }
            fn allocate(&mut self, node: Node<Self>) -> $Ref {
                $allocate(node)
            }
            fn share(&self, to: &$Ref) -> $Ref {
                to.clone()
            }
            fn release(&mut self, to: $Ref) {
                drop(to);
            }
            fn read<'a>(&'a self, $to: &'a $Ref) -> &'a Node<Self> {
                $read
            }
            fn weak(&self, to: &$Ref) -> $Weak {
                $weak(to)
            }
            fn number(&self, $key: &$Weak) -> Option<i64> {
                $number
            }
        }
    };
}

owners!(
    ByRc,
    "Rc and Weak",
    Rc<Node<Self>>,
    rc::Weak<Node<Self>>,
    Rc::new,
    Rc::downgrade,
    |to| to,
    |weak| weak.upgrade().map(|node| as_number(&node))
);
owners!(
    ByArc,
    "Arc and Weak",
    Arc<Node<Self>>,
    sync::Weak<Node<Self>>,
    Arc::new,
    Arc::downgrade,
    |to| to,
    |weak| weak.upgrade().map(|node| as_number(&node))
);

static POOL: Values<Node<ByOwner>> = Pool::values();
owners!(
    ByOwner,
    "acedia, owners",
    Owner<'static, Value<Node<Self>>, Dropping>,
    Key,
    |node| POOL.insert(node),
    Owner::key,
    |to| to,
    |key| POOL.get(*key, &pin()).map(|node| as_number(node))
);

/// An object of a class.
#[derive(Default)]
pub(super) struct Record(Option<Node<ByClass>>);

impl Object for Record {
    class!(Record, "Bench.Node");
    const FINALIZER: Option<fn(&mut Self)> = Some(|record| record.0 = None);
}

impl Record {
    fn node(&self) -> &Node<ByClass> {
        self.0.as_ref().expect("alive")
    }
}

owners!(
    ByClass,
    "acedia, class",
    Owned<Record>,
    Handle<Record>,
    |node| Record::allocate_with(|record| record.0 = Some(node)),
    Owned::handle,
    |to| to.node(),
    |handle| handle.get(&pin()).map(|record| as_number(record.node()))
);

/// An object with a count. It is atomic because acedia asks for `Sync`, but is only loaded and stored, which costs what a plain number does.
struct Counted<H: Heap>(AtomicU32, Node<H>);

/// A heap whose references are keys, in a map that is changed by `&mut`.
macro_rules! keys {
    ($Heap:ident, $name:literal, $Map:ty, $Ref:ty, $new:expr, $insert:ident, $remove:ident,
     |$heap:ident, $key:ident| $get:expr) => {
        pub(super) struct $Heap($Map, Option<Pinned>);

        impl $Heap {
            fn find(&self, key: $Ref) -> Option<&Counted<Self>> {
                let ($heap, $key) = (self, key);
                $get
            }
        }

        impl Heap for $Heap {
            const NAME: &'static str = $name;
            type Ref = $Ref;
            type Weak = $Ref;

            fn new() -> Self {
                Self($new, None)
            }
            fn allocate(&mut self, node: Node<Self>) -> $Ref {
                self.0.$insert(Counted(AtomicU32::new(1), node))
            }
            fn share(&self, to: &$Ref) -> $Ref {
                let Counted(count, _) = self.find(*to).expect("alive");
                count.store(count.load(Relaxed) + 1, Relaxed);
                *to
            }
            fn release(&mut self, to: $Ref) {
                let Counted(count, _) = self.find(to).expect("alive");
                let left = count.load(Relaxed) - 1;
                count.store(left, Relaxed);
                if left == 0 {
                    let Counted(_, node) = self.0.$remove(to).expect("alive");
                    node.into_references()
                        .into_iter()
                        .flatten()
                        .for_each(|to| self.release(to));
                }
            }
            fn read<'a>(&'a self, to: &'a $Ref) -> &'a Node<Self> {
                &self.find(*to).expect("alive").1
            }
            fn weak(&self, to: &$Ref) -> $Ref {
                *to
            }
            fn number(&self, to: &$Ref) -> Option<i64> {
                Some(as_number(&self.find(*to)?.1))
            }
            fn pin(&mut self, pinned: bool) {
                self.1 = pinned.then(pin);
            }
        }
    };
}

keys!(
    BySlotMap,
    "slotmap",
    SlotMap<DefaultKey, Counted<Self>>,
    DefaultKey,
    SlotMap::new(),
    insert,
    remove,
    |heap, key| heap.0.get(key)
);

keys!(
    ByKey,
    "acedia, `&mut`",
    Values<Counted<Self>>,
    Key,
    Pool::values(),
    add,
    remove,
    |heap, key| heap.0.get(key, heap.1.as_ref()?).map(|object| &**object)
);
