//! [`Leaks`]: the objects that are alive, by class and by the place of their allocation.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::Location;

use super::any::AnyHandle;
use crate::class::{Class, classes};

/// The living objects, grouped by class and by the place of their allocation: the result of [`leaks`] and
/// [`Class::leaks`].
///
/// In builds with debug assertions, which record the order of allocations, the groups with the oldest objects are first. In other
/// builds, and among groups of objects without a handle, the largest groups are first.
///
/// It prints as a table:
///
/// ```text
/// 3 objects are alive
/// objects  class        allocated at
///       2  Game.Rocket  src/game/weapons.rs:44:18
///       1  Game.Pawn    not recorded (no handle)
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a report does nothing by itself"]
pub struct Leaks(Vec<Leak>);

/// The living objects of one class that were allocated in one place: see [`Leaks`].
#[derive(Clone, Debug)]
pub struct Leak {
    class: &'static Class,
    place: Option<&'static Location<'static>>,
    objects: usize,
    handles: Vec<AnyHandle>,
    /// The number of the oldest object's allocation, if it is known.
    oldest: Option<u64>,
}

/// Objects that a crate of this workspace keeps for itself. They are not leaks of the program.
#[doc(hidden)]
#[derive(Debug)]
pub struct KeptObjects {
    pub class: fn() -> &'static Class,
    /// The indices of the objects' slots.
    pub indices: fn() -> Vec<u32>,
}

inventory::collect!(KeptObjects);

impl Leaks {
    /// The groups, the oldest first: see [`Leaks`].
    #[must_use]
    pub fn groups(&self) -> &[Leak] {
        &self.0
    }

    /// The number of objects in all groups.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.0.iter().map(Leak::objects).sum()
    }

    /// Whether no object is alive.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn of(classes: impl Iterator<Item = &'static Class>) -> Self {
        let mut groups: Vec<Leak> = classes.flat_map(groups_of).collect();
        groups.sort_by_key(|group| (group.oldest.is_none(), group.oldest, Reverse(group.objects)));
        Self(groups)
    }
}

/// Groups, in the order of their places.
fn groups_of(class: &'static Class) -> impl Iterator<Item = Leak> {
    let all_kept = inventory::iter::<KeptObjects>().filter(|kept| (kept.class)() == class);
    let kept: BTreeSet<u32> = all_kept.flat_map(|kept| (kept.indices)()).collect();
    let mut by_place: BTreeMap<_, Vec<(Option<u64>, AnyHandle)>> = BTreeMap::new();
    for handle in AnyHandle::living_of(class).filter(|handle| !kept.contains(&handle.index())) {
        let (place, nth) = handle.allocation().unzip();
        by_place.entry(place).or_default().push((nth, handle));
    }
    let seen: usize = by_place.values().map(Vec::len).sum();
    let live = usize::try_from(class.stats().live).unwrap_or(usize::MAX);
    let unseen = Leak {
        class,
        place: None,
        objects: live.saturating_sub(seen + kept.len()),
        handles: Vec::new(),
        oldest: None,
    };
    let seen = by_place.into_iter().map(move |(place, mut objects)| {
        objects.sort_by_key(|&(nth, _)| nth);
        Leak {
            class,
            place,
            objects: objects.len(),
            oldest: objects.first().and_then(|&(nth, _)| nth),
            handles: objects.into_iter().map(|(_, handle)| handle).collect(),
        }
    });
    seen.chain((unseen.objects > 0).then_some(unseen))
}

impl Leak {
    /// The class of the objects.
    #[must_use]
    pub fn class(&self) -> &'static Class {
        self.class
    }

    /// The source location at which the objects of this group were allocated. Known in builds with debug assertions,
    /// for objects with a handle.
    #[must_use]
    pub fn allocated_at(&self) -> Option<&'static Location<'static>> {
        self.place
    }

    /// The number of objects.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.objects
    }

    /// The handles of the objects, the oldest first in builds with debug assertions. Empty for objects that have none.
    pub fn handles(&self) -> &[AnyHandle] {
        &self.handles
    }

    fn fmt_place(&self) -> String {
        match self.place {
            Some(place) => place.to_string(),
            None if self.handles.is_empty() => "not recorded (no handle)".to_owned(),
            None => "not recorded (no debug assertions)".to_owned(),
        }
    }
}

impl fmt::Display for Leak {
    /// `2 of Game.Rocket, allocated at src/game/weapons.rs:44:18`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = if self.place.is_some() { "" } else { "a place " };
        write!(
            f,
            "{} of {}, allocated at {article}{}",
            self.objects,
            self.class,
            self.fmt_place()
        )
    }
}

impl fmt::Display for Leaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.objects() {
            0 => return f.write_str("no object is alive"),
            1 => f.write_str("1 object is alive")?,
            objects => write!(f, "{objects} objects are alive")?,
        }
        let names = self.0.iter().map(|group| group.class.name().len());
        let width = names.max().unwrap_or_default().max("class".len());
        write!(f, "\nobjects  {:width$}  allocated at", "class")?;
        for group in &self.0 {
            write!(
                f,
                "\n{:>7}  {:width$}  {}",
                group.objects,
                group.class,
                group.fmt_place()
            )?;
        }
        Ok(())
    }
}

/// The living objects of all classes, for a report at the end of a program or of a level.
///
/// ```
/// use acedia::{Object, class, leaks};
///
/// #[derive(Default)]
/// struct Rocket;
/// impl Object for Rocket {
///     class!(Rocket, "Doc.LeakedRocket");
/// }
///
/// let owner = Rocket::allocate();
/// let _handle = owner.handle(); // its place is known from now on
/// std::mem::forget(owner);
/// let report = leaks();
/// let rocket =
///     report.groups().iter().find(|group| group.class() == Rocket::class()).unwrap();
/// assert_eq!(rocket.objects(), 1);
/// let line = rocket.to_string(); // 1 of Doc.LeakedRocket, allocated at src/main.rs:10:21
/// assert!(line.starts_with("1 of Doc.LeakedRocket, allocated at "), "{line}");
/// ```
///
/// Counts every living object, including reserved ones and those that a `static` of the program owns. It leaves out the objects
/// that the crates of acedia keep for themselves: texts that only a `TextCache` or a macro such as `text!` owns, and connections of
/// signals whose receivers are dead. The numbers are exact if no other thread uses pools meanwhile.
///
/// # Cost
///
/// One load for each slot of all classes, and memory for the report.
pub fn leaks() -> Leaks {
    Leaks::of(classes().into_iter())
}

/// Panics with a report if an object of any class is alive. Call it at the end of a test.
///
/// The tests of one binary run on several threads of one process, so objects of other tests may be alive. Therefore use
/// this function in a test binary with one test, or check single classes with [`Class::leaks`]. If static constructors allocate,
/// call [`shutdown`](crate::shutdown) first.
///
/// ```
/// use acedia::{Object, assert_no_leaks, class};
///
/// #[derive(Default)]
/// struct Rocket;
/// impl Object for Rocket {
///     class!(Rocket, "Doc.FreedRocket");
/// }
///
/// let rocket = Rocket::allocate();
/// assert!(std::panic::catch_unwind(assert_no_leaks).is_err());
/// drop(rocket);
/// assert_no_leaks();
/// ```
///
/// # Panics
///
/// If an object is alive.
#[track_caller]
pub fn assert_no_leaks() {
    let leaks = leaks();
    assert!(leaks.is_empty(), "{leaks}");
}

impl Class {
    /// The living objects of this class, grouped by where they were allocated: see [`leaks`].
    ///
    /// ```
    /// # use acedia::{Object, class};
    /// # #[derive(Default)]
    /// # struct Rocket;
    /// # impl Object for Rocket { class!(Rocket, "Doc.OwnRocket"); }
    /// let rocket = Rocket::allocate();
    /// assert_eq!(Rocket::class().leaks().objects(), 1);
    /// drop(rocket);
    /// let leaks = Rocket::class().leaks();
    /// assert!(leaks.is_empty(), "{leaks}");
    /// ```
    pub fn leaks(&'static self) -> Leaks {
        Leaks::of(std::iter::once(self))
    }
}
