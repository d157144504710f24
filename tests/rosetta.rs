//! Every code sample of the seed's page on objects, in Rust, in the seed's order.
//!
//! Samples about texts and boxes wait for their crates; where such a sample makes a point about objects, a small class of
//! this file stands in. One test on one thread calls them all, because some look at the whole process.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};

use acedia::kind::{ValueHash, combine_hash};
use acedia::pool::Pool;
use acedia::{
    AnyOwned, Class, Config, Handle, LifeVersion, Object, Owned, PoolPolicy, Pools, allocate, allocate_by_reference,
    allocate_fresh, allocate_with, class, collect_garbage, configure, free, free_all, load_class, shutdown,
};

#[test]
fn the_samples_of_the_seed() {
    // Who is responsible for objects?
    to_plain_string_and_to_string();
    new_parser();
    free_self();
    the_table_of_memory_api();
    // Constructors and finalizers.
    the_trading_component();
    initialize();
    // Object equality and object hash.
    is_equal();
    the_rules_of_is_equal();
    get_hash_code();
    calculate_hash_code();
    // Boxing.
    my_box();
    boxes_and_references();
    // Static constructors and finalizers.
    static_constructor();
    static_finalizer();
    // Technical details.
    allocate_object();
    fetch();
    life_version();
    // Customizing object pools.
    uses_object_pool();
    default_max_pool_size();
    acedia_system_ini();
}

// Stand-ins.

/// For the seed's `Text`: content that does not change.
#[derive(Debug, Default, PartialEq)]
struct Note {
    code_points: Vec<u32>,
}
impl Object for Note {
    class!(Note, "Rosetta.Note", kind = Value);
    fn constructor(&mut self) {
        self.code_points.clear();
    }
}
impl Note {
    fn from_string(content: &str) -> Owned<Self> {
        allocate_with(|note: &mut Self| note.code_points.extend(content.chars().map(u32::from)))
    }
    fn to_plain_string(&self) -> String {
        self.code_points
            .iter()
            .filter_map(|&code| char::from_u32(code))
            .collect()
    }
}

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

/// The object of the slot `index`, which was freed a moment ago, in its next life.
///
/// That is the first one allocated after, as long as all reading on all threads is done through pins of one thread. But
/// [`free_self`] frees by handle, which counts as a guard; from then on the thread collects some freed objects first.
fn recycled<T: Object>(index: u32) -> Owned<T> {
    let mut others = Vec::new();
    while others.len() < 1000 {
        let next = allocate::<T>();
        if next.index() == index {
            return next;
        }
        others.push(next);
    }
    panic!("the object in slot {index} does not come back");
}

// if (textToConvert != none)
//     result = textToConvert.ToPlainString();
// result = _.text.ToString(textToConvert);
fn to_plain_string_and_to_string() {
    // A reference is borrowed: the caller still has to free the object.
    fn convert(text: Option<&Note>) -> String {
        text.map_or_else(String::new, Note::to_plain_string)
    }
    // An owner is consumed: the object is freed here. The signature says so.
    fn convert_and_free(text: Owned<Note>) -> String {
        let converted = text.to_plain_string();
        free(text);
        converted
    }
    let text = Note::from_string("Basic sample");
    let handle = text.handle();
    assert_eq!(convert(Some(&text)), "Basic sample");
    assert_eq!(convert(None), "");
    assert!(handle.is_allocated());
    assert_eq!(convert_and_free(text), "Basic sample");
    assert!(!handle.is_allocated());
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
    let parser = parser(); // Whoever called must free it, which is what dropping does.
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

// protected function Constructor()
//     onStartSignal   = SimpleSignal(_.memory.Allocate(class'SimpleSignal'));
// protected function Finalizer()
//     onStartSignal           = none;
fn the_trading_component() {
    #[derive(Default)]
    struct TradingComponent {
        start: Option<Owned<Signal>>,
        end: Option<Owned<Signal>>,
        select: Option<Owned<Signal>>,
    }
    impl Object for TradingComponent {
        class!(TradingComponent, "Rosetta.TradingComponent");
        fn constructor(&mut self) {
            self.start = Some(allocate());
            self.end = Some(allocate());
            self.select = Some(allocate());
        }
        const FINALIZER: Option<fn(&mut Self)> = Some(|it| {
            it.start = None;
            it.end = None;
            it.select = None;
        });
    }
    for _ in 0..3 {
        let component = allocate::<TradingComponent>();
        assert_eq!(Signal::class().stats().live, 3);
        let signal = component.start.as_ref().unwrap().handle();
        drop(component);
        assert!(!signal.is_allocated());
        assert_eq!(Signal::class().stats().live, 0);
    }
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
        Note::from_string("a").into(),
        Note::from_string("a").into(),
        Note::from_string("b").into(),
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

// hash = 5381;
// for (i = 0; i < codePoints.length; i += 1)
//     hash = ((hash << 5) + hash) + codePoints[i];
impl ValueHash for Note {
    fn value_hash(&self) -> i32 {
        let codes = self.code_points.iter();
        codes.fold(5381, |hash, &code| combine_hash(hash, code.cast_signed_or_wrap()))
    }
}

/// `u32::cast_signed` is younger than our oldest compiler.
trait CastSigned {
    fn cast_signed_or_wrap(self) -> i32;
}
impl CastSigned for u32 {
    fn cast_signed_or_wrap(self) -> i32 {
        i32::from_ne_bytes(self.to_ne_bytes())
    }
}

fn calculate_hash_code() {
    let many = "a".repeat(100);
    let samples = [
        ("", 5381),
        ("a", 177_670),
        ("ab", 5_863_208),
        ("ba", 5_863_240),
        ("Hello", 223_289_465),
    ];
    for (content, hash) in samples.into_iter().chain([(many.as_str(), -79_743_959)]) {
        assert_eq!(Note::from_string(content).hash_code(), hash, "{content:?}");
    }
}

// class MyBox extends Object;
// var float value;
#[derive(Debug, Default, PartialEq)]
struct MyBox {
    value: f32,
}
impl Object for MyBox {
    class!(MyBox, "Rosetta.MyBox", kind = Value);
}
impl ValueHash for MyBox {
    fn value_hash(&self) -> i32 {
        (self.value + 0.0).to_bits().cast_signed_or_wrap() // -0.0 is equal to 0.0
    }
}

fn my_box() {
    let my_box = allocate_with(|it: &mut MyBox| it.value = -2.48);
    assert_eq!(my_box.value.to_string(), "-2.48");
}

// Log("Boxes equality:" @ (box1.IsEqual(box2)));
// Log("Refs equality:" @ (ref1.IsEqual(ref2)));
fn boxes_and_references() {
    #[derive(Default)]
    struct MyRef {
        value: f32,
    }
    impl Object for MyRef {
        class!(MyRef, "Rosetta.MyRef");
    }
    let my_box = |value| allocate_with(|it: &mut MyBox| it.value = value);
    let my_ref = |value| allocate_with(|it: &mut MyRef| it.value = value);
    let (box1, box2) = (my_box(56.0), my_box(56.0));
    assert!(box1.is_equal(&box2));
    assert_eq!(box1.hash_code(), box2.hash_code());
    let (mut ref1, ref2) = (my_ref(247.0), my_ref(247.0));
    assert!(!ref1.is_equal(&ref2));
    // Their hashes are most likely different, so there is nothing to assert. What may change, changes:
    ref1.exclusive(|it| it.value = 0.56).unwrap();
    assert_eq!(ref1.value.to_string(), "0.56");
    assert!(!box1.into_any().is_equal(&ref2.into_any()));
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
        // No guard to be left as it is: this runs once by itself, and may allocate its own class.
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
    // One pool per class, so nothing is searched: what is free in one pool is no other's.
    let (notes, signals) = (Note::class().stats(), Signal::class().stats());
    drop(allocate::<Signal>());
    assert_eq!(Note::class().stats(), notes);
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

// lifeVersion = originalObject.GetLifeVersion();
fn life_version() {
    let get_life_version = |object: Handle<Note>| LifeVersion::to_i32(object.life_version());
    // Get object and remember its life version. A handle is just that: object and life version.
    let text = Note::from_string("My string");
    let original_object = text.handle();
    let life_version = get_life_version(original_object);
    // Allocated objects always have positive life version, and it won't change until they get deallocated.
    assert!(original_object.is_allocated());
    assert!(get_life_version(original_object) > 0);
    assert_eq!(get_life_version(original_object), life_version);
    // But after deallocation, life version will change and become negative.
    free(text);
    assert!(!original_object.is_allocated());
    assert_eq!(get_life_version(original_object), -1);
    assert_ne!(get_life_version(original_object), life_version);
    // This will reallocate the object we've just deallocated, and it will have a different (positive) life version.
    let new_object = recycled::<Note>(original_object.index());
    assert!(get_life_version(new_object.handle()) > life_version);
    // The seed's variable would now pass for allocated. The handle does not.
    assert!(!original_object.is_allocated());
    assert_ne!(original_object, new_object.handle());
    assert!(original_object.with(Note::to_plain_string).is_none());
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
