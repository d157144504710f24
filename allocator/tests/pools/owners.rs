//! Several owners of one object, on one thread and on two.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use acedia::{Owned, Pool};

use super::support::{Barrier, Rng, alone, hooks, sized};

const ALIVE: u64 = 0xA11F_E000;

// Marks the object while it lives.
hooks!(Marking: AtomicU64 = AtomicU64::new(0),
    begin |object| assert_eq!(std::mem::replace(object.get_mut(), ALIVE), 0, "handed out while alive"),
    end |object| assert_eq!(std::mem::take(object.get_mut()), ALIVE, "ended twice"));

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
    let _alone = alone();
    let mut rng = Rng(7);
    for round in 0..sized(400, 2000, 3) {
        let [pool, other]: [Pool<AtomicU64, Marking>; 2] = [Pool::with_hooks(), Pool::with_hooks()];
        let first: Vec<_> = pool.allocate_many(3).collect();
        let second = first.clone();
        let start = Barrier::new(2);
        let (late, steps) = (rng.below(300), rng.below(600));
        let (mut here, mut there) = (Rng(rng.next()), Rng(rng.next()));
        thread::scope(|scope| {
            let other_thread = scope.spawn(|| {
                start.wait();
                (0..late).for_each(|_| std::hint::spin_loop());
                use_owners(second, &mut there, steps);
            });
            start.wait();
            if round % 2 == 0 {
                // Uses another pool meanwhile.
                let owner = other.allocate();
                (0..100).for_each(|_| drop(owner.clone()));
            }
            use_owners(first, &mut here, 600);
            // The end of the scope would not wait until the thread has returned its slots.
            other_thread.join().unwrap();
        });
        assert_eq!((pool.stats().live, other.stats().live), (0, 0));
    }
}

/// An owner that finds itself the only one changes the object after all uses by the others. ThreadSanitizer checks that.
#[test]
fn an_owner_that_is_left_alone() {
    let _alone = alone();
    for _ in 0..sized(50, 500, 3) {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        let mut other = owner.clone();
        thread::scope(|scope| {
            let changing = scope.spawn(move || {
                while other.get_mut().map(|object| *object += 1).is_none() {
                    thread::yield_now();
                }
                *other
            });
            assert_eq!(*owner, 0);
            drop(owner);
            assert_eq!(changing.join().unwrap(), 1);
        });
    }
}

/// A thread frees an object by its handle and uses it again, after all writes of its former owner. It is the only reader, so
/// nothing else synchronizes the threads. ThreadSanitizer checks that.
#[test]
fn an_owner_that_leaves_its_object_to_another() {
    let _alone = alone();
    for _ in 0..sized(50, 500, 3) {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        let handle = owner.handle();
        thread::scope(|scope| {
            let freeing = scope.spawn(|| {
                while pool.free(handle).is_err() {
                    thread::yield_now();
                }
                pool.allocate_with(|object| *object = 1).index() == handle.index()
            });
            assert_eq!(*owner, 0);
            assert_eq!(owner.into_manual(), handle);
            assert!(freeing.join().unwrap(), "another slot, so nothing was checked");
        });
    }
}
