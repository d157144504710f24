//! The printed forms of pools and their errors: helpful, and never made by touching an object that may be gone.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acedia::{AllocateError, Handle, Pool, Reason, pin};

use super::support::{alone, handles};

/// Notes that it is printed: an object must be, by its owner and guards only.
#[derive(Default)]
struct Shy(u64);

static PRINTED: AtomicBool = AtomicBool::new(false);

impl fmt::Debug for Shy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PRINTED.store(true, Ordering::Relaxed);
        write!(f, "Shy {}", self.0)
    }
}

fn printed() -> bool {
    PRINTED.swap(false, Ordering::Relaxed)
}

#[track_caller]
fn says(printed: impl fmt::Debug, words: &[&str]) {
    let text = format!("{printed:?}");
    assert!(words.iter().all(|word| text.contains(word)), "{words:?} in {text}");
}

#[test]
fn what_they_say() {
    let _alone = alone();
    printed();
    let pool: Arc<Pool<Shy>> = Arc::new(Pool::new());
    says(&pool, &["Shy"]);
    let owner = pool.allocate_with(|shy| shy.0 = 7);
    let handle = owner.handle();
    says(&pool, &["Shy", "live: 1"]);
    assert_eq!(
        format!("{handle:?}"),
        format!("Handle(slot {}, life {})", handle.index(), handle.life())
    );
    let reserved = pool.reserve();
    says(&reserved, &[&reserved.handle().index().to_string()]);
    drop(reserved);
    says(pin(), &["Pinned"]);
    assert!(!printed(), "none of these looks at an object");

    says(&owner, &["Shy 7"]);
    says(pool.guard(handle).unwrap(), &["Shy 7"]);
    assert!(printed());

    owner.free();
    // Of a handle that is stale, of a pool whose object is gone, and of the reason.
    let error = pool.try_get(handle, &pin()).unwrap_err();
    says((&pool, &error, error.to_string()), &["live: 0", "Freed", "was freed"]);
    let full = Pool::<Shy>::new().bounded(0).try_allocate().unwrap_err();
    assert!(matches!(full, AllocateError::Full { capacity: 0, .. }));
    says((&full, full.to_string()), &["Full", "Shy", "full"]);
    assert!((&full as &dyn Error).source().is_none());
    drop(pool);
    says(handle, &["Handle"]);
    assert!(!printed(), "dead objects are not looked at");
}

/// The places of a life outlast the slot's next one, and are never taken for those of another.
#[test]
#[cfg(debug_assertions)]
fn places_of_a_slot_that_was_used_again() {
    let _alone = alone();
    let pool: Pool<Shy> = Pool::new();
    // After several threads have read, a slot is reused only when enough others were freed.
    let again = |slot: Option<u32>| {
        let mut others = Vec::new();
        loop {
            assert!(others.len() < 10_000, "the slot never comes round");
            let owner = pool.allocate();
            if slot.is_none_or(|slot| slot == owner.index()) {
                return (owner, line!() - 2);
            }
            others.push(owner);
        }
    };
    let life = |slot: Option<u32>| {
        let (owner, line) = again(slot);
        let handle = owner.handle();
        owner.free();
        (handle, (Some(line), Some(line!() - 1)))
    };
    let places = |handle: Handle<Shy>| {
        let error = pool.try_get(handle, &pin()).unwrap_err();
        let here =
            |at: Option<&std::panic::Location>| at.filter(|at| at.file() == file!()).map(std::panic::Location::line);
        (error.reason(), here(error.allocated_at()), here(error.freed_at()))
    };
    let (first, (made, freed)) = life(None);
    let slot = Some(first.index());
    assert_eq!(places(first), (Reason::Freed, made, freed));
    // A life without a handle is not recorded.
    for _ in 0..3 {
        let (unseen, _) = again(slot);
        assert_eq!(places(first), (Reason::Freed, made, freed));
        unseen.free();
    }
    let (second, _) = life(slot);
    assert_eq!(places(first), (Reason::Reused, made, freed));
    assert_eq!(places(second), (Reason::Freed, made, freed));
    let text = pool.try_get(first, &pin()).unwrap_err().to_string();
    assert!(
        text.contains("reused since; allocated at") && text.contains("; freed at"),
        "{text}"
    );
    let _ = life(slot);
    assert_eq!(places(first), (Reason::Reused, None, None), "forgotten");
    assert_eq!(places(second), (Reason::Reused, made, freed));
    // Memory that was given back does not take them along.
    assert!(pool.collect().objects > 0);
    assert_eq!(places(second), (Reason::Reused, made, freed));
    // A free by handle names its own place, and that of an object which still has owners.
    let (line, owner) = (line!(), pool.allocate());
    let error = pool.free(owner.handle()).unwrap_err();
    assert_eq!((error.allocated_at().unwrap().line(), error.freed_at()), (line, None));
    let handle = owner.into_manual();
    let (line, _freed) = (line!(), pool.free(handle).unwrap());
    assert_eq!(places(handle).2, Some(line));
    let dropped = pool.allocate().handle();
    assert_eq!(places(dropped).2, None);
    assert!(pool.free(dropped).unwrap_err().to_string().ends_with("freed by a drop"));
}

/// Each reason has a sentence of its own, with the type, the slot and the life.
#[test]
fn sentences() {
    let _alone = alone();
    let (pool, other): (Pool<Shy>, Pool<Shy>) = (Pool::new(), Pool::new());
    let foreign = other.allocate().handle();
    let owner = pool.allocate();
    let handle = owner.handle();
    let reserved = pool.reserve();
    let made_up = Handle::from_bits(handle.to_bits() + (9 << 32)).unwrap();
    let mut errors = [foreign, made_up, reserved.handle(), handle]
        .map(|one| pool.free(one).unwrap_err())
        .to_vec();
    drop(owner);
    errors.push(pool.free(handle).unwrap_err());
    drop(reserved);
    // More than a thread takes before it looks at what it has freed.
    let owners: Vec<_> = pool.allocate_many(1000).collect();
    let now = handles(&owners).into_iter().find(|now| now.index() == handle.index());
    let error = pool.free(handle).unwrap_err();
    assert_eq!(error.current_life(), Some(now.expect("the slot comes round").life()));
    errors.push(error);
    let reasons: Vec<_> = errors.iter().map(acedia::AccessError::reason).collect();
    use Reason::{Foreign, Freed, Hidden, NeverIssued, Owned, Reused};
    assert_eq!(reasons, [Foreign, NeverIssued, Hidden, Owned, Freed, Reused]);
    let mut sentences: Vec<_> = errors.iter().map(ToString::to_string).collect();
    for (sentence, error) in sentences.iter().zip(&errors) {
        let (slot, life) = (error.bits() & u64::from(u32::MAX), error.bits() >> 32);
        says(sentence, &["Shy", &format!("slot {slot}"), &format!("life {life}")]);
    }
    sentences.sort();
    sentences.dedup();
    assert_eq!(sentences.len(), errors.len(), "{sentences:#?}");
}
