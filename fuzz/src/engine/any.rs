//! Owners of objects of any class, compared with a list of their expected values.

use acedia::{AnyHandle, AnyOwned, Object as _, class, pin};
use arbitrary::Arbitrary;

use super::object::{Ended, Object};

impl acedia::Object for Object {
    class!(Object, "Fuzz.Small");
}

impl acedia::Object for Ended {
    class!(Ended, "Fuzz.Large");
    const FINALIZER: Option<fn(&mut Self)> = Some(Self::end);

    fn constructor(&mut self) {
        self.begin();
    }
}

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
    handle: Option<AnyHandle>,
}

/// The owners, and the model of each.
#[derive(Debug, Default)]
pub(crate) struct Driver {
    owners: Vec<(AnyOwned, Known)>,
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
            Op::Free { .. } => self.leave(at, AnyOwned::free),
            Op::Downcast { large, .. } => {
                let (owner, known) = self.owners.swap_remove(at);
                let owner = if large {
                    owner.downcast::<Ended>().map(AnyOwned::from)
                } else {
                    owner.downcast::<Object>().map(AnyOwned::from)
                };
                assert_eq!(owner.is_ok(), large == known.large);
                let (Ok(owner) | Err(owner)) = owner;
                self.owners.push((owner, known));
            }
            Op::Expose { .. } => {
                let handle = self.owners[at].0.handle();
                let object = self.owners[at].1.object;
                for (_, known) in self.owners.iter_mut().filter(|(_, known)| known.object == object) {
                    assert_eq!(*known.handle.get_or_insert(handle), handle, "one life, one handle");
                }
            }
            Op::Clone { .. } | Op::Allocate { .. } => {}
        }
    }

    fn allocate(&mut self, large: bool, number: u64) {
        let owner = if large {
            Ended::allocate_with(|ended| ended.object.fill(number)).into()
        } else {
            Object::allocate_with(|object| object.fill(number)).into()
        };
        self.objects += 1;
        let known = Known {
            large,
            number,
            object: self.objects,
            handle: None,
        };
        self.owners.push((owner, known));
    }

    /// An owner reads as what it is, and as nothing else.
    fn check(&self, at: usize) {
        let (owner, known) = &self.owners[at];
        let small = owner.downcast_ref::<Object>().map(Object::read);
        let large = owner.downcast_ref::<Ended>().map(|ended| ended.object.read());
        let expected = Some(known.number);
        let (right, wrong) = if known.large { (large, small) } else { (small, large) };
        assert_eq!((right, wrong), (expected, None), "{known:?}");
        assert_eq!(owner.is::<Ended>(), known.large);
        let same = self.owners.iter().filter(|(_, other)| other.object == known.object);
        assert_eq!(owner.owners(), same.count());
    }

    fn leave(&mut self, at: usize, leave: fn(AnyOwned)) {
        let (owner, known) = self.owners.swap_remove(at);
        leave(owner);
        let alive = self.owners.iter().any(|(_, other)| other.object == known.object);
        if let Some(handle) = known.handle {
            let small = handle.downcast::<Object>();
            let large = handle.downcast::<Ended>();
            assert_eq!((small.is_some(), large.is_some()), (!known.large, known.large));
            assert_eq!(small.is_some_and(|it| it.get(&pin()).is_some()), alive && !known.large);
            assert_eq!(large.is_some_and(|it| it.get(&pin()).is_some()), alive && known.large);
        }
    }

    /// Drops everything, and checks that nothing is left.
    pub(crate) fn finish(mut self) {
        while !self.owners.is_empty() {
            self.check(0);
            self.leave(0, drop);
        }
        drop(pin());
        assert_eq!((Object::pool().stats().live, Ended::pool().stats().live), (0, 0));
    }
}
