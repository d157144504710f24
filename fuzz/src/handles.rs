//! Any 64 bits as a handle, as code in another language may pass them: against a table of the living objects.

use std::collections::BTreeMap;

use acedia::{AnyHandle, Class, Handle, Object, Reason, class, collect_garbage};
use arbitrary::Arbitrary;

/// An object that owns memory, so that a read at the wrong time is one of freed memory.
trait Numbered: Send + Sync {
    fn number(&self) -> u64;
}

/// Kept from life to life.
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

/// One step.
#[derive(Arbitrary, Clone, Copy, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Allocate { ended: bool },
    Read(Bits),
    Typed(Bits),
    Free(Bits),
    FreeTyped { bits: Bits, ended: bool },
    Collect,
}

#[derive(Default)]
struct Table {
    issued: Vec<u64>,
    /// The class and the number of each living object.
    living: BTreeMap<u64, (&'static Class, u64)>,
}

/// Runs the steps, and frees all objects at the end.
///
/// # Panics
///
/// If a handle leads to a different object than it should, or to one that has ended.
pub fn run(ops: &[Op]) {
    let mut table = Table::default();
    for op in ops {
        table.step(*op);
    }
    for (bits, (class, _)) in std::mem::take(&mut table.living) {
        assert_eq!(AnyHandle::find(bits).map(AnyHandle::class), Some(class));
        assert_eq!(AnyHandle::find(bits).map(AnyHandle::free), Some(Ok(())));
        assert_eq!(AnyHandle::find(bits), None);
    }
    assert_eq!((Kept::class().stats().live, Ended::class().stats().live), (0, 0));
}

impl Table {
    fn bits(&self, bits: Bits) -> u64 {
        let issued = |at: u8| match self.issued.len() {
            0 => 0,
            count => self.issued[usize::from(at) % count],
        };
        match bits {
            Bits::Any(bits) => bits,
            Bits::Issued(at) => issued(at),
            Bits::Flipped { issued: at, bit } => issued(at) ^ (1 << (bit % 64)),
            Bits::Mixed { slot, life } => issued(slot) & u64::from(u32::MAX) | issued(life) & !u64::from(u32::MAX),
        }
    }

    fn step(&mut self, op: Op) {
        match op {
            Op::Allocate { ended } => self.allocate(ended),
            Op::Read(bits) => {
                let bits = self.bits(bits);
                let read = AnyHandle::find(bits).map(|handle| {
                    let kept = handle.downcast::<Kept>().and_then(|it| it.with(Numbered::number));
                    let ended = handle.downcast::<Ended>().and_then(|it| it.with(Numbered::number));
                    (handle.class(), kept.or(ended).expect("alive"))
                });
                assert_eq!(read, self.living.get(&bits).copied());
            }
            Op::Typed(bits) => {
                let bits = self.bits(bits);
                let kept = Handle::<Kept>::from_bits(bits).and_then(|it| it.with(Numbered::number));
                let ended = Handle::<Ended>::from_bits(bits).and_then(|it| it.with(Numbered::number));
                let of = |class| {
                    self.living
                        .get(&bits)
                        .filter(|known| known.0 == class)
                        .map(|known| known.1)
                };
                assert_eq!((kept, ended), (of(Kept::class()), of(Ended::class())));
            }
            Op::Free(bits) => {
                let bits = self.bits(bits);
                let freed = AnyHandle::find(bits).map(AnyHandle::free);
                assert_eq!(freed, self.living.remove(&bits).map(|_| Ok(())));
            }
            Op::FreeTyped { bits, ended } => {
                let bits = self.bits(bits);
                let class = if ended { Ended::class() } else { Kept::class() };
                let Some(handle) = AnyHandle::from_bits(class, bits) else {
                    return;
                };
                let freed = handle.free().map_err(|error| error.reason());
                let is_living = self.living.get(&bits).is_some_and(|known| known.0 == class);
                assert_eq!(freed.is_ok(), is_living, "{freed:?}");
                assert_ne!(freed, Err(Reason::Owned));
                if is_living {
                    self.living.remove(&bits);
                }
            }
            Op::Collect => _ = collect_garbage(),
        }
    }

    fn allocate(&mut self, ended: bool) {
        let number = self.issued.len() as u64 + 1;
        let handle = if ended {
            Ended::allocate_with(|it| it.0 = Some(Box::new(number))).into_any()
        } else {
            Kept::allocate_with(|it| *it.0 = number).into_any()
        };
        let handle = handle.into_manual();
        self.issued.push(handle.to_bits());
        let before = self.living.insert(handle.to_bits(), (handle.class(), number));
        assert!(before.is_none(), "a handle was issued twice");
    }
}
