//! Owners of objects of any class, and any 64 bits as a handle, as foreign code may pass them, against a table of the objects.

use std::collections::HashMap;

use acedia::{AnyHandle, AnyOwned, Class, Handle, Object, Reason, class, collect_garbage};
use arbitrary::Arbitrary;

/// Owns memory, so that a read at the wrong time reads freed memory.
trait Numbered: Object {
    fn number(&self) -> u64;
}

#[derive(Default)]
struct Kept(Box<u64>);

impl Object for Kept {
    class!(Kept, "Fuzz.Kept");
}

impl Numbered for Kept {
    fn number(&self) -> u64 {
        *self.0
    }
}

/// With a finalizer, and of another size.
#[derive(Default)]
struct Ended(Option<Box<u64>>, [u64; 32]);

impl Object for Ended {
    class!(Ended, "Fuzz.Ended");
    const FINALIZER: Option<fn(&mut Self)> = Some(|it| it.0 = None);
}

impl Numbered for Ended {
    fn number(&self) -> u64 {
        assert_eq!(self.1, [0; 32], "of another object");
        **self.0.as_ref().expect("alive")
    }
}

/// Bits of a handle. Numbers choose among all handles that were ever issued, modulo their count.
#[derive(Arbitrary, Clone, Copy, Debug)]
#[expect(missing_docs, reason = "named after their origin")]
pub enum Bits {
    Any(u64),
    Issued(u8),
    Flipped { issued: u8, bit: u8 },
    Mixed { slot: u8, life: u8 },
}

/// One step. Numbers choose among the owners, modulo their count.
#[derive(Arbitrary, Clone, Copy, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Allocate { ended: bool },
    Clone { owner: u8 },
    Drop { owner: u8 },
    Free { owner: u8 },
    Downcast { owner: u8, ended: bool },
    Expose { owner: u8 },
    IntoManual { owner: u8 },
    Read(Bits),
    FreeBits(Bits),
    FreeTyped { bits: Bits, ended: bool },
    Collect,
}

/// The model of an object. The object's number is its index in the table.
struct Known {
    ended: bool,
    /// A manual share included.
    owners: usize,
    manual: bool,
}

impl Known {
    fn class(&self) -> &'static Class {
        if self.ended { Ended::class() } else { Kept::class() }
    }
}

#[derive(Default)]
struct Table {
    objects: Vec<Known>,
    owners: Vec<(AnyOwned, usize)>,
    /// The object of each handle that was ever issued.
    issued: HashMap<u64, usize>,
    list: Vec<u64>,
}

/// Runs the steps, and frees all objects at the end.
///
/// # Panics
///
/// If an owner or a handle refers to a different object than it should, or to one that has ended.
pub fn run(ops: &[Op]) {
    let mut table = Table::default();
    for op in ops {
        table.step(*op);
        assert!(
            table
                .owners
                .iter()
                .all(|(owner, object)| table.reads_as(owner, *object))
        );
    }
    while let Some((owner, object)) = table.owners.pop() {
        drop(owner);
        table.objects[object].owners -= 1;
    }
    for bits in table.list.clone() {
        table.free(bits, AnyHandle::find(bits));
        assert_eq!(AnyHandle::find(bits), None);
    }
    assert_eq!((Kept::class().stats().live, Ended::class().stats().live), (0, 0));
}

fn number_of<T: Numbered>(bits: u64) -> Option<u64> {
    Handle::<T>::from_bits(bits)?.with(T::number)
}

impl Table {
    fn bits(&self, bits: Bits) -> u64 {
        let issued = |at: u8| match self.list.len() {
            0 => 0,
            count => self.list[usize::from(at) % count],
        };
        match bits {
            Bits::Any(bits) => bits,
            Bits::Issued(at) => issued(at),
            Bits::Flipped { issued: at, bit } => issued(at) ^ (1 << (bit % 64)),
            Bits::Mixed { slot, life } => issued(slot) & u64::from(u32::MAX) | issued(life) & !u64::from(u32::MAX),
        }
    }

    /// The living object of a handle.
    fn living(&self, bits: u64) -> Option<usize> {
        self.issued
            .get(&bits)
            .copied()
            .filter(|object| self.objects[*object].owners > 0)
    }

    /// Whether an owner is of its class only, and has the right number and owners.
    fn reads_as(&self, owner: &AnyOwned, object: usize) -> bool {
        let known = &self.objects[object];
        let numbers = (
            owner.downcast_ref().map(Kept::number),
            owner.downcast_ref().map(Ended::number),
        );
        let number = Some(object as u64);
        numbers == if known.ended { (None, number) } else { (number, None) }
            && owner.class() == known.class()
            && owner.owners() == known.owners
    }

    fn step(&mut self, op: Op) {
        match op {
            Op::Allocate { ended } if self.owners.len() < 100 => {
                let (object, number) = (self.objects.len(), self.objects.len() as u64);
                let owner = if ended {
                    Ended::allocate_with(|it| it.0 = Some(Box::new(number))).into_any()
                } else {
                    Kept::allocate_with(|it| *it.0 = number).into_any()
                };
                self.objects.push(Known {
                    ended,
                    owners: 1,
                    manual: false,
                });
                self.owners.push((owner, object));
            }
            Op::Allocate { .. } => {}
            Op::Clone { owner }
            | Op::Drop { owner }
            | Op::Free { owner }
            | Op::Downcast { owner, .. }
            | Op::Expose { owner }
            | Op::IntoManual { owner } => {
                if !self.owners.is_empty() {
                    self.step_owner(op, usize::from(owner) % self.owners.len());
                }
            }
            Op::Read(bits) => {
                let bits = self.bits(bits);
                let living = self.living(bits);
                assert_eq!(
                    AnyHandle::find(bits).map(AnyHandle::class),
                    living.map(|object| self.objects[object].class())
                );
                let of = |ended| {
                    living
                        .filter(|object| self.objects[*object].ended == ended)
                        .map(|it| it as u64)
                };
                assert_eq!(
                    (number_of::<Kept>(bits), number_of::<Ended>(bits)),
                    (of(false), of(true))
                );
            }
            Op::FreeBits(bits) => {
                let bits = self.bits(bits);
                self.free(bits, AnyHandle::find(bits));
            }
            Op::FreeTyped { bits, ended } => {
                let (bits, class) = (self.bits(bits), if ended { Ended::class() } else { Kept::class() });
                let living = self.living(bits).filter(|object| self.objects[*object].ended == ended);
                let handle = AnyHandle::from_bits(class, bits);
                if living.is_some() {
                    self.free(bits, handle);
                } else if let Some(handle) = handle {
                    assert_ne!(handle.free().unwrap_err().reason(), Reason::Owned);
                }
            }
            Op::Collect => _ = collect_garbage(),
        }
    }

    fn step_owner(&mut self, op: Op, at: usize) {
        let object = self.owners[at].1;
        match op {
            Op::Clone { .. } => {
                let copy = self.owners[at].0.clone();
                self.owners.push((copy, object));
                self.objects[object].owners += 1;
            }
            Op::Drop { .. } | Op::Free { .. } => {
                let (owner, _) = self.owners.swap_remove(at);
                if matches!(op, Op::Free { .. }) {
                    owner.free();
                }
                self.objects[object].owners -= 1;
            }
            Op::Downcast { ended, .. } => {
                let (owner, _) = self.owners.swap_remove(at);
                let owner = if ended {
                    owner.downcast::<Ended>().map(AnyOwned::from)
                } else {
                    owner.downcast::<Kept>().map(AnyOwned::from)
                };
                assert_eq!(owner.is_ok(), ended == self.objects[object].ended);
                let (Ok(owner) | Err(owner)) = owner;
                self.owners.push((owner, object));
            }
            Op::IntoManual { .. } => {
                self.expose(at);
                let (owner, _) = self.owners.swap_remove(at);
                let _ = owner.into_manual();
                // There is one manual share; a second is dropped.
                let known = &mut self.objects[object];
                known.owners -= usize::from(std::mem::replace(&mut known.manual, true));
            }
            _ => self.expose(at),
        }
    }

    fn expose(&mut self, at: usize) {
        let (owner, object) = &self.owners[at];
        let bits = owner.handle().to_bits();
        match self.issued.insert(bits, *object) {
            Some(before) => assert_eq!(before, *object, "a handle was issued twice"),
            None => self.list.push(bits),
        }
    }

    /// A free by handle takes the manual share of an object without other owners.
    fn free(&mut self, bits: u64, handle: Option<AnyHandle>) {
        let living = self.living(bits);
        assert_eq!(handle.is_some(), living.is_some());
        let (Some(handle), Some(object)) = (handle, living) else {
            return;
        };
        let known = &mut self.objects[object];
        let freed = handle.free().map_err(|error| error.reason());
        let expected = if known.manual && known.owners == 1 {
            Ok(())
        } else {
            Err(Reason::Owned)
        };
        assert_eq!(freed, expected);
        if freed.is_ok() {
            (known.manual, known.owners) = (false, 0);
        }
    }
}
