//! Pools, classes, and their objects.

use std::sync::Arc;

use acedia::pool::{self, Plain, Pool, PoolPolicy, Reclaimed};
use acedia::{
    Config, DynHandle, LifeVersion, Object, PlainObject, Pools, SecondaryMap, allocate_by_reference, casts, configure,
    held_back, load_class, pin, reserve,
};

use crate::shown::Shown;

#[derive(Debug, Default, Object)]
#[object(name = "Printed.Lamp")]
struct Lamp {
    watts: u8,
}

#[derive(Clone, Copy, Debug, bytemuck::NoUninit, bytemuck::AnyBitPattern, PlainObject)]
#[object(name = "Printed.Spot")]
#[repr(C)]
struct Spot(u64);

casts! {
    Lamp => dyn std::fmt::Debug + Sync;
}

fn objects(shown: &mut Shown) {
    let lamp = Lamp::allocate_with(|it| it.watts = 40);
    let handle = lamp.handle();
    let same = "Printed.Lamp in slot …, life 1";
    shown
        .debug("Owned", &lamp, "Lamp { watts: 40 }")
        .both("Handle", &handle, "Handle(Printed.Lamp, slot …, life 1)", same)
        .debug("Guard", &handle.guard().unwrap(), "Guard(Lamp { watts: 40 })")
        .both(
            "AnyHandle",
            &handle.as_any(),
            "AnyHandle(Printed.Lamp, slot …, life 1)",
            same,
        )
        .both(
            "DynHandle",
            &DynHandle::<dyn std::fmt::Debug + Sync>::from(handle),
            "AnyHandle(Printed.Lamp, slot …, life 1)",
            same,
        )
        .both("LifeVersion", &LifeVersion::FIRST, "LifeVersion(1)", "1")
        .both("pool::Key", &handle.key(), "Key(slot …, life 1)", "slot …, life 1")
        .both("pool::ParseKeyError", &"".parse::<acedia::pool::Key>().unwrap_err(), "ParseKeyError(())", "not the 16 hexadecimal digits of a key")
        .both("SavedKeyError", &acedia::SavedKeyError::Session, "Session", "the key was saved by another process")
        .both("Class", Lamp::class(), "Class(Printed.Lamp, …Lamp)", "Printed.Lamp")
        .debug("AnyOwned", &lamp.clone().into_any(), "AnyOwned(Printed.Lamp, slot …)")
        .debug(
            "Reserved",
            &reserve::<Lamp>(),
            "Reserved(Handle(Printed.Lamp, slot …, life 1))",
        )
        .debug(
            "SideMap",
            &SecondaryMap::<Lamp, &str>::from_iter([(handle, "hall")]),
            "{Handle(Printed.Lamp, slot …, life 1): \"hall\"}",
        )
        .both(
            "Leaks",
            &Lamp::class().leaks(),
            "Leaks([Leak { class: Class(Printed.Lamp, …Lamp), place: …, objects: 1, handles: [AnyHandle(Printed.Lamp, slot …, life 1)], oldest: … }…])",
            "… alive\nobjects  class         allocated at\n      1  Printed.Lamp  …",
        )
        .both(
            "Leak",
            &Lamp::class().leaks().groups()[0],
            "Leak { class: Class(Printed.Lamp, …Lamp), place: …, objects: 1, handles: [AnyHandle(Printed.Lamp, slot …, life 1)], oldest: … }",
            "1 of Printed.Lamp, allocated at …",
        )
        .debug("Pinned", &pin(), "Pinned")
        .debug("pool::Pinned", &pool::pin(), "Pinned")
        .debug(
            "ClassStorage",
            Lamp::storage(),
            "ClassStorage { class: Class(Printed.Lamp, …), pool: Pool { type: \"Printed.Lamp\", stats: …",
        );
    shown
        .debug(
            "PlainStorage",
            Spot::storage(),
            "PlainStorage { class: Class(Printed.Spot, …), pool: PlainPool { type: \"Printed.Spot\", stats: …",
        )
        .both(
            "PlainHandle",
            &Spot(7).insert().handle(),
            "PlainHandle(Printed.Spot, slot …, life 1)",
            "Printed.Spot in slot …, life 1",
        )
        .debug("PlainOwned", &Spot(7).insert(), "PlainOwner(slot …, Spot(7))");
    drop(lamp);
    let freed = handle.try_get(&pin()).unwrap_err();
    let sentence = "Printed.Lamp in slot …, life 1, was freed…";
    shown
        .both(
            "AccessError",
            &freed,
            "AccessError(Freed: Printed.Lamp in slot …, life 1, was freed…)",
            sentence,
        )
        .both("Reason", &freed.reason(), "Freed", "was freed");
}

static FOR_EVER: Pool<u8> = Pool::new();

/// Its objects wait for their guards one by one.
struct Ending;

impl pool::Hooks<u16> for Ending {
    type Readers = pool::GuardsOnly;

    fn make() -> u16 {
        0
    }

    const END: Option<fn(&mut u16)> = Some(|_| ());
}

fn pools(shown: &mut Shown) {
    let pool: Arc<Pool<u8>> = Arc::new(Pool::new());
    let owner = pool.allocate_with(|it| *it = 7);
    let key = owner.key();
    let reserved = pool.reserve();
    let _pinned = pin();
    let threads = <pool::Global as pool::Domain>::pinned_threads();
    let guarded: Pool<u16, Ending> = Pool::with_hooks();
    let freed = guarded.allocate();
    let guard = guarded.guard(freed.key()).unwrap();
    drop(freed);
    let held = held_back();
    drop(guard);
    shown
        .both(
            "pool::PinnedThread",
            &threads[0],
            "PinnedThread { name: …, since: …, place: … }",
            "thread '…', pinned for …",
        )
        .both(
            "HeldBack",
            &held,
            "HeldBack([…HeldPool { class: None, name: \"u16\", objects: 1, bytes: 16, pin: None }…])",
            "readers hold back … freed objects, … bytes\nobjects  bytes  pool…  oldest pin\n…      1     16  u16… none; they become free when a guard ends, or at the next allocation…",
        )
        .both(
            "HeldPool",
            held.pools().iter().find(|pool| pool.name() == "u16").unwrap(),
            "HeldPool { class: None, name: \"u16\", objects: 1, bytes: 16, pin: None }",
            "readers hold back 1 freed objects of u16, 16 bytes; oldest pin: none; they become free when a guard ends, or at the next allocation",
        )
        .debug("pool::Owner", &owner, "Owner(slot …, 7)")
        .debug("pool::Guard", &pool.guard(key).unwrap(), "Guard(7)")
        .debug("pool::OwnedGuard", &pool.guard_owned(key).unwrap(), "OwnedGuard(7)")
        .debug("pool::Reserved", &reserved, "Reserved(Key(slot …, life 1))")
        .debug("pool::Keys", &pool.keys(), "Keys { .. }")
        .debug("pool::Global", &pool::Global, "Global")
        .debug("pool::GuardsOnly", &pool::GuardsOnly, "GuardsOnly")
        .debug("pool::Value", &*pool::Values::<u8>::insert(&Pool::values(), 7), "7")
        .debug("pool::Dropping", &pool::Dropping::<pool::Global>::default(), "Dropping")
        .debug("pool::Plain", &Plain::<pool::Global>::default(), "Plain")
        .debug("pool::Reader", &pool.reader(&pin()), "Reader(Pool { type: \"u8\", stats: Some(Stats { live: …, peak: … }), .. })")
        .debug("pool::Pool", &pool, "Pool { type: \"u8\", stats: Some(Stats { live: …, peak: … }), .. }")
        .debug("Statistic", &acedia::Statistic::ALL[0], "Statistic(live)")
        .debug("Unit", &acedia::Unit::Bytes, "Bytes")
        .both(
            "Stats",
            &pool.stats(),
            "Stats { live: 2, peak: 2, lives: 2, fresh: 2, reused: 0, kept: 0, waiting: 0, worn: 0, dropped: 0, panics: 0, refused: 0, bytes: …, kept_bytes: 0 }",
            "live 2, peak 2, fresh 2, lives 2, bytes …",
        )
        .both(
            "Reclaimed",
            &Reclaimed { objects: 2, bytes: 64 },
            "Reclaimed { objects: 2, bytes: 64 }",
            "2 objects, 64 bytes",
        )
        .both("PoolPolicy", &PoolPolicy::KeepAll, "KeepAll", "keeps all")
        .both("PoolPolicy", &PoolPolicy::KeepAtMost(5), "KeepAtMost(5)", "keeps at most 5")
        .both("PoolPolicy", &PoolPolicy::KeepNone, "KeepNone", "keeps none")
        .both("PoolPolicy", &PoolPolicy::KeepBytes(5), "KeepBytes(5)", "keeps at most 5 bytes")
        .debug("Pools", &Pools::Drop, "Drop");
    shown.debug(
        "pool::ErasedOwner",
        &FOR_EVER.allocate().erase(),
        "ErasedOwner(u8, slot …)",
    );
    let bounded: Pool<u8> = Pool::new().bounded(1);
    let _only = bounded.allocate();
    let full = bounded.try_allocate().unwrap_err();
    shown.both(
        "AllocateError",
        &full,
        "Full { type_name: \"u8\", capacity: 1 }",
        "the pool of u8 is full: it is bounded to 1 objects, and all are in use",
    );
}

fn names_and_settings(shown: &mut Shown) {
    let nearly = load_class("Printed.Lmap").unwrap_err();
    let sentence = "no class is named `Printed.Lmap` (did you mean `Printed.Lamp`?)";
    let config = Config::new().with("Printed.Lmap", PoolPolicy::KeepAtMost(5));
    let file = "[AcediaCore.AcediaObjectPool]\npoolSizeOverwrite=(objectClass=Printed.Lmap,maxPoolSize=5)\n";
    let one = "PoolOverride { class: \"Printed.Lmap\", policy: KeepAtMost(5), line: 0 }";
    let error = "[AcediaCore.AcediaObjectPool]\nx=1".parse::<Config>().unwrap_err();
    shown
        .both(
            "ClassError",
            &nearly,
            "Unknown { name: \"Printed.Lmap\", near: [\"Printed.Lamp\"…] }",
            sentence,
        )
        .both(
            "ReferenceError",
            &allocate_by_reference("Printed.Lmap").unwrap_err(),
            "Class(Unknown { …",
            sentence,
        )
        .both("Config", &config, &format!("Config {{ overrides: [{one}] }}"), file)
        .both(
            "PoolOverride",
            &config.overrides()[0],
            one,
            file.lines().nth(1).unwrap(),
        )
        .both(
            "NotApplied",
            &configure(&config)[0],
            "NotApplied { entry: PoolOverride { …",
            sentence,
        )
        .both(
            "ConfigError",
            &error,
            "ConfigError { line: 2, column: 1, message: \"unknown key…",
            "line 2, column 1: unknown key `x`; expected …",
        );
}

#[test]
fn allocator_prints() {
    let mut shown = Shown::default();
    objects(&mut shown);
    pools(&mut shown);
    names_and_settings(&mut shown);
    shown.is_right();
}
