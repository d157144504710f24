//! Collections that several threads use, and objects that are freed meanwhile.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc;
use std::time::Duration;

use acedia::Owned;
use acedia_boxes::{IntRef, StringArrayRef};
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_json::Printer;
use acedia_text::MutableText;

#[path = "../../allocator/tests/support/mod.rs"]
mod support;

use support::Barrier;

/// One thread frees objects that another one reads: the reader sees the object or nothing, never another object. They go on until
/// the reader has seen both.
#[test]
fn things_freed_while_they_are_read() {
    let things = |round: i32| -> Vec<_> { (0..100).map(|i| IntRef::new(round * 100 + i)).collect() };
    let mut alive = things(0);
    let list = ArrayList::from(alive.iter().map(Owned::handle));
    let (done, enough) = (AtomicBool::new(false), AtomicBool::new(false));
    let (mut seen, mut missed) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in (1..).take_while(|&round| round < 2000 || !enough.load(SeqCst)) {
                alive = things(round); // frees those in the list, which may be being read
                let mut items = list.write();
                for (index, thing) in alive.iter().enumerate() {
                    items.set(index, thing.handle());
                }
            }
            done.store(true, SeqCst);
        });
        while !done.load(SeqCst) {
            for (index, item) in list.read().iter().enumerate() {
                match item.as_int() {
                    Some(value) => {
                        assert_eq!(usize::try_from(value).unwrap() % 100, index, "another one's");
                        seen += 1;
                    }
                    None => missed += 1,
                }
            }
            enough.store(seen > 0 && missed > 0, SeqCst);
        }
    });
}

/// A thread that would wait for itself panics instead.
mod alone {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use acedia::{Handle, Object, class};
    use acedia_json as json;

    use super::*;

    /// Whether it panics because the thread would wait for itself.
    fn waits_for_itself(change: impl FnOnce()) -> bool {
        let Err(panic) = catch_unwind(AssertUnwindSafe(change)) else {
            return false;
        };
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.starts_with("deadlock: this thread tries to "), "{message}");
        true
    }

    #[test]
    fn locks_inside_locks() {
        let (list, table) = (ArrayList::from([1]), HashTable::from([("a", 1)]));
        let inside: [&dyn Fn(); 6] = [
            &|| {
                list.write().push(list.read()[0].clone());
            },
            &|| {
                list.write().push(list.write().take(0));
            },
            &|| {
                let items = list.read();
                items.iter().for_each(|item| {
                    list.write().set(0, item);
                });
            },
            &|| {
                table.write().set("b", &table.read()["a"]);
            },
            &|| {
                let entries = table.read();
                assert!(entries.keys().all(|key| table.write().remove(key)));
            },
            &|| {
                let _items = list.write();
                drop(json::to_string(&Item::from(&list)));
            },
        ];
        for (case, inside) in inside.iter().enumerate() {
            assert!(waits_for_itself(inside), "case {case}");
        }
        assert_eq!((list.read().len(), table.read().len()), (1, 1));
        // Two reads, and two collections, are allowed.
        let (one, other) = (list.read(), list.read());
        table.write().set("a", &one[0]).set("b", other.len() == 1);
        drop(one);
        assert!(waits_for_itself(|| drop(list.write())), "the other is still there");
        drop(other);
        // In every order of release, all locks are released.
        list.write().push(2);
        table.write().set("c", 3);
    }

    /// Uses a list in its finalizer.
    #[derive(Default)]
    struct Mourner(Option<Handle<ArrayList>>);

    impl Object for Mourner {
        class!(Mourner, "Test.Mourner");
        const FINALIZER: Option<fn(&mut Self)> = Some(|it| {
            if let Some(list) = it.0.take() {
                list.with(|list| list.write().push("gone").len());
            }
        });
    }

    #[test]
    fn finalizers_that_use_the_list_that_releases_them() {
        let list = ArrayList::new();
        let mourner = || Mourner::allocate_with(|it| it.0 = Some(list.handle()));
        list.write().push(mourner());
        assert!(waits_for_itself(|| {
            list.write().clear();
        }));
        assert!(list.read().is_empty());
        // If it is taken out first, it is released when nothing is locked.
        list.write().push(mourner());
        let taken = list.write().take(0);
        drop(taken);
        assert_eq!(list.read().len(), 2);
    }
}

/// Texts, refs and collections are tracked together: of three threads that hold one each and want the next, one panics.
#[test]
fn a_circle_of_many_kinds() {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    let (list, text, names) = (ArrayList::new(), MutableText::empty(), StringArrayRef::new([]));
    let everybody = Barrier::new(3);
    let told = |work: &mut dyn FnMut()| {
        everybody.wait();
        let panic = catch_unwind(AssertUnwindSafe(work)).err()?;
        Some(*panic.downcast::<String>().expect("a message"))
    };
    let told: Vec<String> = std::thread::scope(|scope| {
        let work: [Box<dyn FnOnce() -> Option<String> + Send>; 3] = [
            Box::new(|| {
                let mut items = list.write();
                told(&mut || assert_eq!(items.push(text.to_string()).len(), 1))
            }),
            Box::new(|| {
                let mut text = text.write();
                told(&mut || assert!(text.append(names.get(0).unwrap_or_default()).len() < 2))
            }),
            Box::new(|| names.with_mut(|names| told(&mut || names.push(list.read().len().to_string())))),
        ];
        let threads = work.map(|work| scope.spawn(work));
        let told = threads.map(|thread| thread.join().expect("no panic"));
        told.into_iter().flatten().collect()
    });
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("whose holder waits for this thread"), "{told:?}");
    // Nothing is locked any more.
    list.write().push(names.len().to_string());
    text.write().clear();
}

/// A thread that waits for a mutable text in a collection holds no lock that the holder of the text's lock may want.
#[test]
fn printing_waits_for_texts_without_a_lock() {
    let texts = [(); 2].map(|()| MutableText::from("text"));
    let list = ArrayList::from([Item::from(&texts[0]), texts[0].handle().into()]);
    let table = HashTable::from([
        (Item::from("key"), Item::from(&texts[0])),
        ((&texts[1]).into(), 1.into()),
    ]);
    for (item, expected) in [
        (Item::from(&list), r#"["changed","changed"]"#),
        ((&table).into(), r#"{"key":"changed"}"#),
    ] {
        std::thread::scope(|scope| {
            let mut held = texts.each_ref().map(|text| text.write());
            let printed = scope.spawn(|| Printer::new().sorted().print(&item));
            // Long enough for the printer to reach the text.
            std::thread::sleep(Duration::from_millis(50));
            let (done, is_done) = mpsc::channel();
            let (list, table) = (&list, &table);
            scope.spawn(move || {
                list.write().reserve(1);
                table.write().reserve(1);
                done.send(())
            });
            let is_free = is_done.recv_timeout(Duration::from_secs(60)).is_ok();
            held[0].clear().append("changed");
            drop(held);
            assert!(is_free, "{expected} is printed under a lock");
            assert_eq!(printed.join().unwrap().unwrap(), expected);
        });
    }
}
