//! Programs that must compile: types that may cross threads. `src/compile_fail.rs` has those that must be refused.

use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, RwLock};
use std::thread;

use acedia::pool::{Global, Hooks, Plain};
use acedia::{
    AccessError, AllocateError, AnyHandle, AnyOwned, Class, Guard, Handle, Owned, Pinned, Pool, PoolPolicy, Reason,
    Reclaimed, Reserved, Stats,
};

use super::support::{alone, elsewhere};

const fn crosses_threads<T: Send + Sync + 'static>() {}
const fn is_copy<T: Copy + Eq>() {}
const fn unwinds<T: UnwindSafe + RefUnwindSafe>() {}

const fn all_cross<T: Send + Sync + 'static, H: Hooks<T>>() {
    crosses_threads::<Pool<T, H>>();
    crosses_threads::<Owned<T, &'static Pool<T, H>>>();
    crosses_threads::<Reserved<T, &'static Pool<T, H>>>();
    crosses_threads::<Guard<T, &'static Pool<T, H>>>();
    crosses_threads::<Guard<T, std::sync::Arc<Pool<T, H>>>>();
}

/// Not `Send` or `Sync`: hooks are never values.
struct Local(PhantomData<*mut u8>);

impl Hooks<u64> for Local {
    type Readers = Global;

    fn make() -> u64 {
        0
    }
}

const _: () = {
    all_cross::<u64, Plain>();
    all_cross::<Mutex<Vec<u8>>, Plain>();
    all_cross::<RwLock<AtomicU64>, Plain>();
    all_cross::<u64, Local>();
    crosses_threads::<(Handle<u64>, AnyHandle, AnyOwned, &'static Class)>();
    crosses_threads::<(Stats, Reclaimed, AccessError, AllocateError, Reason, PoolPolicy)>();
    is_copy::<(Handle<u64>, PoolPolicy)>();
    unwinds::<(Handle<u64>, AccessError)>();
    let word = size_of::<Handle<u64>>();
    assert!(word == 8 && size_of::<Option<Handle<u64>>>() == 8 && align_of::<Handle<u64>>() == align_of::<u64>());
    assert!(size_of::<Option<Owned<u64, &'static Pool<u64>>>>() == size_of::<usize>());
    assert!(size_of::<Pinned>() == 0);
};

/// A pool moves while it has objects, which stay where they are.
#[test]
fn a_pool_moves() {
    let _alone = alone();
    let pool: Pool<Vec<u64>> = Pool::new();
    let handle = pool.allocate_with(|v| v.push(7)).into_manual();
    let pool = Box::new(pool);
    let moved = thread::spawn(move || {
        assert_eq!(pool.guard(handle).unwrap()[0], 7);
        *pool
    });
    assert_eq!(*moved.join().unwrap().reclaim(handle).unwrap(), [7]);
}

/// Owners and guards are used and dropped on threads that did not make them.
#[test]
fn owners_and_guards_cross() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    for _ in 0..4 {
        let owner = pool.allocate_with(|n| *n = 7);
        let guard = pool.guard(owner.handle()).unwrap();
        let (again, shared, reserved) = (guard.clone(), owner.clone(), pool.reserve());
        let there = move || {
            assert_eq!((*guard, *owner), (7, 7));
            drop(reserved.fill(|n| *n = 8));
        };
        elsewhere(there);
        elsewhere(move || drop(shared));
        assert_eq!(*again, 7, "its life is over, and it is still read");
    }
    assert_eq!(pool.stats().live, 0);
}
