//! Reads through handles, in random order, on one thread.

use super::million::MILLION;
use crate::{
    case::{Case, nanoseconds},
    contender::Readable,
    contenders::{ByHandle, Guarded, Many, Reference, checked},
    payload::Words,
    shuffle::shuffle,
};
use std::{
    hint::black_box,
    sync::{Mutex, PoisonError},
};

/// The objects that are read: 16 bytes.
type Object = Words<2>;

/// Every contender, for reads of what is alive in that column.
macro_rules! alive {
    ($case:ident, $column:literal) => {{
        let mut cases = checked!($case, Object);
        cases.extend([
            $case::<ByHandle<$column>>(),
            $case::<Many<Object>>(),
            $case::<Guarded<Object>>(),
            $case::<Reference<Object>>(),
        ]);
        cases
    }};
}

/// Among a thousand objects, all alive.
pub(super) fn thousand() -> Vec<Case> {
    alive!(among_thousand, 0)
}

/// Among a million objects, all alive, after something else was in the processor's caches.
pub(super) fn from_memory() -> Vec<Case> {
    alive!(million_from_memory, 1)
}

/// Among the same, after they were.
pub(super) fn again() -> Vec<Case> {
    alive!(million_again, 2)
}

/// By a thousand handles whose objects were freed and whose slots hold other objects by now.
pub(super) fn stale() -> Vec<Case> {
    let mut cases = checked!(of_the_dead, Object);
    cases.extend([
        of_the_dead::<ByHandle<3>>(),
        of_the_dead::<Many<Object>>(),
        of_the_dead::<Guarded<Object>>(),
    ]);
    cases
}

const THOUSAND: u64 = 1000;

fn among_thousand<C: Readable>() -> Case {
    many_times(live::<C>(THOUSAND))
}

fn of_the_dead<C: Readable>() -> Case {
    let mut contender = C::new();
    let dead: Vec<C::Owner> = (0..THOUSAND).map(|seed| contender.allocate(seed)).collect();
    let keys = keys(&contender, &dead);
    for owner in dead {
        contender.free(owner);
    }
    let owners = (0..THOUSAND).map(|seed| contender.allocate(seed)).collect();
    many_times(List {
        contender,
        owners,
        keys,
        expected: (0, 0),
    })
}

fn million_from_memory<C: Readable>() -> Case {
    once(live::<C>(MILLION), |_| leave_the_caches())
}

fn million_again<C: Readable>() -> Case {
    // Twice, because not everything stays in the last cache after one time.
    once(live::<C>(MILLION), |list| (0..2).for_each(|_| list.read()))
}

/// Objects, and the handles by which they are read.
struct List<C: Readable> {
    contender: C,
    owners: Vec<C::Owner>,
    keys: Vec<C::Key>,
    /// How many are alive, and what they hold together.
    expected: (usize, u64),
}

impl<C: Readable> List<C> {
    /// Reads all of them under one pin.
    fn read(&self) {
        black_box(&self.owners);
        let found = self.contender.read_all(&self.contender.pin(), black_box(&self.keys));
        assert_eq!(found, self.expected, "{} read something else", C::NAME);
    }
}

fn live<C: Readable>(size: u64) -> List<C> {
    let mut contender = C::new();
    let owners: Vec<C::Owner> = (0..size).map(|seed| contender.allocate(seed)).collect();
    let keys = keys(&contender, &owners);
    List {
        expected: (owners.len(), (0..size).sum()),
        contender,
        owners,
        keys,
    }
}

fn many_times<C: Readable>(list: List<C>) -> Case {
    Case::batches(C::NAME, list.keys.len(), move || list.read())
}

/// Reads the list once, after `before`, which is not measured: every contender the same number of times.
fn once<C: Readable>(list: List<C>, before: impl Fn(&List<C>) + 'static) -> Case {
    Case::fixed(C::NAME, MILLION, move || {
        before(&list);
        nanoseconds(|| list.read())
    })
}

/// Fills the processor's caches with something else.
fn leave_the_caches() {
    /// Twice as much as the largest of them hold.
    const BYTES: usize = if cfg!(test) { 1 << 20 } else { 512 << 20 };
    static ELSEWHERE: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let mut elsewhere = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    elsewhere.resize(BYTES / size_of::<u64>(), 0);
    for line in elsewhere.iter_mut().step_by(8) {
        *line += 1;
    }
    black_box(&*elsewhere);
}

/// The handles of all owners, in random order.
fn keys<C: Readable>(contender: &C, owners: &[C::Owner]) -> Vec<C::Key> {
    let mut keys: Vec<C::Key> = owners.iter().map(|owner| contender.key(owner)).collect();
    shuffle(&mut keys);
    keys
}
