//! If no handler does anything, the difference between before and after tells which events must happen.

use std::collections::{BTreeMap, BTreeSet};

use acedia_actors::{ActorRef, Cylinder, Level, Name, Rules, Stage, Vector};

/// Classes, and their first states.
const FIRST_STATES: [(&str, &str); 4] = [
    ("Thing", "Idle"),
    ("Crew", "Ready"),
    ("Clock", "Idle"),
    ("Cuckoo", "Idle"),
];

/// Everything in a level that events report, by names.
pub(crate) type View = BTreeMap<String, Seen>;

/// An actor.
pub(crate) struct Seen {
    place: (Cylinder, Vector),
    collides: bool,
    blocks: bool,
    state: Name,
    owner: Option<String>,
    base: Option<String>,
    zone: Option<String>,
    volume: Option<String>,
    touching: BTreeSet<String>,
}

pub(crate) fn look(level: &Level) -> View {
    let names: BTreeMap<_, _> = level
        .actors()
        .map(|actor| (level.name(actor).unwrap(), actor))
        .collect();
    let name = |actor: ActorRef| level.name(actor).unwrap();
    let seen = |actor: ActorRef| {
        let properties = level.properties(actor).unwrap();
        Seen {
            place: (properties.shape, level.location(actor).unwrap()),
            collides: properties.collide_actors,
            blocks: properties.block_actors,
            state: level.state(actor),
            owner: level.owner(actor).map(name),
            base: level.base(actor).map(name),
            zone: level.zone(actor).map(name),
            volume: level.volume(actor).map(name),
            touching: names
                .iter()
                .filter(|(_, other)| level.is_touching(actor, **other))
                .map(|(name, _)| name.clone())
                .collect(),
        }
    };
    names.iter().map(|(name, actor)| (name.clone(), seen(*actor))).collect()
}

/// Checks that the events of one operation report all its changes, and that it made all that it must.
pub(crate) fn compare(before: &View, after: &View, rules: &Rules, recent: &BTreeSet<(&'static str, String, String)>) {
    let happened = |event: &'static str, on: &str, about: &str| {
        assert!(
            recent.contains(&(event, on.to_owned(), about.to_owned())),
            "{on} misses {event}({about})"
        );
    };
    let (info, default_volume) = first_of_level(after);
    for (name, now) in after {
        let was = before.get(name);
        let owner = was.and_then(|was| was.owner.as_deref());
        let owner_lives = owner.is_some_and(|owner| after.contains_key(owner));
        if now.owner.as_deref() != owner.filter(|_| owner_lives) {
            if let Some(owner) = owner.filter(|_| owner_lives) {
                happened("LostChild", owner, name);
            }
            if let Some(owner) = &now.owner {
                happened("GainedChild", owner, name);
            }
        }
        let moved = was.is_none_or(|was| was.place != now.place);
        if !moved {
            continue;
        }
        let first_state = FIRST_STATES.iter().find(|(class, _)| name.starts_with(class));
        if let Some((_, state)) = first_state.filter(|_| was.is_none()) {
            assert_eq!(now.state, Name::new(state), "the first state of {name}");
        }
        let finds_base = was.is_none() && name.starts_with("Crew");
        assert!(!finds_base || now.base.is_some(), "{name} stands on nothing");
        // The box of `furnished`.
        let at = now.place.1;
        let inside = at.x.abs() <= 10.0 && at.y.abs() <= 10.0;
        let is = |actor: &Option<String>, class| actor.as_deref().is_some_and(|it| it.starts_with(class));
        assert!(!rules.zones || is(&now.zone, "Zone") == inside, "the zone of {name}");
        assert!(
            !rules.volumes || is(&now.volume, "Volume") == inside,
            "the volume of {name}"
        );
        let old = was.map_or(info, |was| was.zone.as_deref());
        if let (Some(old), Some(new)) = (old, now.zone.as_deref()) {
            if old != new {
                happened("ActorLeaving", old, name);
                happened("ZoneChange", name, new);
                happened("ActorEntered", new, name);
            }
        }
        let old = was.map_or(default_volume, |was| was.volume.as_deref());
        if let Some(new) = now.volume.as_deref().filter(|new| inside && old != Some(*new)) {
            happened("PhysicsVolumeChange", name, new);
            if name.starts_with("Soldier") {
                happened("PawnEnteredVolume", new, name);
                happened("HeadVolumeChange", name, new);
            } else {
                happened("ActorEnteredVolume", new, name);
            }
        }
        let nobody = BTreeSet::new();
        let old_contacts = was.map_or(&nobody, |was| &was.touching);
        for other in old_contacts
            .difference(&now.touching)
            .filter(|it| after.contains_key(*it))
        {
            happened("UnTouch", name, other);
            happened("UnTouch", other, name);
        }
        for other in now.touching.difference(old_contacts) {
            happened("Touch", name, other);
            happened("Touch", other, name);
        }
        for (other, it) in after
            .iter()
            .filter(|(other, it)| *other != name && it.collides && now.collides)
        {
            let ((shape, at), (its_shape, there)) = (now.place, it.place);
            if !shape.overlaps(at, its_shape, there) {
                continue;
            }
            if !(now.blocks && it.blocks) {
                let full = |it: &Seen| rules.touch_limit.is_some_and(|limit| it.touching.len() >= limit);
                let touches = now.touching.contains(other);
                assert!(touches || full(now) || full(it), "{name} does not touch {other}");
            } else if was.is_none() {
                // Only a new actor encroaches; one that is moved onto another does not.
                happened("EncroachingOn", name, other);
                happened("EncroachedBy", other, name);
            }
        }
    }
    for (name, was) in before.iter().filter(|(name, _)| !after.contains_key(*name)) {
        if let Some(owner) = was.owner.as_ref().filter(|it| after.contains_key(*it)) {
            happened("LostChild", owner, name);
        }
        for other in was.touching.iter().filter(|it| after.contains_key(*it)) {
            happened("UnTouch", other, name);
        }
    }
}

/// The level's own actor and its own volume.
fn first_of_level(view: &View) -> (Option<&str>, Option<&str>) {
    let find = |name: &str| view.keys().map(String::as_str).find(|it| it.starts_with(name));
    (find("LevelInfo").or_else(|| find("WorldInfo")), find("PhysicsVolume"))
}
