//! Programs that must compile: types that may cross threads. `src/compile_fail.rs` has those that must be refused.

use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, RwLock};

use acedia::pool::{Guard, Handle, Hooks, Owned, OwnedGuard, Pinned, Plain, Pool, Reclaimed, Reserved, Stats};
use acedia::{AccessError, AllocateError, PoolPolicy, Reason};

const fn crosses_threads<T: Send + Sync>() {}
const fn is_static<T: 'static>() {}
const fn is_copy<T: Copy + Eq>() {}
const fn unwinds<T: UnwindSafe + RefUnwindSafe>() {}

const fn all_cross<T: Send + Sync + 'static, H: Hooks<T>>() {
    crosses_threads::<Pool<T, H>>();
    crosses_threads::<Owned<T, &'static Pool<T, H>>>();
    crosses_threads::<Reserved<T, &'static Pool<T, H>>>();
    crosses_threads::<Guard<T, &'static Pool<T, H>>>();
    crosses_threads::<OwnedGuard<T, Pool<T, H>>>();
    is_static::<OwnedGuard<T, Pool<T, H>>>();
}

/// Hooks that are neither: they are types, never values.
struct Local(PhantomData<*mut u8>);

impl Hooks<u64> for Local {
    type Readers = acedia::pool::Global;

    fn make() -> u64 {
        0
    }
}

const _: () = {
    all_cross::<u64, Plain>();
    all_cross::<String, Plain>();
    all_cross::<Mutex<Vec<u8>>, Plain>();
    all_cross::<RwLock<AtomicU64>, Plain>();
    all_cross::<u64, Local>();
    crosses_threads::<Handle<u64>>();
    crosses_threads::<Stats>();
    crosses_threads::<Reclaimed>();
    crosses_threads::<AccessError>();
    crosses_threads::<AllocateError>();
    crosses_threads::<Reason>();
    crosses_threads::<PoolPolicy>();
    is_copy::<Handle<u64>>();
    is_copy::<PoolPolicy>();
    unwinds::<Handle<u64>>();
    unwinds::<AccessError>();
    assert!(
        size_of::<Handle<u64>>() == 8
            && size_of::<Option<Handle<u64>>>() == 8
            && align_of::<Handle<u64>>() == align_of::<u64>()
    );
    assert!(size_of::<Option<Owned<u64, &'static Pool<u64>>>>() == size_of::<usize>());
    assert!(size_of::<Pinned>() == 0);
};

/// A pool moves while it has objects, which stay where they are.
#[test]
fn a_pool_moves() {
    let pool: Pool<Vec<u64>> = Pool::new();
    let key = pool.allocate_with(|v| v.push(7)).into_manual();
    let pool = Box::new(pool);
    let pool = std::thread::spawn(move || {
        assert_eq!(pool.guard(key).unwrap()[0], 7);
        *pool
    });
    let pool = pool.join().unwrap();
    assert_eq!(*pool.reclaim(key).unwrap(), [7]);
}

/// Owners and guards are used and dropped on threads that did not make them.
#[test]
fn owners_and_guards_cross() {
    let pool: Pool<u64> = Pool::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let owner = pool.allocate_with(|n| *n = 7);
            let guard = pool.guard(owner.handle()).unwrap();
            let (again, shared) = (guard.clone(), owner.clone());
            let reserved = pool.reserve();
            scope
                .spawn(move || {
                    assert_eq!((*guard, *owner), (7, 7));
                    drop(reserved.fill(|n| *n = 8));
                })
                .join()
                .unwrap();
            scope.spawn(move || drop(shared)).join().unwrap();
            assert_eq!(*again, 7, "its life is over, and it is still read");
        }
    });
    assert_eq!(pool.stats().live, 0);
}
