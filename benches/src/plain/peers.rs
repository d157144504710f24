//! What other crates offer for values that are read by many threads, and written meanwhile.

use super::{plain, sum};
use crate::case::Case;
use bytemuck::Pod;
use std::{hint::black_box, sync::atomic::Ordering};

/// Reads each value once, in a random order, with all that one read needs: its own pin, lock or reference.
pub(super) fn load<const N: usize>(count: usize, order: &[usize]) -> Vec<Case>
where
    [u64; N]: Pod + Default,
{
    let values = || (0..count as u64).map(|n| [n; N]);
    vec![
        case("acedia, load_many", count, {
            let (pool, keys) = plain::<N>(count);
            move || pool.load_many(&keys).flatten().fold(0, |all, value| all ^ sum(&value))
        }),
        case("seqlock", count, {
            let locks: Vec<_> = values().map(seqlock::SeqLock::new).collect();
            each(order, move |at| sum(&locks[at].read()))
        }),
        case("arc-swap", count, {
            let arcs: Vec<_> = values().map(arc_swap::ArcSwap::from_pointee).collect();
            each(order, move |at| sum(&arcs[at].load()))
        }),
        case("crossbeam-epoch", count, {
            let atomics: Vec<_> = values().map(crossbeam_epoch::Atomic::new).collect();
            each(order, move |at| {
                let pin = crossbeam_epoch::pin();
                let value = atomics[at].load(Ordering::Acquire, &pin);
                // SAFETY: made above, and never replaced.
                unsafe { value.as_ref() }.map_or(0, sum)
            })
        }),
        case("sdd", count, {
            let atomics: Vec<_> = values().map(sdd::AtomicOwned::new).collect();
            each(order, move |at| {
                let guard = sdd::Guard::new();
                atomics[at].load(Ordering::Acquire, &guard).as_ref().map_or(0, sum)
            })
        }),
        case("kovan", count, {
            let atoms: Vec<_> = values().map(kovan::Atom::new).collect();
            each(order, move |at| atoms[at].peek(sum))
        }),
        case("seize", count, {
            let collector = seize::Collector::new();
            let pointers: Vec<_> = values()
                .map(|value| std::sync::atomic::AtomicPtr::new(Box::leak(Box::new(value))))
                .collect();
            each(order, move |at| {
                let guard = collector.enter();
                let value = seize::Guard::protect(&guard, &pointers[at], Ordering::Acquire);
                // SAFETY: leaked above.
                sum(unsafe { &*value })
            })
        }),
        case("papaya", count, {
            let table: papaya::HashMap<usize, [u64; N], foldhash::fast::FixedState> = values().enumerate().collect();
            each(order, move |at| table.pin().get(&at).map_or(0, sum))
        }),
        case("evmap", count, {
            let options = evmap::Options::default();
            // SAFETY: the hasher gives equal hashes to equal keys, in both tables.
            let options = unsafe { options.with_hasher(foldhash::fast::FixedState::default()) };
            // SAFETY: numbers and arrays of numbers are compared and hashed by value.
            let (mut writer, reader) = unsafe { options.assert_stable() };
            writer.extend(values().enumerate());
            writer.publish();
            let mut pass = each(order, move |at| reader.get_one(&at).map_or(0, |value| sum::<N>(&value)));
            // Without its writer, the table is closed.
            move || (pass(), &writer).0
        }),
        case("DashMap", count, {
            let table: dashmap::DashMap<usize, [u64; N], foldhash::fast::FixedState> = values().enumerate().collect();
            each(order, move |at| table.get(&at).map_or(0, |value| sum(&value)))
        }),
    ]
}

/// One value after another.
fn each<F: FnMut(usize) -> u64>(order: &[usize], mut one: F) -> impl FnMut() -> u64 + use<F> {
    let order = order.to_vec();
    move || order.iter().fold(0, |all, &at| all ^ one(at))
}

/// A pass over all values.
fn case(name: &'static str, count: usize, mut pass: impl FnMut() -> u64 + 'static) -> Case {
    Case::batches(name, count, move || {
        black_box(pass());
    })
}
