//! The contenders. With keys, an object has a count, which is changed by hand.

use super::machine::{Heap, Node, as_number};
use acedia::pool::{Dropping, Key, Owner, Pinned, Pool, Value, Values, pin};
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
    ($Heap:ident, $name:literal, $Ref:ty, $Weak:ty, $allocate:expr, $weak:expr, |$key:ident| $number:expr) => {
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
            fn read<'a>(&'a self, to: &'a $Ref) -> &'a Node<Self> {
                to
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
    |weak| weak.upgrade().map(|node| as_number(&node))
);
owners!(
    ByArc,
    "Arc and Weak",
    Arc<Node<Self>>,
    sync::Weak<Node<Self>>,
    Arc::new,
    Arc::downgrade,
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
    |key| POOL.get(*key, &pin()).map(|node| as_number(node))
);

/// A count and an object. The count is atomic because acedia asks for `Sync`. It is loaded and stored, at the cost of a plain number.
struct Counted<H: Heap>(AtomicU32, Node<H>);

/// A heap whose references are keys, in a map that is changed by `&mut`.
macro_rules! keys {
    ($Heap:ident, $name:literal, $Map:ty, $Ref:ty, $new:expr, $insert:ident,
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
                count.store(count.load(Relaxed) - 1, Relaxed);
                if count.load(Relaxed) == 0 {
                    let Counted(_, node) = self.0.remove(to).expect("alive");
                    for to in node.into_references().into_iter().flatten() {
                        self.release(to);
                    }
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
    |heap, key| heap.0.get(key)
);

keys!(
    ByKey,
    "acedia, keys",
    Values<Counted<Self>>,
    Key,
    Pool::values(),
    add,
    |heap, key| heap.0.get(key, heap.1.as_ref()?).map(|object| &**object)
);
