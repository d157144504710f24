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
    use super::{Word, outcomes};
    use crate::sync::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

    const X: Word = 0;
    const Y: Word = 1;

    #[track_caller]
    fn may(program: &[&[Access]], values: &[i32]) {
        assert!(outcomes(program).contains(values), "{:?}", outcomes(program));
    }

    #[track_caller]
    fn never(program: &[&[Access]], values: &[i32]) {
        let outcomes = outcomes(program);
        assert!(!outcomes.contains(values) && outcomes.len() > 1, "{outcomes:?}");
    }

    #[test]
    fn one_thread_sees_what_it_does() {
        let program: &[&[Access]] = &[&[
            Store(X, 1, Relaxed),
            Load(X, Relaxed),
            Add(X, 2, Relaxed),
            Load(X, Relaxed),
        ]];
        assert_eq!(outcomes(program), [vec![1, 1, 3]].into());
    }

    /// Both threads write, then read the other's word.
    #[test]
    fn store_buffering() {
        let with = |store, load| [[Store(X, 1, store), Load(Y, load)], [Store(Y, 1, store), Load(X, load)]];
        let neither = [0, 0];
        for (store, load) in [
            (Relaxed, Relaxed),
            (Release, Acquire),
            (SeqCst, Acquire),
            (Release, SeqCst),
        ] {
            let [a, b] = with(store, load);
            may(&[&a, &b], &neither);
        }
        let [a, b] = with(SeqCst, SeqCst);
        never(&[&a, &b], &neither);
        let fenced = |fence| {
            [
                [Store(X, 1, Relaxed), Fence(fence), Load(Y, Relaxed)],
                [Store(Y, 1, Relaxed), Fence(SeqCst), Load(X, Relaxed)],
            ]
        };
        let [a, b] = fenced(SeqCst);
        never(&[&a, &b], &neither);
        let [a, b] = fenced(AcqRel);
        may(&[&a, &b], &neither);
    }

    /// One thread writes and sets a flag, the other reads the flag and then the value.
    #[test]
    fn message_passing() {
        let with = |store, load| {
            [
                [Store(X, 1, Relaxed), Store(Y, 1, store)],
                [Load(Y, load), Load(X, Relaxed)],
            ]
        };
        let unseen = [1, 0];
        for (store, load) in [(Relaxed, Relaxed), (Relaxed, Acquire), (Release, Relaxed)] {
            let [a, b] = with(store, load);
            may(&[&a, &b], &unseen);
        }
        let [a, b] = with(Release, Acquire);
        never(&[&a, &b], &unseen);
        let a = [Store(X, 1, Relaxed), Fence(Release), Store(Y, 1, Relaxed)];
        let b = [Load(Y, Relaxed), Fence(Acquire), Load(X, Relaxed)];
        never(&[&a, &b], &unseen);
    }

    /// A third thread adds to the flag in between, or stores a new one.
    #[test]
    fn release_sequences() {
        let with = |between| {
            let a = [Store(X, 1, Relaxed), Store(Y, 1, Release)];
            let c = [Load(Y, Acquire), Load(X, Relaxed)];
            outcomes(&[&a, &[between], &c])
        };
        assert!(!with(Add(Y, 1, Relaxed)).contains(&vec![1, 2, 0]));
        assert!(with(Store(Y, 2, Relaxed)).contains(&vec![2, 0]));
    }

    /// Two readers, two writers: do the readers agree on the order of the writes?
    #[test]
    fn independent_reads_of_independent_writes() {
        let with = |store: Ordering, load: Ordering| {
            outcomes(&[
                &[Store(X, 1, store)],
                &[Store(Y, 1, store)],
                &[Load(X, load), Load(Y, load)],
                &[Load(Y, load), Load(X, load)],
            ])
        };
        assert!(with(Release, Acquire).contains(&vec![1, 0, 1, 0]));
        assert!(!with(SeqCst, SeqCst).contains(&vec![1, 0, 1, 0]));
    }

    #[test]
    fn one_word_has_one_order() {
        never(
            &[&[Store(X, 1, Relaxed)], &[Load(X, Relaxed), Load(X, Relaxed)]],
            &[1, 0],
        );
        never(&[&[Add(X, 1, Relaxed)], &[Add(X, 1, Relaxed)]], &[0, 0]);
        let both = [Store(X, 1, Relaxed), Store(Y, 2, Relaxed), Load(Y, Relaxed)];
        let other = [Store(Y, 1, Relaxed), Store(X, 2, Relaxed), Load(X, Relaxed)];
        may(&[&both, &other], &[1, 1]);
    }

    /// Each thread loads, then stores. A compiler may swap the two if the load does not acquire.
    #[test]
    fn load_buffering() {
        let with = |load| {
            [
                [Load(X, load), Store(Y, 1, Release)],
                [Load(Y, load), Store(X, 1, Release)],
            ]
        };
        let [a, b] = with(Relaxed);
        may(&[&a, &b], &[1, 1]);
        let [a, b] = with(Acquire);
        never(&[&a, &b], &[1, 1]);
    }
}
