//! Alignments and addresses of objects: what a program may tell a kernel or a device about its buffers.
#![allow(clippy::large_stack_arrays, reason = "an object is made on the stack")]

mod support;

use acedia::pool::Pool;
use support::sized;

/// A slot, as `docs/borders.md` describes it: a word, then the object.
#[repr(C)]
struct Slot<T>(u64, T);

macro_rules! buffers {
    ($($name:ident $align:literal $bytes:literal),*) => {$(
        #[repr(C, align($align))]
        struct $name([u8; $bytes]);

        impl Default for $name {
            fn default() -> Self {
                Self([0; $bytes])
            }
        }

        impl Ends for $name {
            fn ends(&mut self) -> [&mut u8; 2] {
                let [first, .., last] = &mut self.0;
                [first, last]
            }
        }
    )*};
}

buffers!(Line 64 64, Sector 512 512, Page 4096 4096, Pages 4096 65_536, Odd 4096 5000, Large 65_536 65_536, Huge 2_097_152 2_097_152);

trait Ends: Default + Send + Sync + 'static {
    fn ends(&mut self) -> [&mut u8; 2];
}

fn address<T>(object: &T) -> usize {
    (&raw const *object).addr()
}

/// Every object is aligned, and adjacent ones have the distance of a slot. A slot keeps its address and its bytes from life to life,
/// and its alignment after a collection.
fn addresses<T: Ends>(count: usize) {
    let pool: Pool<T> = Pool::new();
    let mut owners: Vec<_> = pool.allocate_many(count).collect();
    let addresses: Vec<usize> = owners.iter().map(|owner| address(&**owner)).collect();
    assert!(addresses.iter().all(|address| address % align_of::<T>() == 0));
    let mut sorted = addresses.clone();
    sorted.sort_unstable();
    let slot = size_of::<Slot<T>>();
    assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= slot));
    let adjacent = sorted.windows(2).filter(|pair| pair[1] - pair[0] == slot).count();
    // A chunk has at least one slot, and sixteen if they take at most a MiB.
    assert!(
        adjacent * 16 >= (count - 1) * 15 || slot * 16 > 1 << 20,
        "{adjacent} of {count}"
    );
    for (owner, n) in owners.iter_mut().zip(1..) {
        for end in owner.get_mut().expect("one owner").ends() {
            *end = n;
        }
    }
    drop(owners);

    let mut again: Vec<_> = pool.allocate_many(count).collect();
    for owner in &mut again {
        let place = addresses
            .iter()
            .position(|one| *one == address(&**owner))
            .expect("a known one");
        for end in owner.get_mut().expect("one owner").ends() {
            assert_eq!(usize::from(*end), place + 1, "the bytes of the life before");
        }
    }
    drop(again);

    pool.collect();
    let fresh: Vec<_> = pool.allocate_many(count).collect();
    assert!(fresh.iter().all(|owner| address(&**owner) % align_of::<T>() == 0));
}

#[test]
fn objects_of_every_alignment() {
    let _alone = support::alone();
    addresses::<Line>(sized(200, 200, 20));
    addresses::<Sector>(sized(200, 200, 20));
    addresses::<Page>(sized(200, 200, 20));
    addresses::<Odd>(sized(100, 100, 10));
    addresses::<Pages>(sized(40, 40, 4));
    addresses::<Large>(sized(40, 40, 4));
    // An object is made on the stack, and aligned there, too.
    let huge = || addresses::<Huge>(sized(4, 20, 2));
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(huge);
    thread.expect("a thread").join().expect("no panic");
}
