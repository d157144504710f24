//! Any 64 bits as a key: forged, foreign, stale, out of range, of pools that are gone. And objects of every shape.
#![allow(
    clippy::items_after_statements,
    reason = "a test's own types and numbers stand where they are used"
)]

mod support;

use std::collections::{BTreeSet, HashSet};
use std::mem::align_of_val;
use std::num::NonZeroU64;

use acedia::pool::{Handle, Hooks, Owned, Pool, pin};
use acedia::{AnyHandle, Object, PoolPolicy, Reason, class};
use support::{Rng, sized};

/// The handle with the same bits, as of another type.
fn of_bits<T, U>(handle: Handle<T>) -> Handle<U> {
    Handle::from_bits(handle.to_bits()).unwrap()
}

/// Every look-up and every free of `key` is refused, with a reason among `reasons`.
#[track_caller]
fn refused<T: Send + Sync + std::fmt::Debug, H: Hooks<T, Readers = acedia::pool::Global>>(
    pool: &Pool<T, H>,
    key: Handle<T>,
    reasons: &[Reason],
) {
    let pinned = pin();
    assert!(pool.get(key, &pinned).is_none());
    assert!(pool.reader(&pinned).get(key).is_none());
    assert!(pool.guard(key).is_none());
    assert!(!pool.contains(key));
    let errors = [
        pool.try_get(key, &pinned).err(),
        pool.reader(&pinned).try_get(key).err(),
        pool.try_guard(key).err(),
        pool.free(key).err(),
        pool.reclaim(key).err(),
    ];
    for error in errors {
        let error = error.expect("refused");
        assert!(reasons.contains(&error.reason()), "{error:?}");
        assert_eq!(error.bits(), key.to_bits());
    }
}

#[test]
fn from_any_bits() {
    let _alone = support::alone();
    let impossible = [
        0,
        1,
        u64::from(u32::MAX),
        u64::MAX,
        u64::MAX - 1,
        1 << 63,
        u64::from(u32::MAX) << 32,
        1 << 63 | 1,
    ];
    for bits in impossible {
        assert_eq!(Handle::<u64>::from_bits(bits), None, "{bits:#x}");
    }
    let last = (i32::MAX as u64) << 32;
    let possible = [1 << 32, 1 << 32 | 5, 1 << 32 | 0xFFF_FFFF, last];
    for bits in possible {
        let key = Handle::<u64>::from_bits(bits).unwrap();
        assert_eq!(key.to_bits(), bits);
        assert_eq!(u64::from(key.index()), bits & u64::from(u32::MAX));
        assert_eq!(u64::from(key.life()), bits >> 32);
    }
    assert_eq!(Handle::<u64>::from_bits(last).unwrap().life(), i32::MAX.unsigned_abs());
    let mut sorted = [1 << 32 | 7, 2 << 32 | 5, 1 << 32 | 5].map(|bits| Handle::<u64>::from_bits(bits).unwrap());
    sorted.sort_unstable();
    let by_slot = sorted.map(|key| (key.index(), key.life()));
    assert_eq!(by_slot, [(5, 1), (5, 2), (7, 1)]);
}

#[test]
fn forged_keys() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let empty: Pool<u64> = Pool::new();
    let owner = pool.allocate_with(|n| *n = 7);
    let key = owner.handle();
    let with = |index: u64, life: u64| Handle::from_bits(life << 32 | index).unwrap();
    let (index, life) = (u64::from(key.index()), u64::from(key.life()));
    let all = [Reason::NeverIssued, Reason::Foreign, Reason::Reused, Reason::Freed];
    // Every bit of it flipped.
    for bit in 0..64 {
        if let Some(flipped) = Handle::from_bits(key.to_bits() ^ 1 << bit) {
            refused(&pool, flipped, &all);
        }
    }
    // Its neighbours, and the ends of what there can be.
    for index in [0, 1, index + 1, index + 63, index ^ 4095, (1 << 22) - 1] {
        for life in [1, 2, life, i32::MAX as u64] {
            let forged = with(index, life);
            if forged != key {
                refused(&pool, forged, &all);
            }
            refused(&empty, forged, &all);
        }
    }
    // Made up, and then really issued: it leads to the object that has it.
    let next = with(index, life + 1);
    refused(&pool, next, &[Reason::NeverIssued]);
    drop(owner);
    refused(&pool, key, &[Reason::Freed]);
    // The slot's next life: nothing tells these bits from a reservation's.
    refused(&pool, next, &[Reason::NeverIssued, Reason::Hidden]);
}

/// Of all indices near those of a pool that has several chunks, the issued ones lead to their objects, and no other to any: a slot
/// has one name.
fn one_name_each<T: Default + Send + Sync + std::fmt::Debug + 'static>(count: usize) {
    let pool: Pool<T> = Pool::new();
    let owners: Vec<_> = (0..count).map(|_| pool.allocate()).collect();
    let issued: BTreeSet<u64> = owners.iter().map(|owner| owner.handle().to_bits()).collect();
    assert_eq!(issued.len(), count, "a key was issued twice");
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
        let Some(key) = Handle::from_bits(bits) else { continue };
        let is_issued = issued.contains(&key.to_bits());
        assert_eq!(pool.get(key, &pinned).is_some(), is_issued, "{key}");
        assert_eq!(pool.contains(key), is_issued, "{key}");
        if !is_issued {
            others += 1;
            // Lives of pools that are gone: their numbers are used again.
            refused(&pool, key, &[Reason::NeverIssued, Reason::Reused]);
        }
    }
    assert!(others > 0, "there are slots that were never used");
    for owner in &owners {
        assert!(
            pool.get(owner.handle(), &pinned)
                .is_some_and(|object| std::ptr::from_ref(object) == std::ptr::from_ref::<T>(owner))
        );
    }
}

#[test]
fn a_slot_has_one_name() {
    let _alone = support::alone();
    let many = if cfg!(miri) { 6_000 } else { 30_000 };
    one_name_each::<()>(many);
    one_name_each::<u64>(many);
    one_name_each::<[u64; 2]>(many);
    one_name_each::<[u64; 8]>(many);
    one_name_each::<Large<61>>(many);
    one_name_each::<Large<5_000>>(100);
    one_name_each::<Large<33_000>>(40);
    one_name_each::<Large<70_000>>(40);
}

/// An object of so many bytes.
#[derive(Debug)]
struct Large<const N: usize>([u8; N]);

impl<const N: usize> Default for Large<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

#[test]
fn stale_and_foreign_keys() {
    let _alone = support::alone();
    let pools: [Pool<u64>; 3] = [
        Pool::new(),
        Pool::new().keep(PoolPolicy::KeepNone),
        Pool::new().bounded(10),
    ];
    let other: Pool<[u8; 3]> = Pool::new();
    let large: Pool<[u8; 100_000], Made> = Pool::with_hooks();
    let mut live = Vec::new();
    let mut stale = Vec::new();
    for pool in &pools {
        let keys: Vec<_> = (0..10).map(|_| pool.allocate_with(|n| *n = 1).handle()).collect();
        stale.extend(keys);
        live.push(pool.allocate_with(|n| *n = 2));
    }
    let small = other.allocate();
    let big = large.allocate();
    for (owner, pool) in live.iter().zip(&pools) {
        let key = owner.handle();
        assert_eq!(pool.get(key, &pin()), Some(&2));
        assert_eq!(pool.reader(&pin()).try_get(key), Ok(&2));
        for foreign in pools.iter().filter(|&candidate| !std::ptr::eq(candidate, pool)) {
            refused(foreign, key, &[Reason::Foreign]);
        }
        refused(&other, of_bits(key), &[Reason::Foreign]);
        refused(&large, of_bits(key), &[Reason::Foreign]);
        refused(pool, of_bits(small.handle()), &[Reason::Foreign]);
        refused(pool, of_bits(big.handle()), &[Reason::Foreign]);
    }
    for pool in &pools {
        for &key in &stale {
            refused(pool, key, &[Reason::Foreign, Reason::Freed, Reason::Reused]);
        }
    }
    // A chunk of large objects has few slots: beyond them is nothing, in its own pool too.
    for slot in 0..4096_u64 {
        let forged = Handle::from_bits(big.handle().to_bits() & !4095 | slot).unwrap();
        assert_eq!(large.contains(forged), forged == big.handle(), "{forged:?}");
        if forged != big.handle() {
            refused(&large, forged, &[Reason::NeverIssued]);
        }
    }
}

/// One's own slot, other lives: the check compares both.
#[test]
fn keys_of_one_slot_are_told_apart() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let mut by_key = std::collections::HashMap::new();
    for n in 0..100 {
        let owner = pool.allocate_with(|object| *object = n);
        assert!(
            by_key.insert(owner.handle(), n).is_none(),
            "a table by key would mix up two lives"
        );
        let pinned = pin();
        let alive: Vec<_> = by_key.keys().filter(|&&key| pool.get(key, &pinned).is_some()).collect();
        assert_eq!(alive, [&owner.handle()]);
    }
}

/// Chunk numbers are used again by later pools, whose lives start above: old keys stay dead and are not issued again.
#[test]
fn keys_of_pools_that_are_gone() {
    let _alone = support::alone();
    let mut old: HashSet<Handle<u64>> = HashSet::new();
    for round in 0..sized(200, 1000, 10) {
        let pool: Pool<u64> = Pool::new();
        let owners: Vec<_> = (0..20).map(|_| pool.allocate()).collect();
        let reserved: Vec<_> = (0..3).map(|_| pool.reserve()).collect();
        let keys: Vec<_> = owners
            .iter()
            .map(Owned::handle)
            .chain(reserved.iter().map(acedia::pool::Reserved::handle))
            .collect();
        let pinned = pin();
        for key in &old {
            assert!(
                pool.get(*key, &pinned).is_none(),
                "{key:?} lives again in round {round}"
            );
        }
        for key in keys {
            assert!(old.insert(key), "{key:?} was issued again in round {round}");
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

/// A reservation that was leaked has given a key away all the same: no later pool issues it.
#[test]
fn keys_of_leaked_reservations() {
    let _alone = support::alone();
    let mut old = HashSet::new();
    for round in 0..50 {
        let pool: Pool<[u64; 3]> = Pool::new();
        let owner = pool.allocate();
        let reserved = pool.reserve();
        assert!(
            old.insert(reserved.handle()),
            "{:?} was issued again in round {round}",
            reserved.handle()
        );
        drop(owner);
        std::mem::forget(reserved);
    }
}

#[test]
fn a_million_random_keys() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let owners: Vec<_> = (0..10_000).map(|n| pool.allocate_with(|object| *object = n)).collect();
    let issued: HashSet<_> = owners.iter().map(Owned::handle).collect();
    let mut rng = Rng(1);
    let mut found = 0;
    let pinned = pin();
    let reader = pool.reader(&pinned);
    for n in 0..sized(1_000_000, 1_000_000, 1000) {
        let bits = match n % 3 {
            0 => rng.next(),
            1 => (rng.next() % 3) << 32 | (rng.next() % (1 << 31)),
            // What there is, and near it. Where the pool has its slots, other tests decide.
            _ => {
                let key = owners[(rng.next() % 10_000) as usize].handle().to_bits();
                let (life, index) = (rng.next() % 3, rng.next() % 3);
                (key + (life << 32) + index).wrapping_sub(1 << 32 | 1)
            }
        };
        let Some(key) = Handle::from_bits(bits) else { continue };
        assert_eq!(key.to_bits(), bits);
        let object = pool.get(key, &pinned);
        assert_eq!(object.is_some(), issued.contains(&key), "{key:?}");
        assert_eq!(reader.get(key), object, "{key:?}");
        found += u32::from(object.is_some());
        if n % 16 == 0 {
            assert_eq!(pool.guard(key).is_some(), issued.contains(&key));
            assert!(pool.free(key).is_err(), "{key:?} is owned");
        }
    }
    assert!(found > 0);
    assert_eq!(pool.stats().live, owners.len() as u64);
}

/// Readers made before there is a chunk, while there is one and when there are several: all see the same afterwards.
fn readers_of<T: Default + Send + Sync + 'static>() {
    let pool: Pool<T> = Pool::new();
    let [before, after]: [Pool<T>; 2] = [Pool::new(), Pool::new()];
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
    let keys: HashSet<_> = owners.iter().map(Owned::handle).collect();
    let keys_life = u64::from(owners[0].handle().life());
    let last = owners.iter().map(Owned::index).max().unwrap();
    let near = (part_of(first) - 4096..part_of(last) + 3 * 4096).chain([0, 1, (1 << 22) - 1]);
    let made_up = near.step_by(sized(1, 1, 61)).flat_map(|index| {
        // Lives of a chunk whose number was another pool's begin above that one's.
        [1, 2, keys_life, keys_life + 1].map(|life| Handle::from_bits(life << 32 | u64::from(index)).unwrap())
    });
    let (mut live, mut nothing) = (0, 0);
    let asked: Vec<_> = made_up.chain(keys.iter().copied()).collect();
    let mut expected = Vec::new();
    for &key in &asked {
        let object = pool.get(key, &pinned).map(std::ptr::from_ref);
        assert_eq!(object.is_some(), keys.contains(&key), "{key:?}");
        for reader in &readers {
            assert_eq!(reader.get(key).map(std::ptr::from_ref), object, "{key:?}");
        }
        *if object.is_some() { &mut live } else { &mut nothing } += 1;
        expected.push(object);
    }
    assert!(live > keys.len() && nothing > 0);
    for reader in &readers {
        let found = reader.get_many(&asked).map(|object| object.map(std::ptr::from_ref));
        assert!(found.eq(expected.iter().copied()));
    }
}

/// Lists of keys in a pool of few objects, of several chunks, and of more than the caches hold.
#[test]
fn many_at_once() {
    let _alone = support::alone();
    let pool: Pool<[u64; 31]> = Pool::new();
    let foreign = Pool::<[u64; 31]>::new();
    let foreign = foreign.allocate();
    let mut owners = Vec::new();
    for size in [0, 1, 63, 64, 65, 900, 2000, sized(20_000, 20_000, 2100)] {
        owners.extend((owners.len()..size).map(|n| pool.allocate_with(|object| object[0] = n as u64)));
        let mut keys: Vec<_> = owners.iter().map(Owned::handle).collect();
        let mut expected: Vec<_> = (0..size as u64).map(Some).collect();
        keys.push(foreign.handle());
        let dead = pool.allocate();
        keys.push(dead.handle());
        drop(dead);
        expected.extend([None, None]);
        keys.reverse();
        expected.reverse();
        let pinned = pin();
        let mut found = pool.reader(&pinned).get_many(&keys).map(|object| Some(object?[0]));
        assert_eq!(found.len(), keys.len());
        assert!(found.by_ref().eq(expected));
        assert_eq!((found.len(), found.next()), (0, None));
    }
    // Asked for while the pool grows out of its first chunk.
    let small: Pool<[u64; 31]> = Pool::new();
    let mut few = vec![small.allocate_with(|object| object[0] = 1)];
    let keys = [few[0].handle(); 3];
    {
        let pinned = pin();
        let mut found = small.reader(&pinned).get_many(&keys);
        assert!(found.next().flatten().is_some());
        few.extend((0..5000).map(|_| small.allocate()));
        assert_eq!(found.flatten().filter(|object| object[0] == 1).count(), 2);
    }
    // Objects outlive the list of their keys.
    let pinned = pin();
    let read = {
        let keys: Vec<_> = owners.iter().map(Owned::handle).collect();
        pool.reader(&pinned).get_many(&keys).flatten().collect::<Vec<_>>()
    };
    assert_eq!(read.len(), owners.len());
    // One by one.
    let keys: Vec<_> = owners.iter().map(Owned::handle).collect();
    let pinned = pin();
    let mut found = pool.reader(&pinned).get_many(&keys);
    let second = found.clone().nth(1);
    assert_eq!(found.next().unwrap().unwrap()[0], 0);
    owners.push(pool.allocate());
    assert_eq!(found.next(), second);
    assert_eq!(found.len(), keys.len() - 2);
}

#[test]
fn readers_see_what_is_allocated_while_they_exist() {
    let _alone = support::alone();
    readers_of::<u64>();
    readers_of::<()>();
    readers_of::<[u64; 32]>();
    readers_of::<Align128>();
}

/// Allocates, reads, writes, frees and collects objects of one type, for each policy.
fn of_shape<T: Send + Sync + 'static, H: Hooks<T, Readers = acedia::pool::Global>>(
    count: usize,
    write: fn(&mut T, u64),
    read: fn(&T, u64) -> bool,
) {
    for policy in [PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(2), PoolPolicy::KeepNone] {
        let pool: Pool<T, H> = Pool::with_hooks().keep(policy);
        for round in 0..3_u64 {
            let owners: Vec<_> = (0..count as u64)
                .map(|n| pool.allocate_with(|object| write(object, n ^ round)))
                .collect();
            let mut places = HashSet::new();
            for (owner, n) in owners.iter().zip(0..) {
                let object: &T = owner;
                assert!((&raw const *object).is_aligned() && align_of_val(object) == align_of::<T>());
                assert!(
                    size_of::<T>() == 0 || places.insert((&raw const *object).addr()),
                    "two objects in one place"
                );
                let key = owner.handle();
                let pinned = pin();
                let seen = pool.get(key, &pinned).unwrap();
                assert!(std::ptr::eq(seen, object));
                assert!(std::ptr::eq(pool.reader(&pinned).get(key).unwrap(), object));
                assert!(read(seen, n ^ round) && read(&pool.guard(key).unwrap(), n ^ round));
            }
            // Neighbours do not overlap.
            let mut sorted: Vec<_> = places.into_iter().collect();
            sorted.sort_unstable();
            assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= size_of::<T>()));
            let keys: Vec<_> = owners.iter().map(Owned::handle).collect();
            drop(owners);
            drop(pin());
            assert!(keys.iter().all(|&key| !pool.contains(key)));
            if round == 1 {
                pool.collect();
            }
        }
        assert_eq!(pool.stats().live, 0);
    }
}

/// Makes objects that have no `Default`.
struct Made;

impl Hooks<NonZeroU64> for Made {
    type Readers = acedia::pool::Global;

    fn make() -> NonZeroU64 {
        NonZeroU64::MAX
    }
}
impl Hooks<&'static str> for Made {
    type Readers = acedia::pool::Global;

    fn make() -> &'static str {
        "made"
    }
}
impl<const N: usize> Hooks<Box<[u8; N]>> for Made {
    type Readers = acedia::pool::Global;

    fn make() -> Box<[u8; N]> {
        Box::new([0; N])
    }
}
impl<const N: usize> Hooks<[u8; N]> for Made {
    type Readers = acedia::pool::Global;

    fn make() -> [u8; N] {
        [0; N]
    }

    const END: Option<fn(&mut [u8; N])> = Some(|bytes| bytes.fill(0));
}
impl Hooks<fn() -> u64> for Made {
    type Readers = acedia::pool::Global;

    fn make() -> fn() -> u64 {
        || 5
    }
}

#[derive(Default)]
#[repr(align(128))]
struct Align128(u64);
#[derive(Default)]
#[repr(align(4096))]
struct Align4096(u64);
#[derive(Default)]
#[repr(align(4096))]
struct EmptyAlign4096;
#[derive(Default)]
struct Odd([u8; 3]);

#[test]
fn objects_of_every_shape() {
    let _alone = support::alone();
    of_shape::<(), acedia::pool::Plain>(5000, |(), _| {}, |(), _| true);
    of_shape::<EmptyAlign4096, acedia::pool::Plain>(100, |_, _| {}, |_, _| true);
    of_shape::<bool, acedia::pool::Plain>(300, |b, n| *b = n & 1 == 1, |b, n| *b == (n & 1 == 1));
    of_shape::<Odd, acedia::pool::Plain>(
        5000,
        |odd, n| odd.0 = [n.to_le_bytes()[0]; 3],
        |odd, n| odd.0 == [n.to_le_bytes()[0]; 3],
    );
    of_shape::<Align128, acedia::pool::Plain>(200, |object, n| object.0 = n, |object, n| object.0 == n);
    of_shape::<Align4096, acedia::pool::Plain>(40, |object, n| object.0 = n, |object, n| object.0 == n);
    of_shape::<u128, acedia::pool::Plain>(200, |object, n| *object = n.into(), |&object, n| object == n.into());
    of_shape::<Option<Box<u64>>, acedia::pool::Plain>(
        200,
        |object, n| *object = Some(Box::new(n)),
        |object, n| object.as_deref() == Some(&n),
    );
}

#[test]
fn objects_that_have_no_zero() {
    let _alone = support::alone();
    of_shape::<NonZeroU64, Made>(
        200,
        |object, n| *object = NonZeroU64::MIN.saturating_add(n),
        |object, n| object.get() == n + 1,
    );
    of_shape::<&'static str, Made>(
        200,
        |object, n| *object = if n == 0 { "none" } else { "some" },
        |object, n| *object == if n == 0 { "none" } else { "some" },
    );
    of_shape::<fn() -> u64, Made>(50, |object, _| *object = || 6, |object, _| object() == 6);
}

#[test]
fn large_objects() {
    let _alone = support::alone();
    fn write<const N: usize>(object: &mut [u8; N], n: u64) {
        object[0] = n.to_le_bytes()[0];
        object[N - 1] = object[0];
    }
    fn read<const N: usize>(object: &[u8; N], n: u64) -> bool {
        object[0] == n.to_le_bytes()[0] && object[N - 1] == object[0]
    }
    of_shape::<[u8; 65_536], Made>(40, write, read);
    // In a thread of its own for the stack that an unoptimised build needs to make one.
    let large = || of_shape::<[u8; 1 << 20], Made>(sized(20, 20, 1), write, read);
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(large)
        .unwrap()
        .join()
        .unwrap();
    of_shape::<Box<[u8; 65_536]>, Made>(20, |object, n| write(object, n), |object, n| read(object, n));
}

/// Old content cannot be read before the next life overwrites it: no key leads to a life that has not begun.
#[test]
fn a_recycled_object_is_not_readable_before_it_is_written() {
    let _alone = support::alone();
    let pool: Pool<[u64; 4], Made4> = Pool::with_hooks();
    struct Made4;
    impl Hooks<[u64; 4]> for Made4 {
        type Readers = acedia::pool::Global;

        fn make() -> [u64; 4] {
            [0; 4]
        }
        // The next life begins with nothing of the last.
        const END: Option<fn(&mut [u64; 4])> = Some(|object| *object = [0; 4]);
    }
    let owner = pool.allocate_with(|secret| *secret = [0x5E_C2E7; 4]);
    let key = owner.handle();
    drop(owner);
    drop(pin());
    let next = Handle::from_bits(key.to_bits() + (1 << 32)).unwrap();
    let reserved = pool.reserve();
    for key in [key, next, reserved.handle()] {
        assert!(pool.get(key, &pin()).is_none());
    }
    let owner = reserved.fill(|object| assert_eq!(*object, [0; 4]));
    assert_eq!(pool.get(owner.handle(), &pin()), Some(&[0; 4]));
}

/// Each form of a key: the numbers of `to_bits` and of `to_safe_integer`, the text, and a number in JSON. `read` is a form's
/// inverse.
type Form = (
    &'static str,
    fn(u64) -> Option<Handle<u64>>,
    fn(Handle<u64>) -> Option<u64>,
);

const FORMS: [Form; 4] = [
    ("bits", Handle::from_bits, |key| Some(key.to_bits())),
    ("safe integer", Handle::from_safe_integer, Handle::to_safe_integer),
    (
        "text",
        |word| format!("{word:016x}").parse().ok(),
        |key| u64::from_str_radix(&format!("{key:x}"), 16).ok(),
    ),
    (
        "serde",
        |word| serde_json::from_str(&word.to_string()).ok(),
        |key| serde_json::to_string(&key).ok()?.parse().ok(),
    ),
];

/// The number of random words: that of `ACEDIA_WORDS`, or 20,000.
fn words() -> u64 {
    std::env::var("ACEDIA_WORDS").map_or(20_000, |words| words.parse().expect("a number"))
}

/// A random word: any, one below 2⁵³, or one whose two halves are near those of one of `known`.
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

/// No random word leads to a living object through any form, unless it is the very form of that object's key, and each word
/// that makes a key is the only one of its form for that key.
#[test]
fn random_words_through_each_form() {
    let _alone = support::alone();
    let words = words();
    let pool: Pool<u64> = Pool::new();
    let owners: Vec<_> = (0..100).map(|_| pool.allocate()).collect();
    let stale: Vec<Handle<u64>> = (0..100).map(|_| pool.allocate()).map(|owner| owner.handle()).collect();
    let living: HashSet<Handle<u64>> = owners.iter().map(Owned::handle).collect();
    let mut rng = Rng(7);
    for (name, read, print) in FORMS {
        let mut known = Vec::new();
        for key in living.iter().chain(&stale) {
            let word = print(*key).expect("fits");
            assert_eq!(read(word), Some(*key), "{name}");
            assert_eq!(pool.contains(read(word).unwrap()), living.contains(key), "{name}");
            known.push(word);
        }
        let (mut made, mut found) = (0_u64, 0_u64);
        for _ in 0..words {
            let word = word_near(&mut rng, &known);
            if let Some(key) = read(word) {
                made += 1;
                assert_eq!(print(key), Some(word), "{name} {word:#x}");
                let is_living = living.contains(&key);
                assert_eq!(pool.contains(key), is_living, "{name} {word:#x}");
                found += u64::from(is_living);
            }
        }
        assert!(made > 0 && made < words, "{name}: {made} of {words}");
        assert!(found > 0, "{name}: the words of living objects are among them");
    }
}

#[derive(Default)]
struct Listed;
impl Object for Listed {
    class!(Listed, "Bits.Listed");
}

/// A word alone finds the class of its object: only the word of a living object of a class does.
#[test]
fn random_words_without_a_class() {
    let _alone = support::alone();
    let listed: Vec<_> = (0..100).map(|_| Listed::allocate()).collect();
    let living: HashSet<u64> = listed.iter().map(|one| one.handle().to_bits()).collect();
    let mut known: Vec<u64> = living.iter().copied().collect();
    known.extend((0..100).map(|_| Listed::allocate().handle().to_bits()));
    let pool: Pool<u64> = Pool::new();
    let of_pool: Vec<_> = (0..100).map(|_| pool.allocate()).collect();
    known.extend(of_pool.iter().map(|owner| owner.handle().to_bits()));
    let mut rng = Rng(9);
    let mut found = 0;
    for _ in 0..words() {
        let word = word_near(&mut rng, &known);
        let handle = AnyHandle::find(word);
        assert_eq!(handle.is_some(), living.contains(&word), "{word:#x}");
        if let Some(handle) = handle {
            assert!(handle.to_bits() == word && handle.class() == Listed::class());
            found += 1;
        }
    }
    assert!(found > 0, "the words of living objects are among them");
}

/// What another program writes in the place of a number: a part of it, a double, a text, a number that is too large.
#[test]
fn json_of_another_form_is_refused() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let owner = pool.allocate();
    let json = serde_json::to_string(&owner.handle()).unwrap();
    assert_eq!(serde_json::from_str::<Handle<u64>>(&json).unwrap(), owner.handle());
    for end in 0..json.len() {
        let part = serde_json::from_str::<Handle<u64>>(&json[..end]).ok();
        assert!(!part.is_some_and(|key| pool.contains(key)), "{}", &json[..end]);
    }
    let others = [
        "",
        "null",
        "0",
        "-1",
        "true",
        "[]",
        "{}",
        "18446744073709551615",
        "18446744073709551616",
        &format!("-{json}"),
        &format!("{json}.0"),
        &format!("{json}e0"),
        &format!("\"{json}\""),
        &format!("[{json}]"),
    ];
    for other in others {
        assert!(serde_json::from_str::<Handle<u64>>(other).is_err(), "{other}");
    }
}

#[test]
fn safe_integers_end_where_documented() {
    let _alone = support::alone();
    let key = |life: u64, index: u64| Handle::<u64>::from_bits(life << 32 | index).expect("possible");
    let (lives, slots) = (1 << 27, 1 << 26);
    assert_eq!(key(1, 0).to_safe_integer(), Some(slots));
    assert_eq!(key(lives - 1, slots - 1).to_safe_integer(), Some((1 << 53) - 1));
    assert_eq!(key(lives, 0).to_safe_integer(), None);
    assert_eq!(key(1, slots).to_safe_integer(), None);
    for number in [0, slots - 1, 1 << 53, 1 << 53 | slots, u64::MAX] {
        assert_eq!(Handle::<u64>::from_safe_integer(number), None, "{number:#x}");
    }
}

/// A program whose numbers are doubles gives back what it got. The bits of the 2²¹-st life are too large for it.
#[test]
fn safe_integers_pass_through_a_double() {
    let _alone = support::alone();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "as that program does"
    )]
    let through = |number: u64| number as f64 as u64;
    let mut rng = Rng(13);
    let mut safe = 0;
    for _ in 0..20_000 {
        let word = rng.next();
        let (life, index) = (word >> 32 & ((1 << 27) - 1), word & ((1 << 26) - 1));
        let Some(key) = Handle::<u64>::from_bits(life << 32 | index) else {
            continue;
        };
        let number = key.to_safe_integer().expect("it fits");
        assert_eq!(Handle::from_safe_integer(through(number)), Some(key));
        safe += 1;
    }
    assert!(safe > 10_000, "{safe}");
    let last = Handle::<u64>::from_bits(((1 << 21) - 1) << 32 | 1).expect("possible");
    assert_eq!(through(last.to_bits()), last.to_bits());
    let next = Handle::<u64>::from_bits((1 << 21) << 32 | 1).expect("possible");
    let rounded = Handle::<u64>::from_bits(through(next.to_bits())).expect("possible");
    assert_eq!((rounded.life(), rounded.index()), (next.life(), 0), "another slot");
}

#[test]
fn texts_of_another_form_are_refused() {
    let _alone = support::alone();
    let key = Handle::<u64>::from_bits(0xAB << 32 | 0x1C).expect("possible");
    let text = format!("{key:x}");
    assert_eq!(text, "000000ab0000001c");
    for same in [text.clone(), text.to_uppercase(), format!("{key:#x}")] {
        assert_eq!(same.parse(), Ok(key), "{same}");
    }
    for end in 0..text.len() {
        assert!(text[..end].parse::<Handle<u64>>().is_err());
        assert!(text[end + 1..].parse::<Handle<u64>>().is_err());
    }
    let others = [
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
    ];
    for other in others {
        assert!(other.parse::<Handle<u64>>().is_err(), "{other}");
    }
}
