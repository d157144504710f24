//! Any 64 bits as a handle: forged, foreign, stale, out of range, of dropped pools.

use std::collections::{BTreeSet, HashSet};

use acedia::pool::{Global, Hooks};
use acedia::{Handle, Owned, Pool, PoolPolicy, Reason, Reserved, pin};

use super::shapes::{Filled, Large};
use super::support::{LAST_LIFE, Rng, alone, sized};

/// The handle with the same bits, as of another type.
fn of_bits<T, U>(handle: Handle<T>) -> Handle<U> {
    Handle::from_bits(handle.to_bits()).unwrap()
}

/// The handle of a slot and a life.
fn made_up<T>(life: u64, index: u64) -> Handle<T> {
    Handle::from_bits(life << 32 | index).unwrap()
}

/// Every look-up and every free of `handle` is refused, with a reason among `reasons`.
#[track_caller]
fn refused<T: Send + Sync + std::fmt::Debug, H: Hooks<T, Readers = Global>>(
    pool: &Pool<T, H>,
    handle: Handle<T>,
    reasons: &[Reason],
) {
    let pinned = pin();
    assert!(pool.get(handle, &pinned).is_none() && pool.reader(&pinned).get(handle).is_none());
    assert!(pool.guard(handle).is_none() && !pool.contains(handle));
    let errors = [
        pool.try_get(handle, &pinned).err(),
        pool.try_guard(handle).err(),
        pool.free(handle).err(),
        pool.reclaim(handle).err(),
    ];
    for error in errors {
        let error = error.expect("refused");
        assert!(reasons.contains(&error.reason()), "{error:?}");
        assert_eq!(error.bits(), handle.to_bits());
    }
}

#[test]
fn from_any_bits() {
    let last = (i32::MAX as u64) << 32;
    for bits in [
        0,
        1,
        u64::from(u32::MAX),
        u64::MAX,
        u64::MAX - 1,
        1 << 63,
        u64::from(u32::MAX) << 32,
        1 << 63 | 1,
    ] {
        assert_eq!(Handle::<u64>::from_bits(bits), None, "{bits:#x}");
    }
    for bits in [1 << 32, 1 << 32 | 5, 1 << 32 | 0xFFF_FFFF, last] {
        let handle = Handle::<u64>::from_bits(bits).unwrap();
        assert_eq!(handle.to_bits(), bits);
        assert_eq!(u64::from(handle.life()) << 32 | u64::from(handle.index()), bits);
    }
    assert_eq!(Handle::<u64>::from_bits(last).unwrap().life(), LAST_LIFE);
    let mut sorted = [(1, 7), (2, 5), (1, 5)].map(|(life, index)| made_up::<u64>(life, index));
    sorted.sort_unstable();
    let by_slot = sorted.map(|handle| (handle.index(), handle.life()));
    assert_eq!(by_slot, [(5, 1), (5, 2), (7, 1)]);
}

/// Among all indices near those of a pool with several chunks, exactly the issued ones resolve, each to its object: a slot has one
/// name.
fn one_name_each<T: Default + Send + Sync + std::fmt::Debug + 'static>(count: usize) {
    let pool: Pool<T> = Pool::new();
    let owners: Vec<_> = pool.allocate_many(count).collect();
    let issued: BTreeSet<u64> = owners.iter().map(|owner| owner.handle().to_bits()).collect();
    assert_eq!(issued.len(), count, "a handle was issued twice");
    let places: BTreeSet<*const T> = owners.iter().map(|owner| std::ptr::from_ref(&**owner)).collect();
    assert_eq!(places.len(), count, "two objects in one place");
    let lives: BTreeSet<u64> = issued.iter().map(|bits| bits >> 32).collect();
    let chunks: BTreeSet<u64> = issued.iter().map(|bits| (bits & u64::from(u32::MAX)) >> 13).collect();
    let pinned = pin();
    let mut others = 0;
    let indices = chunks
        .iter()
        .flat_map(|chunk| (0..1 << 13).map(move |place| chunk << 13 | place));
    for bits in indices.flat_map(|index| lives.iter().map(move |life| life << 32 | index)) {
        let Some(handle) = Handle::from_bits(bits) else {
            continue;
        };
        let is_issued = issued.contains(&bits);
        assert_eq!(pool.get(handle, &pinned).is_some(), is_issued, "{handle}");
        assert_eq!(pool.contains(handle), is_issued, "{handle}");
        if !is_issued {
            others += 1;
            // Lives of dropped pools, whose numbers are used again.
            refused(&pool, handle, &[Reason::NeverIssued, Reason::Reused]);
        }
    }
    assert!(others > 0, "there are slots that were never used");
    let found = owners
        .iter()
        .map(|owner| std::ptr::from_ref(pool.get(owner.handle(), &pinned).unwrap()));
    assert!(found.eq(owners.iter().map(|owner| std::ptr::from_ref(&**owner))));
}

#[test]
fn a_slot_has_one_name() {
    let _alone = alone();
    let many = if cfg!(miri) { 6_000 } else { 30_000 };
    one_name_each::<()>(many);
    one_name_each::<u64>(many);
    one_name_each::<[u64; 8]>(many);
    one_name_each::<Large<61>>(many);
    one_name_each::<Large<33_000>>(40);
    one_name_each::<Large<70_000>>(40);
}

#[test]
fn stale_and_foreign_handles() {
    let _alone = alone();
    let pools: [Pool<u64>; 3] = [
        Pool::new(),
        Pool::new().keep(PoolPolicy::KeepNone),
        Pool::new().bounded(10),
    ];
    let other: Pool<[u8; 3]> = Pool::new();
    let large: Pool<[u8; 100_000], Filled> = Pool::with_hooks();
    let (mut live, mut stale) = (Vec::new(), Vec::new());
    for pool in &pools {
        stale.extend((0..10).map(|_| pool.allocate_with(|n| *n = 1).handle()));
        live.push(pool.allocate_with(|n| *n = 2));
    }
    let (small, big) = (other.allocate(), large.allocate());
    for (owner, pool) in live.iter().zip(&pools) {
        let handle = owner.handle();
        assert_eq!(pool.get(handle, &pin()), Some(&2));
        assert_eq!(pool.reader(&pin()).get(handle), Some(&2));
        for foreign in pools.iter().filter(|&candidate| !std::ptr::eq(candidate, pool)) {
            refused(foreign, handle, &[Reason::Foreign]);
        }
        refused(&other, of_bits(handle), &[Reason::Foreign]);
        refused(&large, of_bits(handle), &[Reason::Foreign]);
        refused(pool, of_bits(small.handle()), &[Reason::Foreign]);
        refused(pool, of_bits(big.handle()), &[Reason::Foreign]);
        for &handle in &stale {
            refused(pool, handle, &[Reason::Foreign, Reason::Freed, Reason::Reused]);
        }
    }
    // A chunk of large objects has few slots. Nothing beyond them resolves, even in its own pool.
    for slot in 0..4096_u64 {
        let forged = Handle::from_bits(big.handle().to_bits() & !4095 | slot).unwrap();
        assert_eq!(large.contains(forged), forged == big.handle(), "{forged:?}");
        if forged != big.handle() {
            refused(&large, forged, &[Reason::NeverIssued]);
        }
    }
}

/// Chunk numbers are used again by later pools, whose lives start above: old handles stay dead and are not issued again.
#[test]
fn handles_of_pools_that_are_gone() {
    let _alone = alone();
    let mut old: HashSet<Handle<u64>> = HashSet::new();
    for round in 0..sized(200, 1000, 10) {
        let pool: Pool<u64> = Pool::new();
        let owners: Vec<_> = pool.allocate_many(20).collect();
        let reserved: Vec<_> = (0..3).map(|_| pool.reserve()).collect();
        let pinned = pin();
        let again = old.iter().find(|handle| pool.get(**handle, &pinned).is_some());
        assert_eq!(again, None, "lives again in round {round}");
        for handle in owners
            .iter()
            .map(Owned::handle)
            .chain(reserved.iter().map(Reserved::handle))
        {
            assert!(old.insert(handle), "{handle:?} was issued again in round {round}");
        }
        match round % 4 {
            0 => drop((owners, reserved)),
            // Leaked: alive, or promised, when the pool is dropped.
            1 => owners.into_iter().for_each(std::mem::forget),
            2 => reserved.into_iter().for_each(std::mem::forget),
            _ => drop(owners.into_iter().map(Owned::into_manual).collect::<Vec<_>>()),
        }
    }
}

/// Readers made before there is a chunk, while there is one and when there are several: all see the same afterwards.
fn readers_of<T: Default + Send + Sync + 'static>() {
    let [pool, before, after]: [Pool<T>; 3] = [Pool::new(), Pool::new(), Pool::new()];
    let pinned = pin();
    let mut readers = vec![pool.reader(&pinned)];
    let _chunk_before = before.allocate();
    let mut owners = vec![pool.allocate()];
    let _chunk_after = after.allocate();
    readers.push(pool.reader(&pinned));
    let part_of = |index: u32| index & !4095;
    let first = owners[0].index();
    while part_of(owners[owners.len() - 1].index()) == part_of(first) {
        owners.push(pool.allocate());
    }
    owners.truncate(owners.len() / 2 + 1);
    owners.extend((0..owners.len()).map(|_| pool.allocate()));
    readers.push(pool.reader(&pinned));
    let living: HashSet<_> = owners.iter().map(Owned::handle).collect();
    let life = u64::from(owners[0].handle().life());
    let last = owners.iter().map(Owned::index).max().unwrap();
    let near = (part_of(first) - 4096..part_of(last) + 3 * 4096).chain([0, 1, (1 << 22) - 1]);
    // Lives of a chunk begin above those of the pool that had its number before.
    let lives = |index: u32| [1, 2, life, life + 1].map(|life| made_up(life, index.into()));
    let made_up = near.step_by(sized(1, 1, 61)).flat_map(lives);
    let asked: Vec<_> = made_up.chain(living.iter().copied()).collect();
    let mut expected = Vec::new();
    for &handle in &asked {
        let object = pool.get(handle, &pinned).map(std::ptr::from_ref);
        assert_eq!(object.is_some(), living.contains(&handle), "{handle:?}");
        for reader in &readers {
            assert_eq!(reader.get(handle).map(std::ptr::from_ref), object, "{handle:?}");
        }
        expected.push(object);
    }
    let found = expected.iter().flatten().count();
    assert!(found > living.len() && found < expected.len());
    for reader in &readers {
        let found = reader.get_many(&asked).map(|object| object.map(std::ptr::from_ref));
        assert!(found.eq(expected.iter().copied()));
    }
}

#[test]
fn readers_see_what_is_allocated_while_they_exist() {
    let _alone = alone();
    readers_of::<u64>();
    readers_of::<()>();
    readers_of::<[u64; 32]>();
}

/// Each form of a handle: the numbers of `to_bits` and of `to_safe_integer`, the text, and a number in JSON.
/// The second function is the inverse of the first.
type Form = (
    &'static str,
    fn(u64) -> Option<Handle<u64>>,
    fn(Handle<u64>) -> Option<u64>,
);

const FORMS: [Form; 4] = [
    ("bits", Handle::from_bits, |handle| Some(handle.to_bits())),
    ("safe integer", Handle::from_safe_integer, Handle::to_safe_integer),
    (
        "text",
        |word| format!("{word:016x}").parse().ok(),
        |handle| u64::from_str_radix(&format!("{handle:x}"), 16).ok(),
    ),
    (
        "serde",
        |word| serde_json::from_str(&word.to_string()).ok(),
        |handle| serde_json::to_string(&handle).ok()?.parse().ok(),
    ),
];

/// The number of random words: that of `ACEDIA_WORDS`, or 20,000.
fn words() -> u64 {
    std::env::var("ACEDIA_WORDS").map_or(20_000, |words| words.parse().expect("a number"))
}

/// A random word: any, one below 2⁵³, or one whose halves are near those of a known one.
fn word_near(rng: &mut Rng, known: &[u64]) -> u64 {
    let word = rng.next();
    match word % 4 {
        0 | 1 => word,
        2 => word >> 11,
        _ => {
            let near = known[rng.below(known.len())];
            let shift = [0, 26, 32][rng.below(3)];
            near ^ (word >> 8 & 3) ^ (word >> 16 & 7) << shift
        }
    }
}

/// A random word resolves to a living object through a form only if it is that object's handle in this form. No two words of a form
/// give the same handle.
#[test]
fn random_words_through_each_form() {
    let _alone = alone();
    let words = words();
    let pool: Pool<u64> = Pool::new();
    let owners: Vec<_> = pool.allocate_many(if cfg!(miri) { 100 } else { 10_000 }).collect();
    let stale: Vec<Handle<u64>> = (0..100).map(|_| pool.allocate().handle()).collect();
    let living: HashSet<Handle<u64>> = owners.iter().map(Owned::handle).collect();
    let mut rng = Rng(7);
    for (name, read, print) in FORMS {
        let mut known = Vec::new();
        for handle in living.iter().chain(&stale) {
            let word = print(*handle).expect("fits");
            assert_eq!(read(word), Some(*handle), "{name}");
            known.push(word);
        }
        let pinned = pin();
        let reader = pool.reader(&pinned);
        let (mut made, mut found) = (0_u64, 0_u64);
        for nth in 0..words {
            let word = word_near(&mut rng, &known);
            let Some(handle) = read(word) else { continue };
            made += 1;
            assert_eq!(print(handle), Some(word), "{name} {word:#x}");
            let is_living = living.contains(&handle);
            let object = pool.get(handle, &pinned);
            let found_so = [object.is_some(), pool.contains(handle)];
            assert_eq!(found_so, [is_living; 2], "{name} {word:#x}");
            assert_eq!(reader.get(handle), object, "{name} {word:#x}");
            if nth % 16 == 0 {
                assert_eq!(pool.guard(handle).is_some(), is_living);
                assert!(pool.free(handle).is_err(), "{handle:?} is owned, or none");
            }
            found += u64::from(is_living);
        }
        assert!(made > 0 && made < words, "{name}: {made} of {words}");
        assert!(found > 0, "{name}: the words of living objects are among them");
    }
    assert_eq!(pool.stats().live, owners.len() as u64);
}

#[test]
fn safe_integers_end_where_documented() {
    let (lives, slots) = (1 << 27, 1 << 26);
    let number = |life, index| made_up::<u64>(life, index).to_safe_integer();
    assert_eq!(number(1, 0), Some(slots));
    assert_eq!(number(lives - 1, slots - 1), Some((1 << 53) - 1));
    assert_eq!([number(lives, 0), number(1, slots)], [None; 2]);
    for number in [0, slots - 1, 1 << 53, 1 << 53 | slots, u64::MAX] {
        assert_eq!(Handle::<u64>::from_safe_integer(number), None, "{number:#x}");
    }
}

#[test]
fn texts_of_another_form_are_refused() {
    let handle = made_up::<u64>(0xAB, 0x1C);
    let text = format!("{handle:x}");
    assert_eq!(text, "000000ab0000001c");
    for same in [text.clone(), text.to_uppercase(), format!("{handle:#x}")] {
        assert_eq!(same.parse(), Ok(handle), "{same}");
    }
    let read = |text: &str| text.parse::<Handle<u64>>().ok();
    for end in 0..text.len() {
        assert_eq!((read(&text[..end]), read(&text[end + 1..])), (None, None));
    }
    for other in [
        "+00000ab0000001c",
        "-00000ab0000001c",
        "0x0x0000ab0000001c",
        " 000000ab0000001c",
        "000000ab0000001c ",
        "000000ab0000001g",
        "0000000000000000",
        "ffffffffffffffff",
        "000000ab_000001c",
        "\u{661}00000ab000001c",
        "slot 28, life 171",
    ] {
        assert_eq!(read(other), None, "{other}");
    }
}
