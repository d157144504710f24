//! Objects of every size and alignment, and what a program may tell a kernel or a device about its buffers.

use std::collections::HashMap;
use std::num::NonZeroU64;

use acedia::pool::{Global, Hooks, Plain};
use acedia::{Pool, pin};

use super::support::{POLICIES, alone, handles, sized};

/// A slot, as `docs/borders.md` describes it: a word, which is atomic and so aligned to 8 bytes everywhere, then the object.
#[repr(C, align(8))]
struct Slot<T>(u64, T);

/// Allocates, reads, writes, frees and collects objects of one type, for each policy. Every object is aligned, and adjacent ones
/// are one slot apart. A slot keeps its address and its content from life to life.
fn of_shape<T: Send + Sync + 'static, H: Hooks<T, Readers = Global>>(
    count: usize,
    write: fn(&mut T, u64),
    read: fn(&T, u64) -> bool,
) {
    for policy in POLICIES {
        let pool: Pool<T, H> = Pool::with_hooks().keep(policy);
        let mut last = HashMap::new();
        for round in 0..3_u64 {
            let mut owners: Vec<_> = pool.allocate_many(count).collect();
            let mut places = HashMap::new();
            for (owner, n) in owners.iter_mut().zip(0..) {
                let address = (&raw const **owner).addr();
                assert_eq!(address % align_of::<T>(), 0);
                if policy.limit().is_none() && !last.is_empty() {
                    let before = last.get(&address).expect("a place of the life before");
                    assert!(read(owner, *before), "not the content of the life before");
                }
                write(owner.get_mut().unwrap(), n ^ round);
                let is_new = places.insert(address, n ^ round).is_none();
                assert!(is_new || size_of::<T>() == 0, "two objects in one place");
                let handle = owner.handle();
                let pinned = pin();
                let seen = pool.get(handle, &pinned).unwrap();
                assert!(std::ptr::eq(seen, &raw const **owner));
                assert!(std::ptr::eq(pool.reader(&pinned).get(handle).unwrap(), seen));
                assert!(read(seen, n ^ round) && read(&pool.guard(handle).unwrap(), n ^ round));
            }
            let mut sorted: Vec<_> = places.keys().copied().collect();
            sorted.sort_unstable();
            let slot = size_of::<Slot<T>>();
            let mut distances = sorted.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(distances.all(|distance| distance >= slot), "neighbours overlap");
            // A chunk has at least one slot, and sixteen if they take at most 1 MiB.
            let adjacent = sorted.windows(2).filter(|pair| pair[1] - pair[0] == slot).count();
            let is_dense = adjacent * 16 >= (sorted.len() - 1) * 15 || slot * 16 > 1 << 20;
            let is_old = round > 0 || policy.limit().is_some();
            assert!(is_dense || is_old, "{adjacent} of {count}");
            let stale = handles(&owners);
            drop(owners);
            drop(pin());
            assert!(stale.iter().all(|&handle| !pool.contains(handle)));
            last = places;
            if round == 1 {
                pool.collect();
                last.clear();
            }
        }
        assert_eq!(pool.stats().live, 0);
    }
}

/// Makes objects that have no `Default`.
pub(super) struct Filled;

macro_rules! filled {
    ($($type:ty: $make:expr;)+) => {$(
        impl Hooks<$type> for Filled {
            type Readers = Global;

            fn make() -> $type {
                $make
            }
        }
    )+};
}
filled! {
    NonZeroU64: NonZeroU64::MAX;
    &'static str: "made";
    fn() -> u64: || 5;
    [u8; 65_536]: [0; 65_536];
    [u8; 100_000]: [0; 100_000];
    [u8; 1 << 20]: [0; 1 << 20];
    Box<[u8; 65_536]>: Box::new([0; 65_536]);
}

/// An object of `N` bytes.
#[derive(Debug)]
pub(super) struct Large<const N: usize>([u8; N]);

impl<const N: usize> Default for Large<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

macro_rules! buffers {
    ($($name:ident $align:literal $bytes:literal),*) => {$(
        #[repr(C, align($align))]
        struct $name([u8; $bytes]);

        impl Default for $name {
            fn default() -> Self {
                Self([0; $bytes])
            }
        }

        impl AsMut<[u8]> for $name {
            fn as_mut(&mut self) -> &mut [u8] {
                &mut self.0
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }
    )*};
}
buffers!(Line 64 64, Sector 512 512, Page 4096 4096, Pages 4096 65_536, Odd 4096 5000, Wide 65_536 65_536, Huge 2_097_152 2_097_152);

/// Writes and reads the first byte and the last one.
fn buffers<T: AsMut<[u8]> + AsRef<[u8]> + Send + Sync + 'static, H: Hooks<T, Readers = Global>>(count: usize) {
    let write = |object: &mut T, n: u64| {
        let [first, .., last] = object.as_mut() else {
            unreachable!("it has bytes")
        };
        (*first, *last) = (n.to_le_bytes()[0], n.to_le_bytes()[0]);
    };
    of_shape::<T, H>(count, write, |object, n| {
        let (bytes, byte) = (object.as_ref(), n.to_le_bytes()[0]);
        bytes.first() == Some(&byte) && bytes.last() == Some(&byte)
    });
}

#[test]
fn objects_of_every_shape() {
    #[derive(Default)]
    #[repr(align(4096))]
    struct EmptyAlign4096;
    let _alone = alone();
    of_shape::<(), Plain>(5000, |(), _| {}, |(), _| true);
    of_shape::<EmptyAlign4096, Plain>(100, |_, _| {}, |_, _| true);
    of_shape::<bool, Plain>(300, |b, n| *b = n & 1 == 1, |b, n| *b == (n & 1 == 1));
    of_shape::<[u8; 3], Plain>(
        5000,
        |odd, n| *odd = [n.to_le_bytes()[0]; 3],
        |odd, n| *odd == [n.to_le_bytes()[0]; 3],
    );
    of_shape::<u128, Plain>(200, |object, n| *object = n.into(), |&object, n| object == n.into());
    of_shape::<Option<Box<u64>>, Plain>(
        200,
        |object, n| *object = Some(Box::new(n)),
        |object, n| object.as_deref() == Some(&n),
    );
    of_shape::<NonZeroU64, Filled>(
        200,
        |object, n| *object = NonZeroU64::MIN.saturating_add(n),
        |object, n| object.get() == n + 1,
    );
    of_shape::<&'static str, Filled>(
        200,
        |object, n| *object = if n == 0 { "none" } else { "some" },
        |object, n| *object == if n == 0 { "none" } else { "some" },
    );
    of_shape::<fn() -> u64, Filled>(50, |object, _| *object = || 6, |object, _| object() == 6);
}

#[test]
fn buffers_of_every_alignment() {
    let _alone = alone();
    buffers::<Line, Plain>(sized(200, 200, 20));
    buffers::<Sector, Plain>(sized(200, 200, 20));
    buffers::<Page, Plain>(sized(200, 200, 20));
    buffers::<Odd, Plain>(sized(100, 100, 10));
    buffers::<Pages, Plain>(sized(40, 40, 4));
    buffers::<Wide, Plain>(sized(40, 40, 4));
    buffers::<[u8; 65_536], Filled>(40);
    of_shape::<Box<[u8; 65_536]>, Filled>(
        20,
        |object, n| object[7] = n.to_le_bytes()[0],
        |object, n| object[7] == n.to_le_bytes()[0],
    );
    // An object is made on the stack, and aligned there, too.
    let huge = || {
        buffers::<Huge, Plain>(sized(4, 20, 2));
        buffers::<[u8; 1 << 20], Filled>(sized(20, 20, 1));
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(huge);
    thread.unwrap().join().unwrap();
}
