//! Threads that take from a limbo at the same time, and objects that begin to wait while pins end.

use super::{Limbo, Taken, Waiting};
use crate::pool::models::{Ending, both, ends, model, saw};
use crate::pool::{Global, Pool, Readers, pin};

/// Takes an entry, if every pin is newer.
fn take(limbo: &Limbo) -> Option<u32> {
    match limbo.take(Global::pins()) {
        Taken::Slots(Waiting::One(slot)) => Some(slot),
        Taken::Slots(Waiting::Many(_)) => unreachable!("no magazine waits"),
        _ => None,
    }
}

/// Two threads take while a pin ends. Each entry goes to one of them, and none is lost, also if both put one back.
#[test]
fn two_threads_take_from_a_limbo() {
    model(&["too young", "both"], || {
        let limbo = &Limbo::new();
        let pinned = pin();
        limbo.push(Waiting::One(1), Global::pins());
        limbo.push(Waiting::One(2), Global::pins());
        let (here, there) = both(
            || {
                assert_eq!(take(limbo), None, "taken under a pin");
                drop(pinned);
                take(limbo)
            },
            || take(limbo),
        );
        saw(if there.is_some() { "both" } else { "too young" });
        let rest = std::iter::from_fn(|| take(limbo));
        let mut all: Vec<_> = here.into_iter().chain(there).chain(rest).collect();
        all.sort_unstable();
        assert_eq!(all, [1, 2]);
        assert_eq!(limbo.len(), 0);
    });
}

/// Two threads free objects under pins of their own. Whatever the order, the end of a pin finds each object: at the latest the next one.
#[test]
fn objects_begin_to_wait_while_pins_end() {
    model(&["at the ends", "at the next end"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let [one, two] = [(); 2].map(|()| pool.allocate());
        let _ = (one.key(), two.key());
        both(
            || {
                let pinned = pin();
                drop(one);
                drop(pinned);
            },
            || {
                let pinned = pin();
                drop(two);
                drop(pinned);
            },
        );
        saw(if ends() == 2 { "at the ends" } else { "at the next end" });
        drop(pin());
        assert_eq!((ends(), pool.stats().waiting), (2, 0));
    });
}

/// With an exact limit of one, two threads free at the same time: one object is kept, and the other one dropped.
#[test]
fn two_frees_at_an_exact_limit() {
    model(&["own", "other"], || {
        let pool = Pool::<_, Ending>::with_hooks().keep(crate::PoolPolicy::KeepAtMost(1));
        let [one, two] = [(); 2].map(|()| pool.allocate());
        let own = one.index();
        let (next, ()) = both(
            || {
                drop(one);
                pool.allocate().index()
            },
            || drop(two),
        );
        saw(if next == own { "own" } else { "other" });
        assert_eq!((pool.stats().live, pool.stats().kept, ends()), (0, 1, 3));
    });
}
