//! The object protocol: the promises of its documentation, line by line.
//!
//! `shutdown` and the configuration are the whole process's, so these tests run one at a time.
#![forbid(unsafe_code)] // Also a check of what `class!` expands to.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use acedia::kind::{ValueHash, combine_hash};
use acedia::{
    AnyHandle, AnyOwned, Class, ClassError, Config, Family, Guard, Handle, Object, Owned, PoolPolicy, Reason, class,
    class_table, classes, collect_garbage, configure, load_class, pin, shutdown,
};

fn one_at_a_time() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

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

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap()
}

/// Waits until no object of `T` is alive. The thread of an earlier test may be ending, and what it hands back is counted
/// exactly only afterwards.
fn wait_until_none_is_alive<T: Object>() {
    for _ in 0..1000 {
        if T::class().stats().live == 0 {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("{:?}: {:?}", T::class(), T::class().stats());
}

/// A class with nothing special.
#[derive(Debug, Default)]
struct Plain(u32);
impl Object for Plain {
    class!(Plain, "Proto.Plain");
}

/// A class that is never used.
#[derive(Debug, Default)]
struct Unused;
impl Object for Unused {
    class!(Unused, "Proto.Unused");
}

// Names, classes, sizes.

#[test]
fn a_class_knows_itself() {
    let _turn = one_at_a_time();
    let class = Class::of::<Plain>();
    assert_eq!(class.name(), "Proto.Plain");
    assert_eq!((class.package(), class.short_name()), ("Proto", "Plain"));
    assert_eq!(class.to_string(), "Proto.Plain");
    assert_eq!(class.type_name(), "protocol::Plain");
    assert_eq!(format!("{class:?}"), "Class(Proto.Plain, protocol::Plain)");
    assert_eq!(class.object_size(), 4);
    assert!(class.is::<Plain>() && !class.is::<Unused>());
    assert_eq!(class, Plain::class());
    assert_ne!(class, Unused::class());
    assert!(HashSet::from([class]).contains(Plain::class()));
}

#[test]
fn sizes() {
    let _turn = one_at_a_time();
    assert_eq!((size_of::<Handle<Plain>>(), size_of::<Option<Handle<Plain>>>()), (8, 8));
    let pointer = size_of::<usize>();
    assert_eq!(
        (size_of::<Owned<Plain>>(), size_of::<Option<Owned<Plain>>>()),
        (pointer, pointer)
    );
    let any_handle = (pointer + 8).next_multiple_of(align_of::<AnyHandle>());
    assert_eq!(
        (size_of::<AnyHandle>(), size_of::<Option<AnyHandle>>()),
        (any_handle, any_handle)
    );
    assert_eq!((size_of::<AnyOwned>(), size_of::<Option<AnyOwned>>()), (4, 4));
}

#[test]
fn everything_may_be_sent_and_shared() {
    fn check<T: Send + Sync + 'static>() {}
    let _turn = one_at_a_time();
    check::<Handle<Plain>>();
    check::<Owned<Plain>>();
    check::<Guard<Plain>>();
    check::<AnyHandle>();
    check::<AnyOwned>();
    check::<acedia::Reserved<Plain>>();
    check::<&Class>();
}

mod twins {
    use super::{Object, class};

    #[derive(Default)]
    pub(crate) struct One;
    impl Object for One {
        class!(One, "Proto.Twin");
    }
    #[derive(Default)]
    pub(crate) struct Other;
    impl Object for Other {
        class!(Other, "proto.twin");
    }
    #[derive(Default)]
    pub(crate) struct Here;
    impl Object for Here {
        class!(Here, "Here.Common");
    }
    #[derive(Default)]
    pub(crate) struct There;
    impl Object for There {
        class!(There, "There.Common");
    }
}

#[test]
fn classes_are_found_by_name() {
    let _turn = one_at_a_time();
    assert_eq!(load_class("Proto.Unused"), Ok(Unused::class()));
    assert!(!Unused::class().is_constructed());
    assert_eq!(load_class("pRoTo.uNuSeD"), Ok(Unused::class()));
    assert_eq!(load_class("Unused"), Ok(Unused::class()));
    assert_eq!(load_class("There.Common"), Ok(twins::There::class()));
    let names: Vec<_> = classes().into_iter().map(Class::name).collect();
    assert!(names.is_sorted());
    assert!(names.contains(&"Proto.Unused"));
}

#[test]
fn bad_names_are_errors_that_help() {
    let _turn = one_at_a_time();
    let unknown = load_class("Proto.Plian").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no class is named `Proto.Plian` (did you mean `Proto.Plain`?)"
    );
    assert!(matches!(unknown, ClassError::Unknown { near, .. } if near == ["Proto.Plain"]));
    assert_eq!(
        load_class("Zzz.Qqq").unwrap_err().to_string(),
        "no class is named `Zzz.Qqq`"
    );
    for empty in ["", "  ", "\t"] {
        assert_eq!(load_class(empty), Err(ClassError::Empty));
    }
    assert_eq!(
        load_class("").unwrap_err().to_string(),
        "the name of the class is empty; a name is like `Package.Name`"
    );
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
    assert!(!load_class("A\nB").unwrap_err().to_string().contains('\n'));
    assert_eq!(
        load_class("Proto.Twin").unwrap_err().to_string(),
        "`Proto.Twin` is ambiguous: it names `Proto.Twin` (the type `protocol::twins::One`) and `proto.twin` (the type \
         `protocol::twins::Other`)"
    );
    let ClassError::Ambiguous { candidates, .. } = load_class("Common").unwrap_err() else {
        panic!("`Common` should be ambiguous");
    };
    assert_eq!(candidates, [twins::Here::class(), twins::There::class()]);
}

#[test]
fn objects_are_allocated_by_name() {
    let _turn = one_at_a_time();
    let plain = load_class("Proto.Plain").unwrap().allocate().unwrap();
    assert!(plain.is::<Plain>());
    assert!(matches!(load_class("Proto.Plian"), Err(ClassError::Unknown { .. })));
    let fresh = Plain::class().allocate_fresh().unwrap();
    assert_ne!(fresh.index(), plain.index());
}

// Families.

#[derive(Debug, Default)]
struct Holder<T>(T);

impl<T: Default + Send + Sync + PartialEq + Bits + 'static> Object for Holder<T>
where
    Self: Family,
{
    class!(family, kind = Value);
}

impl<T: PartialEq> PartialEq for Holder<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T: PartialEq + Bits> ValueHash for Holder<T> {
    fn value_hash(&self) -> i32 {
        self.0.bits()
    }
}

trait Bits {
    fn bits(&self) -> i32;
}
impl Bits for bool {
    fn bits(&self) -> i32 {
        i32::from(*self)
    }
}
impl Bits for i32 {
    fn bits(&self) -> i32 {
        *self
    }
}
impl Bits for f32 {
    fn bits(&self) -> i32 {
        0
    }
}

class_table! {
    Holder<bool> => "Proto.BoolHolder",
    Holder<i32> => "Proto.IntHolder",
    Holder<f32> => "Proto.FloatHolder",
}

#[test]
fn every_member_of_a_family_is_a_class_of_its_own() {
    let _turn = one_at_a_time();
    assert_eq!(load_class("Proto.IntHolder"), Ok(Holder::<i32>::class()));
    assert_eq!(load_class("FloatHolder"), Ok(Holder::<f32>::class()));
    let int = <Holder<i32>>::allocate_with(|it| it.0 = 1);
    let truth = <Holder<bool>>::allocate_with(|it| it.0 = true);
    assert_eq!(int.hash_code(), truth.hash_code());
    assert_ne!(int.into_any(), truth.into_any(), "different classes are never equal");
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
impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "content {}", self.0)
    }
}

#[test]
fn values_are_equal_by_content() {
    let _turn = one_at_a_time();
    let content = |n| Content::allocate_with(|it| it.0 = n);
    let (a, b, c) = (content(1), content(1), content(2));
    assert!(a.is_equal(&b) && b.is_equal(&a) && a == b && a != c);
    assert_eq!(a.hash_code(), b.hash_code());
    assert!(!a.is_same(&b));
    assert_eq!(a.clone().into_any(), b.clone().into_any());
    let names = HashMap::from([(a, "one"), (c, "two")]);
    assert_eq!(names[&b], "one");
    assert_eq!(
        (format!("{b:?}"), b.to_string()),
        ("Content(1)".into(), "content 1".into())
    );
}

#[test]
fn a_value_is_hashed_once_per_life() {
    let _turn = one_at_a_time();
    let before = HASHED.load(SeqCst);
    let mut content = Content::allocate_with(|it| it.0 = 1);
    assert_eq!(HASHED.load(SeqCst), before, "only when somebody asks");
    let start = Barrier::new(4);
    let hashes = thread::scope(|scope| {
        let ask = || {
            start.wait();
            content.hash_code()
        };
        let asking: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        asking
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect::<HashSet<_>>()
    });
    assert_eq!(hashes, HashSet::from([combine_hash(17, 1)]));
    assert_eq!(HASHED.load(SeqCst), before + 1);
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
}

#[test]
fn a_nan_equals_itself_alone() {
    let _turn = one_at_a_time();
    let nan = || <Holder<f32>>::allocate_with(|it| it.0 = f32::NAN);
    let (a, b) = (nan(), nan());
    assert!(a == a.clone());
    assert!(a != b);
    assert!(<Holder<f32>>::allocate_with(|it| it.0 = -0.0) == <Holder<f32>>::allocate());
}

#[test]
fn identities_are_equal_to_themselves_alone() {
    let _turn = one_at_a_time();
    let (a, b) = (Plain::allocate(), Plain::allocate());
    assert!(a == a.clone() && a != b);
    assert!(a.clone().into_any() == a.clone().into_any() && a.clone().into_any() != b.into_any());
    assert_eq!(a.hash_code(), a.clone().hash_code());
    assert_eq!(a.hash_code(), a.clone().into_any().hash_code());
    // A life's hash is its own: 1000 lives give (nearly) 1000 hashes, none negative.
    let mut hashes = HashSet::new();
    for _ in 0..1000 {
        let hash = Plain::allocate().hash_code();
        assert!((0..i32::MAX).contains(&hash));
        hashes.insert(hash);
    }
    assert!(hashes.len() > 990, "{}", hashes.len());
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
    let _turn = one_at_a_time();
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
fn references_are_counted() {
    let _turn = one_at_a_time();
    let first = Staged::allocate();
    let handle = first.handle();
    let mut owners = vec![first.clone(), first.clone(), first.clone(), first];
    for left in (1..=4).rev() {
        assert_eq!(owners[0].owners(), left);
        assert!(handle.is_allocated());
        owners.pop();
    }
    assert!(!handle.is_allocated());
}

#[test]
fn an_object_lives_as_long_as_its_last_owner() {
    let _turn = one_at_a_time();
    let (a, b, c) = (Plain::allocate(), Plain::allocate(), Plain::allocate());
    let kept = c.handle();
    a.free();
    b.into_any().free();
    drop([Some(c.clone()), None, Some(c.clone())]);
    assert!(kept.is_allocated());
    drop(vec![AnyOwned::from(c)]);
    wait_until_none_is_alive::<Plain>();
}

#[test]
fn manual_objects_are_freed_by_handle() {
    let _turn = one_at_a_time();
    let handle = Plain::allocate_with(|it| it.0 = 5).into_manual();
    assert_eq!(handle.with(|it| it.0), Some(5));
    let owned = handle.reclaim().unwrap();
    assert_eq!(handle.reclaim().unwrap_err().reason(), Reason::Owned);
    assert_eq!(owned.into_manual(), handle);
    let any = handle.as_any();
    assert_eq!(
        any.reclaim().unwrap().downcast::<Plain>().unwrap().into_manual(),
        handle
    );
    assert_eq!(any.free(), Ok(()));
    assert_eq!(handle.free().unwrap_err().reason(), Reason::Freed);
    assert_eq!(any.free().unwrap_err().reason(), Reason::Freed);
    assert_eq!(any.life_version(), None);
}

/// An object that has other owners is not freed by a handle, whether or not the handle knows the class.
#[test]
fn a_manual_object_beside_another_owner() {
    let _turn = one_at_a_time();
    let owned = Plain::allocate();
    let handle = owned.clone().into_manual();
    let any = handle.as_any();
    let errors = [handle.free().unwrap_err(), any.free().unwrap_err()];
    for error in errors {
        assert_eq!(error.reason(), Reason::Owned);
        assert!(error.to_string().starts_with(Plain::class().name()), "{error}");
    }
    assert_eq!(owned.owners(), 2, "the manual share stays");
    drop(owned);
    assert!(any.free().is_ok() && !handle.is_allocated());
}

#[test]
fn lists_of_handles_are_read_at_once() {
    let _turn = one_at_a_time();
    let owners: Vec<_> = (0..3).map(|number| Plain::allocate_with(|it| it.0 = number)).collect();
    let mut handles: Vec<_> = owners.iter().map(Owned::handle).collect();
    handles.insert(1, Plain::allocate().handle());
    let pinned = pin();
    let numbers = |handles: &[Handle<Plain>]| -> Vec<_> {
        let reader = Plain::pool().reader(&pinned);
        reader.get_many(handles).map(|found| found.map(|it| it.0)).collect()
    };
    assert_eq!(numbers(&handles), [Some(0), None, Some(1), Some(2)]);
    assert_eq!(numbers(&[handles[3]; 2]), [Some(2); 2]);
    assert_eq!(numbers(&[]), []);
    // A class that has no object yet.
    let foreign = Handle::<Unused>::from_bits(handles[0].to_bits()).unwrap();
    assert!(foreign.get(&pinned).is_none());
    assert!(!Unused::class().is_constructed());
}

#[test]
fn handles_say_why_they_are_dead() {
    let _turn = one_at_a_time();
    drop(Plain::allocate());
    let owned = Plain::allocate();
    let line = line!() - 1;
    let handle = owned.handle();
    assert_eq!(Handle::<Plain>::from_bits(handle.to_bits()), Some(handle));
    assert_eq!(
        format!("{handle:?}"),
        format!("Handle(slot {}, life {})", handle.index(), handle.life())
    );
    owned.free();
    let error = handle.try_get(&pin()).unwrap_err();
    assert_eq!(error.reason(), Reason::Freed);
    let sentence = format!(
        "Proto.Plain in slot {}, life {}, was freed",
        handle.index(),
        handle.life()
    );
    assert!(error.to_string().starts_with(&sentence), "{error}");
    if cfg!(debug_assertions) {
        let allocated = error.allocated_at().unwrap();
        assert_eq!((allocated.file(), allocated.line()), (file!(), line));
        assert_eq!(error.freed_at().unwrap().file(), file!());
    }
    let foreign = Handle::<Unused>::from_bits(handle.to_bits()).unwrap();
    assert_eq!(foreign.try_guard().unwrap_err().reason(), Reason::Foreign);
    assert!(
        foreign
            .try_guard()
            .unwrap_err()
            .to_string()
            .contains("Proto.Unused in slot")
    );
}

#[test]
fn a_reused_slot_is_told() {
    let _turn = one_at_a_time();
    let owned = Plain::allocate();
    let handle = owned.handle();
    drop(owned);
    let error = handle.try_get(&pin()).unwrap_err();
    assert_eq!((error.reason(), error.current_life()), (Reason::Freed, None));
    assert_eq!(error.allocated_at().is_some(), cfg!(debug_assertions));

    // Again until the slot comes round, by an object without a handle: it has no visible life.
    let (mut others, mut next) = (Vec::new(), Plain::allocate());
    while next.index() != handle.index() {
        assert!(others.len() < 100_000, "the slot never comes round");
        others.push(std::mem::replace(&mut next, Plain::allocate()));
    }
    assert_eq!(
        handle.try_get(&pin()).unwrap_err(),
        error,
        "the slot's next object is not this one"
    );

    let now = next.handle();
    let error = handle.try_get(&pin()).unwrap_err();
    assert_eq!(
        (error.reason(), error.current_life()),
        (Reason::Reused, Some(now.life()))
    );
    next.free();
    let error = handle.try_get(&pin()).unwrap_err();
    assert_eq!((error.reason(), error.current_life()), (Reason::Reused, None));
    assert_eq!(error.allocated_at().is_some(), cfg!(debug_assertions));
    assert_eq!(error.freed_at(), None, "dropped");
}

/// Each way to allocate and free an object records the place of the call.
#[test]
#[cfg(debug_assertions)]
fn the_places_are_the_callers() {
    /// Runs both, and looks whether these lines are remembered.
    macro_rules! check {
        ($allocate:expr, $free:expr) => {
            let (line, owner) = (line!(), AnyOwned::from($allocate));
            let handle: Handle<Plain> = owner.handle().downcast().unwrap();
            $free(owner);
            let error = handle.try_get(&pin()).unwrap_err();
            let (allocated, freed) = (error.allocated_at().unwrap(), error.freed_at().unwrap());
            for place in [allocated, freed] {
                let here = place.file() == file!() && (line..line + 4).contains(&place.line());
                assert!(here, "not of line {line}: {error}");
            }
        };
    }
    let _turn = one_at_a_time();
    let typed = |any: AnyOwned| any.downcast::<Plain>().unwrap();
    let class = Plain::class();
    check!(Plain::allocate(), |it: AnyOwned| typed(it).free());
    check!(Plain::allocate_with(|_| ()), |it: AnyOwned| it.free());
    check!(Plain::pool().allocate_fresh(), |it: AnyOwned| it.free());
    check!(Plain::pool().try_allocate().unwrap(), |it: AnyOwned| typed(it).free());
    check!(Plain::pool().try_allocate_with(|_| ()).unwrap(), |it: AnyOwned| it
        .free());
    check!(Plain::allocate(), |it| typed(it).into_manual().free().unwrap());
    check!(Plain::pool().reserve().fill(|_| ()), |it| typed(it)
        .into_manual()
        .as_any()
        .free()
        .unwrap());
    check!(class.allocate().unwrap(), |it: AnyOwned| it.free());
    check!(class.allocate_fresh().unwrap(), |it: AnyOwned| it.free());
    check!(
        load_class("Proto.Plain").unwrap().allocate().unwrap(),
        |it: AnyOwned| it.free()
    );
}

#[test]
fn reserved_objects_refer_to_each_other() {
    #[derive(Default)]
    struct Link(Option<Handle<Link>>);
    impl Object for Link {
        class!(Link, "Proto.Link");
    }
    let _turn = one_at_a_time();
    let (a, b) = (Link::pool().reserve(), Link::pool().reserve());
    let (to_a, to_b) = (a.handle(), b.handle());
    assert_eq!(to_a.try_get(&pin()).err().unwrap().reason(), Reason::Hidden);
    let a = a.fill(|it| it.0 = Some(to_b));
    drop(b);
    assert_eq!(a.handle(), to_a);
    assert!(!a.0.unwrap().is_allocated());
}

#[test]
fn guards_hold_objects() {
    let _turn = one_at_a_time();
    read_diary();
    let staged = Staged::allocate();
    let handle = staged.handle();
    let guard = handle.guard().unwrap();
    drop(staged);
    assert_eq!(read_diary().pop(), Some("constructor"), "not finalized yet");
    assert!(!handle.is_allocated() && handle.guard().is_none());
    let lives = thread::spawn(move || guard.lives).join().unwrap();
    assert!(lives >= 1);
    assert_eq!(read_diary(), ["finalizer"]);
}

// Any.

#[test]
fn anything_can_be_owned_and_told_apart() {
    let _turn = one_at_a_time();
    let plain = Plain::allocate_with(|it| it.0 = 9);
    let handle = plain.handle();
    let any = plain.into_any();
    assert_eq!(any.class(), Plain::class());
    assert!(any.is::<Plain>() && !any.is::<Content>());
    assert_eq!(any.downcast_ref::<Plain>().unwrap().0, 9);
    assert!(any.downcast_ref::<Content>().is_none());
    assert_eq!(any.handle(), handle.as_any());
    assert_eq!(any.handle().downcast::<Plain>(), Some(handle));
    assert_eq!(any.handle().downcast::<Content>(), None);
    assert_eq!(any.life_version(), handle.life());
    let other = any.clone();
    assert_eq!((any.owners(), other.owners()), (2, 2));
    let any = any.downcast::<Content>().unwrap_err();
    let plain = any.downcast::<Plain>().unwrap();
    assert_eq!(plain.0, 9);
    drop(plain);
    assert!(handle.is_allocated());
    thread::spawn(move || drop(other)).join().unwrap();
    assert!(!handle.is_allocated());
    let many: Vec<AnyOwned> = vec![Content::allocate().into(), Plain::allocate().into()];
    drop(many);
    wait_until_none_is_alive::<Plain>();
    wait_until_none_is_alive::<Content>();
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
    let _turn = one_at_a_time();
    drop(Frail::allocate());
    let owned = Frail::allocate();
    let handle = owned.handle();
    FRAIL.store(true, SeqCst);
    let panic = catch_unwind(Frail::allocate).unwrap_err();
    assert_eq!(message(&*panic), "frail constructor");
    let panic =
        catch_unwind(AssertUnwindSafe(|| owned.into_any())).map(|any| catch_unwind(AssertUnwindSafe(|| drop(any))));
    assert_eq!(message(&*panic.unwrap().unwrap_err()), "frail finalizer");
    FRAIL.store(false, SeqCst);
    assert!(!handle.is_allocated());
    let stats = Frail::class().stats();
    assert_eq!(stats.live, 0, "{stats:?}");
    let two = (Frail::allocate(), Frail::allocate());
    assert_ne!(two.0.index(), two.1.index());
    let init = catch_unwind(|| Frail::pool().try_allocate_with(|_| panic!("frail init"))).unwrap_err();
    assert_eq!(message(&*init), "frail init");
    assert_eq!(Frail::class().stats().live, 2);
}

static STATIC_FAILURES: AtomicU32 = AtomicU32::new(0);

#[derive(Debug, Default)]
struct Late;
impl Object for Late {
    class!(Late, "Proto.Late");
    fn static_constructor() {
        // The first two calls fail, on any thread.
        thread::sleep(Duration::from_millis(5));
        assert!(STATIC_FAILURES.fetch_add(1, SeqCst) >= 2, "too early");
    }
}

#[test]
fn a_static_constructor_that_panics_has_not_run() {
    let _turn = one_at_a_time();
    let start = Barrier::new(6);
    let failed = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                start.wait();
                if let Err(panic) = catch_unwind(Late::allocate) {
                    assert_eq!(message(&*panic), "too early");
                    failed.fetch_add(1, SeqCst);
                }
            });
        }
    });
    assert_eq!(
        failed.load(SeqCst),
        2,
        "two were told, and the others waited for a run that succeeded"
    );
    assert_eq!(STATIC_FAILURES.load(SeqCst), 3);
    assert!(Late::class().is_constructed());
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
    let _turn = one_at_a_time();
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for n in 0..8 {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                match n % 4 {
                    0 => drop(Raced::allocate()),
                    1 => drop(load_class("Proto.Raced").unwrap().allocate().unwrap()),
                    2 => drop(Raced::pool().reserve()),
                    _ => Raced::class().construct(),
                }
                assert!(RACED_DONE.load(SeqCst), "a thread went on before the constructor's end");
            });
        }
    });
    assert_eq!(RACED.load(SeqCst), 1);
}

static BOTH: Barrier = Barrier::new(2);

#[derive(Default)]
struct Chicken;
impl Object for Chicken {
    class!(Chicken, "Proto.Chicken");
    fn static_constructor() {
        BOTH.wait();
        drop(Egg::allocate());
    }
}
#[derive(Default)]
struct Egg;
impl Object for Egg {
    class!(Egg, "Proto.Egg");
    fn static_constructor() {
        BOTH.wait();
        drop(Chicken::allocate());
    }
}

#[test]
fn static_constructors_that_need_each_other_do_not_deadlock() {
    let _turn = one_at_a_time();
    thread::scope(|scope| {
        scope.spawn(|| drop(Chicken::allocate()));
        scope.spawn(|| drop(Egg::allocate()));
    });
    assert!(Chicken::class().is_constructed() && Egg::class().is_constructed());
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
    let _turn = one_at_a_time();
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

/// Shuts down while it is made, and while it begins a life.
struct Restart(Vec<u32>);
impl Default for Restart {
    fn default() -> Self {
        assert!(shutdown());
        Self(Vec::new())
    }
}
impl Object for Restart {
    class!(Restart, "Proto.Restart");
    fn constructor(&mut self) {
        assert!(shutdown());
        self.0.clear();
    }
    fn static_constructor() {
        note("+restart");
    }
    fn static_finalizer() {
        note("-restart");
    }
}

#[test]
fn shutdown_while_an_object_is_made() {
    let _turn = one_at_a_time();
    shutdown();
    read_diary();
    for life in 0..3 {
        let restart = Restart::allocate_with(|it| it.0.push(life));
        // In the middle of a life's beginning, the class is finalized as at any other time; the object is not affected.
        assert_eq!(read_diary(), ["+restart", "-restart"]);
        assert_eq!((&restart.0[..], Restart::class().stats().live), (&[life][..], 1));
        let handle = restart.handle();
        assert!(handle.is_allocated());
        drop(restart);
        assert_eq!((handle.is_allocated(), Restart::class().stats().live), (false, 0));
    }
    // It came back to its pool after the class had ended: there it waits for the next life, or for a collection.
    assert_eq!((read_diary(), Restart::class().stats().kept), (vec![], 1));
    Restart::class().collect();
    assert_eq!(Restart::class().stats().kept, 0);
}

static LAST_WORDS: AtomicU32 = AtomicU32::new(0);
/// Whether the next two classes misbehave.
static WILD: AtomicBool = AtomicBool::new(false);

#[derive(Default)]
struct Restless;
impl Object for Restless {
    class!(Restless, "Proto.Restless");
    const FINALIZER: Option<fn(&mut Self)> = Some(|_| {
        shutdown();
    });
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
    let _turn = one_at_a_time();
    shutdown();
    WILD.store(true, SeqCst);
    let restless = Restless::allocate();
    drop(Phoenix::allocate());
    let panic = catch_unwind(shutdown).unwrap_err();
    assert_eq!(message(&*panic), "restless to the end");
    assert_eq!(
        LAST_WORDS.load(SeqCst),
        202,
        "each twice, although they bring each other back for ever"
    );
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
    let _turn = one_at_a_time();
    assert_eq!(churn::<All>(200), 200);
    assert_eq!(churn::<All>(200), 200, "the second 200 are the first 200");
    assert_eq!(churn::<Some8>(20), 8);
    assert_eq!(churn::<Never>(20), 0);

    let config = Config::from_ini(
        "[AcediaCore.AcediaObjectPool]\n\
         poolSizeOverwrite=(objectClass=Limits.All,maxPoolSize=5)\n\
         poolSizeOverwrite=(objectClass=class'Limits.Some8',maxPoolSize=-1)\n\
         poolSizeOverwrite=(objectClass=zero,maxPoolSize=3)\n\
         poolSizeOverwrite=(objectClass=Limits.Never,maxPoolSize=3)\n\
         poolSizeOverwrite=(objectClass=Limits.Allo,maxPoolSize=3)\n\
         poolSizeOverwrite=(objectClass=\"Limits.Doubled\",maxPoolSize=1)\n\
         poolSizeOverwrite=(objectClass=Doubled,maxPoolSize=2)\n\
         poolSizeOverwrite=(objectClass=Common,maxPoolSize=2)\n",
    )
    .unwrap();
    let not_applied = configure(&config);
    assert_eq!(All::class().stats().kept, 5, "at once");
    assert_eq!(churn::<All>(20), 5);
    assert_eq!(churn::<Some8>(20), 20);
    assert_eq!(churn::<Zero>(20), 3);
    assert_eq!(churn::<Never>(20), 0);
    assert_eq!(
        Doubled::class().policy(),
        PoolPolicy::KeepAtMost(1),
        "the first one counts"
    );
    let told: Vec<_> = not_applied.iter().map(ToString::to_string).collect();
    assert_eq!(
        told[0],
        "line 5: `Limits.Never` is never pooled, so its limit cannot be changed"
    );
    assert_eq!(
        told[1],
        "line 6: no class is named `Limits.Allo` (did you mean `Limits.All`?)"
    );
    assert!(told[2].starts_with("line 9: `Common` is ambiguous"));
    assert_eq!(told.len(), 3);
    assert_eq!(
        (not_applied[1].class(), not_applied[1].line()),
        (Some("Limits.Allo"), Some(6))
    );

    let by_code = Config::new()
        .with("Limits.All", PoolPolicy::KeepAll)
        .with("", PoolPolicy::KeepAll);
    let not_applied = configure(&by_code);
    assert_eq!((not_applied[0].class(), not_applied[0].line()), (Some(""), None));
    assert!(not_applied[0].to_string().starts_with("the name of the class is empty"));
    assert_eq!(churn::<All>(20), 20);
}

// Collections.

#[test]
fn garbage_is_collected() {
    #[derive(Default)]
    struct Litter(Vec<u32>);
    impl Object for Litter {
        class!(Litter, "Proto.Litter");
    }
    let _turn = one_at_a_time();
    let handles: Vec<_> = (0..500)
        .map(|n| Litter::allocate_with(|it| it.0.push(n)).handle())
        .collect();
    let kept = Litter::class().stats().kept;
    assert!(kept > 0);
    Litter::class().settle();
    assert_eq!(Litter::class().stats().kept, kept);
    assert!(collect_garbage().objects >= kept);
    assert_eq!(Litter::class().stats().kept, 0);
    assert!(handles.iter().all(|handle| !handle.is_allocated()));
    let used = Litter::allocate().index();
    assert_ne!(Litter::pool().allocate_fresh().index(), used);
    assert!(Litter::pool().try_allocate_fresh().is_ok());
}
