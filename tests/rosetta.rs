//! Every code sample of the seeds, in Rust, in their order: the page on objects, and the two on actors.
//!
//! The samples about boxes, collections, signals, texts and actors are in files of their own. One test on one thread
//! calls them all, because some check the whole process.
#![forbid(unsafe_code)]

#[path = "rosetta/actors.rs"]
mod actors;
#[path = "rosetta/boxes.rs"]
mod boxes;
#[path = "rosetta/collections.rs"]
mod collections;
#[path = "rosetta/signals.rs"]
mod signals;
#[path = "rosetta/text.rs"]
mod text;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};

use acedia::kind::ValueHash;
use acedia::pool::Pool;
use acedia::{
    AnyOwned, Class, Config, Object, Owned, PoolPolicy, Pools, allocate, allocate_by_reference, allocate_fresh,
    allocate_with, class, collect_garbage, configure, free, free_all, load_class, shutdown,
};
use acedia_text::Text;

#[test]
fn the_samples_of_the_seed() {
    // Who is responsible for objects?
    text::text_empty();
    collections::get_item();
    text::to_plain_string_and_to_string();
    text::from_string();
    collections::empty_dynamic_array();
    collections::items_that_are_not_managed();
    new_parser();
    free_self();
    the_table_of_memory_api();
    // Constructors and finalizers.
    signals::the_trading_component();
    initialize();
    // Object equality and object hash.
    is_equal();
    the_rules_of_is_equal();
    text::mutable_texts_are_equal_to_themselves_alone();
    get_hash_code();
    text::calculate_hash_code();
    // Boxing.
    boxes::my_box();
    boxes::boxes();
    boxes::references();
    boxes::equality_of_boxes_and_references();
    text::texts_as_boxes_and_references();
    actors::native_actor_ref();
    collections::boxes_in_collections();
    collections::keys();
    collections::nested_collections();
    // Array boxes and references.
    boxes::array_boxes_and_references();
    boxes::the_table_of_float_array_ref();
    // Static constructors and finalizers.
    static_constructor();
    static_finalizer();
    text::text_cache();
    // Technical details.
    allocate_object();
    fetch();
    text::life_version();
    // Customizing object pools.
    uses_object_pool();
    default_max_pool_size();
    acedia_system_ini();
    // Destroying an actor.
    actors::replicated_actors();
    actors::summary_of_destruction();
    actors::destruction_test();
    // Spawning an actor.
    actors::spawn_actor_checks();
    actors::spawn_actor_sequence();
    actors::destroyed_while_it_is_spawned();
    actors::script_initialized();
    actors::spawn_notification();
}

// Stand-ins.

/// For any class whose objects have no content.
#[derive(Debug, Default)]
struct Signal {
    listeners: Vec<u32>,
}
impl Object for Signal {
    class!(Signal, "Rosetta.Signal");
    fn constructor(&mut self) {
        self.listeners.clear();
    }
}

/// The object of the slot `index`, which was freed a moment ago, in its next life: the first one allocated after, as long as
/// only one thread reads.
fn recycled<T: Object>(index: u32) -> Owned<T> {
    let next = allocate::<T>();
    assert_eq!(next.index(), index);
    next
}

// public final function Parser NewParser()
//     return Parser(_.memory.Allocate(class'Parser'));
fn new_parser() {
    #[derive(Default)]
    struct Parser;
    impl Object for Parser {
        class!(Parser, "Rosetta.Parser");
    }
    fn parser() -> Owned<Parser> {
        allocate()
    }
    let parser = parser(); // The caller must free it: dropping it does that.
    let handle = parser.handle();
    drop(parser);
    assert!(!handle.is_allocated());
}

// public final function FreeSelf(optional int lifeVersion)
//     if (lifeVersion <= 0 || lifeVersion == GetLifeVersion()) {
fn free_self() {
    let handle = allocate::<Signal>().into_manual();
    assert!(handle.free().is_ok());
    let next = recycled::<Signal>(handle.index()).into_manual();
    assert!(next.life() > handle.life());
    assert!(handle.free().is_err(), "frees that life or nothing");
    assert!(next.is_allocated());
    assert!(next.free().is_ok());
}

// Allocate, LoadClass, AllocateByReference, Free, FreeMany, CollectGarbage.
fn the_table_of_memory_api() {
    let signal = allocate::<Signal>();
    let index = signal.index();
    free(signal);
    // The bool argument forbids reallocation.
    let fresh = allocate_fresh::<Signal>();
    assert_ne!(fresh.index(), index);
    let again = recycled::<Signal>(index);

    let class: &'static Class = load_class("Rosetta.Signal").unwrap();
    assert_eq!(class, Class::of::<Signal>());
    let any: AnyOwned = allocate_by_reference("Rosetta.Signal").unwrap();
    assert_eq!(any.class(), class);
    assert!(load_class("Rosetta.Singal").is_err());

    let handles = [fresh.handle().as_any(), again.handle().as_any(), any.handle()];
    free_all([Some(fresh.into_any()), None, Some(again.into_any()), Some(any)]);
    assert!(handles.iter().all(|handle| !handle.is_allocated()));

    assert_eq!(collect_garbage(Pools::Keep).objects, 0);
    assert!(class.stats().kept >= 3);
    assert!(collect_garbage(Pools::Drop).objects >= 3);
    assert_eq!(class.stats().kept, 0);
}

// Acedia's constructors do not take parameters: Initialize() comes right after.
fn initialize() {
    let signal = allocate_with(|signal: &mut Signal| signal.listeners.push(7));
    assert_eq!(signal.listeners, [7]);
}

// public function bool IsEqual(Object other)
//     return (self == other);
fn is_equal() {
    let (signal, other) = (allocate::<Signal>(), allocate::<Signal>());
    assert!(signal.is_equal(&signal.clone()));
    assert!(!signal.is_equal(&other));
}

// a.IsEqual(a) == true; a.IsEqual(b) if and only if b.IsEqual(a); …
fn the_rules_of_is_equal() {
    let objects: [AnyOwned; 5] = [
        Text::from("a").into(),
        Text::from("a").into(),
        Text::from("b").into(),
        allocate::<Signal>().into(),
        allocate::<Signal>().into(),
    ];
    for a in &objects {
        assert!(a.is_equal(a));
        for b in &objects {
            assert_eq!(a.is_equal(b), b.is_equal(a));
            if a.is_equal(b) {
                assert_eq!(a.hash_code(), b.hash_code());
            }
        }
    }
    assert!(objects[0].is_equal(&objects[1]));
    assert!(!objects[1].is_equal(&objects[2]) && !objects[3].is_equal(&objects[4]));
}

// if (_hashCodeWasCached) {
//     return _cachedHashCode;
fn get_hash_code() {
    static CALCULATED: AtomicU32 = AtomicU32::new(0);
    #[derive(Default, PartialEq)]
    struct Slow;
    impl Object for Slow {
        class!(Slow, "Rosetta.Slow", kind = Value);
    }
    impl ValueHash for Slow {
        fn value_hash(&self) -> i32 {
            CALCULATED.fetch_add(1, SeqCst);
            1
        }
    }
    for life in 1..=3 {
        let slow = allocate::<Slow>();
        assert_eq!((slow.hash_code(), slow.hash_code()), (1, 1));
        assert_eq!(CALCULATED.load(SeqCst), life);
    }
    // By default a random value: constant for a life, and another in the next.
    let hash_of_a_life = || {
        let signal = allocate::<Signal>();
        assert_eq!(signal.hash_code(), signal.hash_code());
        signal.hash_code()
    };
    let hashes: [i32; 4] = std::array::from_fn(|_| hash_of_a_life());
    assert!(hashes.iter().any(|&hash| hash != hashes[0]), "{hashes:?}");
}

static SKY_IS_UP: AtomicBool = AtomicBool::new(false);

/// For the two samples that follow.
#[derive(Default)]
struct Sky;
impl Object for Sky {
    class!(Sky, "Rosetta.Sky");
    // public static function StaticConstructor()
    //     if (StaticConstructorGuard()) {
    fn static_constructor() {
        // No guard is needed: this runs once, and may allocate its own class.
        assert!(!SKY_IS_UP.swap(true, SeqCst));
        drop(Sky::allocate());
    }
    // protected static function StaticFinalizer()
    //     default._staticConstructorWasCalled = false;
    fn static_finalizer() {
        assert!(SKY_IS_UP.swap(false, SeqCst));
    }
    fn constructor(&mut self) {
        assert!(
            SKY_IS_UP.load(SeqCst),
            "whenever the first object is created, before its constructor is called"
        );
    }
}

fn static_constructor() {
    assert!(!SKY_IS_UP.load(SeqCst));
    let first = allocate::<Sky>();
    assert!(SKY_IS_UP.load(SeqCst));
    drop((first, allocate::<Sky>()));
    // class'...'.static.StaticConstructor()
    assert!(shutdown());
    Sky::class().construct();
    assert!(SKY_IS_UP.load(SeqCst));
    Sky::class().construct();
}

fn static_finalizer() {
    assert!(Sky::class().stats().kept > 0);
    assert!(shutdown());
    assert!(!SKY_IS_UP.load(SeqCst));
    assert!(!Sky::class().is_constructed());
    assert_eq!(Sky::class().stats().kept, 0, "the pool is dropped");
    // After the map change everything begins anew.
    drop(allocate::<Sky>());
    assert!(SKY_IS_UP.load(SeqCst));
}

// for(ObjectIndex = 0;ObjectIndex < Objects.Length;ObjectIndex++)
//     if(Objects[ObjectIndex].Class == ObjectClass)
fn allocate_object() {
    // One pool per class, so nothing is searched: a free object of one pool belongs to no other.
    let (texts, signals) = (Text::class().stats(), Signal::class().stats());
    drop(allocate::<Signal>());
    assert_eq!(Text::class().stats(), texts);
    assert_eq!(Signal::class().stats().lives, signals.lives + 1);
}

// result = objectPool[objectPool.length - 1];
// objectPool.length = objectPool.length - 1;
fn fetch() {
    let pool: Pool<u64> = Pool::new();
    let (first, last) = (pool.allocate(), pool.allocate());
    let (first_index, last_index) = (first.index(), last.index());
    drop(first);
    drop(last);
    assert_eq!(
        pool.allocate().index(),
        last_index,
        "the last stored object comes first"
    );
    assert_eq!(
        [pool.allocate(), pool.allocate()].map(|it| it.index()),
        [last_index, first_index]
    );
}

// usesObjectPool = false
fn uses_object_pool() {
    #[derive(Default)]
    struct Unpooled;
    impl Object for Unpooled {
        class!(Unpooled, "Rosetta.Unpooled");
        const POOL: PoolPolicy = PoolPolicy::KeepNone;
    }
    for _ in 0..5 {
        drop(allocate::<Unpooled>());
    }
    let stats = Unpooled::class().stats();
    assert_eq!(
        (stats.fresh, stats.reused, stats.kept),
        (5, 0, 0),
        "a new instance every single time"
    );
    // The settings cannot change this.
    let config = Config::new().with("Rosetta.Unpooled", PoolPolicy::KeepAll);
    assert_eq!(configure(&config).len(), 1);
    assert_eq!(Unpooled::class().policy(), PoolPolicy::KeepNone);
}

/// For the two samples that follow: kept after freeing 100 objects.
fn kept<T: Object>() -> u64 {
    let many: Vec<_> = (0..100).map(|_| allocate::<T>()).collect();
    free_all(many);
    T::class().stats().kept
}

#[derive(Default)]
struct Limited;
impl Object for Limited {
    class!(Limited, "Rosetta.Limited");
    const POOL: PoolPolicy = PoolPolicy::KeepAtMost(10);
}

// defaultMaxPoolSize: a negative number for no limit, 0 to disable the pool.
fn default_max_pool_size() {
    #[derive(Default)]
    struct Unlimited;
    impl Object for Unlimited {
        class!(Unlimited, "Rosetta.Unlimited");
    }
    assert_eq!(PoolPolicy::from_limit(-1), <Unlimited as Object>::POOL);
    assert_eq!(kept::<Unlimited>(), 100);
    assert_eq!(kept::<Limited>(), 10);
}

// However, this can be overwritten by server's settings (see AcediaSystem.ini: AcediaObjectPool).
fn acedia_system_ini() {
    let config = Config::from_ini(
        "[AcediaCore.AcediaObjectPool]\r\n\
         poolSizeOverwrite=(objectClass=Rosetta.Limited,maxPoolSize=30)\r\n",
    );
    assert!(configure(&config.unwrap()).is_empty());
    assert_eq!(kept::<Limited>(), 30);
}
