//! Several owners of one object, on one thread and on two.

mod support;

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use acedia::Reason;
use acedia::pool::{Hooks, Owned, Pool};
use support::{Rng, sized};

/// Marks the object while it lives.
struct Marking;

const ALIVE: u64 = 0xA11F_E000;

impl Hooks<AtomicU64> for Marking {
    type Readers = acedia::pool::Global;

    fn make() -> AtomicU64 {
        AtomicU64::new(0)
    }

    fn begin(object: &mut AtomicU64) {
        assert_eq!(std::mem::replace(object.get_mut(), ALIVE), 0, "handed out while alive");
    }

    const END: Option<fn(&mut AtomicU64)> = Some(|object| {
        assert_eq!(std::mem::take(object.get_mut()), ALIVE, "ended twice");
    });
}

/// Clones and drops at random, and leaves as many owners as there were.
fn use_owners(mut owners: Vec<Owned<AtomicU64, &'_ Pool<AtomicU64, Marking>>>, rng: &mut Rng, steps: usize) {
    let count = owners.len();
    for _ in 0..steps {
        let at = rng.below(owners.len());
        assert_eq!(owners[at].load(Ordering::Relaxed), ALIVE, "ended under an owner");
        if owners.len() < 2 * count && rng.below(2) == 0 {
            owners.push(owners[at].clone());
        } else if owners.len() > 1 {
            drop(owners.swap_remove(at));
        }
    }
}

#[test]
fn owners_are_counted() {
    let mut rng = Rng(7);
    for round in 0..sized(400, 2000, 3) {
        let pool: Pool<AtomicU64, Marking> = Pool::with_hooks();
        let first: Vec<_> = (0..3).map(|_| pool.allocate()).collect();
        let second: Vec<_> = first.iter().map(Clone::clone).collect();
        let other: Pool<AtomicU64, Marking> = Pool::with_hooks();
        let start = Barrier::new(2);
        let (late, steps) = (rng.below(300), rng.below(600));
        let (mut here, mut there) = (Rng(rng.next()), Rng(rng.next()));
        thread::scope(|scope| {
            let other_thread = scope.spawn(|| {
                start.wait();
                for _ in 0..late {
                    std::hint::spin_loop();
                }
                use_owners(second, &mut there, steps);
            });
            start.wait();
            if round % 2 == 0 {
                // Uses another pool meanwhile.
                let owner = other.allocate();
                (0..100).for_each(|_| drop(owner.clone()));
            }
            use_owners(first, &mut here, 600);
            // And not by the end of the scope, which does not wait for the thread to hand back its slots.
            other_thread.join().unwrap();
        });
        let stats = pool.stats();
        assert_eq!(stats.live, 0, "{stats:?}");
        assert_eq!(other.stats().live, 0);
    }
}

/// The number of owners is exact when no other thread changes it, also after several threads have.
#[test]
fn owners_are_as_many_as_there_are() {
    let pool: Pool<AtomicU64, Marking> = Pool::with_hooks();
    let owner = pool.allocate();
    assert_eq!(owner.owners(), 1);
    let clones: Vec<_> = (0..10).map(|_| owner.clone()).collect();
    assert_eq!(owner.owners(), 11);
    // Moved to another thread, and dropped there.
    thread::scope(|scope| scope.spawn(move || drop(clones)).join().unwrap());
    assert_eq!(owner.owners(), 1);
    let more = thread::scope(|scope| {
        let clone = || [owner.clone(), owner.clone()];
        scope.spawn(clone).join().unwrap()
    });
    assert_eq!(owner.owners(), 3);
    drop(more);
    assert_eq!(owner.owners(), 1);
    drop(owner);
    assert_eq!(pool.stats().live, 0);
}

/// An owner that finds itself the only one changes the object after all uses by the others. ThreadSanitizer checks that.
#[test]
fn an_owner_that_is_left_alone() {
    for _ in 0..sized(50, 500, 3) {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        let mut other = owner.clone();
        thread::scope(|scope| {
            let changing = scope.spawn(move || {
                let changed = loop {
                    match other.get_mut() {
                        Some(object) => break object,
                        None => thread::yield_now(),
                    }
                };
                *changed += 1;
                *changed
            });
            assert_eq!(*owner, 0);
            drop(owner);
            assert_eq!(changing.join().unwrap(), 1);
        });
    }
}

/// A thread frees an object by its key and uses it again, after all writes of its former owner. It is the only reader, so
/// nothing else synchronizes the two. ThreadSanitizer checks that.
#[test]
fn an_owner_that_leaves_its_object_to_another() {
    for _ in 0..sized(50, 500, 3) {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        let key = owner.handle();
        thread::scope(|scope| {
            let freeing = scope.spawn(|| {
                while pool.free(key).is_err() {
                    thread::yield_now();
                }
                let next = pool.allocate_with(|object| *object = 1);
                next.index() == key.index()
            });
            assert_eq!(*owner, 0);
            assert_eq!(owner.into_manual(), key);
            assert!(freeing.join().unwrap(), "another slot, so nothing was checked");
        });
    }
}

/// An object that has other owners is not freed by its key, and loses nothing by the attempt.
#[test]
fn a_manual_share_beside_another_owner() {
    let pool: Pool<u64> = Pool::new();
    let owner = pool.allocate_with(|object| *object = 7);
    let other = owner.clone();
    let key = owner.into_manual();
    assert_eq!(pool.free(key).unwrap_err().reason(), Reason::Owned);
    assert_eq!((*other, other.owners()), (7, 2));
    drop(other);
    assert!(pool.contains(key));
    assert!(pool.free(key).is_ok() && !pool.contains(key));
}
