//! The contract of all texts: equal texts have equal hashes, and no life shows anything of the one before.

use std::borrow::Borrow;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::hash::{Hash, Hasher};

use acedia::{AnyOwned, Object, Owned, load_class, pin};
use acedia_text::{
    BaseText, CachedText, Color, Format, IntoText, Matching, MutableText, Text, colored, formatted, key_hash, text,
};
use proptest::prelude::*;

const RED: Format = Format::colored(Color::rgb(255, 0, 0));

fn text_of(text: &impl AsRef<str>) -> &str {
    text.as_ref()
}

fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Few letters of every width, so that equal texts are common.
fn strings() -> impl Strategy<Value = String> {
    "[ab][ab]?|[abé][aé]?|[é☕]{0,2}|[a😀]{0,2}|"
}

proptest! {
    #[test]
    fn equal_texts_have_equal_hashes(a in strings(), b in strings(), colored in any::<bool>()) {
        let (left, mut right) = (Text::new(&a), BaseText::from(&*b));
        if colored {
            right.set_format(.., RED);
        }
        let right = right.into_text();
        prop_assert!(left.is_equal(&left) && right.is_equal(&right.clone()));
        prop_assert_eq!(left.is_equal(&right), a == b, "formats don't count");
        prop_assert_eq!(left.is_equal(&right), right.is_equal(&left));
        prop_assert_eq!(left.compare(&right, Matching::EXACT), a == b);
        prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        let any = (AnyOwned::from(left.clone()), AnyOwned::from(right.clone()));
        prop_assert_eq!(any.0.is_equal(&any.1), a == b);
        if a == b {
            prop_assert_eq!(left.hash_code(), right.hash_code());
            prop_assert_eq!(any.0.hash_code(), left.hash_code());
            prop_assert_eq!(left.key_hash(), right.key_hash());
            prop_assert_eq!(key_hash(&*a), right.key_hash());
            prop_assert_eq!(hash_of(&**left), hash_of(&**right));
        }
    }

    /// The traits of `std` agree with each other and with the string's, however the text is stored.
    #[test]
    fn texts_are_strings_to_std(a in strings(), b in strings()) {
        // Stored as a string, by codes, and in its own object.
        let mut by_codes = BaseText::new();
        by_codes.extend(a.chars());
        let values = [BaseText::from(&*a), by_codes.clone(), (**by_codes.clone().into_text()).clone()];
        for value in &values {
            prop_assert_eq!(value.as_ref(), &*a);
            prop_assert_eq!(Borrow::<str>::borrow(value), &*a);
            prop_assert_eq!(hash_of(value), hash_of(&*a));
            prop_assert_eq!(value.cmp(&BaseText::from(&*b)), a.cmp(&b));
            // The string is not an earlier text's.
            let mut changed = value.clone();
            changed.append(&*b);
            prop_assert_eq!(changed.as_ref(), a.clone() + &b);
        }
        let (left, right): (Owned<Text>, Owned<Text>) = (by_codes.into_text(), b.parse().unwrap());
        prop_assert_eq!(left.as_ref(), &*a);
        prop_assert_eq!(text_of(&left), &*a);
        prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        prop_assert_eq!((*left).partial_cmp(&*right), a.partial_cmp(&b));
        prop_assert_eq!(hash_of(&left), hash_of(&*left));
        let hashed = HashSet::from([left.clone()]);
        prop_assert_eq!((hashed.contains(&*left), hashed.contains(&*right)), (true, a == b));
        let sorted = BTreeSet::from([left.clone(), right.clone()]);
        prop_assert_eq!((sorted.contains(&*right), sorted.len()), (true, if a == b { 1 } else { 2 }));
        prop_assert!(Owned::<Text>::default().is_empty() && left >= Owned::default());
    }

    #[test]
    fn printed_and_read_again(a in any::<String>(), from in 0..9usize, to in 0..9usize) {
        let text = Text::new(&a);
        prop_assert_eq!(text.to_string(), &a[..]);
        prop_assert_eq!(format!("{text:?}"), format!("{a:?}"));
        prop_assert_eq!(format!("{text:>12.3}"), format!("{a:>12.3}"));
        prop_assert_eq!(a.parse::<BaseText>().map(|parsed| parsed == **text), Ok(true));
        let part: String = a.chars().take(to).skip(from).collect();
        prop_assert_eq!(text.to_text(from..to).into_string(), part);
    }
}

#[test]
fn texts_and_mutable_texts_are_never_equal() {
    let (text, mutable) = (AnyOwned::from(Text::new("a")), AnyOwned::from(MutableText::new("a")));
    assert!(!text.is_equal(&mutable) && !mutable.is_equal(&text));
}

/// Chosen texts cannot flood a table of `std`.
#[test]
fn equal_hash_codes_do_not_collide_in_tables() {
    let (one, other) = (Text::new("AaAa"), Text::new("B@B@"));
    assert_eq!(one.hash_code(), other.hash_code());
    assert_ne!(hash_of(&one), hash_of(&other));
    assert_eq!(hash_of(&one), hash_of(&one.into_any()));
}

#[test]
fn a_mutable_text_is_equal_to_itself_alone() {
    let (one, other) = (MutableText::new("a"), MutableText::new("a"));
    assert!(one == one.clone() && one != other);
    assert!(one.compare(&*other.read(), Matching::FORMATTED));
    let before = one.hash_code();
    one.write().append("b");
    assert_eq!(one.hash_code(), before);
    assert_eq!(other.to_string(), "a");
}

/// The text in the next life of the slot `index`, which was just freed. Readers in other tests may delay it.
fn allocated_in(index: u32) -> Owned<Text> {
    let mut others = Vec::new();
    loop {
        let next = Text::allocate();
        if next.index() == index {
            return next;
        }
        others.push(next);
        assert!(others.len() < 100_000, "the slot is not used again");
    }
}

#[test]
fn a_life_shows_nothing_of_the_one_before() {
    for content in ["short", "größer", "😀", &"long ".repeat(2000)] {
        let first = BaseText::from_markup(&format!("{{$red {content}}}")).into_text();
        let (index, handle) = (first.index(), first.handle());
        let hashes = (first.hash_code(), first.key_hash());
        drop(first);
        let second = allocated_in(index);
        assert!(handle.get(&pin()).is_none());
        assert!(second.is_empty() && second.characters().next().is_none());
        assert_eq!((second.as_str(), second.format_at(0)), ("", Format::PLAIN));
        assert_eq!(second.hash_code(), 5381);
        assert_ne!((second.hash_code(), second.key_hash()), hashes);

        let first = MutableText::from_markup(&format!("{{$red {content}}}"));
        let index = first.index();
        drop(first);
        let second = MutableText::empty();
        assert_eq!(second.index(), index, "the same object");
        second.write().append("x");
        assert_eq!(
            (second.to_string(), second.read().format_at(0)),
            ("x".to_owned(), Format::PLAIN)
        );
    }
}

#[test]
fn a_plain_life_after_a_colored_one() {
    for text in ["plain", "wide: ü", &"long ".repeat(20)] {
        let colored = Text::from_markup("{rgb(255,0,0) red}");
        let index = colored.index();
        drop(colored);
        let plain = Text::new(text);
        assert_eq!(plain.index(), index, "the same object");
        assert!(*plain == *text && plain.format_at(0).is_plain());
    }
}

#[test]
fn a_forgotten_lock_ends_with_the_life() {
    for forget in [(|text| std::mem::forget(text.write())) as fn(&MutableText), |text| {
        std::mem::forget(text.read());
    }] {
        let first = MutableText::new("first");
        let index = first.index();
        forget(&first);
        drop(first);
        let second = MutableText::empty();
        assert_eq!(second.index(), index, "the same object");
        second.write().append("x");
        assert_eq!(*second.read(), "x");
    }
}

#[test]
fn a_mutable_text_is_printed_into_itself() {
    let log = MutableText::new("ab");
    write!(&*log, "{log}").unwrap();
    assert_eq!(*log.read(), "abab");
    write!(&*log, "{log:?}").unwrap();
    assert_eq!(*log.read(), "ababMutableText(\"abab\")");
}

#[test]
fn a_mutable_text_is_added_to_itself() {
    let log = MutableText::from_markup("{$red ab}c");
    log.append_copy(&log).append_copy(&MutableText::new("!"));
    let expected = BaseText::from_markup("{$red ab}c{$red ab}c!");
    assert!(log.compare(&expected, Matching::FORMATTED));
    // On two threads, each text is appended to the other.
    let other = MutableText::new("x");
    std::thread::scope(|scope| {
        for (one, other) in [(&log, &other), (&other, &log)] {
            scope.spawn(move || {
                for _ in 0..1000 {
                    one.append_copy(other).write().remove(9..);
                }
            });
        }
    });
    assert!(log.read().len() >= 7 && other.read().len() >= 7);
}

#[test]
fn debug_does_not_wait() {
    let log = MutableText::new("ab");
    let change = log.write();
    assert_eq!(format!("{:?}", &*log), "MutableText(<locked>)");
    drop(change);
    let read = log.read();
    assert_eq!(format!("{:?}", &*log), "MutableText(\"ab\")");
    drop(read);
}

/// Through an owner or a reference, in either order.
#[test]
fn a_hash_is_computed_once_in_a_life() {
    let million = Text::new("é".repeat(1_000_000));
    let expected = million.slice(..).hash_code();
    for text in [million.clone(), Text::new(&million)] {
        // Computed each time, these would be 10^11 characters, and the test would not end.
        for _ in 0..100_000 {
            let text: &Text = std::hint::black_box(&text);
            assert_eq!(text.hash_code(), expected);
            assert_eq!(text.key_hash(), million.key_hash());
        }
        assert_eq!(Owned::hash_code(&text), expected);
    }
}

#[test]
fn a_change_by_the_only_owner_changes_the_hashes() {
    let mut text = Text::new("before");
    let (hash, key) = (text.hash_code(), text.key_hash());
    *text.get_mut().unwrap() = Text::default();
    assert_eq!(text.hash_code(), 5381);
    assert_ne!((text.hash_code(), text.key_hash()), (hash, key));
}

#[test]
fn what_nobody_else_has_is_not_copied() {
    let string = "a text that is long enough to have memory of its own, wherever short ones are".to_owned();
    let address = string.as_ptr();
    let mutable = string.into_mutable_text();
    assert_eq!(mutable.read().as_str().as_ptr(), address);
    let text = mutable.into_text();
    assert_eq!(text.as_str().as_ptr(), address);
    let mutable = text.into_mutable_text();
    assert_eq!(mutable.read().as_str().as_ptr(), address);
    let string = mutable.into_string();
    assert_eq!(string.as_ptr(), address);
}

#[test]
fn what_others_have_is_copied() {
    let (mutable, text) = (MutableText::new("a"), Text::new("b"));
    let (other_mutable, other_text) = (mutable.clone(), text.clone());
    let (copy, mutable_copy) = (mutable.into_text(), text.into_mutable_text());
    other_mutable.write().append("!");
    mutable_copy.write().append("!");
    assert_eq!((copy.to_string(), other_mutable.to_string()), ("a".into(), "a!".into()));
    assert_eq!(
        (other_text.to_string(), mutable_copy.to_string()),
        ("b".into(), "b!".into())
    );
    assert_eq!(
        (other_mutable.owners(), other_text.owners()),
        (1, 1),
        "one share was given up"
    );
}

#[test]
fn what_is_read_through_a_handle_is_copied() {
    let (text, mutable, guarded) = (Text::new("a"), MutableText::new("b"), MutableText::new("c"));
    let handles = (text.handle(), mutable.handle(), guarded.handle());
    let pinned = pin();
    let text_read = handles.0.get(&pinned).unwrap();
    let mutable_read = handles.1.get(&pinned).unwrap().read();
    let guarded_read = handles.2.get(&pinned).unwrap();
    let copies = [
        text.into_mutable_text().to_string(),
        mutable.into_text().to_string(),
        guarded.into_text().to_string(),
    ];
    assert_eq!(copies, ["a", "b", "c"]);
    assert!(*text_read == "a" && *mutable_read == "b" && *guarded_read.read() == "c");
}

#[test]
fn what_a_handle_was_made_of_is_copied() {
    let text = Text::new("a text that is long enough to have memory of its own");
    let (address, _handle) = (text.as_str().as_ptr(), text.handle());
    let mutable = text.into_mutable_text();
    let (other, _handle) = (mutable.read().as_str().as_ptr(), mutable.handle());
    assert_ne!(other, address);
    let text = mutable.into_text();
    assert_ne!(text.as_str().as_ptr(), other);
}

#[test]
fn cached_texts_are_one_object_for_each_place() {
    fn here() -> &'static CachedText {
        text!("cached")
    }
    let there = text!("cached");
    assert!(here() == there && !std::ptr::eq(here(), there));
    assert!(here().owner().is_same(&here().owner()) && !here().owner().is_same(&there.owner()));
    let from_threads: Vec<u32> = (0..4)
        .map(|_| std::thread::spawn(|| here().owner().index()))
        .map(|thread| thread.join().unwrap())
        .collect();
    assert!(from_threads.iter().all(|index| *index == here().owner().index()));
}

#[test]
fn a_cached_text_is_content_as_any_text() {
    let red = formatted!("{$red fire}");
    let mut text = BaseText::from("beware of ");
    text.append(red);
    assert!(text.ends_with(red, Matching::FORMATTED) && text.contains(text!("of"), Matching::EXACT));
    assert_eq!(key_hash(red), Text::new("fire").key_hash());
    assert!(red.owner().compare(red, Matching::FORMATTED));
    assert_eq!(
        (format!("{red}"), format!("{red:?}")),
        ("fire".into(), "\"fire\"".into())
    );
    assert_eq!(colored!("\u{1b}\u{ff}\u{1}\u{1}fire"), red, "formats don't count");
}

#[test]
fn classes_are_found_by_name() {
    assert_eq!(load_class("AcediaCore.Text"), Ok(Text::class()));
    assert_eq!(load_class("AcediaCore.MutableText"), Ok(MutableText::class()));
}
