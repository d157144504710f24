//! A slot's two atomic words, and every transition they make. No other file names a memory ordering of either.
//!
//! ```text
//! Life (i64), written only by whoever owns the object: the key of life n, written n here, or its negative
//!
//!        0            +n               −(n+1)                 −0
//!   never made    alive, and       the next life is n+1:    retired: life
//!                 handles see it   dead, or alive and no    2³¹−1 has ended
//!                                  handle made yet
//!
//!   0 ──make──► −(floor+1) ──expose──► +n ──end──► −(n+1) ──expose──► +(n+1) ──end──► …
//!                                   │   ▲
//!                                  hide expose   (exclusive access: the same life, out of sight)
//!                                   ▼   │
//!                                     −n
//!
//! Readers (u32), changed by guards, by manual frees, and by an owner who must wait for guards
//!
//!    31      30     29                                   0
//! ┌───────┬────────┬──────────────────────────────────────┐
//! │ DEFER │ MANUAL │ guards that may be looking           │
//! └───────┴────────┴──────────────────────────────────────┘
//! ```
//!
//! The sign of the life word *is* the "somebody may hold a handle" flag: reading compares the word with a positive
//! number, so an object that was never exposed cannot be found, and freeing it needs no synchronisation at all.
//!
//! The word is the whole key, life number above and slot index below, so that whoever knows where a slot is knows everything:
//! owners and lists are made of bare addresses. No slot has index 0, so the word of a retired one, which has the index only, is
//! not 0.

use std::fmt;

use super::key::Key;
use crate::LifeVersion;
use crate::hint::{likely, unlikely};
#[cfg(acedia_loom)]
use crate::sync::fence;
use crate::sync::{AtomicI64, AtomicU32, Ordering, bug};

/// A slot's life word. See the drawing of the [module](self).
#[repr(transparent)]
pub(super) struct Life(AtomicI64);

/// What ending a life found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// No handle was ever made: nobody else can be looking.
    Unseen,
    /// Handles exist: somebody may be looking.
    Seen,
    /// As `Seen`, and it was the slot's last life.
    Retired,
}

/// A life word at one moment, for diagnosis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Snapshot(i64);

impl Life {
    #[cfg(acedia_loom)]
    pub(super) fn new() -> Self {
        Self(AtomicI64::new(0))
    }

    /// A new object was made in slot `index`, which had none; `floor` is the highest life that may have been issued there.
    pub(super) fn make(&self, index: u32, floor: u32) {
        debug_assert_ne!(index, 0, "its last life would not end");
        let floor = if bug("floor_ignored") { 0 } else { floor };
        // Relaxed, both: nobody but the owner acts on a word that is not positive.
        if self.0.load(Ordering::Relaxed) == 0 {
            self.0
                .store(-Key::new(index, LifeVersion::above(floor)).word(), Ordering::Relaxed);
        }
    }

    /// Makes the current life visible to keys, and gives its key.
    ///
    /// Two owners may do this at the same time: both store the same number.
    #[inline]
    pub(super) fn expose(&self) -> Key {
        // Relaxed: an owner sees its own object's word; owners learn of each other through the owner count.
        let word = self.0.load(Ordering::Relaxed);
        if unlikely(word > 0) {
            return key_in(word);
        }
        // Release pairs with `is` (Acquire): who sees the life sees the object as it was constructed.
        let order = if bug("relaxed_publish") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.store(-word, order);
        key_in(-word)
    }

    /// The key of the life that goes on, visible or not. Only for owners of the object.
    #[inline]
    pub(super) fn key(&self) -> Key {
        // Relaxed: only an owner asks.
        key_in(self.0.load(Ordering::Relaxed).abs())
    }

    /// The slot's number, in every word but 0.
    #[inline]
    pub(super) fn index(&self) -> u32 {
        // Relaxed: all words of a slot but 0 say the same.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert!(word != 0, "the slot never had an object");
        index_in(word)
    }

    /// Ends the current life, by its only owner.
    #[inline]
    pub(super) fn end(&self) -> Ended {
        // Relaxed, here and below: the owner has written the word last. The fence of the refill, the scan or the registration
        // barrier orders the store before the next owner's first write to the object (see `pin`).
        let word = self.0.load(Ordering::Relaxed);
        let next = (-ONE_LIFE).wrapping_sub(word);
        // One comparison for the commonest of three: a life out of sight gives a positive number, and so, wrapped, does the last.
        if likely(next < 0) {
            let ended = if bug("life_not_bumped") { -word } else { next };
            self.0.store(ended, Ordering::Relaxed);
            return Ended::Seen;
        }
        if likely(word < 0) {
            return Ended::Unseen;
        }
        self.0.store(retired(word), Ordering::Relaxed);
        Ended::Retired
    }

    /// Ends a life whose key was given out but that never became visible.
    pub(super) fn skip(&self) -> Ended {
        if bug("reservation_not_skipped") {
            return Ended::Unseen;
        }
        // Relaxed: as in `end`; no handle can have resolved.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert!(word < 0, "only a hidden life can be skipped");
        let (next, ended) = if life_in(word) == -i32::MAX {
            (retired(word), Ended::Retired)
        } else {
            (word - ONE_LIFE, Ended::Unseen)
        };
        self.0.store(next, Ordering::Relaxed);
        ended
    }

    /// Takes a visible life back while its owner holds the object exclusively; `expose` undoes it.
    pub(super) fn hide(&self) {
        if bug("exclusive_in_sight") {
            return;
        }
        // Relaxed: the caller fences before it looks for readers.
        let word = self.0.load(Ordering::Relaxed);
        self.0.store(-word.abs(), Ordering::Relaxed);
    }

    /// Whether the life of `key` is visible, for a reader under a pin.
    #[inline]
    pub(super) fn is(&self, key: Key) -> bool {
        // Acquire pairs with `expose` (Release).
        let order = if bug("relaxed_read") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.load(order) == key.word()
    }

    /// A first look that spares a stale guard the locked instruction; decides nothing.
    #[inline]
    pub(super) fn looks_like(&self, key: Key) -> bool {
        // Relaxed: `Readers::enter` is followed by `confirm`.
        self.0.load(Ordering::Relaxed) == key.word()
    }

    /// The look that decides, after `Readers::enter`.
    #[inline]
    pub(super) fn confirm(&self, key: Key) -> bool {
        // loom does not order SeqCst accesses, only fences; the language and all hardware need no fence here.
        #[cfg(acedia_loom)]
        if !bug("guard_not_seqcst") {
            fence(Ordering::SeqCst);
        }
        self.0.load(Self::confirming()) == key.word()
    }

    /// `SeqCst`: together with the `SeqCst` increment before it and the fence of whoever frees (Dekker's pattern): either
    /// the one who frees sees the reader, or the reader sees the end of the life. Also pairs with `expose` (Release).
    #[inline]
    fn confirming() -> Ordering {
        if bug("relaxed_confirm") {
            Ordering::Relaxed
        } else if bug("guard_not_seqcst") || bug("acquire_confirm") {
            Ordering::Acquire
        } else {
            Ordering::SeqCst
        }
    }

    /// Whether handles may exist for the current life.
    pub(super) fn is_exposed(&self) -> bool {
        // Relaxed: only an owner asks.
        self.0.load(Ordering::Relaxed) > 0
    }

    /// The word at this moment.
    pub(super) fn snapshot(&self) -> Snapshot {
        // Acquire pairs with `expose` (Release): `Pool::contains` promises it.
        let order = if bug("relaxed_snapshot") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        Snapshot(self.0.load(order))
    }

    /// Forgets that the slot was ever used, before its page is given back. The chunk's floor remembers for it.
    pub(super) fn forget(&self) {
        // Relaxed, both: nobody can own the slot; stale readers compare with a positive number either way. Not if it never was:
        // its page may not be there.
        if self.0.load(Ordering::Relaxed) != 0 {
            self.0.store(0, Ordering::Relaxed);
        }
    }

    /// Moves a slot that holds a free object on, so that its next life is number `next`.
    #[cfg(any(test, feature = "test-lives"))]
    pub(super) fn set_upcoming(&self, next: LifeVersion) {
        let now = self.0.load(Ordering::Relaxed);
        assert!(now < 0 && next.word() >= -life_in(now), "lives only move forward");
        self.0.store(-Key::new(index_in(now), next).word(), Ordering::Relaxed);
    }
}

/// What a word grows by from one life to the next.
const ONE_LIFE: i64 = 1 << 32;

/// The life number in a word, with its sign: 0 if nothing was ever made, `i32::MIN` if the slot is retired.
#[inline]
const fn life_in(word: i64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "the upper half is the life")]
    let life = (word / ONE_LIFE) as i32;
    if life == 0 && word != 0 { i32::MIN } else { life }
}

/// The slot's number in a word that is not 0.
#[inline]
const fn index_in(word: i64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is the index")]
    let index = word.unsigned_abs() as u32;
    index
}

/// The word of a slot that had that one, and has no lives left.
#[inline]
const fn retired(word: i64) -> i64 {
    -(index_in(word) as i64)
}

/// The key in the word of an object that has an owner, without its sign.
#[inline]
fn key_in(word: i64) -> Key {
    debug_assert!(life_in(word) > 0);
    // SAFETY: as long as there is an object and the slot is not retired, its word is a key or the negative of one.
    unsafe { Key::of_word(word) }
}

impl Snapshot {
    /// The visible life, if there is one.
    pub(super) fn current(self) -> Option<LifeVersion> {
        LifeVersion::new(u32::try_from(life_in(self.0)).ok()?)
    }

    /// Whether the life that `key` names is visible.
    pub(super) fn shows(self, key: Key) -> bool {
        self.0 == key.word()
    }

    /// The highest life that was ever visible in this slot; `floor` is the chunk's. 0 if none was.
    pub(super) fn highest(self, floor: u32) -> u32 {
        match life_in(self.0) {
            0 => floor,
            life if life > 0 => life.unsigned_abs(),
            life => (!life).unsigned_abs(),
        }
    }

    /// Whether the slot holds a constructed object, given that it is in no list of emptied slots.
    pub(super) fn is_made(self) -> bool {
        self.0.unsigned_abs() >= ONE_LIFE.unsigned_abs()
    }

    /// Whether `life` is one that has a key but is not (or no longer) visible: reserved, or held exclusively.
    pub(super) fn is_hidden(self, life: LifeVersion) -> bool {
        life_in(self.0) == -life.word()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match life_in(self.0) {
            0 => f.write_str("never made"),
            i32::MIN => f.write_str("retired"),
            life if life > 0 => write!(f, "alive in life {life}"),
            life => write!(f, "next life {}", life.unsigned_abs()),
        }
    }
}

impl fmt::Debug for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}

/// A slot's word of readers. See the drawing of the [module](self).
#[repr(transparent)]
pub(super) struct Readers(AtomicU32);

const DEFER: u32 = 1 << 31;
const MANUAL: u32 = 1 << 30;
const GUARDS: u32 = MANUAL - 1;

impl Readers {
    #[cfg(acedia_loom)]
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Announces a guard. `Life::confirm` must follow, and `leave` if it refuses.
    #[inline]
    pub(super) fn enter(&self) {
        let before = self.0.fetch_add(1, Self::entering());
        if before & GUARDS > GUARDS / 2 {
            // As `Arc` does: only leaking half a billion guards of one object leads here.
            std::process::abort();
        }
    }

    /// `SeqCst`: the first half of Dekker's pattern; see `Life::confirming`.
    #[inline]
    fn entering() -> Ordering {
        if bug("guard_not_seqcst") || bug("acq_rel_enter") {
            Ordering::AcqRel
        } else {
            Ordering::SeqCst
        }
    }

    /// Withdraws a guard. `true` if the object waited for exactly this one: the caller must then finish it.
    #[inline]
    pub(super) fn leave(&self) -> bool {
        // Release pairs with `quiet` and `claim` (Acquire): the guard's reads come before the next owner's writes.
        let order = if bug("relaxed_leave") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.fetch_sub(1, order) == DEFER | 1 && self.claim()
    }

    /// Whether nobody guards the object. The caller has ended its life and fenced since.
    #[inline]
    pub(super) fn quiet(&self) -> bool {
        if bug("readers_ignored") {
            return true;
        }
        // Acquire pairs with `leave` (Release).
        let order = if bug("relaxed_quiet") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.load(order) & !MANUAL == 0
    }

    /// Leaves the object to its last guard. `true` if there is none any more: the caller must finish it itself.
    pub(super) fn defer(&self) -> bool {
        // Release pairs with `claim` (Acquire): whoever finishes sees what the owner wrote.
        let order = if bug("relaxed_defer") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.fetch_or(DEFER, order) & GUARDS == 0 && self.claim()
    }

    /// Whether the object is left to its last guard. For a pool that is gone, and every guard with it that was not forgotten.
    pub(super) fn is_deferred(&self) -> bool {
        // Relaxed: nobody else is there.
        self.0.load(Ordering::Relaxed) & DEFER != 0 && !bug("late_guard_forgotten")
    }

    /// Among all who saw that nobody is left, the one who finishes the object.
    fn claim(&self) -> bool {
        if bug("claim_twice") {
            return true;
        }
        // Acquire pairs with `leave` and `defer` (Release).
        let order = if bug("relaxed_claim") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.compare_exchange(DEFER, 0, order, Ordering::Relaxed).is_ok()
    }

    /// An owner turns its share into a manual one. `false` if there was one already.
    pub(super) fn set_manual(&self) -> bool {
        // Release pairs with `take_manual` (Acquire): who frees by key sees what the owner wrote.
        let order = if bug("relaxed_set_manual") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.fetch_or(MANUAL, order) & MANUAL == 0
    }

    /// Takes the manual share. The caller is pinned and has seen the life it asks for, so the slot is still in it.
    pub(super) fn take_manual(&self) -> bool {
        // Acquire pairs with `set_manual` (Release).
        if bug("manual_unclaimed") {
            return self.0.load(Ordering::Acquire) & MANUAL != 0;
        }
        let order = if bug("relaxed_take_manual") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.fetch_and(!MANUAL, order) & MANUAL != 0
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Relaxed: printing decides nothing.
        let word = self.0.load(Ordering::Relaxed);
        write!(f, "{} guards", word & GUARDS)?;
        if word & MANUAL != 0 {
            f.write_str(", manual")?;
        }
        if word & DEFER != 0 {
            f.write_str(", last one finishes")?;
        }
        Ok(())
    }
}

/// Owners beyond the first, counted outside the slot because few objects ever have any.
#[repr(transparent)]
#[derive(Debug)]
pub(super) struct MoreOwners(AtomicU32);

impl MoreOwners {
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// One owner more.
    pub(super) fn add(&self) {
        // Relaxed: the new owner comes from an existing one, as with `Arc`.
        if self.0.fetch_add(1, Ordering::Relaxed) > i32::MAX.unsigned_abs() {
            std::process::abort();
        }
    }

    /// Whether the caller is the only owner.
    pub(super) fn is_none(&self) -> bool {
        // Acquire pairs with `leave` (Release).
        let order = if bug("relaxed_is_none") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.load(order) == 0
    }

    /// One owner less. `true` if the caller was the last: it owns the object alone.
    pub(super) fn leave(&self) -> bool {
        if self.is_none() {
            return true;
        }
        let order = if bug("relaxed_drop") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        // Release pairs with `is_none` and the load below (Acquire): every owner's use comes before the end.
        if self.0.fetch_sub(1, order) == 0 {
            // Another owner left between the look and the subtraction: the caller is alone, and the count is its own.
            // Acquire pairs with the Release above in that owner. A load and not a fence, which ThreadSanitizer cannot see.
            if !bug("relaxed_last_owner") {
                self.0.load(Ordering::Acquire);
            }
            self.0.store(0, Ordering::Relaxed);
            return true;
        }
        false
    }

    /// How many there are at this moment.
    pub(super) fn count(&self) -> usize {
        // Relaxed: for information.
        self.0.load(Ordering::Relaxed) as usize
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus_tests {
    //! What the language guarantees for the orderings above, where loom cannot tell.

    use super::{Life, Ordering, Readers};
    use crate::litmus::Access::{Add, Fence, Load, Store};
    use crate::litmus::{Word, outcomes};

    const READERS: Word = 0;
    const LIFE: Word = 1;

    /// Whether a guard may find the life going on (0) although whoever ended it (1) found no reader.
    fn meets_unseen(entering: Ordering, confirming: Ordering, fence: Ordering) -> bool {
        let guard = [Add(READERS, 1, entering), Load(LIFE, confirming)];
        let free = [
            Store(LIFE, 1, Ordering::Relaxed),
            Fence(fence),
            Load(READERS, Ordering::Acquire),
        ];
        let outcomes = outcomes(&[&guard, &free]);
        // The guard alone, the one who frees alone, and each of them in the other's sight.
        for seen in [[0, 0, 1], [0, 1, 0], [0, 1, 1]] {
            assert!(outcomes.contains(seen.as_slice()), "{outcomes:?}");
        }
        outcomes.contains([0, 0, 0].as_slice())
    }

    #[test]
    fn guard_and_free_see_each_other() {
        let fence = Ordering::SeqCst;
        assert!(!meets_unseen(Readers::entering(), Life::confirming(), fence));
        // And nothing less will do.
        assert!(meets_unseen(Ordering::AcqRel, Ordering::SeqCst, fence));
        assert!(meets_unseen(Ordering::SeqCst, Ordering::Acquire, fence));
        assert!(meets_unseen(Ordering::SeqCst, Ordering::SeqCst, Ordering::AcqRel));
    }
}

#[cfg(all(test, unix, not(any(miri, acedia_loom))))]
mod tests {
    //! Counts that are full.

    use std::os::unix::process::ExitStatusExt;

    use super::{GUARDS, Ordering};
    use crate::pool::{Owner, Pool};
    use crate::support::{case, in_own_process};

    const ABORTED: Option<i32> = Some(6);

    /// Twice one more, of which the first must be possible, and the second must end the process.
    fn last_and_one_more<T>(one_more: impl Fn() -> T) {
        let last = one_more();
        eprintln!("one is possible");
        std::mem::forget((last, one_more()));
        eprintln!("two are possible");
    }

    /// An owner whose object has as many others as can be counted, but one.
    fn fill_owners(owner: &Owner<'_, u64>) {
        drop(owner.clone());
        let slot = owner.slot();
        let count = slot.more_owners(slot.chunk()).expect("it was cloned");
        count.0.store(i32::MAX.unsigned_abs(), Ordering::Relaxed);
    }

    fn overflow(case: &str) {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        match case {
            "owners" => {
                fill_owners(&owner);
                last_and_one_more(|| owner.clone());
            }
            _ => {
                let guard = pool.guard(owner.key()).expect("it is alive");
                owner.slot().readers().0.store(GUARDS / 2, Ordering::Relaxed);
                if case == "guards" {
                    last_and_one_more(|| pool.guard(owner.key()));
                } else {
                    last_and_one_more(|| guard.clone());
                }
            }
        }
    }

    /// A count that began anew would free what is in use.
    #[test]
    fn counts_that_overflow_end_the_process() {
        if let Some(case) = case() {
            return overflow(&case);
        }
        for case in [
            "owners",
            "guards",
            "clones of guards",
        ] {
            let output = in_own_process("pool::state::tests::counts_that_overflow_end_the_process", case);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.signal(), ABORTED, "{case}: {said}");
            assert!(said.contains("one is possible"), "{case}: {said}");
            assert!(!said.contains("two are possible"), "{case}: {said}");
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! The two words, through the operations that stand on them.

    use loom::sync::atomic::{AtomicU32, Ordering};

    use crate::pool::models::{BEGUN, Beginning, Ending, both, ends, model, saw};
    use crate::pool::{Pool, pin};

    /// A reader that guesses the key sees the object as it was begun, or nothing.
    #[test]
    fn publish_and_read_under_a_pin() {
        model(&["live", "nothing"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let reserved = pool.reserve();
            let key = reserved.key();
            let (owner, ()) = both(
                || reserved.fill(|_| ()),
                || match pool.get(key, &pin()) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("nothing"),
                },
            );
            drop(owner);
        });
    }

    #[test]
    fn publish_and_read_by_a_guard() {
        model(&["live", "nothing"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let reserved = pool.reserve();
            let key = reserved.key();
            let (owner, ()) = both(
                || reserved.fill(|_| ()),
                || match pool.guard(key) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("nothing"),
                },
            );
            drop(owner);
        });
    }

    /// Who finds that a life goes on has everything in sight that came before it was made visible.
    #[test]
    fn what_comes_before_a_visible_life() {
        model(&["there", "not yet"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let reserved = pool.reserve();
            let key = reserved.key();
            let before = AtomicU32::new(0);
            let (owner, ()) = both(
                || {
                    before.store(1, Ordering::Relaxed);
                    reserved.fill(|_| ())
                },
                || {
                    if pool.contains(key) {
                        assert_eq!(before.load(Ordering::Relaxed), 1);
                        saw("there");
                    } else {
                        saw("not yet");
                    }
                },
            );
            drop(owner);
        });
    }

    /// What a guard reads is not used again under it.
    #[test]
    fn free_against_guard() {
        model(&["live", "stale", "reused", "not reused"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let owner = pool.allocate();
            let key = owner.key();
            both(
                || {
                    drop(owner);
                    let next = pool.allocate();
                    saw(if next.index() == key.index() {
                        "reused"
                    } else {
                        "not reused"
                    });
                    assert_ne!(next.key(), key);
                },
                || match pool.guard(key) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("stale"),
                },
            );
            assert!(pool.guard(key).is_none());
        });
    }

    /// A finalizer waits for guards, and runs once, on whichever thread was last.
    #[test]
    fn free_with_finalizer_against_guard() {
        model(&["live", "stale", "at once", "late"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owner = pool.allocate();
            let key = owner.key();
            both(
                || {
                    assert_eq!(owner.read(), BEGUN);
                    drop(owner);
                    saw(if ends() == 1 { "at once" } else { "late" });
                },
                || match pool.guard(key) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("stale"),
                },
            );
            assert_eq!(ends(), 1);
            assert_eq!(pool.allocate().index(), key.index(), "the slot was lost");
            assert_eq!(pool.stats().panics, 0);
        });
    }

    /// The same with a guard that is there when the object is freed.
    #[test]
    fn free_against_a_guard_that_leaves() {
        model(&["at once", "late"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owner = pool.allocate();
            let guard = pool.guard(owner.key()).unwrap();
            both(
                || {
                    assert_eq!(owner.read(), BEGUN);
                    drop(owner);
                    saw(if ends() == 1 { "at once" } else { "late" });
                },
                move || {
                    assert_eq!(guard.read(), BEGUN);
                    drop(guard);
                },
            );
            assert_eq!(ends(), 1);
            assert_eq!(pool.stats().panics, 0);
        });
    }

    /// An owner that holds the object exclusively changes it only when nobody looks.
    #[test]
    fn exclusive_against_pin() {
        model(&["changed", "refused", "live", "hidden"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let mut owner = pool.allocate();
            let key = owner.key();
            both(
                || {
                    let changed = owner.exclusive(|object| object.write(BEGUN)).is_some();
                    saw(if changed { "changed" } else { "refused" });
                    assert!(pool.contains(key));
                },
                || match pool.get(key, &pin()) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("hidden"),
                },
            );
        });
    }

    #[test]
    fn exclusive_against_guard() {
        model(&["changed", "refused", "live", "hidden"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let mut owner = pool.allocate();
            let key = owner.key();
            both(
                || {
                    let changed = owner.exclusive(|object| object.write(BEGUN)).is_some();
                    saw(if changed { "changed" } else { "refused" });
                },
                || match pool.guard(key) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("hidden"),
                },
            );
        });
    }

    /// Someone who freed nothing leaves the object to its guard: what the owner read comes before the finalizer.
    #[test]
    fn deferred_to_a_guard_by_a_third_thread() {
        model(&["by the guard", "by another"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owner = pool.allocate();
            let guard = pool.guard(owner.key()).unwrap();
            let pinned = pin();
            let (_, by_guard) = both(
                || {
                    both(
                        // Finishes what waits for pins.
                        || drop(pinned),
                        || {
                            assert_eq!(owner.read(), BEGUN);
                            drop(owner);
                        },
                    )
                },
                move || {
                    assert_eq!(guard.read(), BEGUN);
                    let before = ends();
                    drop(guard);
                    before == 0 && ends() == 1
                },
            );
            saw(if by_guard { "by the guard" } else { "by another" });
            drop(pin());
            assert_eq!(ends(), 1);
            assert_eq!(pool.stats().panics, 0);
        });
    }
}
