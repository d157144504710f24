//! All outcomes that the language allows for a small program of atomic accesses.
//!
//! loom and ThreadSanitizer treat a `SeqCst` access as acquire and release, so neither can check that an access must be
//! `SeqCst`. This checker can. It implements the memory model of C++20, which is Rust's, in the standard's terms. It
//! tries every execution of a program without branches: every store that each load may read from, and every order of
//! the stores to each word. The result is the set of outcomes that a machine or a compiler may show.
//!
//! ```text
//! sequenced before ─┐                                                         ┌─ reads from
//!                   ├─► happens before ──► never against ◄── coherence order ◄┼─ modification order
//! synchronizes with ┘          │                                   │          └─ reads the value before
//!                              └───────► order of all SeqCst ◄─────┘
//! ```

use std::collections::BTreeSet;

use crate::sync::Ordering;

/// One of the program's words. Each is initially 0.
pub(crate) type Word = usize;

/// One step of a thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Access {
    Load(Word, Ordering),
    Store(Word, i32, Ordering),
    /// One atomic read-modify-write; its outcome is the previous value.
    Add(Word, i32, Ordering),
    Fence(Ordering),
}

use Access::{Add, Fence, Load, Store};

impl Access {
    fn order(self) -> Ordering {
        match self {
            Load(_, order) | Store(_, _, order) | Add(_, _, order) | Fence(order) => order,
        }
    }

    fn word(self) -> Option<Word> {
        match self {
            Load(word, _) | Store(word, ..) | Add(word, ..) => Some(word),
            Fence(_) => None,
        }
    }

    fn reads(self) -> bool {
        matches!(self, Load(..) | Add(..))
    }

    fn writes(self) -> bool {
        matches!(self, Store(..) | Add(..))
    }

    fn is_fence(self) -> bool {
        matches!(self, Fence(_))
    }

    fn releases(self) -> bool {
        let order = self.order();
        (self.writes() || self.is_fence()) && matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
    }

    fn acquires(self) -> bool {
        let order = self.order();
        (self.reads() || self.is_fence()) && matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
    }

    fn is_seqcst(self) -> bool {
        self.order() == Ordering::SeqCst
    }
}

/// A relation between events.
#[derive(Clone, Debug)]
struct Relation(Vec<Vec<bool>>);

impl Relation {
    fn of(events: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let row = |a| (0..events).map(|b| holds(a, b)).collect();
        Self((0..events).map(row).collect())
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.0[a][b]
    }

    /// The transitive closure.
    fn closed(mut self) -> Self {
        let events = self.0.len();
        for via in 0..events {
            for a in 0..events {
                for b in 0..events {
                    self.0[a][b] |= self.0[a][via] && self.0[via][b];
                }
            }
        }
        self
    }

    /// Whether no event comes before itself. The relation is closed.
    fn is_order(&self) -> bool {
        (0..self.0.len()).all(|a| !self.0[a][a])
    }
}

/// A program's events: for each word the store of its initial value, then the threads' accesses.
struct Events {
    accesses: Vec<Access>,
    /// The initial values belong to no thread.
    threads: Vec<Option<usize>>,
}

/// One execution of a program: the store that each load reads from, and the order of the stores to each word.
struct Execution<'e> {
    events: &'e Events,
    /// By event: the store that a load reads from.
    from: Vec<Option<usize>>,
    /// By word.
    stores: &'e [Vec<usize>],
}

/// The values that the program's loads and additions may have read, in the order of the text.
pub(crate) fn outcomes(program: &[&[Access]]) -> BTreeSet<Vec<i32>> {
    let words = program
        .iter()
        .copied()
        .flatten()
        .filter_map(|access| access.word())
        .max();
    let words = words.map_or(0, |last| last + 1);
    let mut events = Events {
        accesses: (0..words).map(|word| Store(word, 0, Ordering::Relaxed)).collect(),
        threads: vec![None; words],
    };
    for (thread, script) in program.iter().enumerate() {
        events.accesses.extend_from_slice(script);
        events.threads.extend(script.iter().map(|_| Some(thread)));
    }
    let mut outcomes = BTreeSet::new();
    let orders: Vec<Vec<Vec<usize>>> = (0..words).map(|word| events.orders(word)).collect();
    for stores in choices(&orders) {
        // An addition reads the store just before its own.
        let may_read = |event: usize| match events.accesses[event] {
            Load(word, _) => stores[word].iter().copied().map(Some).collect(),
            Add(word, ..) => stores[word]
                .windows(2)
                .filter(|pair| pair[1] == event)
                .map(|pair| Some(pair[0]))
                .collect(),
            _ => vec![None],
        };
        let sources: Vec<Vec<Option<usize>>> = (0..events.accesses.len()).map(may_read).collect();
        for from in choices(&sources) {
            let execution = Execution {
                events: &events,
                from,
                stores: &stores,
            };
            if execution.is_allowed() {
                outcomes.insert(execution.values());
            }
        }
    }
    outcomes
}

/// Every choice of one element from each list.
fn choices<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        let longer = |start: &Vec<T>| -> Vec<Vec<T>> {
            let with = |one: &T| start.iter().chain([one]).cloned().collect();
            list.iter().map(with).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Every order of `rest` behind `start`.
fn permutations(start: &[usize], rest: &[usize]) -> Vec<Vec<usize>> {
    if rest.is_empty() {
        return vec![start.to_vec()];
    }
    let behind = |&next: &usize| {
        let left: Vec<usize> = rest.iter().copied().filter(|&other| other != next).collect();
        permutations(&[start, &[next]].concat(), &left)
    };
    rest.iter().flat_map(behind).collect()
}

impl Events {
    /// The orders in which the stores to a word may come: its initial value is first.
    fn orders(&self, word: Word) -> Vec<Vec<usize>> {
        let is_store = |&event: &usize| {
            let access = self.accesses[event];
            event != word && access.writes() && access.word() == Some(word)
        };
        let stores: Vec<usize> = (0..self.accesses.len()).filter(is_store).collect();
        permutations(&[word], &stores)
    }

    /// In the text of one thread, or from an initial value.
    fn sequenced(&self, a: usize, b: usize) -> bool {
        match (self.threads[a], self.threads[b]) {
            (None, to) => to.is_some(),
            (from, to) => from == to && a < b,
        }
    }

    /// The event itself and the fences on one side of it, as far as they have an effect.
    fn with_fences(&self, event: usize, has: fn(Access) -> bool, side: impl Fn(usize) -> bool) -> Vec<usize> {
        let counts = |&other: &usize| {
            has(self.accesses[other]) && (other == event || self.accesses[other].is_fence() && side(other))
        };
        (0..self.accesses.len()).filter(counts).collect()
    }
}

impl Execution<'_> {
    fn values(&self) -> Vec<i32> {
        let read = |event: usize| self.from[event].map(|store| self.value(store));
        (0..self.from.len()).filter_map(read).collect()
    }

    fn value(&self, store: usize) -> i32 {
        match (self.events.accesses[store], self.from[store]) {
            (Store(_, value, _), _) => value,
            (Add(_, by, _), Some(before)) => self.value(before) + by,
            _ => unreachable!("only stores are read from"),
        }
    }

    /// Whether one store to a word comes after another.
    fn modified_after(&self, a: usize, b: usize) -> bool {
        let Some(word) = self.events.accesses[a].word() else {
            return false;
        };
        let place = |event| self.stores[word].iter().position(|&store| store == event);
        matches!((place(a), place(b)), (Some(a), Some(b)) if a < b)
    }

    /// Whether `store` belongs to the release sequence that `head` heads: itself, and additions directly behind it.
    fn in_release_sequence(&self, head: usize, store: usize) -> bool {
        store == head
            || matches!((self.events.accesses[store], self.from[store]),
            (Add(..), Some(before)) if self.in_release_sequence(head, before))
    }

    fn synchronizes(&self) -> BTreeSet<(usize, usize)> {
        let events = self.events;
        let mut pairs = BTreeSet::new();
        for (reader, source) in self.from.iter().enumerate() {
            let Some(source) = *source else { continue };
            let heads = (0..self.from.len()).filter(|&head| self.in_release_sequence(head, source));
            for head in heads {
                let released = events.with_fences(head, Access::releases, |fence| events.sequenced(fence, head));
                let acquired = events.with_fences(reader, Access::acquires, |fence| events.sequenced(reader, fence));
                pairs.extend(released.iter().flat_map(|&a| acquired.iter().map(move |&b| (a, b))));
            }
        }
        pairs
    }

    /// Whether the standard allows it.
    fn is_allowed(&self) -> bool {
        let (events, count) = (self.events, self.from.len());
        let synchronizes = self.synchronizes();
        let before = Relation::of(count, |a, b| events.sequenced(a, b) || synchronizes.contains(&(a, b))).closed();
        let coherent = Relation::of(count, |a, b| {
            let overwritten = |store| a != b && self.modified_after(store, b);
            self.from[b] == Some(a) || self.modified_after(a, b) || self.from[a].is_some_and(overwritten)
        })
        .closed();
        let contradicts = |a, b| before.has(a, b) && coherent.has(b, a);
        let is_coherent = (0..count).all(|a| (0..count).all(|b| !contradicts(a, b)));
        before.is_order() && is_coherent && self.has_single_order(&before, &coherent, &synchronizes)
    }

    /// Whether there is a single order of all `SeqCst` accesses on which all threads agree.
    fn has_single_order(
        &self,
        before: &Relation,
        coherent: &Relation,
        synchronizes: &BTreeSet<(usize, usize)>,
    ) -> bool {
        let (events, count) = (self.events, self.from.len());
        let is_seqcst = |event: usize| events.accesses[event].is_seqcst();
        let strongly = Relation::of(count, |a, b| {
            let around = |c: usize, d: usize| events.sequenced(a, c) && before.has(c, d) && events.sequenced(d, b);
            events.sequenced(a, b)
                || is_seqcst(a)
                    && is_seqcst(b)
                    && !events.accesses[a].is_fence()
                    && !events.accesses[b].is_fence()
                    && synchronizes.contains(&(a, b))
                || (0..count).any(|c| (0..count).any(|d| around(c, d)))
        })
        .closed();
        let single = Relation::of(count, |a, b| {
            // A fence stands for the events that happen after it, or before it.
            let from = |x: usize| x == a || events.accesses[a].is_fence() && before.has(a, x);
            let to = |y: usize| y == b || events.accesses[b].is_fence() && before.has(y, b);
            let seen = (0..count).any(|x| from(x) && (0..count).any(|y| to(y) && coherent.has(x, y)));
            is_seqcst(a) && is_seqcst(b) && (strongly.has(a, b) || seen)
        });
        single.closed().is_order()
    }
}

mod tests {
    //! The checker itself, by the usual litmus tests.

    use super::Access::{self, Add, Fence, Load, Store};
    use super::outcomes;
    use crate::sync::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

    /// Programs, an outcome of each, and whether it is possible. `x=1` stores, `x+1` adds, `x?` loads.
    const LITMUS: &str = "
        // Both threads write, then read the other's word.
        x=1:rlx y?:rlx | y=1:rlx x?:rlx -> 0 0 yes
        x=1:rel y?:acq | y=1:rel x?:acq -> 0 0 yes
        x=1:sc y?:acq | y=1:sc x?:acq -> 0 0 yes
        x=1:rel y?:sc | y=1:rel x?:sc -> 0 0 yes
        x=1:sc y?:sc | y=1:sc x?:sc -> 0 0 no
        x=1:rlx fence:sc y?:rlx | y=1:rlx fence:sc x?:rlx -> 0 0 no
        x=1:rlx fence:both y?:rlx | y=1:rlx fence:sc x?:rlx -> 0 0 yes
        // One thread writes and sets a flag, the other reads the flag and then the value.
        x=1:rlx y=1:rlx | y?:rlx x?:rlx -> 1 0 yes
        x=1:rlx y=1:rlx | y?:acq x?:rlx -> 1 0 yes
        x=1:rlx y=1:rel | y?:rlx x?:rlx -> 1 0 yes
        x=1:rlx y=1:rel | y?:acq x?:rlx -> 1 0 no
        x=1:rlx fence:rel y=1:rlx | y?:rlx fence:acq x?:rlx -> 1 0 no
        // A third thread adds to the flag in between, or stores a new one.
        x=1:rlx y=1:rel | y+1:rlx | y?:acq x?:rlx -> 1 2 0 no
        x=1:rlx y=1:rel | y=2:rlx | y?:acq x?:rlx -> 2 0 yes
        // Two readers, two writers: do the readers agree on the order of the writes?
        x=1:rel | y=1:rel | x?:acq y?:acq | y?:acq x?:acq -> 1 0 1 0 yes
        x=1:sc | y=1:sc | x?:sc y?:sc | y?:sc x?:sc -> 1 0 1 0 no
        // One word has one order.
        x=1:rlx | x?:rlx x?:rlx -> 1 0 no
        x+1:rlx | x+1:rlx -> 0 0 no
        x=1:rlx y=2:rlx y?:rlx | y=1:rlx x=2:rlx x?:rlx -> 1 1 yes
        // Each thread loads, then stores. A compiler may swap the two if the load does not acquire.
        x?:rlx y=1:rel | y?:rlx x=1:rel -> 1 1 yes
        x?:acq y=1:rel | y?:acq x=1:rel -> 1 1 no";

    fn access(step: &str) -> Access {
        let (what, order) = step.split_once(':').expect("an order");
        let orders = [
            ("rlx", Relaxed),
            ("acq", Acquire),
            ("rel", Release),
            ("both", AcqRel),
            ("sc", SeqCst),
        ];
        let order = orders.into_iter().find(|(name, _)| *name == order).expect("an order").1;
        let word = usize::from(what.starts_with('y'));
        match (&what[1..2], what[2..].parse()) {
            ("=", Ok(value)) => Store(word, value, order),
            ("+", Ok(value)) => Add(word, value, order),
            ("?", _) => Load(word, order),
            _ => Fence(order),
        }
    }

    #[test]
    fn the_usual_litmus_tests() {
        for row in LITMUS.lines().map(str::trim).filter(|row| row.contains("->")) {
            let (program, outcome) = row.split_once(" -> ").expect("an outcome");
            let threads = program
                .split('|')
                .map(|thread| thread.split_whitespace().map(access).collect());
            let threads: Vec<Vec<Access>> = threads.collect();
            let threads: Vec<&[Access]> = threads.iter().map(Vec::as_slice).collect();
            let (values, is_possible) = outcome.rsplit_once(' ').expect("an answer");
            let values: Vec<i32> = values.split(' ').map(|value| value.parse().expect("a value")).collect();
            let outcomes = outcomes(&threads);
            assert_eq!(outcomes.contains(&values), is_possible == "yes", "{row}: {outcomes:?}");
            assert!(outcomes.len() > 1, "{row}: {outcomes:?}");
        }
    }

    #[test]
    fn one_thread_sees_what_it_does() {
        let steps = ["x=1:rlx", "x?:rlx", "x+2:rlx", "x?:rlx"].map(access);
        assert_eq!(outcomes(&[&steps]), [vec![1, 1, 3]].into());
    }
}
