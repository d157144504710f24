//! Classes of plain data: known by name, configured, counted and collected as other classes are.

use std::collections::HashSet;
use std::thread;

use acedia::pool::Key;
use acedia::{
    AnyHandle, AnyOwned, Class, Config, Object, PlainHandle, PlainObject, PlainOwned, PoolPolicy, Pools, Reason,
    SecondaryMap, class, collect_garbage, configure, field, load_class,
};
use bytemuck::{AnyBitPattern, NoUninit};

#[derive(Clone, Copy, Debug, Default, PartialEq, NoUninit, AnyBitPattern, PlainObject)]
#[object(name = "Plain.Body")]
#[repr(C)]
struct Body {
    at: [f64; 2],
    mass: f64,
}

/// Without the derive, and visible from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C)]
struct Tick(u64);

impl PlainObject for Tick {
    class!(plain Tick, "Plain.Tick");
    const POOL: PoolPolicy = PoolPolicy::KeepAtMost(10);
    const VISIBLE: bool = true;
}

#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern, PlainObject)]
#[object(name = "Plain.Blip")]
#[repr(C)]
struct Blip(u64);

#[derive(Default)]
struct Stranger;
impl Object for Stranger {
    class!(Stranger, "Plain.Stranger");
}

#[test]
fn handles_give_copies_until_the_life_ends() {
    let mut body = Body {
        at: [1.0, 2.0],
        mass: 3.0,
    }
    .insert();
    let handle = body.handle();
    assert_eq!(handle.load(), Some(body.load()));
    body.update(|it| it.mass = 4.0);
    let elsewhere = thread::spawn(move || (handle.load_field(field!(Body, mass)), handle.load_within(1)));
    assert_eq!(
        elsewhere.join().unwrap(),
        (
            Some(4.0),
            Ok(Some(Body {
                at: [1.0, 2.0],
                mass: 4.0
            }))
        )
    );
    let next = {
        drop(body);
        Body::default().insert()
    };
    assert_eq!(
        (
            handle.load(),
            handle.is_allocated(),
            handle.load_field(field!(Body, at))
        ),
        (None, false, None)
    );
    let error = handle.try_load().unwrap_err();
    assert_eq!(error.reason(), Reason::Freed);
    assert!(error.to_string().starts_with("Plain.Body in slot "), "{error}");
    assert_ne!(next.handle(), handle);
    assert_eq!(size_of::<Option<PlainHandle<Body>>>(), 8);
}

#[test]
fn handles_of_strangers_lead_to_nothing() {
    let (stranger, blip) = (Stranger::allocate(), Blip(7).insert());
    for key in [stranger.handle().key(), blip.handle().key()] {
        let handle = PlainHandle::<Body>::from(key);
        assert_eq!((handle.load(), handle.is_allocated()), (None, false));
        assert!(handle.try_load().is_err() && handle.remove().is_err() && handle.reclaim().is_err());
    }
    assert_eq!(blip.handle().load(), Some(Blip(7)));
    // A handle of a class of objects, made of the bits of plain data.
    let forged = acedia::Handle::<Stranger>::from_bits(blip.key().to_bits()).unwrap();
    assert!(!forged.is_allocated() && forged.guard().is_none() && forged.with(|_| ()).is_none());
}

#[test]
fn the_class_is_known() {
    let class = Tick::class();
    assert_eq!(load_class("plain.tick"), Ok(class));
    assert_eq!((class.name(), class.object_size()), ("Plain.Tick", 8));
    assert!(class.type_name().ends_with("Tick") && class.pinned_threads().is_empty());
    let ticks: Vec<_> = (0..30).map(|n| Tick(n).insert()).collect();
    assert!(class.is_constructed() && class.stats().live >= 30);
    let seen: HashSet<_> = Tick::pool().iter().map(|(_, tick)| tick.0).collect();
    assert!((0..30).all(|n| seen.contains(&n)), "visible without a handle");
    assert!(AnyHandle::living().any(|any| any.class() == class));
    assert!(class.leaks().objects() >= 30);
    // A limit of the class, then one of a configuration.
    drop(ticks);
    assert!(class.stats().kept <= 10 && class.policy() == PoolPolicy::KeepAtMost(10));
    let config = "[AcediaCore.AcediaObjectPool]\npoolSizeOverwrite=(objectClass=Plain.Tick,maxPoolSize=3)";
    assert!(configure(&Config::from_ini(config).unwrap()).is_empty());
    assert_eq!(class.policy(), PoolPolicy::KeepAtMost(3));
    class.prewarm(2).unwrap();
    collect_garbage(Pools::Drop);
    assert_eq!(class.stats().kept, 0);
}

#[test]
fn a_limit_that_was_configured_before_the_first_use() {
    #[derive(Clone, Copy, NoUninit, AnyBitPattern, PlainObject)]
    #[object(name = "Plain.Late", pool = keep_at_most(9))]
    #[repr(C)]
    struct Late(u32);

    assert!(!Late::class().is_constructed());
    let config = "[AcediaCore.AcediaObjectPool]\npoolSizeOverwrite=(objectClass=Plain.Late,maxPoolSize=2)";
    assert!(configure(&Config::from_ini(config).unwrap()).is_empty());
    Late::class().prewarm(1).unwrap();
    assert!(Late::class().is_constructed());
    drop([Late(1).insert(), Late(2).insert(), Late(3).insert()]);
    assert_eq!(
        (Late::class().policy(), Late::class().stats().kept),
        (PoolPolicy::KeepAtMost(2), 2)
    );
}

#[test]
fn objects_of_any_class() {
    let class: &Class = Body::class();
    let zero = class.allocate().unwrap();
    let fresh = class.allocate_fresh().unwrap();
    assert!(zero != fresh && zero == zero.clone() && zero.is_same(&zero.clone()));
    assert_eq!(zero.hash_code(), zero.clone().hash_code());
    assert_eq!(zero.table_hash(), zero.clone().table_hash());
    assert!(!zero.is::<Stranger>() && zero.downcast_ref::<Stranger>().is_none());
    let any: AnyHandle = zero.handle();
    assert_eq!(AnyHandle::find(any.to_bits()), Some(any));
    assert!(any.is_equal(any) && !any.is_equal(fresh.handle()) && any.table_hash() == Some(zero.table_hash()));
    let body = PlainOwned::<Body>::try_from(zero).unwrap();
    assert_eq!((body.load(), body.handle().as_any()), (Body::default(), any));
    let refused = PlainOwned::<Blip>::try_from(fresh).unwrap_err();
    assert_eq!(refused.class(), class);
    let bits = AnyOwned::from(body).into_manual().to_bits();
    let manual = AnyHandle::find(bits).unwrap();
    drop(manual.reclaim().unwrap());
    assert!(!manual.is_allocated() && manual.free().is_err() && !manual.is_equal(manual));
    let manual = refused.into_manual();
    let key: Key = manual.key();
    assert_eq!(PlainHandle::<Body>::from(key).remove(), Ok(Body::default()));
}

#[test]
fn values_beside_plain_objects() {
    let mut names = SecondaryMap::of(Body::pool());
    let body = Body::default().insert();
    names.insert(body.key(), "earth");
    assert_eq!(names.get(body.key()), Some(&"earth"));
    let key = body.key();
    drop(body);
    assert_eq!(names.get(key), None);
}

#[test]
fn text_and_order_are_those_of_handles() {
    let (one, other) = (Body::default().insert(), Body::default().insert());
    let (one, other) = (one.handle(), other.handle());
    let key = one.key();
    assert_eq!(format!("{one}"), format!("Plain.Body in {key}"));
    assert_eq!(format!("{one:?}"), format!("PlainHandle(Plain.Body, {key})"));
    assert_eq!(format!("{one:x}").parse(), Ok(one));
    assert_eq!(one.cmp(&other), one.key().cmp(&other.key()));
    assert_eq!(HashSet::from([one, one, other]).len(), 2);
    let json = serde_json::to_string(&one).unwrap();
    assert_eq!(
        (json.as_str(), serde_json::from_str(&json).unwrap()),
        (key.to_bits().to_string().as_str(), one)
    );
    assert!(serde_json::from_str::<PlainHandle<Body>>("0").is_err());
}
