use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use acedia::__private::exit_thread;
use acedia::{Handle, Pool, pin};
use loom::thread;

use super::LifeWord;

std::thread_local! {
    // loom runs all threads of a model on the one that called it.
    static SEEN: RefCell<BTreeMap<&'static str, u64>> = const { RefCell::new(BTreeMap::new()) };
}

fn saw(what: &'static str) {
    SEEN.with_borrow_mut(|seen| *seen.entry(what).or_default() += 1);
}

/// One thread sets a reference to an actor, destroys the actor, announces this, reuses its slot, and sets the reference to the
/// new actor. Another thread looks it up.
#[test]
fn destroyed_while_another_thread_asks() {
    loom::model(|| {
        let lives = Arc::new(Pool::<u64>::new());
        let (word, told) = (Arc::new(LifeWord::default()), Arc::new(LifeWord::default()));
        let (asked_lives, asked_word, asked_told) = (lives.clone(), word.clone(), told.clone());
        let other = thread::spawn(move || {
            let told = asked_told.bits() == 1;
            let handle = Handle::from_bits(asked_word.bits());
            let answer = handle.map(|handle| asked_lives.get(handle, &pin()).copied());
            match answer {
                None => saw("not set"),
                Some(None) => saw("none"),
                Some(Some(1)) => {
                    assert!(!told, "who knows of the death finds the actor alive");
                    saw("alive");
                }
                Some(Some(2)) => saw("the next"),
                Some(Some(other)) => panic!("a life that is half made: {other}"),
            }
            if told {
                assert!(answer.is_some(), "who knows of the death knows of the reference");
                saw("told");
            }
            exit_thread();
        });
        let actor = lives.allocate_with(|it| *it = 1);
        let first = actor.handle();
        word.set(first.to_bits());
        drop(actor);
        told.set(1);
        let next = lives.allocate_with(|it| *it = 2);
        saw(if next.index() == first.index() {
            "reused"
        } else {
            "not reused"
        });
        word.set(next.handle().to_bits());
        other.join().unwrap();
        assert!(lives.get(first, &pin()).is_none());
        drop(next);
        assert!(lives.get(Handle::from_bits(word.bits()).unwrap(), &pin()).is_none());
        exit_thread();
    });
    let seen = SEEN.take();
    println!("{seen:?}");
    for outcome in ["not set", "alive", "none", "the next", "told", "reused"] {
        assert!(seen.contains_key(outcome), "no execution saw: {outcome}");
    }
}
