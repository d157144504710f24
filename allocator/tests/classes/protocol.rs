//! The object protocol: the promises of its documentation, line by line.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use acedia::kind::{ValueHash, combine_hash};
use acedia::{
    AnyOwned, ClassError, Config, Handle, Object, Owned, PoolPolicy, Reason, class, configure, load_class, pin,
    shutdown,
};

use super::support::{Barrier, alone, together};

/// The events, in order.
fn diary() -> MutexGuard<'static, Vec<&'static str>> {
    static DIARY: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    DIARY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note(entry: &'static str) {
    diary().push(entry);
}

fn read_diary() -> Vec<&'static str> {
    std::mem::take(&mut *diary())
}

/// The message of the panic of `work`.
fn panic_of<R>(work: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(work()))).unwrap_err();
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.unwrap_or_else(|| panic.downcast_ref::<String>().unwrap().clone())
}

/// Classes with nothing special. The second is never used.
#[derive(Debug, Default)]
struct Plain(u32);
impl Object for Plain {
    class!(Plain, "Proto.Plain");
}
#[derive(Debug, Default)]
struct Unused;
impl Object for Unused {
    class!(Unused, "Proto.Unused");
}

// Names.

macro_rules! twins {
    ($($type:ident $name:literal),+) => {$(
        #[derive(Default)]
        struct $type;
        impl Object for $type {
            class!($type, $name);
        }
    )+};
}
twins!(One "Proto.Twin", Other "proto.twin", Here "Here.Common", There "There.Common");

#[test]
fn bad_names_are_errors_that_help() {
    let said = |name| load_class(name).unwrap_err().to_string();
    let near = "no class is named `Proto.Unusde` (did you mean `Proto.Unused`?)";
    assert_eq!(said("Proto.Unusde"), near);
    assert!(matches!(load_class("Proto.Unusde"), Err(ClassError::Unknown { near, .. }) if near == ["Proto.Unused"]));
    assert_eq!(said("Zzz.Qqq"), "no class is named `Zzz.Qqq`");
    for empty in ["", "  ", "\t"] {
        assert_eq!(load_class(empty), Err(ClassError::Empty));
        assert!(said(empty).ends_with("is empty; write it as `Package.Name`"));
    }
    for odd in [
        ".",
        "..",
        "Proto.",
        ".Plain",
        "Proto.Plain.",
        " Proto.Plain",
        "Proto.Plain\n",
        "Пакет.Класс",
    ] {
        assert!(matches!(load_class(odd), Err(ClassError::Unknown { .. })), "{odd:?}");
    }
    assert!(!said("A\nB").contains('\n'));
    assert_eq!(
        said("Proto.Twin"),
        "`Proto.Twin` is ambiguous: it names `Proto.Twin` (the type `classes::protocol::One`) and `proto.twin` (the type \
         `classes::protocol::Other`)"
    );
    let Err(ClassError::Ambiguous { candidates, .. }) = load_class("Common") else {
        panic!("`Common` should be ambiguous");
    };
    assert_eq!(candidates, [Here::class(), There::class()]);
}

// Equality and hash.

static HASHED: AtomicU32 = AtomicU32::new(0);

#[derive(Debug, Default, PartialEq)]
struct Content(i32);
impl Object for Content {
    class!(Content, "Proto.Content", kind = Value);
}
impl ValueHash for Content {
    fn value_hash(&self) -> i32 {
        HASHED.fetch_add(1, SeqCst);
        thread::sleep(Duration::from_millis(1));
        combine_hash(17, self.0)
    }
}
#[test]
fn a_value_is_hashed_once_per_life() {
    let _alone = alone();
    let before = HASHED.load(SeqCst);
    let mut content = Content::allocate_with(|it| it.0 = 1);
    assert_eq!(HASHED.load(SeqCst), before, "only when somebody asks");
    let start = Barrier::new(4);
    let hashes = together(0..4, |_| {
        start.wait();
        content.hash_code()
    });
    assert_eq!(hashes, [combine_hash(17, 1); 4]);
    assert_eq!(content.clone().into_any().hash_code(), combine_hash(17, 1));
    assert_eq!(HASHED.load(SeqCst), before + 1);

    content.get_mut().unwrap().0 = 2;
    assert_eq!(content.hash_code(), combine_hash(17, 2), "after a change");
    let handle = content.handle();
    assert_eq!(content.exclusive(|it| it.0 = 3), Some(()));
    assert_eq!(content.hash_code(), combine_hash(17, 3));
    assert!(handle.is_allocated());
    drop(content);
    let next = Content::allocate_with(|it| it.0 = 4);
    assert_eq!(next.hash_code(), combine_hash(17, 4), "in the next life");
    drop(next);
    let reserved = Content::pool().reserve();
    let next = reserved.fill(|it| it.0 = 5);
    assert_eq!(next.hash_code(), combine_hash(17, 5), "in a reserved life");
}

#[derive(Default, PartialEq, PartialOrd)]
struct Weight(f64);
impl Object for Weight {
    class!(Weight, "Proto.Weight", kind = Value);
}
impl ValueHash for Weight {
    fn value_hash(&self) -> i32 {
        0
    }
}

#[test]
fn a_value_that_is_unequal_to_itself_has_the_order_of_its_equality() {
    let _alone = alone();
    let [a, b] = [f64::NAN; 2].map(|weight| Weight::allocate_with(|it| it.0 = weight));
    assert!(a == a.clone() && a <= a.clone(), "the same object");
    assert!(a != b && a.partial_cmp(&b).is_none());
}

#[test]
fn identities_are_equal_to_themselves_alone() {
    let _alone = alone();
    let (a, b) = (Plain::allocate(), Plain::allocate());
    assert!(a == a.clone() && a != b);
    assert!(a.clone().into_any() == a.clone().into_any() && a.clone().into_any() != b.into_any());
    let hash = a.hash_code();
    assert!(a.clone().hash_code() == hash && a.into_any().hash_code() == hash);
    // A life's hash is its own: 1000 lives give (nearly) 1000 hashes, none negative.
    let hashes: HashSet<_> = (0..1000).map(|_| Plain::allocate().hash_code()).collect();
    assert!(hashes.len() > 990, "{}", hashes.len());
    assert!(hashes.iter().all(|hash| (0..i32::MAX).contains(hash)));
}

// Lives.

#[derive(Default)]
struct Staged {
    lives: u32,
    seen_at_end: Option<(bool, Option<u32>)>,
    me: Option<Handle<Staged>>,
}
impl Object for Staged {
    class!(Staged, "Proto.Staged");
    const FINALIZER: Option<fn(&mut Self)> = Some(|it| {
        note("finalizer");
        if let Some(me) = it.me {
            it.seen_at_end = Some((me.is_allocated(), me.life_version()));
            assert!(me.free().is_err(), "freeing itself again does nothing");
        }
    });
    fn constructor(&mut self) {
        note("constructor");
        self.lives += 1;
    }
    fn static_constructor() {
        note("static constructor");
    }
}

#[test]
fn a_life_has_its_stages() {
    let _alone = alone();
    shutdown();
    read_diary();
    let first = Staged::allocate_with(|it| {
        note("init");
        it.seen_at_end = None;
    });
    assert_eq!(read_diary(), ["static constructor", "constructor", "init"]);
    drop(first);
    assert_eq!(read_diary(), ["finalizer"]);
    let mut next = Staged::allocate();
    assert_eq!(next.lives, 2, "the object of the first life");
    assert_eq!(read_diary(), ["constructor"]);
    let handle = next.handle();
    assert_eq!(handle.life_version(), Some(handle.life()));
    next.exclusive(|it| it.me = Some(handle)).unwrap();
    next.free();
    assert_eq!(read_diary(), ["finalizer"]);
    assert_eq!(Staged::allocate().seen_at_end, Some((false, None)));
}

#[test]
fn manual_objects_are_freed_by_handle() {
    let _alone = alone();
    let handle = Plain::allocate_with(|it| it.0 = 5).into_manual();
    assert_eq!(handle.with(|it| it.0), Some(5));
    let owned = handle.reclaim().unwrap();
    assert_eq!(handle.reclaim().unwrap_err().reason(), Reason::Owned);
    // A handle does not free an object that has other owners, whether or not it knows the class.
    assert_eq!(owned.clone().into_manual(), handle);
    let any = handle.to_any();
    for error in [handle.free().unwrap_err(), any.free().unwrap_err()] {
        assert_eq!(error.reason(), Reason::Owned);
        assert!(error.to_string().starts_with(Plain::class().name()), "{error}");
    }
    assert_eq!(owned.owners(), 2, "the manual share stays");
    drop(owned);
    let owned = any.reclaim().unwrap().downcast::<Plain>().unwrap();
    assert_eq!(owned.into_manual(), handle);
    assert_eq!(any.free(), Ok(()));
    let reasons = [handle.free().unwrap_err().reason(), any.free().unwrap_err().reason()];
    assert_eq!((reasons, any.life_version()), ([Reason::Freed; 2], None));
}

/// The handle of another class, which has no object yet.
#[test]
fn a_handle_of_another_class_is_refused() {
    let _alone = alone();
    let foreign = Handle::<Unused>::from_bits(Plain::allocate().handle().to_bits()).unwrap();
    assert!(foreign.get(&pin()).is_none() && !Unused::class().is_constructed());
    let error = foreign.try_guard().unwrap_err();
    assert_eq!(error.reason(), Reason::Foreign);
    assert!(error.to_string().contains("Proto.Unused in slot"), "{error}");
}

#[test]
fn a_reused_slot_is_told() {
    let _alone = alone();
    let handle = Plain::allocate().handle();
    let error = handle.try_get(&pin()).unwrap_err();
    assert_eq!((error.reason(), error.current_life()), (Reason::Freed, None));
    let sentence = format!(
        "Proto.Plain in slot {}, life {}, was freed",
        handle.index(),
        handle.life()
    );
    assert!(error.to_string().starts_with(&sentence), "{error}");

    // Allocates until the slot is reused, by an object without a handle: it has no visible life.
    let (mut others, mut next) = (Vec::new(), Plain::allocate());
    while next.index() != handle.index() {
        assert!(others.len() < 100_000, "the slot never comes round");
        others.push(std::mem::replace(&mut next, Plain::allocate()));
    }
    // The slot's next object is not this one.
    assert_eq!(handle.try_get(&pin()).unwrap_err(), error);

    let told = || {
        let error = handle.try_get(&pin()).unwrap_err();
        assert_eq!(error.allocated_at().is_some(), cfg!(debug_assertions));
        assert_eq!(error.freed_at(), None, "dropped");
        (error.reason(), error.current_life())
    };
    let life = next.handle().life();
    assert_eq!(told(), (Reason::Reused, Some(life)));
    next.free();
    assert_eq!(told(), (Reason::Reused, None));
}

/// Each way to allocate and free an object records the place of the call.
#[test]
#[cfg(debug_assertions)]
fn the_places_are_the_callers() {
    /// Runs both of each line, and looks whether the line is remembered.
    macro_rules! check {
        ($($allocate:expr, $free:expr;)+) => {let mut line = line!(); $(
            line += 1;
            let owner = AnyOwned::from($allocate);
            let handle: Handle<Plain> = owner.handle().downcast().unwrap();
            let free: fn(AnyOwned) = $free;
            free(owner);
            let error = handle.try_get(&pin()).unwrap_err();
            for place in [error.allocated_at().unwrap(), error.freed_at().unwrap()] {
                assert_eq!((place.file(), place.line()), (file!(), line), "{error}");
            }
        )+};
    }
    fn typed(any: AnyOwned) -> Owned<Plain> {
        any.downcast::<Plain>().unwrap()
    }
    let _alone = alone();
    let (class, pool) = (Plain::class(), Plain::pool());
    check! {
        Plain::allocate(), |it| typed(it).free();
        Plain::allocate_with(|_| ()), |it| it.free();
        pool.allocate_fresh(), |it| it.free();
        pool.try_allocate().unwrap(), |it| typed(it).free();
        pool.try_allocate_with(|_| ()).unwrap(), |it| it.free();
        Plain::allocate(), |it| typed(it).into_manual().free().unwrap();
        pool.reserve().fill(|_| ()), |it| typed(it).into_manual().to_any().free().unwrap();
        class.allocate().unwrap(), |it| it.free();
        class.allocate_fresh().unwrap(), |it| it.free();
        load_class("Proto.Plain").unwrap().allocate().unwrap(), |it| it.free();
    }
}

// Panics.

static FRAIL: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Default)]
struct Frail;
impl Object for Frail {
    class!(Frail, "Proto.Frail");
    const FINALIZER: Option<fn(&mut Self)> = Some(|_| assert!(!FRAIL.load(SeqCst), "frail finalizer"));
    fn constructor(&mut self) {
        assert!(!FRAIL.load(SeqCst), "frail constructor");
    }
}

#[test]
fn panics_of_constructors_and_finalizers_lose_nothing() {
    let _alone = alone();
    drop(Frail::allocate());
    let owned = Frail::allocate();
    let handle = owned.handle();
    FRAIL.store(true, SeqCst);
    assert_eq!(panic_of(Frail::allocate), "frail constructor");
    let any = owned.into_any();
    assert_eq!(panic_of(|| drop(any)), "frail finalizer");
    FRAIL.store(false, SeqCst);
    assert_eq!((handle.is_allocated(), Frail::class().stats().live), (false, 0));
    let two = (Frail::allocate(), Frail::allocate());
    assert_ne!(two.0.index(), two.1.index());
    let init = || Frail::pool().try_allocate_with(|_| panic!("frail init"));
    assert_eq!(panic_of(init), "frail init");
    assert_eq!(Frail::class().stats().live, 2);
}

// Static constructors.

static RACED: AtomicU32 = AtomicU32::new(0);
static RACED_DONE: AtomicBool = AtomicBool::new(false);

#[derive(Default)]
struct Raced;
impl Object for Raced {
    class!(Raced, "Proto.Raced");
    fn static_constructor() {
        RACED.fetch_add(1, SeqCst);
        let own = Raced::allocate();
        assert!(own.handle().is_allocated());
        Raced::class().construct();
        thread::sleep(Duration::from_millis(20));
        RACED_DONE.store(true, SeqCst);
    }
}

#[test]
fn threads_race_for_a_static_constructor() {
    let _alone = alone();
    let ways: [fn(); 4] = [
        || drop(Raced::allocate()),
        || drop(load_class("Proto.Raced").unwrap().allocate().unwrap()),
        || drop(Raced::pool().reserve()),
        || Raced::class().construct(),
    ];
    let start = Barrier::new(8);
    together([ways, ways].concat(), |way| {
        start.wait();
        way();
        assert!(RACED_DONE.load(SeqCst), "a thread went on before the constructor's end");
    });
    assert_eq!(RACED.load(SeqCst), 1);
}

// Shutdown.

#[derive(Default)]
struct Ground;
impl Object for Ground {
    class!(Ground, "Proto.Ground");
    fn static_constructor() {
        note("+ground");
    }
    fn static_finalizer() {
        note("-ground");
        assert!(!shutdown(), "one at a time");
    }
}
#[derive(Default)]
struct House(Vec<u32>);
impl Object for House {
    class!(House, "Proto.House");
    fn static_constructor() {
        drop(Ground::allocate());
        note("+house");
    }
    fn static_finalizer() {
        note("-house");
        drop(House::allocate()); // Of its own class: is not constructed again.
    }
}

#[test]
fn shutdown_goes_backwards_and_the_program_can_begin_again() {
    let _alone = alone();
    shutdown();
    for _ in 0..3 {
        read_diary();
        let house = House::allocate_with(|it| it.0.push(1));
        let handle = house.handle();
        assert!(shutdown());
        assert_eq!(read_diary(), ["+ground", "+house", "-house", "-ground"]);
        assert!(!House::class().is_constructed());
        assert_eq!(House::class().stats().kept, 0, "free objects are dropped");
        assert!(handle.is_allocated(), "what is alive stays alive");
        drop(house);
        assert!(shutdown());
        assert_eq!(read_diary(), [""; 0], "nothing was constructed since");
    }
}

static LAST_WORDS: AtomicU32 = AtomicU32::new(0);
/// Whether the next two classes misbehave.
static WILD: AtomicBool = AtomicBool::new(false);

#[derive(Default)]
struct Restless;
impl Object for Restless {
    class!(Restless, "Proto.Restless");
    const FINALIZER: Option<fn(&mut Self)> = Some(|_| _ = shutdown());
    fn static_constructor() {
        shutdown();
    }
    fn static_finalizer() {
        LAST_WORDS.fetch_add(1, SeqCst);
        if WILD.load(SeqCst) {
            drop(Phoenix::allocate());
            panic!("restless to the end");
        }
    }
}
#[derive(Default)]
struct Phoenix;
impl Object for Phoenix {
    class!(Phoenix, "Proto.Phoenix");
    fn static_finalizer() {
        LAST_WORDS.fetch_add(100, SeqCst);
        if WILD.load(SeqCst) {
            drop(Restless::allocate());
        }
    }
}

#[test]
fn shutdown_withstands_what_static_finalizers_do() {
    let _alone = alone();
    shutdown();
    WILD.store(true, SeqCst);
    let restless = Restless::allocate();
    drop(Phoenix::allocate());
    assert_eq!(panic_of(shutdown), "restless to the end");
    // Each twice, although they bring each other back forever.
    assert_eq!(LAST_WORDS.load(SeqCst), 202);
    WILD.store(false, SeqCst);
    // From a finalizer: both were brought back once more than they were finalized.
    drop(restless);
    assert!(!Restless::class().is_constructed() && !Phoenix::class().is_constructed());
}

// Limits.

macro_rules! limited {
    ($($name:ident $policy:expr),+ $(,)?) => {$(
        #[derive(Default)]
        struct $name;
        impl Object for $name {
            class!($name, concat!("Limits.", stringify!($name)));
            const POOL: PoolPolicy = $policy;
        }
    )+};
}
limited! {
    All PoolPolicy::KeepAll,
    Some8 PoolPolicy::KeepAtMost(8),
    Zero PoolPolicy::KeepAtMost(0),
    Never PoolPolicy::KeepNone,
    Doubled PoolPolicy::KeepAll,
}

fn churn<T: Object>(count: usize) -> u64 {
    let many: Vec<_> = (0..count).map(|_| T::allocate()).collect();
    drop(many);
    T::class().stats().kept
}

#[test]
fn classes_limit_their_pools() {
    let _alone = alone();
    assert_eq!(churn::<All>(200), 200);
    assert_eq!(churn::<All>(200), 200, "the second 200 are the first 200");
    assert_eq!((churn::<Some8>(20), churn::<Never>(20)), (8, 0));
    let entries = [
        "Limits.All,maxPoolSize=5",
        "class'Limits.Some8',maxPoolSize=-1",
        "zero,maxPoolSize=3",
        "Limits.Never,maxPoolSize=3",
        "Limits.Allo,maxPoolSize=3",
        "\"Limits.Doubled\",maxPoolSize=1",
        "Doubled,maxPoolSize=2",
        "Common,maxPoolSize=2",
    ];
    let lines = entries.map(|entry| format!("poolSizeOverwrite=(objectClass={entry})"));
    let config = Config::from_ini(&format!("[AcediaCore.AcediaObjectPool]\n{}", lines.join("\n"))).unwrap();
    let not_applied = configure(&config);
    assert_eq!(All::class().stats().kept, 5, "at once");
    let kept = [
        churn::<All>(20),
        churn::<Some8>(20),
        churn::<Zero>(20),
        churn::<Never>(20),
    ];
    assert_eq!(kept, [5, 20, 3, 0]);
    // The first one counts.
    assert_eq!(Doubled::class().policy(), PoolPolicy::KeepAtMost(1));
    let told: Vec<_> = not_applied.iter().map(ToString::to_string).collect();
    let [never, unknown, common] = &told[..] else {
        panic!("{told:?}")
    };
    let pooled = "line 5: `Limits.Never` is never pooled, so its limit cannot be changed";
    assert_eq!(never, pooled);
    let near = "line 6: no class is named `Limits.Allo` (did you mean `Limits.All`?)";
    assert_eq!(unknown, near);
    assert!(common.starts_with("line 9: `Common` is ambiguous"));
    let error = &not_applied[1];
    assert_eq!((error.class(), error.line()), (Some("Limits.Allo"), Some(6)));

    let by_code = Config::new()
        .with("Limits.All", PoolPolicy::KeepAll)
        .with("", PoolPolicy::KeepAll);
    let not_applied = configure(&by_code);
    assert_eq!((not_applied[0].class(), not_applied[0].line()), (Some(""), None));
    assert!(not_applied[0].to_string().starts_with("the name of the class is empty"));
    assert_eq!(churn::<All>(20), 20);
}
