//! Handles to trait objects.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use acedia::pool::GuardsOnly;
use acedia::{AnyHandle, DynHandle, Handle, Object, allocate, casts, class, pin};

trait Area: Send + Sync {
    fn area(&self) -> f32;
    fn grow(&self) {}
}

#[derive(Default)]
struct Square(f32);
impl Object for Square {
    class!(Square, "Dynamic.Square");
}
impl Area for Square {
    fn area(&self) -> f32 {
        self.0 * self.0
    }
}

/// Read by guards only.
#[derive(Default)]
struct Counter(AtomicU32);
impl Object for Counter {
    class!(Counter, "Dynamic.Counter", readers = GuardsOnly);
}
impl Area for Counter {
    fn area(&self) -> f32 {
        f32::from(u16::try_from(self.0.load(Ordering::Relaxed)).unwrap())
    }
    fn grow(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Stone;
impl Object for Stone {
    class!(Stone, "Dynamic.Stone");
}

casts! {
    Square => dyn Area;
    Counter => dyn Area;
}

#[test]
fn each_class_answers_by_its_own_method() {
    let (square, counter) = (Square::allocate_with(|it| it.0 = 3.0), allocate::<Counter>());
    let shapes: [DynHandle<dyn Area>; 2] = [square.handle().into(), counter.handle().into()];
    for shape in shapes {
        assert_eq!(shape.with(Area::grow), Some(()));
    }
    assert_eq!(shapes.map(|shape| shape.with(Area::area)), [Some(9.0), Some(1.0)]);
    assert_eq!(shapes[0].downcast(), Some(square.handle()));
    assert_eq!(shapes[0].downcast::<Counter>(), None);
    // A pin delays no class that is read by guards only, and disturbs no other.
    let pinned = pin();
    drop(counter);
    drop(pinned);
    assert_eq!(shapes.map(DynHandle::is_allocated), [true, false]);
    drop(square);
    assert_eq!(shapes.map(|shape| shape.with(Area::area)), [None, None]);
}

#[test]
fn from_a_class_that_is_known_at_run_time_only() {
    let (square, stone) = (Square::allocate_with(|it| it.0 = 2.0), allocate::<Stone>());
    let any: [AnyHandle; 2] = [square.handle().as_any(), stone.handle().as_any()];
    let areas = any.map(|it| it.as_dyn::<dyn Area>().and_then(|it| it.with(Area::area)));
    assert_eq!(areas, [Some(4.0), None]);
    assert_eq!(any[0].as_dyn::<u8>(), None);
    let owned = square.into_any();
    assert!(owned.handle().as_dyn::<dyn Area>().is_some());
    assert_eq!(owned.as_dyn::<dyn Area>().map(Area::area), Some(4.0));
    let (stone, counter) = (
        stone.into_any(),
        Counter::allocate_with(|it| *it.0.get_mut() = 7).into_any(),
    );
    assert!(stone.as_dyn::<dyn Area>().is_none() && owned.as_dyn::<u8>().is_none());
    assert_eq!(counter.as_dyn::<dyn Area>().map(Area::area), Some(7.0));
    // The stale handle keeps its class, and its cast.
    drop(owned);
    assert_eq!(any[0].as_dyn::<dyn Area>().unwrap().with(Area::area), None);
}

#[test]
fn equal_if_they_name_the_same_life() {
    let square = Square::allocate();
    let one: DynHandle<dyn Area> = square.handle().into();
    let two = one.as_any().as_dyn::<dyn Area>().unwrap();
    assert_eq!(one, two);
    assert_eq!(HashSet::from([one, two]).len(), 1);
    drop(square);
    let next: DynHandle<dyn Area> = Square::allocate().handle().into();
    assert_ne!(one, next);
}

#[test]
fn a_panic_of_the_reader_passes() {
    let square = Square::allocate_with(|it| it.0 = 1.0);
    let handle: DynHandle<dyn Area> = square.handle().into();
    let caught = std::panic::catch_unwind(|| handle.with(|_| panic!("by the reader")));
    assert!(caught.is_err());
    assert_eq!(handle.with(Area::area), Some(1.0));
}

/// A class whose lives are visible from the beginning.
#[derive(Default)]
struct Scope(u32);

impl Object for Scope {
    class!(Scope, "Test.VisibleScope");
    const VISIBLE: bool = true;
}

/// Objects of which no handle was made: the iterators over the living skip them, unless the class is `VISIBLE`.
#[test]
fn the_living_without_a_handle() {
    #[derive(Default)]
    struct Hidden;
    impl Object for Hidden {
        class!(Hidden, "Test.HiddenScope");
    }
    let hidden: Vec<_> = (0..3).map(|_| Hidden::allocate()).collect();
    assert_eq!(
        (Hidden::class().stats().live, Handle::<Hidden>::living().count()),
        (3, 0)
    );
    drop(hidden);
    // The second turn has recycled objects.
    for _ in 0..2 {
        let scopes: Vec<_> = (1..4).map(|n| Scope::allocate_with(|scope| scope.0 = n)).collect();
        let found = || {
            Handle::<Scope>::living()
                .filter_map(|scope| scope.with(|it| it.0))
                .sum::<u32>()
        };
        assert_eq!((Scope::class().stats().live, found()), (3, 6));
        let any = AnyHandle::living().filter(|any| any.is::<Scope>());
        assert_eq!(
            (any.count(), thread::scope(|scope| scope.spawn(found).join().unwrap())),
            (3, 6)
        );
        drop(scopes);
        assert_eq!(found(), 0);
    }
    let mut alone = Scope::allocate();
    assert!(alone.get_mut().is_none(), "another thread may read it");
}
