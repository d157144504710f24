//! In builds with debug assertions, an error says where its object was allocated: there, and not in one of our crates, whichever
//! call made it.
#![cfg(debug_assertions)]

use acedia::boxes::{IntArrayBox, IntArrayRef, IntBox, IntRef};
use acedia::collections::{ArrayList, HashTable};
use acedia::text::{MutableText, Text};
use acedia::{AnyOwned, Object, Owned};

/// Frees the object, and looks where it is said to come from.
#[track_caller]
fn is_from_here<T: Object>(object: Owned<T>) {
    let object: AnyOwned = object.into();
    let handle = object.handle();
    drop(object);
    let error = handle.free().expect_err("it was freed");
    let place = error.allocated_at().expect("a build with debug assertions");
    let here = std::panic::Location::caller();
    assert_eq!((place.file(), place.line()), (here.file(), here.line()), "{error}");
}

#[test]
fn the_place_is_the_callers_for_every_class_of_ours() {
    is_from_here(Text::from("a"));
    is_from_here(Text::from_colored("a"));
    is_from_here(Text::from_markup("a"));
    is_from_here(Text::from_display(7));
    is_from_here(Text::from_float(7.0, 1));
    is_from_here(MutableText::new());
    is_from_here(MutableText::from("a"));
    is_from_here(IntBox::new(7));
    is_from_here(IntRef::new(7));
    is_from_here(IntArrayBox::new([7]));
    is_from_here(IntArrayRef::new([7]));
    is_from_here(ArrayList::new());
    is_from_here(ArrayList::from([7]));
    is_from_here(HashTable::new());
    is_from_here(HashTable::from([("a", 7)]));
}
