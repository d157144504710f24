//! The peers' side of the examples in the guide's chapters on coming from them (`docs/migrate-from-*.md`), compiled and run. The
//! chapters show them as they are here.
#![allow(clippy::bool_assert_comparison, reason = "the examples are their authors'")]

/// From the README of slotmap, by Orson Peters.
#[test]
fn slotmap() {
    use slotmap::{SecondaryMap, SlotMap};

    let mut sm = SlotMap::new();
    let foo = sm.insert("foo"); // Key generated on insert.
    let bar = sm.insert("bar");
    assert_eq!(sm[foo], "foo");
    assert_eq!(sm[bar], "bar");

    sm.remove(bar);
    let reuse = sm.insert("reuse"); // Space from bar reused.
    assert_eq!(sm.contains_key(bar), false); // After deletion a key stays invalid.

    let mut sec = SecondaryMap::new();
    sec.insert(foo, "noun"); // We provide the key for secondary maps.
    sec.insert(reuse, "verb");

    for (key, val) in sm {
        println!("{} is a {}", val, sec[key]);
    }
}

/// This and the next two: from the README of sharded-slab, by Eliza Weisman.
#[test]
fn sharded_slab() {
    use sharded_slab::Slab;

    let slab = Slab::new();

    let key = slab.insert("hello world").unwrap();
    assert_eq!(slab.get(key).unwrap(), "hello world");
}

#[test]
fn sharded_slab_on_two_threads() {
    use sharded_slab::Slab;
    use std::sync::Arc;

    let slab = Arc::new(Slab::new());

    let slab2 = slab.clone();
    let thread2 = std::thread::spawn(move || {
        let key = slab2.insert("hello from thread two").unwrap();
        assert_eq!(slab2.get(key).unwrap(), "hello from thread two");
        key
    });

    let key1 = slab.insert("hello from thread one").unwrap();
    assert_eq!(slab.get(key1).unwrap(), "hello from thread one");

    // Wait for thread 2 to complete.
    let key2 = thread2.join().unwrap();

    // The item inserted by thread 2 remains in the slab.
    assert_eq!(slab.get(key2).unwrap(), "hello from thread two");
}

#[test]
fn sharded_slab_of_values_that_change() {
    use sharded_slab::Slab;
    use std::sync::{Arc, Mutex};

    let slab = Arc::new(Slab::new());

    let key = slab.insert(Mutex::new(String::from("hello world"))).unwrap();

    let slab2 = slab.clone();
    let thread2 = std::thread::spawn(move || {
        let hello = slab2.get(key).expect("item missing");
        let mut hello = hello.lock().expect("mutex poisoned");
        *hello = String::from("hello everyone!");
    });

    thread2.join().unwrap();

    let hello = slab.get(key).expect("item missing");
    let mut hello = hello.lock().expect("mutex poisoned");
    assert_eq!(hello.as_str(), "hello everyone!");
    hello.clear();
}

/// Our own: generational-arena's examples have another licence.
#[test]
fn generational_arena() {
    use generational_arena::{Arena, Index};

    struct Node {
        name: &'static str,
        next: Option<Index>,
    }

    let node = |name, next| Node { name, next };
    let mut nodes = Arena::new();
    let end = nodes.insert(node("end", None));
    let middle = nodes.insert(node("middle", Some(end)));
    let start = nodes.insert(node("start", Some(middle)));
    assert_eq!(nodes[start].name, "start");

    nodes.remove(middle);
    let other = nodes.insert(node("other", Some(end))); // in the place of middle
    assert!(!nodes.contains(middle) && nodes.contains(other));

    let is_broken = |node: &Node| node.next.is_some_and(|next| !nodes.contains(next));
    let broken = nodes.iter().filter(|(_, node)| is_broken(node));
    assert_eq!(broken.map(|(_, node)| node.name).collect::<Vec<_>>(), ["start"]);

    nodes[start].next = Some(other);
    let mut at = Some(start);
    let mut path = Vec::new();
    while let Some(node) = at.and_then(|index| nodes.get(index)) {
        path.push(node.name);
        at = node.next;
    }
    assert_eq!(path, ["start", "other", "end"]);

    nodes.retain(|_, node| node.next.is_some());
    assert_eq!(nodes.len(), 2);
}

/// The lines of a text without indentation.
fn flat(text: &str) -> String {
    text.lines().map(|line| line.trim().to_owned() + "\n").collect()
}

#[test]
fn the_chapters_show_these_examples() {
    let here = flat(include_str!("migrations.rs"));
    let chapters = [
        include_str!("../../docs/migrate-from-slotmap.md"),
        include_str!("../../docs/migrate-from-sharded-slab.md"),
        include_str!("../../docs/migrate-from-generational-arena.md"),
    ];
    let mut seen = 0;
    for chapter in chapters {
        for rest in chapter.split("```rust,ignore\n").skip(1) {
            let example = rest.split("```").next().unwrap();
            assert!(here.contains(&flat(example)), "not in this file:\n{example}");
            seen += 1;
        }
    }
    assert_eq!(seen, 5);
}
