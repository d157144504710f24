//! Type-erased owners of static pools, compared with a list of their expected values.

use acedia::pool::{ErasedOwner, Key, Owner, Plain, Pool, pin};
use arbitrary::Arbitrary;

use super::object::{Ended, Ending, Object};

static SMALL: Pool<Object> = Pool::new();
static LARGE: Pool<Ended, Ending> = Pool::with_hooks();

/// The most owners at a time.
const MOST: usize = 100;

/// One step. Numbers choose among the owners, modulo their count.
#[derive(Arbitrary, Clone, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Allocate { large: bool, number: u8 },
    Clone { owner: u8 },
    Drop { owner: u8 },
    Free { owner: u8 },
    Downcast { owner: u8, large: bool },
    Expose { owner: u8 },
}

/// The model of an owner.
#[derive(Clone, Copy, Debug)]
struct Known {
    large: bool,
    number: u64,
    /// The number of the object: clones share it.
    object: u64,
    key: Option<Key>,
}

/// The owners, and the model of each.
#[derive(Debug, Default)]
pub(crate) struct Driver {
    owners: Vec<(ErasedOwner, Known)>,
    objects: u64,
}

impl Driver {
    pub(crate) fn step(&mut self, op: &Op) {
        let at = match *op {
            Op::Allocate { large, number } => {
                if self.owners.len() < MOST {
                    self.allocate(large, u64::from(number) + 1);
                }
                return;
            }
            Op::Clone { owner }
            | Op::Drop { owner }
            | Op::Free { owner }
            | Op::Downcast { owner, .. }
            | Op::Expose { owner } => usize::from(owner),
        };
        if self.owners.is_empty() {
            return;
        }
        let at = at % self.owners.len();
        self.check(at);
        match *op {
            Op::Clone { .. } if self.owners.len() < MOST => {
                let (owner, known) = &self.owners[at];
                let copy = (owner.clone(), *known);
                self.owners.push(copy);
            }
            Op::Drop { .. } => self.leave(at, drop),
            Op::Free { .. } => self.leave(at, ErasedOwner::free),
            Op::Downcast { large, .. } => {
                let (owner, known) = self.owners.swap_remove(at);
                let owner = if large {
                    owner.downcast::<Ended, Ending>().map(Owner::erase)
                } else {
                    owner.downcast::<Object, Plain>().map(Owner::erase)
                };
                assert_eq!(owner.is_ok(), large == known.large);
                let (Ok(owner) | Err(owner)) = owner;
                self.owners.push((owner, known));
            }
            Op::Expose { .. } => {
                let key = self.owners[at].0.handle();
                let object = self.owners[at].1.object;
                for (_, known) in self.owners.iter_mut().filter(|(_, known)| known.object == object) {
                    assert_eq!(*known.key.get_or_insert(key), key, "one life, one key");
                }
            }
            Op::Clone { .. } | Op::Allocate { .. } => {}
        }
    }

    fn allocate(&mut self, large: bool, number: u64) {
        let owner = if large {
            LARGE.allocate_with(|ended| ended.object.fill(number)).erase()
        } else {
            SMALL.allocate_with(|object| object.fill(number)).erase()
        };
        self.objects += 1;
        let known = Known {
            large,
            number,
            object: self.objects,
            key: None,
        };
        self.owners.push((owner, known));
    }

    /// An owner reads as what it is, and as nothing else.
    fn check(&self, at: usize) {
        let (owner, known) = &self.owners[at];
        let small = owner.downcast_ref::<Object, Plain>().map(Object::read);
        let large = owner.downcast_ref::<Ended, Ending>().map(|ended| ended.object.read());
        let expected = Some(known.number);
        let (right, wrong) = if known.large { (large, small) } else { (small, large) };
        assert_eq!((right, wrong), (expected, None), "{known:?}");
        assert_eq!(owner.is::<Ended, Ending>(), known.large);
        let same = self.owners.iter().filter(|(_, other)| other.object == known.object);
        assert_eq!(owner.owners(), same.count());
    }

    fn leave(&mut self, at: usize, leave: fn(ErasedOwner)) {
        let (owner, known) = self.owners.swap_remove(at);
        leave(owner);
        let alive = self.owners.iter().any(|(_, other)| other.object == known.object);
        if let Some(key) = known.key {
            assert_eq!(SMALL.get(key, &pin()).is_some(), alive && !known.large);
            assert_eq!(LARGE.get(key, &pin()).is_some(), alive && known.large);
        }
    }

    /// Drops everything, and checks that nothing is left.
    pub(crate) fn finish(mut self) {
        while !self.owners.is_empty() {
            self.check(0);
            self.leave(0, drop);
        }
        drop(pin());
        assert_eq!((SMALL.stats().live, LARGE.stats().live), (0, 0));
    }
}
