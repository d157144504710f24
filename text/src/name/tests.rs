use std::collections::HashMap;
use std::sync::Barrier;
use std::thread;

use acedia::{Object, pin};
use parking_lot::Mutex;
use proptest::prelude::*;

use super::entry::Entry;
use super::*;
use crate::{BaseText, Color, Format, Text};

#[test]
fn a_name_ends_with_its_last_owner_and_never_comes_back() {
    let mut ended = Vec::new();
    for round in 0..100 {
        let (first, second) = (NameOwner::new("ends"), NameOwner::new("ends"));
        let name = first.name();
        assert!(first == second && first.owners() == 2 && second == name);
        assert!(!ended.contains(&name), "round {round}");
        drop(first);
        assert_eq!(
            (name.with(str::to_owned).as_deref(), Name::find("ends")),
            (Some("ends"), Some(name))
        );
        drop(second);
        assert_eq!(
            (name.get(&pin()), Name::find("ends"), name.is_alive()),
            (None, None, false)
        );
        ended.push(name);
    }
    let _later = NameOwner::new("ends");
    assert!(ended.iter().all(|name| name.owner().is_none()));
}

#[test]
fn a_pin_reads_a_name_that_ends() {
    let owner = NameOwner::new("pinned name");
    let (name, pinned) = (owner.name(), pin());
    let text = name.get(&pinned);
    drop(owner);
    assert_eq!(
        (text, name.get(&pinned), Name::find("pinned name")),
        (Some("pinned name"), None, None)
    );
    let again = NameOwner::new("pinned name");
    assert!(again != name && text == Some("pinned name"));
}

#[test]
fn equal_contents_of_every_kind_are_one_name() {
    let mut wide = BaseText::from("ä");
    wide.append("ß☕").set_format(.., Format::from(Color::rgb(1, 2, 3)));
    let owner = NameOwner::new("äß☕");
    let others = [
        NameOwner::new(&wide),
        NameOwner::new(Text::new(&wide)),
        NameOwner::new(&owner),
        "äß☕".into(),
    ];
    assert!(others.iter().all(|other| *other == owner));
    assert_eq!((Name::find(&wide), owner.owners()), (Some(owner.name()), 5));
    assert_eq!(NameOwner::new('ä'), "ä");
    assert_eq!("äß☕".parse(), Ok(owner.clone()));
    assert!(NameOwner::new("").is_empty() && Name::find("").is_none());
    // Case counts.
    assert!(NameOwner::new("Äß☕") != owner);
}

#[test]
fn names_as_keys_of_tables() {
    let owners = ["one", "two", "three"].map(NameOwner::new);
    let numbers: HashMap<Name, usize> = owners.iter().map(Name::from).zip(1..).collect();
    assert_eq!(numbers.get(&NameOwner::new("two").name()), Some(&2));
    let mut sorted = owners.clone();
    sorted.sort();
    assert!(sorted.iter().map(|name| &**name).eq(["one", "three", "two"]));
}

#[test]
fn a_leaked_name_stays() {
    let name = NameOwner::new("leaked name").leak();
    drop(name.owner());
    assert_eq!(NameOwner::new("leaked name"), name);
}

#[test]
fn a_long_name_leaves_no_memory_in_its_slot() {
    let long = "x".repeat(1 << 20);
    for _ in 0..4 {
        drop(NameOwner::new(long.as_str()));
        let short = NameOwner::new("after a long name");
        assert!(short.entry_capacity() <= 1 << 11);
    }
}

impl NameOwner {
    fn entry_capacity(&self) -> usize {
        let name = Name::from(self);
        name.0.with(|entry: &Entry| entry.text.capacity()).unwrap_or(usize::MAX)
    }
}

proptest! {
    /// Owners come and go at random. The names in use are those of a table of counts.
    #[test]
    fn the_names_in_use_are_those_with_owners(steps in prop::collection::vec((0..4_u8, 0..5_usize, 0..8_usize), 0..60)) {
        const TEXTS: [&str; 5] = ["model a", "model b", "a model's longer name", "mödel", "model☕"];
        let mut owners: Vec<NameOwner> = Vec::new();
        let mut seen: Vec<(usize, Name)> = Vec::new();
        let mut current: HashMap<usize, Name> = HashMap::new();
        for (step, text, which) in steps {
            match step {
                0 => owners.push(NameOwner::new(TEXTS[text])),
                1 if which < owners.len() => drop(owners.swap_remove(which)),
                2 if which < owners.len() => owners.push(owners[which].clone()),
                3 if which < seen.len() => owners.extend(seen[which].1.owner()),
                _ => {}
            }
            for (index, text) in TEXTS.iter().enumerate() {
                let mine: Vec<_> = owners.iter().filter(|owner| *owner == text).collect();
                let found = Name::find(*text);
                prop_assert_eq!(found.is_some(), !mine.is_empty());
                prop_assert!(mine.iter().all(|owner| Some(owner.name()) == found && owner.owners() == mine.len()));
                match (current.get(&index).copied(), found) {
                    // The same life goes on.
                    (Some(before), Some(now)) => prop_assert_eq!(before, now),
                    (None, Some(now)) => {
                        prop_assert!(seen.iter().all(|(_, old)| *old != now), "a name came back");
                        seen.push((index, now));
                        current.insert(index, now);
                    }
                    (_, None) => drop(current.remove(&index)),
                }
            }
            for (index, name) in &seen {
                let text = name.with(str::to_owned);
                let lives = current.get(index) == Some(name);
                prop_assert_eq!(text.as_deref(), lives.then_some(TEXTS[*index]));
            }
        }
    }
}

/// The last owner is dropped on one thread while others intern the same text: the text never has two living names.
#[test]
fn threads_never_see_two_names_of_one_text() {
    const THREADS: usize = 4;
    const TIMES: usize = if cfg!(miri) { 50 } else { 20_000 };
    let start = Barrier::new(THREADS);
    // The last names of each thread.
    let seen: [Mutex<Option<Name>>; THREADS] = [const { Mutex::new(None) }; THREADS];
    let changes: usize = thread::scope(|scope| {
        let threads: Vec<_> = seen
            .iter()
            .map(|mine| {
                scope.spawn(|| {
                    start.wait();
                    let mut changes = 0;
                    for _ in 0..TIMES {
                        let one = NameOwner::new("contended name");
                        let name = one.name();
                        // Every other name of this text that was ever seen has ended before this one began.
                        let others = seen.each_ref().map(|name| *name.lock());
                        let two = others.iter().flatten().any(|other| *other != name && other.is_alive());
                        assert!(!two && Name::find("contended name") == Some(name));
                        changes += usize::from(mine.lock().replace(name) != Some(name));
                        let other = NameOwner::new("contended name");
                        assert!(one == other);
                        drop(one);
                        let held = name.owner().expect("in use");
                        drop(other);
                        assert!(name.is_alive() && held == "contended name");
                    }
                    changes
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    assert!(changes > THREADS, "names ended and began during the test: {changes}");
    assert!(Name::find("contended name").is_none());
    assert_eq!(Entry::class().name(), "AcediaCore.Name");
}
