//! In builds with debug assertions, an error names the caller's line that allocated its object, not a line inside our crates, for
//! every allocating call. A panic about a collection that this thread is changing names the call that would have waited.
#![cfg(debug_assertions)]

use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::{Mutex, PoisonError, mpsc};

use acedia::{AnyOwned, Object, Owned};
use acedia_boxes::{IntArrayBox, IntArrayRef, IntBox, IntRef, StringRef};
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_json::{self as json, Printer};
use acedia_text::{MutableText, Text};

/// Frees the object, and checks the place that the error names.
#[track_caller]
fn is_from_here<T: Object>(object: Owned<T>) {
    let object: AnyOwned = object.into();
    let handle = object.handle();
    drop(object);
    let error = handle.free().expect_err("it was freed");
    let place = error.allocated_at().expect("a build with debug assertions");
    let here = Location::caller();
    assert_eq!((place.file(), place.line()), (here.file(), here.line()), "{error}");
}

#[test]
fn the_place_is_the_callers_for_every_class_of_ours() {
    is_from_here(Text::new("a"));
    is_from_here(Text::from("a"));
    is_from_here(Text::from_colored("a"));
    is_from_here(Text::from_markup("a"));
    is_from_here(Text::from_display(7));
    is_from_here(Text::from_float(7.0, 1));
    is_from_here(MutableText::empty());
    is_from_here(MutableText::new("a"));
    is_from_here(MutableText::from("a"));
    is_from_here(IntBox::new(7));
    is_from_here(IntRef::new(7));
    is_from_here(IntArrayBox::new([7]));
    is_from_here(IntArrayRef::new([7]));
    is_from_here(ArrayList::new());
    is_from_here(ArrayList::from([7]));
    is_from_here(HashTable::new());
    is_from_here(HashTable::from([("a", 7)]));
    is_from_here(Text::pool().allocate_many(1).next().expect("one"));
}

/// The panic hook is the whole process's, so one test at a time panics.
static HOOK: Mutex<()> = Mutex::new(());

/// Panics, and checks the place that the message names. The test holds `HOOK`.
#[track_caller]
fn panics_here<R>(call: impl FnOnce() -> R) {
    let (sender, places) = mpsc::channel();
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let _ = sender.send(info.location().map(|it| (it.file().to_owned(), it.line())));
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(|| drop(call())));
    panic::set_hook(hook);
    let here = Location::caller();
    assert!(result.is_err(), "{here}");
    let places: Vec<_> = places.iter().collect();
    assert_eq!(places, [Some((here.file().to_owned(), here.line()))]);
}

#[test]
fn the_place_is_the_callers_if_it_prints_what_it_is_changing() {
    let _hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let list = ArrayList::from([7]);
    let table = HashTable::from([("a", 7)]);
    for item in [Item::from(&list), Item::from(list.handle())] {
        let inside = Item::from(ArrayList::from([ArrayList::from([item.clone()])]));
        let writer = list.write();
        panics_here(|| json::to_string(&item));
        panics_here(|| Printer::new().print(&item));
        panics_here(|| Printer::new().print_text(&item));
        panics_here(|| json::to_string(&inside));
        drop(writer);
        assert_eq!(json::to_string(&inside).as_deref(), Ok("[[[7]]]"));
    }
    for item in [Item::from(&table), Item::from(table.handle())] {
        let _writer = table.write();
        panics_here(|| json::to_string(&item));
        panics_here(|| Printer::new().pretty().sorted().print(&item));
    }
    let text = MutableText::from("a");
    for item in [Item::from(&text), Item::from(text.handle())] {
        let inside = Item::from(ArrayList::from([item.clone()]));
        let _writer = text.write();
        panics_here(|| json::to_string(&item));
        panics_here(|| json::to_string(&inside));
        panics_here(|| item.to_string());
        panics_here(|| item.to_markup());
        panics_here(|| item.with_text(ToString::to_string));
    }
    // This thread holds the write guards of all three.
    let _writers = (list.write(), table.write(), text.write());
    panics_here(|| list.read().len());
    panics_here(|| drop(table.write()));
    panics_here(|| text.read().len());
    let list = ArrayList::from([1, 2]);
    panics_here(|| _ = list.write().insert(9, "nine"));
    panics_here(|| _ = list.write().insert_none(3, 1));
    panics_here(|| _ = list.write().swap(0, 2));
}

#[test]
fn the_place_is_the_callers_in_a_closure_of_a_ref() {
    let _hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let (name, array) = (StringRef::new("a"), IntArrayRef::new([7]));
    name.update(|_| panics_here(|| name.get()));
    name.with(|_| panics_here(|| _ = name.set("b")));
    name.with(|_| panics_here(|| name.replace("b")));
    name.with(|_| panics_here(|| name.update(|_| ())));
    name.update(|_| panics_here(|| name.with(str::len)));
    array.with_mut(|_| panics_here(|| array.len()));
    array.with_mut(|_| panics_here(|| array.find(7)));
    array.with(|_| panics_here(|| _ = array.push(8)));
    array.with(|_| panics_here(|| _ = array.insert_ref(0, &array)));
    array.with(|_| panics_here(|| _ = array.sort()));
    // The message names the call whose closure runs.
    for panic in [
        panic::catch_unwind(AssertUnwindSafe(|| name.update(|_| _ = name.get()))),
        panic::catch_unwind(AssertUnwindSafe(|| name.with(|_| _ = name.set("b")))),
        panic::catch_unwind(AssertUnwindSafe(|| array.with(|_| _ = array.clear()))),
        panic::catch_unwind(AssertUnwindSafe(|| array.with_mut(|_| _ = array.to_vec()))),
    ] {
        let message = panic.unwrap_err().downcast::<String>().unwrap();
        assert!(message.contains(concat!("taken at ", file!())), "{message}");
    }
}
