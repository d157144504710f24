//! Each message that was put in comes out once: in every interleaving of two threads, and in random ones of four.

use std::sync::Arc;

use super::Mailbox;

#[cfg(acedia_loom)]
use acedia::modelling::{model, spawn};
#[cfg(not(acedia_loom))]
use std::thread::spawn;

/// Without loom, one interleaving, which the system chooses.
#[cfg(not(acedia_loom))]
fn model(body: impl Fn() + Send + Sync + 'static) {
    body();
}

/// One thread takes and puts while the other takes.
fn two_threads(take: fn(&Mailbox) -> Option<u64>) {
    let mailbox = Arc::new(Mailbox::default());
    assert_eq!(mailbox.put(1), None);
    let other = Arc::clone(&mailbox);
    let thread = spawn(move || [take(&other), other.put(2)]);
    let here = take(&mailbox);
    let there = thread.join().expect("it does not panic");
    let left = mailbox.take();
    let mut seen: Vec<u64> = [here, left].into_iter().chain(there).flatten().collect();
    seen.sort_unstable();
    assert_eq!(seen, [1, 2], "a message was lost");
    assert_eq!(mailbox.messages.stats().live, 0);
}

#[test]
fn no_message_is_lost() {
    model(|| two_threads(Mailbox::take));
}

/// Two steps lose a message in few interleavings. A test on system threads nearly always passes; loom and shuttle find one.
#[cfg(acedia_loom)]
#[test]
#[should_panic(expected = "a message was lost")]
fn the_checker_finds_the_message_that_two_steps_lose() {
    model(|| two_threads(Mailbox::take_in_two_steps));
}

/// Three threads put two messages each, and take, while this one takes. loom would take days.
#[cfg(any(not(acedia_loom), feature = "shuttle"))]
fn four_threads(take: fn(&Mailbox) -> Option<u64>) {
    let mailbox = Arc::new(Mailbox::default());
    let threads = [10, 20, 30].map(|message| {
        let mailbox = Arc::clone(&mailbox);
        spawn(move || [mailbox.put(message), mailbox.put(message + 1), take(&mailbox)])
    });
    let mut seen: Vec<u64> = [take(&mailbox), take(&mailbox)].into_iter().flatten().collect();
    for thread in threads {
        seen.extend(thread.join().expect("it does not panic").into_iter().flatten());
    }
    seen.extend(mailbox.take());
    seen.sort_unstable();
    assert_eq!(seen, [10, 11, 20, 21, 30, 31], "a message was lost");
    assert_eq!(mailbox.messages.stats().live, 0);
}

#[cfg(any(not(acedia_loom), feature = "shuttle"))]
#[test]
fn four_threads_lose_no_message() {
    model(|| four_threads(Mailbox::take));
}

#[cfg(all(acedia_loom, feature = "shuttle"))]
#[test]
#[should_panic(expected = "a message was lost")]
fn shuttle_finds_the_message_that_two_steps_of_four_threads_lose() {
    model(|| four_threads(Mailbox::take_in_two_steps));
}

#[cfg(not(acedia_loom))]
#[test]
fn two_steps_seem_right_on_one_thread() {
    let mailbox = Mailbox::default();
    mailbox.put(1);
    assert_eq!(
        (mailbox.take_in_two_steps(), mailbox.take_in_two_steps()),
        (Some(1), None)
    );
}
